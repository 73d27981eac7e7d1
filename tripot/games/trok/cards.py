"""What is printed on Trök's cards: one column per card, with its clause. Row 0 of the improvements is nothing."""

from enum import IntEnum

MAX_SEATS = 6  # [K-0.4]
DEALT = 5  # equipment cards dealt to each player every turn [K-2.1]
OFFERED = 3  # cards each player sets face down [K-3.1]
MARKET_CARDS = 3  # [K-1.1]
MARKET_REWARD = 3  # Aare for leaving three identical cards in the market [K-3.7]
THRUD_REWARD = 2  # [K-3.8]
GRID_BID = 3  # [K-3.2]
QUEUE_PLACES = 7  # [K-1.2]
LEAST_COMBINED = 3  # cards in a set or a collection [K-4.2 K-4.4]
MOST_COLLECTED = 7  # [K-4.4]
RUN = 5  # cards in Idunn's run, and places it takes from [K-4.5]
PERFECT_CARDS = 8  # [K-4.9]
LAST_TURN = 60  # [K-6.4]


class Gear(IntEnum):
    """Equipment. It is only counted, never placed in a slot, so there is no "nothing"."""

    PICKAXE = 0
    RATION = 1
    GLOVES = 2
    LANTERN = 3
    ARMOUR = 4
    HELMET = 5
    HAMMER = 6
    STONE = 7  # the arcane stone, a joker


GEARS = 8
EQUIPMENTS = 7  # all but the stone
PICKAXE, STONE = 0, 7  # as plain numbers, to index tables with

#             pickaxe  ration  gloves  lantern  armour  helmet  hammer  stone
GEAR_COPIES = (11,     10,     9,      8,       7,      6,      5,      2)  # [K-0.1]  # fmt: skip
BID_VALUE = (  1,      2,      3,      4,       5,      6,      7,      10)  # [K-3.2]  # fmt: skip
GREEN, RED = 1, 2
COLOUR = (     0,      GREEN,  GREEN,  GREEN,   RED,    RED,    RED,    0)  # [K-5.2]  # fmt: skip

SET_PAYS_MORE = 3  # Aare for each card beyond the third of a set [K-4.2] …
AEGUR_PAYS_MORE = 5  # … with Aegur; and what three cards pay with Dagda or Kraal [K-4.3]
DAGDA_PAYS = 7
KRAAL_PAYS = 10
ASTRID_PAYS = 2  # for each green card in the market [K-5.2]
YLUD_PAYS = 3  # for each red card in the market [K-5.2]


class Upgrade(IntEnum):
    """Improvements. [K-0.2]"""

    NONE = 0
    MINE = 1
    VEIN = 2
    CART = 3
    THRUD = 4
    GRID = 5
    AEGUR = 6
    DAGDA = 7
    KRAAL = 8
    IDUNN = 9
    SKAA = 10
    MOTHER = 11
    FATHER = 12
    ZORAL = 13
    ASTRID = 14
    YLUD = 15


UPGRADES = 15  # numbered from 1
FIRST_DWARF = 4  # mines, veins and carts come before
SITES = 3  # mines, veins and carts
SITE_COPIES = (5, 5, 5)  # mines, veins, carts: our split of the fifteen that are not dwarfs [K-0.2]
