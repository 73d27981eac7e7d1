"""Maintaining a database with `tripot store`, on SQLite and PostgreSQL: count, check, export, prune, back up."""

import asyncio
import gzip
import itertools
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cases import play_on
from tests.postgres import Postgres
from tests.served import address_of
from tripot import GAMES
from tripot.cli.main import run
from tripot.core.options import as_json
from tripot.store.models import BOT, OVER, PERSON, PLAYING, StoredSeat, StoredTable, now
from tripot.store.store import open_store
from tripot.table.record import loads, replay
from tripot.table.table import Table

NUMBERS = itertools.count(1)
GAME = next(iter(GAMES.values()))
DAY = 86_400_000


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return address_of(tmp_path / "tables.sqlite")
    server: Postgres = request.getfixturevalue("postgres")
    return server.database(f"maintenance_{next(NUMBERS)}")


def random_game(number: int, decisions: int) -> tuple[StoredTable, list[tuple[int, int]]]:
    """Returns a game after random decisions, finished or not."""
    table = Table(GAME, GAME.seats[0], number)
    play_on(table, random.Random(number), decisions)
    seats = [StoredSeat(0, PERSON, "Zoé", tokens=["aa"])]
    seats += [StoredSeat(seat, BOT, "East", "easy", "uniform") for seat in range(1, table.seats)]
    stored = StoredTable(f"t{number}", GAME.name, GAME.rules_version, number, seats, as_json(table.options))
    stored.status, stored.result = (OVER, table.result) if table.over else (PLAYING, None)
    stored.waiting = sum(1 << seat for seat in table.waiting)
    return stored, table.decisions


def fill(database: str, days_ago: int = 0) -> None:
    """Stores two finished games and an unfinished one."""

    async def work() -> None:
        store = await open_store(database)
        for number, decisions in ((1, 10**6), (2, 10**6), (3, 5)):
            await store.create(*random_game(number, decisions))
        async with store.engine.begin() as db:
            await db.exec_driver_sql(f"UPDATE tables SET updated = {now() - days_ago * DAY} WHERE id <> 't2'")
        await store.close()

    asyncio.run(work())


def change(database: str, statement: str) -> None:
    async def work() -> None:
        store = await open_store(database)
        async with store.engine.begin() as db:
            await db.exec_driver_sql(statement)
        await store.close()

    asyncio.run(work())


def tripot(*words: str, database: str) -> int:
    return run(["store", *words, "--database", database])


def stats(database: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert tripot("stats", "--json", database=database) == 0
    return json.loads(capsys.readouterr().out)


def counts(database: str, capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    return {row["status"]: row["tables"] for row in stats(database, capsys)["tables"]}


def test_stats_count_what_is_there(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill(database)
    found = stats(database, capsys)
    assert counts(database, capsys) == {"over": 2, "playing": 1}
    assert found["decisions"] == sum(len(random_game(*one)[1]) for one in ((1, 10**6), (2, 10**6), (3, 5)))
    assert tripot("stats", database=database) == 0
    assert f"{GAME.name}" in capsys.readouterr().out


def test_check_replays_every_game_and_names_those_that_do_not_replay(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(database)
    assert tripot("check", database=database) == 0
    assert "3 replay, 0 of rules not shipped here, 0 do not replay" in capsys.readouterr().out
    change(database, "UPDATE log SET action = 9999 WHERE table_id = 't1' AND sequence = 2")
    change(database, "UPDATE tables SET waiting = 0 WHERE id = 't3'")
    change(database, "UPDATE tables SET rules = 99, checksum = NULL WHERE id = 't2'")
    assert tripot("check", "--json", database=database) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["sound"], found["outdated"], set(found["broken"])) == (0, 1, {"t1", "t3"})
    assert "decision 2" in found["broken"]["t1"] and "waiting" in found["broken"]["t3"]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE log SET action = action + 1 WHERE table_id = 't1' AND sequence = 2", "decision 2"),
        ("UPDATE log SET seat = 1 - seat WHERE table_id = 't1' AND sequence = 3", "decision 3"),
        ("UPDATE log SET at = at + 1 WHERE table_id = 't1' AND sequence = 4", "decision 4"),
        ("DELETE FROM log WHERE table_id = 't1' AND sequence = 5", "decision 5"),
        ("UPDATE tables SET seed = '8' WHERE id = 't1'", "table t1 is damaged"),
        ("UPDATE tables SET options = '[1]' WHERE id = 't1'", "table t1 is damaged"),
    ],
)
def test_any_change_of_what_was_played_is_found_and_the_others_are_checked(
    database: str, capsys: pytest.CaptureFixture[str], statement: str, told: str
) -> None:
    fill(database)
    change(database, statement)
    assert tripot("check", "--json", database=database) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["sound"] == 2 and list(found["broken"]) == ["t1"] and told in found["broken"]["t1"]


def test_what_was_written_before_there_were_checksums_is_sound(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(database)
    change(database, "UPDATE log SET checksum = NULL")
    change(database, "UPDATE tables SET checksum = NULL")
    assert tripot("check", database=database) == 0
    assert "3 replay" in capsys.readouterr().out


def test_pruning_gives_the_space_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tables.sqlite"
    fill(address_of(file), days_ago=100)
    change(
        address_of(file),
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO log (table_id, sequence, seat, action, at) SELECT 't1', i + 10000, 0, 0, 0 FROM n",
    )
    before = file.stat().st_size
    assert tripot("prune", "--older-than", "90d", database=address_of(file)) == 0
    assert "1 games were deleted" in capsys.readouterr().out
    assert file.stat().st_size < before / 2
    assert tripot("check", database=address_of(file)) == 0


def test_finished_games_are_exported_as_records(database: str, tmp_path: Path) -> None:
    fill(database)
    assert tripot("export", str(tmp_path / "games"), database=database) == 0
    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files] == [f"{GAME.name}-t1.tripot.json", f"{GAME.name}-t2.tripot.json"]
    assert all(replay(loads(file.read_text("utf-8")), GAMES).over for file in files)
    assert tripot("export", str(tmp_path / "games.jsonl"), "--game", GAME.name, database=database) == 0
    lines = (tmp_path / "games.jsonl").read_text("utf-8").splitlines()
    assert [loads(line) for line in lines] == [loads(file.read_text("utf-8")) for file in files]


def test_old_games_are_pruned_and_young_or_unfinished_ones_kept(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(database, days_ago=100)
    assert tripot("prune", "--older-than", "90d", "--dry-run", database=database) == 0
    assert "1 games would be deleted" in capsys.readouterr().out
    assert tripot("prune", "--older-than", "90d", database=database) == 0
    assert counts(database, capsys) == {"over": 1, "playing": 1}
    assert tripot("prune", "--older-than", "15w", "--unfinished", database=database) == 0
    assert counts(database, capsys) == {"over": 1, "playing": 1}
    assert tripot("prune", "--older-than", "24h", "--unfinished", database=database) == 0
    assert counts(database, capsys) == {"over": 1}
    assert stats(database, capsys)["decisions"] == len(random_game(2, 10**6)[1])  # a table is deleted with its log


def everything(database: str) -> list[str]:
    """Returns all lines of a backup."""
    from tripot.store.maintenance import backup

    async def work() -> list[str]:
        store = await open_store(database)
        found = [line async for line in backup(store)]
        await store.close()
        return found

    return asyncio.run(work())


@pytest.mark.server
def test_a_backup_is_restored_into_either_kind_of_database(database: str, tmp_path: Path, postgres: Postgres) -> None:
    fill(database)
    file = str(tmp_path / ("all.jsonl" if "sqlite" in database else "all.jsonl.gz"))
    assert tripot("backup", file, database=database) == 0
    assert Path(file).stat().st_mode & 0o077 == 0  # it holds the same secrets as the database
    for other in (address_of(tmp_path / "other.sqlite"), postgres.database(f"maintenance_{next(NUMBERS)}")):
        assert tripot("restore", file, database=other) == 0
        assert everything(other) == everything(database)
        assert tripot("check", database=other) == 0
        assert tripot("restore", file, database=other) == 2  # no longer empty


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda lines: lines[:-1], "cut off"),
        (lambda lines: lines[:1] + lines[2:], "2 tables instead of 3"),
        (lambda lines: ["{}", *lines[1:]], "not a backup"),
        (lambda lines: [lines[0], '{"table": 1}', *lines[1:]], "damaged"),
        (lambda lines: [lines[0], lines[1][:-5], *lines[2:]], "line 2 cannot be read"),
        (lambda lines: [lines[0].replace('"schema": "', '"schema": "9'), *lines[1:]], "later version"),
        (lambda lines: [], "not a backup"),
    ],
)
def test_a_damaged_backup_is_refused_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], harm: Any, told: str
) -> None:
    source, target = (address_of(tmp_path / name) for name in ("one.sqlite", "two.sqlite"))
    fill(source)
    with gzip.open(tmp_path / "b.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in harm(everything(source)))
    assert tripot("restore", str(tmp_path / "b.gz"), database=target) == 2
    assert told in capsys.readouterr().err
    assert stats(target, capsys)["tables"] == []


@pytest.mark.server
def test_the_commands_of_the_page_about_operating_run(
    database: str,
    tmp_path: Path,
    postgres: Postgres,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (Path(__file__).parent.parent / "docs" / "operating.md").read_text("utf-8")
    commands = re.findall(r"^tripot (store .+)$", page, re.MULTILINE)
    assert len(commands) == 11
    fill(database)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIPOT_DATABASE", database)
    empty = postgres.database(f"maintenance_{next(NUMBERS)}")
    for command in commands:
        words = command.replace("postgresql://tripot:PASSWORD@db.example/tripot", empty).replace("TABLE", "t1").split()
        assert run(words) == 0, (command, capsys.readouterr().err)
    assert everything(empty) == everything(database)


@pytest.mark.server
def test_the_databases_own_backup_tools_work_too(tmp_path: Path, postgres: Postgres) -> None:
    """As docs/operating.md describes: SQLite's backup from Python or its shell, pg_dump and pg_restore."""
    source = address_of(tmp_path / "one.sqlite")
    fill(source)
    program = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('VACUUM INTO ?', [sys.argv[2]])"
    words = [sys.executable, "-W", "ignore", "-c", program, str(tmp_path / "one.sqlite"), str(tmp_path / "two.sqlite")]
    subprocess.run(words, check=True)
    assert everything(address_of(tmp_path / "two.sqlite")) == everything(source)

    first, second = (f"maintenance_{next(NUMBERS)}" for _ in range(2))
    fill(postgres.database(first))
    dump = str(postgres.folder / "tables.dump")
    postgres.command("pg_dump", "-Fc", "-f", dump, postgres.address(first))
    postgres.database(second)
    postgres.command("pg_restore", "--no-owner", "-d", postgres.address(second), dump)
    assert everything(postgres.address(second)) == everything(postgres.address(first))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["stats"], "there is no database"),
        (["prune", "--older-than", "soon"], "12h, 90d or 2w"),
        (["prune"], "older-than"),
        (["export", "x", "--game", "chess"], "no game 'chess'"),
        (["restore", "/nowhere/x"], "/nowhere/x"),
    ],
)
def test_errors_are_reported_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert tripot(*words, database=address_of(tmp_path / "none.sqlite")) == 2
    errors = capsys.readouterr().err
    assert told in errors and errors.startswith("tripot: ") and errors.count("\n") == 1


def test_a_password_is_never_repeated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for address in ("postgresql://me:hush-hush@127.0.0.1:1/x", "postgresql+nonsense://me:hush-hush@127.0.0.1/x"):
        assert tripot("stats", database=address) == 2
        errors = capsys.readouterr().err
        assert "hush-hush" not in errors and "127.0.0.1" in errors
