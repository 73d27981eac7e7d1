"""How a finished game went: what each seat reached, round by round. Nothing is secret any more when a game is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tripot.core.game import Game
from tripot.core.guide import Said
from tripot.table.imagined import Imagined


class Mark(NamedTuple):
    """What every seat had reached at the end of a round: the numbers of the guide's `reached`, by seat."""

    clock: int
    reached: list[list[int]]


class Outcome(NamedTuple):
    """The end of a game, as one seat is told it."""

    said: Said | None  # to the seat; None for a spectator
    reached: list[Said]  # by seat
    history: list[Mark]


def history(game: Game, s: Any, decisions: Iterable[tuple[int, int]], imagined: Sequence[Imagined]) -> list[Mark]:
    """What every seat had reached at the end of each round, from the first to the last; `s` has just been dealt."""
    marks: list[Mark] = []
    field: str = getattr(game.text, "CLOCK", "over")  # a game without a clock has no rounds
    clock = getattr(s, field)
    for taken, (seat, action) in enumerate(decisions):
        for one in imagined:
            s = one.anew(game, s) if one.after == taken else s
        game.apply(s, seat, action)
        now = getattr(s, field)
        if clock and now != clock:
            marks.append(_mark(game, s, clock))
        clock = now
    return [*marks, _mark(game, s, clock)]


def _mark(game: Game, s: Any, clock: int) -> Mark:
    assert game.guide is not None
    numbers = [game.guide.reached(s, seat).numbers for seat in range(s.seats)]
    return Mark(int(clock), [[int(number) for number in some if isinstance(number, int)] for some in numbers])
