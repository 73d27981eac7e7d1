"""What the cards of Trök do: equipment moves and combines, improvements pay."""

from tripot.core.news import tell, whisper
from tripot.core.pile import bag_size, take_random
from tripot.games.trok.actions import News
from tripot.games.trok.cards import (
    AEGUR_PAYS_MORE,
    ASTRID_PAYS,
    BID_VALUE,
    COLOUR,
    DAGDA_PAYS,
    DEALT,
    EQUIPMENTS,
    FIRST_DWARF,
    GEARS,
    GREEN,
    GRID_BID,
    KRAAL_PAYS,
    LEAST_COMBINED,
    MARKET_CARDS,
    MARKET_REWARD,
    PERFECT_CARDS,
    PICKAXE,
    QUEUE_PLACES,
    RED,
    RUN,
    SET_PAYS_MORE,
    STONE,
    THRUD_REWARD,
    UPGRADES,
    YLUD_PAYS,
    Upgrade,
)
from tripot.games.trok.state import Run


def seat_at(s, order):
    """Returns the seat `order` places after the trade master, clockwise."""
    seat = s.master + order
    return seat if seat < s.seats else seat - s.seats


def bag_code(bag):
    """Encodes a bag of cards as one number, four bits per kind, so that news can carry several cards."""
    code = 0
    for kind, count in enumerate(bag):
        code |= count << (4 * kind)
    return code


# --- The deck ---------------------------------------------------------------- [K-2.4]


def draw_card(s):
    """Draws a card from the deck. Returns 1 + its Gear, or 0 if the draw is lost."""
    if s.deck_size == 0:
        reshuffle(s)  # only when a card is needed
    if s.deck_size == 0:
        return 0
    kind = take_random(s, s.deck, s.deck_size)
    s.deck_size -= 1
    return 1 + kind


def reshuffle(s):
    """The discard pile becomes the deck. The rest of the old deck is in the hands, and everyone knows it."""
    s.deck_size = bag_size(s.discard)
    if s.deck_size > 0:
        tell(s, News.RESHUFFLED, s.deck_size)
        for kind in range(GEARS):
            s.older[kind] += s.fresh[kind]
            s.fresh[kind] = s.discard[kind]
            s.deck[kind] = s.discard[kind]
            s.discard[kind] = 0
            for seat in range(s.seats):
                s.drew_before[seat][kind] += s.drew[seat][kind]
                s.drew[seat][kind] = 0
        for seat in range(s.seats):
            s.drawn_before[seat] += s.drawn[seat]
            s.drawn[seat] = 0


def draw_openly(s):
    """Draws a card face up. Returns 1 + its Gear, or 0 if the draw is lost."""
    card = draw_card(s)
    if card > 0:
        s.fresh[card - 1] -= 1
    return card


# --- Hands, and what is known of them ----------------------------------------


def forget(s):
    """All hands lie open in the discard pile: everyone knows what the deck holds, but not its order."""
    for kind in range(GEARS):
        s.fresh[kind] = s.deck[kind]
        s.older[kind] = 0
        s.since_gift[kind] = 0
        for seat in range(s.seats):
            s.known[seat][kind] = 0
            s.surfaced[seat][kind] = 0
            s.drew[seat][kind] = 0
            s.drew_before[seat][kind] = 0
    for seat in range(s.seats):
        s.drawn[seat] = 0
        s.drawn_before[seat] = 0
        s.gift[seat] = 0
    s.receiver = 0


def receive(s, seat, kind):
    """A card enters a hand face up."""
    s.hand[seat][kind] += 1
    s.hand_size[seat] += 1
    s.known[seat][kind] += 1


def part_with(s, seat, kind, count):
    """Cards left a hand face up: those seen to enter it count first."""
    s.hand_size[seat] -= count
    seen = min(count, s.known[seat][kind])
    s.known[seat][kind] -= seen
    s.surfaced[seat][kind] += count - seen
    if seat == s.receiver - 1:
        s.since_gift[kind] += count - seen


def discard_chosen(s, seat):
    """Cards used are discarded face up. [K-4.8]"""
    for kind in range(GEARS):
        count = s.chosen[seat][kind]
        if count > 0:
            s.chosen[seat][kind] = 0
            s.discard[kind] += count
            part_with(s, seat, kind, count)


# --- Supply ------------------------------------------------------------------ [K-2]


def resolve_supply(s):
    for _ in range(DEALT):
        for order in range(s.seats):
            deal_card(s, seat_at(s, order))
    tell(s, News.DEALT, DEALT)
    for seat in range(s.seats):
        whisper(s, seat, News.YOUR_CARDS, seat, bag_code(s.hand[seat]))
    for order in range(s.seats):
        seat = seat_at(s, order)
        for _ in range(s.owned[seat][Upgrade.MINE]):
            mine_card(s, seat)
    for order in range(s.seats):
        unload_carts(s, seat_at(s, order))


def deal_card(s, seat):
    """One card, face down. [K-2.1]"""
    card = draw_card(s)
    if card > 0:
        s.hand[seat][card - 1] += 1
        s.hand_size[seat] += 1
        s.drew[seat][card - 1] += 1
        s.drawn[seat] += 1
    else:
        tell(s, News.DRAW_LOST, seat)


def mine_card(s, seat):
    """One card, face up, for a mine. [K-2.2]"""
    card = draw_openly(s)
    if card > 0:
        receive(s, seat, card - 1)
        tell(s, News.MINED, seat, card - 1)
    else:
        tell(s, News.DRAW_LOST, seat)


def unload_carts(s, seat):
    """Stored cards return to the hand. [K-2.3]"""
    cards = bag_code(s.stored[seat])
    if cards > 0:
        tell(s, News.UNLOADED, seat, cards)
        for kind in range(GEARS):
            for _ in range(s.stored[seat][kind]):
                receive(s, seat, kind)
            s.stored[seat][kind] = 0


# --- The exchange ------------------------------------------------------------ [K-3]


def reveal(s, seat):
    """A seat's three cards lie open; its bid is their sum. [K-3.1 K-3.2]"""
    s.bid[seat] = GRID_BID if s.owned[seat][Upgrade.GRID] else 0
    for kind in range(GEARS):
        count = s.chosen[seat][kind]
        s.chosen[seat][kind] = 0
        s.offer[seat][kind] = count
        s.bid[seat] += count * BID_VALUE[kind]
        part_with(s, seat, kind, count)
    tell(s, News.OFFERED, seat, bag_code(s.offer[seat]), s.bid[seat])


def tied_seats(s):
    """Returns the set of seats with the highest bid. [K-3.3]"""
    best = 0
    tied = 0
    for seat in range(s.seats):
        if s.bid[seat] > best:
            best = s.bid[seat]
            tied = 0
        if s.bid[seat] == best:
            tied |= 1 << seat
    return tied


def swap(s, seat, put, got):
    """A card goes into the market and another comes out into the hand. [K-3.5]"""
    s.market[put] += 1
    s.market[got] -= 1
    tell(s, News.SWAPPED, seat, put, got)
    receive(s, seat, got)
    if s.market[put] == MARKET_CARDS:
        renew_market(s, seat, put)


def renew_market(s, seat, kind):
    """Three identical cards make room for three new ones, and pay. [K-3.7 K-3.8]"""
    s.market[kind] = 0
    s.discard[kind] += MARKET_CARDS
    s.aare[seat] += MARKET_REWARD
    tell(s, News.RENEWED, seat, kind, MARKET_REWARD)
    lay_market(s)
    for owner in range(s.seats):
        if s.owned[owner][Upgrade.THRUD]:
            s.aare[owner] += THRUD_REWARD
            tell(s, News.THRUD_PAID, owner, THRUD_REWARD)


def lay_market(s):
    """Lays three cards open; no draw is lost, because three cards just went to the discard pile. [K-1.1 K-3.7]"""
    for _ in range(MARKET_CARDS):
        s.market[draw_openly(s) - 1] += 1
    tell(s, News.MARKET, bag_code(s.market))


def swap_choices(s, put):
    """Returns how many kinds the market offers for a card, except its own. [K-3.5]"""
    choices = 0
    for kind in range(GEARS):
        if kind != put and s.market[kind] > 0:
            choices += 1
    return choices


def give(s, giver, receiver, kind):
    """A card changes hands; nobody else sees which. [K-3.10]"""
    s.hand[giver][kind] -= 1
    s.hand_size[giver] -= 1
    s.hand[receiver][kind] += 1
    s.hand_size[receiver] += 1
    s.receiver = receiver + 1
    s.gift[giver] = 1 + kind
    s.gift[receiver] = 1 + kind
    tell(s, News.GAVE, giver, receiver)
    whisper(s, giver, News.YOUR_GIFT, giver, receiver, kind)
    whisper(s, receiver, News.YOUR_GIFT, giver, receiver, kind)


# --- Combinations ------------------------------------------------------------ [K-4]


def veins_left(s, seat):
    """Returns how many pickaxes the seat may still treat as stones this turn. [K-4.6]"""
    return s.owned[seat][Upgrade.VEIN] - s.veins_used


def set_value(gear, size, owned):
    """Aare for `size` identical cards: three pay their value, each further card pays a flat sum. [K-4.2 K-4.3]"""
    value = BID_VALUE[gear]
    if COLOUR[gear] == GREEN and owned[Upgrade.DAGDA]:
        value = DAGDA_PAYS
    if COLOUR[gear] == RED and owned[Upgrade.KRAAL]:
        value = KRAAL_PAYS
    each_further = AEGUR_PAYS_MORE if owned[Upgrade.AEGUR] else SET_PAYS_MORE
    return value + each_further * (size - LEAST_COMBINED)


def is_doubled(gear, owned):
    """Whether jokers alone pay the same as a set of dearer equipment: then the set needs a card of its own kind."""
    for dearer in range(gear + 1, EQUIPMENTS):
        if set_value(dearer, LEAST_COMBINED, owned) == set_value(gear, LEAST_COMBINED, owned):
            return True
    return False


def most_in_set(s, seat, gear):
    """The most cards a set of this equipment could hold. [K-4.2 K-4.6]"""
    hand = s.hand[seat]
    most = hand[gear] + hand[STONE]
    return most if gear == PICKAXE else most + min(hand[PICKAXE], veins_left(s, seat))


def most_different(s, seat):
    """The most cards that could stand for different equipment: each pickaxe after the first is a joker. [K-4.6]"""
    hand = s.hand[seat]
    most = hand[STONE] + min(hand[PICKAXE], 1 + veins_left(s, seat))
    for kind in range(PICKAXE + 1, STONE):
        most += min(hand[kind], 1)
    return most


def show_set(s, seat, gear):
    """Pays the Aare for the chosen cards, jokers included. [K-4.2 K-4.6]"""
    aare = set_value(gear, bag_size(s.chosen[seat]), s.owned[seat])
    s.aare[seat] += aare
    if gear != PICKAXE:
        s.veins_used += s.chosen[seat][PICKAXE]
    tell(s, News.SET_SHOWN, seat, gear, bag_code(s.chosen[seat]), aare)
    discard_chosen(s, seat)


def show_collection(s, seat):
    """The chosen cards reach one place into the queue each, or with Skaa to its end. [K-4.4 K-4.5]"""
    size = bag_size(s.chosen[seat])
    s.reach = s.queue_size if s.owned[seat][Upgrade.SKAA] else min(size, s.queue_size)
    s.run = Run.NONE
    if size == RUN and s.owned[seat][Upgrade.IDUNN]:
        s.run = find_run(s.chosen[seat], veins_left(s, seat))
    s.veins_used += max(s.chosen[seat][PICKAXE] - 1, 0)  # the first pickaxe is itself
    tell(s, News.COLLECTION_SHOWN, seat, size, bag_code(s.chosen[seat]))
    discard_chosen(s, seat)


def find_run(cards, veins):
    """Returns how five cards of a collection can form a sequence: jokers fill the gaps. [K-4.5 K-4.6]"""
    if span(cards, PICKAXE) < RUN:
        jokers = cards[STONE] + max(cards[PICKAXE] - 1, 0)
        return Run.JOKERS if jokers > 0 else Run.PLAIN
    if 0 < cards[PICKAXE] <= veins and span(cards, PICKAXE + 1) < RUN:
        return Run.VEIN
    return Run.NONE


def span(cards, first):
    """Returns the distance from the lowest to the highest equipment in a collection, from `first` on."""
    lowest = STONE
    highest = 0
    for kind in range(STONE - 1, first - 1, -1):
        if cards[kind] > 0:
            lowest = kind
            highest = max(highest, kind)
    return highest - lowest


def take_improvement(s, seat, place):
    """An improvement comes before its owner; the queue closes up to the left. [K-4.7]"""
    upgrade = s.queue[place]
    s.owned[seat][upgrade] += 1
    s.queue_size -= 1
    for later in range(place, s.queue_size):
        s.queue[later] = s.queue[later + 1]
    s.queue[s.queue_size] = 0
    tell(s, News.IMPROVED, seat, upgrade, place)


def show_perfect(s, seat):
    """Eight cards win at the end of the turn: one of each, then stones, then pickaxes for what is missing. [K-4.9]"""
    hand = s.hand[seat]
    chosen = s.chosen[seat]
    missing = PERFECT_CARDS
    for kind in range(STONE):
        chosen[kind] = min(hand[kind], 1)
        missing -= chosen[kind]
    chosen[STONE] = min(hand[STONE], missing)
    chosen[PICKAXE] += missing - chosen[STONE]
    for kind in range(GEARS):
        hand[kind] -= chosen[kind]
    s.perfect |= 1 << seat
    tell(s, News.PERFECT_SHOWN, seat, bag_code(chosen))
    discard_chosen(s, seat)


# --- The end of the turn ----------------------------------------------------- [K-5]


def discard_hand(s, seat):
    """The chosen cards stay on the carts, face up; the rest of the hand is discarded face up. [K-5.1]"""
    if bag_size(s.chosen[seat]) > 0:
        tell(s, News.STORED, seat, bag_code(s.chosen[seat]))
    if bag_size(s.hand[seat]) > 0:
        tell(s, News.DISCARDED, seat, bag_code(s.hand[seat]))
    for kind in range(GEARS):
        part_with(s, seat, kind, s.chosen[seat][kind] + s.hand[seat][kind])
        s.stored[seat][kind] = s.chosen[seat][kind]
        s.discard[kind] += s.hand[seat][kind]
        s.chosen[seat][kind] = 0
        s.hand[seat][kind] = 0


def income(s, seat, upgrade):
    """Returns what an improvement pays its owner at the end of every turn. [K-5.2]"""
    amount = 0
    if upgrade == Upgrade.GRID:
        amount = 1
    elif upgrade == Upgrade.MOTHER:
        for dwarf in range(FIRST_DWARF, UPGRADES + 1):
            amount += s.owned[seat][dwarf]
    elif upgrade == Upgrade.FATHER:
        for site in range(1, FIRST_DWARF):
            amount += s.owned[seat][site]
    elif upgrade == Upgrade.ZORAL:
        amount = s.market[PICKAXE]
    for kind in range(GEARS):  # a stone has no colour
        if COLOUR[kind] == GREEN and upgrade == Upgrade.ASTRID:
            amount += ASTRID_PAYS * s.market[kind]
        elif COLOUR[kind] == RED and upgrade == Upgrade.YLUD:
            amount += YLUD_PAYS * s.market[kind]
    return amount


def resolve_income(s):
    for order in range(s.seats):
        seat = seat_at(s, order)
        for upgrade in range(FIRST_DWARF, UPGRADES + 1):
            if s.owned[seat][upgrade]:
                amount = income(s, seat, upgrade)
                if amount > 0:
                    s.aare[seat] += amount
                    tell(s, News.INCOME, seat, amount, upgrade)


def fill_queue(s):
    """Fills the queue to seven improvements, or to the end of the deck; new ones join on the right. [K-1.2 K-5.3]"""
    left = bag_size(s.to_come)
    while s.queue_size < QUEUE_PLACES and left > 0:
        s.queue[s.queue_size] = take_random(s, s.to_come, left)
        tell(s, News.QUEUED, s.queue[s.queue_size], s.queue_size)
        s.queue_size += 1
        left -= 1
