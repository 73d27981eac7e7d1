"""The measurements: tables in play at one decision a second and at full load, and idle tables."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.web.disk import Disk, measure_disk
from bench.web.load import open_tables
from bench.web.process import ROOT, Measured

GAME, SEATS = "verrater", 4  # every decision of this game changes something for every seat
BESIDE = ROOT / "bench" / "boardgame"
LIMITS = ("requests_at_once", "reads_at_once", "replays_at_once", "tables_at_once", "messages_at_once", "sockets")

SYNCS = 25  # of the disk alone, for each second of play

Report = Callable[[str], None]


@dataclass
class Played:
    """The measurements of a server under one kind of load."""

    answer: dict[str, Any]  # the counts of the load generator
    cpu: float  # the share of one core that the server used
    generator: float  # the share that the load generator used
    memory: int  # resident bytes at the end
    waited: float  # the share of the time for which the server's first thread waited for a core

    @property
    def milliseconds(self) -> float:
        """The server's CPU time per decision."""
        return self.cpu * 1000 / float(self.answer["per_second"])


@dataclass
class Measures:
    """All measurements of one server."""

    name: str
    empty: int  # resident bytes before the first connection
    connected: int  # with all seats connected
    paced: Played
    saturated: Played
    idle: float  # bytes of memory of a table with nobody connected
    stored: float | None = None  # bytes on disk of a table without decisions
    logged: float | None = None  # bytes on disk of a decision
    disk: Disk | None = None  # what it writes to


class Missing(Exception):
    """A program that the measurement needs is missing. The message names it."""


def measure_ours(tables: int, paced: float, saturated: float, idle: int, report: Report) -> Measures:
    with tempfile.TemporaryDirectory() as folder:
        report("the disk")
        disk = measure_disk(Path(folder), max(1, round(paced * SYNCS)))
        database = Path(folder) / "idle.sqlite"
        report(f"Tripot: {idle:,} idle tables")
        with our_server(database) as (server, address):
            empty = server.memory
            open_tables(address.removeprefix("http://"), GAME, idle, SEATS)
            idle_bytes = (server.memory - empty) / idle
        stored = database.stat().st_size / idle
        database = Path(folder) / "played.sqlite"
        with our_server(database) as (server, address):
            found = played("Tripot", server, our_load(address, tables), tables, paced, saturated, report)
        decisions = found.paced.answer["decisions"] + found.saturated.answer["decisions"]
        found.idle, found.stored, found.disk = idle_bytes, stored, disk
        found.logged = (database.stat().st_size - tables * stored) / decisions
    return found


def our_load(address: str, tables: int) -> Measured:
    given = {"game": GAME, "tables": tables, "seats": SEATS}
    return Measured([sys.executable, "-m", "bench.web.load", address, json.dumps(given)])


@contextmanager
def our_server(database: Path | str) -> Iterator[tuple[Measured, str]]:
    """Starts a server like `tripot serve`, without limits per visitor, because all load comes from one address.

    The database is a file of SQLite, or an address.
    """
    given = {name: 10**9 for name in LIMITS} | {"native": False, "idle_seconds": 3600.0}
    address = database if isinstance(database, str) else f"sqlite:///{database}"
    server = Measured([sys.executable, "-m", "bench.web.server", json.dumps({**given, "database": address})])
    try:
        yield server, server.line().split()[1].rstrip("/")
    finally:
        server.stop()


def measure_beside(tables: int, paced: float, saturated: float, idle: int, report: Report) -> Measures:
    """Measures boardgame.io in the same way. Raises Missing."""
    install(report)
    report(f"boardgame.io: {idle:,} idle tables")
    with beside_server() as (server, address):
        empty = server.memory
        words = ["node", "load.js", address, json.dumps({"tables": idle, "seats": SEATS, "idle": True})]
        generator = Measured(words, BESIDE)
        generator.answer()
        idle_bytes = (server.memory - empty) / idle
        generator.stop()
    with beside_server() as (server, address):
        found = played("boardgame.io", server, beside_load(address, tables), tables, paced, saturated, report)
    found.idle = idle_bytes
    return found


def beside_load(address: str, tables: int) -> Measured:
    return Measured(["node", "load.js", address, json.dumps({"tables": tables, "seats": SEATS})], BESIDE)


@contextmanager
def beside_server() -> Iterator[tuple[Measured, str]]:
    server = Measured(["node", "server.js"], BESIDE)
    try:
        yield server, server.line().split()[1]
    finally:
        server.stop()


def install(report: Report) -> None:
    """Installs boardgame.io with npm, once."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Missing(f"{program} is not installed: boardgame.io was not measured")
    if not (BESIDE / "node_modules" / "boardgame.io").is_dir():
        report("boardgame.io: npm install")
        words = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(words, cwd=BESIDE, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Missing(f"npm install failed, so boardgame.io was not measured: {done.stderr.strip()[-300:]}")


def played(
    name: str, server: Measured, generator: Measured, tables: int, paced: float, saturated: float, report: Report
) -> Measures:
    """Connects every seat, plays one decision a second, then at full load."""
    report(f"{name}: {tables} tables with {SEATS} connected seats each")
    empty = server.memory
    generator.answer()
    connected = server.memory
    report(f"{name}: a decision a second at every table, for {paced:.0f} s")
    calm = under(server, generator, f"pace {paced}")
    report(f"{name}: full load, for {saturated:.0f} s")
    full = under(server, generator, f"saturate {saturated}")
    generator.stop()
    return Measures(name, empty, connected, calm, full, idle=0.0)


def under(server: Measured, generator: Measured, load: str) -> Played:
    start, used, spent, waited = time.monotonic(), server.seconds, generator.seconds, server.waited
    answer = generator.ask(load)
    took = time.monotonic() - start
    shares = (server.seconds - used) / took, (generator.seconds - spent) / took
    return Played(answer, *shares, server.memory, (server.waited - waited) / took)
