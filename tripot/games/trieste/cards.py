"""What is printed on Trieste's cards: one line per title, with the source of its numbers. Row 0 is always nothing."""

from enum import IntEnum
from typing import NamedTuple

SEATS = 3
WATCH, MERCHANT, THIEF = 0, 1, 2
FACTIONS = 3
FACTION_CARDS = 33  # per faction [T-0.1]

COPPER, SILVER, GOLD, DIAMOND = 0, 1, 2, 3
TREASURES = 4
#                  copper  silver  gold  diamond
TREASURE_VALUE = ( 1,      2,      3,    4)  # [T-0.1]  # fmt: skip
TREASURE_COPIES = (39,     12,     4,    1)  # [T-0.1]  # fmt: skip
STARTING_COPPERS = 2  # per player, put aside from the deck [T-1.1]
STARTING_CARDS = 2  # per player [T-1.3]

DRAWS = 2  # per turn [T-3.1]
CAPTURES_TO_WIN = 7  # [T-4.1]
RICHES = 11  # plus the levels of the captured thieves [T-4.2]
MOST_INFAMY = 9  # [T-4.3]
LAST_TURN = 60  # [T-4.5]

TITLES = 11  # the most that a faction has
KINDS = TREASURES + TITLES  # what a hand can hold: the treasures, then the titles of its own faction
TREASURE_BACK, FACTION_BACK = 0, 1


class Type(IntEnum):
    NONE = 0
    CHARACTER = 1
    ACTION = 2
    SPECIAL = 3
    TREASURE = 4


class Verb(IntEnum):
    """What a card does, with its numbers `reach`, `amount` and `more`."""

    NOTHING = 0
    CAPTURE = 1  # the revealed thief up to level reach; if captured draw amount, the Thief loses more Infamy
    RAID = 2  # the revealed thief up to level reach; captured or not, the Thief loses more Infamy
    INFILTRATE = 3  # one thief up to level reach in hand: more Infamy lost; if there is none, amount own cards
    TAX = 4  # the Merchant gives one treasure in amount
    PROSECUTE = 5  # up to amount thieves up to level reach in the discard pile
    SEARCH = 6  # amount cards of the Thief's hand: thieves up to level reach, or more own cards for each other
    INSPECT = 7  # the Merchant gives one treasure in amount or the card is negated; if there is none, draw more
    BOUNTY = 8  # draw amount; for two turns every capture draws more
    CURFEW = 9  # draw amount; next turn the Thief's cards cost more
    DRAW = 10  # amount treasures and more own cards
    SIFT = 11  # draw amount, keep more
    VEND = 12  # draw amount, or more if a thief was captured this turn
    GUARD = 13  # draw amount; the Thief is kept off
    SALVAGE = 14  # amount from the treasure discard
    BARGAIN = 15  # two action cards up to level reach again
    BRIBE = 16  # a captured thief goes to the Thief's discard pile
    INSURE = 17  # what the Thief takes, and amount
    VOYAGE = 18  # draw amount at the next Draw Phase
    SUE = 19  # amount at random from the Watch
    PINCH = 20  # up to amount coppers from the Merchant
    PICKPOCKET = 21  # amount at random from Merchant or Watch
    ROB = 22  # one treasure in amount from the Merchant, at least more, at random
    PLUNDER = 23  # the same, and one from the Watch
    FORGE = 24  # see the Merchant's hand, discard amount of it
    RECALL = 25  # draw amount; a character back from the discard pile
    SMOKE = 26  # the reaction: a capture does not happen
    FENCE = 27  # discard an own card and draw amount
    FREE = 28  # a captured thief comes back into the hand
    INFORM = 29  # draw amount; next turn the Watch plays face up


class Card(NamedTuple):
    """A title as printed; another deck can change copies, cost, level, reach, amount and more."""

    title: str
    faction: int
    type: Type
    copies: int
    cost: int
    level: int
    verb: Verb
    reach: int
    amount: int
    more: int
    source: str


CHARACTER, ACTION, SPECIAL = Type.CHARACTER, Type.ACTION, Type.SPECIAL

# Sources in capitals are known facts, which stay; the other numbers are ours, tuned by measured play [T-5].
CARDS = (
    #    title, faction, type, copies, cost, level, verb, reach, amount, more, source
    Card("(no card)", WATCH, Type.NONE, 0, 0, 0, Verb.NOTHING, 0, 0, 0, ""),
    Card("Patrol Officer", WATCH, CHARACTER, 5, 1, 1, Verb.CAPTURE, 1, 3, 0, "S F: COST, REACH, TREASURE"),
    Card("Bloodhound", WATCH, CHARACTER, 6, 2, 2, Verb.CAPTURE, 2, 0, 1, "F: INFAMY IF CAPTURED"),
    Card("Raiding Party", WATCH, ACTION, 2, 2, 3, Verb.RAID, 3, 0, 1, "F: INFAMY 1, CAPTURED OR NOT"),
    Card("Undercover Agent", WATCH, CHARACTER, 4, 2, 2, Verb.INFILTRATE, 2, 1, 1, "H"),
    Card("Tax Collector", WATCH, CHARACTER, 5, 0, 1, Verb.TAX, 0, 4, 0, "H"),
    Card("Magistrate", WATCH, CHARACTER, 3, 1, 3, Verb.PROSECUTE, 2, 2, 0, "H"),
    Card("Search Warrant", WATCH, ACTION, 3, 1, 2, Verb.SEARCH, 2, 2, 1, "F: TWO CARDS, DRAW FOR OTHERS"),
    Card("Contraband Checkpoint", WATCH, ACTION, 1, 0, 1, Verb.INSPECT, 0, 1, 6, "H"),
    Card("Bounty", WATCH, ACTION, 1, 0, 1, Verb.BOUNTY, 0, 3, 3, "H"),
    Card("Curfew", WATCH, ACTION, 1, 0, 2, Verb.CURFEW, 0, 3, 2, "H"),
    Card("Muster", WATCH, ACTION, 2, 0, 0, Verb.DRAW, 0, 3, 2, "H"),
    Card("Business as Usual", MERCHANT, ACTION, 4, 0, 1, Verb.SIFT, 0, 2, 1, "S: TYPE, COST, EFFECT"),
    Card("Street Vendor", MERCHANT, CHARACTER, 6, 1, 1, Verb.VEND, 0, 1, 2, "H"),
    Card("Spice Trader", MERCHANT, CHARACTER, 4, 1, 2, Verb.SIFT, 0, 3, 2, "H"),
    Card("Banker", MERCHANT, CHARACTER, 2, 3, 3, Verb.DRAW, 0, 5, 0, "H"),
    Card("Bodyguard", MERCHANT, CHARACTER, 5, 1, 0, Verb.GUARD, 0, 1, 0, "H"),
    Card("Smuggler", MERCHANT, CHARACTER, 2, 1, 0, Verb.SALVAGE, 0, 1, 0, "H"),
    Card("Grand Bargain", MERCHANT, ACTION, 2, 2, 3, Verb.BARGAIN, 2, 0, 0, "S: EFFECT; the title is ours"),
    Card("Bribe", MERCHANT, ACTION, 2, 2, 1, Verb.BRIBE, 0, 0, 0, "H"),
    Card("Insurance", MERCHANT, ACTION, 2, 0, 1, Verb.INSURE, 0, 1, 0, "H"),
    Card("Trading Voyage", MERCHANT, ACTION, 2, 1, 2, Verb.VOYAGE, 0, 3, 0, "H"),
    Card("Lawsuit", MERCHANT, ACTION, 2, 0, 2, Verb.SUE, 0, 1, 0, "H"),
    Card("Street Urchin", THIEF, CHARACTER, 8, 0, 1, Verb.PINCH, 0, 2, 0, "S: TYPE, LEVEL, COST"),
    Card("Pickpocket", THIEF, CHARACTER, 5, 1, 1, Verb.PICKPOCKET, 0, 2, 0, "H"),
    Card("Burglar", THIEF, CHARACTER, 6, 4, 2, Verb.ROB, 0, 3, 2, "H"),
    Card("Forger", THIEF, CHARACTER, 4, 1, 2, Verb.FORGE, 0, 2, 0, "H"),
    Card("Decoy", THIEF, ACTION, 3, 0, 1, Verb.RECALL, 0, 2, 0, "H"),
    Card("Smoke Bomb", THIEF, SPECIAL, 1, 0, 0, Verb.SMOKE, 0, 0, 0, "F: TYPE, EFFECT"),
    Card("Fence", THIEF, ACTION, 2, 0, 1, Verb.FENCE, 0, 4, 0, "H"),
    Card("Jailbreak", THIEF, ACTION, 1, 2, 2, Verb.FREE, 0, 0, 0, "H"),
    Card("Master Thief", THIEF, CHARACTER, 1, 6, 3, Verb.PLUNDER, 0, 2, 2, "H"),
    Card("Informer", THIEF, ACTION, 2, 0, 1, Verb.INFORM, 0, 1, 0, "H"),
)
NAMED = {card.title: number for number, card in enumerate(CARDS)}
UNDERCOVER_AGENT = NAMED["Undercover Agent"]

# A card is numbered by its row above; the treasures follow. In a hand it is a kind: treasure, or title of the faction.
TREASURE_CARD = len(CARDS)  # + kind of treasure
CARD_NUMBERS = TREASURE_CARD + TREASURES
OWN_TITLES = (11, 11, 10)  # by faction
BEFORE = (-3, 8, 19)  # by faction: added to a kind of card in hand, gives the number of the card
SMOKE_BOMB = NAMED["Smoke Bomb"] - BEFORE[THIEF]  # as a kind

TYPE = tuple(int(card.type) for card in CARDS) + (int(Type.TREASURE),) * TREASURES
VERB = tuple(int(card.verb) for card in CARDS) + (int(Verb.DRAW),) * TREASURES
PLAYABLE = tuple(int(kind in (CHARACTER, ACTION)) for kind in TYPE[:TREASURE_CARD]) + (1, 1, 0, 0)  # [T-3.2]


class Hero(IntEnum):
    """The heroes, three per faction. [T-6]"""

    NONE = 0
    ANTONIA = 1
    GAOLER = 2
    EXCISEMAN = 3
    DARIO = 4
    JACOPO = 5
    GUILDMISTRESS = 6
    NINE_TAILS = 7
    CATERINA = 8
    FOX = 9


HEROES = 3  # a faction
JACOPO_LEVEL = 1  # of every captured thief, for what the Merchant needs [T-6]


def card_at(faction, kind):
    """Returns the number of a card in hand."""
    return TREASURE_CARD + kind if kind < TREASURES else BEFORE[faction] + kind


def kind_of(faction, card):
    """Returns a card as a kind in a hand of its faction."""
    return card - TREASURE_CARD if card >= TREASURE_CARD else card - BEFORE[faction]


def back_of(kind):
    """Returns which of the two backs a kind of card has. [T-0.4]"""
    return TREASURE_BACK if kind < TREASURES else FACTION_BACK
