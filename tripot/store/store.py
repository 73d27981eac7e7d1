"""Where tables are stored. Every change is one transaction; what is confirmed is on the disk.

SQLite serves one process. On PostgreSQL any number of processes serve the same tables: see `processes`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, Select, Update, bindparam, event, insert, inspect, or_, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tripot.store import schema
from tripot.store.group_commit import GroupCommit
from tripot.store.models import BOT, OVER, PLAYING, WAITING, StoredSeat, StoredTable, now
from tripot.store.schema import log, seats, tables

if TYPE_CHECKING:
    from tripot.store.processes import Processes

MIGRATIONS = Path(__file__).parent / "migrations"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
BEAT_SECONDS = 2.0
POSTGRESQL: dict[str, Any] = {
    "pool_pre_ping": True,  # after a restart of the database nobody is handed a dead connection
    "pool_size": 10,
    "max_overflow": 5,
    "pool_timeout": 10,
    "connect_args": {"timeout": 5, "command_timeout": 10},
}
MIGRATING = 0x7472_6970_6F74  # the advisory lock of whoever brings a PostgreSQL schema up to date
SEAT_COLUMNS = ("seat", "kind", "name", "level", "bot", "held", "token_hash", "invite")
LEFT = ("status", "waiting", "result", "updated")  # how decisions leave a table
LEAVE = (
    update(tables)
    .where(tables.c.id == bindparam("of"))
    .values({name: bindparam(f"now_{name}") for name in LEFT} | {"version": tables.c.version + 1})
)


class StoreFailed(Exception):
    """Nothing was written: the database refused or could not be reached."""


class WriteConflict(StoreFailed):
    """Somebody else wrote this first: a decision of the same number, a seat, a record, another change."""


@dataclass(frozen=True)
class Append:
    """Decisions to be written: rows of the log, and how they leave the table."""

    rows: list[dict[str, Any]]
    left: dict[str, Any]


class Store:
    """The database of tables. Open it with `open_store`."""

    def __init__(self, engine: AsyncEngine, peers: Processes | None = None) -> None:
        self.engine = engine
        self.processes = peers  # none on SQLite: one process serves alone
        self.failures = 0  # how often the database refused or was not there
        self._appends = GroupCommit(self._append, alone=WriteConflict)
        # SQLite has one writer: waiting here is cheaper than being told it is busy.
        self._writing = asyncio.Lock() if peers is None else nullcontext()

    # --- Tables ---

    async def create(self, table: StoredTable, decisions: Sequence[tuple[int, int]] = ()) -> None:
        """Keep a new table, and the decisions of one that was played elsewhere."""
        table.created = table.updated = now()
        table.keeper = self.processes.name if self.processes is not None else None
        row = {c.name: getattr(table, c.name) for c in tables.columns if c.name != "seed"}
        async with self._transaction() as db:
            await db.execute(insert(tables).values(**row, seed=str(table.seed)))
            await db.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])
            if decisions:
                await db.execute(insert(log), _log_rows(table.id, 0, decisions, table.created))

    async def table(self, table_id: str) -> StoredTable | None:
        """A table by its id."""
        found = await self._tables(select(tables).where(tables.c.id == table_id))
        return found[0] if found else None

    async def tables(self, table_ids: Sequence[str]) -> list[StoredTable]:
        """Those of these tables that exist, newest first."""
        return await self._tables(select(tables).where(tables.c.id.in_(table_ids)).order_by(tables.c.updated.desc()))

    async def open_tables(self, most: int, hours: float) -> list[StoredTable]:
        """Tables of the last hours where anyone may sit down, newest first."""
        since = now() - round(hours * 3_600_000)
        wanted = select(tables).where(tables.c.status == WAITING, tables.c.open, tables.c.updated > since)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def finished(self, most: int, before: int | None = None, game: str | None = None) -> list[StoredTable]:
        """Finished games that may be watched, newest first."""
        wanted = select(tables).where(tables.c.status == OVER, tables.c.watch)
        if before is not None:
            wanted = wanted.where(tables.c.updated < before)
        if game is not None:
            wanted = wanted.where(tables.c.game == game)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def tables_awaiting_bots(self) -> list[str]:
        """The ids of tables in play where a bot owes a decision, and no other living process sees to it."""
        wanted = select(tables.c.id, tables.c.waiting, seats.c.seat).join(seats, seats.c.table_id == tables.c.id)
        wanted = wanted.where(tables.c.status == PLAYING, or_(seats.c.kind == BOT, seats.c.held.is_not(None)))
        if self.processes is not None:
            wanted = wanted.where(self.processes.orphaned() | (tables.c.keeper == self.processes.name))
        async with self._reading() as db:
            rows = (await db.execute(wanted)).all()
        return sorted({row.id for row in rows if row.waiting >> row.seat & 1})

    async def sealed(self, seal: str) -> StoredTable | None:
        """The uploaded record with this seal."""
        found = await self._tables(select(tables).where(tables.c.seal == seal))
        return found[0] if found else None

    async def invited(self, code: str) -> tuple[StoredTable, StoredSeat] | None:
        """The table and seat behind an invite code."""
        found = await self._tables(select(tables).join(seats).where(seats.c.invite == code))
        return next(((table, seat) for table in found for seat in table.seats if seat.invite == code), None)

    # --- Decisions ---

    async def decisions(self, table_id: str, after: int = 0) -> list[tuple[int, int]]:
        """The log of a table: (seat, action), all there ever were after number `after`."""
        async with self._reading() as db:
            return await _decisions(db, table_id, after)

    async def game(self, table_id: str) -> tuple[StoredTable, list[tuple[int, int]]] | None:
        """A table and its log at one moment."""
        async with self._reading() as db:
            if self.processes is not None:
                await db.execution_options(isolation_level="REPEATABLE READ")
            found = await self._found(db, select(tables).where(tables.c.id == table_id))
            return (found[0], await _decisions(db, table_id, 0)) if found else None

    async def append(self, table: StoredTable, after: int, decisions: Sequence[tuple[int, int]]) -> None:
        """Write the decisions that follow number `after`, and how they leave the table."""
        at = now()
        left = {"status": table.status, "waiting": table.waiting, "result": table.result, "updated": at}
        rows = _log_rows(table.id, after, decisions, at)
        if self.processes is None:
            await self._appends.write(Append(rows, {"of": table.id, **{f"now_{name}": left[name] for name in LEFT}}))
            table.version += 1
        else:  # PostgreSQL shares commits by itself
            async with self._transaction() as db:
                await db.execute(insert(log), rows)
                row = await self._change(db, table, update(tables).values(**left))
            _changed(table, row)
        table.updated = at

    async def _append(self, appends: Sequence[Append]) -> None:
        """Write the decisions of several tables in one transaction."""
        async with self._transaction() as db:
            await db.execute(insert(log), [row for append in appends for row in append.rows])
            await db.execute(LEAVE, [append.left for append in appends])

    # --- Seats ---

    async def sit(self, table: StoredTable, seat: StoredSeat) -> None:
        """Put a person or a bot into a free seat, and start the game if it was the last one.

        Raises WriteConflict if the seat is taken or if anything about the table has changed since it was read.
        """
        async with self._transaction() as db:
            empty = update(seats).where(seats.c.table_id == table.id, seats.c.seat == seat.seat, seats.c.name.is_(None))
            taken = await db.execute(empty.values(**_seat_row(table.id, seat)))
            if taken.rowcount != 1:
                raise WriteConflict(f"seat {seat.seat} of table {table.id} is taken")
            at = now()
            changed = {"status": table.status, "waiting": table.waiting, "updated": at}
            unchanged = update(tables).where(tables.c.version == table.version)
            row = await self._change(db, table, unchanged.values(**changed))
        table.updated = at
        _changed(table, row)

    async def hold(self, table: StoredTable, seat: int, level: str | None) -> None:
        """Note which bot holds an absent person's seat; None: he is back."""
        async with self._transaction() as db:
            where = update(seats).where(seats.c.table_id == table.id, seats.c.seat == seat)
            await db.execute(where.values(held=level))
            row = await self._change(db, table, update(tables), owed=level is not None)
        table.seats[seat].held = level
        _changed(table, row)

    # --- Among several processes ---

    async def attend(self, table: StoredTable, present: int, watchers: int) -> None:
        """Let other processes know who is connected to a table here: a bit for each seat."""
        if self.processes is not None:
            async with self._transaction() as db:
                await self.processes.attend(db, table.id, present, watchers)
                row = await self._change(db, table, update(tables))
            _changed(table, row)

    async def versions(self, table_ids: Sequence[str]) -> dict[str, int]:
        """How far these tables have come."""
        wanted = select(tables.c.id, tables.c.version).where(tables.c.id.in_(table_ids))
        async with self._reading() as db:
            return {row.id: row.version for row in await db.execute(wanted)}

    async def beat(self) -> bool:
        """Sends a heartbeat and removes expired processes. Returns False if this process was not registered."""
        if self.processes is None:
            return True
        async with self._transaction() as db:
            known = await self.processes.beat(db)
            await self.processes.remove_expired(db)
        return known

    async def adopt(self) -> list[str]:
        """The ids of tables whose bots this process must see to from now on: those that nobody else does."""
        found = await self.tables_awaiting_bots()
        if self.processes is None or not found:
            return found
        async with self._transaction() as db:
            await self.processes.adopt(db, found)
        async with self._reading() as db:
            ours = select(tables.c.id).where(tables.c.id.in_(found), tables.c.keeper == self.processes.name)
            return list(await db.scalars(ours.order_by(tables.c.id)))

    # --- The database itself ---

    async def ping(self) -> None:
        """Raises StoreFailed if the database does not answer."""
        async with self._reading() as db:
            await db.execute(select(1))

    async def close(self) -> None:
        """Let go of the database; the tables that this process kept are free for others."""
        await self._appends.finish()
        if self.processes is not None and self.processes.known:
            with suppress(StoreFailed):
                async with self._transaction() as db:
                    await self.processes.leave(db)
        await self.engine.dispose()

    # --- Underneath ---

    async def _tables(self, wanted: Select[Any]) -> list[StoredTable]:
        async with self._reading() as db:
            return await self._found(db, wanted)

    async def _found(self, db: AsyncConnection, wanted: Select[Any]) -> list[StoredTable]:
        rows = (await db.execute(wanted)).all()
        sitting = select(seats).where(seats.c.table_id.in_([row.id for row in rows])).order_by(seats.c.seat)
        places: dict[str, list[StoredSeat]] = {row.id: [] for row in rows}
        for place in (await db.execute(sitting)).all() if rows else []:
            places[place.table_id].append(_stored_seat(place))
        found = [_stored_table(row, places[row.id]) for row in rows]
        if self.processes is not None and found:
            await self.processes.load_presence(db, found)
        return found

    async def _change(
        self, db: AsyncConnection, table: StoredTable, change: Update, owed: bool | None = None
    ) -> Row[tuple[int, str | None]]:
        """Change a table's row: it gets a new version and a living keeper, and the other processes hear of it."""
        change = change.where(tables.c.id == table.id).values(version=tables.c.version + 1)
        if self.processes is not None:
            change = change.values(keeper=self.processes.keeper())
        row = (await db.execute(change.returning(tables.c.version, tables.c.keeper))).one_or_none()
        if row is None:
            raise WriteConflict(f"table {table.id} has changed")
        if self.processes is not None:
            await self.processes.notify(
                db, table.id, row.version, row.keeper, table.awaits_bot if owed is None else owed
            )
        return row

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._writing:
            try:
                async with self.engine.begin() as db:
                    yield db
            except IntegrityError as error:
                raise WriteConflict(str(error.orig)) from error
            except (SQLAlchemyError, OSError) as error:
                self.failures += 1
                raise StoreFailed(str(error)) from error

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self.engine.connect() as db:
                yield db
        except (SQLAlchemyError, OSError) as error:
            self.failures += 1
            raise StoreFailed(str(error)) from error


async def open_store(address: str, beat_seconds: float = BEAT_SECONDS) -> Store:
    """Open the database at `address` (`sqlite:///file` or `postgresql://…`) and bring its schema up to date."""
    engine = _engine(address)
    url, peers = engine.url, None
    if url.get_backend_name() == "postgresql":
        from tripot.store.processes import Processes

        peers = Processes(beat_seconds)
    else:
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    try:
        async with engine.begin() as db:
            await db.run_sync(_migrate)
    except BaseException as error:
        await engine.dispose()
        if isinstance(error, (SQLAlchemyError, OSError)):
            raise StoreFailed(f"the database {url.render_as_string()} cannot be opened: {error}") from error
        raise
    return Store(engine, peers)


def _engine(address: str) -> AsyncEngine:
    """The way to the database. What goes wrong is told without what was written: it may be secret."""
    try:
        url = make_url(address)
        url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        if url.get_backend_name() == "sqlite" and url.database:
            _check_file(Path(url.database))
        more = POSTGRESQL if url.get_backend_name() == "postgresql" else {}
        return create_async_engine(url, hide_parameters=True, **more)
    except (SQLAlchemyError, ImportError) as error:
        hint = "write sqlite:///FILE or postgresql://… (which needs the extra scale)"
        raise StoreFailed(
            f"'{_without_password(address)}' names no database that can be used: {hint} ({error})"
        ) from None


def _without_password(address: str) -> str:
    try:
        return make_url(address).render_as_string()
    except SQLAlchemyError:
        return address if "@" not in address else "this address"


def _check_file(path: Path) -> None:
    """Creates the folder and checks that the file is a database or can become one, before any thread starts."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version").fetchall()
            database.execute("BEGIN IMMEDIATE")
    except (sqlite3.Error, OSError) as error:
        raise StoreFailed(f"the database {path} cannot be opened: {error}") from None


def _prepare_sqlite(connection: Any, _: Any) -> None:
    """Readers beside one writer; every commit on the disk before it is confirmed."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # one at a time; the others find it done
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    if _version(connection) == schema.NEWEST:
        return  # importing Alembic alone takes longer than all the rest of the start
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreFailed(f"the database was made by another version of this program: {error}") from None


def _version(connection: Connection) -> str | None:
    """The migration that a database stands at; None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


async def _decisions(db: AsyncConnection, table_id: str, after: int) -> list[tuple[int, int]]:
    wanted = select(log.c.seat, log.c.action).where(log.c.table_id == table_id, log.c.sequence > after)
    return [(row.seat, row.action) for row in await db.execute(wanted.order_by(log.c.sequence))]


def _changed(table: StoredTable, row: Row[tuple[int, str | None]]) -> None:
    """Note what a change has made of a table. If it was not the next one, we have yet to hear of another's."""
    if row.version == table.version + 1:
        table.version, table.keeper = row.version, row.keeper


def _seat_row(table_id: str, seat: StoredSeat) -> dict[str, Any]:
    return {"table_id": table_id, **{name: getattr(seat, name) for name in SEAT_COLUMNS}}


def _log_rows(table_id: str, after: int, decisions: Sequence[tuple[int, int]], at: int) -> list[dict[str, Any]]:
    return [
        {"table_id": table_id, "sequence": number, "seat": seat, "action": action, "at": at}
        for number, (seat, action) in enumerate(decisions, start=after + 1)
    ]


def _stored_table(row: Row[Any], places: list[StoredSeat]) -> StoredTable:
    values = dict(row._mapping)
    return StoredTable(**{**values, "seed": int(values["seed"])}, seats=places)


def _stored_seat(row: Row[Any]) -> StoredSeat:
    return StoredSeat(**{name: row._mapping[name] for name in SEAT_COLUMNS})
