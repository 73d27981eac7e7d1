"""The log of decisions in a SQLite file: a connection in a thread of its own.

Every decision waits for its commit, so this is the one place where the layers of a database library are felt: one
commit through them costs several times what SQLite needs.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import bindparam, insert, literal_column, update
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.sql.dml import Insert, Update

from tripot.store.schema import log, tables

CHANGED = ("status", "waiting", "result", "updated")  # the columns of a table that decisions change
UPDATE = (
    update(tables)
    .where(tables.c.id == bindparam("table"))
    .values({name: bindparam(f"new_{name}") for name in CHANGED} | {"version": tables.c.version + literal_column("1")})
)
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000")


class SqliteLog:
    """Writes decisions. Raises what sqlite3 raises, and has then written nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._insert, self._update = _text(insert(log)), _text(UPDATE)
        self._thread = ThreadPoolExecutor(1, "log")
        self._connection: sqlite3.Connection | None = None  # opened with the first decision

    async def write(self, rows: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]]) -> None:
        """Writes rows of the log and what they change in their tables, in one durable transaction."""
        given = [_parameters(**change) for change in changes]
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, rows, given)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    # --- In the thread ---

    def _write(self, rows: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]]) -> None:
        if self._connection is None:
            self._connection = sqlite3.connect(self._path, isolation_level=None)
            prepare(self._connection)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(self._insert, rows)
            self._connection.executemany(self._update, changes)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # some errors end it by themselves
                self._connection.execute("ROLLBACK")
            raise

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def prepare(connection: Any) -> None:
    """Allows readers beside one writer, and makes every commit durable before it returns."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _parameters(table: str, result: list[int] | None, **others: Any) -> dict[str, Any]:
    """The values of UPDATE; a result is JSON."""
    return {"table": table, "new_result": json.dumps(result), **{f"new_{name}": others[name] for name in others}}


def _text(statement: Insert | Update) -> str:
    """The statement as sqlite3 takes it, with a named placeholder for every value."""
    return str(statement.compile(dialect=dialect(paramstyle="named")))
