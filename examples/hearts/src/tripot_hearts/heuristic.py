"""A page of common sense for Hearts. A rule module: it sees a view, never a state.

Every card is weighed, and the heaviest is chosen; ties are broken at random.
"""

from tripot.core.rng import roll
from tripot_hearts.cards import (
    CARDS,
    FIRST_HEART,
    FIRST_SPADE,
    HEARTS,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    RANKS,
    SEATS,
    SPADES,
    points_of,
)
from tripot_hearts.state import Phase

KING = 11
MANY_SPADES = 5  # with this many, the high ones are safe in hand
NEARLY_A_MOON = 15  # points


def choose(view, mask, memory):
    best = -1
    choice = 0
    case = case_of(view)
    for card in range(CARDS):
        if mask[card]:
            worth = 100000 + 16 * weigh(view, card, case) + roll(memory, 16)
            if worth > best:
                best = worth
                choice = card
    return choice


def case_of(view):
    """What is the same for every card: (to beat, points in the trick, last to play, queen about, shooter).

    The highest card of the suit led, what the trick costs so far, whether I close it, whether the queen of spades is
    still with somebody else, and 1 + the seat that may be shooting the moon.
    """
    to_beat = -1
    points = 0
    played = 0
    taken = 0
    shooter = 0
    for seat in range(SEATS):
        card = view.trick[seat] - 1
        taken += view.taken[seat]
        if card >= 0:
            played += 1
            points += points_of(card)
            if card // RANKS + 1 == view.suit_led and card > to_beat:
                to_beat = card
    for seat in range(SEATS):
        if view.taken[seat] == taken and taken >= NEARLY_A_MOON and seat != view.seat:
            shooter = seat + 1
    queen_about = view.gone[QUEEN_OF_SPADES] == 0 and view.my_hand[QUEEN_OF_SPADES] == 0
    return to_beat, points, played == SEATS - 1, queen_about, shooter


def weigh(view, card, case):
    if view.phase == Phase.PASS:
        return weigh_pass(view, card)
    if view.suit_led == 0:
        return weigh_lead(view, card, case)
    if card // RANKS + 1 == view.suit_led:
        return weigh_following(view, card, case)
    return weigh_discard(view, card, case)


def held(view, suit):
    """How many cards of a suit I hold."""
    count = 0
    for rank in range(RANKS):
        count += view.my_hand[suit * RANKS + rank]
    return count


# --- Passing: the high spades, the high hearts, what makes a suit short ---


def weigh_pass(view, card):
    suit = card // RANKS
    rank = card % RANKS
    if suit == SPADES:
        if held(view, SPADES) >= MANY_SPADES or card < QUEEN_OF_SPADES:
            return -20
        return 90 if card == QUEEN_OF_SPADES else 70
    if suit == HEARTS:
        return 3 * rank + 6
    if card == JACK_OF_DIAMONDS and view.jack:
        return -20
    return 3 * rank + 4 * max(0, 4 - held(view, suit))


# --- Leading: what others will take ---


def weigh_lead(view, card, case):
    """The more unseen cards lie above and the fewer below, the surer another takes the trick."""
    suit = card // RANKS
    above = 0
    below = 0
    for other in range(suit * RANKS, suit * RANKS + RANKS):
        if view.gone[other] == 0 and view.my_hand[other] == 0:
            if other > card:
                above += 1
            else:
                below += 1
    if above + below == 0:
        return -40  # nobody can follow: it is mine, with all they throw away
    worth = 6 * above - 5 * below
    if suit == SPADES:
        if card == QUEEN_OF_SPADES:
            return -200
        if case[3]:
            worth += 15 if card < QUEEN_OF_SPADES else -80  # drive the queen out, but not into one's own arms
        elif view.my_hand[QUEEN_OF_SPADES]:
            worth -= 60
    if suit == HEARTS:
        worth -= 5
    return worth


# --- Following: stay below, or take what costs nothing with the highest ---


def weigh_following(view, card, case):
    to_beat, points, last, queen_about, shooter = case
    rank = card % RANKS
    if card < to_beat:
        if shooter > 0 and points > 0 and view.trick[shooter - 1] == to_beat + 1:
            return 20 - rank
        return 300 if card == QUEEN_OF_SPADES else 100 + rank
    cost = points + points_of(card)
    if card == JACK_OF_DIAMONDS and view.jack and cost == 0 and last:
        return 140
    if shooter > 0 and 0 < cost < 5:
        return 150 + rank  # a few points now rather than the moon
    if card == QUEEN_OF_SPADES:
        return -200
    if last:
        return 60 + rank if cost == 0 else 30 + rank
    high_spade = card > QUEEN_OF_SPADES and queen_about
    return 50 - rank - 4 * cost - (50 if high_spade else 0)


# --- Throwing away: the queen, the spades above her, high hearts, short suits ---


def weigh_discard(view, card, case):
    suit = card // RANKS
    rank = card % RANKS
    if card == QUEEN_OF_SPADES:
        return 400
    if card == JACK_OF_DIAMONDS and view.jack:
        return -50
    if suit == SPADES and rank >= KING and case[3]:
        return 250 + rank
    if FIRST_HEART <= card < FIRST_SPADE:
        if case[4] > 0:
            return 10 - rank  # hearts are what keeps somebody else from the moon
        return 100 + 4 * rank
    return 60 + 3 * rank + 5 * max(0, 4 - held(view, suit))
