"""The settings of a server. The defaults suit an evening at home."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

PACES = {"instant": 0.0, "quick": 0.5, "calm": 1.5}  # about how many seconds a bot pauses before it plays


class BadSetting(ValueError):
    """An environment variable has a wrong value. The message names it."""


@dataclass(frozen=True)
class Settings:
    """Limits count per connection or per visitor; only `connections` counts for the server as a whole.

    An environment variable sets each of them: TRIPOT_GRACE_SECONDS sets `grace_seconds`.
    """

    database: str = ""  # empty: a SQLite file in the user's data folder
    native: bool = True  # compile the bots in the background
    share: str | None = None  # the address of this server for others, where the page cannot know it
    hosts: tuple[str, ...] = ()  # the names of this server on the internet; names of a home network need not be here
    origins: tuple[str, ...] = ()  # other hosts (host:port) whose pages may use this server
    log: str = "text"  # or json, one line for each event
    proxies: str = "127.0.0.1"  # addresses of trusted reverse proxies, separated by commas
    hello_seconds: float = 10.0  # until the first message of a socket must arrive
    grace_seconds: float = 3.0  # a person who reconnects within this time, as after a reload, was not absent
    shuffle_seconds: float = 4.0  # that a full table waits for what browsers add to the seed, twice at most
    host_seconds: float = 60.0  # a host who is away for longer loses the host's rights until they return
    idle_seconds: float = 60.0  # an idle table stays in memory this long
    body_bytes: int = 64 * 1024  # of a request
    record_bytes: int = 1024 * 1024  # of an uploaded record
    message_bytes: int = 16 * 1024  # of a message on a socket
    outbox: int = 200  # messages that may wait for a slow client
    messages_at_once: int = 100  # on one socket
    messages_per_second: float = 20.0
    requests_at_once: int = 120  # requests that change something
    requests_per_second: float = 2.0
    reads_at_once: int = 1000  # requests that only read, such as the page's files, and new sockets
    reads_per_second: float = 50.0
    replays_at_once: int = 60  # downloads of replays and records
    replays_per_second: float = 1.0
    tables_at_once: int = 100  # that one visitor opens or uploads
    tables_per_hour: float = 60.0
    passes_at_once: int = 10  # tries to take a seat with six words
    passes_per_hour: float = 30.0
    pass_hours: float = 168.0  # how long six words are valid
    phrases_at_once: int = 4  # that one person says
    phrases_per_second: float = 0.2
    sockets: int = 200  # that one visitor holds open
    header_bytes: int = 32 * 1024  # of a request, with its first line
    header_seconds: float = 10.0  # until a whole header must arrive
    body_seconds: float = 20.0  # until a whole body must arrive
    connections: int = 10_000  # of all visitors; fewer where the system allows fewer open files
    visitor_connections: int = 300  # of one visitor; trusted proxies have no limit
    beat_seconds: float = 2.0  # between heartbeats, where several processes serve the same tables
    listed: int = 50  # the most tables in a list
    open_hours: float = 24.0  # how long a table that waits for players is listed
    paces: dict[str, float] = field(default_factory=lambda: dict(PACES))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], **given: Any) -> Settings:
        """Returns settings from TRIPOT_… variables; `given` values take precedence. Raises BadSetting."""
        found: dict[str, Any] = {}
        for setting in fields(cls):
            name = f"TRIPOT_{setting.name.upper()}"
            if setting.name != "paces" and environment.get(name):
                found[setting.name] = _read(name, environment[name], getattr(cls, setting.name))
        return cls(**{**found, **{name: value for name, value in given.items() if value not in (None, "", ())}})

    @property
    def database_address(self) -> str:
        return self.database or f"sqlite:///{data_folder() / 'tables.sqlite'}"


def _read(name: str, text: str, default: Any) -> Any:
    """Converts a variable's text to the type of its setting."""
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    if isinstance(default, bool):
        if text.lower() not in words:
            raise BadSetting(f"{name} is '{text[:40]}': write 1 or 0")
        return words[text.lower()]
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if isinstance(default, int | float):
        try:
            number = type(default)(text)
        except ValueError:
            number = -1
        if not 0 < number < float("inf"):
            raise BadSetting(f"{name} is '{text[:40]}': write a number above 0")
        return number
    return text


def data_folder() -> Path:
    """Returns the folder of the default database."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tripot"
