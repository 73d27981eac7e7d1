"""A real PostgreSQL server for the tests, on a free port and in a temporary folder.

Where it is not installed (`make test-deps`), the tests that need it are skipped and say so.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.system_packages import postgresql

OWNER = "postgres"  # the server refuses to run as root
SMALL = ["shared_buffers=32MB", "max_connections=80", "autovacuum=off"]
SPEED = ["fsync=off", "full_page_writes=off"]


def quick_disk() -> str:
    """Returns a folder in memory if there is enough space, else /tmp."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 << 30
    return str(memory) if roomy else "/tmp"


class Postgres:
    """A database server that can be stopped and started."""

    def __init__(self, durable: bool = False) -> None:
        """`durable`: every commit goes to a disk, as in operation."""
        found = postgresql()
        if found is None:
            pytest.skip("POSTGRESQL TESTS SKIPPED: it is not installed; `make test-deps` installs it on Debian.")
        self.programs = found
        self.folder = Path(tempfile.mkdtemp(prefix="tripot-postgres-", dir=None if durable else quick_disk()))
        if os.geteuid() == 0:
            shutil.chown(self.folder, OWNER)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command(
            "initdb", "-D", str(self.data), "-A", "trust", "-U", OWNER, "-E", "UTF8", "--no-sync", "--locale=C"
        )
        settings = [
            *SMALL,
            *([] if durable else SPEED),
            f"port={self.port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.folder}",
        ]
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in (setting.split("=") for setting in settings))
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def command(self, program: str, *words: str) -> str:
        """Runs one of PostgreSQL's programs as its owner. Returns its output."""
        given = [str(self.programs / program), *words]
        if os.geteuid() == 0:
            given = ["runuser", "-u", OWNER, "--", *given]
        done = subprocess.run(given, capture_output=True, text=True, check=False, cwd=self.folder, timeout=120)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self) -> None:
        log = str(self.folder / "log")
        self.command("pg_ctl", "-D", str(self.data), "-l", log, "-w", "-t", "60", "start")

    def stop(self, how: str = "fast") -> None:
        self.command("pg_ctl", "-D", str(self.data), "-m", how, "-w", "-t", "60", "stop")

    def psql(self, statement: str, database: str = "postgres") -> str:
        words = ["-h", "127.0.0.1", "-p", str(self.port), "-U", OWNER, "-d", database, "-v", "ON_ERROR_STOP=1", "-At"]
        return self.command("psql", *words, "-c", statement)

    def database(self, name: str, more: str = "") -> str:
        """Creates an empty database. Returns its address. One of that name goes: a module's tests may come in parts."""
        self.psql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.psql(f"CREATE DATABASE {name} {more}")
        return self.address(name)

    def address(self, name: str) -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/{name}"

    def end(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)
