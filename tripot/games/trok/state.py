"""The state of Trök: what lies on the table, and who sees it."""

from dataclasses import dataclass
from enum import IntEnum

from tripot.core.game import standard_fields
from tripot.core.layout import (
    HIDDEN,
    I8,
    I16,
    OWNER,
    PUBLIC,
    SEAT,
    SEAT_OR_NOBODY,
    SEAT_SET,
    SET,
    Field,
    SeatAxis,
)
from tripot.core.options import SEATS, option
from tripot.games.trok.cards import GEARS, LAST_TURN, MAX_SEATS, QUEUE_PLACES, SITE_COPIES, UPGRADES


class Phase(IntEnum):
    NONE = 0
    COMMIT = 1  # everyone sets three cards face down, in secret [K-3.1]
    NAME = 2  # the previous trade master settles a tie [K-3.3]
    TAKE = 3  # an open card before another player [K-3.5]
    PLACE = 4  # into the hand, or into the market in exchange [K-3.5]
    OWN = 5  # only one's own open cards are left [K-3.9]
    SWAP_OWN = 6  # which market card for one of them [K-3.9]
    GIVE = 7  # the trade master owes a card [K-3.10]
    COMBINE = 8  # a set, a collection, the perfect combination [K-4.1]
    IMPROVE = 9  # which improvement [K-4.4]
    SECOND = 10  # Idunn's second improvement [K-4.5]
    STORE = 11  # what stays on the carts [K-5.1]
    INCOME = 12  # and the check for the end: nothing to decide [K-5.2 K-6]
    OVER = 13


class Run(IntEnum):
    """How the collection just shown counts as five in sequence, for the owner of Idunn. [K-4.5]"""

    NONE = 0
    PLAIN = 1  # as it lies: two improvements
    JOKERS = 2  # if its jokers are declared so
    VEIN = 3  # if its pickaxe is declared a joker too: one more vein


PLAN_COLLECTION = 8  # a plan is 1 + the Gear of a set, or this + the size of a collection - 3


@dataclass(frozen=True)
class Options:
    """The house rules of Trök."""

    improvement_copies: tuple[int, ...] = option(SITE_COPIES, "K-0.2", highest=10)
    open_purses: int = option(1, "K-0.3")
    youngest: int = option(0, "K-3.4", highest=SEATS)  # 0: random; otherwise the seat, counted from 1
    goal: int = option(50, "K-6.3", highest=200)


BY_SEAT = (SeatAxis(MAX_SEATS),)
BY_GEAR = (GEARS,)
BY_SEAT_AND_GEAR = (SeatAxis(MAX_SEATS), GEARS)
BY_UPGRADE = (UPGRADES + 1,)
MOST_HELD = 26  # 5 dealt, 10 mined, 10 from carts under the widest house rules, 1 extra in the exchange

FIELDS = [
    *standard_fields(MAX_SEATS, max(Phase), idle=(Phase.INCOME,)),
    Field("turn", I8, (), PUBLIC, LAST_TURN, "the turn being played, from 1", scale=8),
    Field("master", I8, (), PUBLIC, 5, "the trade master's seat; 0 until the first is found", codes=True, values=SEAT),
    Field("mover", I8, (), PUBLIC, 5, "the seat that moves, combines or stores", codes=True, values=SEAT),
    Field(
        "youngest", I8, (), PUBLIC, 5, "the seat that a tie in the first turn looks for first", codes=True, values=SEAT
    ),
    # equipment
    Field("market", I8, BY_GEAR, PUBLIC, 3, "the three open cards in the middle, by kind", scale=2, steps=2),
    Field("deck", I8, BY_GEAR, HIDDEN, 11, "the equipment deck, by kind"),
    Field("deck_size", I8, (), PUBLIC, 58, "cards in the equipment deck", scale=45),
    Field("discard", I8, BY_GEAR, PUBLIC, 11, "the equipment discard pile, by kind", scale=8),
    # improvements
    Field("queue", I8, (QUEUE_PLACES,), PUBLIC, UPGRADES, "the Upgrade at each place of the queue", codes=True),
    Field("queue_size", I8, (), PUBLIC, QUEUE_PLACES, "improvements in the queue"),
    Field(
        "to_come",
        I8,
        BY_UPGRADE,
        PUBLIC,
        10,
        "the improvement deck, by kind: all the others lie open",
        scale=5,
        only=range(1, UPGRADES + 1),
    ),
    # the players
    Field("aare", I16, BY_SEAT, PUBLIC, 500, "money", scale=49),
    Field(
        "owned",
        I8,
        (SeatAxis(MAX_SEATS), UPGRADES + 1),
        PUBLIC,
        10,
        "improvements before each seat, by kind",
        scale=3,
        steps=2,
        only=range(1, UPGRADES + 1),
    ),
    Field(
        "hand", I8, BY_SEAT_AND_GEAR, OWNER, 11, "equipment in hand, by kind, less the cards chosen", scale=3, steps=4
    ),
    Field("hand_size", I8, BY_SEAT, PUBLIC, MOST_HELD, "cards a seat holds, with those it has chosen", scale=8),
    Field(
        "chosen",
        I8,
        BY_SEAT_AND_GEAR,
        OWNER,
        11,
        "cards put aside for a purpose that the seat has yet to show",
        scale=4,
        steps=3,
    ),
    Field("plan", I8, BY_SEAT, OWNER, 12, "the combination being put together: see PLAN_COLLECTION", codes=True),
    Field(
        "offer",
        I8,
        BY_SEAT_AND_GEAR,
        PUBLIC,
        3,
        "open cards before each seat in the exchange, by kind",
        scale=2,
        steps=2,
    ),
    Field("stored", I8, BY_SEAT_AND_GEAR, PUBLIC, 10, "open cards on each seat's carts, by kind", scale=2, steps=2),
    # the exchange
    Field("bid", I8, BY_SEAT, PUBLIC, 30, "each seat's bid in this turn's exchange", scale=22),
    Field("taken", I8, (), PUBLIC, 8, "1 + the Gear that the player to move has just taken", codes=True),
    Field(
        "taken_from", I8, (), PUBLIC, 6, "1 + the seat whose card another took last", codes=True, values=SEAT_OR_NOBODY
    ),
    Field(
        "receiver",
        I8,
        (),
        PUBLIC,
        6,
        "1 + the seat that the trade master gave a card to",
        codes=True,
        values=SEAT_OR_NOBODY,
    ),
    Field("gift", I8, BY_SEAT, OWNER, 8, "1 + the Gear of that card, for the two who know it", codes=True),
    # the combinations
    Field(
        "made", I8, (), PUBLIC, 3, "what the player to combine has made: 1 a set, 2 a collection, 3 both", values=SET
    ),
    Field("veins_used", I8, (), PUBLIC, 10, "pickaxes the mover has treated as stones", scale=2),
    Field("reach", I8, (), PUBLIC, QUEUE_PLACES, "places of the queue the mover may take an improvement from"),
    Field("run", I8, (), PUBLIC, 3, "the Run in the collection just shown", codes=True),
    Field("perfect", I8, (), PUBLIC, 63, "a bit for each seat that has shown the perfect combination", values=SEAT_SET),
    # what players can deduce about hands; see RULES.md, "What each player knows"
    Field(
        "known",
        I8,
        BY_SEAT_AND_GEAR,
        PUBLIC,
        11,
        "cards seen to enter a hand this turn, less those seen to leave",
        scale=3,
    ),
    Field(
        "surfaced",
        I8,
        BY_SEAT_AND_GEAR,
        PUBLIC,
        11,
        "cards seen to leave a hand that had been dealt or given to it",
        scale=2,
    ),
    Field(
        "since_gift", I8, BY_GEAR, PUBLIC, 11, "those among them that the receiver has shown since the gift", scale=2
    ),
    Field("fresh", I8, BY_GEAR, PUBLIC, 11, "the deck as it was formed or as the turn began, less cards drawn openly"),
    Field("older", I8, BY_GEAR, PUBLIC, 11, "the same for decks that have run out this turn: all in hands", scale=6),
    Field("drawn", I8, BY_SEAT, PUBLIC, 5, "cards dealt to each seat this turn from the fresh deck"),
    Field("drawn_before", I8, BY_SEAT, PUBLIC, 5, "cards dealt to each seat this turn from the older ones"),
    Field("drew", I8, BY_SEAT_AND_GEAR, OWNER, 5, "the kinds behind `drawn`", scale=3),
    Field("drew_before", I8, BY_SEAT_AND_GEAR, OWNER, 5, "the kinds behind `drawn_before`", scale=3),
    Field(
        "loose", I8, BY_GEAR, HIDDEN, 11, "scratch for `imagine`: older cards not yet given to a hand", encoded=False
    ),
    # the house rules in force
    Field("goal", I16, (), PUBLIC, 200, "the Aare that end the game [K-6.2]", house_rule=True, scale=50),
    Field("open_purses", I8, (), PUBLIC, 1, "1 if everyone's Aare are shown [K-0.3]", house_rule=True),
]
