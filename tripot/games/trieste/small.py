"""A small Trieste, for exact solution: the last turns from a Play phase on, two titles a faction, only coppers to draw.

Everyone is one step from winning. From the first decision on the rules are those of `phases.py`; only the deal is
another.
"""

from dataclasses import dataclass

from tripot.core.game import DEALER
from tripot.core.options import option
from tripot.core.rng import seed_luck
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    CARDS,
    COPPER,
    FACTIONS,
    LAST_TURN,
    MERCHANT,
    MOST_INFAMY,
    NAMED,
    SEATS,
    THIEF,
    TREASURE_COPIES,
    TREASURES,
    WATCH,
    kind_of,
)
from tripot.games.trieste.phases import deal_options, settle, start_turn
from tripot.games.trieste.state import Options, Stage, draw_own, gain_openly

PRINTED = Options()
URCHIN = NAMED["Street Urchin"]
#               Watch                                            Merchant                                   Thief
TITLES_OF = (
    (NAMED["Patrol Officer"], NAMED["Tax Collector"]),
    (NAMED["Bodyguard"], NAMED["Street Vendor"]),
    (NAMED["Street Urchin"], NAMED["Informer"]),
)


@dataclass(frozen=True)
class SmallOptions:
    """How small, and how near the goals. One turn with one card each has about 800 histories."""

    turns: int = option(1, "T-4.5", highest=10)  # that are left, the first without its Draw phase
    cards: int = option(1, "T-1.3", highest=2)  # of the two titles of each faction, dealt
    coppers: int = option(2, "T-1.1", highest=3)  # that Watch and Thief hold
    riches: int = option(17, "T-4.2", highest=20)  # coppers that the Merchant holds


def deal_small(s, options, seats, seed):
    """The seats play Watch, Merchant and Thief. One capture is missing to the Watch, one Infamy to the Thief. [T-4]"""
    seed_luck(s, seed, DEALER)
    s.seats = seats
    deal_options(s, PRINTED)
    for card in range(1, len(CARDS)):
        s.copies[card] = 0
    for faction in range(FACTIONS):
        s.faction[faction] = faction
        s.seat_of[faction] = faction
        for card in TITLES_OF[faction]:
            s.copies[card] = 1
            s.deck[faction][kind_of(faction, card) - TREASURES] = 1
        s.deck_size[faction] = 2
    s.infamy = MOST_INFAMY - 1
    s.captured[kind_of(THIEF, URCHIN) - TREASURES] = CAPTURES_TO_WIN - 1
    s.copies[URCHIN] = CAPTURES_TO_WIN
    deal_treasures(s, options)
    for faction in range(FACTIONS):
        draw_own(s, faction, options.cards)
    s.turn = LAST_TURN - options.turns
    start_turn(s)
    s.stage = Stage.PLAY
    settle(s)


def deal_treasures(s, options):
    """Coppers in hands and in the deck; all other treasures lie in the discard."""
    for kind in range(1, TREASURES):
        s.treasure_discard[kind] = TREASURE_COPIES[kind]
    held = (options.coppers, options.riches, options.coppers)
    for faction in (WATCH, MERCHANT, THIEF):
        for _ in range(held[faction]):
            gain_openly(s, faction, COPPER)
        s.held[faction] = held[faction]
    left = TREASURE_COPIES[COPPER] - held[WATCH] - held[MERCHANT] - held[THIEF]
    s.treasure_deck[COPPER] = left
    s.treasure_size = left
    s.stock[COPPER] = left
    for seat in range(SEATS):
        s.fresh[seat][COPPER] = left
