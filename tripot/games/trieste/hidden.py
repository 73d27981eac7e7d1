"""What players of Trieste cannot see: cards face down, heroes, hands. `read` and `turn_back` belong to the rules."""

from tripot.core.defaults import NO_WAY_BACK
from tripot.core.hidden import Hidden, HiddenThings
from tripot.core.speech import Phrase
from tripot.games.trieste.actions import CARD, NUM_ACTIONS
from tripot.games.trieste.cards import CARD_NUMBERS, FACTIONS, KINDS, SEATS, back_of, card_at, kind_of
from tripot.games.trieste.state import Phase, Stage

FACE_DOWN, HAND, HERO = range(3)


def read(s, seat, out):
    """Hands are secret, cards until the payment, heroes until they are shown. [T-0.4 T-3.2 T-6.1]"""
    for other in range(SEATS):
        if other != seat:
            faction = s.faction[other]
            if s.placed[other] > 0:
                out[FACE_DOWN][other][s.placed[other]] = 1
            if s.hero_hidden[faction]:
                out[HERO][other][s.hero[other]] = 1
            for kind in range(KINDS):
                if s.hand[other][kind] > 0:
                    out[HAND][other][card_at(faction, kind)] = 1


def turn_back(s, seat):
    """Takes the last card that another player has placed face down back into the hand. [T-3.2]"""
    for back in range(FACTIONS):
        faction = FACTIONS - 1 - back
        mover = s.seat_of[faction]
        s.table[faction] = 0  # when a card is placed none lies open yet
        if mover != seat and s.placed[mover] > 0:
            kind = kind_of(faction, s.placed[mover])
            s.placed[mover] = 0
            s.face_down[faction] = 0
            s.hand[mover][kind] += 1
            s.hand_size[faction][back_of(kind)] += 1
            s.stage = Stage.PLAY
            s.phase = Phase.PLAY
            s.active = faction
            s.waiting = 1 << mover
            return mover * NUM_ACTIONS + CARD + kind
    return NO_WAY_BACK


HIDDEN = HiddenThings(
    places=(
        Hidden(Phrase("face down", "face cachée"), "card", one=True),
        Hidden(Phrase("in hand", "en main"), "card"),
        Hidden(Phrase("hero", "héros"), "hero", one=True),
    ),
    most=CARD_NUMBERS,
    read=read,
    turn_back=turn_back,
)
