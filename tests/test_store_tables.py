"""What the store is told is what it tells: tables, seats, decisions, lists and versions."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy.exc import OperationalError

from tripot.core.shared_seed import SharedSeed
from tripot.games.verrater import GAME
from tripot.store import audit, maintenance, models
from tripot.store.checksums import decision_checksum, table_checksum
from tripot.store.maintenance import BadBackup
from tripot.store.models import BOT, ENDED, OVER, PERSON, PLAYING, RECORD, WAITING, StoredSeat, StoredTable, record_of
from tripot.store.store import (
    Damaged,
    Store,
    StoreFailed,
    WriteConflict,
    _engine,
    _failure,
    _without_password,
    brief,
    open_store,
)
from tripot.table.imagined import Imagined
from tripot.table.record import BadRecord

HOUR = 3_600_000


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], int]]:
    """A clock that goes on by a second each time somebody looks."""
    ticks = count(1_000_000, 1000)
    monkeypatch.setattr("tripot.store.store.now", lambda: next(ticks))
    yield lambda: next(ticks)


def with_store(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(f"sqlite:///{path}/tables.sqlite")
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def a_table(table_id: str = "t1", status: str = PLAYING, **more: object) -> StoredTable:
    """A table with a person, a bot, a held seat and a free one."""
    seats = [
        StoredSeat(0, PERSON, "Anna", tokens=["aa"]),
        StoredSeat(1, BOT, "East", "easy", "uniform"),
        StoredSeat(2, PERSON, "Bo", held="hard", tokens=["bb"]),
        StoredSeat(3, PERSON, invite=f"code-{table_id}"),
    ]
    return StoredTable(table_id, "verrater", 1, 2**64 - 1, seats, {"first": 1}, status, **more)  # type: ignore[arg-type]


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = a_table(open=True, watch=False, pace="brisk", waiting=5, result=[60, 0, 0, 0], seal="ff", version=3)
        await store.create(table, [(0, 4), (2, 1)])
        assert (table.created, table.updated, table.bot_process) == (1_000_000, 1_000_000, None)
        assert await store.table("t1") == table
        assert await store.table("t2") is None
        assert await store.decisions("t1") == [(0, 4), (2, 1)]
        assert await store.decisions("t1", 1) == [(2, 1)]
        assert await store.decisions("t1", 2) == await store.decisions("t2") == []
        assert await store.table_with_log("t1") == (table, [(0, 4), (2, 1)])
        assert await store.table_with_log("t2") is None
        assert await store.record_with_seal("ff") == table
        assert await store.record_with_seal("fe") is None

    with_store(tmp_path, work)


def test_a_table_is_created_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table())
        other = replace(a_table(), game="trok")
        with pytest.raises(WriteConflict, match="UNIQUE"):
            await store.create(other)
        found = await store.table("t1")
        assert found is not None and found.game == "verrater"
        assert store.failures == 0  # a conflict is no failure of the database

    with_store(tmp_path, work)


def test_tables_are_listed_newest_first(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name in ("t1", "t2", "t3"):
            await store.create(a_table(name))
        assert [table.id for table in await store.tables(["t3", "t1", "t9"])] == ["t3", "t1"]
        await store.append(a_table("t1"), 0, [(0, 1)])
        assert [table.id for table in await store.tables(["t3", "t1", "t2"])] == ["t1", "t3", "t2"]
        assert await store.tables([]) == []
        assert await store.versions(["t1", "t2", "t9"]) == {"t1": 1, "t2": 0}

    with_store(tmp_path, work)


def test_open_tables_wait_for_players_and_are_open(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table("waits", WAITING, open=True))
        await store.create(a_table("by invitation", WAITING))
        await store.create(a_table("plays", PLAYING, open=True))
        await store.create(a_table("waits too", WAITING, open=True))
        assert [table.id for table in await store.open_tables(9, 1)] == ["waits too", "waits"]
        assert [table.id for table in await store.open_tables(1, 1)] == ["waits too"]

    with_store(tmp_path, work)


def test_open_tables_end_exactly_after_their_hours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table("t1", WAITING, open=True))  # at 1,000,000
        for later, found in ((HOUR // 2 - 1, ["t1"]), (HOUR // 2, [])):
            monkeypatch.setattr("tripot.store.store.now", lambda later=later: 1_000_000 + later)
            assert [table.id for table in await store.open_tables(9, 0.5)] == found

    with_store(tmp_path, work)


def test_finished_tables_can_be_asked_for_by_time_and_game(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for table in (
            a_table("t1", OVER, published=True),
            replace(a_table("t2", OVER, published=True), game="trok"),
            a_table("t3", OVER),
            a_table("t4", PLAYING),
            a_table("t5", OVER, published=True, watch=False),
        ):
            await store.create(table)

        async def found(*given: object, **more: object) -> list[str]:
            return [table.id for table in await store.finished_tables(*given, **more)]  # type: ignore[arg-type]

        assert await found(9) == ["t5", "t2", "t1"]
        assert await found(2) == ["t5", "t2"]
        assert await found(9, game="trok") == ["t2"]
        assert await found(9, before=1_001_000) == ["t1"]  # t2 is of that very moment
        assert await found(9, before=1_001_001) == ["t2", "t1"]

    with_store(tmp_path, work)


def test_tables_that_await_bots_are_told_apart_by_seat(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name, waiting in (("anna", 0b0001), ("bot", 0b0010), ("held", 0b0100), ("free", 0b1000), ("nobody", 0)):
            table = a_table(name, waiting=waiting)
            assert table.awaits_bot == (name in ("bot", "held"))
            await store.create(table)
        await store.create(a_table("over", OVER, waiting=0b0010))
        timed = a_table("timed", waiting=0b0001, seconds=30)
        assert timed.awaits_bot
        await store.create(timed)
        assert not a_table("over", OVER, waiting=0b0010).awaits_bot
        assert await store.tables_awaiting_bots() == await store.adopt() == ["bot", "held", "timed"]

    with_store(tmp_path, work)


def test_appended_decisions_change_the_table(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = a_table()
        await store.create(table)
        table.status, table.waiting, table.result = OVER, 0, [0, 60, 0, 0]
        await store.append(table, 0, [(0, 7), (1, 8)])
        assert (table.version, table.updated) == (1, 1_001_000)
        assert await store.table("t1") == table
        table.result = [30, 30, 0, 0]
        await store.append(table, 2, [(1, 9)])
        assert table.version == 2
        assert await store.table_with_log("t1") == (table, [(0, 7), (1, 8), (1, 9)])

    with_store(tmp_path, work)


def with_seat(table: StoredTable, seat: StoredSeat, **more: object) -> StoredTable:
    seats = [seat if other.seat == seat.seat else other for other in table.seats]
    return replace(table, seats=seats, **more)  # type: ignore[arg-type]


def test_whoever_sits_down_changes_seat_and_table(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = a_table(status=WAITING)
        await store.create(table)
        assert [seat.seat for seat in table.free_seats] == [3]
        cy = StoredSeat(3, PERSON, "Cy", tokens=["cc"], invite="code-t1")
        after = with_seat(table, cy, status=PLAYING, waiting=8)
        await store.rewrite(table, after)
        assert (after.version, after.updated, after.free_seats) == (1, 1_001_000, [])
        assert await store.table("t1") == after
        assert await store.invitation("code-t1") == (after, 3)
        assert await store.invitation("code-t2") is None
        with pytest.raises(WriteConflict, match="table t1 has changed"):
            await store.rewrite(table, with_seat(table, StoredSeat(3, PERSON, "Di")))
        assert await store.table("t1") == after

    with_store(tmp_path, work)


def test_links_and_words_lead_to_their_table_and_seat(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name, until in (("t1", 2**50), ("t2", 1)):
            table = a_table(name, link=f"link-{name}")
            table.seats[2] = replace(table.seats[2], pass_hash=f"hash-{name}", pass_until=until)
            await store.create(table)
        found = await store.invitation("link-t1")
        assert found is not None and (found[0].id, found[1]) == ("t1", None)
        passed = await store.passed_seat("hash-t1")
        assert passed is not None and (passed[0].id, passed[1].seat) == ("t1", 2)
        assert await store.passed_seat("hash-t2") is None  # too old
        assert await store.passed_seat("hash-t3") is None

    with_store(tmp_path, work)


def test_listed_tables_in_play_are_found(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for table in (
            a_table("t1", listed=True),
            a_table("t2"),
            a_table("t3", listed=True, watch=False),
            a_table("t4", OVER, listed=True),
            a_table("t5", listed=True),
        ):
            await store.create(table)
        assert [table.id for table in await store.running_tables(9, 1)] == ["t5", "t1"]
        assert [table.id for table in await store.running_tables(1, 1)] == ["t5"]

    with_store(tmp_path, work)


def test_the_time_of_a_decision_is_known(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table())
        assert await store.decided_at("t1", 0) is None
        await store.append(a_table(), 0, [(0, 7), (1, 8)])
        await store.append(a_table(), 2, [(0, 7)])
        times = [await store.decided_at("t1", sequence) for sequence in (0, 1, 2, 3, 4)]
        assert times == [1_001_000, 1_001_000, 1_001_000, 1_002_000, None]

    with_store(tmp_path, work)


def test_a_bot_holds_a_seat_and_gives_it_back(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table, other = a_table(), a_table("t2")
        await store.create(table)
        await store.create(other)
        held = with_seat(table, replace(table.seats[0], held="easy"))
        await store.rewrite(table, held)
        assert (held.version, held.updated) == (1, table.updated)  # nothing happened in the game
        assert await store.table("t1") == held and await store.table("t2") == other
        again = with_seat(held, replace(held.seats[0], held=None))
        await store.rewrite(held, again)
        assert again.version == 2 and await store.table("t1") == again

    with_store(tmp_path, work)


def test_a_change_of_a_table_that_is_gone_is_refused(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(WriteConflict, match="table t1 has changed"):
            await store.rewrite(a_table(), a_table(waiting=1))

    with_store(tmp_path, work)


def test_a_database_that_fails_is_counted_and_reported(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.ping()
        async with store.engine.begin() as db:
            await db.exec_driver_sql("DROP TABLE log")
        table = a_table()
        with pytest.raises(StoreFailed, match="no such table: log"):
            await store.create(table, [(0, 1)])
        assert store.failures == 1
        assert await store.table("t1") is None  # all of it or nothing
        with pytest.raises(StoreFailed, match="no such table: log"):
            await store.decisions("t1")
        assert store.failures == 2

    with_store(tmp_path, work)


def test_one_process_needs_no_heartbeat(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = a_table()
        await store.create(table)
        await store.publish_presence(table, 1, 2)
        assert await store.heartbeat()
        assert await store.table("t1") == table

    with_store(tmp_path, work)


def test_sqlite_checks_keys_and_waits_for_other_writers(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        async with store.engine.connect() as db:
            names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            found = [(await db.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in names]
        assert found == ["wal", 2, 1, 5000]

    with_store(tmp_path, work)


@pytest.mark.parametrize("address", ["nonsense", "mysql://anna:secret@host/x", "sqlite3:///x", "sql ite:///x"])
def test_an_address_that_is_no_database_is_refused_without_its_password(address: str) -> None:
    with pytest.raises(StoreFailed, match="is not a usable database address: write sqlite:///FILE or") as error:
        asyncio.run(open_store(address))
    assert "secret" not in str(error.value)
    assert address.split("@")[0].split(":")[0] in str(error.value)


# --- Maintenance ---


def test_statistics_count_by_game_rules_and_status(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert await maintenance.stats(store) == maintenance.Stats([], 0, None, None)
        for number, (game, rules, status) in enumerate(
            [("verrater", 1, PLAYING), ("trok", 1, OVER), ("verrater", 2, OVER), ("verrater", 1, PLAYING)]
        ):
            await store.create(replace(a_table(f"t{number}", status), game=game, rules=rules), [(0, 1)] * number)
        kinds = [("trok", 1, OVER, 1), ("verrater", 1, PLAYING, 2), ("verrater", 2, OVER, 1)]
        rows = [dict(zip(("game", "rules", "status", "tables"), kind, strict=True)) for kind in kinds]
        assert await maintenance.stats(store) == maintenance.Stats(rows, 6, 1_000_000, 1_003_000)

    with_store(tmp_path, work)


def test_all_tables_are_walked_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "PAGE", 2)

    async def work(store: Store) -> None:
        for number in range(5):
            status, game = (OVER, "trok") if number % 2 else (RECORD, "verrater")
            await store.create(replace(a_table(f"t{number}", status), game=game), [(0, number)])
        walked = [(table.id, log) async for table, log in maintenance.games(store, OVER, RECORD)]
        assert walked == [(f"t{number}", [(0, number)]) for number in range(5)]
        assert [table.id async for table, _ in maintenance.games(store, OVER)] == ["t1", "t3"]
        assert [name async for name, _ in maintenance.finished(store)] == ["t1", "t3"]
        assert [name async for name, _ in maintenance.finished(store, "verrater")] == []
        records = [record async for _, record in maintenance.finished(store, "trok")]
        assert [record.decisions for record in records] == [[(0, 1)], [(0, 3)]]

    with_store(tmp_path, work)


def test_a_table_and_its_log_make_a_record() -> None:
    record = record_of(a_table(result=[60, 0, 0, 0]), [(0, 1)])
    assert (record.game, record.rules, record.seats, record.seed) == ("verrater", 1, 4, 2**64 - 1)
    assert record.options == {"first": 1} and record.decisions == [(0, 1)] and record.result == [60, 0, 0, 0]
    assert record.players == ["person:Anna", "uniform", "person:Bo", "person:"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"status": OVER}, "status: stored as over, but the replay is not over"),
        ({"waiting": 0b110}, r"waiting: stored as 6, but the replay gives \d"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_table_that_disagrees_with_its_replay_is_named(change: dict[str, object], why: str) -> None:
    games = {GAME.name: GAME}
    seats = [StoredSeat(seat, BOT, "East", "easy", "uniform") for seat in range(4)]
    played = GAME.new_state(GAME.options(), 4, 7)
    sound = StoredTable("t1", GAME.name, GAME.rules_version, 7, seats, status=PLAYING, waiting=played.waiting)
    maintenance._check(sound, [], games, {})
    with pytest.raises(BadRecord, match=why):
        maintenance._check(replace(sound, **change), [], games, {})  # type: ignore[arg-type]
    waits = replace(sound, status=WAITING, waiting=0b110)
    maintenance._check(waits, [], games, {})  # nobody has been asked yet


def test_pruning_spares_what_is_young_or_unfinished(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name, status in (("over", OVER), ("record", RECORD), ("waits", WAITING), ("plays", PLAYING), ("new", OVER)):
            await store.create(a_table(name, status), [(0, 1)])  # at 1,000,000 and every second after that
        assert await maintenance.prune(store, 1_004_000, pretend=True) == 2
        assert len(await store.tables(["over", "record", "waits", "plays", "new"])) == 5
        assert await maintenance.prune(store, 1_001_000) == 1  # the record is of that very moment
        assert await maintenance.prune(store, 1_004_000) == 1
        assert await maintenance.prune(store, 1_004_000, unfinished=True) == 2
        assert [table.id for table in await store.tables(["over", "record", "waits", "plays", "new"])] == ["new"]
        assert await store.decisions("over") == [] and await store.decisions("new") == [(0, 1)]

    with_store(tmp_path, work)


def test_a_backup_holds_every_table_with_its_seats_and_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maintenance, "PAGE", 2)
    lines: list[str] = []
    written: list[StoredTable] = []

    async def write(store: Store) -> None:
        for number in range(5):
            written.append(a_table(f"t{number}", result=[60, 0, 0, 0]))
            await store.create(written[-1], [(0, number), (1, 2)][:number])
        lines.extend([line async for line in maintenance.backup(store)])

    async def read(store: Store) -> None:
        assert await maintenance.restore(store, lines) == 5
        for number, table in enumerate(written):
            assert await store.table_with_log(table.id) == (table, [(0, number), (1, 2)][:number])
        with pytest.raises(BadBackup, match="the database is not empty: restore into a new one"):
            await maintenance.restore(store, lines)

    (tmp_path / "other").mkdir()
    with_store(tmp_path, write)
    with_store(tmp_path / "other", read)


BAD_BACKUPS = {
    "nothing": (lambda lines: [], 'this is not a backup: it does not start with "tripot backup 1"'),
    "another format": (lambda lines: ['{"format": "tar"}', *lines[1:]], "this is not a backup"),
    "a later version": (
        lambda lines: [lines[0].replace('"schema": "', '"schema": "9'), *lines[1:]],
        r"later .*\(schema 9",
    ),
    "no end": (lambda lines: lines[:-1], "^the backup is cut off: its last line is missing$"),
    "more after the end": (lambda lines: [*lines, lines[1]], "there are lines after its end"),
    "a table lost": (lambda lines: [lines[0], *lines[2:]], "it has 1 tables instead of 2"),
    "no JSON": (lambda lines: [*lines[:2], "{", *lines[3:]], "line 3 cannot be read"),
    "no object": (lambda lines: [*lines[:2], "[]", *lines[3:]], "line 3 cannot be read"),
    "no table": (lambda lines: [*lines[:2], "{}", *lines[3:]], "the backup is damaged: 'table'"),
}


@pytest.mark.parametrize(("damage", "why"), BAD_BACKUPS.values(), ids=list(BAD_BACKUPS))
def test_a_damaged_backup_restores_nothing(tmp_path: Path, damage: Callable[[list[str]], list[str]], why: str) -> None:
    async def work(store: Store) -> None:
        for name in ("t1", "t2"):
            await store.create(a_table(name), [(0, 1)])
        lines = [line async for line in maintenance.backup(store)]
        await maintenance.prune(store, 10**12, unfinished=True)
        with pytest.raises(BadBackup, match=why):
            await maintenance.restore(store, damage(lines))
        assert (await maintenance.stats(store)).tables == []
        assert await maintenance.restore(store, lines) == 2

    with_store(tmp_path, work)


# --- What happens seldom ---


def test_a_review_is_kept_with_its_game_until_a_newer_one_comes(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name in ("t1", "t2"):
            await store.create(a_table(name, OVER))
            await store.keep_review(name, 3, name.encode())
        assert await store.review("t1", 3) == b"t1" and await store.review("t2", 3) == b"t2"
        assert await store.review("t1", 2) is None and await store.review("t9", 3) is None
        await store.keep_review("t1", 4, b"newer")
        assert await store.review("t1", 4) == b"newer" and await store.review("t1", 3) is None
        assert await store.review("t2", 3) == b"t2"
        await store.keep_review("t9", 3, b"of a game that was deleted")
        assert await store.review("t9", 3) is None and store.failures == 0

    with_store(tmp_path, work)


def test_checksums_are_those_of_databases_that_exist() -> None:
    assert decision_checksum("t1", 1, 0, 7, 1000) == -29_048_718
    assert table_checksum("t1", "trok", 2, "77", {"a": 1, "b": [2]}) == -1_210_794_871
    assert table_checksum("t1", "trok", 2, "77", {"b": [2], "a": 1}) == -1_210_794_871, "whatever the order of options"


def test_imagined_cards_and_both_kinds_of_seed_come_back(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = a_table(imagined=[[5, 1, str(2**63)]], secret="ab" * 32, contributions=[None] * 4, hints=True)
        await store.create(table)
        found = await store.table("t1")
        assert found == table
        assert found.imaginings == [Imagined(5, 1, 2**63)] and a_table().imaginings == []
        assert isinstance(found.whole_seed, SharedSeed) and found.whole_seed.secret == "ab" * 32
        assert a_table().whole_seed == 2**64 - 1
        assert record_of(found, []).imagined == found.imaginings and record_of(found, []).seed == found.whole_seed

    with_store(tmp_path, work)


def test_the_clock_counts_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time_ns", lambda: 1_234_567_890_123_999_999)
    assert models.now() == 1_234_567_890_123


def test_who_owns_a_table_and_who_may_ask() -> None:
    assert a_table(host=2).owner == 2
    assert a_table(host=3).owner == a_table(host=1).owner == a_table().owner == 0, "a free seat and a bot own nothing"
    nobody = replace(a_table(), seats=[StoredSeat(0, PERSON), StoredSeat(1, BOT, "East")])
    assert nobody.owner is None and [seat.seat for seat in nobody.free_seats] == [0]
    assert nobody.may_ask and not a_table().may_ask and a_table(hints=True).may_ask
    assert [status for status in (WAITING, PLAYING, OVER, ENDED, RECORD) if a_table(status=status).finished] == [
        OVER,
        ENDED,
        RECORD,
    ]


@pytest.mark.parametrize(
    ("said", "damaged"),
    [
        ("database disk image is malformed", True),
        ("file is not a database", True),
        ("Could not decode to UTF-8 column", True),
        ("index corrupt", True),
        ("database or disk is full", False),
    ],
)
def test_what_a_damaged_file_says_is_told_apart(said: str, damaged: bool) -> None:
    error = _failure(sqlite3.OperationalError(f"  {said}\n[SQL: SELECT 1]"))
    assert type(error) is (Damaged if damaged else StoreFailed)
    assert str(error) == (f"the database is damaged: {said}" if damaged else said)
    assert brief(OSError()) == "OSError"


def test_a_column_that_holds_what_nobody_wrote_is_damage(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table())
        async with store.engine.begin() as db:
            await db.exec_driver_sql("UPDATE tables SET options = '{nonsense'")
        with pytest.raises(Damaged, match=r"^the database holds what cannot be read: .*property name"):
            await store.table("t1")
        assert store.failures == 1

    with_store(tmp_path, work)


def test_a_log_that_cannot_be_written_is_a_failure_of_the_database(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table())
        async with store.engine.begin() as db:
            await db.exec_driver_sql("DROP TABLE log")
        with pytest.raises(StoreFailed, match=r"^no such table: log$"):
            await store.append(a_table(), 0, [(0, 1)])
        assert store.failures == 1

    with_store(tmp_path, work)


def test_whoever_stops_the_opening_of_a_database_hears_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise next(errors)

    errors = iter([asyncio.CancelledError(), StoreFailed("as it is"), ValueError("odd")])
    monkeypatch.setattr("tripot.store.store._migrate", fail)
    address = f"sqlite:///{tmp_path}/tables.sqlite"
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(open_store(address))
    with pytest.raises(StoreFailed, match=r"^as it is$"):
        asyncio.run(open_store(address))
    with pytest.raises(StoreFailed, match=r"^the database sqlite\+aiosqlite:.* cannot be opened: odd$"):
        asyncio.run(open_store(address))


def test_postgresql_is_asked_with_limits() -> None:
    pytest.importorskip("asyncpg")
    engine = _engine("postgres://me:hush@127.0.0.1:1/x")
    assert engine.url.drivername == "postgresql+asyncpg"
    pool = cast(Any, engine.pool)
    assert (pool.size(), pool._max_overflow, pool._timeout, pool._pre_ping) == (10, 5, 10, True)
    assert engine.sync_engine.hide_parameters, "statements in error messages say nothing of people"


def test_a_game_that_was_stored_as_played_but_is_over_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = SimpleNamespace(over=True, waiting=[])
    monkeypatch.setattr(maintenance, "replay", lambda *_: ended)
    with pytest.raises(BadRecord, match=r"^status: stored as playing, but the replay is over$"):
        maintenance._check(a_table(), [], {}, {})
    maintenance._check(a_table(status=OVER, waiting=5), [], {}, {})
    maintenance._check(a_table(status=RECORD), [], {}, {})


def test_decisions_without_a_table_are_named(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table(), [(0, 1)])
        async with store.engine.connect() as db:
            await db.exec_driver_sql("PRAGMA foreign_keys = OFF")
            await db.exec_driver_sql("DELETE FROM tables")
            await db.commit()
        found = await maintenance.check(store, {}, {})
        assert found.broken == {"t1": "there are seats or decisions, but no table"}
        assert (found.sound, found.outdated, found.damage) == (0, 0, None)

    with_store(tmp_path, work)


def test_a_backup_of_old_has_one_token_for_each_seat(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table(), [(0, 1)])
        header, line, _ = [line async for line in maintenance.backup(store)]
        await maintenance.prune(store, 10**12, unfinished=True)
        content = json.loads(line)
        for seat in content["seats"]:
            tokens = seat.pop("tokens")
            if seat["seat"] != 3:  # a seat that nobody ever took may say nothing
                seat["token_hash"] = tokens[0] if tokens else None
        assert await maintenance.restore(store, [header, json.dumps(content), '{"end": 1}']) == 1
        found = await store.table("t1")
        assert found is not None and [seat.tokens for seat in found.seats] == [["aa"], [], ["bb"], []]
        assert [seat.name for seat in found.seats] == ["Anna", "East", "Bo", None]

    with_store(tmp_path, work)


def test_pruning_is_written_down_and_forgets_what_was_written_before(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table("old", OVER))
        await store.create(a_table("new", PLAYING))
        await maintenance.prune(store, 1_000_500)
        await maintenance.prune(store, 1_000_500, unfinished=True)
        entries = await maintenance.audit_entries(store, None, 0, 20)
        told = [(entry.what, entry.table_id, entry.detail) for entry in entries]
        assert ("opened", "old", OVER) not in told and ("opened", "new", PLAYING) in told
        assert told[-2:] == [("pruned", None, "1 games"), ("pruned", None, "0 games, unfinished too")]
        assert [entry.what for entry in await maintenance.audit_entries(store, "new", 0, 1)] == ["taken"]
        assert await maintenance.audit_entries(store, None, 2**60, 9) == []

    with_store(tmp_path, work)


def test_tokens_are_withdrawn_from_a_seat_or_from_all(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = a_table()
        table.seats[2] = replace(table.seats[2], tokens=["bb", "cc"], pass_hash="ff", pass_until=9)
        await store.create(table)
        assert await maintenance.withdraw(store, "t1", 2) == 2
        found = await store.table("t1")
        assert found is not None and [seat.tokens for seat in found.seats] == [["aa"], [], [], []]
        assert found.seats[2] == replace(table.seats[2], tokens=[], pass_hash=None, pass_until=None)
        assert await maintenance.withdraw(store, "t1", None) == 1
        assert await maintenance.withdraw(store, "t1", None) == 0
        for seat, why in ((4, "there is no seat 5 at table t1"), (-1, "there is no seat 0 at table t1")):
            with pytest.raises(StoreFailed, match=why):
                await maintenance.withdraw(store, "t1", seat)
        with pytest.raises(StoreFailed, match=r"^there is no table t2$"):
            await maintenance.withdraw(store, "t2", None)

        async def changed(*_: object) -> None:
            tries.append(1)
            raise WriteConflict("again")

        tries: list[int] = []
        store.rewrite = changed  # type: ignore[method-assign]
        with pytest.raises(StoreFailed, match=r"^table t1 changes all the time: try again$"):
            await maintenance.withdraw(store, "t1", 0)
        assert len(tries) == 20

    with_store(tmp_path, work)


def test_what_the_host_changes_is_in_the_audit_log() -> None:
    before = a_table(status=WAITING, link="a")
    after = replace(before, status=PLAYING, link="b", published=True, rematch="t2")
    told = [("status", PLAYING), ("link", "renewed"), ("published", "yes"), ("rematch", "t2")]
    assert audit.changes(before, after, 7) == [audit.Entry(7, what, "t1", None, detail) for what, detail in told]
    assert audit.changes(after, replace(after, published=False), 7) == [audit.Entry(7, "published", "t1", None, "no")]
    assert audit.changes(after, after, 7) == []
    long = audit.row(audit.Entry(7, "status", "t1", 2, "x" * 70))
    assert long == {"at": 7, "what": "status", "table_id": "t1", "seat": 2, "detail": "x" * 64}


def test_a_table_is_found_in_any_part_of_a_damaged_file(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        for name in ("all", "log", "seats", "tables"):
            await store.create(a_table(name), [(0, 1)])
        async with store.engine.connect() as db:
            await db.exec_driver_sql("PRAGMA foreign_keys = OFF")
            for part in ("log", "seats", "tables"):
                key = "id" if part == "tables" else "table_id"
                await db.exec_driver_sql(f"DELETE FROM {part} WHERE {key} NOT IN ('all', '{part}')")
            await db.commit()
        assert await store.table_ids() == ["all", "log", "seats", "tables"]

    with_store(tmp_path, work)


def test_what_is_wrong_with_the_pages_of_a_file_is_told(tmp_path: Path) -> None:
    class Pages:
        def __init__(self, said: str) -> None:
            self.said = said

        async def scalar(self, _: object) -> str:
            return self.said

    async def work(store: Store) -> None:
        @asynccontextmanager
        async def reading() -> AsyncIterator[Pages]:
            found = next(told)
            if isinstance(found, Exception):
                raise found
            yield Pages(found)

        told = iter(["ok", "*** in database main ***\nTree 5 page 5: bad", StoreFailed("gone")])
        store._reading = reading  # type: ignore[method-assign, assignment]
        assert await store.quick_check() is None
        assert await store.quick_check() == "Tree 5 page 5: bad"
        assert await store.quick_check() == "gone"

    with_store(tmp_path, work)


def test_a_database_of_today_is_not_migrated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_: Store) -> None:
        return None

    with_store(tmp_path, nothing)
    monkeypatch.setattr("alembic.command.upgrade", None)
    with_store(tmp_path, nothing)


def test_a_statement_that_took_too_long_is_told_whatever_the_driver_says_when_it_cleans_up() -> None:
    try:
        try:
            raise TimeoutError
        finally:
            raise RuntimeError("cannot switch to state 11; another operation (2) is in progress")
    except RuntimeError as error:
        assert brief(error) == "the database did not answer in time"
    assert brief(TimeoutError()) == "the database did not answer in time"


def test_errors_are_told_in_the_databases_own_words_and_without_passwords() -> None:
    assert brief(OperationalError("SELECT 1", {}, Exception("no such table: log"))) == "no such table: log"
    assert _without_password("sql ite://me:secret@host/x") == "this address"
    assert _without_password("nonsense") == "nonsense"
    assert _without_password("mysql://me:secret@host/x") == "mysql://me:***@host/x"


def test_a_backup_is_good_if_all_of_it_replays() -> None:
    assert maintenance.BackupResult(2, 9, None, 2, 0, {}).good is True
    assert maintenance.BackupResult(2, 9, None, 1, 0, {"t1": "why"}).good is False


def test_tables_in_play_are_listed_until_their_hours_are_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        await store.create(a_table("t1", listed=True))  # at 1,000,000
        for later, found in ((HOUR // 2 - 1, ["t1"]), (HOUR // 2, [])):
            monkeypatch.setattr("tripot.store.store.now", lambda later=later: 1_000_000 + later)
            assert [table.id for table in await store.running_tables(9, 0.5)] == found

    with_store(tmp_path, work)
