"""What the store is told is what it tells: tables, seats, decisions, lists and versions."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from tripot.games.verrater import GAME
from tripot.store import maintenance
from tripot.store.maintenance import BadBackup
from tripot.store.models import BOT, OVER, PERSON, PLAYING, RECORD, WAITING, StoredSeat, StoredTable, record_of
from tripot.store.store import Store, StoreFailed, WriteConflict, open_store
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
    "nothing": (lambda lines: [], "this is not a backup: it does not start with"),
    "another format": (lambda lines: ['{"format": "tar"}', *lines[1:]], "this is not a backup"),
    "a later version": (
        lambda lines: [lines[0].replace('"schema": "', '"schema": "9'), *lines[1:]],
        r"later .*\(schema 9",
    ),
    "no end": (lambda lines: lines[:-1], "the backup is cut off: its last line is missing"),
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
