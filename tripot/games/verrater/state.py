"""The state of Verräter: what lies on the table, and who sees it."""

from dataclasses import dataclass
from enum import IntEnum

from tripot.core.game import standard_fields
from tripot.core.layout import HIDDEN, I8, I16, NAME, OWNER, PUBLIC, SEAT, SET, Field, SeatAxis
from tripot.core.options import SEATS, option
from tripot.games.verrater.cards import LAND_KINDS, LAND_POINTS, MAX_SEATS, SLOTS, SUPPLY_KINDS


class Phase(IntEnum):
    NONE = 0
    ESTATE = 1  # set-up: everyone builds an estate [V-1.3]
    CONFLICT = 2  # where the houses meet [V-2.1]
    DRAFT = 3  # roles are kept in secret [V-2.2]
    SUPPLY = 4  # cards are added [V-2.3]
    BUILD = 5  # the Builder's choice [V-2.10]
    DISCARD = 6  # down to six cards [V-2.15]
    OVER = 7


class Then(IntEnum):
    """Values of `phase` while nobody is waited for: what the rules do next."""

    CONFLICT = 8  # supply is complete: reveal roles and resolve the conflict [V-2.4]
    SUPPLY = 9  # the Builder is done: the Strategist, then new cards [V-2.11]
    DISCARD = 10  # players with too many cards [V-2.15]


class TieBreak(IntEnum):
    SHARED = 0
    SUPPLY = 1


@dataclass(frozen=True)
class Options:
    """The house rules of Verräter."""

    land_points: tuple[tuple[int, ...], ...] = option(LAND_POINTS, "V-0.3", highest=20)
    first: int = option(0, "V-1.1", highest=SEATS)  # 0: random; otherwise the seat, counted from 1
    strategist_points: int = option(2, "V-2.8", highest=20)
    tie_break: int = option(TieBreak.SHARED, "V-3.4", names=TieBreak)


BY_SEAT = (SeatAxis(MAX_SEATS),)
BY_KIND = (SUPPLY_KINDS,)
BY_SEAT_AND_KIND = (SeatAxis(MAX_SEATS), SUPPLY_KINDS)

FIELDS = [
    *standard_fields(MAX_SEATS, max(Phase), together=False),
    Field("round", I8, (), PUBLIC, 9, "the round being played, from 1"),
    Field("first", I8, (), PUBLIC, 3, "the first player's seat", codes=True, values=SEAT),
    Field("strategy", I8, (), PUBLIC, 3, "the seat that holds the strategy card", codes=True, values=SEAT),
    # the circle of lands
    Field("land", I8, (SLOTS,), PUBLIC, 6, "the Land in each slot of the circle", codes=True, absent=(0,)),
    Field("holder", I8, (SLOTS,), PUBLIC, 1, "the house whose face each land shows: EAGLE or ROSE"),
    Field("building", I8, (SLOTS,), PUBLIC, 2, "the Building under each land", codes=True),
    Field(
        "owner",
        I8,
        (SLOTS,),
        PUBLIC,
        3,
        "the seat whose building it is; 0 where there is none",
        codes=True,
        values=SEAT,
        given="building",
    ),
    Field("contested", I8, (2,), PUBLIC, 11, "by house, the slot it stands to lose in this conflict", values=NAME),
    # the players
    Field("house", I8, BY_SEAT, PUBLIC, 1, "the house each seat serves: EAGLE or ROSE"),
    Field("points", I16, BY_SEAT, PUBLIC, 500, "victory points", scale=32),
    Field("unbuilt", I8, BY_SEAT, PUBLIC, 3, "estate/office cards not yet on the table"),
    Field("hand", I8, BY_SEAT_AND_KIND, OWNER, 5, "supply cards in hand, by kind", scale=4, steps=3),
    Field("hand_size", I8, BY_SEAT, PUBLIC, 23, "how many supply cards each seat holds", scale=8),
    Field(
        "played", I8, BY_SEAT_AND_KIND, PUBLIC, 5, "supply cards face up in this conflict, by kind", scale=3, steps=2
    ),
    Field("strength", I16, (2,), PUBLIC, 120, "each house's strength in the last conflict", scale=35),
    # the roles
    Field(
        "handed", I8, BY_SEAT, OWNER, 126, "the set of roles this seat was handed in the draft", values=SET, absent=(0,)
    ),
    Field("role_kept", I8, BY_SEAT, OWNER, 6, "the Role face down under each seat's allegiance card", codes=True),
    Field("role_shown", I8, BY_SEAT, PUBLIC, 6, "the Role face up before each seat", codes=True),
    Field("set_aside", I8, (), HIDDEN, 6, "the Role put aside unseen before the draft"),
    Field("middle", I8, (), HIDDEN, 126, "the set of roles left over after the draft", values=SET, absent=(0,)),
    # the supply cards
    Field("pile", I8, BY_KIND, HIDDEN, 5, "the draw pile, by kind"),
    Field("pile_size", I8, (), PUBLIC, 23, "cards in the draw pile", scale=14),
    Field("discard", I8, BY_KIND, PUBLIC, 5, "the discard pile, by kind", scale=4),
    # what players can deduce about hands; see RULES.md, "What each player knows"
    Field("known", I8, BY_SEAT_AND_KIND, PUBLIC, 1, "starting cards that must still be in hand", only=range(1, 4)),
    Field("fresh", I8, BY_KIND, PUBLIC, 5, "the draw pile as it was formed, less cards seen to have come from it"),
    Field("older", I8, BY_KIND, PUBLIC, 5, "unknown cards in all hands when it was formed, less those seen since"),
    Field("drawn", I8, BY_SEAT, PUBLIC, 23, "cards drawn from the present pile that are not yet seen as such", scale=6),
    Field("held_over", I8, BY_SEAT, PUBLIC, 23, "unknown cards from before it that are not yet seen as such", scale=7),
    Field("surfaced", I8, BY_SEAT_AND_KIND, PUBLIC, 5, "cards seen since that may have been either", scale=3),
    Field("drew", I8, BY_SEAT_AND_KIND, OWNER, 5, "the kinds behind `drawn`", scale=3),
    Field("kept_over", I8, BY_SEAT_AND_KIND, OWNER, 5, "the kinds behind `held_over`", scale=3),
    Field("loose", I8, BY_KIND, HIDDEN, 5, "scratch for `imagine`: older cards not yet given to a hand", encoded=False),
    # the house rules in force
    Field(
        "land_points",
        I8,
        (LAND_KINDS, MAX_SEATS),
        PUBLIC,
        20,
        "points for a land by winners [V-0.3]",
        house_rule=True,
        scale=9,
    ),
    Field("strategist_points", I8, (), PUBLIC, 20, "points for the Strategist [V-2.8]", house_rule=True, scale=2),
    Field("tie_break", I8, (), PUBLIC, 1, "the TieBreak in force [V-3.4]", house_rule=True),
]
