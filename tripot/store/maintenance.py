"""Database maintenance: count tables, check that they replay, delete old ones, back up and restore."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from tripot.core.game import Game
from tripot.store import schema
from tripot.store.audit import Entry
from tripot.store.checksums import decision_checksum, table_checksum
from tripot.store.models import ENDED, OVER, PLAYING, RECORD, WAITING, StoredTable, now, record_of
from tripot.store.schema import audit, log, seats, tables
from tripot.store.store import Damaged, Store, StoreFailed, WriteConflict, brief
from tripot.table.record import BadRecord, Record, replay

FORMAT = "tripot backup 1"
PAGE = 100  # tables read at a time
PRUNED = "pruned"  # in the audit log
NOT_BACKED_UP = ("keeper", "version", "checksum")  # columns that describe the running server, not the table


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
    for table_id in await store.table_ids():
        with suppress(Damaged):  # `check` names these
            found = await store.table_with_log(table_id)
            if found is not None and found[0].status in statuses:
                yield found


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
    damage: str | None = None  # the first thing that is wrong with the file itself


async def check(store: Store, known: Mapping[str, Game], older: Mapping[tuple[str, int], Game]) -> CheckResult:
    """Reads and replays every stored game, of a damaged file too. A bad table does not keep it from the others."""
    found = CheckResult(damage=await store.quick_check())
    versions = {(name, game.rules_version) for name, game in known.items()} | set(older)
    for table_id in await store.table_ids():
        try:
            read = await store.table_with_log(table_id)
            if read is None:
                raise BadRecord("there are seats or decisions, but no table")
            stored, decisions = read
            if (stored.game, stored.rules) not in versions:
                found.outdated += 1
                continue
            _check(stored, decisions, known, older)
            found.sound += 1
        except (BadRecord, StoreFailed) as error:  # a flipped bit may have renamed a column
            found.broken[table_id] = str(error)
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


# --- The audit log ---


async def audit_entries(store: Store, table_id: str | None, since: int, most: int) -> list[Entry]:
    """Returns the latest entries of the audit log, of one table or of all, oldest first."""
    wanted = select(audit.c.at, audit.c.what, audit.c.table_id, audit.c.seat, audit.c.detail).where(audit.c.at >= since)
    if table_id is not None:
        wanted = wanted.where(audit.c.table_id == table_id)
    async with _snapshot(store) as db:
        rows = (await db.execute(wanted.order_by(audit.c.id.desc()).limit(most))).all()
    return [Entry(*row) for row in reversed(rows)]


async def withdraw(store: Store, table_id: str, seat: int | None) -> int:
    """Withdraws all tokens of a seat, or of every seat of a table, and its six words. Returns how many tokens.

    The seat stays taken: its person asks the host to give it back, and sits down again.
    """
    for _ in range(20):
        table = await store.table(table_id)
        if table is None:
            raise StoreFailed(f"there is no table {table_id}")
        if seat is not None and not 0 <= seat < len(table.seats):
            raise StoreFailed(f"there is no seat {seat + 1} at table {table_id}")
        chosen = [place for place in table.seats if seat in (None, place.seat)]
        bare = {place.seat: replace(place, tokens=[], pass_hash=None, pass_until=None) for place in chosen}
        after = replace(table, seats=[bare.get(place.seat, place) for place in table.seats])
        with suppress(WriteConflict):
            await store.rewrite(table, after)
            return sum(len(place.tokens) for place in chosen)
    raise StoreFailed(f"table {table_id} changes all the time: try again")


# --- Prune ---


async def prune(store: Store, before: int, unfinished: bool = False, pretend: bool = False) -> int:
    """Deletes finished games, and unfinished ones if asked, that last changed before `before`. Returns the number."""
    statuses = (OVER, ENDED, RECORD, WAITING, PLAYING) if unfinished else (OVER, ENDED, RECORD)
    old = (tables.c.updated < before) & tables.c.status.in_(statuses)
    try:
        async with store.engine.begin() as db:
            if pretend:
                return await db.scalar(select(func.count()).select_from(tables).where(old)) or 0
            count = (await db.execute(delete(tables).where(old))).rowcount
            await db.execute(delete(audit).where(audit.c.at < before, audit.c.what != PRUNED))
            detail = f"{count} games" + (", unfinished too" if unfinished else "")
            await db.execute(insert(audit).values(at=now(), what=PRUNED, detail=detail))
        await _give_back(store)
        return count
    except (SQLAlchemyError, OSError) as error:
        raise StoreFailed(brief(error)) from error


async def _give_back(store: Store) -> None:
    """Gives the space of deleted rows back: a SQLite file shrinks, PostgreSQL can use the space again."""
    async with store.engine.connect() as db:
        alone = await db.execution_options(isolation_level="AUTOCOMMIT")
        if store.processes is not None:
            await alone.execute(text("VACUUM tables, seats, log"))
            return
        await alone.execute(text("VACUUM"))
        await alone.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))


# --- Back up and restore ---


async def backup(store: Store) -> AsyncIterator[str]:
    """Yields a snapshot of all tables, one per line. The format is the same for every kind of database."""
    yield json.dumps({"format": FORMAT, "schema": schema.NEWEST})
    count, last, digest = 0, "", hashlib.sha256()
    async with _snapshot(store) as db:
        while rows := (await db.execute(_page(last))).mappings().all():
            for row in rows:
                line = json.dumps(await _table_line(db, dict(row)), ensure_ascii=False)
                digest.update(line.encode())
                yield line
            count, last = count + len(rows), rows[-1]["id"]
    yield json.dumps({"end": count, "sha256": digest.hexdigest()})


def _page(last: str) -> Select[Any]:
    backed_up = [column for column in tables.columns if column.name not in NOT_BACKED_UP]
    return select(*backed_up).where(tables.c.id > last).order_by(tables.c.id).limit(PAGE)


async def _table_line(db: AsyncConnection, row: dict[str, Any]) -> dict[str, Any]:
    wanted = select(seats).where(seats.c.table_id == row["id"]).order_by(seats.c.seat)
    sitting = [{k: v for k, v in seat.items() if k != "table_id"} for seat in (await db.execute(wanted)).mappings()]
    decisions = select(log.c.seat, log.c.action, log.c.at).where(log.c.table_id == row["id"]).order_by(log.c.sequence)
    return {"table": row, "seats": sitting, "log": [list(decision) for decision in await db.execute(decisions)]}


@dataclass
class BackupResult:
    """The result of restoring a backup and checking what came back."""

    tables: int
    decisions: int
    newest: int | None  # when the last of them changed, in milliseconds since 1970
    sound: int  # tables that replay
    outdated: int
    broken: dict[str, str]

    @property
    def good(self) -> bool:
        return not self.broken


async def verify_backup(
    store: Store, lines: Iterable[str], known: Mapping[str, Game], older: Mapping[tuple[str, int], Game]
) -> BackupResult:
    """Restores a backup into an empty database and replays every game in it. Raises BadBackup."""
    count = await restore(store, lines)
    found, counted = await check(store, known, older), await stats(store)
    return BackupResult(count, counted.decisions, counted.newest, found.sound, found.outdated, found.broken)


async def restore(store: Store, lines: Iterable[str]) -> int:
    """Fills an empty database from a backup, all of it or nothing. Returns the number of tables. Raises BadBackup."""
    digest = hashlib.sha256()
    contents = _read(lines, digest)
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
            if (
                next(contents, None) is not None
            ):  # and a compressed file knows its checksum only when all of it was read
                raise BadBackup("the backup is damaged: there are lines after its end")
            if line["end"] != count:
                raise BadBackup(f"the backup is damaged: it has {count} tables instead of {line['end']}")
            if line.get("sha256") not in (None, digest.hexdigest()):  # backups from before there was one have none
                raise BadBackup("the backup is damaged: its lines are not those that were written")
    except (SQLAlchemyError, OSError) as error:
        raise StoreFailed(brief(error)) from error
    return count


async def _restore(db: AsyncConnection, line: dict[str, Any]) -> None:
    try:
        table_id = line["table"]["id"]
        row = line["table"]
        seed = row.get("secret") or row["seed"]
        checksum = table_checksum(table_id, row["game"], row["rules"], seed, row["options"])
        await db.execute(insert(tables).values(**row, version=0, checksum=checksum))
        await db.execute(insert(seats), [{**_seat(seat), "table_id": table_id} for seat in line["seats"]])
        rows = [
            {
                **{"table_id": table_id, "sequence": number, "seat": seat, "action": action, "at": at},
                "checksum": decision_checksum(table_id, number, seat, action, at),
            }
            for number, (seat, action, at) in enumerate(line["log"], start=1)
        ]
        if rows:
            await db.execute(insert(log), rows)
    except (KeyError, TypeError, ValueError) as error:
        raise BadBackup(f"the backup is damaged: {error}") from None


def _seat(line: dict[str, Any]) -> dict[str, Any]:
    """Returns a seat of a backup. Backups of schema 0002 and before hold one token for each seat."""
    if "tokens" in line:
        return line
    token = line.get("token_hash")
    return {**{key: line[key] for key in line if key != "token_hash"}, "tokens": [] if token is None else [token]}


def _read(lines: Iterable[str], digest: hashlib._Hash) -> Iterator[dict[str, Any]]:
    """Yields the lines of a backup, and feeds those of tables to `digest`."""
    for number, written in enumerate(lines, start=1):
        try:
            line = json.loads(written)
        except ValueError:
            line = None
        if not isinstance(line, dict):
            raise BadBackup(f"the backup is damaged: line {number} cannot be read")
        if "table" in line:
            digest.update(written.rstrip("\r\n").encode())
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
        raise StoreFailed(brief(error)) from error
