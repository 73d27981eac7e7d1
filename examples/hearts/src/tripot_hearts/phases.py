"""Hearts from the deal to the end, in the order of the rule book."""

from tripot.core.game import DEALER, WHOLE_WIN
from tripot.core.news import tell, whisper
from tripot.core.rng import roll, seed_luck
from tripot_hearts.actions import News
from tripot_hearts.cards import (
    ALL_POINTS,
    CARDS,
    CLUBS,
    DEALT,
    DIAMONDS,
    FIRST_HEART,
    FIRST_SPADE,
    HEARTS,
    JACK_OF_DIAMONDS,
    JACK_POINTS,
    MOST_DEALS,
    NO_TRICK_POINTS,
    PASSED,
    QUEEN_OF_SPADES,
    RANKS,
    SEATS,
    SPADES,
    TWO_OF_CLUBS,
    points_of,
)
from tripot_hearts.state import Direction, Lead, Moon, Passing, Phase

#        deal 1               2                3                 4
CYCLE = (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.NONE)  # [H-2.2]


def legal(s, seat, mask):
    """What this seat may pass or play now; nothing unless it is waited for."""
    if s.waiting >> seat & 1:
        if s.phase == Phase.PASS:
            offer(s, seat, mask, 0, CARDS)
        elif s.suit_led == 0:
            legal_lead(s, seat, mask)
        elif offer_suit(s, seat, mask) == 0:  # [H-3.2]
            legal_discard(s, seat, mask)


def apply(s, seat, action):
    """One decision of this seat, and all that follows from it."""
    if s.phase == Phase.PASS:
        pass_card(s, seat, action)
    else:
        play_card(s, seat, action)


# --- The deal ---------------------------------------------------------------- [H-1]


def deal(s, options, seats, seed):
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.passing = options.passing
    s.first_lead = options.first_lead
    s.first_trick_points = options.first_trick_points
    s.breaking = options.breaking
    s.queen_breaks = options.queen_breaks
    s.hearts_for_queen = options.hearts_for_queen
    s.moon = options.moon
    s.jack = options.jack
    s.no_tricks = options.no_tricks
    s.target = options.target
    s.deals = options.deals if options.deals > 0 else MOST_DEALS
    begin_deal(s)


def begin_deal(s):
    """Everyone gets thirteen cards. [H-1.2]"""
    s.round += 1
    choose_direction(s)
    one = two = three = DEALT  # cards that the first three seats still get
    for card in range(CARDS):
        drawn = roll(s, CARDS - card)
        seat = (drawn >= one) + (drawn >= one + two) + (drawn >= one + two + three)
        one -= seat == 0
        two -= seat == 1
        three -= seat == 2
        s.hand[seat][card] = 1
    s.broken = 1 - s.breaking
    tell(s, News.DEALT, s.round, s.direction)
    if s.direction == Direction.NONE:
        begin_play(s)
    else:
        s.phase = Phase.PASS
        s.waiting = (1 << SEATS) - 1


def choose_direction(s):
    """Where cards go in this deal. [H-2.2]"""
    if s.passing == Passing.CYCLE:
        s.direction = CYCLE[(s.round - 1) % len(CYCLE)]
    elif s.passing == Passing.DRAWN:
        s.direction = roll(s, SEATS)
    elif s.passing == Passing.NONE:
        s.direction = Direction.NONE
    else:
        s.direction = s.passing


# --- Passing ----------------------------------------------------------------- [H-2]


def pass_card(s, seat, card):
    """One of three cards, kept in their order: in which they were chosen is nobody's business. [H-2.1]"""
    s.hand[seat][card] = 0
    given = s.given[seat]
    place = 0
    while given[place] > 0:
        place += 1
    full = place == PASSED - 1
    while place > 0 and given[place - 1] > card + 1:
        given[place] = given[place - 1]
        place -= 1
    given[place] = card + 1
    if full:
        whisper(s, seat, News.YOU_PASS, seat, given[0] - 1, given[1] - 1, given[2] - 1)
        tell(s, News.PASSED, seat)
        s.waiting -= 1 << seat
        if s.waiting == 0:
            exchange(s)


def exchange(s):
    """When all have chosen, everyone takes up what they were passed. [H-2.3]"""
    for seat in range(SEATS):
        to = (seat + s.direction) % SEATS
        for place in range(PASSED):
            s.received[to][place] = s.given[seat][place]
            s.hand[to][s.given[seat][place] - 1] = 1
    for seat in range(SEATS):
        got = s.received[seat]
        whisper(s, seat, News.YOU_RECEIVE, seat, got[0] - 1, got[1] - 1, got[2] - 1)
    begin_play(s)


# --- The tricks -------------------------------------------------------------- [H-3]


def begin_play(s):
    """Whoever holds the two of clubs leads. [H-3.1]"""
    seat = 0
    while s.hand[seat][TWO_OF_CLUBS] == 0:
        seat += 1
    s.starter = seat
    s.leader = seat
    s.phase = Phase.PLAY
    s.waiting = 1 << seat
    tell(s, News.STARTS, seat)


def offer(s, seat, mask, first, end):
    """Every card in hand from `first` up to `end`. Returns how many they are."""
    held = s.hand[seat]
    count = 0
    for card in range(first, end):
        mask[card] = held[card]
        count += held[card]
    return count


def offer_suit(s, seat, mask):
    """The suit led. Loops between constants: the compiler turns them into a few instructions."""
    if s.suit_led == 1:
        return offer(s, seat, mask, 0, RANKS)
    if s.suit_led == 2:
        return offer(s, seat, mask, RANKS, FIRST_HEART)
    if s.suit_led == 3:
        return offer(s, seat, mask, FIRST_HEART, FIRST_SPADE)
    return offer(s, seat, mask, FIRST_SPADE, CARDS)


def legal_lead(s, seat, mask):
    """To the first trick the two of clubs, or a club; hearts only once they are broken. [H-3.1 H-3.5 H-3.6]"""
    if s.turn == 0:
        if s.first_lead == Lead.ANY_CLUB:
            offer(s, seat, mask, 0, RANKS)
        mask[TWO_OF_CLUBS] = 1
        return
    others = offer(s, seat, mask, 0, FIRST_HEART) + offer(s, seat, mask, FIRST_SPADE, CARDS)
    only_queen = others == 1 and s.hand[seat][QUEEN_OF_SPADES] == 1
    if s.broken or others == 0 or (only_queen and s.hearts_for_queen):
        offer(s, seat, mask, FIRST_HEART, FIRST_SPADE)


def legal_discard(s, seat, mask):
    """Who cannot follow plays anything; no points on the first trick, if that can be helped. [H-3.3 H-3.4]"""
    count = offer(s, seat, mask, 0, FIRST_HEART) + offer(s, seat, mask, FIRST_SPADE, CARDS)
    if s.turn < SEATS and s.first_trick_points == 0:
        if s.hand[seat][QUEEN_OF_SPADES] == 1:
            mask[QUEEN_OF_SPADES] = 0
            count -= 1
        if count > 0:
            return
        mask[QUEEN_OF_SPADES] = s.hand[seat][QUEEN_OF_SPADES]
    offer(s, seat, mask, FIRST_HEART, FIRST_SPADE)


def play_card(s, seat, card):
    suit = card // RANKS
    show_void(s, seat, card, suit)
    if s.suit_led == 0:
        s.leader = seat
        s.suit_led = suit + 1
    s.hand[seat][card] = 0
    s.gone[card] = seat + 1
    s.trick[seat] = card + 1
    s.turn += 1
    tell(s, News.PLAYED, seat, card)
    if s.broken == 0 and (suit == HEARTS or (card == QUEEN_OF_SPADES and s.queen_breaks)):
        s.broken = 1
        tell(s, News.BROKEN, seat)
    if s.turn % SEATS > 0:
        s.waiting = 1 << (seat + 1) % SEATS
    else:
        take_trick(s)


def show_void(s, seat, card, suit):
    """What everyone learns from a card: the suits that its player cannot have. [H-3.2 H-3.4 H-3.5]"""
    if s.suit_led > 0:
        if suit + 1 != s.suit_led:
            s.void[seat] |= 1 << s.suit_led - 1
            if s.turn < SEATS and s.first_trick_points == 0 and points_of(card) > 0:
                s.void[seat] |= 1 << DIAMONDS
    elif suit == HEARTS and s.broken == 0:
        s.void[seat] |= (1 << CLUBS) + (1 << DIAMONDS)
        if s.hearts_for_queen == 0:
            s.void[seat] |= 1 << SPADES


def take_trick(s):
    """The highest card of the suit led takes the trick and its points. [H-3.7]"""
    winner = s.leader
    best = 0
    points = 0
    for seat in range(SEATS):
        card = s.trick[seat] - 1
        if card // RANKS + 1 == s.suit_led and card + 1 > best:
            best = card + 1
            winner = seat
        points += points_of(card)
    for seat in range(SEATS):
        if s.trick[seat] == JACK_OF_DIAMONDS + 1:
            s.jack_taken = winner + 1
        s.last_trick[seat] = s.trick[seat]
        s.trick[seat] = 0
    s.last_winner = winner + 1
    s.tricks[winner] += 1
    s.taken[winner] += points
    s.suit_led = 0
    s.leader = winner
    s.waiting = 1 << winner
    if points > 0:
        tell(s, News.TOOK, winner, points)
    else:
        tell(s, News.TOOK_NOTHING, winner)
    if s.turn == CARDS:
        end_deal(s)


# --- The score --------------------------------------------------------------- [H-4]


def end_deal(s):
    shooter = -1
    for seat in range(SEATS):
        if s.taken[seat] == ALL_POINTS:
            shooter = seat
    if shooter >= 0:
        tell(s, News.MOON, shooter)
    for seat in range(SEATS):
        against = points_against(s, seat, shooter)
        off = points_off(s, seat, shooter)
        s.penalty[seat] += against
        s.credit[seat] += off
        tell(s, News.SCORED, seat, against - off, score(s, seat))
    if s.round >= s.deals or reached_target(s):
        end_game(s)
    else:
        clear_deal(s)
        begin_deal(s)


def points_against(s, seat, shooter):
    """The points taken, or what the moon makes of them. [H-4.1 H-4.2]"""
    if shooter < 0:
        return s.taken[seat]
    return ALL_POINTS if s.moon == Moon.OTHERS and seat != shooter else 0


def points_off(s, seat, shooter):
    """What the moon, the jack of diamonds and the lack of tricks take off. [H-4.2 H-4.3 H-4.4]"""
    off = 0
    if seat == shooter and s.moon == Moon.SELF:
        off += ALL_POINTS
    if s.jack and s.jack_taken == seat + 1:
        off += JACK_POINTS
    if s.no_tricks and shooter < 0 and s.tricks[seat] == 0:
        off += NO_TRICK_POINTS
    return off


def score(s, seat):
    return s.penalty[seat] - s.credit[seat]


def clear_deal(s):
    """The cards are gathered for the next deal."""
    for card in range(CARDS):
        s.gone[card] = 0
    for seat in range(SEATS):
        s.last_trick[seat] = 0
        s.void[seat] = 0
        s.tricks[seat] = 0
        s.taken[seat] = 0
        for place in range(PASSED):
            s.given[seat][place] = 0
            s.received[seat][place] = 0
    s.last_winner = 0
    s.jack_taken = 0
    s.turn = 0
    s.starter = 0
    s.leader = 0


# --- The end ----------------------------------------------------------------- [H-5]


def reached_target(s):
    """Whether someone has the score that ends the game. [H-5.1]"""
    if s.target > 0:
        for seat in range(SEATS):
            if score(s, seat) >= s.target:
                return True
    return False


def end_game(s):
    """The lowest score wins; equals share. [H-5.2]"""
    best = score(s, 0)
    winners = 0
    for seat in range(SEATS):
        best = min(best, score(s, seat))
    for seat in range(SEATS):
        if score(s, seat) == best:
            winners += 1
    for seat in range(SEATS):
        if score(s, seat) == best:
            s.result[seat] = WHOLE_WIN // winners
            tell(s, News.WON, seat, best, winners)
    s.over = 1
    s.waiting = 0
    s.phase = Phase.OVER
