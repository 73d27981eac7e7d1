"""The log of decisions in a SQLite file: a connection in a thread of its own.

Every decision waits for its commit, so this is the one place where the layers of a database library are felt: one
commit through them costs several times what SQLite needs.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson

from tripot.store.schema import log, tables

ROW = tuple(column.name for column in log.columns)
CHANGE = ("table", "status", "waiting", "result", "updated")  # the columns of a table that decisions change
# All rows of a commit come in one value: with a statement for each, this thread would ask a busy event loop for
# Python's lock hundreds of times, and a commit would wait for it longer than for the disk.
INSERT = f"""INSERT INTO {log.name} ({", ".join(ROW)})
    SELECT {", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(ROW)))} FROM json_each(?)"""
UPDATE = f"""UPDATE {tables.name} SET version = version + 1,
    {", ".join(f"{name} = json_extract(new.value, '$[{place}]')" for place, name in enumerate(CHANGE) if place)}
    FROM json_each(?) AS new WHERE tables.id = json_extract(new.value, '$[0]')"""
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000")


class SqliteLog:
    """Writes decisions. Raises what sqlite3 raises, and has then written nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, "log")
        self._connection: sqlite3.Connection | None = None  # opened with the first decision

    async def write(self, rows: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]]) -> None:
        """Writes rows of the log and what they change in their tables, in one durable transaction.

        A table has at most one change: its room waits for one commit before the next.
        """
        given = orjson.dumps([[row[name] for name in ROW] for row in rows]).decode()
        changed = orjson.dumps([_change(**change) for change in changes]).decode()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, given, changed)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    # --- In the thread ---

    def _write(self, rows: str, changes: str) -> None:
        if self._connection is None:
            self._connection = sqlite3.connect(self._path, isolation_level=None)
            prepare(self._connection)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.execute(INSERT, (rows,))
            self._connection.execute(UPDATE, (changes,))
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


def _change(result: list[int] | None, **others: Any) -> list[Any]:
    """What UPDATE takes of one table; a result is JSON."""
    given = {"result": orjson.dumps(result).decode(), **others}
    return [given[name] for name in CHANGE]
