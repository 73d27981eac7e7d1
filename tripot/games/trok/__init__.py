"""Trök: equipment and improvements, for two to six. The game as one object, and how a seat imagines the rest."""

from tripot.core.game import IMAGINATION, Game
from tripot.core.pile import bag_size, take_random
from tripot.core.rng import roll, seed_luck
from tripot.games.trok import text
from tripot.games.trok.actions import NUM_ACTIONS
from tripot.games.trok.cards import GEARS, OFFERED
from tripot.games.trok.phases import apply, deal, legal
from tripot.games.trok.state import FIELDS, Options, Phase


def imagine(view, s, seed):
    """Fill in what the seat does not see, as likely as it is from where it sits.

    Whoever shows, gives or offers a card is taken to have drawn it blindly from those he held.
    """
    seed_luck(s, seed, IMAGINATION)
    gather_unknown(view, s)
    settle_surfaced(view, s)
    while not settle_gift(view, s):  # the real cards are one way to settle it, so this ends
        gather_unknown(view, s)
        settle_surfaced(view, s)
    for seat in range(s.seats):
        if seat != view.seat:
            deal_unknown(view, s, seat)
            fill_hand(view, s, seat)
            if s.phase == Phase.COMMIT and not s.waiting >> seat & 1:
                choose_blindly(s, seat)
    seed_luck(s, roll(s, 1 << 31), IMAGINATION + 1)  # the luck to come


def gather_unknown(view, s):
    """All that could be anywhere: `loose` holds the older cards, `deck` the fresh ones; other hands are bare."""
    for kind in range(GEARS):
        s.loose[kind] = view.older[kind] - view.my_drew_before[kind]
        s.deck[kind] = view.fresh[kind] - view.my_drew[kind]
        for seat in range(s.seats):
            if seat != view.seat:
                s.drew_before[seat][kind] = 0
                s.drew[seat][kind] = 0


# --- Cards dealt before the deck ran out, or after --------------------------- [K-2.4]


def old_slots(s, seat):
    """Cards dealt to a seat from older decks that have not been settled yet."""
    return s.drawn_before[seat] - bag_size(s.drew_before[seat])


def new_slots(s, seat):
    return s.drawn[seat] - bag_size(s.drew[seat])


def old_weight(s, seat, kind):
    """How likely one of the seat's unsettled cards is an older one of this kind; in proportion to `new_weight`."""
    return old_slots(s, seat) * s.loose[kind] * max(bag_size(s.deck), 1)


def new_weight(s, seat, kind):
    return new_slots(s, seat) * s.deck[kind] * max(bag_size(s.loose), 1)


def settle_card(s, seat, kind, old, new):
    """A card of this kind was dealt to the seat, old or new by these weights."""
    if roll(s, old + new) < old:
        s.loose[kind] -= 1
        s.drew_before[seat][kind] += 1
    else:
        s.deck[kind] -= 1
        s.drew[seat][kind] += 1


def settle_surfaced(view, s):
    """Decide for every dealt card that others have shown whether it was an old or a new one."""
    again = True
    while again:
        again = False
        for seat in range(s.seats):
            if seat != view.seat and seat != view.receiver - 1:
                for kind in range(GEARS):
                    while s.drew_before[seat][kind] + s.drew[seat][kind] < view.surfaced[seat][kind]:
                        old = old_weight(s, seat, kind)
                        new = new_weight(s, seat, kind)
                        if old + new > 0:
                            settle_card(s, seat, kind, old, new)
                        else:
                            unsettle_card(view, s)  # one that stands in the way, sooner or later
                            again = True


def unsettle_card(view, s):
    """Take back any one card that was settled."""
    settled = 0
    for seat in range(s.seats):
        if seat != view.seat:
            settled += bag_size(s.drew_before[seat]) + bag_size(s.drew[seat])
    skip = roll(s, settled)
    for seat in range(s.seats):
        if seat != view.seat:
            for kind in range(GEARS):
                if skip < s.drew_before[seat][kind]:
                    s.drew_before[seat][kind] -= 1
                    s.loose[kind] += 1
                    return
                skip -= s.drew_before[seat][kind]
                if skip < s.drew[seat][kind]:
                    s.drew[seat][kind] -= 1
                    s.deck[kind] += 1
                    return
                skip -= s.drew[seat][kind]


# --- The card given to the one who was short --------------------------------- [K-3.10]


def settle_gift(view, s):
    """Decide what the trade master gave, and whether it has been shown since; False if that leads nowhere."""
    if view.receiver == 0:
        return True
    receiver = view.receiver - 1
    unseen = 1  # the gift may still be in the receiver's hand
    if receiver != view.seat:
        for kind in range(GEARS):
            for _ in range(view.surfaced[receiver][kind]):
                held = hand_left(view, s)
                gift = unseen * gift_weight(view, s, kind)
                old = old_weight(s, receiver, kind) * held
                new = new_weight(s, receiver, kind) * held
                if gift + old + new == 0:
                    return False
                if roll(s, gift + old + new) < gift:
                    unseen = 0
                    take_gift(view, s, kind)
                else:
                    settle_card(s, receiver, kind, old, new)
    return unseen == 0 or draw_gift(view, s)


def knows_gift(view):
    return view.seat == view.master or view.seat == view.receiver - 1


def hand_left(view, s):
    """How many cards the gift may be, for one who does not know it."""
    if knows_gift(view):
        return 1
    return bag_size(view.known[view.master]) + old_slots(s, view.master) + new_slots(s, view.master)


def gift_weight(view, s, kind):
    """How likely the gift is of this kind, in proportion to `old_weight` and `new_weight` of one card."""
    scale = max(bag_size(s.deck), 1) * max(bag_size(s.loose), 1)
    if knows_gift(view):
        return scale if kind == view.my_gift - 1 else 0
    return view.known[view.master][kind] * scale + old_weight(s, view.master, kind) + new_weight(s, view.master, kind)


def draw_gift(view, s):
    """The gift was not shown: any of the cards left to the trade master; False if that leads nowhere."""
    if knows_gift(view):
        return take_gift(view, s, view.my_gift - 1)
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
    """The gift is of this kind; was it a card that all had seen, or one that was dealt? False if neither."""
    s.gift[view.master] = 1 + kind
    s.gift[view.receiver - 1] = 1 + kind
    if view.seat == view.master:
        return True
    seen = view.known[view.master][kind] * max(bag_size(s.deck), 1) * max(bag_size(s.loose), 1)
    old = old_weight(s, view.master, kind)
    new = new_weight(s, view.master, kind)
    if seen + old + new == 0:
        return False
    if roll(s, seen + old + new) >= seen:
        settle_card(s, view.master, kind, old, new)
    return True


# --- The hands --------------------------------------------------------------- [K-2.1]


def deal_unknown(view, s, seat):
    """Give another seat the rest of what was dealt to it."""
    for _ in range(old_slots(s, seat)):
        s.drew_before[seat][take_random(s, s.loose, bag_size(s.loose))] += 1
    for _ in range(new_slots(s, seat)):
        s.drew[seat][take_random(s, s.deck, bag_size(s.deck))] += 1


def fill_hand(view, s, seat):
    """What was seen to come, and what was dealt, less what was seen to go."""
    for kind in range(GEARS):
        dealt = s.drew_before[seat][kind] + s.drew[seat][kind]
        s.hand[seat][kind] = view.known[seat][kind] + dealt - view.surfaced[seat][kind]
    if view.receiver > 0:
        if seat == view.master:
            s.hand[seat][s.gift[seat] - 1] -= 1
        elif seat == view.receiver - 1:
            s.hand[seat][s.gift[seat] - 1] += 1


def choose_blindly(s, seat):
    """Three cards of a hand lie face down. [K-3.1]"""
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
)
