"""A table as it is stored: what was agreed when it was opened, and who sits where."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tripot.table.record import Record

WAITING, PLAYING, OVER, RECORD = "waiting", "playing", "over", "record"
PERSON, BOT = "person", "bot"


@dataclass
class StoredSeat:
    """A place at a table. A free one has no name; a bot has a notation; only a hash of the token is stored."""

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
    """All of a table but its decisions, which are the log's."""

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
    keeper: str | None = None  # the process whose bots play here, where there are several
    elsewhere: int = 0  # a bit for each seat whose person is connected to another process …
    watching: int = 0  # … and how many watch there

    @property
    def awaits_bot(self) -> bool:
        """Whether a bot is to decide."""
        waited = [seat for seat in self.seats if self.waiting >> seat.seat & 1]
        return self.status == PLAYING and any(seat.kind == BOT or seat.held is not None for seat in waited)

    @property
    def free_seats(self) -> list[StoredSeat]:
        return [seat for seat in self.seats if seat.free]


def record_of(stored: StoredTable, decisions: list[tuple[int, int]]) -> Record:
    """A stored table with its log as a record."""
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
    """The time as it is stored: milliseconds since 1970."""
    return time.time_ns() // 1_000_000
