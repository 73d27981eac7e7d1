"""Trieste before its deck was balanced: the rules of version 2 with the first house deck."""

from dataclasses import dataclass, replace

from tripot.core.options import option
from tripot.games.older.trieste_2 import GAME as SECOND
from tripot.games.older.trieste_2 import Options as Second
from tripot.games.trieste.state import DECK

#    copies, cost, level, reach, amount, more
FIRST_DECK = (
    (5, 1, 1, 1, 2, 0),  # Patrol Officer
    (5, 2, 2, 2, 0, 1),  # Bloodhound
    (2, 2, 3, 3, 0, 1),  # Raiding Party
    (5, 1, 2, 2, 1, 1),  # Undercover Agent
    (4, 0, 1, 0, 2, 0),  # Tax Collector
    (3, 2, 3, 2, 2, 0),  # Magistrate
    (3, 1, 2, 2, 2, 1),  # Search Warrant
    (2, 0, 1, 0, 3, 2),  # Contraband Checkpoint
    (1, 0, 1, 0, 1, 2),  # Bounty
    (1, 0, 2, 0, 2, 1),  # Curfew
    (2, 0, 0, 0, 2, 2),  # Muster
    (6, 0, 1, 0, 2, 1),  # Business as Usual
    (4, 1, 1, 0, 1, 2),  # Street Vendor
    (4, 2, 2, 0, 3, 2),  # Spice Trader
    (2, 3, 3, 0, 4, 0),  # Banker
    (3, 1, 1, 0, 1, 0),  # Bodyguard
    (3, 1, 2, 0, 1, 0),  # Smuggler
    (2, 2, 3, 2, 0, 0),  # Grand Bargain
    (3, 1, 1, 0, 0, 0),  # Bribe
    (2, 0, 1, 0, 1, 0),  # Insurance
    (2, 1, 2, 0, 3, 0),  # Trading Voyage
    (2, 0, 2, 0, 1, 0),  # Lawsuit
    (8, 0, 1, 0, 2, 0),  # Street Urchin
    (6, 1, 1, 0, 2, 0),  # Pickpocket
    (3, 3, 2, 0, 3, 2),  # Burglar
    (3, 1, 1, 0, 2, 0),  # Forger
    (3, 0, 1, 0, 1, 0),  # Decoy
    (3, 0, 0, 0, 0, 0),  # Smoke Bomb
    (2, 0, 1, 0, 3, 0),  # Fence
    (2, 2, 2, 0, 0, 0),  # Jailbreak
    (1, 5, 3, 0, 2, 2),  # Master Thief
    (2, 0, 1, 0, 1, 0),  # Informer
)


@dataclass(frozen=True)
class Options(Second):
    """The house rules of Trieste, version 1."""

    deck: tuple[tuple[int, ...], ...] = option(FIRST_DECK, "T-0.1", highest=33, table=DECK)


GAME = replace(SECOND, rules_version=1, options=Options)
