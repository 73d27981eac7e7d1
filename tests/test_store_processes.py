"""What the store asks of several processes, told to a stand-in on SQLite: tests/test_web_processes.py has real ones."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import ColumnElement, literal
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.test_store_tables import a_table
from tripot.store import schema, shared_limits
from tripot.store.maintenance import prune, stats
from tripot.store.models import StoredTable
from tripot.store.schema import tables
from tripot.store.store import Store, StoreFailed, WriteConflict, open_store


class Unreachable(Exception):
    """What this database raises when a connection is cut."""


class Neighbours:
    """Stands in for `Processes`: notes what it is asked, with the database it is asked on."""

    database_errors = (SQLAlchemyError, Unreachable)

    def __init__(self) -> None:
        self.name, self.registered, self.told = "me", True, list[tuple[Any, ...]]()
        self.orphans: ColumnElement[bool] = tables.c.bot_process.is_(None)

    def note(self, db: Any, *told: Any) -> None:
        assert isinstance(db, AsyncConnection) and db.in_transaction()
        self.told.append(told)

    def next_bot_process(self) -> ColumnElement[str]:
        return literal("bots")

    def orphaned(self) -> ColumnElement[bool]:
        return self.orphans

    async def append(self, db: Any, table: StoredTable, decisions: list[dict[str, Any]], at: int) -> Any:
        await db.execute(schema.log.insert(), decisions)
        change = tables.update().where(tables.c.id == table.id).values(version=tables.c.version + 1, updated=at)
        row = (await db.execute(change.values(bot_process="bots").returning(tables.c.version))).one_or_none()
        if row is None:
            return None
        await self.notify(db, table.id, row.version, "bots" if table.awaits_bot else None)
        return row.version, "bots"

    async def notify(self, db: Any, table_id: str, version: int, bot_process: str | None = None) -> None:
        self.note(db, "changed", table_id, version, bot_process)

    async def notify_said(self, db: Any, table_id: str, seat: int, phrase: str) -> None:
        self.note(db, "said", table_id, seat, phrase)

    async def publish_presence(self, db: Any, table_id: str, seats: int, watchers: int) -> None:
        self.note(db, "present", table_id, seats, watchers)

    async def load_presence(self, db: Any, stored: list[StoredTable]) -> None:
        assert isinstance(db, AsyncConnection)
        for table in stored:
            table.seats_elsewhere, table.watchers_elsewhere = 5, 7

    async def heartbeat(self, db: Any) -> bool:
        self.note(db, "beats")
        return self.registered

    async def remove_expired(self, db: Any) -> None:
        self.note(db, "removes the expired")

    async def adopt(self, db: Any, table_ids: list[str]) -> None:
        self.note(db, "adopts", table_ids)
        await db.execute(tables.update().where(tables.c.id == table_ids[0]).values(bot_process=self.name))

    async def leave(self, db: Any) -> None:
        self.note(db, "leaves")


def together(path: Path, work: Callable[[Store, Neighbours], Awaitable[None]]) -> list[tuple[Any, ...]]:
    """Runs `work` on a store that has neighbours; returns what they were told."""
    neighbours = Neighbours()

    async def run() -> None:
        alone = await open_store(f"sqlite:///{path}/tables.sqlite")
        store = Store(alone.engine, neighbours)  # type: ignore[arg-type]
        try:
            await work(store, neighbours)
        finally:
            await store.close()

    asyncio.run(run())
    return neighbours.told


def test_every_change_is_told_with_its_version_and_the_process_that_must_run_a_bot(tmp_path: Path) -> None:
    async def work(store: Store, _: Neighbours) -> None:
        table = a_table(waiting=0b0001)
        await store.create(table)
        assert table.bot_process == "me"
        table.waiting = 0b0010  # the bot's turn
        await store.append(table, 0, [(0, 4)])
        assert (table.version, table.bot_process) == (1, "bots")
        after = replace(table, pace="brisk", waiting=0b0001)
        await store.rewrite(table, after)
        assert (after.version, after.bot_process) == (2, "bots")
        found = await store.table("t1")
        assert found is not None and await store.decisions("t1") == [(0, 4)]
        assert (found.version, found.pace, found.updated) == (2, "brisk", after.updated)
        with pytest.raises(WriteConflict, match="table t1 has changed"):
            await store.rewrite(table, after)

    assert together(tmp_path, work) == [("changed", "t1", 1, "bots"), ("changed", "t1", 2, None), ("leaves",)]


def test_a_table_that_another_process_changed_meanwhile_keeps_its_old_version(tmp_path: Path) -> None:
    async def work(store: Store, _: Neighbours) -> None:
        table = a_table()
        await store.create(table)
        behind = replace(table)
        await store.append(table, 0, [(0, 4)])
        await store.append(behind, 1, [(0, 5)])
        assert (table.version, behind.version, behind.bot_process) == (1, 0, "me")

    together(tmp_path, work)


def test_presence_and_words_reach_the_neighbours_and_theirs_reach_us(tmp_path: Path) -> None:
    async def work(store: Store, _: Neighbours) -> None:
        table = a_table()
        await store.create(table)
        await store.publish_presence(table, 0b101, 2)
        assert (table.version, table.bot_process) == (1, "bots")
        await store.say(table, 3, "well_played")
        found = await store.table("t1")
        assert found is not None and (found.seats_elsewhere, found.watchers_elsewhere) == (5, 7)

    told = [("present", "t1", 0b101, 2), ("changed", "t1", 1, None), ("said", "t1", 3, "well_played"), ("leaves",)]
    assert together(tmp_path, work) == told


def test_a_heartbeat_removes_the_expired_and_forgets_old_buckets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def forget(db: Any) -> None:
        assert db.in_transaction()
        forgotten.append(True)

    async def work(store: Store, neighbours: Neighbours) -> None:
        assert await store.heartbeat() is True
        neighbours.registered = False
        assert await store.heartbeat() is False

    forgotten: list[bool] = []
    monkeypatch.setattr(shared_limits, "forget", forget)
    assert together(tmp_path, work) == [("beats",), ("removes the expired",)] * 2  # who never registered leaves nothing
    assert forgotten == [True, True]


def test_a_process_takes_over_bots_that_nobody_runs(tmp_path: Path) -> None:
    async def work(store: Store, neighbours: Neighbours) -> None:
        assert await store.adopt() == []
        for name, waiting in (("a", 0b0010), ("b", 0b0010), ("c", 0b0001)):
            await store.create(a_table(name, waiting=waiting))
        assert await store.tables_awaiting_bots() == ["a", "b"]  # ours already
        neighbours.name = "another"
        assert await store.tables_awaiting_bots() == []
        neighbours.orphans = tables.c.bot_process == "me"
        assert await store.adopt() == ["a"], "the neighbour gave us one of the two"
        assert await store.table_ids() == ["a", "b", "c"]

    assert together(tmp_path, work) == [("adopts", ["a", "b"]), ("leaves",)]


def test_a_table_and_its_log_are_of_one_snapshot(tmp_path: Path) -> None:
    async def work(store: Store, _: Neighbours) -> None:
        with pytest.raises(StoreFailed, match="'REPEATABLE READ' for isolation_level"):  # SQLite has no such level
            await store.table_with_log("t1")
        with pytest.raises(StoreFailed, match="'REPEATABLE READ' for isolation_level"):
            await stats(store)

    together(tmp_path, work)


def test_pruning_leaves_the_space_to_postgresql(tmp_path: Path) -> None:
    async def work(store: Store, _: Neighbours) -> None:
        with pytest.raises(StoreFailed, match='near ","'):  # of VACUUM tables, seats, log: SQLite takes one name
            await prune(store, 10**15)

    together(tmp_path, work)


def test_a_file_is_checked_only_where_there_is_one(tmp_path: Path) -> None:
    async def work(store: Store, _: Neighbours) -> None:
        assert await store.quick_check() is None

    together(tmp_path, work)


def test_sockets_of_a_visitor_are_counted_over_all_processes(tmp_path: Path) -> None:
    async def work(store: Store, neighbours: Neighbours) -> None:
        async with store.engine.begin() as db:
            for name in ("me", "another"):
                await db.execute(schema.processes.insert().values(id=name, seen=datetime.now(UTC)))
        visitor = "v" * 70  # longer than the column: its first 64 letters count
        assert await store.add_socket(visitor, 2)
        neighbours.name = "another"
        assert await store.add_socket(visitor, 2) and not await store.add_socket(visitor, 2)
        assert await store.add_socket("w", 1) and not await store.add_socket("w", 1)
        await store.drop_socket(visitor)
        assert await store.add_socket("v" * 64, 2) and not await store.add_socket("v" * 64, 2)
        await store.drop_socket("v" * 64)
        async with store.engine.connect() as db:
            kept = (await db.execute(schema.sockets.select().order_by(schema.sockets.c.process))).all()
        assert [tuple(row) for row in kept] == [("another", "w", 1), ("me", "v" * 64, 1)]

    together(tmp_path, work)


def test_tokens_are_taken_by_one_statement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL's own clock fills the buckets, so only what it is asked can be seen here."""
    asked: list[Any] = []

    class Database:
        """Has a token left for the first who asks."""

        async def execute(self, statement: Any, given: Any = None) -> Any:
            asked.append((statement, given))
            return self

        def one_or_none(self) -> Any:
            return (0.5,) if len(asked) == 1 else None

    async def work(store: Store, _: Neighbours) -> None:
        class Transaction:
            async def __aenter__(self) -> Any:
                return Database()

            async def __aexit__(self, *_: Any) -> None:
                return None

        monkeypatch.setattr(store, "_transaction", Transaction)
        assert await store.take_tokens("b" * 90, 6, 1) is True
        assert await store.take_tokens("b", 6, 0.5, 3) is False
        monkeypatch.undo()

    together(tmp_path, work)
    assert asked == [
        (shared_limits.TAKE, {"id": "b" * 80, "most": 6.0, "rate": 1.0, "count": 1.0}),
        (shared_limits.TAKE, {"id": "b", "most": 6.0, "rate": 0.5, "count": 3.0}),
    ]
    assert all(isinstance(given[name], float) for _, given in asked for name in ("most", "rate", "count"))
    asyncio.run(shared_limits.forget(Database()))  # type: ignore[arg-type]
    assert asked[-1] == (shared_limits.FORGET, None)


def test_alone_there_is_nobody_to_ask(tmp_path: Path) -> None:
    async def run() -> None:
        store = await open_store(f"sqlite:///{tmp_path}/tables.sqlite")
        table = a_table()
        await store.create(table)
        assert await store.heartbeat() and await store.take_tokens("b", 0, 0) and await store.add_socket("v", 0)
        await store.drop_socket("v")
        await store.publish_presence(table, 1, 1)
        await store.say(table, 0, "hello")
        assert table.version == 0 and await store.versions(["t1"]) == {"t1": 0}
        await store.close()

    asyncio.run(run())


def test_a_neighbours_error_is_a_failure_of_the_database(tmp_path: Path) -> None:
    async def work(store: Store, neighbours: Neighbours) -> None:
        async def unreachable(*_: Any) -> None:
            raise Unreachable("no route\nto the database")

        neighbours.notify_said = unreachable  # type: ignore[method-assign]
        with pytest.raises(StoreFailed, match=r"^no route$"):
            await store.say(a_table(), 0, "hello")
        assert store.failures == 1

    together(tmp_path, work)
