"""What is measured: a server with tables in play, at a decision a second and as fast as it goes, and idle tables."""

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

from bench.web.load import open_tables
from bench.web.process import ROOT, Measured

GAME, SEATS = "verrater", 4  # every decision of this game changes something for every seat
BESIDE = ROOT / "bench" / "boardgame"
LIMITS = ("requests_at_once", "reads_at_once", "replays_at_once", "tables_at_once", "messages_at_once", "sockets")

Report = Callable[[str], None]


@dataclass
class Played:
    """What a server did under one kind of load."""

    answer: dict[str, Any]  # what the load generator counted
    cpu: float  # share of one core that the server used
    generator: float  # and the load generator
    memory: int  # resident bytes at the end

    @property
    def milliseconds(self) -> float:
        """Processor time of the server for one decision."""
        return self.cpu * 1000 / float(self.answer["per_second"])


@dataclass
class Measures:
    """All that was measured of one server."""

    name: str
    empty: int  # resident bytes before anybody came
    connected: int  # with all seats connected
    paced: Played
    saturated: Played
    idle: float  # bytes of memory of a table nobody is connected to
    stored: float | None = None  # bytes on disk of a table without decisions, and of a decision
    logged: float | None = None
    plain: Played | None = None  # as fast as it goes, without compression


class Missing(Exception):
    """Something that the measurement needs is not here; the message says what."""


def measure_ours(tables: int, paced: float, saturated: float, idle: int, report: Report) -> Measures:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "idle.sqlite"
        report(f"Tripot: {idle:,} idle tables")
        with our_server(database) as (server, address):
            empty = server.memory
            open_tables(address.removeprefix("http://"), GAME, idle, SEATS)
            heaviness = (server.memory - empty) / idle
        stored = database.stat().st_size / idle
        database = Path(folder) / "played.sqlite"
        with our_server(database) as (server, address):
            found = played("Tripot", server, our_load(address, tables), tables, paced, saturated, report)
        with our_server(Path(folder) / "plain.sqlite") as (server, address):
            found.plain = uncompressed(server, our_load(address, tables, compress=False), saturated, report)
        decisions = found.paced.answer["decisions"] + found.saturated.answer["decisions"]
        found.idle, found.stored = heaviness, stored
        found.logged = (database.stat().st_size - tables * stored) / decisions
    return found


def our_load(address: str, tables: int, compress: bool = True) -> Measured:
    given = {"game": GAME, "tables": tables, "seats": SEATS, "compress": compress}
    return Measured([sys.executable, "-m", "bench.web.load", address, json.dumps(given)])


def uncompressed(server: Measured, generator: Measured, saturated: float, report: Report) -> Played:
    """As fast as it goes with pages that ask for no compression."""
    report(f"Tripot: the same without compression, for {saturated / 2:.0f} s")
    generator.answer()
    found = under(server, generator, f"saturate {saturated / 2}")
    generator.stop()
    return found


@contextmanager
def our_server(database: Path) -> Iterator[tuple[Measured, str]]:
    """A server as `tripot serve` runs it, its limits on visitors out of the way: the load comes from one address."""
    given = {name: 10**9 for name in LIMITS} | {"native": False, "idle_seconds": 3600.0}
    settings = json.dumps({**given, "database": f"sqlite:///{database}"})
    server = Measured([sys.executable, "-m", "bench.web.server", settings])
    try:
        yield server, server.line().split()[1].rstrip("/")
    finally:
        server.stop()


def measure_beside(tables: int, paced: float, saturated: float, idle: int, report: Report) -> Measures:
    """The same of boardgame.io. Raises Missing."""
    install(report)
    report(f"boardgame.io: {idle:,} idle tables")
    with beside_server() as (server, address):
        empty = server.memory
        words = ["node", "load.js", address, json.dumps({"tables": idle, "seats": SEATS, "idle": True})]
        generator = Measured(words, BESIDE)
        generator.answer()
        heaviness = (server.memory - empty) / idle
        generator.stop()
    with beside_server() as (server, address):
        words = ["node", "load.js", address, json.dumps({"tables": tables, "seats": SEATS})]
        found = played("boardgame.io", server, Measured(words, BESIDE), tables, paced, saturated, report)
    found.idle = heaviness
    return found


@contextmanager
def beside_server() -> Iterator[tuple[Measured, str]]:
    server = Measured(["node", "server.js"], BESIDE)
    try:
        yield server, server.line().split()[1]
    finally:
        server.stop()


def install(report: Report) -> None:
    """Fetch boardgame.io with npm, once."""
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
    """Connect every seat, then play at a decision a second, then as fast as it goes."""
    report(f"{name}: {tables} tables with {SEATS} connected seats each")
    empty = server.memory
    generator.answer()
    connected = server.memory
    report(f"{name}: a decision a second at every table, for {paced:.0f} s")
    calm = under(server, generator, f"pace {paced}")
    report(f"{name}: as fast as it goes, for {saturated:.0f} s")
    full = under(server, generator, f"saturate {saturated}")
    generator.stop()
    return Measures(name, empty, connected, calm, full, idle=0.0)


def under(server: Measured, generator: Measured, load: str) -> Played:
    start, used, spent = time.monotonic(), server.seconds, generator.seconds
    answer = generator.ask(load)
    took = time.monotonic() - start
    return Played(answer, (server.seconds - used) / took, (generator.seconds - spent) / took, server.memory)
