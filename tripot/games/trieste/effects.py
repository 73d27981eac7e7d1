"""What the cards of Trieste do: treasure changes hands, thieves are captured, and one function per verb."""

from tripot.core.news import tell, whisper
from tripot.core.pile import bag_size, take_random
from tripot.core.rng import roll
from tripot.games.trieste.actions import CARD, DECLINE, FOX, SMOKE, News
from tripot.games.trieste.cards import (
    BEFORE,
    COPPER,
    FACTION_BACK,
    FACTIONS,
    KINDS,
    MERCHANT,
    MOST_INFAMY,
    SEATS,
    SMOKE_BOMB,
    THIEF,
    TITLES,
    TREASURE_BACK,
    TREASURE_CARD,
    TREASURES,
    TYPE,
    VERB,
    WATCH,
    Hero,
    Type,
    Verb,
    card_at,
    kind_of,
)
from tripot.games.trieste.state import (
    Phase,
    Then,
    discard_own,
    discard_treasure,
    draw_own,
    draw_treasures,
    gain_drawn,
    gain_openly,
    hand_over,
    is_prey,
    locate,
    look_at,
    lose_openly,
    next_treasure,
    note,
    reshuffle,
)

# --- Questions ---------------------------------------------------------------


def ask(s, phase, faction):
    s.phase = phase
    s.waiting = 1 << s.seat_of[faction]


def clear_choice(s):
    s.left = 0
    for seat in range(SEATS):
        s.top[seat] = 0


def choose_cards(s, phase, count):
    """Asks for cards, one at a time and from high kinds to low."""
    s.left = count
    for seat in range(SEATS):
        s.top[seat] = KINDS - 1
    s.phase = phase


# --- Treasure from player to player ------------------------------------------


def share(size, part):
    """Returns one card in `part`, rounded up. [T-5]"""
    part = max(part, 1)
    return (size + part - 1) // part


def take_any(s, taker, giver, count):
    """Takes treasures at random. Returns how many were taken."""
    taken = min(count, s.hand_size[giver][TREASURE_BACK])
    for _ in range(taken):
        hand = s.hand[s.seat_of[giver]]
        left = roll(s, s.hand_size[giver][TREASURE_BACK])
        kind = COPPER
        while left >= hand[kind]:
            left -= hand[kind]
            kind += 1
        hand_over(s, giver, taker, kind)
    tell(s, News.MOVED, giver, taker, taken)
    return taken


def take_coppers(s, giver, count):
    """The Thief takes coppers face up; if there are fewer than asked, no copper is left. [T-5.8]"""
    taken = min(count, s.hand[s.seat_of[giver]][COPPER])
    for _ in range(taken):
        lose_openly(s, giver, COPPER)
        gain_openly(s, THIEF, COPPER)
    if taken < count:
        s.dear[giver] = s.hand_size[giver][TREASURE_BACK]
    tell(s, News.TOOK_COPPERS, giver, taken)
    return taken


# --- Captures ---------------------------------------------------------------- [T-2.7 T-5.1 T-5.2]


def aim_at_table(s, reach):
    """The revealed thief is threatened, if its level is low enough."""
    thief = s.table[THIEF]
    if TYPE[thief] == Type.CHARACTER and s.level[thief] <= reach:
        s.prey[kind_of(THIEF, thief) - TREASURES] = 1
    s.phase = Then.CAPTURES


def aim_at_hand(s, kind):
    """Undercover Agent has chosen a thief; Watch and Thief know which, the Merchant does not. [T-7.2]"""
    for seat in (s.seat_of[WATCH], s.seat_of[THIEF]):
        s.target[seat] = kind
        whisper(s, seat, News.YOUR_AIM, card_at(THIEF, kind))
    tell(s, News.AIMED)
    s.phase = Then.CAPTURES


def resolve_captures(s):
    """Asks the Thief about every capture in turn; then resolves what does not depend on them."""
    for title in range(TITLES):
        if s.prey[title] > 0:
            tell(s, News.THREATENED, card_at(THIEF, TREASURES + title))
            ask(s, Phase.REACT, THIEF)
            return
    if s.target[s.seat_of[THIEF]] > 0:
        ask(s, Phase.REACT, THIEF)
        return
    card = s.resolving
    if VERB[card] == Verb.RAID:
        lose_infamy(s, s.more[card])  # captured or not
    elif VERB[card] == Verb.SEARCH:
        draw_own(s, WATCH, s.left * s.more[card])
        s.left = 0
        for kind in range(KINDS):
            s.searched[kind] = 0
    s.phase = Then.RESOLVED


def from_table(s):
    """Whether the card being resolved captures from the table."""
    return VERB[s.resolving] == Verb.CAPTURE or VERB[s.resolving] == Verb.RAID


def legal_react(s, seat, mask):
    """Smoke Bomb from the hand, or The Fox for the revealed thief; declining is always possible. [T-5.2 T-6.4]"""
    mask[DECLINE] = 1
    if s.hand[seat][SMOKE_BOMB] > 0:
        mask[SMOKE] = 1
    if s.hero_up[THIEF] == Hero.FOX and from_table(s):
        mask[FOX] = 1


def react(s, action):
    """The Thief saves the character or lets it go; having nothing to save it with looks the same as letting go."""
    kind = s.target[s.seat_of[THIEF]]
    if kind > 0:
        s.target[s.seat_of[WATCH]] = 0
        s.target[s.seat_of[THIEF]] = 0
    else:
        kind = TREASURES
        while s.prey[kind - TREASURES] == 0:
            kind += 1
        s.prey[kind - TREASURES] -= 1
    if action == SMOKE:
        discard_own(s, THIEF, SMOKE_BOMB)
        tell(s, News.SMOKED)
    elif action == FOX:
        s.hero_up[THIEF] = Hero.NONE  # once per game [T-6.4 T-7.3]
        tell(s, News.FOXED)
    elif action == DECLINE:
        tell(s, News.NOT_SAVED)
        capture(s, kind)
    s.phase = Then.CAPTURES


def capture(s, kind):
    """Captures a thief from wherever it is; its effect is lost. [T-2.7]"""
    card = s.resolving
    if from_table(s):
        s.table[THIEF] = 0
        s.negated[THIEF] = 0
    elif VERB[card] == Verb.PROSECUTE:
        s.discard[THIEF][kind - TREASURES] -= 1
    else:
        lose_openly(s, THIEF, kind)
    s.captured[kind - TREASURES] += 1
    s.caught += 1
    tell(s, News.CAPTURED, card_at(THIEF, kind), bag_size(s.captured))
    draw_treasures(s, WATCH, s.bounty[1] + s.bounty[2])
    if VERB[card] == Verb.CAPTURE:
        draw_treasures(s, WATCH, s.amount[card])
    if VERB[card] == Verb.CAPTURE or VERB[card] == Verb.INFILTRATE:
        lose_infamy(s, s.more[card])


def gain_infamy(s, count):
    """Infamy stays between 0 and 9. [T-2.6]"""
    count = min(count, MOST_INFAMY - s.infamy)
    s.infamy += count
    tell(s, News.INFAMY, count, s.infamy)


def lose_infamy(s, count):
    count = min(count, s.infamy)
    if count > 0:
        if s.hero_up[THIEF] == Hero.NINE_TAILS and not s.shrugged:
            s.shrugged = 1  # one whole loss per turn [T-6.4]
            tell(s, News.NINE_TAILS)
        else:
            s.infamy -= count
            tell(s, News.INFAMY_LOST, count, s.infamy)


# --- The verbs --------------------------------------------------------------- [T-5]


def resolve_card(s, card):
    """Carries out a card's effect, up to its first question."""
    s.resolving = card
    s.phase = Then.RESOLVED  # unless a verb asks a question
    if card >= TREASURE_CARD:
        draw_treasures(s, s.active, card - TREASURE_CARD + 1)  # [T-3.4]
    elif s.active == WATCH:
        resolve_watch(s, card)
    elif s.active == MERCHANT:
        resolve_merchant(s, card)
    else:
        resolve_thief(s, card)


def resolve_watch(s, card):
    verb = VERB[card]
    if verb == Verb.CAPTURE:
        aim_at_table(s, s.reach[card] + (1 if s.hero_up[WATCH] == Hero.ANTONIA else 0))
    elif verb == Verb.RAID:
        aim_at_table(s, s.reach[card])
    elif verb == Verb.INFILTRATE:
        infiltrate(s, card)
    elif verb == Verb.TAX:
        demand(s, share(s.hand_size[MERCHANT][TREASURE_BACK], s.amount[card]))
    elif verb == Verb.PROSECUTE:
        choose_cards(s, Phase.TRIAL, s.amount[card])
    elif verb == Verb.SEARCH:
        search(s, card)
    elif verb == Verb.INSPECT:
        inspect(s, card)
    elif verb == Verb.BOUNTY:
        draw_treasures(s, WATCH, s.amount[card])
        s.bounty[0] += s.more[card]
    elif verb == Verb.CURFEW:
        draw_treasures(s, WATCH, s.amount[card])
        s.curfew[1] += s.more[card]
    elif verb == Verb.DRAW:
        draw_own(s, WATCH, s.more[card])
        draw_treasures(s, WATCH, s.amount[card])


def resolve_merchant(s, card):
    verb = VERB[card]
    amount = s.amount[card]
    if verb == Verb.SIFT:
        sift(s, amount, s.more[card])
    elif verb == Verb.VEND:
        draw_treasures(s, MERCHANT, s.more[card] if s.caught > 0 else amount)
    elif verb == Verb.DRAW:
        draw_own(s, MERCHANT, s.more[card])
        draw_treasures(s, MERCHANT, amount)
    elif verb == Verb.GUARD:
        draw_treasures(s, MERCHANT, amount)
        s.guarded = 1
        tell(s, News.GUARDED)
    elif verb == Verb.SALVAGE:
        choose_cards(s, Phase.SALVAGE, min(amount, bag_size(s.treasure_discard)))
    elif verb == Verb.BARGAIN:
        bargain(s, card)
    elif verb == Verb.BRIBE:
        open_cells(s, Phase.BRIBE)
    elif verb == Verb.INSURE:
        s.insured += 1
        s.premium += amount
    elif verb == Verb.VOYAGE:
        s.voyage += amount
    elif verb == Verb.SUE:
        take_any(s, MERCHANT, WATCH, amount)


def resolve_thief(s, card):
    verb = VERB[card]
    amount = s.amount[card]
    if verb == Verb.PINCH:
        pinch(s, amount)
    elif verb == Verb.PICKPOCKET:
        s.phase = Phase.VICTIM
    elif verb == Verb.ROB or verb == Verb.PLUNDER:
        rob(s, card)
    elif verb == Verb.FORGE:
        forge(s, amount)
    elif verb == Verb.RECALL:
        draw_treasures(s, THIEF, amount)
        choose_cards(s, Phase.RECALL, 1)
    elif verb == Verb.FENCE:
        choose_cards(s, Phase.FENCE, 1)
    elif verb == Verb.FREE:
        open_cells(s, Phase.FREE)
    elif verb == Verb.INFORM:
        draw_treasures(s, THIEF, amount)
        s.informed[1] = 1


def infiltrate(s, card):
    look_at(s, WATCH, THIEF)
    for kind in range(TREASURES, KINDS):
        if s.hand[s.seat_of[THIEF]][kind] > 0 and is_prey(s, kind, s.reach[card]):
            choose_cards(s, Phase.SEIZE, 1)
            return
    s.clean = s.hand_size[THIEF][FACTION_BACK]  # everyone can deduce that
    draw_own(s, WATCH, s.amount[card])


def search(s, card):
    """Shows random cards of the Thief's hand: thieves are threatened, the others are counted. [T-5.8]"""
    hand = s.hand[s.seat_of[THIEF]]
    size = bag_size(hand)
    picks = min(s.amount[card], size)
    for pick in range(picks):
        s.searched[take_random(s, hand, size - pick)] += 1
    for kind in range(KINDS):
        found = s.searched[kind]
        if found > 0:
            hand[kind] += found
            see_in_hand(s, kind, found)
            tell(s, News.SEARCHED, card_at(THIEF, kind), found)
            if kind >= TREASURES and is_prey(s, kind, s.reach[card]):
                s.prey[kind - TREASURES] = found
                picks -= found
    s.left = picks  # the rest are the other cards
    s.phase = Then.CAPTURES


def see_in_hand(s, kind, count):
    """Everyone sees that the Thief holds this many of a kind, which they may have known."""
    for seat in range(SEATS):
        if s.faction[seat] != THIEF:
            for _ in range(s.knows[seat][THIEF][kind], count):
                note(s, seat, THIEF, kind, 1)
                if kind < TREASURES:
                    locate(s, seat, kind)
    s.open[THIEF][kind] = max(s.open[THIEF][kind], count)


def inspect(s, card):
    """The Merchant pays treasure to let a paid card through; if there is no such card, the Watch draws. [T-5.6]"""
    revealed = s.table[MERCHANT]
    if revealed == 0 or revealed >= TREASURE_CARD or s.negated[MERCHANT]:
        draw_treasures(s, WATCH, s.more[card])
    elif s.hand_size[MERCHANT][TREASURE_BACK] == 0:
        refuse_toll(s)
    else:
        s.phase = Phase.TOLL


def apply_toll(s, action):
    s.phase = Then.RESOLVED
    if action == DECLINE:
        refuse_toll(s)
    else:
        pay_toll(s)


def refuse_toll(s):
    s.negated[MERCHANT] = 1
    tell(s, News.TOLL_REFUSED, s.table[MERCHANT])


def pay_toll(s):
    demand(s, max(1, share(s.hand_size[MERCHANT][TREASURE_BACK], s.amount[s.resolving])))


def demand(s, count):
    """The Merchant chooses treasures to give; the Exciseman draws once for them. [T-6.4]"""
    if count > 0:
        choose_cards(s, Phase.GIVE, count)


def sift(s, count, keep):
    """The Merchant draws some and keeps some, which nobody else sees. [T-5.8]"""
    for _ in range(count):
        found = next_treasure(s, MERCHANT)
        if found > 0:
            s.aside[s.seat_of[MERCHANT]][found - 1] += 1
            s.aside_size += 1
            if s.treasure_size == 0:
                reshuffle(s)
    if s.aside_size > 0:
        tell(s, News.DREW_TREASURE, MERCHANT, s.aside_size)
    if s.aside_size < count:
        tell(s, News.DRAW_LOST, MERCHANT, count - s.aside_size)
    if s.aside_size > keep:
        choose_cards(s, Phase.SIFT, s.aside_size - keep)
    else:
        keep_aside(s)


def keep_aside(s):
    aside = s.aside[s.seat_of[MERCHANT]]
    tell(s, News.KEPT, s.aside_size)
    for kind in range(TREASURES):
        for _ in range(aside[kind]):
            gain_drawn(s, MERCHANT, kind)
        aside[kind] = 0
    s.aside_size = 0
    s.stale = 0
    s.phase = Then.RESOLVED


def discard_aside(s, kind):
    """Everyone sees what is discarded, and that it came straight from the deck."""
    s.aside[s.seat_of[MERCHANT]][kind] -= 1
    s.aside_size -= 1
    s.treasure_discard[kind] += 1
    tell(s, News.DISCARDED, MERCHANT, TREASURE_CARD + kind)
    for seat in range(SEATS):
        if s.faction[seat] != MERCHANT:
            if s.stale == 0:
                s.fresh[seat][kind] -= 1
            else:
                locate(s, seat, kind)


def may_replay(s, card, reach):
    """Whether Grand Bargain may choose this card: never itself. [T-5.4 T-7.4]"""
    return TYPE[card] == Type.ACTION and s.level[card] <= reach and VERB[card] != Verb.BARGAIN


def bargain(s, card):
    """Exactly two action cards of the discard pile, or nothing. [T-5.4]"""
    found = 0
    for title in range(TITLES):
        if may_replay(s, card_at(MERCHANT, TREASURES + title), s.reach[card]):
            found += s.discard[MERCHANT][title]
    if found >= 2:
        choose_cards(s, Phase.BARGAIN, 2)
    else:
        tell(s, News.NO_EFFECT, card)


def replay(s, number):
    """Plays one of the two again."""
    s.replayed = number + 1
    tell(s, News.RESOLVES, MERCHANT, s.bargain[number])
    resolve_card(s, s.bargain[number])


def open_cells(s, phase):
    """Bribe and Jailbreak take a captured thief, unless the Gaoler is in play. [T-6.4]"""
    if s.hero_up[WATCH] == Hero.GAOLER:
        tell(s, News.NO_EFFECT, s.resolving)
    else:
        choose_cards(s, phase, 1)


def pinch(s, count):
    """Coppers from the Merchant and, with Caterina, one from the Watch."""
    if not s.guarded:
        s.lost += take_coppers(s, MERCHANT, count)
    if s.hero_up[THIEF] == Hero.CATERINA:
        take_coppers(s, WATCH, 1)


def can_rob(s, faction):
    """Whether Pickpocket finds anything there. [T-7.5]"""
    return s.hand_size[faction][TREASURE_BACK] > 0 and not (faction == MERCHANT and s.guarded)


def settle_victim(s):
    """The Thief names Watch or Merchant, robbed or not, unless nothing can be taken from either. [T-7.5]"""
    watch = can_rob(s, WATCH)
    merchant = can_rob(s, MERCHANT)
    if (watch and merchant) or (s.any_victim and (watch or merchant)):
        ask(s, Phase.VICTIM, THIEF)
    elif watch:
        pick_pocket(s, WATCH)
    elif merchant:
        pick_pocket(s, MERCHANT)
    else:
        tell(s, News.NO_EFFECT, s.resolving)
        s.phase = Then.RESOLVED


def pick_pocket(s, faction):
    """Robs the player named, if there is anything to take. [T-5.8 T-7.5]"""
    tell(s, News.VICTIM, faction)
    s.phase = Then.RESOLVED
    if not can_rob(s, faction):
        tell(s, News.NO_EFFECT, s.resolving)
        return
    taken = take_any(s, THIEF, faction, s.amount[s.resolving])
    if faction == MERCHANT:
        s.lost += taken


def rob(s, card):
    if not s.guarded:
        count = share(s.hand_size[MERCHANT][TREASURE_BACK], s.amount[card])
        s.lost += take_any(s, THIEF, MERCHANT, max(count, s.more[card]))
    if VERB[card] == Verb.PLUNDER:
        take_any(s, THIEF, WATCH, 1)


def forge(s, count):
    if not s.guarded:
        look_at(s, THIEF, MERCHANT)
        choose_cards(s, Phase.STRIP, min(count, s.hand_size[MERCHANT][TREASURE_BACK]))


# --- Choosing a card for an effect ------------------------------------------- [T-5.3]


def legal_choice(s, mask):
    if s.phase == Phase.TRIAL:
        mask[DECLINE] = 1  # up to two
    for kind in range(KINDS):
        if may_choose(s, kind):
            mask[CARD + kind] = 1


def may_choose(s, kind):
    """Whether the open question can be answered with this kind of card."""
    if s.phase == Phase.DROP:
        return s.hand[s.seat_of[MERCHANT]][kind] > 0
    if kind < TREASURES:
        return may_choose_treasure(s, kind)
    title = kind - TREASURES
    if s.phase == Phase.FENCE:
        return s.hand[s.seat_of[THIEF]][kind] > 0
    if s.phase == Phase.SEIZE:
        return s.knows[s.seat_of[WATCH]][THIEF][kind] > 0 and is_prey(s, kind, s.reach[s.resolving])
    if s.phase == Phase.TRIAL:
        free = s.discard[THIEF][title] > s.prey[title] and kind <= s.top[s.seat_of[WATCH]]
        return free and is_prey(s, kind, s.reach[s.resolving])
    if s.phase == Phase.BARGAIN:
        return s.discard[MERCHANT][title] > 0 and may_replay(s, card_at(MERCHANT, kind), s.reach[s.resolving])
    if s.phase == Phase.RECALL:
        return s.discard[THIEF][title] > 0 and TYPE[BEFORE[THIEF] + kind] == Type.CHARACTER
    if s.phase == Phase.BRIBE or s.phase == Phase.FREE:
        return s.captured[title] > 0
    return False


def may_choose_treasure(s, kind):
    seat = s.seat_of[MERCHANT]
    if s.phase == Phase.GIVE:
        return goes_next(s, s.hand[seat], kind, s.top[seat])
    if s.phase == Phase.SIFT:
        return goes_next(s, s.aside[seat], kind, s.top[seat])
    if s.phase == Phase.SALVAGE:
        return goes_next(s, s.treasure_discard, kind, s.top[seat])
    if s.phase == Phase.STRIP:
        seat = s.seat_of[THIEF]
        return goes_next(s, s.knows[seat][MERCHANT], kind, s.top[seat])
    return False


def goes_next(s, bag, kind, top):
    """Several cards are chosen from high to low, so that each choice has one order; enough must remain."""
    if kind > top or bag[kind] == 0:
        return False
    remaining = 0
    for lower in range(kind + 1):
        remaining += bag[lower]
    return remaining >= s.left


def settle_choice(s):
    """Skips a question without choices; makes a single choice itself unless that would reveal something. [T-5.3]"""
    options = 0
    only = 0
    for kind in range(KINDS):
        if may_choose(s, kind):
            options += 1
            only = kind
    if options == 0 or s.left == 0:
        if s.phase != Phase.TRIAL:
            tell(s, News.NO_EFFECT, s.resolving)
        skip_choice(s)
    elif options == 1 and is_forced(s):
        choose(s, only)
    else:
        ask(s, s.phase, MERCHANT if s.phase == Phase.GIVE else s.active)


def skip_choice(s):
    clear_choice(s)
    if s.phase == Phase.DROP:
        s.phase = Then.STEP_DONE
    elif s.phase == Phase.TRIAL:
        s.phase = Then.CAPTURES
    else:
        s.phase = Then.RESOLVED


def is_forced(s):
    """Whether everyone can see that there is only one choice."""
    if s.phase == Phase.GIVE or s.phase == Phase.STRIP:
        return s.hand_size[MERCHANT][TREASURE_BACK] == s.left
    if s.phase == Phase.SIFT:
        return s.aside_size == s.left
    if s.phase == Phase.FENCE:
        return s.hand_size[THIEF][FACTION_BACK] == 1
    if s.phase == Phase.DROP:
        return s.hand_size[MERCHANT][TREASURE_BACK] + s.hand_size[MERCHANT][FACTION_BACK] == 1
    return s.phase != Phase.SEIZE and s.phase != Phase.TRIAL


def choose(s, kind):
    """A card is chosen; after the last one the effect continues."""
    s.left = max(s.left - 1, 0)
    if s.phase != Phase.SEIZE:  # the Merchant does not see which thief is chosen …
        for faction in range(FACTIONS):
            if s.phase != Phase.GIVE or faction != THIEF:  # … nor the Thief what is given
                s.top[s.seat_of[faction]] = kind
    if s.phase == Phase.GIVE:
        give(s, kind)
    elif s.phase == Phase.SIFT:
        discard_aside(s, kind)
        if s.left == 0:
            keep_aside(s)
    elif s.phase == Phase.STRIP:
        discard_treasure(s, MERCHANT, kind)
        s.lost += 1
        tell(s, News.DISCARDED, MERCHANT, TREASURE_CARD + kind)
    elif s.phase == Phase.SEIZE:
        aim_at_hand(s, kind)
    elif s.phase == Phase.TRIAL:
        s.prey[kind - TREASURES] += 1
    elif s.phase == Phase.BARGAIN:
        choose_replay(s, kind)
    elif s.phase == Phase.DROP:
        drop(s, kind)
    else:
        take_or_move(s, kind)
    if s.left == 0 and s.phase >= Phase.SEIZE and s.phase < Phase.OVER:
        skip_choice(s)


def give(s, kind):
    hand_over(s, MERCHANT, WATCH, kind)
    tell(s, News.MOVED, MERCHANT, WATCH, 1)
    if s.left == 0 and s.hero_up[WATCH] == Hero.EXCISEMAN:
        draw_treasures(s, WATCH, 1)


def choose_replay(s, kind):
    card = card_at(MERCHANT, kind)
    s.discard[MERCHANT][kind - TREASURES] -= 1  # a card being resolved lies in no pile [T-5.1]
    tell(s, News.BARGAINED, card)
    if s.left == 1:
        s.bargain[0] = card
    else:
        s.bargain[1] = card
        replay(s, 0)


def drop(s, kind):
    if kind < TREASURES:
        discard_treasure(s, MERCHANT, kind)
    else:
        discard_own(s, MERCHANT, kind)
    tell(s, News.DISCARDED, MERCHANT, card_at(MERCHANT, kind))


def take_or_move(s, kind):
    """Smuggler, Bribe, Decoy, Fence and Jailbreak: everyone sees which card goes where. [T-5.8]"""
    title = kind - TREASURES
    if s.phase == Phase.SALVAGE:
        s.treasure_discard[kind] -= 1
        gain_openly(s, MERCHANT, kind)
        tell(s, News.SALVAGED, TREASURE_CARD + kind)
    elif s.phase == Phase.BRIBE:
        s.captured[title] -= 1
        s.discard[THIEF][title] += 1
        tell(s, News.BRIBED, card_at(THIEF, kind))
    elif s.phase == Phase.RECALL:
        s.discard[THIEF][title] -= 1
        gain_openly(s, THIEF, kind)
        tell(s, News.RECALLED, card_at(THIEF, kind))
    elif s.phase == Phase.FENCE:
        discard_own(s, THIEF, kind)
        tell(s, News.DISCARDED, THIEF, card_at(THIEF, kind))
        draw_treasures(s, THIEF, s.amount[s.resolving])
    elif s.phase == Phase.FREE:
        s.captured[title] -= 1
        gain_openly(s, THIEF, kind)
        tell(s, News.FREED, card_at(THIEF, kind))
