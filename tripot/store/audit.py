"""The audit log: who sat where and when, what the host changed, and what was pruned.

Entries are made from the difference between a table before and after a change, in the transaction of that change: no
caller can forget one. They hold no names, tokens or addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tripot.store.models import BOT, StoredSeat, StoredTable

LONGEST = 64  # of a detail


class Entry(NamedTuple):
    """One entry: when (milliseconds since 1970), what, at which table and seat."""

    at: int
    what: str
    table_id: str | None
    seat: int | None
    detail: str | None


def opening(table: StoredTable, at: int) -> list[Entry]:
    """The entries of a new table."""
    seated = [Entry(at, "taken", table.id, seat.seat, None) for seat in table.seats if seat.tokens]
    return [Entry(at, "opened", table.id, table.host, table.status), *seated]


def changes(before: StoredTable, after: StoredTable, at: int) -> list[Entry]:
    """The entries of a change: seats taken, moved, held, filled, freed; the link, the deal, the end, the listing."""
    found = [
        Entry(at, what, after.id, new.seat, detail)
        for old, new in zip(before.seats, after.seats, strict=True)
        for what, detail in _of_seat(old, new)
    ]
    found += [Entry(at, what, after.id, None, detail) for what, detail in _of_table(before, after)]
    return found


def _of_seat(old: StoredSeat, new: StoredSeat) -> Iterator[tuple[str, str | None]]:
    if old.kind != new.kind:
        yield ("filled", new.level) if new.kind == BOT else ("taken", None)
    elif old.free != new.free:
        yield ("freed" if new.free else "taken"), None
    elif old.tokens != new.tokens:
        kept = set(old.tokens) & set(new.tokens)
        if len(new.tokens) > len(kept):
            yield ("shared" if len(kept) == len(old.tokens) else "moved"), f"{len(new.tokens)} devices"
        else:
            yield "withdrawn", f"{len(new.tokens)} devices"
    if old.held != new.held:
        yield ("released", None) if new.held is None else ("held", new.held)
    if old.kept_for != new.kept_for and new.free:
        yield ("kept" if new.kept_for else "unkept"), None
    if new.pass_hash is not None and old.pass_hash != new.pass_hash:
        yield "passed", "moves" if new.pass_moves else "shares"


def _of_table(before: StoredTable, after: StoredTable) -> Iterator[tuple[str, str | None]]:
    if before.status != after.status:
        yield "status", after.status
    if before.link != after.link:
        yield "link", "renewed"
    if before.published != after.published:
        yield "published", "yes" if after.published else "no"
    if before.rematch != after.rematch:
        yield "rematch", after.rematch


def row(entry: Entry) -> dict[str, Any]:
    """An entry as a row of the database."""
    return {**entry._asdict(), "detail": entry.detail and entry.detail[:LONGEST]}
