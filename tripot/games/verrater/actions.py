"""The actions and news of Verräter by number: the wire format."""

from enum import IntEnum

from tripot.games.verrater.cards import ROLES, SLOTS, SUPPLY_KINDS

DONE = 0  # add no more supply cards [V-2.3]; the Builder does nothing [V-2.10]
ESTATE = 1  # + slot: put an estate under that land [V-1.3 V-2.10]
TURN_OVER = ESTATE + SLOTS  # + slot: estate to office or back [V-2.10]
CONFLICT = TURN_OVER + SLOTS  # + slot: the conflict lies between this slot and the next [V-2.1]
KEEP = CONFLICT + SLOTS - 1  # + Role (from 1): keep this role [V-2.2]
PLAY = KEEP + ROLES + 1  # + kind: add a supply card [V-2.3]
DROP = PLAY + SUPPLY_KINDS  # + kind: discard a supply card [V-2.15]
NUM_ACTIONS = DROP + SUPPLY_KINDS


class News(IntEnum):
    """Kinds of news; `text.py` lists the numbers that each carries."""

    NONE = 0
    FIRST_PLAYER = 1
    ESTATE_PUT = 2
    ROUND = 3
    CONFLICT_AT = 4
    ROLE_KEPT = 5
    YOUR_ROLE = 6
    SUPPLY_PLAYED = 7
    SUPPLY_DONE = 8
    ROLE_SHOWN = 9
    TURNED_TRAITOR = 10
    HOUSE_WINS = 11
    HOUSES_EVEN = 12
    LAND_SCORED = 13
    ROLE_SCORED = 14
    TURNED_OVER = 15
    BUILT_NOTHING = 16
    STRATEGY_TAKEN = 17
    DREW = 18
    YOU_DREW = 19
    RESHUFFLED = 20
    DRAW_LOST = 21
    DROPPED = 22
    ONE_HOUSE = 23
    OFFICES_SCORED = 24
    WON = 25
