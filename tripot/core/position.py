"""Positions as text that people can read and write: a table at one moment, secrets included.

    game: NAME
    seats: 4
    round: 8
    phase: build
    waiting: north
    hand north: 3 5 8
    building: office estate

A line names a field of the state, and the row where the field has several. Everything that is not said is as a deal
leaves it (`deal: 7` names its seed), and what follows from the rest, such as the cards left in a deck, is worked out by
the game. `luck` is the state of the generator, in four words, or a seed. `#` begins a comment. A game says in its
`notation.py` which words stand for its numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tripot.core import rng
from tripot.core.game import DEALER, Game, signed, waiting_seats
from tripot.core.layout import SEAT, SEAT_OR_NOBODY, SEAT_SET, SET, Field, OutOfRange, SeatAxis
from tripot.core.notation import Row, worded
from tripot.core.options import BadOption, as_json, check_seats, parse

HEADINGS = ("game", "rules", "seats", "options", "deal", "luck")
BASE = 1  # the seed of the deal that a position starts from
LUCK = tuple(word.name for word in rng.FIELDS)
NOTHING, NOBODY = "none", "nobody"
LONGEST = 20_000  # characters: a position has some two thousand
_LINE = re.compile(r"([a-z_]+)((?: [\w'-]+)*): *(.*)")


class BadPosition(ValueError):
    """A text that is no position; the message names the line and what is allowed."""


@dataclass
class Position:
    """A position that was read: the game, the house rules, the seats and the state."""

    game: Game
    options: Any
    s: Any


@dataclass
class _Lines:
    """The lines of a text by what they say."""

    headings: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, str, tuple[str, ...], str]] = field(default_factory=list)  # line, field, row, values


# --- Reading ---


def read_position(text: str, games: Mapping[str, Game]) -> Position:
    """The position that a text describes. Raises BadPosition."""
    lines = _split(text)
    game, options, seats = _heading(lines.headings, games)
    s = game.new_state(options, seats, _number(lines.headings.get("deal", str(BASE)), "deal", 0))
    given = set()
    order = {f.name: i for i, f in enumerate(game.fields)}
    for number, name, _, _ in lines.rows:
        if name not in order or name in LUCK:
            raise BadPosition(f"line {number}: {game.name} has no '{name}'; {_nearest(name, order)}")
    for number, name, row, values in sorted(lines.rows, key=lambda line: order[line[1]]):
        try:
            _put(game, s, game.fields[order[name]], row, values)
        except BadPosition as error:
            raise BadPosition(f"line {number}, {name}: {error}") from None
        given.add(name)
    if "luck" in lines.headings:
        _seed(s, lines.headings["luck"])
    game.notation.complete(s, frozenset(given))
    _check(game, s)
    return Position(game, options, s)


def _split(text: str) -> _Lines:
    if len(text) > LONGEST:
        raise BadPosition(f"longer than {LONGEST} characters")
    lines, said = _Lines(), set[tuple[str, ...]]()
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise BadPosition(f"line {number}: '{line[:40]}' does not say 'name: values'")
        name, row, values = found[1], tuple(found[2].split()), found[3].strip()
        if (name, *row) in said:
            raise BadPosition(f"line {number}: '{' '.join((name, *row))}' is said twice")
        said.add((name, *row))
        if name in HEADINGS and not row:
            lines.headings[name] = values
        else:
            lines.rows.append((number, name, row, values))
    return lines


def _heading(said: dict[str, str], games: Mapping[str, Game]) -> tuple[Game, Any, int]:
    """The game, its house rules and the number of seats."""
    game = games.get(said.get("game", ""))
    if game is None:
        raise BadPosition(f"'game: {said.get('game', '')[:20]}': choose {', '.join(games)}")
    if int(_number(said.get("rules", str(game.rules_version)), "rules", 0)) != game.rules_version:
        raise BadPosition(f"rules: this is version {game.rules_version} of {game.name}, not {said['rules']}")
    seats = _number(said.get("seats", str(game.usual_seats)), "seats", 1)
    if seats not in game.seats:
        raise BadPosition(f"seats: {game.name} is for {' or '.join(map(str, game.seats))}, not {seats}")
    pairs = [pair.partition("=") for pair in said.get("options", "").split(";") if pair.strip()]
    try:
        options = parse(game.options, {name.strip(): value.strip() for name, _, value in pairs})
        check_seats(options, seats)
    except BadOption as error:
        raise BadPosition(f"options: {error}") from None
    return game, options, seats


def _number(text: str, name: str, least: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text[:21]) < 1 << 64:
        raise BadPosition(f"{name}: '{text[:20]}' is not a whole number from {least}")
    return int(text)


def _seed(s: Any, text: str) -> None:
    words = text.split()
    if len(words) == 1:
        rng.seed_luck(s, signed(_number(text, "luck", 0)), DEALER)
        return
    if len(words) != len(LUCK) or not all(re.fullmatch("[0-9a-f]{1,8}", word) for word in words):
        raise BadPosition("luck: a seed, or four words of eight hexadecimal digits")
    for name, word in zip(LUCK, words, strict=True):
        setattr(s, name, int(word, 16))


def _put(game: Game, s: Any, f: Field, row: tuple[str, ...], text: str) -> None:
    """Puts the values of one line into the state."""
    axes = _axes(game, f)
    if len(row) != len(axes):
        rows = " ".join(f"({' | '.join(names[: s.seats] if by_seat else names)})" for names, by_seat in axes)
        raise BadPosition(f"write '{f.name} {rows}: …'" if axes else f"'{' '.join(row)}' names no row")
    target, at = s, list[int]()
    for word, (names, _) in zip(row, axes, strict=True):
        at.append(_index(word, names))
    if not f.shape:
        setattr(s, f.name, _parse_one(game, f, tuple(at), text))
        return
    target = getattr(s, f.name)
    for i in at:
        target = target[i]
    target[:] = _parse_row(game, s, f, tuple(at), text)


def _parse_row(game: Game, s: Any, f: Field, at: Row, text: str) -> list[int]:
    words, length = text.split(), f.shape[-1]
    if f.name in game.notation.bags:
        names = game.notation.bags[f.name](s, at)
        counts = [0] * length
        for word in words if words != [NOTHING] else []:
            times, _, name = word.partition("×") if "×" in word else ("1", "", word)
            counts[_index(name, names)] += _number(times, "count", 1)
        return counts
    if len(words) > length:
        raise BadPosition(f"{len(words)} values where there is room for {length}")
    return [*(_parse_one(game, f, at, word) for word in words), *[0] * (length - len(words))]


def _parse_one(game: Game, f: Field, at: Row, text: str) -> int:
    names = _names(game, f, at)
    if f.holds in (SET, SEAT_SET) and names:
        members = [] if text in (NOTHING, NOBODY) else re.split("[ +]+", text)
        return sum(1 << _index(word, names) for word in members)
    return _index(text, names) if names else _number(text, f.name, 0)


def _index(word: str, names: Sequence[str]) -> int:
    if word not in names:
        raise BadPosition(f"'{word[:30]}' is none of {', '.join(name for name in names if name)}")
    return list(names).index(word)


def _nearest(name: str, names: Mapping[str, int]) -> str:
    return f"its fields are {', '.join(known for known in names if known not in LUCK)}"


def _check(game: Game, s: Any) -> None:
    """Raises BadPosition unless the rules can go on from here."""
    try:
        s.pack()
    except OutOfRange as error:
        raise BadPosition(f"after working out the rest, {error}") from None
    if not s.over and not waiting_seats(s):
        raise BadPosition("waiting: nobody is to decide")
    for seat in () if s.over else waiting_seats(s):
        if not game.legal_actions(s, seat):
            raise BadPosition(f"waiting: {seat_words(game)[seat]} has nothing to decide in this phase")


# --- Writing ---


def write_position(game: Game, options: Any, s: Any) -> str:
    """The text of a state. Reading it gives the same state, byte for byte; what the game works out is left out."""
    base = game.new_state(options, s.seats, BASE)
    rows = [(f, at) for f in game.fields if f.name not in LUCK for at in _rows(f)]
    differing = [(f, at) for f, at in rows if _value(s, f, at) != _value(base, f, at)]
    derived = game.notation.derived
    lines = [(f, at) for f, at in differing if f.name not in derived]
    while True:  # each round adds at least one line, so this ends
        text = _text(game, options, s, lines)
        again = _restored(game, options, s.seats, text)
        missing = [(f, at) for f, at in rows if _value(s, f, at) != _value(again, f, at)]
        if not missing:
            return text
        lines = [line for line in rows if line in lines or line in missing]


def _restored(game: Game, options: Any, seats: int, text: str) -> Any:
    """The state that a text gives, unchecked."""
    s = game.new_state(options, seats, BASE)
    order = {f.name: f for f in game.fields}
    rows = _split(text).rows
    for _, name, row, values in rows:
        _put(game, s, order[name], row, values)
    game.notation.complete(s, frozenset(name for _, name, _, _ in rows))
    return s


def _text(game: Game, options: Any, s: Any, lines: Sequence[tuple[Field, Row]]) -> str:
    said = [f"game: {game.name}", f"rules: {game.rules_version}", f"seats: {s.seats}"]
    changed = as_json(options)
    if changed:
        said.append("options: " + "; ".join(f"{name}={_option(value)}" for name, value in changed.items()))
    said += [f"{' '.join((f.name, *_row_words(game, f, at)))}: {_values(game, s, f, at)}" for f, at in lines]
    said.append("luck: " + " ".join(f"{getattr(s, name):08x}" for name in LUCK))
    return "\n".join(said) + "\n"


def _option(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _rows(f: Field) -> Iterator[Row]:
    yield from product(*map(range, f.shape[:-1]))


def _value(s: Any, f: Field, at: Row) -> Any:
    value = getattr(s, f.name)
    for i in at:
        value = value[i]
    return value


def _row_words(game: Game, f: Field, at: Row) -> list[str]:
    return [names[i] for i, (names, _) in zip(at, _axes(game, f), strict=True)]


def _values(game: Game, s: Any, f: Field, at: Row) -> str:
    value = _value(s, f, at)
    if not f.shape:
        return _word(game, f, at, value)
    if f.name in game.notation.bags:
        names = game.notation.bags[f.name](s, at)
        things = [names[kind] if count == 1 else f"{count}×{names[kind]}" for kind, count in enumerate(value) if count]
        return " ".join(things) or NOTHING
    values = list(value)
    while len(values) > 1 and not values[-1]:
        values.pop()
    return " ".join(_word(game, f, at, one) for one in values)


def _word(game: Game, f: Field, at: Row, value: int) -> str:
    names = _names(game, f, at)
    if not names:
        return str(value)
    if f.holds in (SET, SEAT_SET):
        return "+".join(name for bit, name in enumerate(names) if value >> bit & 1) or NOTHING
    return names[value]


# --- The words ---


def seat_words(game: Game) -> tuple[str, ...]:
    """The seats as words: `north`, `east` …"""
    return tuple(worded(phrase.en) for phrase in game.text.SEATS)


def _names(game: Game, f: Field, at: Row) -> Sequence[str]:
    """The words for the values of a field; none where they are numbers."""
    if f.name in game.notation.words:
        return game.notation.words[f.name]
    if f.holds in (SEAT, SEAT_SET):
        return seat_words(game)
    if f.holds is SEAT_OR_NOBODY:
        return (NOBODY, *seat_words(game))
    return ()


def _axes(game: Game, f: Field) -> list[tuple[Sequence[str], bool]]:
    """For every axis but the last, the words for its rows, and whether they are seats."""
    found: list[tuple[Sequence[str], bool]] = []
    for axis, length in enumerate(f.shape[:-1]):
        if isinstance(length, SeatAxis):
            found.append((seat_words(game), True))
        else:
            named = game.notation.rows.get(f.name, ())
            found.append((named[axis] if axis < len(named) else [str(i + 1) for i in range(length)], False))
    return found
