"""Point-in-time recovery with PostgreSQL, as docs/operating.md describes it: tried, with every commit on disk."""

import asyncio
import shutil
import time
from pathlib import Path

import pytest

from tests.postgres import Postgres
from tests.test_store_maintenance import random_game
from tripot import GAMES, OLDER
from tripot.store import maintenance
from tripot.store.store import open_store

pytestmark = pytest.mark.server


def test_a_database_goes_back_to_the_moment_before_a_mistake() -> None:
    """Games before the moment are all there and replay; the mistake and what came after it are gone."""
    server = Postgres()
    try:
        archive = server.folder / "archive"
        archive.mkdir()
        shutil.chown(archive, server.data.owner())
        for setting in ("fsync = on", "wal_level = replica", "archive_mode = on", "max_wal_senders = 3"):
            append(server.data / "postgresql.conf", setting)
        append(server.data / "postgresql.conf", f"archive_command = 'cp %p {archive}/%f'")
        server.stop()
        server.start()
        address = server.database("tripot")
        store_games(address, 1, 2)
        base = server.folder / "base"
        where = ["-h", "127.0.0.1", "-p", str(server.port), "-U", "postgres", "-D", str(base)]
        server.command("pg_basebackup", "--checkpoint=fast", *where)  # else it waits for a minute and a half
        store_games(address, 3)
        time.sleep(0.2)
        moment = server.psql("SELECT clock_timestamp()").strip()
        time.sleep(0.2)
        server.psql("DELETE FROM tables", "tripot")  # the mistake
        store_games(address, 4)
        server.psql("SELECT pg_switch_wal()")
        server.stop()
        shutil.rmtree(server.data)
        base.rename(server.data)
        append(server.data / "postgresql.conf", f"restore_command = 'cp {archive}/%f %p'")
        append(server.data / "postgresql.conf", f"recovery_target_time = '{moment}'")
        append(server.data / "postgresql.conf", "recovery_target_action = 'promote'")
        (server.data / "recovery.signal").touch()
        shutil.chown(server.data / "recovery.signal", server.data.owner())
        server.start()
        found = asyncio.run(checked(address))
        assert (found.sound, found.broken) == (3, {})
        assert server.psql("SELECT id FROM tables ORDER BY id", "tripot").split() == ["t1", "t2", "t3"]
    finally:
        server.end()


def append(file: Path, line: str) -> None:
    with file.open("a") as out:
        out.write(line + "\n")


def store_games(address: str, *numbers: int) -> None:
    async def work() -> None:
        store = await open_store(address)
        for number in numbers:
            await store.create(*random_game(number, 10**6))
        await store.close()

    asyncio.run(work())


async def checked(address: str) -> maintenance.CheckResult:
    for _ in range(600):  # until the recovery is over
        try:
            store = await open_store(address)
            break
        except Exception:
            await asyncio.sleep(0.2)
    try:
        return await maintenance.check(store, GAMES, OLDER)
    finally:
        await store.close()
