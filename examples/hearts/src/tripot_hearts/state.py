"""The state of Hearts: what lies on the table, and who sees it."""

from dataclasses import dataclass
from enum import IntEnum

from tripot.core.game import standard_fields
from tripot.core.layout import HIDDEN, I8, I16, OWNER, PUBLIC, SEAT, SEAT_OR_NOBODY, SET, Field, SeatAxis
from tripot.core.options import option
from tripot_hearts.cards import ALL_POINTS, CARDS, DEALT, MOST_DEALS, PASSED, SEATS, SUITS


class Phase(IntEnum):
    NONE = 0
    PASS = 1  # everyone passes three cards in secret [H-2.1]
    PLAY = 2  # tricks [H-3]
    OVER = 3


class Direction(IntEnum):
    """Where passed cards go: this many seats on."""

    NONE = 0
    LEFT = 1
    ACROSS = 2
    RIGHT = 3


class Passing(IntEnum):
    CYCLE = 0  # left, right, across, none, and again
    LEFT = 1
    ACROSS = 2
    RIGHT = 3
    NONE = 4
    DRAWN = 5  # one of the four, drawn for each deal


class Lead(IntEnum):
    TWO_OF_CLUBS = 0
    ANY_CLUB = 1


class Moon(IntEnum):
    OTHERS = 0  # 26 points for each of the others
    SELF = 1  # 26 points off for whoever shot it


@dataclass(frozen=True)
class Options:
    """The house rules of Hearts."""

    passing: int = option(Passing.CYCLE, "H-2.2", names=Passing)
    first_lead: int = option(Lead.TWO_OF_CLUBS, "H-3.1", names=Lead)
    first_trick_points: int = option(0, "H-3.4")
    breaking: int = option(1, "H-3.5")
    queen_breaks: int = option(0, "H-3.5")
    hearts_for_queen: int = option(0, "H-3.6")
    moon: int = option(Moon.OTHERS, "H-4.2", names=Moon)
    jack: int = option(0, "H-4.3")
    no_tricks: int = option(0, "H-4.4")
    target: int = option(100, "H-5.1", highest=1000)
    deals: int = option(0, "H-5.1", highest=MOST_DEALS)


BY_SEAT = (SeatAxis(SEATS),)
MOST_SCORE = MOST_DEALS * (ALL_POINTS + 15)

FIELDS = [
    *standard_fields(SEATS, max(Phase)),
    Field("round", I8, (), PUBLIC, MOST_DEALS, "the deal being played, from 1", scale=10),
    Field("direction", I8, (), PUBLIC, max(Direction), "the Direction in which cards are passed", codes=True),
    # the tricks
    Field("starter", I8, (), PUBLIC, 3, "the seat that had the two of clubs when play began", codes=True, values=SEAT),
    Field("leader", I8, (), PUBLIC, 3, "the seat that leads, or led, this trick", codes=True, values=SEAT),
    Field("suit_led", I8, (), PUBLIC, SUITS, "1 + the suit led to this trick, or 0", codes=True),
    Field("turn", I8, (), PUBLIC, CARDS, "cards played in this deal", absent=(CARDS,)),
    Field("broken", I8, (), PUBLIC, 1, "1 when hearts may be led"),
    Field("trick", I8, BY_SEAT, PUBLIC, CARDS, "1 + the card each seat has played to this trick, or 0", codes=True),
    Field("last_trick", I8, BY_SEAT, PUBLIC, CARDS, "the same for the trick before", codes=True, encoded=False),
    Field("last_winner", I8, (), PUBLIC, SEATS, "1 + who took it, or 0", values=SEAT_OR_NOBODY, encoded=False),
    Field("gone", I8, (CARDS,), PUBLIC, SEATS, "by card: 1 + the seat that has played it, or 0", values=SEAT_OR_NOBODY),
    Field("void", I8, BY_SEAT, PUBLIC, (1 << SUITS) - 1, "the set of suits each seat has shown to lack", values=SET),
    # the score
    Field("tricks", I8, BY_SEAT, PUBLIC, DEALT, "tricks taken in this deal"),
    Field("taken", I8, BY_SEAT, PUBLIC, ALL_POINTS, "points taken in this deal"),
    Field("jack_taken", I8, (), PUBLIC, SEATS, "1 + who took the jack of diamonds in this deal", values=SEAT_OR_NOBODY),
    Field("penalty", I16, BY_SEAT, PUBLIC, MOST_SCORE, "points against each seat, from earlier deals", scale=100),
    Field("credit", I16, BY_SEAT, PUBLIC, MOST_SCORE, "points taken off: the score is penalty - credit", scale=50),
    # the cards
    Field("hand", I8, (SEATS, CARDS), OWNER, 1, "by card: 1 if it is in hand"),
    Field("given", I8, (SEATS, PASSED), OWNER, CARDS, "1 + the cards passed on, in their order", codes=True),
    Field("received", I8, (SEATS, PASSED), OWNER, CARDS, "1 + the cards received, in their order", codes=True),
    Field("left", I8, (SUITS,), HIDDEN, CARDS, "scratch for `imagine`: unknown cards of each suit", encoded=False),
    Field("takers", I8, (SUITS,), HIDDEN, 15, "scratch for `imagine`: the seats that can have a suit", encoded=False),
    Field("need", I8, (SEATS,), HIDDEN, CARDS, "scratch for `imagine`: cards that each hand lacks", encoded=False),
    # the house rules in force
    Field("passing", I8, (), PUBLIC, max(Passing), "the Passing in force [H-2.2]", codes=True, house_rule=True),
    Field("first_lead", I8, (), PUBLIC, max(Lead), "the Lead in force [H-3.1]", house_rule=True),
    Field("first_trick_points", I8, (), PUBLIC, 1, "1: points may fall on the first trick [H-3.4]", house_rule=True),
    Field("breaking", I8, (), PUBLIC, 1, "1: hearts must be broken before they are led [H-3.5]", house_rule=True),
    Field("queen_breaks", I8, (), PUBLIC, 1, "1: the queen of spades breaks hearts [H-3.5]", house_rule=True),
    Field("hearts_for_queen", I8, (), PUBLIC, 1, "1: nobody is forced to lead the queen [H-3.6]", house_rule=True),
    Field("moon", I8, (), PUBLIC, max(Moon), "the Moon in force [H-4.2]", house_rule=True),
    Field("jack", I8, (), PUBLIC, 1, "1: the jack of diamonds takes 10 points off [H-4.3]", house_rule=True),
    Field("no_tricks", I8, (), PUBLIC, 1, "1: no trick at all takes 5 points off [H-4.4]", house_rule=True),
    Field("target", I16, (), PUBLIC, 1000, "the score that ends the game, or 0 [H-5.1]", house_rule=True, scale=100),
    Field("deals", I8, (), PUBLIC, MOST_DEALS, "the most deals there are [H-5.1]", house_rule=True),
]
