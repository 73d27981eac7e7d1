"""What the cards of Verräter do: supply cards, buildings and roles."""

from tripot.core.news import tell, whisper
from tripot.core.pile import bag_size, take_random
from tripot.games.verrater.actions import News
from tripot.games.verrater.cards import (
    CONFLICT_VALUE,
    EAGLE,
    ROLE_POINTS,
    ROLE_STRENGTH,
    ROLE_SUPPLY,
    ROSE,
    SLOTS,
    SUPPLY_KINDS,
    SUPPLY_VALUE,
    Building,
    Role,
)

# --- Seats -------------------------------------------------------------------


def seat_at(s, order):
    """Returns the seat `order` places after the first player."""
    seat = s.first + order
    return seat if seat < s.seats else seat - s.seats


def has_shown(s, role):
    """Returns 1 + the seat that shows this role, or 0 if nobody does."""
    for seat in range(s.seats):
        if s.role_shown[seat] == role:
            return seat + 1
    return 0


# --- Supply cards ------------------------------------------------------------ [V-2.12 to V-2.15]


def draw_cards(s, seat, count):
    """Draws up to `count` supply cards."""
    drawn = 0
    for _ in range(count):
        if s.pile_size == 0:
            reshuffle(s)  # only when a card is needed [V-2.14]
        if s.pile_size > 0:
            draw_card(s, seat)
            drawn += 1
    if drawn > 0:
        tell(s, News.DREW, seat, drawn)
    if drawn < count:
        tell(s, News.DRAW_LOST, seat, count - drawn)  # [V-2.14]


def draw_card(s, seat):
    kind = take_random(s, s.pile, s.pile_size)
    s.pile_size -= 1
    s.hand[seat][kind] += 1
    s.hand_size[seat] += 1
    s.drew[seat][kind] += 1
    s.drawn[seat] += 1
    whisper(s, seat, News.YOU_DREW, seat, kind)


def reshuffle(s):
    """The discard pile becomes the draw pile. Everyone knows its cards, and so those of all hands together. [V-2.14]"""
    s.pile_size = bag_size(s.discard)
    if s.pile_size > 0:
        tell(s, News.RESHUFFLED, s.pile_size)
        for kind in range(SUPPLY_KINDS):
            s.pile[kind] = s.discard[kind]
            s.fresh[kind] = s.discard[kind]
            s.discard[kind] = 0
            s.older[kind] = 0
        for seat in range(s.seats):
            hold_over(s, seat)


def hold_over(s, seat):
    """The cards in a hand when a new pile is formed did not come from that pile."""
    s.held_over[seat] = 0
    s.drawn[seat] = 0
    for kind in range(SUPPLY_KINDS):
        unknown = s.hand[seat][kind] - s.known[seat][kind]
        s.kept_over[seat][kind] = unknown
        s.held_over[seat] += unknown
        s.older[kind] += unknown
        s.drew[seat][kind] = 0
        s.surfaced[seat][kind] = 0


def part_with(s, seat, kind):
    """A card leaves the hand face up; updates what this reveals about the rest of the hand."""
    s.hand[seat][kind] -= 1
    s.hand_size[seat] -= 1
    if s.known[seat][kind] > 0:
        s.known[seat][kind] -= 1  # the 3, 4 or 5 dealt at the start
    elif s.held_over[seat] == 0 or s.older[kind] == 0:
        s.drawn[seat] -= 1  # it can only have come from the present pile
        s.drew[seat][kind] -= 1
        s.fresh[kind] -= 1
    elif s.drawn[seat] == 0 or s.fresh[kind] == 0:
        s.held_over[seat] -= 1  # it can only be older
        s.kept_over[seat][kind] -= 1
        s.older[kind] -= 1
    else:
        s.surfaced[seat][kind] += 1


def supply_value(bag):
    """Returns the total value of supply cards."""
    value = 0
    for kind in range(SUPPLY_KINDS):
        value += bag[kind] * SUPPLY_VALUE[kind]
    return value


# --- Buildings --------------------------------------------------------------- [V-1.3 V-2.10]


def put_estate(s, seat, slot):
    s.building[slot] = Building.ESTATE
    s.owner[slot] = seat
    s.unbuilt[seat] -= 1
    tell(s, News.ESTATE_PUT, seat, s.land[slot], slot)


def turn_over(s, seat, slot):
    s.building[slot] = Building.OFFICE if s.building[slot] == Building.ESTATE else Building.ESTATE
    tell(s, News.TURNED_OVER, seat, s.building[slot], s.land[slot], slot)


def count_buildings(s, seat, building):
    count = 0
    for slot in range(SLOTS):
        if s.building[slot] == building and s.owner[slot] == seat:
            count += 1
    return count


def income(s, seat):
    """Cards for the estates under lands of the house that the seat now serves. [V-2.13]"""
    count = 0
    for slot in range(SLOTS):
        if s.building[slot] == Building.ESTATE and s.owner[slot] == seat and s.holder[slot] == s.house[seat]:
            count += 1
    return count


# --- The conflict ------------------------------------------------------------ [V-2.4 to V-2.9]


def resolve_reveal(s):
    """All roles are shown; the Traitor changes house at once. [V-2.4]"""
    for house in (EAGLE, ROSE):
        s.strength[house] = 0  # not counted yet: who looks on while roles are shown must not see the last conflict's
    for order in range(s.seats):
        seat = seat_at(s, order)
        s.role_shown[seat] = s.role_kept[seat]
        tell(s, News.ROLE_SHOWN, seat, s.role_shown[seat])
    for seat in range(s.seats):
        if s.role_shown[seat] == Role.TRAITOR:
            s.house[seat] = 1 - s.house[seat]
            tell(s, News.TURNED_TRAITOR, seat, s.house[seat])


def resolve_conflict(s):
    """The stronger house takes the land that the weaker one put at stake. [V-2.5 V-2.6 V-2.7 V-2.9]"""
    for house in (EAGLE, ROSE):
        s.strength[house] = CONFLICT_VALUE[s.land[s.contested[house]]]
    for seat in range(s.seats):
        s.strength[s.house[seat]] += supply_value(s.played[seat]) + ROLE_STRENGTH[s.role_shown[seat]]

    if s.strength[EAGLE] == s.strength[ROSE]:
        tell(s, News.HOUSES_EVEN, s.strength[EAGLE])
    else:
        winner = EAGLE if s.strength[EAGLE] > s.strength[ROSE] else ROSE
        prize = s.contested[1 - winner]
        s.holder[prize] = winner
        tell(s, News.HOUSE_WINS, winner, s.land[prize], s.strength[winner], s.strength[1 - winner])
        score_land(s, winner, s.land[prize])


def score_land(s, winner, land):
    """Everyone who serves the winner scores for the loser's land; the more winners, the fewer points. [V-0.3 V-2.6]"""
    winners = 0
    for seat in range(s.seats):
        if s.house[seat] == winner:
            winners += 1
    for order in range(s.seats):
        seat = seat_at(s, order)
        if s.house[seat] == winner:
            points = s.land_points[land - 1][winners - 1]
            s.points[seat] += points
            tell(s, News.LAND_SCORED, seat, points, land)


def score_roles(s):
    """Traitor and Strategist are paid, win, lose or draw. [V-2.8]"""
    for order in range(s.seats):
        seat = seat_at(s, order)
        points = ROLE_POINTS[s.role_shown[seat]]
        if s.role_shown[seat] == Role.STRATEGIST:
            points = s.strategist_points
        if points > 0:
            s.points[seat] += points
            tell(s, News.ROLE_SCORED, seat, points, s.role_shown[seat])


# --- After the conflict ------------------------------------------------------ [V-2.11 V-2.12 V-2.13]


def resolve_strategist(s):
    """The Strategist takes the strategy card; without a Strategist its holder keeps it. [V-2.11]"""
    shown = has_shown(s, Role.STRATEGIST)
    if shown > 0:
        s.strategy = shown - 1
        tell(s, News.STRATEGY_TAKEN, s.strategy)


def discard_played(s):
    """Supply cards played this round go to the discard pile. [V-2.12]"""
    for seat in range(s.seats):
        for kind in range(SUPPLY_KINDS):
            s.discard[kind] += s.played[seat][kind]
            s.played[seat][kind] = 0


def resolve_draw(s):
    """First the Farmer, who draws nothing else; then estates in turn order; last Diplomat 2. [V-2.13]"""
    farmer = has_shown(s, Role.FARMER)
    if farmer > 0:
        draw_cards(s, farmer - 1, ROLE_SUPPLY[s.role_shown[farmer - 1]])
    for order in range(s.seats):
        seat = seat_at(s, order)
        if seat + 1 != farmer:
            draw_cards(s, seat, income(s, seat))
    diplomat = has_shown(s, Role.DIPLOMAT_2)
    if diplomat > 0:
        draw_cards(s, diplomat - 1, ROLE_SUPPLY[s.role_shown[diplomat - 1]])
