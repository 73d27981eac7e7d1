"""Checks that an object is a game, before anything relies on what another package calls one."""

from __future__ import annotations

import dataclasses
import inspect
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from tripot.core.game import WHOLE_WIN, Evaluation, Game, Stages
from tripot.core.guide import Guide
from tripot.core.layout import OWNER, Field, SeatAxis
from tripot.core.lesson import Lesson
from tripot.core.notation import Notation
from tripot.core.quantities import Quantities
from tripot.core.rulebook import BadRuleBook, option_texts, rule_book
from tripot.core.speech import BAG, BUILT_IN, Phrase, Sentence
from tripot.core.staging import Staging

NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
MOST_SEATS = 6  # `waiting` has a bit for each in eight, and a victory is shared in sixtieths
MOST_ACTIONS = 4096
PARAMETERS = {
    "deal": "(s, options, seats, seed)",
    "legal": "(s, seat, mask)",
    "apply": "(s, seat, action)",
    "imagine": "(view, s, seed)",
}
EXTRAS: dict[str, type | tuple[type, ...]] = {  # what a game may bring besides
    "stages": (Stages, type(None)),
    "evaluation": (Evaluation, type(None)),
    "guide": (Guide, type(None)),
    "quantities": (Quantities, type(None)),
    "notation": Notation,
    "lessons": tuple,
    "board": str,
    "drawing": str,
    "page": (Path, type(None)),
}
TEXT_EXTRAS: dict[str, type] = {"OPTION_VALUES": Mapping, "FACTS": Mapping, "STAGING": Staging}
STANDARD = ("seats", "phase", "waiting", "over", "result")
TEXTS: dict[str, type] = {
    "__file__": str,
    "TITLE": Phrase,
    "TAGLINE": Phrase,
    "SEATS": Sequence,
    "NAMES": Mapping,
    "QUESTIONS": Mapping,
    "DECISIONS": Mapping,
    "NEWS": Mapping,
    "decision": FunctionType,
}  # core.game_text.GameText


class BadGame(ValueError):
    """Not a game; the message says in a sentence what is missing or wrong."""


def check_game(game: Any) -> None:
    """Raises BadGame with the first thing that is wrong. Plays nothing: a game can pass and still have faulty rules."""
    if not isinstance(game, Game):
        raise BadGame(f"this is {type(game).__name__}, not a tripot.core.game.Game")
    for problem in _problems(game):
        raise BadGame(problem)


def _problems(game: Game) -> Iterator[str]:
    yield from _frame_problems(game)
    yield from _rule_problems(game)
    yield from _field_problems(game)
    yield from _option_problems(game)
    yield from _text_problems(game)
    yield from _extra_problems(game)
    try:
        missing = {f.name for f in dataclasses.fields(game.options)} - set(option_texts(game))
        if missing:
            yield f"RULES.md beside the texts does not explain the house rule {min(missing)}"
        rule_book(game)
    except BadRuleBook as error:
        yield f"RULES.md: {error}"


def _frame_problems(game: Game) -> Iterator[str]:
    if not isinstance(game.name, str) or not NAME.fullmatch(game.name):
        yield f"name: {game.name!r} is not a word of small letters, digits and underscores"
    if not isinstance(game.rules_version, int) or game.rules_version < 1:
        yield f"rules_version: {game.rules_version!r} is not a number from 1"
    sizes = game.seats
    if not isinstance(sizes, tuple) or not sizes or not all(isinstance(n, int) and 1 <= n <= MOST_SEATS for n in sizes):
        yield f"seats: {sizes!r} are not table sizes from 1 to {MOST_SEATS}"
    if not isinstance(game.num_actions, int) or not 1 <= game.num_actions <= MOST_ACTIONS:
        yield f"num_actions: {game.num_actions!r} is not from 1 to {MOST_ACTIONS}"


def _rule_problems(game: Game) -> Iterator[str]:
    rules = PARAMETERS if game.heuristic is None else PARAMETERS | {"heuristic": "(view, mask, memory)"}
    for name, wanted in rules.items():
        rule = getattr(game, name)
        if not isinstance(rule, FunctionType):
            yield f"{name}: {type(rule).__name__} instead of a function {name}{wanted}"
        elif len(inspect.signature(rule).parameters) != wanted.count(",") + 1:
            yield f"{name}: takes {inspect.signature(rule)} instead of {wanted}"
        elif rule.__closure__:
            yield f"{name}: is a closure, which cannot be compiled; put it at the top of a module"


def _field_problems(game: Game) -> Iterator[str]:
    if not isinstance(game.fields, list) or not all(isinstance(f, Field) for f in game.fields):
        yield "fields: not a list of tripot.core.layout.Field"
        return
    names = [f.name for f in game.fields]
    for name in STANDARD:
        if name not in names:
            yield f"fields: '{name}' is missing; begin with tripot.core.game.standard_fields"
    for f in game.fields:
        if not isinstance(f.name, str) or not f.name.isidentifier() or keyword.iskeyword(f.name):
            yield f"fields: {f.name!r} is not a name that Python takes"
        if names.count(f.name) > 1:
            yield f"fields: '{f.name}' is there twice"
        if f.sight is OWNER and (not f.shape or f.shape[0] != max(game.seats)):
            yield f"fields: '{f.name}' is each owner's own, so its first axis counts {max(game.seats)} seats"
        if any(isinstance(axis, SeatAxis) and axis != max(game.seats) for axis in f.shape):
            yield f"fields: an axis of '{f.name}' counts other seats than the {max(game.seats)} of the largest table"
    result = next(f for f in game.fields if f.name == "result")
    if result.highest != WHOLE_WIN:
        yield f"fields: 'result' runs to {result.highest} instead of {WHOLE_WIN}"
    try:
        game.layout  # noqa: B018 (works it out)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        yield f"fields: no state can be made of them: {error}"


def _option_problems(game: Game) -> Iterator[str]:
    kind = game.options
    if not dataclasses.is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        yield f"options: {kind!r} is not a frozen dataclass"
        return
    for f in dataclasses.fields(kind):
        if f.default is dataclasses.MISSING or "clause" not in f.metadata:
            yield f"options: {f.name} is not declared with tripot.core.options.option"


def _text_problems(game: Game) -> Iterator[str]:
    text = game.text
    for name, kind in TEXTS.items():
        if not isinstance(getattr(text, name, None), kind):
            yield f"text: {name} is missing, or is not a {kind.__name__}"
            return
    if len(text.SEATS) < max(game.seats):
        yield f"text: SEATS names {len(text.SEATS)} seats, but {max(game.seats)} can play"
    phrases = {
        "TITLE": text.TITLE,
        "TAGLINE": text.TAGLINE,
        **{f"SEATS[{n}]": name for n, name in enumerate(text.SEATS)},
    }
    for table, names in text.NAMES.items():
        phrases |= {f"NAMES['{table}'][{n}]": name for n, name in enumerate(names)}
    for where, phrase in phrases.items():
        yield from _language_problems(where, phrase, Phrase)
    for table in ("QUESTIONS", "DECISIONS", "NEWS"):
        for key, sentence in getattr(text, table).items():
            yield from _language_problems(f"{table}[{key!r}]", sentence, Sentence)
            for _, names in sentence.holes:
                if names.removesuffix(BAG) not in (*BUILT_IN, *text.NAMES):
                    yield f"text: {table}[{key!r}] looks numbers up in '{names}', which NAMES does not have"


def _extra_problems(game: Game) -> Iterator[str]:
    for name, kind in EXTRAS.items():
        if not isinstance(getattr(game, name), kind):
            yield f"{name}: {type(getattr(game, name)).__name__} is not what a Game may have there"
    if not all(isinstance(lesson, Lesson) for lesson in game.lessons):
        yield "lessons: not all are tripot.core.lesson.Lesson"
    if game.page is not None and not (game.page / f"{game.drawing}.js").is_file():
        yield f"page: there is no drawing {game.page / game.drawing}.js"
    for name, kind in TEXT_EXTRAS.items():
        if hasattr(game.text, name) and not isinstance(getattr(game.text, name), kind):
            yield f"text: {name} is {type(getattr(game.text, name)).__name__} instead of a {kind.__name__}"
    for option, values in getattr(game.text, "OPTION_VALUES", {}).items():
        if not isinstance(values, Sequence) or not all(isinstance(value, Phrase) for value in values):
            yield f"text: OPTION_VALUES[{option!r}] is not a sequence of phrases"


def _language_problems(where: str, said: Any, kind: type) -> Iterator[str]:
    if not isinstance(said, kind):
        raise BadGame(f"text: {where} is {type(said).__name__} instead of a {kind.__name__}")
    for lang, language in (("en", "English"), ("fr", "French")):
        if not getattr(said, lang):
            yield f"text: {where} has no {language}"
