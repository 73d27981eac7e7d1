"""What can be decided in Trieste, and what can be told, numbered: the wire format."""

from enum import IntEnum

from tripot.games.trieste.cards import HEROES, KINDS

DECLINE = 0  # no card, no more, no reaction; the hero stays hidden, the Merchant's card is negated
DRAW_TREASURE = 1  # [T-3.1]
DRAW_OWN = 2  # [T-3.1]
REVEAL = 3  # the hero [T-6.2]
SMOKE = 4  # react with Smoke Bomb [T-5.2]
FOX = 5  # react with The Fox [T-6.4]
PAY_TOLL = 6  # give treasure at the Checkpoint [T-5.8]
ROB_FROM = 7  # + faction, Watch or Merchant: Pickpocket's victim [T-5.8]
HERO = ROB_FROM + 2  # + 0, 1, 2: choose this hero of the faction [T-6.1]
CARD = HERO + HEROES  # + kind: this card; the phase says what for
NUM_ACTIONS = CARD + KINDS


class News(IntEnum):
    """What can happen; the numbers that go with each stand in `text.py`."""

    NONE = 0
    FACTION = 1
    HERO_CHOSEN = 2
    YOUR_HERO = 3
    TURN = 4
    HERO_SHOWN = 5
    HERO_KEPT = 6
    DREW_TREASURE = 7
    DREW_OWN = 8
    YOU_DREW = 9
    DREW_BOTTOM = 10
    DRAW_LOST = 11
    DECK_EMPTY = 12
    RESHUFFLED = 13
    PLACED = 14
    YOUR_CARD = 15
    PLACED_OPEN = 16
    PASSED = 17
    SHOWN = 18
    PAID = 19
    CANNOT_PAY = 20
    HAND_CARD = 21
    RESOLVES = 22
    NEGATED = 23
    NO_EFFECT = 24
    THREATENED = 25
    AIMED = 26
    YOUR_AIM = 27
    NOT_SAVED = 28
    SMOKED = 29
    FOXED = 30
    CAPTURED = 31
    INFAMY = 32
    INFAMY_LOST = 33
    NINE_TAILS = 34
    LOOKED = 35
    YOU_SAW = 36
    SEARCHED = 37
    TOLL_REFUSED = 38
    MOVED = 39
    YOU_MOVED = 40
    TOOK_COPPERS = 41
    DISCARDED = 42
    KEPT = 43
    SALVAGED = 44
    BARGAINED = 45
    UNDER_DECK = 46
    BRIBED = 47
    RECALLED = 48
    FREED = 49
    VICTIM = 50
    GUARDED = 51
    INSURANCE_PAYS = 52
    BOUGHT = 53
    WON = 54
    NOBODY_WON = 55
