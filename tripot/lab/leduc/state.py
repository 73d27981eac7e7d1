"""What lies on the table in Leduc poker, and who sees it: 28 bytes, luck included."""

from dataclasses import dataclass
from enum import IntEnum

from tripot.core.game import standard_fields
from tripot.core.layout import I8, OWNER, PUBLIC, Field, SeatAxis

SEATS, CARDS, SUITS = 2, 6, 2
ANTE, FIRST_RAISE, SECOND_RAISE, MOST_RAISES = 1, 2, 4, 2
MOST_CHIPS = ANTE + MOST_RAISES * (FIRST_RAISE + SECOND_RAISE)


class Phase(IntEnum):
    NONE = 0
    FIRST_ROUND = 1
    SECOND_ROUND = 2
    OVER = 3


@dataclass(frozen=True)
class Options:
    """There are no house rules."""


FIELDS = [
    *standard_fields(SEATS, max(Phase)),
    Field("chips", I8, (SeatAxis(SEATS),), PUBLIC, MOST_CHIPS, "what each seat has put into the pot"),
    Field("raises", I8, (), PUBLIC, MOST_RAISES, "raises in this round"),
    Field("open_card", I8, (), PUBLIC, CARDS, "the card turned up for both, or 0", codes=True),
    Field(
        "card",
        I8,
        (SEATS,),
        OWNER,
        CARDS,
        "the card each seat holds, from 1; two of a rank follow each other",
        codes=True,
    ),
]
