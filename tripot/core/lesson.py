"""Lessons: a position on the real table, one idea, and an answer to every decision that the learner may take.

A lesson is data in its game's `lessons.py`. Decisions are named by their English sentences, so that people can read and
write them; patterns are regular expressions that fit the whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tripot.core.speech import Phrase, say

if TYPE_CHECKING:
    from tripot.core.game import Game


@dataclass(frozen=True)
class Wrong:
    """Why a decision is not the one: said for decisions whose sentence fits; `.*` fits all that are left."""

    fits: str
    clause: str
    why: Phrase


@dataclass(frozen=True)
class Lesson:
    """One idea. The learner takes as many decisions as `right` has patterns."""

    key: str
    title: Phrase
    idea: Phrase
    position: str  # in the notation of `core.position`
    right: tuple[str, ...]
    clause: str
    brought: Phrase  # what the right decisions brought
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True)
class Tried:
    """A legal decision of a step, and what the learner is told about it."""

    action: int
    right: bool
    clause: str
    told: Phrase
    after: Any = None  # the state that a right decision leads to


@dataclass(frozen=True)
class LessonStep:
    """A question of a lesson: the whole state, the seat that learns, and every decision it may take."""

    s: Any
    seat: int
    choices: list[Tried]


class BadLesson(ValueError):
    """A lesson that does not work; the message says where."""


def steps_of(game: Game, lesson: Lesson) -> list[LessonStep]:
    """The questions of a lesson. Raises BadLesson."""
    from tripot.core.game import waiting_seats
    from tripot.core.position import read_position

    s = read_position(lesson.position, {game.name: game}).s
    seat, steps = waiting_seats(s)[0], list[LessonStep]()
    for number, pattern in enumerate(lesson.right):
        if seat not in waiting_seats(s):
            raise BadLesson(f"{lesson.key}: question {number + 1} goes to another seat")
        choices = [_tried(game, lesson, s, seat, number, action) for action in game.legal_actions(s, seat)]
        steps.append(LessonStep(s, seat, choices))
        right = [choice for choice in choices if choice.right]
        if not right:
            raise BadLesson(f"{lesson.key}: nothing fits '{pattern}'")
        if len(right) > 1 and number + 1 < len(lesson.right):
            several = f"'{pattern}' fits {len(right)} decisions; only the last question may have several"
            raise BadLesson(f"{lesson.key}: {several}")
        s = right[0].after
    return steps


def _tried(game: Game, lesson: Lesson, s: Any, seat: int, number: int, action: int) -> Tried:
    """What the learner is told about one decision, and where it leads if it is right."""
    sentence = sentence_of(game, game.layout.observe_plain(s, seat), action, "en")
    if re.fullmatch(lesson.right[number], sentence):
        after = s.copy()
        game.apply(after, seat, action)
        return Tried(action, True, lesson.clause, lesson.brought, after)
    for wrong in lesson.wrong:
        if re.fullmatch(wrong.fits, sentence):
            return Tried(action, False, wrong.clause, wrong.why)
    raise BadLesson(f"{lesson.key}: nothing is said about '{sentence}'")


def sentence_of(game: Game, view: Any, action: int, lang: str, players: Sequence[str] | None = None) -> str:
    """A decision in words."""
    names = players or [phrase(lang) for phrase in game.text.SEATS]
    key, numbers = game.text.decision(view, action)
    return say(game.text.DECISIONS[key], numbers, game.text.NAMES, names, lang)
