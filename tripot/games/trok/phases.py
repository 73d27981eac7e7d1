"""Trök from the deal to the end, in rule-book order."""

from tripot.core.game import DEALER, WHOLE_WIN
from tripot.core.news import tell, whisper
from tripot.core.pile import bag_size, bit_count
from tripot.core.rng import roll, seed_luck
from tripot.games.trok.actions import CARD, COLLECT, DONE, IMPROVE, KEEP, NAME, PERFECT, SET, SWAP, TAKE, News
from tripot.games.trok.cards import (
    EQUIPMENTS,
    GEAR_COPIES,
    GEARS,
    LAST_TURN,
    LEAST_COMBINED,
    MOST_COLLECTED,
    OFFERED,
    PERFECT_CARDS,
    PICKAXE,
    RUN,
    SITES,
    STONE,
    UPGRADES,
    Upgrade,
)
from tripot.games.trok.effects import (
    bag_code,
    discard_hand,
    fill_queue,
    forget,
    give,
    is_doubled,
    lay_market,
    most_different,
    most_in_set,
    receive,
    resolve_income,
    resolve_supply,
    reveal,
    seat_at,
    show_collection,
    show_perfect,
    show_set,
    swap,
    swap_choices,
    take_improvement,
    tied_seats,
    veins_left,
)
from tripot.games.trok.state import PLAN_COLLECTION, Phase, Run

MADE_SET, MADE_COLLECTION = 1, 2


def legal(s, seat, mask):
    """Marks what this seat may decide now; nothing unless it is waited for."""
    if s.waiting >> seat & 1:
        if s.phase == Phase.COMMIT or s.phase == Phase.STORE:
            legal_pick(s, seat, mask)
        elif s.phase == Phase.TAKE:
            legal_take(s, seat, mask)
        elif s.phase == Phase.PLACE or s.phase == Phase.SWAP_OWN:
            legal_place(s, mask)
        elif s.phase == Phase.OWN:
            legal_own(s, seat, mask)
        elif s.phase == Phase.GIVE:
            legal_give(s, seat, mask)
        elif s.phase == Phase.COMBINE:
            legal_combine(s, seat, mask)
        elif s.phase == Phase.IMPROVE or s.phase == Phase.SECOND:
            legal_improve(s, mask)
        else:
            legal_name(s, mask)


def apply(s, seat, action):
    """Applies one decision of this seat and everything that follows from it."""
    decide(s, seat, action)
    settle(s)


def decide(s, seat, action):
    """Applies the decision alone. If a step of the rules follows, nobody is waited for."""
    s.waiting -= 1 << seat
    if s.phase == Phase.COMMIT:
        apply_commit(s, seat, action)
    elif s.phase == Phase.TAKE:
        apply_take(s, action)
    elif s.phase == Phase.PLACE or s.phase == Phase.SWAP_OWN:
        apply_place(s, seat, action)
    elif s.phase == Phase.OWN:
        apply_own(s, seat, action)
    elif s.phase == Phase.GIVE:
        apply_give(s, seat, action)
    elif s.phase == Phase.COMBINE:
        apply_combine(s, seat, action)
    elif s.phase == Phase.IMPROVE:
        apply_improve(s, seat, action)
    elif s.phase == Phase.SECOND:
        apply_second(s, seat, action)
    elif s.phase == Phase.STORE:
        apply_store(s, seat, action)
    else:
        apply_name(s, seat, action)


def settle(s):
    """Runs the rules from phase to phase until somebody must decide."""
    while s.waiting == 0 and not s.over:
        settle_step(s)


def settle_step(s):
    """Runs the next step of the rules; nobody is waited for."""
    mover = s.mover + 0  # a wide integer: a narrow one would give the function a second native signature
    if s.phase == Phase.COMMIT:
        resolve_offers(s)
    elif s.phase == Phase.TAKE:
        ask_take(s, mover)
    elif s.phase == Phase.PLACE or s.phase == Phase.SWAP_OWN:
        ask_place(s, mover)
    elif s.phase == Phase.OWN:
        ask_own(s, mover)
    elif s.phase == Phase.GIVE:
        ask_give(s)
    elif s.phase == Phase.COMBINE:
        ask_combine(s, mover)
    elif s.phase == Phase.IMPROVE:
        ask_improve(s, mover)
    elif s.phase == Phase.SECOND:
        ask_second(s, mover)
    elif s.phase == Phase.STORE:
        ask_store(s, mover)
    else:
        end_turn(s)


def step_kind(s):
    """Returns which step `settle_step` runs next: the phase identifies it."""
    return s.phase


def ask(s):
    s.waiting = 1 << s.mover


def pass_on(s, after):
    """The next player clockwise moves; after a full round from the trade master, `after` follows."""
    s.made = 0
    s.veins_used = 0
    s.mover = s.mover + 1 if s.mover + 1 < s.seats else 0
    if s.mover == s.master:
        s.phase = after


# --- Set-up ------------------------------------------------------------------ [K-1]


def deal(s, options, seats, seed):
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.youngest = options.youngest - 1 if options.youngest > 0 else roll(s, seats)  # the first random number [K-3.4]
    s.goal = options.goal
    s.open_purses = options.open_purses
    for kind in range(GEARS):
        s.deck[kind] = GEAR_COPIES[kind]
        s.fresh[kind] = GEAR_COPIES[kind]
        s.deck_size += GEAR_COPIES[kind]
    for upgrade in range(1, UPGRADES + 1):
        s.to_come[upgrade] = options.improvement_copies[upgrade - 1] if upgrade <= SITES else 1  # [K-0.2]
    tell(s, News.YOUNGEST, s.youngest)
    lay_market(s)
    fill_queue(s)
    start_turn(s)


# --- Choosing own cards ------------------------------------------------------

# What a seat puts together stays secret until it is shown: it grows in the OWNER fields `chosen` and `plan`
# while the public phase does not change. Cards join in one order only: for a set from its own equipment up to
# the stones and round to the pickaxes, otherwise from the pickaxes up to the stones.


def cards_needed(s, seat):
    """Returns how many cards must still join."""
    size = bag_size(s.chosen[seat])
    if s.phase == Phase.COMMIT:
        return min(OFFERED, s.hand_size[seat]) - size  # [K-3.1 K-7.1]
    if s.phase == Phase.STORE:
        return 0
    if s.plan[seat] < PLAN_COLLECTION:
        return max(LEAST_COMBINED - size, 0)
    return s.plan[seat] - PLAN_COLLECTION + LEAST_COMBINED - size


def cards_free(s, seat, kind):
    """Returns how many cards of a kind may still join, in any order."""
    held = s.hand[seat][kind]
    plan = s.plan[seat]
    if s.phase == Phase.COMMIT:
        return held
    if s.phase == Phase.STORE:
        return 0 if kind == STONE else held  # [K-5.1]
    if kind == STONE or kind == plan - 1:
        return held
    if kind == PICKAXE:  # by veins, and one in a collection as itself [K-4.6]
        allowed = veins_left(s, seat) + (1 if plan >= PLAN_COLLECTION else 0)
        return min(held, allowed - s.chosen[seat][kind])
    if plan >= PLAN_COLLECTION:
        return min(held, 1 - s.chosen[seat][kind])  # all different [K-4.4]
    return 0


def may_join(s, seat):
    """Returns the set of kinds that may join next: in the one order, and so that enough can follow."""
    chosen = s.chosen[seat]
    if s.phase == Phase.STORE and bag_size(chosen) == s.owned[seat][Upgrade.CART]:
        return 0
    needed = cards_needed(s, seat)
    making_set = s.phase == Phase.COMBINE and s.plan[seat] < PLAN_COLLECTION
    if needed == 0 and not making_set and s.phase != Phase.STORE:
        return 0
    first = s.plan[seat] - 1 if making_set else 0
    kinds = 0
    following = 0
    for step in range(GEARS - 1, -1, -1):
        kind = (first + step) % GEARS
        free = cards_free(s, seat, kind)
        following += free
        if free > 0 and following >= needed:
            kinds |= 1 << kind
        if chosen[kind] > 0:
            return kinds  # a card is chosen already: none that comes before it
    if making_set and is_doubled(first, s.owned[seat]):
        return kinds & 1 << first  # jokers alone would be the same set twice
    return kinds


def legal_pick(s, seat, mask):
    if s.phase != Phase.COMMIT and cards_needed(s, seat) == 0:
        mask[DONE] = 1
    kinds = may_join(s, seat)
    for kind in range(GEARS):
        if kinds >> kind & 1:
            mask[CARD + kind] = 1


def pick(s, seat, kind):
    s.hand[seat][kind] -= 1
    s.chosen[seat][kind] += 1


def pick_forced(s, seat):
    """Lets cards join while there is only one way to continue. Returns True when none can."""
    kinds = may_join(s, seat)
    while cards_needed(s, seat) > 0 and kinds & (kinds - 1) == 0:
        kind = 0
        while not kinds >> kind & 1:
            kind += 1
        pick(s, seat, kind)
        kinds = may_join(s, seat)
    return kinds == 0


# --- Supply and offers ------------------------------------------------------- [K-2 K-3.1]


def start_turn(s):
    s.turn += 1
    tell(s, News.TURN, s.turn)
    forget(s)
    resolve_supply(s)
    s.phase = Phase.COMMIT
    for seat in range(s.seats):
        if s.hand_size[seat] > 0:
            s.waiting |= 1 << seat


def apply_commit(s, seat, action):
    """Always three decisions, even if one is forced: their number must not reveal the hand."""
    pick(s, seat, action - CARD)
    if cards_needed(s, seat) > 0:
        s.waiting |= 1 << seat
    else:
        tell(s, News.COMMITTED, seat)
        whisper(s, seat, News.YOU_COMMITTED, seat, bag_code(s.chosen[seat]))


# --- The trade master -------------------------------------------------------- [K-3.2 to K-3.4]


def resolve_offers(s):
    """All cards are shown at once; the bids decide the trade master, unless the previous one must break a tie."""
    for order in range(s.seats):
        reveal(s, seat_at(s, order))
    tied = tied_seats(s)
    if bit_count(tied) > 1:
        tell(s, News.TIED, bit_count(tied))
        if s.turn > 1:
            tied &= ~(1 << s.master)  # never the naming player
    if s.turn > 1 and bit_count(tied) > 1:
        s.phase = Phase.NAME
        s.mover = s.master
        ask(s)
    else:
        become_master(s, first_of(s, tied, s.youngest))  # [K-3.4]


def first_of(s, seats, start):
    """Returns the first seat of a set, clockwise from `start`."""
    seat = start
    while not seats >> seat & 1:
        seat = seat + 1 if seat + 1 < s.seats else 0
    return seat


def legal_name(s, mask):
    tied = tied_seats(s) & ~(1 << s.master)
    for seat in range(s.seats):
        if tied >> seat & 1:
            mask[NAME + seat] = 1


def apply_name(s, seat, action):
    tell(s, News.NAMED, seat, action - NAME)
    become_master(s, action - NAME)


def become_master(s, seat):
    s.master = seat
    tell(s, News.MASTER, seat, s.bid[seat])
    s.mover = seat
    s.taken_from = 0
    s.phase = Phase.TAKE


# --- The exchange ------------------------------------------------------------ [K-3.5 to K-3.9]


def ask_take(s, seat):
    """A card of another player while there is any, then an own card. [K-3.5 K-3.6 K-3.9]"""
    choices = 0
    last = 0
    for other in range(s.seats):
        if other != seat:
            for kind in range(GEARS):
                if s.offer[other][kind] > 0:
                    choices += 1
                    last = TAKE + other * GEARS + kind
    if choices > 1:
        ask(s)
    elif choices == 1:
        apply_take(s, last)
    else:
        s.phase = Phase.OWN


def legal_take(s, seat, mask):
    for other in range(s.seats):
        if other != seat:
            for kind in range(GEARS):
                if s.offer[other][kind] > 0:
                    mask[TAKE + other * GEARS + kind] = 1


def apply_take(s, action):
    other = (action - TAKE) // GEARS
    kind = (action - TAKE) % GEARS
    s.offer[other][kind] -= 1
    s.taken = 1 + kind
    s.taken_from = 1 + other
    tell(s, News.TOOK, s.mover, other, kind)
    s.phase = Phase.PLACE


def ask_place(s, seat):
    """Into the hand, or into the market for a card of another kind; an own card only into the market."""
    choices = 0
    only = 0
    if s.phase == Phase.PLACE:
        choices += 1
        only += KEEP
    for kind in range(GEARS):
        if s.market[kind] > 0 and kind != s.taken - 1:
            choices += 1
            only = SWAP + kind
    if choices > 1:
        ask(s)
    else:
        apply_place(s, seat, only)


def legal_place(s, mask):
    if s.phase == Phase.PLACE:
        mask[KEEP] = 1
    for kind in range(GEARS):
        if s.market[kind] > 0 and kind != s.taken - 1:
            mask[SWAP + kind] = 1


def apply_place(s, seat, action):
    """The player whose card was taken moves next; a player who swaps own cards continues. [K-3.6 K-3.9]"""
    card = s.taken - 1
    s.taken = 0
    if action == KEEP:
        receive(s, seat, card)
        tell(s, News.KEPT, seat, card)
    else:
        swap(s, seat, card, action - SWAP)
    s.mover = s.taken_from - 1
    s.phase = Phase.TAKE


def ask_own(s, seat):
    """Any of the own open cards may be swapped, one after the other; the rest come back. [K-3.9]"""
    for kind in range(GEARS):
        if s.offer[seat][kind] > 0 and swap_choices(s, kind) > 0:
            ask(s)
            return
    take_back(s, seat)


def legal_own(s, seat, mask):
    mask[DONE] = 1
    for kind in range(GEARS):
        if s.offer[seat][kind] > 0 and swap_choices(s, kind) > 0:
            mask[TAKE + seat * GEARS + kind] = 1


def apply_own(s, seat, action):
    if action == DONE:
        take_back(s, seat)
    else:
        kind = (action - TAKE) % GEARS
        s.offer[seat][kind] -= 1
        s.taken = 1 + kind
        s.phase = Phase.SWAP_OWN


def take_back(s, seat):
    """The exchange ends when the last open card is gone."""
    if bag_size(s.offer[seat]) > 0:
        tell(s, News.TOOK_BACK, seat, bag_code(s.offer[seat]))
    for kind in range(GEARS):
        for _ in range(s.offer[seat][kind]):
            receive(s, seat, kind)
        s.offer[seat][kind] = 0
    s.phase = Phase.GIVE


# --- The card owed ----------------------------------------------------------- [K-3.10]


def ask_give(s):
    """The player whose card was taken last is one card short, unless that is the trade master."""
    if s.taken_from > 0 and s.taken_from - 1 != s.master:
        s.mover = s.master
        ask(s)
    else:
        start_combining(s)


def legal_give(s, seat, mask):
    """Any card of the whole hand; asked even if all are alike, which is secret."""
    for kind in range(GEARS):
        if s.hand[seat][kind] > 0:
            mask[CARD + kind] = 1


def apply_give(s, seat, action):
    give(s, seat, s.taken_from - 1, action - CARD)
    start_combining(s)


# --- Combinations ------------------------------------------------------------ [K-4]


def start_combining(s):
    s.mover = s.master
    s.phase = Phase.COMBINE


def ask_combine(s, seat):
    """Asks while a combination is possible as far as the table knows: what the hand allows is secret. [K-4.1]"""
    set_left = not s.made & MADE_SET
    collection_left = not s.made & MADE_COLLECTION and s.queue_size > 0
    if s.hand_size[seat] >= LEAST_COMBINED and (set_left or collection_left):
        ask(s)
    else:
        pass_on(s, Phase.STORE)


def legal_combine(s, seat, mask):
    if s.plan[seat] > 0:
        legal_pick(s, seat, mask)
        return
    mask[DONE] = 1
    if not s.made & MADE_SET:
        for gear in range(EQUIPMENTS):
            if most_in_set(s, seat, gear) >= LEAST_COMBINED:
                if s.hand[seat][gear] > 0 or not is_doubled(gear, s.owned[seat]):
                    mask[SET + gear] = 1
    different = most_different(s, seat)
    if not s.made & MADE_COLLECTION and s.queue_size > 0:
        for size in range(LEAST_COMBINED, min(different, MOST_COLLECTED) + 1):
            mask[COLLECT + size - LEAST_COMBINED] = 1
    if s.made == 0 and different >= PERFECT_CARDS:
        mask[PERFECT] = 1  # which cards are shown no longer matters [K-4.9]


def apply_combine(s, seat, action):
    """Names the combination, then chooses its cards; nothing is shown before the last one."""
    if s.plan[seat] > 0:
        if action != DONE:
            pick(s, seat, action - CARD)
        if action == DONE or pick_forced(s, seat):
            show_combination(s, seat)
        else:
            ask(s)
    elif action == DONE:
        if s.made == 0:
            tell(s, News.COMBINED_NOTHING, seat)
        pass_on(s, Phase.STORE)
    elif action == PERFECT:
        show_perfect(s, seat)
        pass_on(s, Phase.STORE)
    else:
        s.plan[seat] = 1 + action - SET if action < COLLECT else PLAN_COLLECTION + action - COLLECT
        if pick_forced(s, seat):
            show_combination(s, seat)
        else:
            ask(s)


def show_combination(s, seat):
    if s.plan[seat] < PLAN_COLLECTION:
        s.made |= MADE_SET
        show_set(s, seat, s.plan[seat] - 1)
    else:
        s.made |= MADE_COLLECTION
        show_collection(s, seat)
        s.phase = Phase.IMPROVE
    s.plan[seat] = 0


# --- Improvements ------------------------------------------------------------ [K-4.4 K-4.5]


def ask_improve(s, seat):
    if s.reach > 1:
        ask(s)
    else:
        apply_improve(s, seat, IMPROVE)


def legal_improve(s, mask):
    for place in range(s.reach):
        mask[IMPROVE + place] = 1
    if s.phase == Phase.SECOND and s.run != Run.PLAIN:
        mask[DONE] = 1  # the jokers may be declared to stand for something else [K-7.2]


def apply_improve(s, seat, action):
    """One improvement, and for a run a second one from the rest of the first five. [K-4.5]"""
    take_improvement(s, seat, action - IMPROVE)
    s.reach = min(RUN - 1, s.queue_size)
    if s.run == Run.NONE or action - IMPROVE >= RUN or s.reach == 0:
        end_improving(s)
    else:
        s.phase = Phase.SECOND


def ask_second(s, seat):
    if s.reach > 1 or s.run != Run.PLAIN:
        ask(s)
    else:
        apply_second(s, seat, IMPROVE)


def apply_second(s, seat, action):
    if action == DONE:
        tell(s, News.ONE_ONLY, seat)
    else:
        if s.run == Run.VEIN:
            s.veins_used += 1
        take_improvement(s, seat, action - IMPROVE)
    end_improving(s)


def end_improving(s):
    s.reach = 0
    s.run = Run.NONE
    s.phase = Phase.COMBINE


# --- The end of the turn ----------------------------------------------------- [K-5]


def ask_store(s, seat):
    """Players discard their hands in turn; a player with carts and cards for them chooses first. [K-5.1]"""
    if s.owned[seat][Upgrade.CART] > 0 and may_join(s, seat) > 0:
        ask(s)
    else:
        discard_hand(s, seat)
        pass_on(s, Phase.INCOME)


def apply_store(s, seat, action):
    if action != DONE:
        pick(s, seat, action - CARD)
    if action != DONE and may_join(s, seat) > 0:
        ask(s)
    else:
        discard_hand(s, seat)
        pass_on(s, Phase.INCOME)


def end_turn(s):
    """Income, then the queue; then the check for the end. [K-5.2 K-5.3 K-6]"""
    resolve_income(s)
    fill_queue(s)
    goal_reached = False
    for seat in range(s.seats):
        if s.aare[seat] >= s.goal:
            goal_reached = True
    if goal_reached or s.perfect > 0 or s.turn == LAST_TURN:
        end_game(s)
    else:
        start_turn(s)


def end_game(s):
    """The richest wins, among those with the perfect combination if anyone has it; equals share. [K-6]"""
    s.over = 1  # closed purses are open when the winner is told [K-0.3]
    s.phase = Phase.OVER
    rivals = s.perfect if s.perfect > 0 else (1 << s.seats) - 1
    most = 0
    winners = 0
    for seat in range(s.seats):
        if rivals >> seat & 1 and s.aare[seat] >= most:
            winners = 1 if s.aare[seat] > most else winners + 1
            most = s.aare[seat]
    for seat in range(s.seats):
        if rivals >> seat & 1 and s.aare[seat] == most:
            s.result[seat] = WHOLE_WIN // winners
            tell(s, News.WON, seat, most, winners)
