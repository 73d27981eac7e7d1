"""Verräter from the deal to the end, in rule-book order."""

from tripot.core.game import DEALER, WHOLE_WIN
from tripot.core.news import tell, whisper
from tripot.core.pile import bag_size
from tripot.core.rng import roll, seed_luck
from tripot.games.verrater.actions import CONFLICT, DONE, DROP, ESTATE, KEEP, PLAY, TURN_OVER, News
from tripot.games.verrater.cards import (
    ALL_ROLES,
    EAGLE,
    HAND_LIMIT,
    LAND_KINDS,
    LAST_ROUND,
    MAX_SEATS,
    MOST_COUNTED,
    MOST_OFFICES,
    MOST_PLAYED,
    OWN_BUILDINGS,
    ROLES,
    ROSE,
    SLOTS,
    STARTING,
    SUPPLY_COPIES,
    SUPPLY_KINDS,
    Building,
    Role,
)
from tripot.games.verrater.effects import (
    count_buildings,
    discard_played,
    has_shown,
    part_with,
    put_estate,
    resolve_conflict,
    resolve_draw,
    resolve_reveal,
    resolve_strategist,
    score_roles,
    seat_at,
    supply_value,
    turn_over,
)
from tripot.games.verrater.state import Phase, Then, TieBreak


def legal(s, seat, mask):
    """Marks what this seat may decide now; nothing unless it is waited for."""
    if s.waiting >> seat & 1:
        if s.phase == Phase.SUPPLY:
            legal_supply(s, seat, mask)
        elif s.phase == Phase.DRAFT:
            legal_draft(s, seat, mask)
        elif s.phase == Phase.CONFLICT:
            legal_conflict(s, mask)
        elif s.phase == Phase.BUILD:
            legal_build(s, seat, mask)
        elif s.phase == Phase.DISCARD:
            legal_discard(s, seat, mask)
        else:
            legal_estate(s, mask)


def apply(s, seat, action):
    """Applies one decision of this seat and everything that follows from it."""
    decide(s, seat, action)
    settle(s)


def decide(s, seat, action):
    """Applies the decision alone. If a step of the rules follows, nobody is waited for."""
    if s.phase == Phase.SUPPLY:
        apply_supply(s, seat, action)
    elif s.phase == Phase.DRAFT:
        apply_draft(s, seat, action)
    elif s.phase == Phase.CONFLICT:
        apply_conflict(s, action)
    elif s.phase == Phase.BUILD:
        apply_build(s, seat, action)
    elif s.phase == Phase.DISCARD:
        apply_discard(s, seat, action)
    else:
        apply_estate(s, seat, action)


def settle(s):
    """Runs the rules until somebody must decide."""
    while s.waiting == 0 and not s.over:
        settle_step(s)


def settle_step(s):
    """Runs the next step of the rules; nobody is waited for."""
    if s.phase == Then.CONFLICT:
        resolve_round(s)
    elif s.phase == Then.SUPPLY:
        resolve_supply(s)
    else:
        ask_discard(s)


def step_kind(s):
    """Returns which step `settle_step` runs next: the phase identifies it."""
    return s.phase


def ask(s, phase, seat):
    s.phase = phase
    s.waiting = 1 << seat


def go_on(s, then):
    s.phase = then
    s.waiting = 0


# --- Set-up ------------------------------------------------------------------ [V-1]


def deal(s, options, seats, seed):
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.first = options.first - 1 if options.first > 0 else roll(s, seats)  # [V-1.1]
    deal_options(s, options)
    deal_lands(s)
    for kind in range(SUPPLY_KINDS):
        s.pile[kind] = SUPPLY_COPIES[kind]
    for order in range(seats):
        deal_player(s, seat_at(s, order), order)
    for kind in range(SUPPLY_KINDS):
        s.fresh[kind] = s.pile[kind]
        s.pile_size += s.pile[kind]
    s.strategy = seat_at(s, 1)  # [V-1.5]
    tell(s, News.FIRST_PLAYER, s.first, s.strategy)
    ask(s, Phase.ESTATE, s.first)


def deal_options(s, options):
    for land in range(LAND_KINDS):
        for winners in range(MAX_SEATS):
            s.land_points[land][winners] = options.land_points[land][winners]
    s.strategist_points = options.strategist_points
    s.tie_break = options.tie_break


def deal_lands(s):
    """Each kind once for each house, shuffled into a circle. [V-1.2]"""
    for slot in range(SLOTS):
        s.land[slot] = 1 + slot % LAND_KINDS
        s.holder[slot] = EAGLE if slot < LAND_KINDS else ROSE
    for slot in range(SLOTS - 1, 0, -1):
        other = roll(s, slot + 1)
        s.land[slot], s.land[other] = s.land[other], s.land[slot]
        s.holder[slot], s.holder[other] = s.holder[other], s.holder[slot]


def deal_player(s, seat, order):
    """Houses alternate from the first player's Eagle; everyone starts with 3, 4 and 5. [V-1.1 V-1.4]"""
    s.house[seat] = order % 2
    s.unbuilt[seat] = OWN_BUILDINGS
    for kind in range(SUPPLY_KINDS):
        s.hand[seat][kind] = STARTING[kind]
        s.known[seat][kind] = STARTING[kind]
        s.hand_size[seat] += STARTING[kind]
        s.pile[kind] -= STARTING[kind]


def legal_estate(s, mask):
    """Any land without a building, whichever house holds it. [V-1.3]"""
    for slot in range(SLOTS):
        if s.building[slot] == Building.NONE:
            mask[ESTATE + slot] = 1


def apply_estate(s, seat, action):
    put_estate(s, seat, action - ESTATE)
    after = seat + 1 if seat + 1 < s.seats else 0
    if after == s.first:
        start_round(s)
    else:
        ask(s, Phase.ESTATE, after)


# --- 1. Place of the conflict ------------------------------------------------ [V-2.1]


def start_round(s):
    s.round += 1
    tell(s, News.ROUND, s.round, s.first)
    ask(s, Phase.CONFLICT, s.strategy)


def legal_conflict(s, mask):
    """Two neighbouring lands of different houses."""
    for slot in range(SLOTS - 1):
        if s.holder[slot] != s.holder[slot + 1]:
            mask[CONFLICT + slot] = 1
    if s.holder[SLOTS - 1] != s.holder[0]:
        mask[CONFLICT + SLOTS - 1] = 1


def apply_conflict(s, action):
    slot = action - CONFLICT
    neighbour = slot + 1 if slot + 1 < SLOTS else 0
    s.contested[s.holder[slot]] = slot
    s.contested[s.holder[neighbour]] = neighbour
    tell(s, News.CONFLICT_AT, s.strategy, s.land[s.contested[EAGLE]], s.land[s.contested[ROSE]])
    start_draft(s)


# --- 2. Roles ---------------------------------------------------------------- [V-2.2]


def start_draft(s):
    """One role is put aside unseen; the first player is handed the other five."""
    s.set_aside = 1 + roll(s, ROLES)
    s.handed[s.first] = ALL_ROLES - (1 << s.set_aside)
    ask(s, Phase.DRAFT, s.first)


def legal_draft(s, seat, mask):
    for role in range(1, ROLES + 1):
        if s.handed[seat] >> role & 1:
            mask[KEEP + role] = 1


def apply_draft(s, seat, action):
    """Keeps one role and hands the rest to the left; the last player's rest goes to the middle."""
    role = action - KEEP
    s.role_kept[seat] = role
    rest = s.handed[seat] - (1 << role)
    tell(s, News.ROLE_KEPT, seat)
    whisper(s, seat, News.YOUR_ROLE, seat, role)
    after = seat + 1 if seat + 1 < s.seats else 0
    if after == s.first:
        s.middle = rest
        ask_supply(s, 0)
    else:
        s.handed[after] = rest
        ask(s, Phase.DRAFT, after)


# --- 3. Supply --------------------------------------------------------------- [V-2.3]


def ask_supply(s, order):
    """Asks the next player with a card in hand; after the last one, the conflict follows."""
    for later in range(order, s.seats):
        seat = seat_at(s, later)
        if s.hand_size[seat] > 0:
            ask(s, Phase.SUPPLY, seat)
            return
        tell(s, News.SUPPLY_DONE, seat)
    go_on(s, Then.CONFLICT)


def legal_supply(s, seat, mask):
    mask[DONE] = 1
    for kind in range(SUPPLY_KINDS):
        if s.hand[seat][kind] > 0:
            mask[PLAY + kind] = 1


def apply_supply(s, seat, action):
    """One card at a time, face up, until the player is done, has played five or has none left."""
    if action != DONE:
        kind = action - PLAY
        part_with(s, seat, kind)
        s.played[seat][kind] += 1
        tell(s, News.SUPPLY_PLAYED, seat, kind)
    if action == DONE or s.hand_size[seat] == 0 or bag_size(s.played[seat]) == MOST_PLAYED:
        tell(s, News.SUPPLY_DONE, seat, bag_size(s.played[seat]))
        order = seat - s.first
        ask_supply(s, (order if order >= 0 else order + s.seats) + 1)


# --- 4 to 6. Reveal, conflict, points ---------------------------------------- [V-2.4 to V-2.9]


def resolve_round(s):
    resolve_reveal(s)
    resolve_conflict(s)
    score_roles(s)
    builder = has_shown(s, Role.BUILDER)
    if builder > 0:
        ask(s, Phase.BUILD, builder - 1)
    else:
        go_on(s, Then.SUPPLY)


# --- 7. Builder -------------------------------------------------------------- [V-2.10]


def legal_build(s, seat, mask):
    """A new estate under a free land, or one card turned over, or nothing; never more than two offices."""
    mask[DONE] = 1
    may_open = count_buildings(s, seat, Building.OFFICE) < MOST_OFFICES
    for slot in range(SLOTS):
        if s.building[slot] == Building.NONE:
            if s.unbuilt[seat] > 0:
                mask[ESTATE + slot] = 1
        elif s.owner[slot] == seat and (may_open or s.building[slot] == Building.OFFICE):
            mask[TURN_OVER + slot] = 1


def apply_build(s, seat, action):
    if action == DONE:
        tell(s, News.BUILT_NOTHING, seat)
    elif action >= TURN_OVER:
        turn_over(s, seat, action - TURN_OVER)
    else:
        put_estate(s, seat, action - ESTATE)
    go_on(s, Then.SUPPLY)


# --- 8 to 10. Strategist, discard, draw -------------------------------------- [V-2.11 to V-2.15]


def resolve_supply(s):
    resolve_strategist(s)
    discard_played(s)
    resolve_draw(s)
    go_on(s, Then.DISCARD)


def ask_discard(s):
    """In order from the first player, players with too many cards discard; then the round is over. [V-2.15]"""
    for order in range(s.seats):
        seat = seat_at(s, order)
        if s.hand_size[seat] > HAND_LIMIT:
            ask(s, Phase.DISCARD, seat)
            return
    end_round(s)


def legal_discard(s, seat, mask):
    for kind in range(SUPPLY_KINDS):
        if s.hand[seat][kind] > 0:
            mask[DROP + kind] = 1


def apply_discard(s, seat, action):
    kind = action - DROP
    part_with(s, seat, kind)
    s.discard[kind] += 1
    tell(s, News.DROPPED, seat, kind)
    go_on(s, Then.DISCARD)


# --- 11 to 13. End of the round, end of the game ----------------------------- [V-2.16 V-3]


def end_round(s):
    if one_house_holds_all(s):
        tell(s, News.ONE_HOUSE, s.holder[0])  # [V-3.2]
        end_game(s)
    elif s.round == LAST_ROUND[s.seats]:
        end_game(s)  # [V-3.1]
    else:
        return_roles(s)
        s.first = seat_at(s, 1)
        start_round(s)


def one_house_holds_all(s):
    for slot in range(1, SLOTS):
        if s.holder[slot] != s.holder[0]:
            return False
    return True


def return_roles(s):
    """The roles go back. [V-2.16]"""
    s.set_aside = 0
    s.middle = 0
    for seat in range(s.seats):
        s.handed[seat] = 0
        s.role_kept[seat] = 0
        s.role_shown[seat] = 0


def end_game(s):
    for order in range(s.seats):
        seat = seat_at(s, order)
        offices = count_buildings(s, seat, Building.OFFICE)
        cards = min(s.hand_size[seat], MOST_COUNTED)
        s.points[seat] += offices * cards  # [V-3.3]
        tell(s, News.OFFICES_SCORED, seat, offices * cards, offices, cards)
    share_victory(s)
    s.over = 1
    s.waiting = 0
    s.phase = Phase.OVER


def final_score(s, seat):
    """Points, then the tie-break of the house rule. [V-3.4]"""
    score = s.points[seat] * 1000
    if s.tie_break == TieBreak.SUPPLY:
        score += supply_value(s.hand[seat])
    return score


def share_victory(s):
    """The highest total wins; equals share. [V-3.4]"""
    best = 0
    winners = 0
    for seat in range(s.seats):
        score = final_score(s, seat)
        if score > best or winners == 0:
            best = score
            winners = 1
        elif score == best:
            winners += 1
    for seat in range(s.seats):
        if final_score(s, seat) == best:
            s.result[seat] = WHOLE_WIN // winners
            tell(s, News.WON, seat, s.points[seat], winners)
