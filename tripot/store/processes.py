"""The processes that serve one PostgreSQL database together.

Each is known by a name and a heartbeat on the database's clock. A table has one keeper among those that live: its
bots think there, and whoever finds the keeper dead takes over. Every change rings a bell in its own transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from tripot.store.models import StoredTable
from tripot.store.schema import presence, processes, tables

CHANNEL = "tripot"
NO_TABLE = "-"  # rung when a process is gone
BEATS = 5  # a process that missed so many heartbeats is taken for dead


class Processes:
    """This process among the others. Statements run in the transactions of the store."""

    def __init__(self, beat_seconds: float) -> None:
        self.name = secrets.token_hex(8)
        self.known = False  # whether we have ever said that we live
        self._patience = timedelta(seconds=beat_seconds * BEATS)

    # --- Who lives ---

    def _living(self) -> Any:
        return select(processes.c.id).where(processes.c.seen > func.clock_timestamp() - self._patience)

    async def beat(self, db: AsyncConnection) -> bool:
        """Say that we live; False if others did not know, or no longer."""
        seen = {"seen": func.clock_timestamp()}
        known = await db.execute(update(processes).where(processes.c.id == self.name).values(seen))
        if known.rowcount == 0:
            await db.execute(insert(processes).values(id=self.name, **seen).on_conflict_do_nothing())
        self.known = True
        return known.rowcount == 1

    async def remove_expired(self, db: AsyncConnection) -> None:
        """Forget the dead, and notify about every table where somebody seemed to be there through them."""
        dead = processes.c.id.not_in(self._living())
        lost = list(await db.scalars(select(processes.c.id).where(dead).with_for_update(skip_locked=True)))
        if lost:
            await self._forget(db, lost)

    async def leave(self, db: AsyncConnection) -> None:
        """We stop: others may take over at once."""
        await self._forget(db, [self.name])

    async def _forget(self, db: AsyncConnection, names: list[str]) -> None:
        there = select(presence.c.table_id).where(presence.c.process.in_(names))
        changed = update(tables).where(tables.c.id.in_(there)).values(version=tables.c.version + 1)
        rows = (await db.execute(changed.returning(tables.c.id, tables.c.version))).all()
        await db.execute(delete(processes).where(processes.c.id.in_(names)))
        for row in rows:
            await self.notify(db, row.id, row.version)
        await self.notify(db, NO_TABLE, 0)  # tables may have lost their keeper

    # --- Who keeps which table ---

    def keeper(self) -> ColumnElement[str]:
        """The keeper of a table that is being changed: still the same one if it lives, else we."""
        return case((tables.c.keeper.in_(self._living()), tables.c.keeper), else_=literal(self.name))

    def orphaned(self) -> ColumnElement[bool]:
        """Whether a table's keeper is dead."""
        return tables.c.keeper.is_(None) | tables.c.keeper.not_in(self._living())

    async def adopt(self, db: AsyncConnection, table_ids: Sequence[str]) -> None:
        """Become the keeper of those of these tables that have none; of two who try one succeeds."""
        wanted = update(tables).where(tables.c.id.in_(table_ids), self.orphaned())
        adopted = wanted.values(keeper=self.name, version=tables.c.version + 1)
        rows = (await db.execute(adopted.returning(tables.c.id, tables.c.version))).all()
        for row in rows:
            await self.notify(db, row.id, row.version)

    # --- Who sits where ---

    async def attend(self, db: AsyncConnection, table_id: str, seats: int, watchers: int) -> None:
        """Note who is connected to a table through this process."""
        if not seats and not watchers:
            mine = (presence.c.table_id == table_id) & (presence.c.process == self.name)
            await db.execute(delete(presence).where(mine))
            return
        noted = insert(presence).values(table_id=table_id, process=self.name, seats=seats, watchers=watchers)
        again = noted.on_conflict_do_update(
            index_elements=[presence.c.table_id, presence.c.process], set_={"seats": seats, "watchers": watchers}
        )
        await db.execute(again)

    async def load_presence(self, db: AsyncConnection, stored: list[StoredTable]) -> None:
        """Fill in who is connected to these tables through other processes."""
        known = {table.id: table for table in stored}
        wanted = select(presence).where(presence.c.table_id.in_(known), presence.c.process != self.name)
        for row in await db.execute(wanted.where(presence.c.process.in_(self._living()))):
            known[row.table_id].elsewhere |= row.seats
            known[row.table_id].watching += row.watchers

    # --- The bell ---

    async def notify(
        self, db: AsyncConnection, table_id: str, version: int, keeper: str | None = None, owed: bool = False
    ) -> None:
        """Tell all other processes, when this transaction commits, that a table has changed."""
        said = f"{self.name} {table_id} {version} {keeper if owed and keeper else '-'}"
        await db.execute(select(func.pg_notify(CHANNEL, said)))
