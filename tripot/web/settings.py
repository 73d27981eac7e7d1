"""How a server is set: all of it in one place, with values that suit one evening at home."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

PACES = {"instant": 0.0, "quick": 0.5, "calm": 1.5}  # seconds that bots pretend to think, about


@dataclass(frozen=True)
class Settings:
    """Limits are per connection or per visitor's address, not for the server as a whole."""

    database: str = ""  # empty: a file in the user's data folder
    native: bool = True  # compile the bots in the background
    share: str | None = None  # the address under which others reach this server, where a page cannot know it
    origins: tuple[str, ...] = ()  # other hosts (host:port) whose pages may use this server
    hello_seconds: float = 10.0
    grace_seconds: float = 3.0  # a reload is not an absence
    idle_seconds: float = 60.0  # an empty table stays in memory this long
    body_bytes: int = 64 * 1024
    record_bytes: int = 1024 * 1024
    message_bytes: int = 16 * 1024
    outbox: int = 200  # messages that may wait for a slow reader
    messages_at_once: int = 100
    messages_per_second: float = 20.0
    requests_at_once: int = 120  # those that change something
    requests_per_second: float = 2.0
    reads_at_once: int = 1000  # those that only read, the page's files among them, and new sockets
    reads_per_second: float = 50.0
    replays_at_once: int = 60
    replays_per_second: float = 1.0
    tables_at_once: int = 100  # that a visitor opens or uploads
    tables_per_hour: float = 60.0
    sockets: int = 200  # that a visitor holds open
    body_seconds: float = 20.0  # until a body must have come
    listed: int = 50  # tables in a list
    open_hours: float = 24.0  # how long a table without players is listed as open
    paces: dict[str, float] = field(default_factory=lambda: dict(PACES))

    @property
    def database_address(self) -> str:
        return self.database or f"sqlite:///{data_folder() / 'tables.sqlite'}"


def data_folder() -> Path:
    """Where a user's tables lie unless told otherwise."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tripot"
