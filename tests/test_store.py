"""The store: its schema and migrations, its lists, and the key of the log as a lock."""

import asyncio
import sqlite3
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from tripot.store import schema
from tripot.store.models import BOT, OVER, PERSON, PLAYING, StoredSeat, StoredTable, now
from tripot.store.store import MIGRATIONS, Store, StoreFailed, WriteConflict, open_store


def stored(table_id: str = "t1", status: str = PLAYING) -> StoredTable:
    seats = [StoredSeat(0, PERSON, "Anna", tokens=["aa"]), StoredSeat(1, BOT, "East", "easy", "uniform")]
    return StoredTable(table_id, "a game", 1, 2**64 - 1, seats, {"rule": [[1, 2]]}, status)


async def opened(path: Path) -> Store:
    return await open_store(f"sqlite:///{path}")


def test_migrations_create_the_schema(tmp_path: Path) -> None:
    asyncio.run(closed(tmp_path / "deep" / "er" / "new.sqlite"))
    engine = create_engine(f"sqlite:///{tmp_path}/deep/er/new.sqlite")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    engine.dispose()


async def closed(path: Path) -> None:
    await (await opened(path)).close()


def test_the_newest_migration_is_the_last_one() -> None:
    assert ScriptDirectory(str(MIGRATIONS)).get_current_head() == schema.NEWEST


def test_an_existing_database_is_opened_as_it_is(tmp_path: Path) -> None:
    async def work() -> StoredTable | None:
        store = await opened(tmp_path / "x.sqlite")
        await store.create(stored())
        await store.close()
        again = await opened(tmp_path / "x.sqlite")
        found = await again.table("t1")
        await again.close()
        return found

    found = asyncio.run(work())
    assert found is not None
    assert (found.seed, found.options, found.seats) == (2**64 - 1, {"rule": [[1, 2]]}, stored().seats)


def test_closing_waits_for_what_is_being_written_and_nothing_is_written_after_it(tmp_path: Path) -> None:
    async def work() -> None:
        store = await opened(tmp_path / "x.sqlite")
        writing = asyncio.create_task(store.create(stored()))
        await asyncio.sleep(0)
        await store.close()
        assert writing.done() and writing.exception() is None
        with pytest.raises(StoreFailed, match="closed"):
            await store.table("t1")

    asyncio.run(work())


def test_the_key_of_the_log_is_a_lock(tmp_path: Path) -> None:
    """Two servers on one database: if both write the same decision number, all of one write is refused."""

    async def work() -> None:
        one, two = await opened(tmp_path / "x.sqlite"), await opened(tmp_path / "x.sqlite")
        table = stored()
        await one.create(table)
        await one.append(table, 0, [(0, 5), (0, 6)])
        with pytest.raises(WriteConflict):
            await two.append(table, 1, [(1, 7), (1, 8)])
        assert await one.decisions("t1") == await two.decisions("t1") == [(0, 5), (0, 6)]
        await two.append(table, 2, [(1, 7)])
        assert await one.decisions("t1") == [(0, 5), (0, 6), (1, 7)]
        await one.close()
        await two.close()

    asyncio.run(work())


def test_a_seat_is_taken_once(tmp_path: Path) -> None:
    async def work() -> None:
        store = await opened(tmp_path / "x.sqlite")
        table = stored(status="waiting")
        table.seats.append(StoredSeat(2, PERSON, invite="code"))
        await store.create(table)
        bo, cy = (replace(table, seats=[*table.seats[:2], StoredSeat(2, PERSON, name, invite="code")]) for name in "BC")
        await store.rewrite(table, bo)
        with pytest.raises(WriteConflict):
            await store.rewrite(table, cy)
        found = await store.invitation("code")
        assert found is not None and found[1] == 2 and found[0].seats[2].name == "B"
        await store.close()

    asyncio.run(work())


def test_tables_where_a_bot_must_decide_are_found(tmp_path: Path) -> None:
    async def work() -> list[str]:
        store = await opened(tmp_path / "x.sqlite")
        for table_id, waiting, status, held in (
            ("bot decides", 0b10, PLAYING, None),
            ("person decides", 0b01, PLAYING, None),
            ("bot decides for an absent person", 0b01, PLAYING, "easy"),
            ("over", 0b10, OVER, None),
        ):
            table = stored(table_id, status)
            table.waiting, table.seats[0].held = waiting, held
            await store.create(table)
        found = await store.tables_awaiting_bots()
        await store.close()
        return found

    assert asyncio.run(work()) == ["bot decides", "bot decides for an absent person"]


def test_open_tables_are_listed_for_the_given_hours_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> list[list[str]]:
        store = await opened(tmp_path / "x.sqlite")
        for table_id, hours_ago in (("old", 5), ("new", 1)):
            monkeypatch.setattr("tripot.store.store.now", partial(int, now() - hours_ago * 3_600_000))
            table = stored(table_id, "waiting")
            table.open = True
            await store.create(table)
        monkeypatch.undo()
        found = [[table.id for table in await store.open_tables(10, hours)] for hours in (0.5, 2, 6)]
        await store.close()
        return found

    assert asyncio.run(work()) == [[], ["new"], ["new", "old"]]


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to be read as one" * 50, None])
def test_a_file_that_is_not_a_database_is_refused_in_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "x.sqlite"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(StoreFailed, match="cannot be opened"):
        asyncio.run(opened(path))


def test_a_database_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    asyncio.run(closed(tmp_path / "x.sqlite"))
    with sqlite3.connect(tmp_path / "x.sqlite") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    with pytest.raises(StoreFailed, match="another version"):
        asyncio.run(opened(tmp_path / "x.sqlite"))
    with sqlite3.connect(tmp_path / "x.sqlite") as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    database.close()


def test_confirmed_decisions_are_on_the_disk(tmp_path: Path) -> None:
    async def work() -> tuple[object, object]:
        store = await opened(tmp_path / "x.sqlite")
        async with store.engine.connect() as db:
            found = [(await db.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")]
        await store.close()
        return found[0], found[1]

    assert asyncio.run(work()) == ("wal", 2)  # 2: every commit waits for the disk


def test_decisions_that_share_a_commit_are_refused_one_by_one(tmp_path: Path) -> None:
    async def work() -> tuple[list[object], list[list[tuple[int, int]]]]:
        store = await opened(tmp_path / "x.sqlite")
        for name in ("t1", "t2", "t3"):
            await store.create(stored(name))
        wanted = [("t1", 5), ("t2", 6), ("t1", 7), ("t3", 8)]
        writes = [store.append(stored(name), 0, [(0, action)]) for name, action in wanted]
        found = await asyncio.gather(*writes, return_exceptions=True)
        logs = [await store.decisions(name) for name in ("t1", "t2", "t3")]
        await store.close()
        return list(found), logs

    found, logs = asyncio.run(work())
    assert [type(outcome) for outcome in found] == [type(None), type(None), WriteConflict, type(None)]
    assert logs == [[(0, 5)], [(0, 6)], [(0, 8)]]
