"""What players of Trök cannot see: hands, and cards set face down. `read` and `turn_back` belong to the rules."""

from tripot.core.defaults import NO_WAY_BACK
from tripot.core.hidden import Hidden, HiddenThings
from tripot.core.pile import bag_size
from tripot.core.speech import Phrase
from tripot.games.trok.actions import CARD, NUM_ACTIONS
from tripot.games.trok.cards import GEARS
from tripot.games.trok.state import Phase

OFFER, HAND = range(2)


def read(s, seat, out):
    """Hands are secret, and so is what is chosen for the exchange until all have chosen. [K-2.1 K-3.1]"""
    for other in range(s.seats):
        if other != seat:
            for kind in range(GEARS):
                if s.phase == Phase.COMMIT and s.chosen[other][kind] > 0:
                    out[OFFER][other][kind] = 1
                if s.hand[other][kind] + s.chosen[other][kind] > 0:
                    out[HAND][other][kind] = 1


def turn_back(s, seat):
    """Undoes the choice of an offer, while no card of the exchange has been taken. [K-3.1]"""
    if s.phase == Phase.NAME or (s.phase == Phase.TAKE and s.taken_from == 0):
        hide_offers(s)
    if s.phase != Phase.COMMIT:
        return NO_WAY_BACK
    for mover in range(s.seats):
        if mover != seat and bag_size(s.chosen[mover]) > 0:
            return take_up(s, mover)
    return NO_WAY_BACK


def hide_offers(s):
    """The cards on offer lie face down again."""
    s.phase = Phase.COMMIT
    for mover in range(s.seats):
        s.bid[mover] = 0
        for kind in range(GEARS):
            s.hand_size[mover] += s.offer[mover][kind]
            s.chosen[mover][kind] = s.offer[mover][kind]
            s.offer[mover][kind] = 0


def take_up(s, mover):
    """Takes the card chosen last, the highest, back into the hand."""
    kind = GEARS - 1
    while s.chosen[mover][kind] == 0:
        kind -= 1
    s.chosen[mover][kind] -= 1
    s.hand[mover][kind] += 1
    s.waiting = 1 << mover
    return mover * NUM_ACTIONS + CARD + kind


HIDDEN = HiddenThings(
    places=(
        Hidden(Phrase("face down", "face cachée"), "gear", things=range(GEARS)),
        Hidden(Phrase("in hand", "en main"), "gear", things=range(GEARS)),
    ),
    most=GEARS,
    read=read,
    turn_back=turn_back,
    weighed=False,  # an offer tells too little of a hand: measured in docs/reviews.md
)
