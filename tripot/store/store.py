"""Where tables are kept. Every change is one transaction; what is confirmed is on the disk."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, event, insert, inspect, or_, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tripot.store import schema
from tripot.store.kept import BOT, OVER, PLAYING, WAITING, KeptSeat, KeptTable, now
from tripot.store.schema import log, seats, tables
from tripot.store.together import Together

MIGRATIONS = Path(__file__).parent / "migrations"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
SEAT_COLUMNS = ("seat", "kind", "name", "level", "bot", "held", "token_hash", "invite")
LEFT = ("status", "waiting", "result", "updated")  # how decisions leave a table
LEAVE = update(tables).where(tables.c.id == bindparam("of")).values({name: bindparam(f"now_{name}") for name in LEFT})


class StoreFailed(Exception):
    """Nothing was written: the database refused or could not be reached."""


class TakenAlready(StoreFailed):
    """Somebody else wrote this first: a decision of the same number, a seat, a record."""


@dataclass(frozen=True)
class Append:
    """Decisions to be written: rows of the log, and how they leave the table."""

    rows: list[dict[str, Any]]
    left: dict[str, Any]


class Store:
    """The database of tables. Open it with `open_store`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._appends = Together(self._append, alone=TakenAlready)
        self._writing = asyncio.Lock()  # SQLite has one writer: waiting here is cheaper than being told it is busy

    # --- Tables ---

    async def create(self, table: KeptTable, decisions: Sequence[tuple[int, int]] = ()) -> None:
        """Keep a new table, and the decisions of one that was played elsewhere."""
        table.created = table.updated = now()
        row = {c.name: getattr(table, c.name) for c in tables.columns if c.name != "seed"}
        async with self._transaction() as db:
            await db.execute(insert(tables).values(**row, seed=str(table.seed)))
            await db.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])
            if decisions:
                await db.execute(insert(log), _log_rows(table.id, 0, decisions, table.created))

    async def table(self, table_id: str) -> KeptTable | None:
        """A table by its id."""
        found = await self._tables(select(tables).where(tables.c.id == table_id))
        return found[0] if found else None

    async def tables(self, table_ids: Sequence[str]) -> list[KeptTable]:
        """Those of these tables that exist, newest first."""
        return await self._tables(select(tables).where(tables.c.id.in_(table_ids)).order_by(tables.c.updated.desc()))

    async def open_tables(self, most: int, hours: float) -> list[KeptTable]:
        """Tables of the last hours where anyone may sit down, newest first."""
        since = now() - round(hours * 3_600_000)
        wanted = select(tables).where(tables.c.status == WAITING, tables.c.open, tables.c.updated > since)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def finished(self, most: int, before: int | None = None, game: str | None = None) -> list[KeptTable]:
        """Finished games that may be watched, newest first."""
        wanted = select(tables).where(tables.c.status == OVER, tables.c.watch)
        if before is not None:
            wanted = wanted.where(tables.c.updated < before)
        if game is not None:
            wanted = wanted.where(tables.c.game == game)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def owing_bots(self) -> list[str]:
        """The ids of tables in play that have bots: some may owe a decision."""
        wanted = select(tables.c.id, tables.c.waiting, seats.c.seat).join(seats, seats.c.table_id == tables.c.id)
        wanted = wanted.where(tables.c.status == PLAYING, or_(seats.c.kind == BOT, seats.c.held.is_not(None)))
        async with self._reading() as db:
            rows = (await db.execute(wanted)).all()
        return sorted({row.id for row in rows if row.waiting >> row.seat & 1})

    async def sealed(self, seal: str) -> KeptTable | None:
        """The uploaded record with this seal."""
        found = await self._tables(select(tables).where(tables.c.seal == seal))
        return found[0] if found else None

    async def invited(self, code: str) -> tuple[KeptTable, KeptSeat] | None:
        """The table and seat behind an invite code."""
        found = await self._tables(select(tables).join(seats).where(seats.c.invite == code))
        return next(((table, seat) for table in found for seat in table.seats if seat.invite == code), None)

    # --- Decisions ---

    async def decisions(self, table_id: str) -> list[tuple[int, int]]:
        """The log of a table: (seat, action), all there ever were."""
        wanted = select(log.c.seat, log.c.action).where(log.c.table_id == table_id).order_by(log.c.sequence)
        async with self._reading() as db:
            return [(row.seat, row.action) for row in await db.execute(wanted)]

    async def append(self, table: KeptTable, after: int, decisions: Sequence[tuple[int, int]]) -> None:
        """Write the decisions that follow number `after`, and how they leave the table."""
        at = now()
        left = {"of": table.id, "now_status": table.status, "now_waiting": table.waiting, "now_result": table.result}
        await self._appends.write(Append(_log_rows(table.id, after, decisions, at), {**left, "now_updated": at}))
        table.updated = at

    async def _append(self, appends: Sequence[Append]) -> None:
        """Write the decisions of several tables in one transaction."""
        async with self._transaction() as db:
            await db.execute(insert(log), [row for append in appends for row in append.rows])
            await db.execute(LEAVE, [append.left for append in appends])

    # --- Seats ---

    async def sit(self, table: KeptTable, seat: KeptSeat) -> None:
        """Put a person or a bot into a free seat, and start the game if it was the last one."""
        async with self._transaction() as db:
            empty = update(seats).where(seats.c.table_id == table.id, seats.c.seat == seat.seat, seats.c.name.is_(None))
            taken = await db.execute(empty.values(**_seat_row(table.id, seat)))
            if taken.rowcount != 1:
                raise TakenAlready(f"seat {seat.seat} of table {table.id} is taken")
            at = now()
            changed = {"status": table.status, "waiting": table.waiting, "updated": at}
            await db.execute(update(tables).where(tables.c.id == table.id).values(**changed))
        table.updated = at

    async def hold(self, table_id: str, seat: int, level: str | None) -> None:
        """Note which bot holds an absent person's seat; None: he is back."""
        async with self._transaction() as db:
            where = update(seats).where(seats.c.table_id == table_id, seats.c.seat == seat)
            await db.execute(where.values(held=level))

    async def close(self) -> None:
        await self._appends.finish()
        await self._engine.dispose()

    # --- Underneath ---

    async def _tables(self, wanted: Select[Any]) -> list[KeptTable]:
        async with self._reading() as db:
            rows = (await db.execute(wanted)).all()
            sitting = select(seats).where(seats.c.table_id.in_([row.id for row in rows])).order_by(seats.c.seat)
            places = (await db.execute(sitting)).all() if rows else []
        return [_kept(row, [_kept_seat(place) for place in places if place.table_id == row.id]) for row in rows]

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._writing:
            try:
                async with self._engine.begin() as db:
                    yield db
            except IntegrityError as error:
                raise TakenAlready(str(error.orig)) from error
            except (SQLAlchemyError, OSError) as error:
                raise StoreFailed(str(error)) from error

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.connect() as db:
                yield db
        except (SQLAlchemyError, OSError) as error:
            raise StoreFailed(str(error)) from error


async def open_store(address: str) -> Store:
    """Open the database at `address` (`sqlite:///file` or `postgresql://…`) and bring its schema up to date."""
    engine = _engine(address)
    url = engine.url
    if url.get_backend_name() == "sqlite":
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    try:
        async with engine.begin() as db:
            await db.run_sync(_migrate)
    except BaseException as error:
        await engine.dispose()
        if isinstance(error, (SQLAlchemyError, OSError)):
            raise StoreFailed(f"the database {url.render_as_string()} cannot be opened: {error}") from error
        raise
    return Store(engine)


def _engine(address: str) -> AsyncEngine:
    try:
        url = make_url(address)
        url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        if url.get_backend_name() == "sqlite" and url.database:
            _check_file(Path(url.database))
        return create_async_engine(url)
    except (SQLAlchemyError, ImportError) as error:
        hint = "write sqlite:///FILE or postgresql://…"
        raise StoreFailed(f"'{address}' names no database that can be used: {hint} ({error})") from None


def _check_file(path: Path) -> None:
    """Make the folder, and see that the file is a database or can be one: said in a sentence, before threads start."""
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


def _seat_row(table_id: str, seat: KeptSeat) -> dict[str, Any]:
    return {"table_id": table_id, **{name: getattr(seat, name) for name in SEAT_COLUMNS}}


def _log_rows(table_id: str, after: int, decisions: Sequence[tuple[int, int]], at: int) -> list[dict[str, Any]]:
    return [
        {"table_id": table_id, "sequence": number, "seat": seat, "action": action, "at": at}
        for number, (seat, action) in enumerate(decisions, start=after + 1)
    ]


def _kept(row: Row[Any], places: list[KeptSeat]) -> KeptTable:
    values = dict(row._mapping)
    return KeptTable(**{**values, "seed": int(values["seed"])}, seats=places)


def _kept_seat(row: Row[Any]) -> KeptSeat:
    return KeptSeat(**{name: row._mapping[name] for name in SEAT_COLUMNS})
