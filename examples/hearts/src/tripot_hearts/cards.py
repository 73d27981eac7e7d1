"""The pack: 52 cards, numbered suit by suit from the two to the ace, and what they cost. [H-0]"""

SEATS = 4
RANKS = 13
CARDS = 52
DEALT = 13  # cards a hand
PASSED = 3  # cards that each player passes on [H-2.1]

CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
SUITS = 4

TWO_OF_CLUBS = 0
JACK_OF_DIAMONDS = DIAMONDS * RANKS + 9
FIRST_HEART = HEARTS * RANKS
FIRST_SPADE = SPADES * RANKS
QUEEN_OF_SPADES = SPADES * RANKS + 10

QUEEN_POINTS = 13  # [H-0.3]
ALL_POINTS = RANKS + QUEEN_POINTS
JACK_POINTS = 10  # taken off [H-4.3]
NO_TRICK_POINTS = 5  # taken off [H-4.4]
MOST_DEALS = 40  # [H-5.1]


def points_of(card):
    """What a card costs whoever takes it. [H-0.3]"""
    if card == QUEEN_OF_SPADES:
        return QUEEN_POINTS
    return 1 if FIRST_HEART <= card < FIRST_SPADE else 0
