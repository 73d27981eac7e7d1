"""The log of decisions in a SQLite file: a connection in a thread of its own.

Every decision waits for its commit, so this is the one place where the layers of a database library are felt: one
commit through them costs several times what SQLite needs.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import orjson

from tripot.store.schema import log, tables

CHANGED = ("status", "waiting", "result")  # the columns of a table that decisions change, beside its time and version
ROW = tuple(column.name for column in log.columns)
PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "busy_timeout = 5000")
# A commit is one statement with all its rows in one value. With a statement for each row, or for each step of a
# transaction, this thread would ask a busy event loop for Python's lock again and again, and a commit would wait for it
# longer than for the disk.
DECIDED = f"""CREATE TEMP VIEW decided AS SELECT {", ".join(f"{log.name}.{name}" for name in ROW)},
    {", ".join(f"{tables.name}.{name}" for name in CHANGED)} FROM {log.name}, {tables.name}"""
DECIDE = f"""CREATE TEMP TRIGGER decide INSTEAD OF INSERT ON decided BEGIN
    INSERT INTO {log.name} ({", ".join(ROW)}) VALUES ({", ".join(f"NEW.{name}" for name in ROW)});
    UPDATE {tables.name} SET version = version + 1, updated = NEW.at, {", ".join(f"{c} = NEW.{c}" for c in CHANGED)}
        WHERE id = NEW.table_id AND NEW.status IS NOT NULL; END"""
INSERT = f"""INSERT INTO decided
    SELECT {", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(ROW + CHANGED)))} FROM json_each(?)"""


class Work(NamedTuple):
    """What the thread is to write, and who waits for it."""

    rows: str | None  # None: it is to end
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class SqliteLog:
    """Writes decisions. Raises what sqlite3 raises, and has then written nothing."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._work: SimpleQueue[Work] = SimpleQueue()
        self._thread: Thread | None = None  # started with the first decision

    async def write(self, rows: Sequence[Sequence[Any]]) -> None:
        """Writes rows, each with the columns ROW and CHANGED, in one durable transaction.

        The last row of a table says what changes there; in the others these columns are None. A table has at most one
        change: its room waits for one commit before the next.
        """
        if self._thread is None:
            self._thread = Thread(target=self._run, name="log", daemon=True)
            self._thread.start()
        await self._do(orjson.dumps(rows).decode())

    async def close(self) -> None:
        if self._thread is not None:
            await self._do(None)
            self._thread = None

    async def _do(self, rows: str | None) -> None:
        loop = asyncio.get_running_loop()
        work = Work(rows, loop, loop.create_future())
        self._work.put(work)
        await work.done

    # --- In the thread ---

    def _run(self) -> None:
        """Works until it is told to end. (An executor does the same and costs more than SQLite does.)"""
        connection: sqlite3.Connection | None = None
        rows: str | None = ""
        while rows is not None:
            rows, loop, done = self._work.get()
            problem: BaseException | None = None
            try:
                connection = connection or self._open()
                if rows is not None:
                    connection.execute(INSERT, (rows,))
                else:
                    connection.close()
            except BaseException as error:
                problem = error
            with suppress(RuntimeError):  # the loop was closed: nobody waits any more
                loop.call_soon_threadsafe(end, done, problem)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None)  # every statement is a transaction
        prepare(connection)
        connection.execute(DECIDED)
        connection.execute(DECIDE)
        return connection


def end(done: asyncio.Future[None], problem: BaseException | None) -> None:
    """Tells whoever waits how it went."""
    if not done.done():  # it is done if its waiter was cancelled
        if problem is None:
            done.set_result(None)
        else:
            done.set_exception(problem)


def prepare(connection: Any) -> None:
    """Allows readers beside one writer, and makes every commit durable before it returns."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
