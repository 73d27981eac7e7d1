"""The processes that serve one PostgreSQL database together.

Each process has a name and a heartbeat, timed by the database's clock. One live process runs the bots of a table; when
it dies, another process takes the table over. Every change notifies the other processes in its own transaction.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import asyncpg
from asyncpg import InterfaceError, InternalClientError, PostgresError
from sqlalchemy import (
    JSON,
    Boolean,
    ColumnElement,
    Select,
    bindparam,
    case,
    column,
    delete,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from tripot.store.models import StoredTable
from tripot.store.schema import log, presence, processes, tables

CHANNEL = "tripot"
SAID = "tripot_said"  # the channel of what people say: it is stored nowhere
NO_TABLE = "-"  # in a notification: a process has left
NO_PROCESS = "-"  # in a notification: no bot must decide now
# What a database that cannot be reached raises. When a connection is cut between two messages, asyncpg calls it an
# internal error of its own, which SQLAlchemy does not know.
DATABASE_ERRORS = (SQLAlchemyError, OSError, PostgresError, InterfaceError, InternalClientError)
MISSED_BEATS = 5  # a process that missed this many heartbeats has expired


async def connect(*where: Any, **how: Any) -> Any:
    """Connects to the database. A task that is cancelled meanwhile waits for the connection, and closes it.

    asyncpg leaves a future behind where its task is cancelled half-way, whose error is then written to the log.
    """
    connecting = asyncio.ensure_future(asyncpg.connect(*where, **how))
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        while not connecting.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([connecting])
        if connecting.exception() is None:
            connecting.result().terminate()
        raise


ENGINE_OPTIONS: dict[str, Any] = {
    "pool_pre_ping": True,  # after the database restarts, the pool replaces its dead connections
    "pool_size": 10,
    "max_overflow": 5,
    "pool_timeout": 10,
    "connect_args": {
        "async_creator_fn": connect,
        "timeout": 5,
        "command_timeout": 10,
        # A process that freezes inside a transaction holds the rows that it changed: the database ends its session.
        "server_settings": {"idle_in_transaction_session_timeout": "5000"},
    },
}


class Processes:
    """This process among the others. Statements run in the transactions of the store."""

    database_errors = DATABASE_ERRORS

    def __init__(self, beat_seconds: float) -> None:
        self.name = secrets.token_hex(8)
        self.registered = False  # whether this process has sent a heartbeat
        self._expiry = timedelta(seconds=beat_seconds * MISSED_BEATS)
        self._appending = self._append_statement()

    # --- Heartbeats ---

    def _live(self) -> Any:
        return select(processes.c.id).where(processes.c.seen > func.clock_timestamp() - self._expiry)

    async def heartbeat(self, db: AsyncConnection) -> bool:
        """Sends a heartbeat. Returns False if this process was not registered."""
        seen = {"seen": func.clock_timestamp()}
        known = await db.execute(update(processes).where(processes.c.id == self.name).values(seen))
        if known.rowcount == 0:
            await db.execute(insert(processes).values(id=self.name, **seen).on_conflict_do_nothing())
        self.registered = True
        return known.rowcount == 1

    async def remove_expired(self, db: AsyncConnection) -> None:
        """Removes expired processes with the presence they had published."""
        expired = processes.c.id.not_in(self._live())
        names = list(await db.scalars(select(processes.c.id).where(expired).with_for_update(skip_locked=True)))
        if names:
            await self._remove(db, names)

    async def leave(self, db: AsyncConnection) -> None:
        """Removes this process, so that others can take over its tables at once."""
        await self._remove(db, [self.name])

    async def _remove(self, db: AsyncConnection, names: list[str]) -> None:
        connected = select(presence.c.table_id).where(presence.c.process.in_(names))
        changed = update(tables).where(tables.c.id.in_(connected)).values(version=tables.c.version + 1)
        rows = (await db.execute(changed.returning(tables.c.id, tables.c.version))).all()
        await db.execute(delete(processes).where(processes.c.id.in_(names)))
        for row in rows:
            await self.notify(db, row.id, row.version)
        await self.notify(db, NO_TABLE, 0)  # some tables may have no process for their bots now

    # --- Which process runs a table's bots ---

    def next_bot_process(self) -> ColumnElement[str]:
        """The bot process of a table that is being changed: the same one while it lives, else this one."""
        same = tables.c.bot_process
        return case((same.in_(self._live()), same), else_=literal(self.name))

    def orphaned(self) -> ColumnElement[bool]:
        """Whether no live process runs a table's bots."""
        return tables.c.bot_process.is_(None) | tables.c.bot_process.not_in(self._live())

    async def adopt(self, db: AsyncConnection, table_ids: Sequence[str]) -> None:
        """Takes over the bots of those of these tables that are orphaned. If two processes try, one succeeds."""
        wanted = update(tables).where(tables.c.id.in_(table_ids), self.orphaned())
        adopted = wanted.values(bot_process=self.name, version=tables.c.version + 1)
        rows = (await db.execute(adopted.returning(tables.c.id, tables.c.version))).all()
        for row in rows:
            await self.notify(db, row.id, row.version)

    # --- Decisions ---

    async def append(
        self, db: AsyncConnection, table: StoredTable, decisions: list[dict[str, Any]], at: int
    ) -> tuple[int, str | None] | None:
        """Writes decisions, changes their table and notifies the other processes, all in one statement.

        Returns the table's version and the process that runs its bots; None if there is no such table.
        """
        given = {"rows": decisions, "table": table.id, "at": at, "awaits_bot": table.awaits_bot}
        given |= {"new_status": table.status, "new_waiting": table.waiting, "new_result": table.result}
        row = (await db.execute(self._appending, given)).one_or_none()
        return None if row is None else (row[0], row[1])

    def _append_statement(self) -> Select[Any]:
        """Builds the statement of `append`, once: building it takes longer than executing it."""
        columns = [column(each.name, each.type) for each in log.columns]
        rows = func.json_to_recordset(bindparam("rows", type_=JSON)).table_valued(*columns, name="rows")
        written = insert(log).from_select(
            [each.name for each in columns], select(*rows.render_derived(with_types=True).c)
        )
        new = {name: bindparam(f"new_{name}", type_=tables.c[name].type) for name in ("status", "waiting", "result")}
        change = update(tables).where(tables.c.id == bindparam("table")).values(**new, updated=bindparam("at"))
        change = change.values(version=tables.c.version + 1, bot_process=self.next_bot_process())
        changed = change.returning(tables.c.id, tables.c.version, tables.c.bot_process.label("runs")).cte("changed")
        runs = case((bindparam("awaits_bot", type_=Boolean), changed.c.runs), else_=None)
        payload = func.concat_ws(" ", self.name, changed.c.id, changed.c.version, func.coalesce(runs, NO_PROCESS))
        told = select(changed.c.version, changed.c.runs, func.pg_notify(CHANNEL, payload))
        return told.add_cte(written.cte("written"))

    # --- Presence ---

    async def publish_presence(self, db: AsyncConnection, table_id: str, seats: int, watchers: int) -> None:
        """Stores who is connected to a table through this process."""
        if not seats and not watchers:
            mine = (presence.c.table_id == table_id) & (presence.c.process == self.name)
            await db.execute(delete(presence).where(mine))
            return
        row = insert(presence).values(table_id=table_id, process=self.name, seats=seats, watchers=watchers)
        upsert = row.on_conflict_do_update(
            index_elements=[presence.c.table_id, presence.c.process], set_={"seats": seats, "watchers": watchers}
        )
        await db.execute(upsert)

    async def load_presence(self, db: AsyncConnection, stored: list[StoredTable]) -> None:
        """Sets who is connected to these tables through other processes."""
        by_id = {table.id: table for table in stored}
        wanted = select(presence).where(presence.c.table_id.in_(by_id), presence.c.process != self.name)
        for row in await db.execute(wanted.where(presence.c.process.in_(self._live()))):
            by_id[row.table_id].seats_elsewhere |= row.seats
            by_id[row.table_id].watchers_elsewhere += row.watchers

    # --- Notifications ---

    async def notify(self, db: AsyncConnection, table_id: str, version: int, bot_process: str | None = None) -> None:
        """Tells the other processes, when this transaction commits, that a table has changed.

        `bot_process` is the process that must run a bot now.
        """
        payload = f"{self.name} {table_id} {version} {bot_process or NO_PROCESS}"
        await db.execute(select(func.pg_notify(CHANNEL, payload)))

    async def notify_said(self, db: AsyncConnection, table_id: str, seat: int, phrase: str) -> None:
        """Tells the other processes what somebody at a table said."""
        await db.execute(select(func.pg_notify(SAID, f"{self.name} {table_id} {seat} {phrase}")))
