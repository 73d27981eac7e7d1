"""The speed of one loop over one game, and how it is timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

SECONDS = 0.4  # of play in each trial
TRIES = 3  # the best one counts: other load slows the rest


class Played(NamedTuple):
    """What one timed call played."""

    games: float
    decisions: float


@dataclass(frozen=True)
class Speed:
    """Random play of one game by one program."""

    program: str
    game: str
    way: str  # which loop, in which language
    cores: int
    seen: bool  # whether the observation of every seat to move is written too
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
        """Measures `play(n)`, which plays n games, or n rounds of a batch, and returns what it played.

        Times CPU seconds on one core, so that a busy machine changes little, and wall-clock seconds on several.
        """
        played, seconds = fastest(play, time.process_time if cores == 1 else time.perf_counter)
        return Speed(program, game, way, cores, seen, played.decisions / seconds, played.games / seconds, batch)


def fastest(play: Callable[[int], Played], clock: Callable[[], float]) -> tuple[Played, float]:
    """The fastest of TRIES trials and its seconds; each plays as much as takes SECONDS."""
    count, seconds = 1, 0.0
    play(count)  # compiles and sets up
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
