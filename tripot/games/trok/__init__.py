"""Trök: equipment and improvements, for two to six. The game as one object, and how a seat imagines hidden cards."""

from pathlib import Path

from tripot.core.game import IMAGINATION, Evaluation, Game, Stages
from tripot.core.pile import bag_size, take_random
from tripot.core.rng import roll, seed_luck
from tripot.games.trok import evaluation, heuristic, text
from tripot.games.trok.actions import NUM_ACTIONS
from tripot.games.trok.cards import GEARS, OFFERED
from tripot.games.trok.phases import apply, deal, decide, legal, settle, settle_step, step_kind
from tripot.games.trok.state import FIELDS, Options, Phase

SECOND_THOUGHTS = 2  # passes that settle every shown card again; more made no measurable difference


def imagine(view, s, seed):
    """Fills in what the seat does not see, with the probabilities that its view implies.

    A card that a player shows, gives or offers counts as drawn at random from that player's hand.
    """
    seed_luck(s, seed, IMAGINATION)
    gather_unknown(view, s)
    settle_shown(view, s)
    while not settle_gift(view, s):  # the real cards are one solution, so this loop ends
        gather_unknown(view, s)
        settle_shown(view, s)
    for seat in range(s.seats):
        if seat != view.seat:
            deal_unknown(s, seat)
            fill_hand(view, s, seat)
            if s.phase == Phase.COMMIT and not s.waiting >> seat & 1:
                choose_blindly(s, seat)
    seed_luck(s, roll(s, 1 << 31), IMAGINATION + 1)  # future random numbers


def gather_unknown(view, s):
    """Collects all unknown cards: older ones in `loose`, fresh ones in `deck`; empties the other hands."""
    for kind in range(GEARS):
        s.loose[kind] = view.older[kind] - view.my_drew_before[kind]
        s.deck[kind] = view.fresh[kind] - view.my_drew[kind]
        for seat in range(s.seats):
            if seat != view.seat:
                s.drew_before[seat][kind] = 0
                s.drew[seat][kind] = 0


# --- Cards dealt before the deck ran out, or after --------------------------- [K-2.4]

# A card of some kind dealt to some seat is the number seat * GEARS + kind. It is an old one (0) or a new one (1):
# to *settle* it is to decide which.


def old_slots(s, seat):
    """Returns the number of cards dealt to a seat from earlier decks that are not settled yet."""
    return s.drawn_before[seat] - bag_size(s.drew_before[seat])


def new_slots(s, seat):
    return s.drawn[seat] - bag_size(s.drew[seat])


def ways(s, card, new):
    """Returns in how many ways a card could be old, or new: the seat's unsettled cards times the cards of the kind."""
    seat = card // GEARS
    kind = card % GEARS
    return new_slots(s, seat) * s.deck[kind] if new else old_slots(s, seat) * s.loose[kind]


def old_weight(s, card):
    """Returns the weight of a card being old, relative to `new_weight`."""
    return ways(s, card, 0) * max(bag_size(s.deck), 1)


def new_weight(s, card):
    return ways(s, card, 1) * max(bag_size(s.loose), 1)


def settle_card(s, card, new, count):
    """Settles a card as old or new; a count of -1 undoes that."""
    seat = card // GEARS
    kind = card % GEARS
    if new:
        s.deck[kind] -= count
        s.drew[seat][kind] += count
    else:
        s.loose[kind] -= count
        s.drew_before[seat][kind] += count


def settle_shown(view, s):
    """Settles every dealt card that others have shown.

    Settling once in order would ignore the later cards while settling the first, so random pairs are settled again
    given all others (Gibbs sampling).
    """
    settle_open(view, s)
    shown = count_settled(view, s)
    if bag_size(view.older) > 0 and shown > 1:
        for _ in range(SECOND_THOUGHTS * shown):
            first = unsettle_any(view, s)
            settle_two(s, first, unsettle_any(view, s))


def settle_open(view, s):
    """Settles the shown cards that are not settled yet, except those of a gift's receiver, which follow the gift."""
    again = True
    while again:
        again = False
        for seat in range(s.seats):
            if seat != view.seat and seat != view.receiver - 1:
                for kind in range(GEARS):
                    while s.drew_before[seat][kind] + s.drew[seat][kind] < view.surfaced[seat][kind]:
                        old = old_weight(s, seat * GEARS + kind)
                        new = new_weight(s, seat * GEARS + kind)
                        if old + new > 0:
                            settle_card(s, seat * GEARS + kind, 0 if roll(s, old + new) < old else 1, 1)
                        else:
                            unsettle_any(view, s)  # sooner or later the one that is in the way
                            again = True


def count_settled(view, s):
    settled = 0
    for seat in range(s.seats):
        if seat != view.seat:
            settled += bag_size(s.drew_before[seat]) + bag_size(s.drew[seat])
    return settled


def unsettle_any(view, s):
    """Undoes the settling of a random card and returns that card."""
    skip = roll(s, count_settled(view, s))
    card = 0
    new = 0
    while True:
        seat = card // GEARS
        count = 0
        if seat != view.seat:
            count = s.drew[seat][card % GEARS] if new else s.drew_before[seat][card % GEARS]
        if skip < count:
            settle_card(s, card, new, -1)
            return card
        skip -= count
        card += new
        new = 1 - new


def settle_two(s, first, second):
    """Settles two cards together."""
    total = 0
    for how in range(4):
        total += weight_of_two(s, first, second, how)
    luck = roll(s, total)
    how = 0
    while luck >= weight_of_two(s, first, second, how):
        luck -= weight_of_two(s, first, second, how)
        how += 1
    settle_card(s, first, how & 1, 1)
    settle_card(s, second, how >> 1, 1)


def weight_of_two(s, first, second, how):
    """Returns the weight of two cards being old (0) or new (1): the lower bit of `how` is the first card."""
    olds = bag_size(s.loose)
    news = bag_size(s.deck)
    weight = ways(s, first, how & 1)
    settle_card(s, first, how & 1, 1)
    weight *= ways(s, second, how >> 1)
    settle_card(s, first, how & 1, -1)
    if how == 0:
        return weight * news * max(news - 1, 1)
    if how == 3:
        return weight * olds * max(olds - 1, 1)
    return weight * max(olds - 1, 1) * max(news - 1, 1)


# --- The card given to the one who was short --------------------------------- [K-3.10]


def settle_gift(view, s):
    """Decides what the trade master gave, and whether it was shown since. Returns False if there is no way."""
    if view.receiver == 0:
        return True
    receiver = view.receiver - 1
    unshown = 1  # nothing shows that the gift has left the receiver's hand
    if receiver != view.seat:
        for kind in range(GEARS):
            for _ in range(view.surfaced[receiver][kind]):
                dealt = new_weight(s, receiver * GEARS + kind) * cards_to_give(view, s)
                gift = unshown * gift_weight(view, s, kind)
                if gift + dealt == 0:
                    return False
                if roll(s, gift + dealt) < dealt:
                    settle_card(s, receiver * GEARS + kind, 1, 1)
                else:
                    take_gift(view, s, kind)
                    unshown = 0
    return unshown == 0 or draw_gift(view, s)


def knows_gift(view):
    return view.seat == view.master or view.seat == view.receiver - 1


def cards_to_give(view, s):
    """Returns how many cards the gift may be, for a seat that does not know it."""
    return 1 if knows_gift(view) else bag_size(view.known[view.master]) + new_slots(s, view.master)


def gift_weight(view, s, kind):
    """Returns the weight of the gift being of this kind, relative to `new_weight` for each card that could be given."""
    cards = max(bag_size(s.deck), 1)
    if knows_gift(view):
        return cards if kind == view.my_gift - 1 else 0
    return view.known[view.master][kind] * cards + new_weight(s, view.master * GEARS + kind)


def draw_gift(view, s):
    """Picks a gift that was not shown from the trade master's remaining cards. Returns False if there is none."""
    total = 0
    for kind in range(GEARS):
        total += gift_weight(view, s, kind)
    luck = roll(s, total)
    kind = 0
    while luck >= gift_weight(view, s, kind):
        luck -= gift_weight(view, s, kind)
        kind += 1
    return take_gift(view, s, kind)


def take_gift(view, s, kind):
    """Sets the gift to this kind: a card that all had seen, or a dealt one. Returns False if that is impossible."""
    s.gift[view.master] = 1 + kind
    s.gift[view.receiver - 1] = 1 + kind
    if view.seat == view.master:
        return True
    seen = view.known[view.master][kind] * max(bag_size(s.deck), 1)
    dealt = new_weight(s, view.master * GEARS + kind)
    if seen + dealt == 0:
        return False
    if roll(s, seen + dealt) >= seen:
        settle_card(s, view.master * GEARS + kind, 1, 1)
    return True


# --- The hands --------------------------------------------------------------- [K-2.1]


def deal_unknown(s, seat):
    """Gives another seat the rest of the cards dealt to it."""
    for _ in range(old_slots(s, seat)):
        s.drew_before[seat][take_random(s, s.loose, bag_size(s.loose))] += 1
    for _ in range(new_slots(s, seat)):
        s.drew[seat][take_random(s, s.deck, bag_size(s.deck))] += 1


def fill_hand(view, s, seat):
    """Computes a hand: cards seen to enter and cards dealt, minus cards seen to leave."""
    for kind in range(GEARS):
        dealt = s.drew_before[seat][kind] + s.drew[seat][kind]
        s.hand[seat][kind] = view.known[seat][kind] + dealt - view.surfaced[seat][kind]
    if view.receiver > 0:
        if seat == view.master:
            s.hand[seat][s.gift[seat] - 1] -= 1
        elif seat == view.receiver - 1:
            s.hand[seat][s.gift[seat] - 1] += 1


def choose_blindly(s, seat):
    """Sets three cards of a hand face down. [K-3.1]"""
    size = s.hand_size[seat]
    for count in range(min(OFFERED, size)):
        s.chosen[seat][take_random(s, s.hand[seat], size - count)] += 1


GAME = Game(
    name="trok",
    seats=(2, 3, 4, 5, 6),
    rules_version=1,
    fields=FIELDS,
    options=Options,
    num_actions=NUM_ACTIONS,
    deal=deal,
    legal=legal,
    apply=apply,
    imagine=imagine,
    text=text,
    stages=Stages(decide, settle, settle_step, step_kind),
    heuristic=heuristic.choose,
    evaluation=Evaluation(
        features=evaluation.features,
        feature_count=evaluation.FEATURES,
        turn_of=evaluation.turn_of,
        weights=Path(__file__).with_name("evaluation.npz"),
        turns=1,
    ),
    board="tripot.terminal.trok",
    drawing="trok",
)
