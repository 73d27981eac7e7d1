"""Trieste before two titles that were played too little: the rules of today with the third house deck."""

from dataclasses import dataclass, replace

from tripot.core.options import option
from tripot.games.trieste import GAME as NEWEST
from tripot.games.trieste.state import DECK
from tripot.games.trieste.state import Options as Newest

#    copies, cost, level, reach, amount, more
THIRD_DECK = (
    (5, 1, 1, 1, 2, 0),  # Patrol Officer
    (6, 2, 2, 2, 0, 1),  # Bloodhound
    (2, 2, 3, 3, 0, 1),  # Raiding Party
    (4, 2, 2, 2, 1, 1),  # Undercover Agent
    (5, 0, 1, 0, 3, 0),  # Tax Collector
    (3, 1, 3, 2, 2, 0),  # Magistrate
    (3, 1, 2, 2, 2, 1),  # Search Warrant
    (1, 0, 1, 0, 1, 6),  # Contraband Checkpoint
    (1, 0, 1, 0, 3, 3),  # Bounty
    (1, 0, 2, 0, 3, 2),  # Curfew
    (2, 0, 0, 0, 3, 2),  # Muster
    (4, 0, 1, 0, 2, 1),  # Business as Usual
    (5, 1, 1, 0, 1, 3),  # Street Vendor
    (4, 2, 2, 0, 3, 2),  # Spice Trader
    (2, 3, 3, 0, 5, 0),  # Banker
    (5, 1, 0, 0, 1, 0),  # Bodyguard
    (3, 1, 0, 0, 1, 0),  # Smuggler
    (2, 2, 3, 2, 0, 0),  # Grand Bargain
    (2, 2, 1, 0, 0, 0),  # Bribe
    (2, 0, 1, 0, 1, 0),  # Insurance
    (2, 1, 2, 0, 3, 0),  # Trading Voyage
    (2, 0, 2, 0, 1, 0),  # Lawsuit
    (8, 0, 1, 0, 2, 0),  # Street Urchin
    (6, 1, 1, 0, 2, 0),  # Pickpocket
    (5, 4, 2, 0, 3, 2),  # Burglar
    (4, 1, 2, 0, 2, 0),  # Forger
    (3, 0, 1, 0, 2, 0),  # Decoy
    (1, 0, 0, 0, 0, 0),  # Smoke Bomb
    (2, 0, 1, 0, 4, 0),  # Fence
    (1, 2, 2, 0, 0, 0),  # Jailbreak
    (1, 6, 3, 0, 2, 2),  # Master Thief
    (2, 0, 1, 0, 1, 0),  # Informer
)


@dataclass(frozen=True)
class Options(Newest):
    """The house rules of Trieste, version 4."""

    deck: tuple[tuple[int, ...], ...] = option(THIRD_DECK, "T-0.1", highest=33, table=DECK)


GAME = replace(NEWEST, rules_version=4, options=Options)
