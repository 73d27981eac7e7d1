"""A small Verräter, for exact solution: the last rounds, lands in the order of their value, few supply cards.

From the first decision on the rules are those of `phases.py`; only the deal is another. Nothing is left to build.
"""

from dataclasses import dataclass

from tripot.core.game import DEALER
from tripot.core.options import option
from tripot.core.rng import seed_luck
from tripot.games.verrater.cards import EAGLE, LAND_KINDS, LAST_ROUND, ROSE, SLOTS
from tripot.games.verrater.phases import deal_options, start_round
from tripot.games.verrater.state import Options

PRINTED = Options()
#              cards: 1st 2nd 3rd   as kinds: the 5, the 4, the 3 [V-1.4]
STARTING_KINDS = (    3,  2,  1)  # fmt: skip


@dataclass(frozen=True)
class SmallOptions:
    """How small. One round of 3 players has about 1,400 histories without supply cards, 14,000 with 1 card each."""

    rounds: int = option(1, "V-3.1", highest=8)  # that are left
    cards: int = option(0, "V-1.4", highest=3)  # supply cards each player starts with, and no others


def deal_small(s, options, seats, seed):
    """Seat 1 is first and serves the Eagle; the houses meet in two places: moor and city on either side. [V-2.1]"""
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.first = 0
    s.strategy = 1
    s.round = LAST_ROUND[seats] - options.rounds
    deal_options(s, PRINTED)
    for slot in range(SLOTS):
        s.land[slot] = 1 + slot % LAND_KINDS
        s.holder[slot] = EAGLE if slot < LAND_KINDS else ROSE
    for seat in range(seats):
        s.house[seat] = seat % 2
        for card in range(options.cards):
            s.hand[seat][STARTING_KINDS[card]] = 1
            s.known[seat][STARTING_KINDS[card]] = 1
            s.hand_size[seat] += 1
    start_round(s)
