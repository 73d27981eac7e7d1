"""What is printed on Verräter's cards: one column per card, with its clause. Row 0 is always nothing."""

from enum import IntEnum

MAX_SEATS = 4
SLOTS = 12  # places in the circle of lands [V-1.2]
LAND_KINDS = 6
SUPPLY_KINDS = 6
HAND_LIMIT = 6  # [V-2.15]
MOST_PLAYED = 5  # supply cards a player may add to one conflict [V-2.3]
OWN_BUILDINGS = 3  # estate/office cards per player [V-0.5]
MOST_OFFICES = 2  # [V-2.10]
MOST_COUNTED = 3  # supply cards that an office counts at the end [V-3.3]

EAGLE, ROSE = 0, 1


class Land(IntEnum):
    NONE = 0
    MOOR = 1
    MEADOW = 2
    RIVER = 3
    FOREST = 4
    VILLAGE = 5
    CITY = 6


#                 none  moor  meadow  river  forest  village  city
CONFLICT_VALUE = (0,    0,    3,      5,     7,      10,      15)  # [V-0.2]  # fmt: skip

#              I  II III IV   points for each winner, by how many serve the winning house [V-0.3]
LAND_POINTS = (
    (3, 2, 1, 0),  # moor
    (4, 3, 2, 0),  # meadow: the sheet prints the row without its land
    (5, 4, 2, 0),  # river
    (6, 4, 3, 0),  # forest
    (7, 5, 3, 0),  # village
    (9, 6, 4, 0),  # city
)

#               kind 0  1  2  3  4  5   supply cards are counted, never laid in a slot: no "nothing" here
SUPPLY_VALUE = (2,      3, 4, 5, 6, 8)  # [V-0.4]  # fmt: skip
SUPPLY_COPIES = (5,     5, 5, 5, 2, 1)  # [V-0.4]  # fmt: skip
STARTING = (0,          1, 1, 1, 0, 0)  # each player's 3, 4 and 5 [V-1.4]  # fmt: skip


class Role(IntEnum):
    NONE = 0
    TRAITOR = 1
    DIPLOMAT_2 = 2
    DIPLOMAT_5 = 3
    BUILDER = 4
    STRATEGIST = 5
    FARMER = 6


#                none  traitor  diplomat 2  diplomat 5  builder  strategist  farmer
ROLE_STRENGTH = (0,    0,       2,          5,          0,       0,          0)  # [V-2.5]  # fmt: skip
ROLE_POINTS = (  0,    1,       0,          0,          0,       0,          0)  # [V-2.8] + an option  # fmt: skip
ROLE_SUPPLY = (  0,    0,       1,          0,          0,       0,          3)  # [V-2.13]  # fmt: skip
ROLES = 6  # numbered from 1
ALL_ROLES = 0b1111110  # a set of roles is a number: bit `role` is set


class Building(IntEnum):
    NONE = 0
    ESTATE = 1
    OFFICE = 2


#              seats 0  1  2  3  4
LAST_ROUND = (       0, 0, 0, 9, 8)  # [V-3.1]  # fmt: skip
