"""The shuffle: what the players' browsers add to the seed before the deal.

Each function returns a table as it is after one change, as those of `seating` do.

Every browser first announces the hash of 256 random bits. When all have, or time is up, nobody can announce any more;
only then do they show what they announced, and the deal follows from all of it. So whoever shows last, even together
with the server, has chosen before anything of the others was known. `docs/fairness.md` says what this proves.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from tripot import GAMES, OLDER
from tripot.core.shared_seed import hash_of
from tripot.store.models import PERSON, PLAYING, WAITING, StoredTable, record_of
from tripot.table.record import replay
from tripot.table.table import Table
from tripot.web.ops.errors import ApiError, ErrorCode

Part = list[str | None] | None  # of a seat: (hash, value), or None while nothing was heard from it


def phase(stored: StoredTable) -> Literal["", "announcing", "showing"]:
    """What a full table waits for before its deal."""
    if stored.status != WAITING or stored.free_seats or stored.contributions is None:
        return ""
    return "announcing" if None in _parts_of_people(stored) else "showing"


def _parts_of_people(stored: StoredTable) -> list[Part]:
    return [(stored.contributions or [])[seat.seat] for seat in stored.seats if seat.kind == PERSON]


def with_part(stored: StoredTable, seat: int, part: Part) -> StoredTable:
    """The table with another contribution of one seat; None: its player has left or is new."""
    if stored.contributions is None or stored.status != WAITING:
        return stored
    parts = [part if place == seat else other for place, other in enumerate(stored.contributions)]
    return replace(stored, contributions=parts)


def announced(stored: StoredTable, seat: int, commitment: str | None) -> StoredTable:
    """A browser announces the hash of what it will add; None: it takes no part. The last of several devices counts."""
    if stored.contributions is None or stored.status != WAITING or phase(stored) == "showing":
        return stored
    before = stored.contributions[seat]
    if before == [commitment, None] or (before is not None and commitment is None):
        return stored
    return started(with_part(stored, seat, [commitment, None]))


def shown(stored: StoredTable, seat: int, value: str) -> StoredTable:
    """A browser shows what it announced. Raises ApiError if that is something else."""
    part = (stored.contributions or [None] * len(stored.seats))[seat]
    if part is None or part[0] != hash_of(value):
        raise ApiError(ErrorCode.NOT_ANNOUNCED)
    if phase(stored) != "showing":  # a second device, or too late
        return stored
    return started(with_part(stored, seat, [part[0], value]))


def given_up(stored: StoredTable) -> StoredTable:
    """Time is up: those who announced nothing take no part, and what was not shown counts for nothing."""
    if phase(stored) == "announcing":
        for seat in stored.seats:
            if seat.kind == PERSON and (stored.contributions or [])[seat.seat] is None:
                stored = with_part(stored, seat.seat, [None, None])
        return started(stored)
    return dealt(stored) if phase(stored) == "showing" else stored


def started(stored: StoredTable) -> StoredTable:
    """The table, dealt if all seats are taken and everything that was announced has been shown."""
    if stored.status != WAITING or stored.free_seats:
        return stored
    parts = _parts_of_people(stored) if stored.contributions is not None else []
    waits = any(part is None or (part[0] is not None and part[1] is None) for part in parts)
    return stored if waits else dealt(stored)


def dealt(stored: StoredTable) -> StoredTable:
    """The table at the start of its game."""
    return replace(stored, status=PLAYING, waiting=bits(deal(stored).waiting))


def deal(stored: StoredTable) -> Table:
    """Returns the table of a game that starts now."""
    table = replay(record_of(stored, []), GAMES, OLDER)
    table.keeps_moments = True
    return table


def bits(seats: Collection[int]) -> int:
    return sum(1 << seat for seat in seats)
