"""A page of common sense for Verräter. A rule module: it sees a view, never a state.

Everything is weighed in tenths of a victory point, and the best is chosen; ties are broken at random.
"""

from tripot.core.pile import bag_size
from tripot.core.rng import roll
from tripot.games.verrater.actions import CONFLICT, DONE, DROP, ESTATE, KEEP, PLAY, TURN_OVER
from tripot.games.verrater.cards import (
    CONFLICT_VALUE,
    LAST_ROUND,
    MAX_SEATS,
    MOST_OFFICES,
    MOST_PLAYED,
    ROLE_STRENGTH,
    SLOTS,
    SUPPLY_VALUE,
    Building,
    Role,
)
from tripot.games.verrater.effects import count_buildings, income, supply_value
from tripot.games.verrater.state import Phase

POINT = 10
CARD = 7  # what a supply card in hand is good for


def choose(view, mask, memory):
    best = -1
    choice = 0
    case = case_of(view)
    for action in range(len(mask)):
        if mask[action]:
            worth = 1000000 + 32 * weigh(view, action, case) + roll(memory, 32)
            if worth > best:
                best = worth
                choice = action
    return choice


def case_of(view):
    """What is the same for every choice: (house, friends, lead, hand, wanted).

    The house that I shall fight for as things stand, how many will, I among them, how far it is ahead by what lies on
    the table, what my supply cards are worth together, and a lead that should be enough.
    """
    house = view.house[view.seat]
    friends = followers(view, house)
    lead = hand = wanted = 0
    if view.phase == Phase.SUPPLY and view.my_role_kept == Role.TRAITOR:
        house = 1 - house
        friends = view.seats - friends + 1
    if view.phase == Phase.DRAFT or view.phase == Phase.SUPPLY:
        lead = lead_of(view, house)
        hand = supply_value(view.my_hand)
    if view.phase == Phase.SUPPLY:
        lead += ROLE_STRENGTH[view.my_role_kept] + supply_value(view.played[view.seat])
        wanted = 2 + 3 * rivals_to_come(view, house)
    return house, friends, lead, hand, wanted


def weigh(view, action, case):
    """What a decision is worth, in tenths of a point."""
    if view.phase == Phase.ESTATE:
        return weigh_estate(view, action - ESTATE)
    if view.phase == Phase.CONFLICT:
        return weigh_conflict(view, action - CONFLICT, case)
    if view.phase == Phase.DRAFT:
        return weigh_role(view, action - KEEP, case)
    if view.phase == Phase.SUPPLY:
        return weigh_supply(view, action, case)
    if view.phase == Phase.BUILD:
        return weigh_building(view, action)
    return -SUPPLY_VALUE[action - DROP]  # discard the lowest


def rounds_left(view):
    return LAST_ROUND[view.seats] - view.round


# --- Lands: keep estates with the own house, away from the border ---


def weigh_estate(view, slot):
    """A land of my house earns; one between two of its own kind cannot be attacked next."""
    mine = view.holder[slot] == view.house[view.seat]
    worth = 5 * POINT if mine else 0
    for neighbour in (slot + 1 if slot + 1 < SLOTS else 0, slot - 1 if slot > 0 else SLOTS - 1):
        if view.holder[neighbour] == view.holder[slot]:
            worth += POINT if mine else -POINT
    return worth


def weigh_conflict(view, slot, case):
    """Fight where my house stands to win much and to lose little."""
    neighbour = slot + 1 if slot + 1 < SLOTS else 0
    own, enemy = slot, neighbour
    if view.holder[slot] != view.house[view.seat]:
        own, enemy = neighbour, slot
    lead = CONFLICT_VALUE[view.land[own]] - CONFLICT_VALUE[view.land[enemy]]
    chance = win_chance(lead)
    friends = case[1]
    worth = chance * prize(view, view.land[enemy], friends)
    worth -= (100 - chance) * prize(view, view.land[own], max(view.seats - friends, 1)) // 2
    if view.building[own] == Building.ESTATE and view.owner[own] == view.seat:
        worth -= (100 - chance) * 2
    if view.building[enemy] == Building.ESTATE and view.owner[enemy] == view.seat:
        worth += chance * 2
    return worth // POINT


# --- The conflict: who is ahead, and what winning pays ---


def followers(view, house):
    count = 0
    for seat in range(view.seats):
        if view.house[seat] == house:
            count += 1
    return count


def prize(view, land, winners):
    """Points for each of the winners."""
    return view.land_points[land - 1][min(winners, MAX_SEATS) - 1]


def win_chance(lead):
    """Out of a hundred."""
    return max(5, min(95, 50 + 4 * lead))


def lead_of(view, house):
    """How far a house is ahead by what lies on the table, my own cards apart."""
    lead = CONFLICT_VALUE[view.land[view.contested[house]]] - CONFLICT_VALUE[view.land[view.contested[1 - house]]]
    for seat in range(view.seats):
        if seat != view.seat:
            value = supply_value(view.played[seat])
            lead += value if view.house[seat] == house else -value
    return lead


def weigh_role(view, role, case):
    """Points for the role itself, and what it does to my chance of standing with the winners."""
    house, friends, lead, hand, _ = case
    if role == Role.TRAITOR:
        house, friends, lead = 1 - house, view.seats - friends + 1, -lead
    strength = ROLE_STRENGTH[role] + hand // 3
    balance = 3 * (2 * friends - view.seats)  # the other players' cards, one with another
    chance = win_chance(lead + strength + balance)
    worth = chance * prize(view, view.land[view.contested[1 - house]], friends) // POINT
    if role == Role.TRAITOR:
        worth += POINT
    elif role == Role.STRATEGIST:
        worth += view.strategist_points * POINT + POINT // 2
    elif role == Role.DIPLOMAT_2:
        worth += CARD
    elif role == Role.FARMER:
        worth += (3 - income(view, view.seat)) * CARD if rounds_left(view) > 0 else 0
    elif role == Role.BUILDER:
        worth += 2 * POINT
    return worth


def weigh_supply(view, action, case):
    """Add just enough cards to win, while the win pays for them; keep them when it is hopeless or decided."""
    if action == DONE:
        return 0
    house, friends, lead, hand, wanted = case
    out_of_reach = lead + hand < -3
    gain = prize(view, view.land[view.contested[1 - house]], friends)
    if lead >= wanted or out_of_reach or gain < 2:
        return -1
    value = SUPPLY_VALUE[action - PLAY]
    if lead + value >= wanted:
        return 100 - value  # the smallest that is enough
    return 10 + value  # or the largest, with more to follow


def rivals_to_come(view, house):
    """Players of the other house who have yet to add their cards."""
    count = 0
    seat = view.seat
    for _ in range(view.seats - 1):
        seat = seat + 1 if seat + 1 < view.seats else 0
        if seat == view.first:
            return count
        if view.house[seat] != house and view.hand_size[seat] > 0:
            count += 1
    return count


# --- The Builder: estates early, offices late ---


def weigh_building(view, action):
    offices = count_buildings(view, view.seat, Building.OFFICE)
    estates = count_buildings(view, view.seat, Building.ESTATE)
    if action == DONE:
        return 0
    if action < TURN_OVER:
        return rounds_left(view) * CARD + weigh_estate(view, action - ESTATE) - 5 * POINT
    slot = action - TURN_OVER
    if view.building[slot] == Building.OFFICE:
        return -POINT
    pays = 3 * POINT - POINT * min(offices, MOST_OFFICES)
    loses = rounds_left(view) * CARD // 2 if view.holder[slot] == view.house[view.seat] else 0
    return pays - loses + (MOST_PLAYED if estates > 1 else 0) + bag_size(view.my_hand)
