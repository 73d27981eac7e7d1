"""Faults under real processes: whatever breaks, no confirmed decision is lost or written twice, and tables go on.

Each fault is tried with a SQLite file and, where it makes a difference, with PostgreSQL.
"""

import itertools
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.crowd import CONFIRMED, OPEN, REFUSED, Crowd, Decision, Guest, Log
from tests.postgres import OWNER, Postgres
from tests.served import Served, patiently
from tests.test_web_hostile import SMALL, deaf_page, frame
from tests.test_web_operating import healthy, measured

pytestmark = pytest.mark.server

NUMBERS = itertools.count(1)
MANY = 50
SOME = 9  # tables, where their number does not matter


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """The database of a server: a SQLite file or a PostgreSQL database."""
    if request.param == "sqlite":
        return tmp_path / "tables.sqlite"
    server: Postgres = request.getfixturevalue("postgres")
    return server.database(f"faults_{next(NUMBERS)}")


def read_log(server: Served, postgres: Postgres | None = None) -> Log:
    """Returns all stored decisions, by table."""
    statement = "SELECT table_id, seat, action FROM log ORDER BY table_id, sequence"
    if isinstance(server.database, Path):
        with closing(sqlite3.connect(server.database)) as file:
            rows = file.execute(statement).fetchall()
    else:
        assert postgres is not None
        text = postgres.psql(statement, server.database.rsplit("/", 1)[1])
        rows = [line.split("|") for line in text.splitlines()]
    found: Log = {}
    for table, seat, action in rows:
        found.setdefault(table, []).append((int(seat), int(action)))
    return found


def postgres_of(request: pytest.FixtureRequest, database: Path | str) -> Postgres | None:
    return request.getfixturevalue("postgres") if isinstance(database, str) else None


# --- A server is killed ---


def test_a_server_is_killed_amid_fifty_games(database: Path | str, request: pytest.FixtureRequest) -> None:
    with Served(database) as server:
        crowd = Crowd([server])
        crowd.open(MANY)
        with crowd:
            crowd.await_progress(2)
            server.end(signal.SIGKILL)
            server.start()
            crowd.await_progress(2)
        assert all(guest.connections >= 2 for guest in crowd.guests if not guest.over)
        assert crowd.compare_with(read_log(server, postgres_of(request, database))) >= 4 * MANY


def test_a_server_and_then_the_database_die_and_guests_go_to_where_they_can_play(postgres: Postgres) -> None:
    address = postgres.database(f"faults_{next(NUMBERS)}")
    with Served(address) as one, Served(address) as two:
        crowd = Crowd([one, two])
        crowd.open(SOME)
        with crowd:
            crowd.await_progress(2)
            one.end(signal.SIGKILL)
            crowd.await_progress(2)
            postgres.stop("immediate")  # like a crash
            crowd.await_storage_errors(1)
            postgres.start()
            crowd.await_progress(2)
        crowd.compare_with(read_log(two, postgres))
        assert "the store failed" in two.end()


# --- The disk is full ---


@contextmanager
def small_disk(at: Path, megabytes: int, owner: str | None = None) -> Iterator[Path]:
    """Mounts a small file system; skips the test where mounting is not allowed."""
    at.mkdir()
    given = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0777", "tmpfs", str(at)]
    if os.geteuid() != 0 or subprocess.run(given, capture_output=True, check=False).returncode:
        pytest.skip("FULL DISK NOT TESTED: only root can mount a small file system here")
    try:
        if owner is not None:
            shutil.chown(at, owner)
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


def fill(disk: Path) -> Path:
    """Fills the disk to the last byte."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        size = 1 << 16
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
    return filler


def play_through_a_full_disk(server: Served, disk: Path, postgres: Postgres | None) -> None:
    crowd = Crowd([server])
    crowd.open(SOME)
    with crowd:
        crowd.await_progress(2)
        filler = fill(disk)
        crowd.await_storage_errors(5)
        filler.unlink()
        crowd.await_progress(2)
    crowd.compare_with(read_log(server, postgres))
    assert "the store failed" in server.end()


def test_a_full_disk_under_a_database_file(tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", 2) as disk, Served(disk / "tables.sqlite") as server:
        play_through_a_full_disk(server, disk, None)


def test_a_full_disk_under_postgresql(postgres: Postgres) -> None:
    with small_disk(postgres.folder / "small", 24, OWNER if os.geteuid() == 0 else None) as disk:
        postgres.psql(f"CREATE TABLESPACE small LOCATION '{disk}'")
        address = postgres.database("cramped", "TABLESPACE small")
        with Served(address) as server:
            play_through_a_full_disk(server, disk, postgres)
        postgres.psql("DROP DATABASE cramped WITH (FORCE)")
        postgres.psql("DROP TABLESPACE small")


def test_a_writer_that_fails_and_recovers(tmp_path: Path) -> None:
    """A file size limit makes writes fail for a while; this needs no privileges."""
    with Served(tmp_path / "tables.sqlite") as server:
        crowd = Crowd([server])
        crowd.open(SOME)
        with crowd:
            crowd.await_progress(2)
            limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
            crowd.await_storage_errors(5)
            for _ in patiently("the health check tries to write, and fails"):
                if not healthy(server.client):
                    break
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
            for _ in patiently("the health check succeeds"):
                if healthy(server.client):
                    break
            crowd.await_progress(2)
        crowd.compare_with(read_log(server))
        assert "the store failed" in server.end()


# --- A client that never reads, and a clock that jumps ---


def test_pages_that_never_read_and_a_clock_that_jumps_disturb_nobody(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.write_text("0")
    with Served(tmp_path / "tables.sqlite", clock=clock, send_buffer=SMALL, outbox=20) as server:
        crowd = Crowd([server])
        crowd.open(SOME)
        with crowd:
            crowd.await_progress(1)
            deaf = [deaf_page(server, guest.table, guest.token) for guest in crowd.guests[::4]]
            for jump in (86_400, -86_400, 10 * 365 * 86_400, -5):
                clock.write_text(str(jump))
                crowd.await_progress(1)
                for page in deaf:
                    chatter(page)
            crowd.await_progress(2)
            for _ in patiently("pages that never read are disconnected"):
                if measured(server.client)["tripot_connections"] <= len([g for g in crowd.guests if not g.over]):
                    break
                for page in deaf:
                    chatter(page)
            for page in deaf:
                page.close()
        assert max(guest.connections for guest in crowd.guests) == 1  # nobody was disconnected
        crowd.compare_with(read_log(server))


def chatter(page: socket.socket) -> None:
    """Sends messages and never reads."""
    page.setblocking(False)
    ping = frame({"type": "ping", "id": 1})
    try:
        for _ in range(3000):
            page.sendall(ping)
    except OSError:
        pass  # disconnected, or the server no longer reads from it


# --- The comparison itself ---


@pytest.mark.parametrize(
    ("log", "right"),
    [
        ([(0, 5), (1, 9), (0, 6)], True),
        ([(0, 5), (1, 9), (0, 6), (0, 7)], True),  # an unanswered decision may be in the log …
        ([(0, 5), (1, 9), (0, 6), (0, 8)], False),  # … but nothing else may
        ([(0, 5), (1, 9)], False),  # lost
        ([(0, 5), (0, 5), (1, 9), (0, 6)], False),  # written twice
        ([(0, 5), (1, 9), (0, 4)], False),  # refused, but in the log
    ],
)
def test_the_comparison_notices_what_is_lost_or_doubled(log: list[tuple[int, int]], right: bool) -> None:
    crowd = Crowd([])
    tries = [(0, 5, CONFIRMED), (2, 4, REFUSED), (2, 6, CONFIRMED), (3, 7, OPEN)]
    crowd.guests = [
        Guest("t", 0, "", [Decision(*sent) for sent in tries]),
        Guest("t", 1, "", [Decision(1, 9, CONFIRMED)]),
    ]
    if right:
        assert crowd.compare_with({"t": log}) == 3
    else:
        with pytest.raises(AssertionError):
            crowd.compare_with({"t": log})
