"""A small Trök, for exact solution: the last turns, few equipment cards, no improvements.

From the first decision on the rules are those of `phases.py`; only the deal is another.
"""

from dataclasses import dataclass

from tripot.core.game import DEALER
from tripot.core.options import option
from tripot.core.rng import seed_luck
from tripot.games.trok.cards import LAST_TURN, MARKET_CARDS, Gear
from tripot.games.trok.phases import start_turn
from tripot.games.trok.state import Options

PRINTED = Options()


@dataclass(frozen=True)
class SmallOptions:
    """How small: the cards of the deck, all of which are dealt. The market holds three rations.

    With 2 players and one turn there are about 13,000 histories, with 6 rations and 1 hammer about 900.
    """

    turns: int = option(1, "K-6.4", highest=10)  # that are left
    rations: int = option(5, "K-0.1", highest=7)
    hammers: int = option(2, "K-0.1", highest=5)


def deal_small(s, options, seats, seed):
    """Seat 1 is the youngest. [K-3.4]"""
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.goal = PRINTED.goal
    s.open_purses = PRINTED.open_purses
    s.turn = LAST_TURN - options.turns
    s.market[Gear.RATION] = MARKET_CARDS
    s.deck[Gear.RATION] = options.rations
    s.deck[Gear.HAMMER] = options.hammers
    s.deck_size = options.rations + options.hammers
    start_turn(s)
