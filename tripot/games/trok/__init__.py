"""Trök: equipment and improvements, for two to six. The game as one object, and how a seat imagines hidden cards."""

from pathlib import Path

from tripot.core.game import IMAGINATION, Evaluation, Game, SmallGame, Stages
from tripot.core.pile import bag_size, take_random
from tripot.core.rng import roll, seed_luck
from tripot.games.trok import evaluation, heuristic, text
from tripot.games.trok.actions import NUM_ACTIONS, SEAT_ACTIONS
from tripot.games.trok.cards import GEARS, OFFERED
from tripot.games.trok.guide import GUIDE
from tripot.games.trok.hidden import HIDDEN
from tripot.games.trok.lessons import LESSONS
from tripot.games.trok.notation import NOTATION
from tripot.games.trok.phases import apply, deal, decide, legal, settle, settle_step, step_kind
from tripot.games.trok.quantities import QUANTITIES
from tripot.games.trok.small import SmallOptions, deal_small
from tripot.games.trok.state import FIELDS, Options, Phase
from tripot.games.trok.teaching import TEACHING

SECOND_THOUGHTS = 2  # passes that settle every shown card again; more made no measurable difference
PATIENCE = 200  # cards to settle anew before another gift is tried

GIFT_SHOWN = GEARS  # a card given is the number of its kind, one below GEARS, with these bits
GIFT_DEALT = 2 * GEARS
GIFT = 4 * GEARS


def imagine(view, s, seed):
    """Fills in what the seat does not see, with the probabilities that its view implies.

    A card that a player shows, gives or offers counts as drawn at random from that player's hand.
    """
    seed_luck(s, seed, IMAGINATION)
    gift = settle_all(view, s)
    while not settle_open(view, s, gift):  # the real cards are one solution, so this loop ends
        gift = settle_all(view, s)
    if gift > 0:
        settle_again(view, s)
        s.gift[view.master] = 1 + gift % GEARS
        s.gift[view.receiver - 1] = 1 + gift % GEARS
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


def dealt_weight(s, card):
    """Returns the weight of a card having been dealt, from either deck."""
    return old_weight(s, card) + new_weight(s, card)


def settle_dealt(s, card):
    """Settles a card at random."""
    settle_card(s, card, 0 if roll(s, dealt_weight(s, card)) < old_weight(s, card) else 1, 1)


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


def settle_all(view, s):
    """Settles every card that others have shown, as far as it goes. Returns what the gift was, 0 if there was none."""
    gather_unknown(view, s)
    while not settle_open(view, s, 0):
        pass
    settle_again(view, s)
    return guess_gift(view, s) if view.receiver > 0 else 0


def settle_again(view, s):
    """Settles random pairs of cards again given all others (Gibbs sampling).

    Settling once in order would ignore the later cards while settling the first.
    """
    shown = count_settled(view, s)
    if bag_size(view.older) > 0 and shown > 1:
        for _ in range(SECOND_THOUGHTS * shown):
            first = unsettle_any(view, s, shown)
            settle_two(s, first, unsettle_any(view, s, shown - 1))


def settle_open(view, s, gift):
    """Settles the shown cards that are not settled yet. Returns False if that takes too long."""
    patience = PATIENCE
    again = True
    while again:
        again = False
        for seat in range(s.seats):
            if seat != view.seat:
                for kind in range(GEARS):
                    while s.drew_before[seat][kind] + s.drew[seat][kind] < dealt_for_certain(view, seat, kind, gift):
                        if dealt_weight(s, seat * GEARS + kind) > 0:
                            settle_dealt(s, seat * GEARS + kind)
                        elif patience == 0 or count_settled(view, s) == 0:
                            return False
                        else:
                            unsettle_any(view, s, count_settled(view, s))  # sooner or later the one that is in the way
                            patience -= 1
                            again = True
    return True


def dealt_for_certain(view, seat, kind, gift):
    """Returns how many cards of a kind a seat was dealt at least, if the gift was this one; 0 leaves the gift open."""
    dealt = view.surfaced[seat][kind]
    if seat == view.receiver - 1:
        if gift == 0:
            return dealt - view.since_gift[kind]
        return dealt - (1 if gift & GIFT_SHOWN and gift % GEARS == kind else 0)
    return dealt + (1 if seat == view.master and gift & GIFT_DEALT and gift % GEARS == kind else 0)


def count_settled(view, s):
    settled = 0
    for seat in range(s.seats):
        if seat != view.seat:
            settled += bag_size(s.drew_before[seat]) + bag_size(s.drew[seat])
    return settled


def unsettle_any(view, s, settled):
    """Undoes the settling of a random card, one of `settled` many, and returns that card."""
    skip = roll(s, settled)
    seat = -1
    held = 0
    while skip >= held:  # the seat whose card it is
        skip -= held
        seat += 1
        held = 0 if seat == view.seat else bag_size(s.drew_before[seat]) + bag_size(s.drew[seat])
    kind = 0
    while skip >= s.drew_before[seat][kind] + s.drew[seat][kind]:
        skip -= s.drew_before[seat][kind] + s.drew[seat][kind]
        kind += 1
    settle_card(s, seat * GEARS + kind, 0 if skip < s.drew_before[seat][kind] else 1, -1)
    return seat * GEARS + kind


def settle_two(s, first, second):
    """Settles two cards together. The weight of each way is what it would be to settle one after the other."""
    olds = bag_size(s.loose)
    news = bag_size(s.deck)
    same_seat = 1 if first // GEARS == second // GEARS else 0
    same_kind = 1 if first % GEARS == second % GEARS else 0
    first_old = ways(s, first, 0)
    first_new = ways(s, first, 1)
    second_old = (old_slots(s, second // GEARS) - same_seat) * (s.loose[second % GEARS] - same_kind)
    second_new = (new_slots(s, second // GEARS) - same_seat) * (s.deck[second % GEARS] - same_kind)
    mixed = max(olds - 1, 1) * max(news - 1, 1)
    # Up to which number of the roll both are old, only the first is new, only the second is. Of a deck that ran out
    # again, every card is old.
    both_old = first_old * second_old * max(news, 1) * max(news - 1, 1)
    only_first = both_old + first_new * ways(s, second, 0) * mixed
    only_second = only_first + first_old * ways(s, second, 1) * mixed
    luck = roll(s, only_second + first_new * second_new * max(olds, 1) * max(olds - 1, 1))
    settle_card(s, first, 1 if luck >= (both_old if luck < only_first else only_second) else 0, 1)
    settle_card(s, second, 0 if luck < only_first else 1, 1)


# --- The card given to the one who was short --------------------------------- [K-3.10]


# What the gift was is one number: the kind of the card, whether the receiver has shown it since, whether it had been
# dealt to the trade master or seen to enter that hand, and a bit that makes the number more than 0.


def guess_gift(view, s):
    """Decides what the trade master gave, card by card that the receiver has shown since, and settles these cards."""
    receiver = view.receiver - 1
    gift = 0
    if receiver != view.seat:
        for kind in range(GEARS):
            for _ in range(view.since_gift[kind]):
                dealt = dealt_weight(s, receiver * GEARS + kind) * cards_to_give(view, s)
                given = 0 if gift else gift_weight(view, s, kind)
                if dealt + given == 0:  # some other card is settled wrongly; `settle_open` finds it
                    if gift == 0 and may_be_gift(view, kind) and roll(s, 2) == 0:
                        gift = take_gift(view, s, kind) + GIFT_SHOWN
                elif roll(s, dealt + given) < dealt:
                    settle_dealt(s, receiver * GEARS + kind)
                else:
                    gift = take_gift(view, s, kind) + GIFT_SHOWN
    return gift if gift else draw_gift(view, s)


def one_card(s):
    """Returns the weight of one card for certain, relative to `dealt_weight`."""
    return max(bag_size(s.deck), 1) * max(bag_size(s.loose), 1)


def knows_gift(view):
    return view.seat == view.master or view.seat == view.receiver - 1


def may_be_gift(view, kind):
    return not knows_gift(view) or kind == view.my_gift - 1


def cards_to_give(view, s):
    """Returns how many cards the gift may be, for a seat that does not know it."""
    if knows_gift(view):
        return 1
    return bag_size(view.known[view.master]) + old_slots(s, view.master) + new_slots(s, view.master)


def gift_weight(view, s, kind):
    """Returns the weight of the gift being of this kind, relative to `dealt_weight` for each card to give."""
    if knows_gift(view):
        return one_card(s) if kind == view.my_gift - 1 else 0
    return view.known[view.master][kind] * one_card(s) + dealt_weight(s, view.master * GEARS + kind)


def draw_gift(view, s):
    """Picks a gift that was not shown from the trade master's remaining cards."""
    total = 0
    for kind in range(GEARS):
        total += gift_weight(view, s, kind)
    luck = roll(s, total)
    for kind in range(GEARS):
        luck -= gift_weight(view, s, kind)
        if luck < 0:
            return take_gift(view, s, kind)
    return take_gift(view, s, view.my_gift - 1 if knows_gift(view) else roll(s, GEARS))  # as above


def take_gift(view, s, kind):
    """The gift is of this kind: a card that all had seen, or a dealt one, which is settled."""
    if view.seat == view.master:
        return GIFT + kind
    seen = view.known[view.master][kind] * one_card(s)
    dealt = dealt_weight(s, view.master * GEARS + kind)
    if seen > 0 and roll(s, seen + dealt) < seen:
        return GIFT + kind
    if dealt > 0:
        settle_dealt(s, view.master * GEARS + kind)
    return GIFT + GIFT_DEALT + kind


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
    seat_actions=SEAT_ACTIONS,
    decisive=True,
    small=SmallGame(SmallOptions, deal_small),
    stages=Stages(decide, settle, settle_step, step_kind),
    heuristic=heuristic.choose,
    evaluation=Evaluation(
        features=evaluation.features,
        feature_count=evaluation.FEATURES,
        turn_of=evaluation.turn_of,
        weights=Path(__file__).with_name("evaluation.npz"),
        turns=1,
    ),
    guide=GUIDE,
    quantities=QUANTITIES,
    hidden=HIDDEN,
    notation=NOTATION,
    lessons=LESSONS,
    teaching=TEACHING,
    board="tripot.terminal.trok",
    drawing="trok",
)
