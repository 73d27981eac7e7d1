"""Hearts for four: avoid the hearts and the queen of spades. The game as one object, and how a seat imagines hands."""

from pathlib import Path

from tripot.core.game import IMAGINATION, Game
from tripot.core.rng import roll, seed_luck
from tripot_hearts import heuristic, text
from tripot_hearts.actions import NUM_ACTIONS
from tripot_hearts.cards import CARDS, DEALT, PASSED, RANKS, SEATS, SUITS, TWO_OF_CLUBS
from tripot_hearts.guide import GUIDE
from tripot_hearts.phases import apply, deal, legal
from tripot_hearts.state import FIELDS, Direction, Options, Phase


def imagine(view, s, seed):
    """Deals the cards that the seat does not see to the hands that can have them, and guesses who passed what.

    Where nobody has shown a void, every deal that fits the view is equally likely.
    """
    seed_luck(s, seed, IMAGINATION)
    if view.phase == Phase.PASS:
        imagine_passing(view, s)
    elif view.phase == Phase.PLAY:
        imagine_play(view, s)
    seed_luck(s, roll(s, 1 << 31), IMAGINATION + 1)  # future random numbers


# --- While cards are passed -------------------------------------------------- [H-2]


def imagine_passing(view, s):
    """The others have thirteen cards, of which those who are done have put three aside."""
    for seat in range(SEATS):
        s.need[seat] = 0 if seat == view.seat else DEALT
    if view.seat < SEATS:
        for place in range(PASSED):
            if view.my_given[place] > 0:
                s.hand[view.seat][view.my_given[place] - 1] = 1  # until all are dealt
    deal_unknown(view, s)
    for seat in range(SEATS):
        if seat != view.seat and not s.waiting >> seat & 1:
            guess_given(s, seat, seat)
    for seat in range(SEATS):
        for place in range(PASSED):
            if s.given[seat][place] > 0:
                s.hand[seat][s.given[seat][place] - 1] = 0


def guess_given(s, seat, holder):
    """Any three cards that `holder` has now, or has played, may be the ones that `seat` passed on."""
    skip_first = roll(s, DEALT)
    skip_second = roll(s, DEALT - 1)
    skip_third = roll(s, DEALT - 2)
    if skip_second >= skip_first:
        skip_second += 1
    low = min(skip_first, skip_second)
    high = max(skip_first, skip_second)
    if skip_third >= low:
        skip_third += 1
    if skip_third >= high:
        skip_third += 1
    met = 0
    place = 0
    for card in range(CARDS):
        if s.hand[holder][card] or s.gone[card] == holder + 1:
            if met == skip_first or met == skip_second or met == skip_third:
                s.given[seat][place] = card + 1
                place += 1
            met += 1


# --- While tricks are played ------------------------------------------------- [H-3]


def imagine_play(view, s):
    for seat in range(SEATS):
        s.need[seat] = 0 if seat == view.seat else DEALT
    for card in range(CARDS):
        if view.gone[card] > 0 and view.gone[card] != view.seat + 1:
            s.need[view.gone[card] - 1] -= 1
    if view.gone[TWO_OF_CLUBS] == 0 and s.hand[view.starter][TWO_OF_CLUBS] == 0:
        s.hand[view.starter][TWO_OF_CLUBS] = 1  # [H-3.1]
        s.need[view.starter] -= 1
    if view.seat < SEATS:
        to = (view.seat + view.direction) % SEATS
        for place in range(PASSED):
            card = view.my_given[place] - 1
            if card >= 0 and view.gone[card] == 0 and s.hand[to][card] == 0:
                s.hand[to][card] = 1
                s.need[to] -= 1
    deal_unknown(view, s)
    if view.direction != Direction.NONE:
        imagine_passed(view, s)


def imagine_passed(view, s):
    for seat in range(SEATS):
        to = (seat + view.direction) % SEATS
        if to == view.seat:
            for place in range(PASSED):
                s.given[seat][place] = s.received[to][place]
        elif seat != view.seat:
            guess_given(s, seat, to)
        for place in range(PASSED):
            s.received[to][place] = s.given[seat][place]


# --- Dealing what nobody has seen --------------------------------------------


def deal_unknown(view, s):
    """Deals every card that lies nowhere, suits that few can have first; nobody gets a suit they lack."""
    for suit in range(SUITS):
        s.left[suit] = 0
        s.takers[suit] = takers_of(view, suit)
    for card in range(CARDS):
        s.left[card // RANKS] += unknown(s, card)
    for count in range(1, SEATS + 1):
        for suit in range(SUITS):
            if members(s.takers[suit]) == count:
                for card in range(suit * RANKS, suit * RANKS + RANKS):
                    if unknown(s, card):
                        s.hand[taker_of(s, s.takers[suit])][card] = 1
                        s.left[suit] -= 1


def unknown(s, card):
    """1 if a card lies in no hand and has not been played."""
    if s.gone[card] > 0:
        return 0
    for seat in range(SEATS):
        if s.hand[seat][card]:
            return 0
    return 1


def takers_of(view, suit):
    """The set of seats, other than the one that looks, that may hold cards of a suit."""
    able = 0
    for seat in range(SEATS):
        if seat != view.seat and not view.void[seat] >> suit & 1:
            able |= 1 << seat
    return able


def members(seats):
    count = 0
    for seat in range(SEATS):
        count += seats >> seat & 1
    return count


def taker_of(s, able):
    """A seat for one more card that only `able` can have, by how many cards each still needs.

    A seat is passed over if it belongs to some who need all the cards that only they can have.
    """
    free = able
    for group in range(1, 1 << SEATS):
        if able & ~group and group & free and confined(s, group) == needed(s, group):
            free &= ~group
    skip = roll(s, needed(s, free))
    seat = 0
    while not free >> seat & 1 or skip >= s.need[seat]:
        if free >> seat & 1:
            skip -= s.need[seat]
        seat += 1
    s.need[seat] -= 1
    return seat


def needed(s, group):
    count = 0
    for seat in range(SEATS):
        if group >> seat & 1:
            count += s.need[seat]
    return count


def confined(s, group):
    """How many of the cards to deal can go to nobody outside this group."""
    count = 0
    for suit in range(SUITS):
        if s.takers[suit] & ~group == 0:
            count += s.left[suit]
    return count


GAME = Game(
    name="hearts",
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
    heuristic=heuristic.choose,
    guide=GUIDE,
    board="tripot_hearts.board",
    drawing="hearts",
    page=Path(__file__).parent / "page",
)
