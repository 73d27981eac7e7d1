"""Leduc poker: a yardstick, not one of Tripot's games. Other programs have it too, so speeds can be set side by side.

It keeps to the contract of a game like the three, and `tripot.GAMES` does not list it. Rules as in OpenSpiel's
`leduc_poker`, whose tree the tests walk beside this one:

L-1 Two players, six cards: three ranks in two suits. Both put in 1 chip and get one card.
L-2 Two rounds of betting, seat 0 first in both. A raise is 2 chips in the first round, 4 in the second, on top
    of what the other has put in; at most two a round. Folding needs a raise to give in to.
L-3 Before the second round one card is turned up for both.
L-4 Who folds loses the pot. Otherwise a pair with the open card wins, then the higher rank; equals split.
"""

from tripot.core.game import IMAGINATION, Game
from tripot.core.rng import seed_luck
from tripot.lab.leduc import text
from tripot.lab.leduc.actions import NUM_ACTIONS
from tripot.lab.leduc.phases import apply, deal, draw_beside, legal
from tripot.lab.leduc.state import FIELDS, SEATS, Options


def imagine(view, s, seed):
    """The other seat may hold any card that is neither mine nor open; the luck to come is fresh."""
    seed_luck(s, seed, IMAGINATION)
    if view.seat < SEATS:
        s.card[1 - view.seat] = draw_beside(s, view.my_card, view.open_card)


GAME = Game(
    name="leduc",
    seats=(SEATS,),
    rules_version=1,
    fields=FIELDS,
    options=Options,
    num_actions=NUM_ACTIONS,
    deal=deal,
    legal=legal,
    apply=apply,
    imagine=imagine,
    text=text,
)
