"""The audit log, backups that are checked on a schedule, and tokens that an operator withdraws."""

import asyncio
import gzip
import json
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.test_store_maintenance import fill
from tripot.cli.main import run
from tripot.store.maintenance import audit_entries, prune
from tripot.store.models import BOT, PERSON, PLAYING, StoredSeat, StoredTable, now
from tripot.store.store import Store, open_store


def at(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def done() -> None:
        store = await open_store(f"sqlite:///{path}")
        await work(store)
        await store.close()

    asyncio.run(done())


def table() -> StoredTable:
    seats = [StoredSeat(0, PERSON, "Anna", tokens=["aa"]), StoredSeat(1, PERSON), StoredSeat(2, PERSON)]
    return StoredTable("t1", "verrater", 1, 7, seats, host=0)


SEAT_1 = StoredSeat(1, PERSON, "Bo", tokens=["bb"])
CHANGES = [  # of seat 1, one after the other, and what the log says of each
    (replace(SEAT_1, name=None, tokens=[], kept_for="Bo"), "kept", None),
    (SEAT_1, "taken", None),
    (replace(SEAT_1, pass_hash="ff", pass_moves=True), "passed", "moves"),
    (replace(SEAT_1, tokens=["cc"]), "moved", "1 devices"),
    (replace(SEAT_1, tokens=["cc", "dd"]), "shared", "2 devices"),
    (replace(SEAT_1, tokens=["dd"]), "withdrawn", "1 devices"),
    (replace(SEAT_1, tokens=["dd"], held="easy"), "held", "easy"),
    (replace(SEAT_1, tokens=["dd"]), "released", None),
    (StoredSeat(1, PERSON), "freed", None),
    (StoredSeat(1, BOT, "Ada", "hard", "sensible"), "filled", "hard"),
]


def test_every_change_of_a_seat_is_in_the_log_and_no_secret_is(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        stored = table()
        await store.create(stored)
        for seat, _, _ in CHANGES:
            after = replace(stored, seats=[stored.seats[0], seat, stored.seats[2]])
            await store.rewrite(stored, after)
            stored = after
        ended = replace(stored, status=PLAYING, link="new", rematch="t2", published=True)
        await store.rewrite(stored, ended)
        found = await audit_entries(store, "t1", 0, 100)
        said = [(entry.what, entry.seat, entry.detail) for entry in found]
        assert said[:2] == [("opened", 0, "waiting"), ("taken", 0, None)]
        assert said[2:-4] == [(what, 1, detail) for _, what, detail in CHANGES]
        assert [what for what, _, _ in said[-4:]] == ["status", "link", "published", "rematch"]
        assert not {"aa", "bb", "cc", "dd", "ff", "Anna", "Bo"} & {str(part) for entry in found for part in entry}
        assert [entry.what for entry in await audit_entries(store, None, 0, 2)] == ["published", "rematch"]
        assert await audit_entries(store, "t9", 0, 9) == await audit_entries(store, None, now() + 1000, 9) == []

    at(tmp_path / "x.sqlite", work)


def test_a_change_that_is_not_written_leaves_no_entry(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        stored = table()
        await store.create(stored)
        with pytest.raises(Exception, match="has changed"):
            await store.rewrite(replace(stored, version=9), replace(stored, version=9, seats=[stored.seats[0], SEAT_1]))
        assert len(await audit_entries(store, None, 0, 9)) == 2

    at(tmp_path / "x.sqlite", lambda store: work(store))


def test_prunes_are_logged_and_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tables.sqlite"
    fill(f"sqlite:///{path}", days_ago=3)

    async def work(store: Store) -> None:
        assert await prune(store, now() - 86_400_000) == 1
        assert await prune(store, now() + 1000, unfinished=True) == 2
        kept = [(entry.what, entry.detail) for entry in await audit_entries(store, None, 0, 99)]
        assert kept == [("pruned", "1 games"), ("pruned", "2 games, unfinished too")]

    at(path, work)
    assert run(["store", "audit", "--database", f"sqlite:///{path}"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[1].endswith("pruned    2 games, unfinished too")
    assert run(["store", "audit", "--json", "--database", f"sqlite:///{path}"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["what"] == "pruned"


def test_an_operator_withdraws_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, database = tmp_path / "x.sqlite", f"sqlite:///{tmp_path}/x.sqlite"

    async def tokens(store: Store) -> None:
        found = await store.table("t1")
        assert found is not None and found.seats[0].tokens == [] and found.seats[0].name == "Anna"

    at(path, lambda store: store.create(table()))
    assert run(["store", "withdraw", "t1", "--seat", "1", "--database", database]) == 0
    assert capsys.readouterr().out == "1 tokens of table t1 were withdrawn\n"
    at(path, tokens)
    assert run(["store", "withdraw", "t1", "--seat", "9", "--database", database]) == 2
    assert "there is no seat 9" in capsys.readouterr().err
    assert run(["store", "withdraw", "t9", "--database", database]) == 2


def same_content(one: Path, other: Path) -> bool:
    """Whether a flipped bit changes nothing, as some do: a repetition is then copied from another place."""
    with suppress(OSError, EOFError, zlib.error):
        return gzip.decompress(one.read_bytes()) == gzip.decompress(other.read_bytes())
    return False


def test_no_flipped_bit_of_a_compressed_backup_ends_in_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database, file = f"sqlite:///{tmp_path}/tables.sqlite", tmp_path / "backup.jsonl.gz"
    fill(database)
    assert run(["store", "backup", str(file), "--database", database]) == 0
    whole, bad = file.read_bytes(), tmp_path / "bad.jsonl.gz"
    places = range(40, len(whole) - 8, len(whole) // 20)  # after the gzip header, which holds a name and a time
    for at in places:
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        if same_content(bad, file):
            continue
        capsys.readouterr()
        assert run(["store", "verify-backup", str(bad)]) == 1
        said = capsys.readouterr().out
        assert said.count("\n") == 1 and "BAD" in said
        if at in places[::5]:
            assert run(["store", "restore", str(bad), "--database", f"sqlite:///{tmp_path}/{at}.sqlite"]) == 2
    bad.write_bytes(whole[:-20])
    assert run(["store", "restore", str(bad), "--database", f"sqlite:///{tmp_path}/cut.sqlite"]) == 2


def test_a_backup_is_restored_and_replayed_by_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, file = f"sqlite:///{tmp_path}/tables.sqlite", tmp_path / "backup.jsonl.gz"
    fill(database, days_ago=3)
    assert run(["store", "backup", str(file), "--database", database]) == 0
    capsys.readouterr()
    assert run(["store", "verify-backup", str(file)]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1 and ": good: 3 tables and " in said and said.endswith("3 games replay\n")
    assert run(["store", "verify-backup", str(file), "--json", "--max-age", "36h"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["good"] and found["tables"] == found["sound"] == 3 and found["problem"] is None
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    for damage, problem in DAMAGES.items():
        bad = tmp_path / "bad.jsonl"
        bad.write_text("\n".join(damaged(lines, damage)))
        assert run(["store", "verify-backup", str(bad)]) == 1
        said = capsys.readouterr().out
        assert said.count("\n") == 1 and "BAD" in said and problem in said
    assert run(["store", "verify-backup", str(file), "--max-age", "0h"]) == 1
    assert "too old" in capsys.readouterr().out
    assert run(["store", "verify-backup", str(tmp_path / "missing.jsonl"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["good"] is False


DAMAGES = {
    "cut": "cut off",
    "decision": "not those that were written",
    "replay": "do not replay",
    "nonsense": "line 2",
    "fewer": "instead of 3",
}


def damaged(lines: list[str], how: str) -> list[str]:
    if how == "cut":
        return lines[:-1]
    if how == "nonsense":
        return [lines[0], "{", *lines[2:]]
    if how == "fewer":
        return [lines[0], *lines[2:]]
    content = json.loads(lines[1])
    content["log"][3][1] = 9999
    altered = [lines[0], json.dumps(content, ensure_ascii=False), *lines[2:]]
    return altered if how == "decision" else [*altered[:-1], '{"end": 3}']  # as a backup from before there was a hash
