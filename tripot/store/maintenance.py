"""Database maintenance: count tables, check that they replay, delete old ones, back up and restore."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from tripot.core.game import Game
from tripot.store import schema
from tripot.store.models import OVER, PLAYING, RECORD, WAITING, StoredTable, record_of
from tripot.store.schema import log, seats, tables
from tripot.store.store import Store, StoreFailed
from tripot.table.record import BadRecord, Record, replay

FORMAT = "tripot backup 1"
PAGE = 100  # tables read at a time
NOT_BACKED_UP = ("keeper", "version")  # columns that describe the running server, not the table


class BadBackup(ValueError):
    """A file that cannot be restored. The message says why."""


# --- Statistics ---


@dataclass
class Stats:
    """Tables by game, rules version and status, and the number of decisions."""

    tables: list[dict[str, Any]]
    decisions: int
    oldest: int | None  # the earliest time of a table's last change, in milliseconds since 1970
    newest: int | None  # the latest


async def stats(store: Store) -> Stats:
    """Counts tables and decisions."""
    kinds = (tables.c.game, tables.c.rules, tables.c.status)
    grouped = select(*kinds, func.count().label("tables")).group_by(*kinds).order_by(*kinds)
    async with _snapshot(store) as db:
        rows = [dict(row._mapping) for row in await db.execute(grouped)]
        decisions = await db.scalar(select(func.count()).select_from(log))
        ends = (await db.execute(select(func.min(tables.c.updated), func.max(tables.c.updated)))).one()
    return Stats(rows, decisions or 0, ends[0], ends[1])


async def games(store: Store, *statuses: str) -> AsyncIterator[tuple[StoredTable, list[tuple[int, int]]]]:
    """Yields every table of these statuses with its log."""
    last = ""
    while True:
        page = select(tables.c.id).where(tables.c.id > last, tables.c.status.in_(statuses))
        async with _snapshot(store) as db:
            ids = list(await db.scalars(page.order_by(tables.c.id).limit(PAGE)))
        for table_id in ids:
            found = await store.table_with_log(table_id)
            if found is not None:
                yield found
        if not ids:
            return
        last = ids[-1]


async def finished(store: Store, game: str | None = None) -> AsyncIterator[tuple[str, Record]]:
    """Yields the id and the record of every finished game."""
    async for stored, decisions in games(store, OVER):
        if game in (None, stored.game):
            yield stored.id, record_of(stored, decisions)


# --- Check ---


@dataclass
class CheckResult:
    """The result of a check."""

    sound: int = 0  # tables that replay
    outdated: int = 0  # tables of rules that this version does not ship
    broken: dict[str, str] = field(default_factory=dict)  # by table id, why it does not replay


async def check(store: Store, known: Mapping[str, Game], older: Mapping[tuple[str, int], Game]) -> CheckResult:
    """Replays every stored game."""
    found = CheckResult()
    versions = {(name, game.rules_version) for name, game in known.items()} | set(older)
    async for stored, decisions in games(store, WAITING, PLAYING, OVER, RECORD):
        if (stored.game, stored.rules) not in versions:
            found.outdated += 1
            continue
        try:
            _check(stored, decisions, known, older)
            found.sound += 1
        except BadRecord as error:
            found.broken[stored.id] = str(error)
    return found


def _check(
    stored: StoredTable,
    decisions: list[tuple[int, int]],
    known: Mapping[str, Game],
    older: Mapping[tuple[str, int], Game],
) -> None:
    played = replay(record_of(stored, decisions), known, older)
    waiting = sum(1 << seat for seat in played.waiting)
    if stored.status in (PLAYING, OVER) and played.over != (stored.status == OVER):
        raise BadRecord(f"status: stored as {stored.status}, but the replay is {'over' if played.over else 'not over'}")
    if stored.status == PLAYING and stored.waiting != waiting:
        raise BadRecord(f"waiting: stored as {stored.waiting}, but the replay gives {waiting}")


# --- Prune ---


async def prune(store: Store, before: int, unfinished: bool = False, pretend: bool = False) -> int:
    """Deletes finished games, and unfinished ones if asked, that last changed before `before`. Returns the number."""
    statuses = (OVER, RECORD, WAITING, PLAYING) if unfinished else (OVER, RECORD)
    old = (tables.c.updated < before) & tables.c.status.in_(statuses)
    try:
        async with store.engine.begin() as db:
            if pretend:
                return await db.scalar(select(func.count()).select_from(tables).where(old)) or 0
            return (await db.execute(delete(tables).where(old))).rowcount
    except (SQLAlchemyError, OSError) as error:
        raise StoreFailed(str(error)) from error


# --- Back up and restore ---


async def backup(store: Store) -> AsyncIterator[str]:
    """Yields a snapshot of all tables, one per line. The format is the same for every kind of database."""
    yield json.dumps({"format": FORMAT, "schema": schema.NEWEST})
    count, last = 0, ""
    async with _snapshot(store) as db:
        while rows := (await db.execute(_page(last))).mappings().all():
            for row in rows:
                yield json.dumps(await _table_line(db, dict(row)), ensure_ascii=False)
            count, last = count + len(rows), rows[-1]["id"]
    yield json.dumps({"end": count})


def _page(last: str) -> Select[Any]:
    backed_up = [column for column in tables.columns if column.name not in NOT_BACKED_UP]
    return select(*backed_up).where(tables.c.id > last).order_by(tables.c.id).limit(PAGE)


async def _table_line(db: AsyncConnection, row: dict[str, Any]) -> dict[str, Any]:
    wanted = select(seats).where(seats.c.table_id == row["id"]).order_by(seats.c.seat)
    sitting = [{k: v for k, v in seat.items() if k != "table_id"} for seat in (await db.execute(wanted)).mappings()]
    decisions = select(log.c.seat, log.c.action, log.c.at).where(log.c.table_id == row["id"]).order_by(log.c.sequence)
    return {"table": row, "seats": sitting, "log": [list(decision) for decision in await db.execute(decisions)]}


async def restore(store: Store, lines: Iterable[str]) -> int:
    """Fills an empty database from a backup, all of it or nothing. Returns the number of tables. Raises BadBackup."""
    contents = _read(lines)
    header = next(contents, {})
    if header.get("format") != FORMAT:
        raise BadBackup(f"this is not a backup: it does not start with {json.dumps(FORMAT)}")
    if header.get("schema", "") > schema.NEWEST:
        raise BadBackup(f"this backup was made by a later version (schema {header['schema']})")
    count = 0
    try:
        async with store.engine.begin() as db:
            if await db.scalar(select(func.count()).select_from(tables)):
                raise BadBackup("the database is not empty: restore into a new one")
            for line in contents:
                if "end" in line:
                    break
                await _restore(db, line)
                count += 1
            else:
                raise BadBackup("the backup is cut off: its last line is missing")
            if line["end"] != count:
                raise BadBackup(f"the backup is damaged: it has {count} tables instead of {line['end']}")
    except (SQLAlchemyError, OSError) as error:
        raise StoreFailed(str(error)) from error
    return count


async def _restore(db: AsyncConnection, line: dict[str, Any]) -> None:
    try:
        table_id = line["table"]["id"]
        await db.execute(insert(tables).values(**line["table"], version=0))
        await db.execute(insert(seats), [{**seat, "table_id": table_id} for seat in line["seats"]])
        rows = [
            {"table_id": table_id, "sequence": number, "seat": seat, "action": action, "at": at}
            for number, (seat, action, at) in enumerate(line["log"], start=1)
        ]
        if rows:
            await db.execute(insert(log), rows)
    except (KeyError, TypeError, ValueError) as error:
        raise BadBackup(f"the backup is damaged: {error}") from None


def _read(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for number, text in enumerate(lines, start=1):
        try:
            line = json.loads(text)
        except ValueError:
            line = None
        if not isinstance(line, dict):
            raise BadBackup(f"the backup is damaged: line {number} cannot be read")
        yield line


@asynccontextmanager
async def _snapshot(store: Store) -> AsyncIterator[AsyncConnection]:
    """Opens a connection that reads a snapshot of the database."""
    try:
        async with store.engine.connect() as db:
            if store.processes is not None:
                await db.execution_options(isolation_level="REPEATABLE READ")
            else:
                await db.exec_driver_sql("BEGIN")
            yield db
    except (SQLAlchemyError, OSError) as error:
        raise StoreFailed(str(error)) from error
