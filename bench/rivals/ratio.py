"""Speeds side by side as rows, and how many times as fast Tripot is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from bench.goals import CARD_GAME_TIMES, HEARTS_TIMES, LEDUC_TIMES
from bench.rivals.speed import Speed
from tripot import GAMES
from tripot.lab import leduc

OURS = "Tripot"
LEDUC = (leduc.GAME.name, "leduc_poker", "leduc_holdem", "leduc-holdem", "leduc_holdem_v4")
HEARTS = ("tripot_hearts", "hearts")
CARD_GAMES = (*GAMES, "hearts", "oh_hell", "skat", "euchre")


@dataclass(frozen=True)
class Row:
    """One loop over one game on some cores: decisions a second without and with observations."""

    program: str
    game: str
    way: str
    cores: int
    plain: float | None
    seen: float | None
    games: float  # a second, of the faster of the two

    @property
    def ours(self) -> bool:
        return self.program.startswith(OURS)


@dataclass(frozen=True)
class Ratio:
    """How many times as fast Tripot is as another program, and the goal."""

    what: str
    times: float
    goal: float

    def as_json(self) -> dict[str, Any]:
        return {"what": self.what, "times": self.times, "wanted": self.goal, "met": self.met}

    @property
    def met(self) -> bool:
        return self.times >= self.goal


def rows(speeds: Iterable[Speed], games: tuple[str, ...] | None = None) -> list[Row]:
    """Pairs the speeds with and without observations. `games` selects games; None selects those in no other table."""
    known = {*LEDUC, *HEARTS, *CARD_GAMES}
    paired: dict[tuple[str, str, str, int], list[Speed]] = {}
    for speed in speeds:
        if speed.game in games if games is not None else speed.game not in known:
            paired.setdefault((speed.program, speed.game, speed.way, speed.cores), []).append(speed)
    found = []
    for (program, game, way, cores), pair in paired.items():
        by_sight = {speed.seen: speed.decisions for speed in pair}
        fastest = max(pair, key=lambda speed: speed.decisions)
        text = f"{way}, {fastest.batch:,} at once" if fastest.batch > 1 else way
        found.append(Row(program, game, text, cores, by_sight.get(False), by_sight.get(True), fastest.games))
    return sorted(found, key=lambda row: (row.cores, not row.ours, -(row.plain or row.seen or 0)))


def times(row: Row, among: list[Row]) -> float | None:
    """How many times as fast our slowest row on the same cores is; with observations only where `row` has no other."""
    mine = [own for own in among if own.ours and own.cores == row.cores]
    if row.ours or not mine:
        return None
    if row.plain:
        return min(own.plain or 0 for own in mine) / row.plain
    return min(own.seen or 0 for own in mine) / (row.seen or 1)


def both(row: Row, speeds: list[Speed]) -> Iterator[tuple[str, float]]:
    """How many times as fast our Hearts is as another, without and with observations."""
    for own in rows(speeds, HEARTS):
        if own.ours and not row.ours and own.cores == row.cores:
            if own.plain and row.plain:
                yield f": {row.program}", own.plain / row.plain
            if own.seen and row.seen:
                yield f", with observations: {row.program}", own.seen / row.seen


def ratios(speeds: list[Speed]) -> list[Ratio]:
    """The comparisons that have a goal."""
    found = []
    leduc_rows, cards = rows(speeds, LEDUC), rows(speeds, CARD_GAMES)
    for row in leduc_rows:
        faster = times(row, leduc_rows)
        if faster is not None and row.program.split()[0] in LEDUC_TIMES and row.way != "Python loop":
            goal = LEDUC_TIMES[row.program.split()[0]]
            found.append(Ratio(f"Leduc, {on(row.cores)}: {row.program}, {row.way}", faster, goal))
    for row in rows(speeds, HEARTS):
        found += [Ratio(f"Hearts, {on(row.cores)}{sight}", faster, HEARTS_TIMES) for sight, faster in both(row, speeds)]
    for row in cards:
        faster = times(row, cards)
        if faster is not None:
            found.append(
                Ratio(f"our slowest game, {on(row.cores)}: {row.program}, {row.game}", faster, CARD_GAME_TIMES)
            )
    return found


def on(cores: int) -> str:
    return "1 core" if cores == 1 else f"{cores} cores"
