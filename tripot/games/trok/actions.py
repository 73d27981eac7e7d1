"""The actions and news of Trök by number: the wire format.

Cards that belong together (three to offer, a set, a collection, what stays on the carts) are chosen one
at a time and always in the same order, so that every group of cards is reached in exactly one way.
"""

from enum import IntEnum

from tripot.games.trok.cards import EQUIPMENTS, GEARS, LEAST_COMBINED, MAX_SEATS, MOST_COLLECTED, QUEUE_PLACES

DONE = 0  # enough cards [K-4.2 K-5.1]; combine no more [K-4.1]; take the rest back [K-3.9]; no second [K-4.5]
CARD = 1  # + Gear: the next card of the own hand, to offer, combine, give or store [K-3.1 K-4.1 K-3.10 K-5.1]
TAKE = CARD + GEARS  # + seat * GEARS + Gear: an open card before that seat [K-3.5 K-3.9]
KEEP = TAKE + MAX_SEATS * GEARS  # put the card taken into the hand [K-3.5]
SWAP = KEEP + 1  # + Gear: put it in the market for this card [K-3.5]
NAME = SWAP + GEARS  # + seat: the trade master after a tie [K-3.3]
SET = NAME + MAX_SEATS  # + Gear: make a set of this equipment [K-4.2]
COLLECT = SET + EQUIPMENTS  # + size - 3: make a collection of this many cards [K-4.4]
PERFECT = COLLECT + MOST_COLLECTED - LEAST_COMBINED + 1  # show the perfect combination [K-4.9]
IMPROVE = PERFECT + 1  # + place in the queue: take this improvement [K-4.4]
NUM_ACTIONS = IMPROVE + QUEUE_PLACES
SEAT_ACTIONS = ((TAKE, GEARS), (NAME, 1))  # blocks that name a seat: their first action, how many a seat


class News(IntEnum):
    """Kinds of news; `text.py` lists the numbers that each carries. A bag of cards is one number."""

    NONE = 0
    YOUNGEST = 1
    MARKET = 2
    QUEUED = 3
    TURN = 4
    DEALT = 5
    YOUR_CARDS = 6
    MINED = 7
    UNLOADED = 8
    RESHUFFLED = 9
    DRAW_LOST = 10
    COMMITTED = 11
    YOU_COMMITTED = 12
    OFFERED = 13
    TIED = 14
    NAMED = 15
    MASTER = 16
    TOOK = 17
    KEPT = 18
    SWAPPED = 19
    RENEWED = 20
    THRUD_PAID = 21
    TOOK_BACK = 22
    GAVE = 23
    YOUR_GIFT = 24
    SET_SHOWN = 25
    COLLECTION_SHOWN = 26
    IMPROVED = 27
    ONE_ONLY = 28
    PERFECT_SHOWN = 29
    COMBINED_NOTHING = 30
    STORED = 31
    DISCARDED = 32
    INCOME = 33
    WON = 34
