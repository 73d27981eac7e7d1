"""What players of Verräter cannot see: roles and supply cards. `read` and `turn_back` belong to the rules."""

from tripot.core.defaults import NO_WAY_BACK
from tripot.core.hidden import Hidden, HiddenThings
from tripot.core.pile import bag_size
from tripot.core.speech import Phrase
from tripot.games.verrater.actions import DONE, KEEP, NUM_ACTIONS, PLAY
from tripot.games.verrater.cards import MOST_PLAYED, ROLES, SUPPLY_KINDS
from tripot.games.verrater.effects import seat_at
from tripot.games.verrater.state import Phase

ROLE, HAND, ASIDE = range(3)


def read(s, seat, out):
    """Roles are secret from the draft to the reveal, hands always. [V-2.2 V-2.4]"""
    secret = s.phase == Phase.DRAFT or s.phase == Phase.SUPPLY
    if secret:
        out[ASIDE][0][s.set_aside] = 1
    for other in range(s.seats):
        if other != seat:
            if secret and s.role_kept[other] > 0:
                out[ROLE][other][s.role_kept[other]] = 1
            for kind in range(SUPPLY_KINDS):
                if s.hand[other][kind] > 0:
                    out[HAND][other][kind] = 1


def turn_back(s, seat):
    """Undoes the last decision of this round's supply or draft. [V-2.2 V-2.3]

    Supply cards are taken to have been added from the highest to the lowest.
    """
    if s.phase == Phase.DRAFT:
        return turn_back_draft(s, order_of(s))
    if s.phase == Phase.SUPPLY:
        return turn_back_supply(s)
    return NO_WAY_BACK


def order_of(s):
    """The place in the order of the round of the seat that is waited for."""
    order = 0
    while not s.waiting >> seat_at(s, order) & 1:
        order += 1
    return order


def turn_back_supply(s):
    order = order_of(s)
    mover = seat_at(s, order)
    if bag_size(s.played[mover]) > 0:
        return take_up(s, mover)
    for earlier in range(order - 1, -1, -1):
        mover = seat_at(s, earlier)
        played = bag_size(s.played[mover])
        if played + s.hand_size[mover] > 0:
            s.waiting = 1 << mover
            if s.hand_size[mover] == 0 or played == MOST_PLAYED:
                return take_up(s, mover)
            return mover * NUM_ACTIONS + DONE
    s.phase = Phase.DRAFT
    return turn_back_draft(s, s.seats)


def take_up(s, mover):
    """Takes the lowest card played back into the hand."""
    kind = 0
    while s.played[mover][kind] == 0:
        kind += 1
    s.played[mover][kind] -= 1
    s.hand[mover][kind] += 1
    s.hand_size[mover] += 1
    return mover * NUM_ACTIONS + PLAY + kind


def turn_back_draft(s, order):
    """The seat before this place in the order chooses its role again."""
    if order == 0:
        return NO_WAY_BACK
    mover = seat_at(s, order - 1)
    role = s.role_kept[mover]
    s.role_kept[mover] = 0
    s.waiting = 1 << mover
    return mover * NUM_ACTIONS + KEEP + role


HIDDEN = HiddenThings(
    places=(
        Hidden(Phrase("role", "rôle"), "role", one=True, things=range(1, ROLES + 1)),
        Hidden(Phrase("in hand", "en main"), "supply", things=range(SUPPLY_KINDS)),
        Hidden(Phrase("role set aside", "rôle écarté"), "role", one=True, of_seat=False),
    ),
    most=1 + ROLES,
    read=read,
    turn_back=turn_back,
)
