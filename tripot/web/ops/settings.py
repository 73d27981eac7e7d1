"""How a server is set: all of it in one place, with values that suit one evening at home."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

PACES = {"instant": 0.0, "quick": 0.5, "calm": 1.5}  # seconds that bots pretend to think, about


class BadSetting(ValueError):
    """A variable of the environment that cannot be used; the message names it."""


@dataclass(frozen=True)
class Settings:
    """Limits are per connection or per visitor's address, not for the server as a whole.

    Every one can be set by a variable: `grace_seconds` by TRIPOT_GRACE_SECONDS.
    """

    database: str = ""  # empty: a file in the user's data folder
    native: bool = True  # compile the bots in the background
    share: str | None = None  # the address under which others reach this server, where a page cannot know it
    origins: tuple[str, ...] = ()  # other hosts (host:port) whose pages may use this server
    log: str = "text"  # or json: a line for each event
    proxies: str = "127.0.0.1"  # addresses whose word about a visitor's address is taken, apart by commas
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
    beat_seconds: float = 2.0  # how often a process says that it lives, where several serve the same tables
    listed: int = 50  # tables in a list
    open_hours: float = 24.0  # how long a table without players is listed as open
    paces: dict[str, float] = field(default_factory=lambda: dict(PACES))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], **given: Any) -> Settings:
        """Settings as TRIPOT_… variables name them, unless they are `given`. Raises BadSetting."""
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
    """A variable's value, of the kind that its setting has."""
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
    """Where a user's tables lie unless told otherwise."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tripot"
