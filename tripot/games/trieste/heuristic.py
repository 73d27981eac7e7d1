"""A page of common sense for Trieste. A rule module: it sees a view, never a state.

Everything is weighed in tenths of a treasure, and the best is chosen. A card to be played is weighed with some luck, so
that Watch and Thief do not read each other like a book.
"""

from tripot.core.pile import bag_size
from tripot.core.rng import roll
from tripot.games.trieste.actions import CARD, DECLINE, DRAW_OWN, FOX, PAY_TOLL, REVEAL, ROB_FROM, SMOKE
from tripot.games.trieste.cards import (
    CAPTURES_TO_WIN,
    FACTION_BACK,
    KINDS,
    MERCHANT,
    MOST_INFAMY,
    PLAYABLE,
    RICHES,
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
)
from tripot.games.trieste.effects import can_rob, share
from tripot.games.trieste.phases import price, prison_cost
from tripot.games.trieste.state import Phase, is_prey, worth

TREASURE = 10
AVERAGE = 14  # what a treasure drawn from the deck is worth
OWN_CARD = 9  # a card of the own deck in hand
LEVEL = 22  # Infamy to the Thief, for each level
CATCH = 55  # a captured thief to the Watch
PAID = (4, 6, 7)  # a treasure spent on a card, by faction
HELD = (7, 3, 7)  # own cards in hand that a faction likes to have before it draws treasure
NEVER = -1000
NEAR = 6  # treasure short of victory at which the Merchant starts to protect the hand
TOLL = 4  # treasures that the Merchant gives at a checkpoint rather than be stopped: most cards draw no more
BLUFF = 12  # how much luck there is in choosing a card to play


def choose(view, mask, memory):
    best = -1
    choice = 0
    spread = 32 * BLUFF if view.phase == Phase.PLAY else 32
    for action in range(len(mask)):
        if mask[action]:
            value = 1000000 + 32 * weigh(view, action) + roll(memory, spread)
            if value > best:
                best = value
                choice = action
    return choice


def weigh(view, action):
    """What a decision is worth, in tenths of a treasure."""
    faction = view.faction[view.seat]
    phase = view.phase
    if phase == Phase.DRAW:
        return weigh_draw(view, faction, action)
    if phase == Phase.PLAY:
        return weigh_play(view, faction, action)
    if phase == Phase.BUY:
        return weigh_buy(view, faction, action)
    if phase == Phase.REACT:
        return weigh_reaction(view, action)
    if phase == Phase.REVEAL:
        return 1 if action == REVEAL else 0
    if phase == Phase.VICTIM:
        return weigh_victim(view, action - ROB_FROM)
    if phase == Phase.TOLL:
        return weigh_toll(view, action)
    return weigh_choice(view, faction, action - CARD) if action >= CARD else 0


# --- How the others stand ----------------------------------------------------


def my_money(view):
    return worth(view.my_hand)


def merchant_lacks(view):
    """What the Merchant, as far as one can see, still needs to win."""
    held = worth(view.my_hand)
    if view.faction[view.seat] != MERCHANT:
        known = worth(view.my_knows[MERCHANT])
        unknown = view.hand_size[MERCHANT][TREASURE_BACK] - bag_size_of_treasure(view.my_knows[MERCHANT])
        held = known + unknown * AVERAGE // TREASURE
    return max(RICHES + prison_cost(view) - held, 0)


def bag_size_of_treasure(hand):
    return hand[0] + hand[1] + hand[2] + hand[3]


def merchant_alarm(view):
    """Returns what one treasure less in the Merchant's hand is worth to the others: more near their victory."""
    lacks = merchant_lacks(view)
    return 22 if lacks <= 2 else 10 if lacks <= 5 else 6


def catch_value(view):
    """Returns what a capture is worth to the Watch: more when the Watch or the Thief is near victory."""
    value = CATCH
    if view.infamy >= MOST_INFAMY - 3:
        value += 10
    if bag_size(view.captured) >= CAPTURES_TO_WIN - 2:
        value += 10
    return value


def infamy_value(view):
    return 25 if view.infamy >= MOST_INFAMY - 3 else 8 if view.infamy > 0 else 0


# --- Drawing, playing, buying back -------------------------------------------


def weigh_draw(view, faction, action):
    """Cards to play while there are few, treasure otherwise; the Merchant's cards bring more than a draw does."""
    own = 0
    for kind in range(TREASURES, KINDS):
        if view.my_hand[kind] > 0 and PLAYABLE[card_at(faction, kind)]:
            own += view.my_hand[kind]
    if action == DRAW_OWN:
        return 8 * (HELD[faction] - own)
    need = 12 if faction == MERCHANT else 3 * (4 - my_money(view))
    return need


def weigh_play(view, faction, action):
    if action == DECLINE:
        return 0
    kind = action - CARD
    if kind < TREASURES:
        return 2 if kind == 0 else 7  # one for one, or two for one
    card = card_at(faction, kind)
    cost = price(view, faction, card)
    if cost > my_money(view):
        return NEVER
    paid = PAID[faction] * cost
    if faction == WATCH:
        return weigh_watch(view, card) - paid
    if faction == MERCHANT:
        return weigh_merchant(view, card) - paid
    return weigh_thief(view, card) - paid


def weigh_buy(view, faction, action):
    """Characters that pay their price come back, as long as enough is left to play them."""
    if action == DECLINE:
        return 0
    card = card_at(faction, action - CARD)
    cost = price(view, faction, card)
    if cost == 0:
        return 50
    if view.my_hand[action - CARD] > 0:
        return NEVER
    if faction == MERCHANT:
        return weigh_merchant(view, card) - 2 * TREASURE * cost - 8  # paid once more when it is played
    left = my_money(view) - cost
    if faction == WATCH:
        return 10 if left >= 2 * cost + 1 else NEVER
    return 10 * view.level[card] if left >= cost else NEVER


# --- The Watch ---------------------------------------------------------------


def meets(view, reach):
    """Out of a hundred: how likely the Thief reveals a character up to this level."""
    if view.face_down[THIEF] == 1 + TREASURE_BACK:
        return 0
    base = 40 if reach <= 1 else 72 if reach == 2 else 76
    return base if view.hand_size[THIEF][FACTION_BACK] + view.face_down[THIEF] > 0 else 0


def in_hand(view, reach):
    """Out of a hundred: how likely the Thief holds a character up to this level."""
    for kind in range(TREASURES, KINDS):
        if view.my_knows[THIEF][kind] > 0 and is_prey(view, kind, reach):
            return 95
    cards = view.hand_size[THIEF][FACTION_BACK] - view.clean - 1  # the Thief plays one of them first
    return 0 if cards <= 0 else 55 if cards == 1 else 75 if cards == 2 else 88


def weigh_watch(view, card):
    verb = VERB[card]
    reach = view.reach[card] + (1 if verb == Verb.CAPTURE and view.hero_up[WATCH] == Hero.ANTONIA else 0)
    catch = catch_value(view)
    if verb == Verb.CAPTURE:
        return meets(view, reach) * (catch + 10 * view.amount[card] + view.more[card] * infamy_value(view)) // 100
    if verb == Verb.RAID:
        return meets(view, reach) * catch // 100 + view.more[card] * infamy_value(view)
    if verb == Verb.INFILTRATE:
        return in_hand(view, reach) * (catch + view.more[card] * infamy_value(view)) // 100
    if verb == Verb.PROSECUTE:
        return min(triable(view, reach), view.amount[card]) * (catch - 4)
    if verb == Verb.SEARCH:
        cards = view.hand_size[THIEF][FACTION_BACK]
        hits = 60 * cards * view.amount[card] // max(cards + view.hand_size[THIEF][TREASURE_BACK], view.amount[card])
        return hits * catch // 100 + (100 * view.amount[card] - hits) * OWN_CARD // 100
    held = view.hand_size[MERCHANT][TREASURE_BACK]
    if verb == Verb.TAX:
        return share(held, view.amount[card]) * (6 + merchant_alarm(view))
    if verb == Verb.INSPECT:
        return 10 + min(share(held, view.amount[card]), TOLL) * (4 + merchant_alarm(view) // 2)
    if verb == Verb.BOUNTY:
        return 7 * view.amount[card] + 8 * view.more[card]
    if verb == Verb.CURFEW:
        return 7 * view.amount[card] + 8 * view.more[card]
    return 7 * view.amount[card] + OWN_CARD * view.more[card] - 2 * view.hand_size[WATCH][FACTION_BACK]


def triable(view, reach):
    """Characters in the Thief's discard pile that the Magistrate can capture."""
    count = 0
    for title in range(TITLES):
        if is_prey(view, TREASURES + title, reach):
            count += view.discard[THIEF][title]
    return count


# --- The Merchant ------------------------------------------------------------


def expected_loss(view):
    """What the Thief is likely to cost the Merchant this turn."""
    if view.hand_size[THIEF][FACTION_BACK] == 0:
        return 0
    return 7 * min(view.hand_size[MERCHANT][TREASURE_BACK], 3)


def weigh_merchant(view, card):
    """What a card brings, its cost apart."""
    verb = VERB[card]
    amount = view.amount[card]
    if verb == Verb.SIFT:
        kept = min(view.more[card], amount)
        return kept * AVERAGE + 3 * (amount - kept)
    if verb == Verb.VEND:
        return (amount + view.more[card]) * AVERAGE // 2
    if verb == Verb.DRAW:
        return amount * AVERAGE
    if verb == Verb.GUARD:
        return amount * AVERAGE + expected_loss(view) + (20 if merchant_lacks(view) <= NEAR else 0)
    if verb == Verb.SALVAGE:
        return TREASURE * best_treasures(view.treasure_discard, amount)
    if verb == Verb.BARGAIN:
        return weigh_bargain(view, card)
    if verb == Verb.BRIBE:
        return weigh_bribe(view)
    if verb == Verb.INSURE:
        return amount * AVERAGE + expected_loss(view) + (10 if merchant_lacks(view) <= NEAR else 0)
    if verb == Verb.VOYAGE:
        return amount * AVERAGE - 12
    return 12 * amount if view.hand_size[WATCH][TREASURE_BACK] > 0 else 0


def best_treasures(bag, count):
    """The worth of the dearest treasures of a pile, at most this many."""
    found = 0
    left = count
    for below in range(TREASURES):
        kind = TREASURES - 1 - below
        taken = min(bag[kind], left)
        found += (kind + 1) * taken
        left -= taken
    return found


def weigh_bribe(view):
    """A thief set free lowers the goal by its level, and keeps the Watch from its own."""
    highest = 0
    for title in range(TITLES):
        if view.captured[title] > 0:
            highest = max(highest, view.level[card_at(THIEF, TREASURES + title)])
    if highest == 0 or view.hero_up[WATCH] == Hero.GAOLER:
        return NEVER
    if view.hero_up[MERCHANT] == Hero.JACOPO:
        highest = 1
    return 12 * highest + (25 if bag_size(view.captured) >= CAPTURES_TO_WIN - 1 else 0)


def weigh_bargain(view, card):
    """The two best action cards of the pile."""
    best = 0
    second = 0
    for title in range(TITLES):
        again = card_at(MERCHANT, TREASURES + title)
        if TYPE[again] == Type.ACTION and view.level[again] <= view.reach[card] and VERB[again] != Verb.BARGAIN:
            value = max(weigh_merchant_action(view, again), 1)
            for _ in range(view.discard[MERCHANT][title]):
                if value > best:
                    second = best
                    best = value
                elif value > second:
                    second = value
    return best + second if second > 0 else NEVER


def weigh_merchant_action(view, card):
    """The same as `weigh_merchant` for the cards that Grand Bargain plays again."""
    verb = VERB[card]
    amount = view.amount[card]
    if verb == Verb.SIFT:
        kept = min(view.more[card], amount)
        return kept * AVERAGE + 3 * (amount - kept)
    if verb == Verb.BRIBE:
        return weigh_bribe(view)
    if verb == Verb.INSURE:
        return amount * AVERAGE + expected_loss(view)
    if verb == Verb.VOYAGE:
        return amount * AVERAGE - 12
    return 12 * amount if view.hand_size[WATCH][TREASURE_BACK] > 0 else 0


def weigh_toll(view, action):
    """Let the card through if it brings more than it costs."""
    given = max(1, share(view.hand_size[MERCHANT][TREASURE_BACK], view.amount[view.resolving]))
    value = weigh_merchant(view, view.table[MERCHANT]) - TREASURE * given
    return value if action == PAY_TOLL else 0


# --- The Thief ---------------------------------------------------------------


def danger(view, level):
    """Out of a hundred: how likely the Watch captures a character of this level as it is revealed."""
    if view.my_hand[SMOKE_BOMB] > 0 or view.hero_up[THIEF] == Hero.FOX:
        return 5
    shown = view.table[WATCH]
    if shown >= TREASURE_CARD:
        return 0
    if shown > 0:  # the Informer has told
        reach = view.reach[shown] + (1 if view.hero_up[WATCH] == Hero.ANTONIA else 0)
        hunts = VERB[shown] == Verb.CAPTURE or VERB[shown] == Verb.RAID
        return 100 if hunts and level <= reach else 0
    if view.face_down[WATCH] == 1 + TREASURE_BACK or view.face_down[WATCH] == 0:
        return 0
    return 35 if level <= 1 else 22 if level == 2 else 10


def weigh_thief(view, card):
    verb = VERB[card]
    level = view.level[card]
    gain = weigh_loot(view, card)
    if TYPE[card] != Type.CHARACTER:
        return gain
    infamy = level * LEVEL
    if view.infamy + level >= MOST_INFAMY:
        infamy += 40
    lost = 10 + 10 * level + (30 if bag_size(view.captured) >= CAPTURES_TO_WIN - 1 else 0)
    risk = danger(view, level)
    return ((100 - risk) * (infamy + gain) - risk * lost) // 100 + (3 if verb == Verb.FORGE else 0)


def weigh_loot(view, card):
    """What a card brings beside Infamy."""
    verb = VERB[card]
    amount = view.amount[card]
    held = view.hand_size[MERCHANT][TREASURE_BACK]
    alarm = merchant_alarm(view)
    if verb == Verb.PINCH:
        return min(amount, held) * (4 + alarm // 2)
    if verb == Verb.PICKPOCKET:
        return amount * (6 + alarm // 2)
    if verb == Verb.ROB or verb == Verb.PLUNDER:
        return max(share(held, amount), view.more[card]) * (9 + alarm)
    if verb == Verb.FORGE:
        return min(amount, held) * alarm
    if verb == Verb.RECALL:
        return 7 * amount + (18 if triable(view, 3) > 0 else 0)
    if verb == Verb.FENCE:
        return 7 * amount - 10 if view.hand_size[THIEF][FACTION_BACK] > 2 else NEVER
    if verb == Verb.FREE:
        return weigh_jailbreak(view)
    return 7 * amount + 14


def weigh_jailbreak(view):
    count = bag_size(view.captured)
    if count == 0 or view.hero_up[WATCH] == Hero.GAOLER:
        return NEVER
    return 20 + (60 if count >= CAPTURES_TO_WIN - 1 else 10 if count >= CAPTURES_TO_WIN - 2 else 0)


def weigh_reaction(view, action):
    """A bomb for a thief of weight, or when the Watch is about to win; The Fox before the bomb."""
    if action == DECLINE:
        return 0
    level = 1
    for title in range(TITLES):
        if view.prey[title] > 0:
            level = view.level[card_at(THIEF, TREASURES + title)]
            break
    if view.my_target > 0:
        level = view.level[card_at(THIEF, view.my_target)]
    value = 10 * level + (40 if bag_size(view.captured) >= CAPTURES_TO_WIN - 2 else 0)
    if VERB[view.resolving] == Verb.CAPTURE or VERB[view.resolving] == Verb.RAID:
        value += 10 * level + (40 if view.infamy + level >= MOST_INFAMY else 0)
    if action == FOX:
        value += 5
    return value - (18 if action == SMOKE else 0)


def weigh_victim(view, faction):
    if not can_rob(view, faction):
        return 0
    held = view.hand_size[faction][TREASURE_BACK]
    value = 5 * min(held, 2)
    if faction == MERCHANT:
        value += merchant_alarm(view) - 12 * view.insured
    return value


# --- Choosing a card ---------------------------------------------------------


def weigh_choice(view, faction, kind):
    """What to pay, give, keep, take or discard."""
    phase = view.phase
    if phase == Phase.PAY:
        return -kind if faction == MERCHANT else kind
    if phase == Phase.GIVE or phase == Phase.SIFT:
        return -kind
    if phase == Phase.SALVAGE or phase == Phase.STRIP:
        return kind
    if phase == Phase.BARGAIN:
        return weigh_merchant_action(view, card_at(MERCHANT, kind))
    if phase == Phase.DROP:
        return -TREASURE * (kind + 1) if kind < TREASURES else -weigh_merchant(view, card_at(MERCHANT, kind))
    card = card_at(THIEF, kind)
    if phase == Phase.FENCE:
        return -10 * view.level[card] - (25 if TYPE[card] == Type.CHARACTER else 0) - (20 if kind == SMOKE_BOMB else 0)
    if phase == Phase.RECALL or phase == Phase.FREE:
        return 10 * view.level[card] - 6 * max(price(view, THIEF, card) - my_money(view), 0)
    return 10 * view.level[card]  # whom to capture, whom to bribe free
