"""A page of common sense for Trök. A rule module: it sees a view, never a state.

Everything is weighed in tenths of an Aare, and the best is chosen; ties are broken at random. The worth of a hand is
what it could earn as it is, and a part of what it lacks one card for.
"""

from tripot.core.rng import roll
from tripot.games.trok.actions import CARD, COLLECT, DONE, IMPROVE, KEEP, NAME, PERFECT, SET, SWAP, TAKE
from tripot.games.trok.cards import (
    BID_VALUE,
    COLOUR,
    EQUIPMENTS,
    FIRST_DWARF,
    GEARS,
    GREEN,
    LEAST_COMBINED,
    MARKET_CARDS,
    MARKET_REWARD,
    MOST_COLLECTED,
    OFFERED,
    PICKAXE,
    RED,
    RUN,
    STONE,
    UPGRADES,
    Upgrade,
)
from tripot.games.trok.effects import set_value
from tripot.games.trok.state import PLAN_COLLECTION, Phase

AARE = 10
PLANNED = 100000  # for a card that belongs to the best group: the lowest of them must come first

#         none  mine vein cart  thrud grid aegur dagda kraal idunn skaa mother father zoral astrid ylud
A_TURN = (0,    16,  14,  14,   4,    14,  6,    12,   14,   5,    6,   12,    8,     6,    27,    27)  # fmt: skip


def choose(view, mask, memory):
    prize = best_prize(view)
    base = survey(view)
    best = -1
    choice = 0
    for action in range(len(mask)):
        if mask[action]:
            worth = 10000000 + 16 * weigh(view, action, prize, base) + roll(memory, 16)
            if worth > best:
                best = worth
                choice = action
    return choice


def weigh(view, action, prize, base):
    """What a decision is worth, in tenths of an Aare."""
    if view.phase == Phase.COMMIT:
        return weigh_offer(view, action - CARD, prize, base)
    if view.phase == Phase.TAKE:
        return best_use(view, (action - TAKE) % GEARS, prize, base)
    if view.phase == Phase.PLACE or view.phase == Phase.SWAP_OWN:
        return weigh_place(view, action, prize, base)
    if view.phase == Phase.OWN:
        return 0 if action == DONE else weigh_own(view, (action - TAKE) % GEARS, prize, base)
    if view.phase == Phase.GIVE:
        return worth_with(view, prize, base, action - CARD, -1)
    if view.phase == Phase.COMBINE:
        return weigh_combination(view, action, prize)
    if view.phase == Phase.STORE:
        return -1 if action == DONE else weigh_store(view, action - CARD)
    if view.phase == Phase.NAME:
        return -view.aare[action - NAME]
    return -1 if action == DONE else upgrade_worth(view, view.queue[action - IMPROVE])


# --- What improvements are good for ---


def turns_left(view):
    """A guess: whoever is ahead makes six Aare a turn from now on."""
    most = 0
    for seat in range(view.seats):
        most = max(most, view.aare[seat])
    return max(1, min(9, (view.goal - most) // 6))


def upgrade_worth(view, upgrade):
    return worth_a_turn(view, upgrade) * turns_left(view)


def worth_a_turn(view, upgrade):
    owned = view.owned[view.seat]
    a_turn = A_TURN[upgrade]
    if upgrade == Upgrade.MOTHER or upgrade == Upgrade.FATHER:
        for other in range(1, UPGRADES + 1):
            if (other >= FIRST_DWARF) == (upgrade == Upgrade.MOTHER):
                a_turn += AARE * owned[other]
    elif upgrade < FIRST_DWARF:
        a_turn += AARE * owned[Upgrade.FATHER]
    else:
        a_turn += AARE * owned[Upgrade.MOTHER]
    return a_turn


def best_prize(view):
    """The best improvement that a small collection reaches."""
    best = 0
    for place in range(view.queue_size if view.owned[view.seat][Upgrade.SKAA] else min(4, view.queue_size)):
        best = max(best, worth_a_turn(view, view.queue[place]))
    return best * turns_left(view)


# --- What a hand is good for ---


def survey(view):
    """What the worth of a hand rests on: kinds there are, the best set, its gear, and the best set of another gear."""
    owned = view.owned[view.seat]
    by_vein = min(owned[Upgrade.VEIN], view.my_hand[PICKAXE])
    different = 0
    first = second = first_gear = -1
    for gear in range(EQUIPMENTS):
        if view.my_hand[gear] > 0:
            different += 1
            worth = set_worth(gear, view.my_hand[gear], view.my_hand[STONE], by_vein, owned)
            if worth > first:
                second = first
                first = worth
                first_gear = gear
            elif worth > second:
                second = worth
    return different, first, first_gear, second


def set_worth(gear, count, jokers, by_vein, owned):
    """What a set of this gear earns, or the part of it that is there."""
    size = count + jokers + (by_vein if gear != PICKAXE else 0)
    if size >= LEAST_COMBINED:
        return AARE * set_value(gear, size, owned)
    return AARE * set_value(gear, LEAST_COMBINED, owned) * size * size // 18


def collection_worth(prize, different):
    if different >= LEAST_COMBINED:
        return prize + 3 * different
    return prize * different // 8


def worth_with(view, prize, base, kind, change):
    """The worth of the hand with one card of a kind more or less."""
    if kind == STONE or kind == PICKAXE:  # they go with every gear
        return hand_worth(view, prize, kind, change)
    owned = view.owned[view.seat]
    different, first, first_gear, second = base
    jokers, pickaxes = view.my_hand[STONE], view.my_hand[PICKAXE]
    by_vein = min(owned[Upgrade.VEIN], pickaxes)
    count = view.my_hand[kind] + change
    different += (1 if count > 0 else 0) - (1 if view.my_hand[kind] > 0 else 0)
    sets = second if first_gear == kind else first
    if count > 0:
        sets = max(sets, set_worth(kind, count, jokers, by_vein, owned))
    return better_use(prize, different, jokers, min(by_vein, max(pickaxes - 1, 0)), sets)


def hand_worth(view, prize, changed, change):
    """The same for any card, counted anew."""
    owned = view.owned[view.seat]
    jokers = view.my_hand[STONE] + (change if changed == STONE else 0)
    pickaxes = view.my_hand[PICKAXE] + (change if changed == PICKAXE else 0)
    by_vein = min(owned[Upgrade.VEIN], pickaxes)
    different = 0
    sets = -1
    for gear in range(EQUIPMENTS):
        count = view.my_hand[gear] + (change if changed == gear else 0)
        if count > 0:
            different += 1
            sets = max(sets, set_worth(gear, count, jokers, by_vein, owned))
    return better_use(prize, different, jokers, min(by_vein, max(pickaxes - 1, 0)), sets)


def better_use(prize, different, jokers, by_vein, sets):
    """The better of a collection of everything, and the best set with a collection of the rest."""
    best = collection_worth(prize, different + jokers + by_vein) + 8 * jokers
    if sets >= 0:
        best = max(best, sets + collection_worth(prize, different - 1))
    return best


# --- The exchange ---


def weigh_offer(view, kind, prize, base):
    """Set the three cards face down that the hand misses least, the lowest of them first."""
    needed = OFFERED
    cheaper = 0
    mine = offer_cost(view, kind, prize, base)
    for other in range(GEARS):
        needed -= view.my_chosen[other]
        if other != kind and view.my_hand[other] > 0:
            cost = offer_cost(view, other, prize, base)
            if cost < mine or (cost == mine and other < kind):
                cheaper += view.my_hand[other]
    return PLANNED - kind if cheaper < needed else -mine


def offer_cost(view, kind, prize, base):
    return 1000 - worth_with(view, prize, base, kind, -1) - BID_VALUE[kind]


def best_use(view, kind, prize, base):
    """A card taken can be kept or put in the market for the best card there."""
    best = worth_with(view, prize, base, kind, 1)
    for other in range(GEARS):
        if view.market[other] > 0 and other != kind:
            best = max(best, worth_with(view, prize, base, other, 1) + market_worth(view, kind, other))
    return best


def market_worth(view, put, got):
    """What a swap is worth beside the card it brings."""
    owned = view.owned[view.seat]
    worth = AARE * (MARKET_REWARD if view.market[put] == MARKET_CARDS - 1 else 0)
    if owned[Upgrade.ASTRID]:
        worth += 4 * ((1 if COLOUR[put] == GREEN else 0) - (1 if COLOUR[got] == GREEN else 0))
    if owned[Upgrade.YLUD]:
        worth += 6 * ((1 if COLOUR[put] == RED else 0) - (1 if COLOUR[got] == RED else 0))
    return worth


def weigh_place(view, action, prize, base):
    card = view.taken - 1
    if action == KEEP:
        return worth_with(view, prize, base, card, 1)
    return worth_with(view, prize, base, action - SWAP, 1) + market_worth(view, card, action - SWAP)


def weigh_own(view, kind, prize, base):
    return best_use(view, kind, prize, base) - worth_with(view, prize, base, kind, 1)


# --- Combinations ---


def weigh_combination(view, action, prize):
    """What it earns, with what the rest of the hand can earn after it."""
    if view.my_plan > 0:
        return weigh_card(view, action)
    if action == DONE:
        return 0
    if action == PERFECT:
        return PLANNED
    if action >= COLLECT:
        return weigh_collection(view, action - COLLECT + LEAST_COMBINED)
    gear = action - SET
    owned = view.owned[view.seat]
    size = view.my_hand[gear] + view.my_hand[STONE]
    if gear != PICKAXE:
        size += min(view.my_hand[PICKAXE], owned[Upgrade.VEIN] - view.veins_used)
    rest = 0
    for kind in range(EQUIPMENTS):
        rest += 1 if kind != gear and view.my_hand[kind] > 0 else 0
    worth = AARE * set_value(gear, max(size, LEAST_COMBINED), owned)
    return worth + (prize if rest >= LEAST_COMBINED and view.made == 0 else 0)


def weigh_collection(view, size):
    """The best improvement in its reach, and the best set that one card less of every kind leaves."""
    owned = view.owned[view.seat]
    best = 0
    reach = view.queue_size if owned[Upgrade.SKAA] else min(size, view.queue_size)
    for place in range(reach):
        best = max(best, upgrade_worth(view, view.queue[place]))
    if owned[Upgrade.IDUNN] and size == RUN:
        best += best // 2
    left = 0
    if view.made == 0:
        for gear in range(EQUIPMENTS):
            if view.my_hand[gear] > LEAST_COMBINED:
                left = max(left, AARE * set_value(gear, view.my_hand[gear] - 1, owned))
    return best + left + (1 if size == MOST_COLLECTED else 0)


def weigh_card(view, action):
    """All that fits into a set; into a collection the kinds there are most of, jokers last."""
    if action == DONE:
        return 0
    kind = action - CARD
    if view.my_plan < PLAN_COLLECTION:
        return 10 if kind == view.my_plan - 1 else 5
    return 20 - 3 * kind if kind < STONE and view.my_chosen[kind] == 0 else 0


def weigh_store(view, kind):
    """Keep what is many or dear, the lowest of it first."""
    room = view.owned[view.seat][Upgrade.CART]
    better = 0
    mine = store_worth(view, kind)
    for other in range(EQUIPMENTS):
        room -= view.my_chosen[other]
        if other != kind and store_worth(view, other) > mine:
            better += view.my_hand[other]
    return PLANNED - kind if better < room else 0


def store_worth(view, kind):
    return 10 * (view.my_hand[kind] + view.my_chosen[kind]) + set_value(kind, LEAST_COMBINED, view.owned[view.seat])
