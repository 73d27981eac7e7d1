"""A stored table: its game, rules, options and seed, and who sits where."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tripot.table.record import Record

WAITING, PLAYING, OVER, RECORD = "waiting", "playing", "over", "record"
PERSON, BOT = "person", "bot"


@dataclass
class StoredSeat:
    """A seat at a table. A free seat has no name; a bot has a notation; a token is stored only as a hash."""

    seat: int
    kind: str
    name: str | None = None
    level: str | None = None
    bot: str | None = None
    held: str | None = None  # the level of the bot that plays for an absent person
    token_hash: str | None = None
    invite: str | None = None

    @property
    def free(self) -> bool:
        return self.kind == PERSON and self.name is None


@dataclass
class StoredTable:
    """A table without its decisions, which are in the log."""

    id: str
    game: str
    rules: int
    seed: int
    seats: list[StoredSeat]
    options: dict[str, Any] = field(default_factory=dict)
    status: str = WAITING
    open: bool = False
    watch: bool = True
    pace: str = "calm"
    waiting: int = 0
    result: list[int] | None = None
    seal: str | None = None
    created: int = 0
    updated: int = 0
    version: int = 0  # grows with every change
    bot_process: str | None = None  # the process that runs this table's bots; None on SQLite
    seats_elsewhere: int = 0  # a bit for each seat whose person is connected to another process
    watchers_elsewhere: int = 0  # spectators connected to other processes

    @property
    def awaits_bot(self) -> bool:
        """Whether a bot must decide."""
        waited = [seat for seat in self.seats if self.waiting >> seat.seat & 1]
        return self.status == PLAYING and any(seat.kind == BOT or seat.held is not None for seat in waited)

    @property
    def free_seats(self) -> list[StoredSeat]:
        return [seat for seat in self.seats if seat.free]


def record_of(stored: StoredTable, decisions: list[tuple[int, int]]) -> Record:
    """Returns a stored table and its log as a record."""
    players = [f"person:{seat.name}" if seat.kind == PERSON else seat.bot or "" for seat in stored.seats]
    return Record(
        game=stored.game,
        rules=stored.rules,
        seats=len(stored.seats),
        seed=stored.seed,
        options=stored.options,
        players=players,
        decisions=decisions,
        result=stored.result,
    )


def now() -> int:
    """Returns the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
