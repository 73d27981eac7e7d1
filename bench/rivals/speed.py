"""What was measured of one way to play one game, and how the clock is read."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

SECONDS = 0.4  # of play in each try
TRIES = 3  # the best one counts: the others were disturbed


class Played(NamedTuple):
    """What a stretch of play came to."""

    games: float
    decisions: float


@dataclass(frozen=True)
class Speed:
    """Random play of one game by one program."""

    program: str
    game: str
    way: str  # who runs the loop, and in what
    cores: int
    seen: bool  # whether every mover's observation is written as well
    decisions: float  # a second
    games: float  # a second
    batch: int = 1  # games at once on a core

    def as_json(self) -> dict[str, Any]:
        """The fields; the program is called `peer` there, as the option `--peers` is."""
        fields = asdict(self)
        return {"peer": fields.pop("program"), **fields}

    @staticmethod
    def from_json(found: dict[str, Any]) -> Speed:
        return Speed(program=found.pop("peer"), **found)

    @staticmethod
    def of(
        program: str, game: str, way: str, cores: int, seen: bool, play: Callable[[int], Played], batch: int = 1
    ) -> Speed:
        """Measured: `play(n)` plays n games, or n rounds of a batch, and says what that came to.

        On one core seconds are the processor's, so that a busy machine changes little; on several, the clock's.
        """
        played, seconds = fastest(play, time.process_time if cores == 1 else time.perf_counter)
        return Speed(program, game, way, cores, seen, played.decisions / seconds, played.games / seconds, batch)


def fastest(play: Callable[[int], Played], clock: Callable[[], float]) -> tuple[Played, float]:
    """The best of some tries, and its seconds; each try is as much play as fills its time."""
    count, seconds = 1, 0.0
    play(count)  # whatever is compiled or set up the first time
    while seconds < SECONDS / 4:
        count *= 2
        start = clock()
        play(count)
        seconds = clock() - start
    count = max(1, round(count * SECONDS / seconds))
    tries = []
    for _ in range(TRIES):
        start = clock()
        played = play(count)
        tries.append((played, clock() - start))
    return max(tries, key=lambda found: found[0].decisions / found[1])
