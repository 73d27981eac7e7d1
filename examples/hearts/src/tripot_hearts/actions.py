"""The actions and news of Hearts by number: the wire format. An action is a card, to pass or to play."""

from enum import IntEnum

from tripot_hearts.cards import CARDS

NUM_ACTIONS = CARDS


class News(IntEnum):
    """Kinds of news; `text.py` lists the numbers that each carries."""

    NONE = 0
    DEALT = 1
    PASSED = 2
    YOU_PASS = 3
    YOU_RECEIVE = 4
    STARTS = 5
    PLAYED = 6
    BROKEN = 7
    TOOK = 8
    TOOK_NOTHING = 9
    MOON = 10
    SCORED = 11
    WON = 12
