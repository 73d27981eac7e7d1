"""Trieste from the deal to the end, in rule-book order."""

from tripot.core.game import DEALER, WHOLE_WIN
from tripot.core.news import tell, whisper
from tripot.core.pile import bag_size
from tripot.core.rng import roll, seed_luck
from tripot.games.trieste.actions import (
    CARD,
    DECLINE,
    DRAW_OWN,
    DRAW_TREASURE,
    HERO,
    PAY_TOLL,
    REVEAL,
    ROB_FROM,
    News,
)
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    CARDS,
    COPPER,
    DIAMOND,
    DRAWS,
    FACTION_BACK,
    FACTIONS,
    GOLD,
    HEROES,
    JACOPO_LEVEL,
    KINDS,
    LAST_TURN,
    MERCHANT,
    MOST_INFAMY,
    OWN_TITLES,
    PLAYABLE,
    RICHES,
    SEATS,
    SILVER,
    STARTING_CARDS,
    STARTING_COPPERS,
    THIEF,
    TITLES,
    TREASURE_BACK,
    TREASURE_CARD,
    TREASURE_COPIES,
    TREASURES,
    TYPE,
    VERB,
    WATCH,
    Hero,
    Type,
    back_of,
    card_at,
    kind_of,
)
from tripot.games.trieste.effects import (
    apply_toll,
    ask,
    choose,
    choose_cards,
    clear_choice,
    gain_infamy,
    legal_choice,
    legal_react,
    pick_pocket,
    react,
    replay,
    resolve_captures,
    resolve_card,
    settle_choice,
    settle_victim,
)
from tripot.games.trieste.state import (
    AMOUNT,
    COPIES,
    COST,
    FACTIONS_BY,
    LEVEL,
    MORE,
    REACH,
    STAGES,
    VERBS,
    Phase,
    Stage,
    Then,
    discard_treasure,
    draw_own,
    draw_treasures,
    gain_openly,
    lose,
    put_under,
    see_leave,
    show_hand,
    worth,
)


def legal(s, seat, mask):
    """Marks what this seat may decide now; nothing unless it is waited for."""
    if s.waiting >> seat & 1:
        if s.phase == Phase.DRAW:
            mask[DRAW_TREASURE] = 1
            mask[DRAW_OWN] = 1
        elif s.phase == Phase.PLAY:
            legal_play(s, seat, mask)
        elif s.phase == Phase.PAY:
            legal_pay(s, seat, mask)
        elif s.phase == Phase.BUY:
            legal_buy(s, seat, mask)
        elif s.phase == Phase.REVEAL:
            mask[DECLINE] = 1
            mask[REVEAL] = 1
        elif s.phase == Phase.REACT:
            legal_react(s, seat, mask)
        elif s.phase == Phase.VICTIM:
            mask[ROB_FROM + WATCH] = 1
            mask[ROB_FROM + MERCHANT] = 1
        elif s.phase == Phase.TOLL:
            mask[DECLINE] = 1
            mask[PAY_TOLL] = 1
        elif s.phase == Phase.HERO:
            for hero in range(HEROES):
                mask[HERO + hero] = 1
        else:
            legal_choice(s, mask)


def apply(s, seat, action):
    """Applies one decision of this seat and everything that follows, up to the next question."""
    decide(s, seat, action)
    settle(s)


def settle(s):
    """Runs the rules until somebody must decide."""
    while s.waiting == 0 and s.over == 0:
        settle_step(s)


def decide(s, seat, action):
    """Applies the decision alone. If a step of the rules follows, nobody is waited for."""
    s.waiting -= 1 << seat
    if s.phase == Phase.DRAW:
        apply_draw(s, action)
    elif s.phase == Phase.PLAY:
        apply_play(s, seat, action)
    elif s.phase == Phase.PAY:
        pay_card(s, s.faction[seat], action - CARD)
    elif s.phase == Phase.BUY:
        apply_buy(s, seat, action)
    elif s.phase == Phase.REVEAL:
        apply_reveal(s, seat, action)
    elif s.phase == Phase.REACT:
        react(s, action)
    elif s.phase == Phase.VICTIM:
        pick_pocket(s, action - ROB_FROM)
    elif s.phase == Phase.TOLL:
        apply_toll(s, action)
    elif s.phase == Phase.HERO:
        apply_hero(s, seat, action)
    elif action == DECLINE:
        s.phase = Then.CAPTURES  # Magistrate stops choosing
    else:
        choose(s, action - CARD)


def settle_step(s):
    """Runs the next step of the rules; nobody is waited for."""
    if s.phase == Then.STEP:
        begin_step(s)
    elif s.phase == Then.ACT:
        act(s)
    elif s.phase == Phase.DRAW:
        ask_draw(s)
    elif s.phase == Then.DRAWN:
        end_draw(s)
    elif s.phase == Phase.PAY:
        resolve_payment(s)
    elif s.phase == Phase.BUY:
        ask_buy(s)
    elif s.phase == Then.CAPTURES:
        resolve_captures(s)
    elif s.phase == Then.RESOLVED:
        end_effect(s)
    elif s.phase == Then.STEP_DONE:
        next_step(s)
    elif s.phase == Phase.VICTIM:
        settle_victim(s)
    elif s.phase == Phase.TOLL:
        ask(s, Phase.TOLL, MERCHANT)
    else:
        settle_choice(s)


def step_kind(s):
    """Returns which step `settle_step` runs next: the phase, or the stage or effect where the phase is not enough."""
    if s.phase != Then.ACT:
        return s.phase
    card = s.table[s.active]
    if s.stage != Stage.EFFECT or card == 0 or card >= TREASURE_CARD:
        return STAGES + s.stage
    return VERBS + VERB[card]


# --- Set-up ------------------------------------------------------------------ [T-1 T-6.1]


def deal(s, options, seats, seed):
    seed_luck(s, seed, DEALER)
    s.seats = seats
    deal_options(s, options)
    order = options.factions if options.factions > 0 else 1 + roll(s, len(FACTIONS_BY) - 1)  # [T-1.2]
    for seat in range(SEATS):
        s.faction[seat] = FACTIONS_BY[order][seat]
        s.seat_of[s.faction[seat]] = seat
        tell(s, News.FACTION, seat, s.faction[seat])
    deal_decks(s)
    if s.heroes:
        s.phase = Phase.HERO
        s.waiting = (1 << SEATS) - 1
    else:
        deal_hands(s)
        start_draw(s)
        ask_draw(s)


def deal_options(s, options):
    s.heroes = options.heroes
    s.any_victim = options.any_victim
    for card in range(1, len(CARDS)):
        row = options.deck[card - 1]
        s.copies[card] = row[COPIES]
        s.cost[card] = row[COST]
        s.level[card] = row[LEVEL]
        s.reach[card] = row[REACH]
        s.amount[card] = row[AMOUNT]
        s.more[card] = row[MORE]


def deal_decks(s):
    """Six coppers stay aside. [T-1.1]"""
    for faction in range(FACTIONS):
        for title in range(OWN_TITLES[faction]):
            s.deck[faction][title] = s.copies[card_at(faction, TREASURES + title)]
        s.deck_size[faction] = bag_size(s.deck[faction])
    for kind in range(TREASURES):
        aside = STARTING_COPPERS * SEATS if kind == COPPER else 0
        s.treasure_deck[kind] = TREASURE_COPIES[kind] - aside
        s.stock[kind] = s.treasure_deck[kind]
        for seat in range(SEATS):
            s.fresh[seat][kind] = s.treasure_deck[kind]
    s.treasure_size = bag_size(s.treasure_deck)


def apply_hero(s, seat, action):
    """Heroes are chosen in secret, in any order. [T-6.1]"""
    faction = s.faction[seat]
    s.hero[seat] = 1 + HEROES * faction + action - HERO
    s.hero_hidden[faction] = 1
    tell(s, News.HERO_CHOSEN, faction)
    whisper(s, seat, News.YOUR_HERO, faction, s.hero[seat])
    if s.waiting == 0:
        deal_hands(s)


def deal_hands(s):
    """Deals two cards of each player's deck and two coppers, which everyone knows. [T-1.3]"""
    for faction in range(FACTIONS):
        draw_own(s, faction, STARTING_CARDS)
        for _ in range(STARTING_COPPERS):
            gain_openly(s, faction, COPPER)
        s.held[faction] = STARTING_COPPERS
    start_turn(s)


# --- The turn: five phases, in each Watch, Merchant, Thief ------------------- [T-2.1]


def start_turn(s):
    s.turn += 1
    s.stage = Stage.DRAW
    s.active = WATCH
    s.phase = Then.STEP
    s.caught = 0
    s.guarded = 0
    s.insured = 0
    s.premium = 0
    s.lost = 0
    s.shrugged = 0
    s.bounty[2] = s.bounty[1]
    s.bounty[1] = s.bounty[0]
    s.bounty[0] = 0
    s.curfew[0] = s.curfew[1]
    s.curfew[1] = 0
    s.informed[0] = s.informed[1]
    s.informed[1] = 0
    tell(s, News.TURN, s.turn)


def begin_step(s):
    """The owner of a hidden hero is asked once per phase, before acting. [T-6.2]"""
    if s.hero_hidden[s.active]:
        ask(s, Phase.REVEAL, s.active)
    else:
        s.phase = Then.ACT


def apply_reveal(s, seat, action):
    if action == REVEAL:
        s.hero_up[s.active] = s.hero[seat]
        s.hero_hidden[s.active] = 0
        tell(s, News.HERO_SHOWN, s.active, s.hero[seat])
    s.phase = Then.ACT


def act(s):
    if s.stage == Stage.DRAW:
        start_draw(s)
    elif s.stage == Stage.PLAY:
        ask_play(s)
    elif s.stage == Stage.PAYMENT:
        reveal_card(s)
    elif s.stage == Stage.EFFECT:
        start_effect(s)
    else:
        check_victory(s)


def next_step(s):
    if s.stage == Stage.EFFECT and s.active == THIEF:
        pay_insurance(s)
    s.phase = Then.STEP
    if s.active < THIEF:
        s.active += 1
    elif s.stage < Stage.END:
        s.active = WATCH
        s.stage += 1
    elif s.turn < LAST_TURN:
        start_turn(s)
    else:
        tell(s, News.NOBODY_WON, s.turn)  # [T-4.5]
        end_game(s)


# --- 1. Draw ----------------------------------------------------------------- [T-3.1]


def start_draw(s):
    if s.active == MERCHANT and s.voyage > 0:
        draw_treasures(s, MERCHANT, s.voyage)  # before the two [T-5.7]
        s.voyage = 0
    s.draws = DRAWS
    s.phase = Phase.DRAW


def ask_draw(s):
    """One card at a time; with an empty deck only treasure is left. [T-2.4]"""
    if s.draws == 0:
        s.phase = Then.DRAWN
    elif s.deck_size[s.active] > 0:
        ask(s, Phase.DRAW, s.active)
    else:
        apply_draw(s, DRAW_TREASURE)


def apply_draw(s, action):
    if action == DRAW_TREASURE:
        draw_treasures(s, s.active, 1)
    else:
        draw_own(s, s.active, 1)
    s.draws -= 1


def end_draw(s):
    """Dario draws a third, a treasure, and discards any card. [T-6.4]"""
    if s.active == MERCHANT and s.hero_up[MERCHANT] == Hero.DARIO:
        draw_treasures(s, MERCHANT, 1)
        choose_cards(s, Phase.DROP, 1)
    else:
        s.phase = Then.STEP_DONE


# --- 2. Play ----------------------------------------------------------------- [T-3.2]


def ask_play(s):
    if s.hand_size[s.active][TREASURE_BACK] + s.hand_size[s.active][FACTION_BACK] > 0:
        ask(s, Phase.PLAY, s.active)
    else:
        tell(s, News.PASSED, s.active)
        s.phase = Then.STEP_DONE


def legal_play(s, seat, mask):
    """Characters, action cards, coppers and silvers, or nothing."""
    mask[DECLINE] = 1
    faction = s.faction[seat]
    for kind in range(KINDS):
        if s.hand[seat][kind] > 0 and PLAYABLE[card_at(faction, kind)]:
            mask[CARD + kind] = 1


def apply_play(s, seat, action):
    """Places a card face down, its back visible; the Watch's face up after an Informer. [T-0.4 T-5.8]"""
    faction = s.faction[seat]
    s.phase = Then.STEP_DONE
    if action == DECLINE:
        tell(s, News.PASSED, faction)
        return
    kind = action - CARD
    card = card_at(faction, kind)
    lose(s, faction, kind)
    if faction == WATCH and s.informed[0]:
        s.table[WATCH] = card
        see_leave(s, WATCH, kind)
        tell(s, News.PLACED_OPEN, WATCH, card)
    else:
        s.placed[seat] = card
        s.face_down[faction] = 1 + back_of(kind)
        tell(s, News.PLACED, faction, back_of(kind))
        whisper(s, seat, News.YOUR_CARD, faction, card)


# --- 3. Payment -------------------------------------------------------------- [T-3.3 T-2.2]


def reveal_card(s):
    faction = s.active
    seat = s.seat_of[faction]
    s.phase = Then.STEP_DONE
    if s.face_down[faction] > 0:
        s.table[faction] = s.placed[seat]
        s.placed[seat] = 0
        s.face_down[faction] = 0
        see_leave(s, faction, kind_of(faction, s.table[faction]))
        tell(s, News.SHOWN, faction, s.table[faction])
    card = s.table[faction]
    if card > 0 and card < TREASURE_CARD:
        cost = price(s, faction, card)
        if worth(s.hand[seat]) < cost:
            s.negated[faction] = 1
            tell(s, News.CANNOT_PAY, faction, card, cost)
            show_hand(s, faction)
        else:
            start_payment(s, faction, cost)


def price(s, faction, card):
    """Returns what a card costs now: increases first, then discounts, never below 0. [T-5.7]"""
    cost = s.cost[card]
    if faction == THIEF:
        cost += s.curfew[0]
    if faction == MERCHANT and s.hero_up[MERCHANT] == Hero.GUILDMISTRESS and cost > 0:
        cost -= 1
    return cost


def can_make(hand, total, top, used):
    """Whether treasures up to the kind `top`, `used` of which are gone, can make exactly this total."""
    coppers = at_hand(hand, COPPER, top, used)
    silvers = at_hand(hand, SILVER, top, used)
    golds = at_hand(hand, GOLD, top, used)
    diamonds = at_hand(hand, DIAMOND, top, used)
    for diamond in range(min(diamonds, total // 4) + 1):
        for gold in range(min(golds, (total - 4 * diamond) // 3) + 1):
            rest = total - 4 * diamond - 3 * gold
            if rest - 2 * min(silvers, rest // 2) <= coppers:
                return True
    return False


def at_hand(hand, kind, top, used):
    if kind > top:
        return 0
    return hand[kind] - used if kind == top else hand[kind]


def start_payment(s, faction, cost):
    """Returns the smallest total that covers the cost. [T-2.2]"""
    total = cost
    while not can_make(s.hand[s.seat_of[faction]], total, DIAMOND, 0):
        total += 1
    s.due = total
    s.waste = total - cost
    for seat in range(SEATS):
        s.top[seat] = DIAMOND
    s.phase = Phase.PAY


def may_pay(s, hand, kind, top):
    """Whether the next treasure paid may be of this kind: from high to low, and the rest must be payable."""
    if kind > top or hand[kind] == 0 or kind >= s.due:
        return False
    return can_make(hand, s.due - kind - 1, kind, 1)


def legal_pay(s, seat, mask):
    for kind in range(TREASURES):
        if may_pay(s, s.hand[seat], kind, s.top[seat]):
            mask[CARD + kind] = 1


def resolve_payment(s):
    """Pays while there is only one way to do it. [T-7.1]"""
    if s.due == 0:
        end_payment(s)
        return
    seat = s.seat_of[s.active]
    ways = 0
    only = 0
    for kind in range(TREASURES):
        if may_pay(s, s.hand[seat], kind, s.top[seat]):
            ways += 1
            only = kind
    if ways > 1:
        ask(s, Phase.PAY, s.active)
    else:
        pay_card(s, s.active, only)


def pay_card(s, faction, kind):
    discard_treasure(s, faction, kind)
    s.due -= kind + 1
    for seat in range(SEATS):
        s.top[seat] = kind
    tell(s, News.PAID, faction, TREASURE_CARD + kind)


def end_payment(s):
    """A player who overpays has no copper left to replace part of the smallest card: everyone can deduce that."""
    faction = s.active
    if s.waste > 0:
        coppers = s.top[s.seat_of[faction]] - s.waste
        s.dear[faction] = max(s.dear[faction], s.hand_size[faction][TREASURE_BACK] - coppers)
        s.waste = 0
    clear_choice(s)
    s.phase = Then.STEP_DONE
    if s.stage == Stage.END:
        buy_back(s)


# --- 4. Effect --------------------------------------------------------------- [T-3.4]


def start_effect(s):
    card = s.table[s.active]
    s.phase = Then.STEP_DONE
    if card >= TREASURE_CARD:
        s.table[s.active] = 0
        s.treasure_discard[card - TREASURE_CARD] += 1
        tell(s, News.RESOLVES, s.active, card)
        resolve_card(s, card)
    elif card > 0 and s.negated[s.active]:
        tell(s, News.NEGATED, s.active, card)
        clear_table(s)
    elif card > 0:
        tell(s, News.RESOLVES, s.active, card)
        resolve_card(s, card)


def end_effect(s):
    """After Grand Bargain's first card comes the second, then both go under the deck. [T-5.4]"""
    clear_choice(s)
    if s.replayed == 1:
        replay(s, 1)
        return
    if s.replayed == 2:
        for number in range(2):
            put_under(s, s.bargain[number])
            s.bargain[number] = 0
        s.replayed = 0
    s.resolving = 0
    s.phase = Then.STEP_DONE
    if s.table[s.active] > 0:
        if s.active == THIEF and TYPE[s.table[THIEF]] == Type.CHARACTER:
            gain_infamy(s, s.level[s.table[THIEF]])  # [T-2.6]
        clear_table(s)


def clear_table(s):
    """A played card goes to its owner's discard pile."""
    card = s.table[s.active]
    s.discard[s.active][kind_of(s.active, card) - TREASURES] += 1
    s.table[s.active] = 0
    s.negated[s.active] = 0


def pay_insurance(s):
    """After the Thief's step, in every case. [T-5.5]"""
    if s.insured > 0:
        tell(s, News.INSURANCE_PAYS, s.insured * s.lost + s.premium)
        draw_treasures(s, MERCHANT, s.insured * s.lost + s.premium)


# --- 5. End ------------------------------------------------------------------ [T-3.5 T-4]


def check_victory(s):
    """The first player to qualify, in order, wins at once; a player who does not may buy. [T-4.4]"""
    if has_won(s, s.active):
        seat = s.seat_of[s.active]
        s.result[seat] = WHOLE_WIN
        tell(s, News.WON, seat, s.active, s.turn)
        end_game(s)
    else:
        s.phase = Phase.BUY


def has_won(s, faction):
    if faction == WATCH:
        return bag_size(s.captured) >= CAPTURES_TO_WIN  # [T-4.1]
    if faction == MERCHANT:
        return worth(s.hand[s.seat_of[MERCHANT]]) >= RICHES + prison_cost(s)  # [T-4.2]
    return s.infamy >= MOST_INFAMY  # [T-4.3]


def prison_cost(s):
    """The levels of all captured thieves; with Jacopo each counts 1."""
    levels = 0
    for title in range(TITLES):
        if s.captured[title] > 0:
            level = JACOPO_LEVEL if s.hero_up[MERCHANT] == Hero.JACOPO else s.level[card_at(THIEF, TREASURES + title)]
            levels += s.captured[title] * level
    return levels


def may_buy(s, faction, title):
    """Whether a card is a character of level 1 to 3 in the own discard pile. [T-3.5]"""
    card = card_at(faction, TREASURES + title)
    return s.discard[faction][title] > 0 and TYPE[card] == Type.CHARACTER and s.level[card] > 0


def ask_buy(s):
    """A player with a character to buy and any treasure is asked: whether it is enough is secret."""
    faction = s.active
    s.phase = Then.STEP_DONE
    for title in range(OWN_TITLES[faction]):
        if may_buy(s, faction, title):
            if s.hand_size[faction][TREASURE_BACK] > 0 or price(s, faction, card_at(faction, TREASURES + title)) == 0:
                ask(s, Phase.BUY, faction)


def legal_buy(s, seat, mask):
    mask[DECLINE] = 1
    faction = s.faction[seat]
    money = worth(s.hand[seat])
    for title in range(OWN_TITLES[faction]):
        if may_buy(s, faction, title) and price(s, faction, card_at(faction, TREASURES + title)) <= money:
            mask[CARD + TREASURES + title] = 1


def apply_buy(s, seat, action):
    """Each character is paid for separately. [T-3.5]"""
    if action == DECLINE:
        s.phase = Then.STEP_DONE
    else:
        faction = s.faction[seat]
        s.buying = action - CARD
        start_payment(s, faction, price(s, faction, card_at(faction, s.buying)))


def buy_back(s):
    s.discard[s.active][s.buying - TREASURES] -= 1
    gain_openly(s, s.active, s.buying)
    tell(s, News.BOUGHT, s.active, card_at(s.active, s.buying))
    s.buying = 0
    s.phase = Phase.BUY


def end_game(s):
    s.over = 1
    s.waiting = 0
    s.phase = Phase.OVER
