"""The store: tables, seats and decisions in a database. Every change is one transaction, and durable once confirmed.

SQLite serves one process. On PostgreSQL any number of processes serve the same tables: see `processes`.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    Select,
    Update,
    delete,
    event,
    insert,
    inspect,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from tripot.store import audit, schema, shared_limits
from tripot.store.checksums import decision_checksum, table_checksum
from tripot.store.group_commit import GroupCommit
from tripot.store.models import BOT, OVER, PLAYING, WAITING, StoredSeat, StoredTable, now
from tripot.store.schema import log, reviews, seats, tables
from tripot.store.sqlite_log import SqliteLog, prepare

if TYPE_CHECKING:
    from tripot.store.processes import Processes

MIGRATIONS = Path(__file__).parent / "migrations"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
BEAT_SECONDS = 2.0
MIGRATING = 0x7472_6970_6F74  # the advisory lock of the process that migrates a PostgreSQL database
SEAT_COLUMNS = tuple(field.name for field in dataclasses.fields(StoredSeat))
KEPT = (
    "id",
    "seed",
    "secret",
    "checksum",
    "version",
    "bot_process",
    "created",
    "updated",
)  # `rewrite` does not copy these


class StoreFailed(Exception):
    """Nothing was written: the database reported an error or could not be reached."""


class Damaged(StoreFailed):
    """What was written is no longer what is read: a disk or a program has damaged the database."""


class WriteConflict(StoreFailed):
    """Another writer was first: with the same decision number, seat or record, or with any change of the table."""


class Change(NamedTuple):
    """A table's row after a change."""

    version: int
    bot_process: str | None


class Store:
    """The database of tables. Open it with `open_store`."""

    def __init__(self, engine: AsyncEngine, processes: Processes | None = None) -> None:
        self.engine = engine
        self.processes = processes  # None on SQLite, which serves one process
        self.failures = 0  # how often the database reported an error or could not be reached
        self._database_errors = processes.database_errors if processes is not None else (SQLAlchemyError, OSError)
        self._appends = GroupCommit(self._append, retry_alone=WriteConflict, table_of=_table_of)
        self._log = SqliteLog(engine.url.database or "") if processes is None else None
        self._uses = 0  # connections at work
        self._unused = asyncio.Event()
        self._closed = False
        # SQLite has one writer: waiting for a lock here is cheaper than its "database is busy" error.
        self._writing = asyncio.Lock() if processes is None else nullcontext()

    # --- Tables ---

    async def create(self, table: StoredTable, decisions: Sequence[tuple[int, int]] = ()) -> None:
        """Stores a new table, with its decisions if it was played elsewhere."""
        table.created = table.updated = now()
        table.bot_process = self.processes.name if self.processes is not None else None
        row = {c.key: getattr(table, c.key) for c in tables.columns if c.key not in ("seed", "checksum")}
        seed = table.secret or str(table.seed)
        checksum = table_checksum(table.id, table.game, table.rules, seed, table.options)
        async with self._transaction() as db:
            await db.execute(insert(tables).values(**row, seed=str(table.seed), checksum=checksum))
            await db.execute(insert(seats), [_seat_row(table.id, seat) for seat in table.seats])
            if decisions:
                await db.execute(insert(log), _log_rows(table.id, 0, decisions, table.created))
            await _write_audit(db, audit.opening(table, table.created))

    async def table(self, table_id: str) -> StoredTable | None:
        """Returns a table, or None if there is none with this id."""
        found = await self._tables(select(tables).where(tables.c.id == table_id))
        return found[0] if found else None

    async def tables(self, table_ids: Sequence[str]) -> list[StoredTable]:
        """Returns those of these tables that exist, newest first."""
        return await self._tables(select(tables).where(tables.c.id.in_(table_ids)).order_by(tables.c.updated.desc()))

    async def open_tables(self, most: int, hours: float) -> list[StoredTable]:
        """Returns tables that anyone may join and that changed in the last `hours`, newest first."""
        since = now() - round(hours * 3_600_000)
        wanted = select(tables).where(tables.c.status == WAITING, tables.c.open, tables.c.updated > since)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def running_tables(self, most: int, hours: float) -> list[StoredTable]:
        """Returns listed tables that are being played and changed in the last `hours`, newest first."""
        since = now() - round(hours * 3_600_000)
        listed = tables.c.listed & tables.c.watch
        wanted = select(tables).where(tables.c.status == PLAYING, listed, tables.c.updated > since)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def finished_tables(self, most: int, before: int | None = None, game: str | None = None) -> list[StoredTable]:
        """Returns published games, newest first."""
        wanted = select(tables).where(tables.c.status == OVER, tables.c.published)
        if before is not None:
            wanted = wanted.where(tables.c.updated < before)
        if game is not None:
            wanted = wanted.where(tables.c.game == game)
        return await self._tables(wanted.order_by(tables.c.updated.desc()).limit(most))

    async def tables_awaiting_bots(self) -> list[str]:
        """Returns the ids of tables where a bot must decide, now or when time is up, and nobody else runs the bots."""
        wanted = select(tables.c.id, tables.c.waiting, seats.c.seat).join(seats, seats.c.table_id == tables.c.id)
        plays = or_(seats.c.kind == BOT, seats.c.held.is_not(None), tables.c.seconds.is_not(None))
        wanted = wanted.where(tables.c.status == PLAYING, plays)
        if self.processes is not None:
            wanted = wanted.where(self.processes.orphaned() | (tables.c.bot_process == self.processes.name))
        async with self._reading() as db:
            rows = (await db.execute(wanted)).all()
        return sorted({row.id for row in rows if row.waiting >> row.seat & 1})

    async def record_with_seal(self, seal: str) -> StoredTable | None:
        """Returns the uploaded record with this seal."""
        found = await self._tables(select(tables).where(tables.c.seal == seal))
        return found[0] if found else None

    async def invitation(self, code: str) -> tuple[StoredTable, int | None] | None:
        """Returns the table of a link; of an older link also the seat that it was for."""
        found = await self._tables(select(tables).where(tables.c.link == code))
        if found:
            return found[0], None
        found = await self._tables(select(tables).join(seats).where(seats.c.invite == code))
        return next(((table, seat.seat) for table in found for seat in table.seats if seat.invite == code), None)

    async def passed_seat(self, pass_hash: str) -> tuple[StoredTable, StoredSeat] | None:
        """Returns the seat that six words bring to another device, if they are still valid."""
        valid = (seats.c.pass_hash == pass_hash) & (seats.c.pass_until > now())
        found = await self._tables(select(tables).join(seats).where(valid))
        return next(((table, seat) for table in found for seat in table.seats if seat.pass_hash == pass_hash), None)

    # --- Decisions ---

    async def decisions(self, table_id: str, after: int = 0) -> list[tuple[int, int]]:
        """Returns the (seat, action) pairs of a table's log that follow number `after`."""
        async with self._reading() as db:
            return await _decisions(db, table_id, after)

    async def decided_at(self, table_id: str, sequence: int) -> int | None:
        """Returns when a decision was written down, in milliseconds since 1970; after the deal, the first one."""
        wanted = select(log.c.at).where(log.c.table_id == table_id, log.c.sequence == max(sequence, 1))
        async with self._reading() as db:
            found: int | None = await db.scalar(wanted)
            return found

    async def table_with_log(self, table_id: str) -> tuple[StoredTable, list[tuple[int, int]]] | None:
        """Returns a table and its log, read in one snapshot."""
        async with self._reading() as db:
            if self.processes is not None:
                await db.execution_options(isolation_level="REPEATABLE READ")
            found = await self._load(db, select(tables).where(tables.c.id == table_id))
            return (found[0], await _decisions(db, table_id, 0)) if found else None

    def hurry(self) -> None:
        """Somebody asks for something else than a decision: see `group_commit`."""
        self._appends.hurry()

    async def append(self, table: StoredTable, after: int, decisions: Sequence[tuple[int, int]]) -> None:
        """Writes the decisions that follow number `after`, with the status, waiting seats and result of `table`."""
        at = now()
        if self.processes is None:
            await self._appends.write(_log_values(table, after, decisions, at))
            table.version += 1
        else:  # PostgreSQL has its own group commit
            async with self._transaction() as db:
                row = await self.processes.append(db, table, _log_rows(table.id, after, decisions, at), at)
                if row is None:
                    raise WriteConflict(f"table {table.id} has changed")
            _apply_change(table, Change(*row))
        table.updated = at

    async def _append(self, appends: Sequence[list[list[Any]]]) -> None:
        """Writes the decisions of several tables in one transaction."""
        assert self._log is not None
        async with self._writing:
            try:
                await self._log.write([row for rows in appends for row in rows])
            except sqlite3.IntegrityError as error:
                raise WriteConflict(str(error)) from error
            except (sqlite3.Error, OSError) as error:
                self.failures += 1
                raise _failure(error) from error

    # --- Reviews ---

    async def review(self, table_id: str, form: int) -> bytes | None:
        """Returns the review that is kept with a game, if it has this form."""
        wanted = select(reviews.c.content).where(reviews.c.table_id == table_id, reviews.c.form == form)
        async with self._reading() as db:
            found: bytes | None = await db.scalar(wanted)
            return found

    async def keep_review(self, table_id: str, form: int, content: bytes) -> None:
        """Keeps a review with its game, in place of an older one. A game that was deleted meanwhile keeps none."""
        known = select(literal(table_id), literal(form), literal(content)).where(
            select(tables.c.id).where(tables.c.id == table_id).exists()
        )
        async with self._transaction() as db:
            await db.execute(delete(reviews).where(reviews.c.table_id == table_id))
            await db.execute(insert(reviews).from_select(["table_id", "form", "content"], known))

    # --- Seats ---

    async def rewrite(self, table: StoredTable, after: StoredTable) -> None:
        """Writes what differs in `after`: columns of the table and whole seats. Sets its version.

        Raises WriteConflict if the table has changed since `table` was read.
        """
        keys = [column.key for column in tables.columns if column.key not in KEPT]
        changed = {key: getattr(after, key) for key in keys if getattr(after, key) != getattr(table, key)}
        if changed or [seat.name for seat in table.seats] != [seat.name for seat in after.seats]:
            changed["updated"] = now()
        async with self._transaction() as db:
            unchanged = update(tables).where(tables.c.version == table.version)
            change = await self._change(db, after, unchanged.values(**changed) if changed else unchanged)
            for old, new in zip(table.seats, after.seats, strict=True):
                if old != new:
                    where = update(seats).where(seats.c.table_id == table.id, seats.c.seat == new.seat)
                    await db.execute(where.values(**_seat_row(table.id, new)))
            await _write_audit(db, audit.changes(table, after, now()))
        after.updated = changed.get("updated", table.updated)
        _apply_change(after, change)

    # --- Several processes ---

    async def publish_presence(self, table: StoredTable, present: int, watchers: int) -> None:
        """Tells other processes who is connected to a table here. `present` has a bit for each seat."""
        if self.processes is not None:
            async with self._transaction() as db:
                await self.processes.publish_presence(db, table.id, present, watchers)
                change = await self._change(db, table, update(tables))
            _apply_change(table, change)

    async def say(self, table: StoredTable, seat: int, phrase: str) -> None:
        """Tells other processes what somebody at a table said."""
        if self.processes is not None:
            async with self._transaction() as db:
                await self.processes.notify_said(db, table.id, seat, phrase)

    async def versions(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Returns the versions of these tables, by id."""
        wanted = select(tables.c.id, tables.c.version).where(tables.c.id.in_(table_ids))
        async with self._reading() as db:
            return {row.id: row.version for row in await db.execute(wanted)}

    async def heartbeat(self) -> bool:
        """Sends a heartbeat and removes expired processes. Returns False if this process was not registered."""
        if self.processes is None:
            return True
        async with self._transaction() as db:
            registered = await self.processes.heartbeat(db)
            await self.processes.remove_expired(db)
            await shared_limits.forget(db)
        return registered

    async def take_tokens(self, bucket: str, most: float, rate: float, count: float = 1) -> bool:
        """Takes tokens from a bucket that all processes share. Returns False if they are not there."""
        if self.processes is None:
            return True
        async with self._transaction() as db:
            return await shared_limits.take(db, bucket, most, rate, count)

    async def add_socket(self, visitor: str, most: int) -> bool:
        """Counts a new socket of a visitor. Returns False if they have `most` at all processes together."""
        if self.processes is None:
            return True
        async with self._transaction() as db:
            return await shared_limits.add_socket(db, self.processes.name, visitor, most)

    async def drop_socket(self, visitor: str) -> None:
        """Counts a socket that is closed."""
        if self.processes is not None:
            async with self._transaction() as db:
                await shared_limits.drop_socket(db, self.processes.name, visitor)

    async def adopt(self) -> list[str]:
        """Takes over tables whose bots no live process runs. Returns the ids of tables whose bots must play here."""
        found = await self.tables_awaiting_bots()
        if self.processes is None or not found:
            return found
        async with self._transaction() as db:
            await self.processes.adopt(db, found)
        async with self._reading() as db:
            ours = select(tables.c.id).where(tables.c.id.in_(found), tables.c.bot_process == self.processes.name)
            return list(await db.scalars(ours.order_by(tables.c.id)))

    # --- The database ---

    async def ping(self) -> None:
        """Raises StoreFailed if the database cannot be written to."""
        async with self._transaction() as db:
            await db.execute(text("UPDATE alembic_version SET version_num = version_num"))

    async def quick_check(self) -> str | None:
        """Returns the first thing that is wrong with the pages of a SQLite file, or None. Takes a second a gigabyte."""
        if self.processes is not None:
            return None
        try:
            async with self._reading() as db:
                found = str(await db.scalar(text("PRAGMA quick_check(1)")))
        except StoreFailed as error:
            return str(error)
        return None if found == "ok" else found.splitlines()[-1]

    async def table_ids(self) -> list[str]:
        """Returns the ids of all tables, of a damaged file as many as can be found in any of its parts."""
        wanted = select(tables.c.id)
        if self.processes is not None:
            async with self._reading() as db:
                return list(await db.scalars(wanted.order_by(tables.c.id)))
        found: set[str] = set()
        for source in ("id FROM tables", "DISTINCT table_id FROM seats", "DISTINCT table_id FROM log"):
            for order in ("ASC", "DESC"):  # a scan ends at the first bad page: come from the other side too
                with suppress(StoreFailed):
                    async with self._reading() as db:
                        async for row in await db.stream(text(f"SELECT {source} ORDER BY 1 {order}")):
                            if isinstance(row[0], str):
                                found.add(row[0])
        return sorted(found)

    async def close(self) -> None:
        """Closes the database after what is being read or written. Other processes can then take over its tables."""
        await self._appends.finish()
        if self._log is not None:
            await self._log.close()
        if self.processes is not None and self.processes.registered:
            with suppress(StoreFailed):
                async with self._transaction() as db:
                    await self.processes.leave(db)
        self._closed = True
        while self._uses:  # whoever is cut off by the end of the process loses a connection, and the log says so
            self._unused.clear()
            await self._unused.wait()
        await self.engine.dispose()

    # --- Internals ---

    async def _tables(self, wanted: Select[Any]) -> list[StoredTable]:
        async with self._reading() as db:
            return await self._load(db, wanted)

    async def _load(self, db: AsyncConnection, wanted: Select[Any]) -> list[StoredTable]:
        rows = (await db.execute(wanted)).all()
        wanted_seats = select(seats).where(seats.c.table_id.in_([row.id for row in rows])).order_by(seats.c.seat)
        by_table: dict[str, list[StoredSeat]] = {row.id: [] for row in rows}
        for seat in (await db.execute(wanted_seats)).all() if rows else []:
            by_table[seat.table_id].append(_stored_seat(seat))
        found = [_stored_table(row, by_table[row.id]) for row in rows]
        if self.processes is not None and found:
            await self.processes.load_presence(db, found)
        return found

    async def _change(self, db: AsyncConnection, table: StoredTable, change: Update) -> Change:
        """Changes a table's row, raises its version and notifies the other processes."""
        change = change.where(tables.c.id == table.id).values(version=tables.c.version + 1)
        if self.processes is not None:
            change = change.values(bot_process=self.processes.next_bot_process())
        row = (await db.execute(change.returning(tables.c.version, tables.c.bot_process))).one_or_none()
        if row is None:
            raise WriteConflict(f"table {table.id} has changed")
        changed = Change(*row)
        if self.processes is not None:
            bot_process = changed.bot_process if table.awaits_bot else None
            await self.processes.notify(db, table.id, changed.version, bot_process)
        return changed

    @contextmanager
    def _use(self) -> Iterator[None]:
        """Keeps the database open."""
        if self._closed:
            raise StoreFailed("the database is closed")
        self._uses += 1
        try:
            yield
        finally:
            self._uses -= 1
            if not self._uses:
                self._unused.set()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._writing:
            try:
                with self._use():
                    async with self.engine.begin() as db:
                        yield db
            except IntegrityError as error:
                raise WriteConflict(str(error.orig)) from error
            except self._database_errors as error:
                self.failures += 1
                raise _failure(error) from error

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            with self._use():
                async with self.engine.connect() as db:
                    yield db
        except self._database_errors as error:
            self.failures += 1
            raise _failure(error) from error
        except (ValueError, TypeError, KeyError) as error:  # a column holds what no version ever wrote
            self.failures += 1
            raise Damaged(f"the database holds what cannot be read: {error}") from error


async def open_store(address: str, beat_seconds: float = BEAT_SECONDS) -> Store:
    """Opens the database at `address` (`sqlite:///file` or `postgresql://…`) and migrates it to the newest schema."""
    engine = _engine(address)
    url, processes = engine.url, None
    if url.get_backend_name() == "postgresql":
        from tripot.store.processes import Processes

        processes = Processes(beat_seconds)
    else:
        event.listen(engine.sync_engine, "connect", lambda connection, _: prepare(connection))
    try:
        async with engine.begin() as db:
            await db.run_sync(_migrate)
    except BaseException as error:
        await engine.dispose()
        if isinstance(error, Exception) and not isinstance(error, StoreFailed):
            raise StoreFailed(f"the database {url.render_as_string()} cannot be opened: {brief(error)}") from error
        raise
    return Store(engine, processes)


def _engine(address: str) -> AsyncEngine:
    """Returns the engine for an address. Error messages leave the password out."""
    try:
        url = make_url(address)
        url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        if url.get_backend_name() == "sqlite" and url.database:
            _check_file(Path(url.database))
        return create_async_engine(url, hide_parameters=True, **_engine_options(url))
    except (SQLAlchemyError, ImportError) as error:
        hint = "write sqlite:///FILE or postgresql://… (which needs `pip install tripot[scale]`)"
        raise StoreFailed(
            f"'{_without_password(address)}' is not a usable database address: {hint} ({error})"
        ) from None


def _engine_options(url: URL) -> dict[str, Any]:
    if url.get_backend_name() != "postgresql":
        return {}
    from tripot.store.processes import ENGINE_OPTIONS

    return ENGINE_OPTIONS


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


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":  # one process migrates; the others wait and find it done
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    if _version(connection) == schema.NEWEST:
        return  # importing Alembic takes longer than the rest of the start
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StoreFailed(f"the database was made by another version of Tripot: {error}") from None


def _version(connection: Connection) -> str | None:
    """Returns the last migration of a database, or None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


async def _write_audit(db: AsyncConnection, entries: Sequence[audit.Entry]) -> None:
    if entries:
        await db.execute(insert(schema.audit), [audit.row(entry) for entry in entries])


async def _decisions(db: AsyncConnection, table_id: str, after: int) -> list[tuple[int, int]]:
    """Returns the decisions after number `after`. Raises Damaged if one is missing or not as it was written."""
    columns = (log.c.sequence, log.c.seat, log.c.action, log.c.at, log.c.checksum)
    wanted = select(*columns).where(log.c.table_id == table_id, log.c.sequence > after)
    rows = (await db.execute(wanted.order_by(log.c.sequence))).all()
    for number, row in enumerate(rows, start=after + 1):
        written = (row.sequence, row.seat, row.action, row.at)
        sound = row.sequence == number and all(isinstance(value, int) for value in written)
        if not sound or row.checksum not in (None, decision_checksum(table_id, *written)):
            raise Damaged(f"decision {number} of table {table_id} is damaged")
    return [(row.seat, row.action) for row in rows]


def brief(error: BaseException) -> str:
    """Returns what a database said, in one line and without the statement."""
    if _gave_up(error):
        return "the database did not answer in time"
    return str(getattr(error, "orig", None) or error).strip().split("\n", 1)[0] or type(error).__name__


def _gave_up(error: BaseException | None) -> bool:
    """Whether a statement took too long; what a driver says when it then cleans up tells nobody why."""
    while error is not None and not isinstance(error, TimeoutError):
        error = error.__cause__ or error.__context__
    return error is not None


def _failure(error: Exception) -> StoreFailed:
    said = brief(error)
    damaged = any(word in said for word in ("malformed", "not a database", "Could not decode", "corrupt"))
    return Damaged(f"the database is damaged: {said}") if damaged else StoreFailed(said)


def _apply_change(table: StoredTable, change: Change) -> None:
    """Updates the version of a table after a change.

    If another process made a change in between, the old version stays, and the room reads the table again.
    """
    if change.version == table.version + 1:
        table.version, table.bot_process = change.version, change.bot_process


def _seat_row(table_id: str, seat: StoredSeat) -> dict[str, Any]:
    return {"table_id": table_id, **{name: getattr(seat, name) for name in SEAT_COLUMNS}}


def _log_rows(table_id: str, after: int, decisions: Sequence[tuple[int, int]], at: int) -> list[dict[str, Any]]:
    return [
        {
            **{"table_id": table_id, "sequence": number, "seat": seat, "action": action, "at": at},
            "checksum": decision_checksum(table_id, number, seat, action, at),
        }
        for number, (seat, action) in enumerate(decisions, start=after + 1)
    ]


def _table_of(rows: list[list[Any]]) -> str:
    """The id of the table that these rows of the log are of."""
    found: str = rows[0][0]
    return found


def _log_values(table: StoredTable, after: int, decisions: Sequence[tuple[int, int]], at: int) -> list[list[Any]]:
    """The same as `SqliteLog` takes it: the last row says what changes in the table; its result is JSON."""
    rows: list[list[Any]] = [
        [table.id, number, seat, action, at, decision_checksum(table.id, number, seat, action, at), None, None, None]
        for number, (seat, action) in enumerate(decisions, start=after + 1)
    ]
    rows[-1][-3:] = [table.status, table.waiting, "null" if table.result is None else json.dumps(table.result)]
    return rows


def _stored_table(row: Row[Any], table_seats: list[StoredSeat]) -> StoredTable:
    values = {column.key: row._mapping[column] for column in tables.columns}
    checksum = values.pop("checksum")
    seed = values["secret"] or values["seed"]
    fixed = (values["id"], values["game"], values["rules"], seed, values["options"])
    if checksum not in (None, table_checksum(*fixed)):
        raise Damaged(f"table {values['id']} is damaged")
    return StoredTable(**{**values, "seed": int(values["seed"])}, seats=table_seats)


def _stored_seat(row: Row[Any]) -> StoredSeat:
    return StoredSeat(**{name: row._mapping[name] for name in SEAT_COLUMNS})
