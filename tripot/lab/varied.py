"""House rules that vary from game to game: ranges for some of their numbers, and sets of them drawn at random.

Ranges are written as the house rules are: a TOML file with a section for each row of a table.

    [deck."Tax Collector"]
    copies = [3, 6]
    amount = [2, 4]

A number that is not named stays as it is, and so do the sums that a table must have.
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import Game
from tripot.core.options import BadOption, Table

SPREADS = (0.1, 0.2, 0.4, 0.8)  # how likely each number of a set is drawn anew, for a quarter of the sets each
Rows = NDArray[np.int64]  # [set, number]


@dataclass(frozen=True)
class Number:
    """A number of the house rules, and from where to where it varies."""

    option: str
    row: int  # of the option's table; both are -1 if the option is one number
    column: int
    name: str
    lowest: int
    highest: int
    usual: int


@dataclass(frozen=True)
class Total:
    """Numbers whose sum stays as it is."""

    numbers: tuple[int, ...]
    total: int


class Variation:
    """The numbers of a game's house rules that vary. A row has a value for each."""

    def __init__(self, game: Game, ranges: str) -> None:
        self.game, self.ranges = game, ranges
        try:
            given = tomllib.loads(ranges)
        except ValueError as error:
            raise BadOption(f"ranges of house rules: not a TOML file ({error})") from None
        self.numbers = tuple(self._read(given))
        if not self.numbers:
            raise BadOption("ranges of house rules: no number varies")
        self.usual: Rows = np.array([number.usual for number in self.numbers])
        self.totals = tuple(self._totals())

    # --- Reading ---

    def _read(self, given: dict[str, Any]) -> Iterator[Number]:
        fields = {f.name: f for f in dataclasses.fields(self.game.options)}
        for name, ranges in given.items():
            if name not in fields:
                raise BadOption(f"unknown option '{name}': {self.game.name} has {', '.join(fields)}")
            f = fields[name]
            if f.metadata["names"] is not None or (f.metadata["table"] is None) == isinstance(ranges, dict):
                raise BadOption(f"option {name}: a range is for a number, or for numbers of a table by row and column")
            usual: Any = f.default
            if f.metadata["table"] is None:
                yield _number(name, -1, -1, name, ranges, (0, f.metadata["highest"]), usual)
            else:
                yield from _numbers_of_table(name, f.metadata["table"], ranges, usual)

    def _totals(self) -> Iterator[Total]:
        for f in dataclasses.fields(self.game.options):
            table: Table | None = f.metadata["table"]
            for kept in table.sums if table is not None else ():
                column = list(table.columns).index(kept.column) if table is not None else 0
                places = [
                    place
                    for place, number in enumerate(self.numbers)
                    if (number.option, number.column) == (f.name, column) and number.row in kept.rows
                ]
                if places:
                    yield Total(tuple(places), int(self.usual[places].sum()))

    # --- Sets of house rules ---

    def draw(self, count: int, seed: int) -> Rows:
        """Draws that many rows; the first is the usual one. Some lie close to it and some far away: see `SPREADS`."""
        luck = np.random.default_rng(seed)
        rows = np.tile(self.usual, (count, 1))
        for turn, spread in enumerate(SPREADS):
            drawn = range(1 + turn, count, len(SPREADS))
            rows[drawn] = self._drawn(len(drawn), spread, luck)
        return rows

    def _drawn(self, count: int, spread: float, luck: np.random.Generator) -> Rows:
        rows = np.zeros((count, len(self.numbers)), np.int64)
        summed = {place for kept in self.totals for place in kept.numbers}
        free = [Total((place,), -1) for place in range(len(self.numbers)) if place not in summed]
        for part in [*free, *self.totals]:
            weights = [_weights(self.numbers[place], spread) for place in part.numbers]
            lowest = np.array([self.numbers[place].lowest for place in part.numbers])
            above = None if part.total < 0 else part.total - int(lowest.sum())
            rows[:, part.numbers] = lowest + draw_with_sum(weights, above, count, luck)
        return rows

    def options_of(self, row: Sequence[int] | Rows) -> Any:
        """The house rules with these numbers."""
        usual = self.game.options()
        values: dict[str, Any] = {}
        for number, value in zip(self.numbers, map(int, row), strict=True):
            if number.row < 0:
                values[number.option] = value
            else:
                table = values.setdefault(number.option, [list(line) for line in getattr(usual, number.option)])
                table[number.row][number.column] = value
        return dataclasses.replace(usual, **{name: _tuples(value) for name, value in values.items()})

    def table_file(self, row: Sequence[int] | Rows) -> str:
        """What differs from the usual numbers of tables, as the TOML file that an option of a command names."""
        sections: dict[str, list[str]] = {}
        for number, value in zip(self.numbers, map(int, row), strict=True):
            if number.row >= 0 and value != number.usual:
                _, line, column = number.name.split("/")
                sections.setdefault(line, []).append(f"{column} = {value}  # {number.usual}")
        return "\n".join(f"[{json.dumps(line)}]\n" + "\n".join(lines) + "\n" for line, lines in sections.items())


def _numbers_of_table(option: str, table: Table, ranges: dict[str, Any], usual: Any) -> Iterator[Number]:
    columns = list(table.columns)
    for row, named in ranges.items():
        if row not in table.rows or not isinstance(named, dict):
            raise BadOption(f"option {option}: there is no '{row}' with ranges; the rows are {', '.join(table.rows)}")
        for column, given in named.items():
            if column not in columns:
                raise BadOption(f"option {option}, {row}: there is no '{column}'; there are {', '.join(columns)}")
            places = table.rows.index(row), columns.index(column)
            value = usual[places[0]][places[1]]
            yield _number(option, *places, f"{option}/{row}/{column}", given, table.columns[column], value)


def _number(option: str, row: int, column: int, name: str, given: Any, allowed: tuple[int, int], usual: int) -> Number:
    whole = isinstance(given, list) and len(given) == 2 and all(type(end) is int for end in given)
    if not whole or not allowed[0] <= given[0] <= usual <= given[1] <= allowed[1]:
        raise BadOption(
            f"{name} = {json.dumps(given)}: a range is [lowest, highest], within {allowed[0]} to {allowed[1]}, "
            f"and holds the usual {usual}"
        )
    return Number(option, row, column, name, given[0], given[1], int(usual))


def _weights(number: Number, spread: float) -> NDArray[np.float64]:
    """How likely each value of a number is, from the lowest on."""
    count = number.highest - number.lowest + 1
    weights = np.full(count, spread / count)
    weights[number.usual - number.lowest] += 1 - spread
    return weights


def draw_with_sum(
    weights: Sequence[NDArray[np.float64]], total: int | None, count: int, luck: np.random.Generator
) -> Rows:
    """Draws `count` rows of numbers from 0 on by their weights; those of a row add up to `total`, if it is given.

    Backwards it adds up what the weights of the numbers to come are for every remainder; then it draws forwards.
    """
    if total is None:
        chosen = [luck.choice(len(each), count, p=each / each.sum()) for each in weights]
        return np.stack(chosen, 1)
    ahead = [np.zeros(total + 1) for _ in range(len(weights) + 1)]  # [number, remainder]
    ahead[-1][0] = 1
    for place in reversed(range(len(weights))):
        ahead[place] = np.convolve(ahead[place + 1], weights[place])[: total + 1]
    rows, left = np.zeros((count, len(weights)), np.int64), np.full(count, total)
    for place, each in enumerate(weights):
        after = left[:, None] - np.arange(len(each))
        chances = np.where(after >= 0, each * ahead[place + 1][np.maximum(after, 0)], 0)
        ends = np.cumsum(chances, 1)
        rows[:, place] = (luck.random(count)[:, None] * ends[:, -1:] >= ends).sum(1)
        left = left - rows[:, place]
    return rows


def _tuples(value: Any) -> Any:
    return tuple(map(tuple, value)) if isinstance(value, list) else value
