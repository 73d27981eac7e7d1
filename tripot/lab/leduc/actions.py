"""What can be decided in Leduc poker, numbered as OpenSpiel does, and what can be told."""

from enum import IntEnum

FOLD = 0
CALL = 1  # or check, where there is nothing to call
RAISE = 2
NUM_ACTIONS = 3


class News(IntEnum):
    """What can happen; the numbers that go with each stand in `text.py`."""

    NONE = 0
    YOUR_CARD = 1
    FOLDED = 2
    CALLED = 3
    RAISED = 4
    OPENED = 5
    WON = 6
