"""The actions and news of Trieste by number: the wire format."""

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
CARD = HERO + HEROES  # + kind: this card, for the purpose of the phase
NUM_ACTIONS = CARD + KINDS


class News(IntEnum):
    """Kinds of news; `text.py` lists the numbers that each carries."""

    NONE = 0
    FACTION = 1
    HERO_CHOSEN = 2
    YOUR_HERO = 3
    TURN = 4
    HERO_SHOWN = 5
    DREW_TREASURE = 6
    DREW_OWN = 7
    YOU_DREW = 8
    DREW_BOTTOM = 9
    DRAW_LOST = 10
    DECK_EMPTY = 11
    RESHUFFLED = 12
    PLACED = 13
    YOUR_CARD = 14
    PLACED_OPEN = 15
    PASSED = 16
    SHOWN = 17
    PAID = 18
    CANNOT_PAY = 19
    HAND_CARD = 20
    RESOLVES = 21
    NEGATED = 22
    NO_EFFECT = 23
    THREATENED = 24
    AIMED = 25
    YOUR_AIM = 26
    NOT_SAVED = 27
    SMOKED = 28
    FOXED = 29
    CAPTURED = 30
    INFAMY = 31
    INFAMY_LOST = 32
    NINE_TAILS = 33
    LOOKED = 34
    YOU_SAW = 35
    SEARCHED = 36
    TOLL_REFUSED = 37
    MOVED = 38
    YOU_MOVED = 39
    TOOK_COPPERS = 40
    DISCARDED = 41
    KEPT = 42
    SALVAGED = 43
    BARGAINED = 44
    UNDER_DECK = 45
    BRIBED = 46
    RECALLED = 47
    FREED = 48
    VICTIM = 49
    GUARDED = 50
    INSURANCE_PAYS = 51
    BOUGHT = 52
    WON = 53
    NOBODY_WON = 54
