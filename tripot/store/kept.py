"""A table as it is kept: what was agreed when it was opened, and who sits where."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

WAITING, PLAYING, OVER, RECORD = "waiting", "playing", "over", "record"
PERSON, BOT = "person", "bot"


@dataclass
class KeptSeat:
    """A place at a table. A free one has no name; a bot has a notation; only a hash of the token is kept."""

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
class KeptTable:
    """All of a table but its decisions, which are the log's."""

    id: str
    game: str
    rules: int
    seed: int
    seats: list[KeptSeat]
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

    @property
    def free_seats(self) -> list[KeptSeat]:
        return [seat for seat in self.seats if seat.free]


def now() -> int:
    """The time as it is kept: milliseconds since 1970."""
    return time.time_ns() // 1_000_000
