"""Damaged SQLite files: what is damaged is named in a sentence, and everything else is played on."""

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.served import Served, address_of, play_on
from tests.test_store_maintenance import fill
from tripot import GAMES, OLDER
from tripot.store import maintenance
from tripot.store.store import StoreFailed, open_store
from tripot.web.client import Refused

NAME = next(iter(GAMES))
PAGE = 4096
Games = dict[str, object]


async def examined(file: Path) -> tuple[Games, bool, set[str]]:
    """Returns all games that can be read, whether the file is reported as damaged, and the tables that are named."""
    try:
        store = await open_store(address_of(file))
    except StoreFailed as error:
        assert "\n" not in str(error)
        return {}, True, set()
    try:
        found = await maintenance.check(store, GAMES, OLDER)
        games: Games = {}
        with suppress(StoreFailed):  # as the check has said
            async for stored, decisions in maintenance.games(store, "waiting", "playing", "over", "record"):
                games[stored.id] = (stored.game, stored.rules, stored.seed, stored.options, decisions)
        return games, bool(found.broken or found.damage), set(found.broken)
    finally:
        await store.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with three games, all of it in one place."""
    file = tmp_path_factory.mktemp("damage") / "whole.sqlite"
    fill(address_of(file))
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return file


@pytest.mark.slow
def test_no_flipped_bit_changes_a_game_unnoticed(whole: Path, tmp_path: Path) -> None:
    played, damaged, _ = asyncio.run(examined(whole))
    assert len(played) == 3 and not damaged
    rng, noticed = random.Random(1), 0
    everywhere, written = range(whole.stat().st_size), [place for place, byte in enumerate(whole.read_bytes()) if byte]
    for number in range(80):
        content = bytearray(whole.read_bytes())
        content[rng.choice(written if number % 2 else everywhere)] ^= 1 << rng.randrange(8)  # most of a file is empty
        file = tmp_path / "flipped.sqlite"
        file.write_bytes(content)
        found, damaged, named = asyncio.run(examined(file))
        noticed += damaged
        if not damaged:
            assert found == played
        for table_id, game in found.items():
            assert game == played.get(table_id, game) or table_id in named
        for part in tmp_path.iterdir():
            part.unlink()
    assert noticed > 5


@pytest.mark.process
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(whole: Path, tmp_path: Path) -> None:
    for number, (start, length) in enumerate([(0, 100), (100, PAGE - 100), (0, 16), (PAGE, 3 * PAGE), (20, 60)]):
        content = bytearray(whole.read_bytes())
        content[start : start + length] = random.Random(number).randbytes(length)
        file = tmp_path / f"{number}.sqlite"
        file.write_bytes(content)
        words = [sys.executable, "-m", "tripot", "store", "check", "--database", address_of(file)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode in (1, 2) and "Traceback" not in done.stderr, done.stderr
        assert done.stderr.count("\n") == (1 if done.returncode == 2 else 0), done.stderr


@pytest.mark.server
def test_a_server_on_a_damaged_file_says_so_and_plays_the_other_tables(tmp_path: Path) -> None:
    """Pages in the middle of the log are overwritten: some tables suffer, the rest goes on."""
    file = tmp_path / "tables.sqlite"
    with Served(file) as server:
        opened = [server.open_table(NAME, ["here"] * GAMES[NAME].seats[0]) for _ in range(22)]
        for table in opened:  # two pages hold some of at most six of them, and the pages beside them of four more
            play_on(server.sit_all(table), random.Random(1), most=40)
        server.end()
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (root,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'log'").fetchone()
        harm(file, root)
        server.start()
        read, played = [], []
        for table in opened:
            try:
                seats = server.sit_all(table)
                read.append(table.table.id)
                play_on(seats, random.Random(2), most=1)  # a full page is shared out among its neighbours, bad ones too
                played.append(table.table.id)
            except Refused as refused:
                assert refused.problem.reason == "damaged"
        damaged = {table.table.id for table in opened} - set(read)
        assert damaged and len(played) > len(opened) // 2
        for table_id in damaged:
            with pytest.raises(Refused) as refused_replay:
                server.client.replay(table_id)
            assert refused_replay.value.status in (403, 410)
        told = server.end()
        assert told.count("the database is damaged: `tripot store check` names the tables") == 1
        assert "Traceback" not in told
    words = [sys.executable, "-m", "tripot", "store", "check", "--json", "--database", address_of(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and set(json.loads(done.stdout)["broken"]) == damaged


def harm(file: Path, root: int) -> None:
    """Overwrites two leaf pages of the tree that starts at page `root`."""
    content = bytearray(file.read_bytes())
    start = (root - 1) * PAGE
    assert content[start] == 2  # an inner page of an index: the log has no row ids
    count = int.from_bytes(content[start + 3 : start + 5], "big")
    cells = [int.from_bytes(content[start + 12 + 2 * n : start + 14 + 2 * n], "big") for n in range(count)]
    children = [int.from_bytes(content[start + cell : start + cell + 4], "big") for cell in cells]
    for child in children[1:3]:
        content[(child - 1) * PAGE : child * PAGE] = random.Random(child).randbytes(PAGE)
    file.write_bytes(content)
