"""The cases of a check: every table size and every house rule of a game, and random games to try them on."""

import dataclasses
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tripot.core.game import Game, waiting_seats
from tripot.core.options import SEATS, as_json
from tripot.core.options import Table as NamedTable
from tripot.table.table import Table

LONGEST = 20_000  # decisions; no game may last longer under any house rules


@dataclass(frozen=True, repr=False)
class Case:
    """A game with a number of seats and house rules."""

    game: Game
    seats: int
    options: Any

    def __str__(self) -> str:
        rules = [f"{name}={_short(value)}" for name, value in as_json(self.options).items()]
        return "-".join([self.game.name, str(self.seats), *rules])

    __repr__ = __str__

    def deal(self, seed: int) -> Any:
        return self.game.new_state(self.options, self.seats, seed)

    def table(self, seed: int) -> Table:
        return Table(self.game, self.seats, seed, self.options)


def _short(value: Any) -> str:
    return str(value) if not isinstance(value, tuple) else "+".join(map(str, _flat(value)))[:12]


def _flat(value: Any) -> list[int]:
    return [n for part in value for n in _flat(part)] if isinstance(value, tuple) else [value]


def other_values(field: dataclasses.Field[Any], seats: int) -> list[Any]:
    """Values of one option that differ from its default: the ends of its range, every name, a random table."""
    if field.metadata["names"] is not None:
        values: list[Any] = list(field.metadata["names"])
    elif field.metadata["table"] is not None:
        luck = random.Random(field.name)
        values = [_random_table(field.metadata["table"], luck) for _ in range(2)]
    else:
        highest = seats if field.metadata["highest"] == SEATS else field.metadata["highest"]
        lowest = field.metadata.get("lowest", 0)
        luck = random.Random(field.name)
        values = [_like(field.default, itertools.repeat(highest)), _like(field.default, itertools.repeat(lowest))]
        if isinstance(field.default, tuple):
            values = [values[0], _like(field.default, iter(lambda: luck.randint(lowest, highest), -1))]
    return [value for value in values if value != field.default]


def _random_table(table: NamedTable, luck: random.Random) -> Any:
    """A table with random numbers in every column and the sums that are required."""
    rows = [[luck.randint(*limits) for limits in table.columns.values()] for _ in table.rows]
    for _, column, lot, total in table.sums:
        at = list(table.columns).index(column)
        for row in lot:
            rows[row][at] = 0
        for _ in range(total):
            rows[luck.choice(lot)][at] += 1
    return tuple(map(tuple, rows))


def _like(default: Any, numbers: Iterator[int]) -> Any:
    """A value of the same shape as `default`, filled with numbers."""
    return tuple(_like(part, numbers) for part in default) if isinstance(default, tuple) else next(numbers)


def cases_of(game: Game, seats: int) -> list[Case]:
    """The default rules first, then each option alone at values other than its default."""
    found = [Case(game, seats, game.options())]
    for field in dataclasses.fields(game.options):
        found += [Case(game, seats, game.options(**{field.name: v})) for v in other_values(field, seats)]
    return found


def big(case: Case) -> bool:
    """Whether a table has more than one seat above the fewest that play: those are for the long run."""
    return case.seats > case.game.seats[0] + 1


def positions(case: Case, seed: int) -> Iterator[tuple[Any, int, int]]:
    """Plays a random game: yields (state, seat, action) before every decision and (state, -1, -1) at the end.

    The state is the one in play: copy it before changing it.
    """
    luck = random.Random(f"{case} {seed}")
    s = case.deal(seed)
    for number in range(LONGEST):
        if s.over:
            yield s, -1, -1
            return
        waiting = waiting_seats(s)
        assert waiting, f"{case}, seed {seed}, decision {number}: nobody is asked and the game is not over"
        seat = luck.choice(waiting)
        legal = case.game.legal_actions(s, seat)
        assert legal, f"{case}, seed {seed}, decision {number}: seat {seat} is asked, but nothing is legal"
        action = luck.choice(legal)
        yield s, seat, action
        case.game.apply(s, seat, action)
    raise AssertionError(f"{case}: the game of seed {seed} goes on after {LONGEST} decisions")


def play_on(table: Table, luck: random.Random, decisions: int = LONGEST) -> None:
    """Takes random decisions at a table until the game is over or `decisions` are taken."""
    for _ in range(decisions):
        if table.over:
            return
        offer = table.offer(luck.choice(table.waiting))
        table.decide(offer.seat, luck.choice(offer.legal), offer.sequence)
