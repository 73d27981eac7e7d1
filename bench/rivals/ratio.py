"""What the speeds say: rows to set side by side, and how many times as fast Tripot is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bench.rivals.speed import Speed
from tripot import GAMES
from tripot.lab import leduc

OURS = "Tripot"
LEDUC = (leduc.GAME.name, "leduc_poker", "leduc_holdem", "leduc-holdem", "leduc_holdem_v4")
CARD_GAMES = (*GAMES, "hearts", "oh_hell", "skat", "euchre")
OPENSPIEL_TIMES, PGX_TIMES = 5, 20  # what we want on Leduc


@dataclass(frozen=True)
class Row:
    """One way to play one game on some cores: decisions a second without and with observations."""

    program: str
    game: str
    way: str
    cores: int
    plain: float | None
    seen: float | None
    games: float  # a second, of the faster

    @property
    def ours(self) -> bool:
        return self.program.startswith(OURS)


@dataclass(frozen=True)
class Ratio:
    """How many times as fast Tripot is as something, and how many were wanted."""

    what: str
    times: float
    wanted: float

    @property
    def met(self) -> bool:
        return self.times >= self.wanted


def rows(speeds: Iterable[Speed], games: tuple[str, ...] | None = None) -> list[Row]:
    """The speeds with and without observations beside each other; `games` picks some, None the rest."""
    known = {*LEDUC, *CARD_GAMES}
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
    """How many times as fast as this row the slowest of our rows on as many cores is, seen like with like."""
    mine = [own for own in among if own.ours and own.cores == row.cores]
    if row.ours or not mine:
        return None
    if row.plain:
        return min(own.plain or 0 for own in mine) / row.plain
    return min(own.seen or 0 for own in mine) / (row.seen or 1)


def ratios(speeds: list[Speed]) -> list[Ratio]:
    """The comparisons that were asked for."""
    found = []
    yard, cards = rows(speeds, LEDUC), rows(speeds, CARD_GAMES)
    for row in yard:
        faster = times(row, yard)
        if faster is not None and row.program.startswith(("OpenSpiel", "pgx")) and row.way != "Python loop":
            wanted = OPENSPIEL_TIMES if row.program.startswith("OpenSpiel") else PGX_TIMES
            found.append(Ratio(f"Leduc, {on(row.cores)}: {row.program}, {row.way}", faster, wanted))
    for row in cards:
        faster = times(row, cards)
        if faster is not None:
            found.append(Ratio(f"our slowest game, {on(row.cores)}: {row.program}, {row.game}", faster, 1))
    return found


def on(cores: int) -> str:
    return "1 core" if cores == 1 else f"{cores} cores"
