"""Pennies: a toy game for the tests, with what Verräter lacks: secret choices made at the same time.

Each seat secretly lays up to two of its pennies, one at a time; when all have, they are shown, the
highest sum scores (equals share), the pennies are spent and everyone draws one more. Three rounds.
The module is also its own `text`.
"""

import sys
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from tripot.core.game import DEALER, IMAGINATION, WHOLE_WIN, Game, standard_fields
from tripot.core.layout import HIDDEN, I8, OWNER, PUBLIC, Field
from tripot.core.news import tell, whisper
from tripot.core.options import SEATS as SEAT
from tripot.core.options import option
from tripot.core.pile import bag_size, take_random
from tripot.core.rng import roll, seed_luck
from tripot.core.speech import Phrase, Sentence

MAX_SEATS, KINDS, COPIES, MOST_LAID = 3, 3, 4, 2
DONE, LAY = 0, 1  # LAY + kind
NUM_ACTIONS = LAY + KINDS


class Phase(IntEnum):
    NONE = 0
    CHOOSE = 1
    OVER = 2


class News(IntEnum):
    NONE = 0
    YOU_DREW = 1
    SHOWN = 2
    SCORED = 3


class Taste(IntEnum):
    HIGH = 0
    LOW = 1


@dataclass(frozen=True)
class Options:
    """One option of each sort."""

    rounds: int = option(3, "P-1.1", highest=4)
    worth: tuple[int, ...] = option((1, 2, 3), "P-1.2", highest=9)
    lucky: int = option(0, "P-1.3", highest=SEAT)  # this seat, counted from 1, starts with a point
    taste: int = option(Taste.HIGH, "P-1.4", names=Taste)


FIELDS = [
    *standard_fields(MAX_SEATS, max(Phase)),
    Field("round", I8, (), PUBLIC, 4, "the round, from 1"),
    Field("points", I8, (MAX_SEATS,), PUBLIC, 10, "points"),
    Field("held", I8, (MAX_SEATS,), PUBLIC, 12, "pennies in purse and laid, together"),
    Field("purse", I8, (MAX_SEATS, KINDS), OWNER, COPIES, "pennies by kind"),
    Field("laid", I8, (MAX_SEATS, KINDS), OWNER, MOST_LAID, "pennies laid in secret"),
    Field("spent", I8, (KINDS,), PUBLIC, COPIES, "pennies shown and gone"),
    Field("bag", I8, (KINDS,), HIDDEN, COPIES, "pennies still to be drawn"),
    Field("rounds", I8, (), PUBLIC, 4, "rounds to play"),
    Field("worth", I8, (KINDS,), PUBLIC, 9, "what each kind counts"),
    Field("taste", I8, (), PUBLIC, 1, "whether high or low sums score", codes=True),
]


def deal(s, options, seats, seed):
    seed_luck(s, seed, DEALER)
    s.seats = seats
    s.rounds = options.rounds
    s.taste = options.taste
    for kind in range(KINDS):
        s.worth[kind] = options.worth[kind]
        s.bag[kind] = COPIES
    if options.lucky > 0:
        s.points[options.lucky - 1] = 1
    for seat in range(seats):
        draw(s, seat)
        draw(s, seat)
    start_round(s)


def draw(s, seat):
    if bag_size(s.bag) > 0:
        kind = take_random(s, s.bag, bag_size(s.bag))
        s.purse[seat][kind] += 1
        s.held[seat] += 1
        whisper(s, seat, News.YOU_DREW, seat, kind)


def start_round(s):
    if s.round == s.rounds:
        end_game(s)
    else:
        s.round += 1
        s.phase = Phase.CHOOSE
        s.waiting = (1 << s.seats) - 1


def legal(s, seat, mask):
    if s.waiting >> seat & 1:
        mask[DONE] = 1
        for kind in range(KINDS):
            if s.purse[seat][kind] > 0:
                mask[LAY + kind] = 1


def apply(s, seat, action):
    if action != DONE:
        s.purse[seat][action - LAY] -= 1
        s.laid[seat][action - LAY] += 1
    if action == DONE or bag_size(s.laid[seat]) == MOST_LAID:
        s.waiting &= ~(1 << seat)
        if s.waiting == 0:
            reveal(s)


def laid_worth(s, seat):
    total = 0
    for kind in range(KINDS):
        total += s.laid[seat][kind] * s.worth[kind]
    return total if s.taste == Taste.HIGH else 20 - total


def reveal(s):
    best = 0
    for seat in range(s.seats):
        tell(s, News.SHOWN, seat, bag_size(s.laid[seat]))
        best = max(best, laid_worth(s, seat))
    for seat in range(s.seats):
        if laid_worth(s, seat) == best:
            s.points[seat] += 1
            tell(s, News.SCORED, seat, 1)
    for seat in range(s.seats):
        for kind in range(KINDS):
            s.spent[kind] += s.laid[seat][kind]
            s.held[seat] -= s.laid[seat][kind]
            s.laid[seat][kind] = 0
        draw(s, seat)
    start_round(s)


def end_game(s):
    best = 0
    for seat in range(s.seats):
        best = max(best, s.points[seat])
    winners = 0
    for seat in range(s.seats):
        winners += 1 if s.points[seat] == best else 0
    for seat in range(s.seats):
        if s.points[seat] == best:
            s.result[seat] = WHOLE_WIN // winners
    s.over = 1
    s.waiting = 0
    s.phase = Phase.OVER


def imagine(view, s, seed):
    seed_luck(s, seed, IMAGINATION)
    for kind in range(KINDS):
        s.bag[kind] = COPIES - view.spent[kind] - view.my_purse[kind] - view.my_laid[kind]
    for seat in range(s.seats):
        if seat != view.seat:
            for _ in range(view.held[seat]):
                s.purse[seat][take_random(s, s.bag, bag_size(s.bag))] += 1
            most = 0 if view.over else MOST_LAID - (view.waiting >> seat & 1)
            for _ in range(min(roll(s, most + 1), view.held[seat])):
                s.laid[seat][take_random(s, s.purse[seat], bag_size(s.purse[seat]))] += 1


# --- Text ---

TITLE = Phrase("Pennies", "Sous")
SEATS = (Phrase("One", "Un"), Phrase("Two", "Deux"), Phrase("Three", "Trois"))
NAMES = {"penny": (Phrase("copper", "cuivre"), Phrase("silver", "argent"), Phrase("gold", "or"))}
QUESTIONS = {
    Phase.CHOOSE: Sentence("P-1.1", "", "What do you lay?", "Que posez-vous ?"),
    Phase.OVER: Sentence("P-1.2", "", "It is over.", "C'est fini."),
}
DECISIONS = {
    "done": Sentence("P-1.1", "", "Lay no more", "Ne plus rien poser"),
    "lay": Sentence("P-1.1", "penny", "Lay {penny}", "Poser {penny}"),
}
NEWS = {
    News.YOU_DREW: Sentence("P-1.1", "seat penny", "{seat} draws {penny}", "{seat} pioche {penny}"),
    News.SHOWN: Sentence(
        "P-1.1", "seat number:count", "{seat} shows {count|penny|pennies}", "{seat} montre {count|sou|sous}"
    ),
    News.SCORED: Sentence("P-1.2", "seat number", "{seat} scores {number}", "{seat} marque {number}"),
}


def decision(view: Any, action: int) -> tuple[str, tuple[int, ...]]:
    return ("done", ()) if action == DONE else ("lay", (action - LAY,))


GAME = Game(
    name="pennies",
    seats=(2, 3),
    rules_version=1,
    fields=FIELDS,
    options=Options,
    num_actions=NUM_ACTIONS,
    deal=deal,
    legal=legal,
    apply=apply,
    imagine=imagine,
    text=sys.modules[__name__],
)
