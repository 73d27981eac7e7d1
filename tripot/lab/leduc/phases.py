"""Leduc poker from the deal to the showdown."""

from tripot.core.game import DEALER, WHOLE_WIN
from tripot.core.news import tell, whisper
from tripot.core.rng import roll, seed_luck
from tripot.lab.leduc.actions import CALL, FOLD, RAISE, News
from tripot.lab.leduc.state import ANTE, CARDS, FIRST_RAISE, MOST_RAISES, SECOND_RAISE, SUITS, Phase

PAIR = CARDS  # stronger than any rank


def legal(s, seat, mask):
    """What this seat may decide now; nothing unless it is waited for. [L-2]"""
    if s.waiting >> seat & 1:
        mask[FOLD] = s.chips[1 - seat] > s.chips[seat]
        mask[CALL] = 1
        mask[RAISE] = s.raises < MOST_RAISES


def apply(s, seat, action):
    """One decision of this seat, and all that follows from it."""
    if action == RAISE:
        apply_raise(s, seat)
    elif action == CALL:
        apply_call(s, seat)
    else:
        tell(s, News.FOLDED, seat)
        end_game(s, WHOLE_WIN * seat)


# --- The deal ---------------------------------------------------------------- [L-1]


def deal(s, options, seats, seed):
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.chips[0] = ANTE
    s.chips[1] = ANTE
    s.card[0] = draw_beside(s, 0, 0)
    s.card[1] = draw_beside(s, s.card[0], 0)
    whisper(s, 0, News.YOUR_CARD, 0, s.card[0])
    whisper(s, 1, News.YOUR_CARD, 1, s.card[1])
    s.phase = Phase.FIRST_ROUND
    s.waiting = 1


def draw_beside(s, one, other):
    """A random card that is neither of these two; 0 is no card."""
    lower = min(one, other)
    upper = max(one, other)
    card = 1 + roll(s, CARDS - (lower > 0) - (upper > 0))
    if lower > 0 and card >= lower:
        card += 1
    if upper > 0 and card >= upper:
        card += 1
    return card


# --- The bets ---------------------------------------------------------------- [L-2]


def apply_raise(s, seat):
    s.chips[seat] = s.chips[1 - seat] + (FIRST_RAISE if s.phase == Phase.FIRST_ROUND else SECOND_RAISE)
    s.raises += 1
    s.waiting = 1 << (1 - seat)
    tell(s, News.RAISED, seat, s.chips[seat])


def apply_call(s, seat):
    """Ends the round, unless it is the first seat's check."""
    s.chips[seat] = s.chips[1 - seat]
    tell(s, News.CALLED, seat, s.chips[seat])
    if s.raises == 0 and seat == 0:
        s.waiting = 1 << 1
    elif s.phase == Phase.FIRST_ROUND:
        open_card(s)
    else:
        show_down(s)


def open_card(s):
    """Between the rounds. [L-3]"""
    s.open_card = draw_beside(s, s.card[0], s.card[1])
    s.raises = 0
    s.phase = Phase.SECOND_ROUND
    s.waiting = 1
    tell(s, News.OPENED, s.open_card)


# --- The end ----------------------------------------------------------------- [L-4]


def strength(s, seat):
    rank = (s.card[seat] + 1) // SUITS
    return PAIR if rank == (s.open_card + 1) // SUITS else rank


def show_down(s):
    first = strength(s, 0)
    second = strength(s, 1)
    if first == second:
        end_game(s, WHOLE_WIN // 2)
    else:
        end_game(s, WHOLE_WIN if first > second else 0)


def end_game(s, share):
    """`share` of the pot goes to seat 0, in sixtieths."""
    s.result[0] = share
    s.result[1] = WHOLE_WIN - share
    s.over = 1
    s.waiting = 0
    s.phase = Phase.OVER
    tell(s, News.WON, s.result[0], s.result[1])
