"""Faults, again and again: `python -m tests.faults --tries 20 --write docs/reliability.md`.

In each try people play at many tables, something breaks, and every table must go on. Then what each person was told is
compared with the log, and every stored game is replayed. All commits go to the disk. Each try is a line of a file, so
a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.page import write_section
from bench.web.page import machine
from tests.crowd import Crowd
from tests.postgres import Postgres
from tests.served import Served, address_of
from tests.system_packages import postgresql
from tests.test_store_damage import PAGE, examined
from tests.test_store_maintenance import fill
from tests.test_web_errors import read_log
from tripot import GAMES, OLDER
from tripot.store import maintenance
from tripot.store.store import open_store

TABLES = 12
PROGRESS = 3  # decisions of people at every table before and after a fault
FROZEN_SECONDS = 30.0  # longer than five missed heartbeats, and than guests wait before they leave
PATIENCE = 8.0  # of guests at a server that does not answer; seconds
JUMPS = (86_400, -86_400, 10 * 365 * 86_400, 0)  # seconds
DAMAGED_FILES = 10  # in one try


class Failed(Exception):
    """A try found something lost, doubled, changed unnoticed or not explained. The message says what."""


@dataclass(frozen=True)
class Try:
    """One try of one fault."""

    fault: str
    number: int
    compared: int  # confirmed decisions, or damaged files
    seconds: float
    failure: str | None = None


@dataclass(frozen=True)
class Fault:
    """Something that breaks. `run` returns what it compared with the log, or raises."""

    name: str
    what: str
    compared: str
    run: Callable[[Path, int], int]
    postgresql: bool = False


# --- Playing through a fault ---


def on_file(folder: Path, harm: Callable[[Served, Crowd], None], **given: Path) -> int:
    """Plays on a SQLite file while something happens to its server."""
    with Served(folder / "tables.sqlite", **given) as server:
        crowd = Crowd([server])
        crowd.open(TABLES)
        with crowd:
            crowd.await_progress(PROGRESS)
            harm(server, crowd)
            crowd.await_progress(PROGRESS)
        return compared([server], crowd, None)


def on_postgresql(postgres: Postgres, number: int, harm: Callable[[list[Served], Crowd], None]) -> int:
    """Plays through two servers on PostgreSQL while something happens to one of them or to the database."""
    address = postgres.database(f"faults_{number}")
    with Served(address) as one, Served(address) as two:
        servers = [one, two]
        crowd = Crowd(servers, patience=PATIENCE)
        crowd.open(TABLES)
        with crowd:
            crowd.await_progress(PROGRESS)
            harm(servers, crowd)
            crowd.await_progress(PROGRESS)
        return compared(servers, crowd, postgres)


def compared(servers: list[Served], crowd: Crowd, postgres: Postgres | None) -> int:
    """Compares what people were told with the log. Returns the number of confirmed decisions."""
    confirmed = crowd.compare_with(read_log(servers[0], postgres))
    for server in servers:
        said = server.end()
        if "Traceback" in said:
            raise Failed(f"a server printed a traceback: {said[-300:]}")
    found = asyncio.run(checked(address_of(servers[0].database)))
    if found.broken or found.damage:
        raise Failed(f"games that do not replay: {found.broken} {found.damage}")
    return confirmed


async def checked(address: str) -> maintenance.CheckResult:
    store = await open_store(address)
    try:
        return await maintenance.check(store, GAMES, OLDER)
    finally:
        await store.close()


# --- The faults ---


def kill_server(folder: Path, _: int) -> int:
    def harm(server: Served, crowd: Crowd) -> None:
        server.end(signal.SIGKILL)
        server.start()

    return on_file(folder, harm)


def failing_writes(folder: Path, _: int) -> int:
    def harm(server: Served, crowd: Crowd) -> None:
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
        crowd.await_storage_errors(3)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)

    return on_file(folder, harm)


def jumping_clock(folder: Path, _: int) -> int:
    clock = folder / "clock"
    clock.write_text("0")

    def harm(server: Served, crowd: Crowd) -> None:
        for jump in JUMPS:
            clock.write_text(str(jump))
            crowd.await_progress(1)

    return on_file(folder, harm, clock=clock)


def with_postgresql(harm: Callable[[Postgres, list[Served], Crowd], None]) -> Callable[[Path, int], int]:
    def run(_: Path, number: int) -> int:
        with durable_postgresql() as postgres:
            return on_postgresql(postgres, number, lambda servers, crowd: harm(postgres, servers, crowd))

    return run


@contextmanager
def durable_postgresql() -> Iterator[Postgres]:
    postgres = Postgres(durable=True)
    try:
        if postgres.psql("SHOW fsync").strip() != "on":
            raise Failed("PostgreSQL does not have fsync on")
        yield postgres
    finally:
        postgres.end()


def kill_one_of_two(_: Postgres, servers: list[Served], crowd: Crowd) -> None:
    servers[0].end(signal.SIGKILL)
    crowd.await_progress(PROGRESS)
    servers[0].start()


def kill_database(postgres: Postgres, _: list[Served], crowd: Crowd) -> None:
    postgres.stop("immediate")  # as in a crash: no checkpoint, recovery from the log
    crowd.await_storage_errors(1)
    postgres.start()


def freeze_one_of_two(_: Postgres, servers: list[Served], crowd: Crowd) -> None:
    frozen = servers[0].process
    frozen.send_signal(signal.SIGSTOP)
    try:
        end = time.monotonic() + FROZEN_SECONDS
        crowd.await_progress(1)  # all tables go on at the other server
        time.sleep(max(0.0, end - time.monotonic()))
    finally:
        frozen.send_signal(signal.SIGCONT)


def damaged_files(folder: Path, number: int) -> int:
    """Flips bits of a file of games and overwrites pages: everything is either the same or named as damaged."""
    file, rng = folder / "whole.sqlite", random.Random(number)
    fill(address_of(file))
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
    played, damaged, _ = asyncio.run(examined(file))
    if not played or damaged:
        raise Failed("the file was damaged from the start")
    whole = file.read_bytes()
    for place in range(DAMAGED_FILES):
        content = bytearray(whole)
        if place % 2:
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        else:
            start = rng.randrange(len(content) // PAGE) * PAGE
            content[start : start + PAGE] = rng.randbytes(PAGE)
        hurt = folder / f"{place}.sqlite"
        hurt.write_bytes(content)
        found, damaged, named = asyncio.run(examined(hurt))
        altered = {table for table in found.keys() & played.keys() if found[table] != played[table]} - named
        if altered or (not damaged and found != played):
            raise Failed(f"file {place}: games changed and nobody noticed")
    return DAMAGED_FILES


FAULTS = [
    Fault("kill", "the server is killed (SQLite)", "decisions", kill_server),
    Fault("disk", "writes fail for a while (SQLite)", "decisions", failing_writes),
    Fault("clock", "the clock jumps by a day and by ten years, and back (SQLite)", "decisions", jumping_clock),
    Fault("damage", "bits are flipped, pages overwritten (SQLite)", "files", damaged_files),
    Fault("one", "one of two servers is killed (PostgreSQL)", "decisions", with_postgresql(kill_one_of_two), True),
    Fault("database", "PostgreSQL is killed under two servers", "decisions", with_postgresql(kill_database), True),
    Fault(
        "frozen",
        f"one of two servers is frozen for {FROZEN_SECONDS:.0f} s (PostgreSQL)",
        "decisions",
        with_postgresql(freeze_one_of_two),
        True,
    ),
]


# --- Running ---


def run(fault: Fault, number: int) -> Try:
    """Runs one try. Whatever it raises is its failure."""
    since = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            found, failure = fault.run(Path(folder), number), None
        except Exception as error:
            found, failure = 0, f"{type(error).__name__}: {error}"[:500]
    return Try(fault.name, number, found, round(time.monotonic() - since, 1), failure)


def read_tries(file: Path) -> list[Try]:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [Try(**json.loads(line)) for line in lines]


def section(faults: list[Fault], tries: list[Try]) -> str:
    """The table of results as Markdown."""
    lines = ["| fault | tries | failures | compared with the log | lost or doubled |", "|---|---:|---:|---:|---:|"]
    for fault in faults:
        own = [one for one in tries if one.fault == fault.name]
        failures = sum(one.failure is not None for one in own)
        count = f"{sum(one.compared for one in own):,} {fault.compared}"
        lost = "?" if failures else "0"
        lines.append(f"| {fault.what} | {len(own)} | {failures} | {count} | {lost if own else ''} |")
    failed = [f"- {one.fault}, try {one.number}: {one.failure}" for one in tries if one.failure]
    told = [f"`make faults`, {datetime.now(UTC):%Y-%m-%d}, on {machine()}.", "\n".join(lines)]
    return "\n\n".join([*told, "\n".join(["Failures:", "", *failed])] if failed else told)


def main(words: list[str]) -> int:
    reader = argparse.ArgumentParser(prog="make faults", description=(__doc__ or "").split(":")[0])
    reader.add_argument("faults", nargs="*", help=f"of these: {', '.join(fault.name for fault in FAULTS)}; all of them")
    reader.add_argument("--tries", type=int, default=20, help="of each fault")
    reader.add_argument("--save", type=Path, default=Path(".faults/tries.jsonl"), help="where tries are kept")
    reader.add_argument("--write", type=Path, metavar="FILE", help="write the table into this page")
    wanted = reader.parse_args(words)
    unknown = set(wanted.faults) - {fault.name for fault in FAULTS}
    if unknown:
        reader.error(f"there is no fault {', '.join(sorted(unknown))}")
    chosen = [fault for fault in FAULTS if not wanted.faults or fault.name in wanted.faults]
    if postgresql() is None and any(fault.postgresql for fault in chosen):
        print("PostgreSQL is not installed (make test-deps): its faults are left out", file=sys.stderr)
        chosen = [fault for fault in chosen if not fault.postgresql]
    wanted.save.parent.mkdir(parents=True, exist_ok=True)
    done = {(one.fault, one.number) for one in read_tries(wanted.save)}
    for number in range(1, wanted.tries + 1):
        for fault in [fault for fault in chosen if (fault.name, number) not in done]:
            found = run(fault, number)
            with wanted.save.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(found)) + "\n")
            told = found.failure or f"{found.compared} {fault.compared}"
            print(f"{fault.name:9} {number:>3} of {wanted.tries}  {found.seconds:6.1f} s  {told}", flush=True)
    tries = read_tries(wanted.save)
    content = section(FAULTS, tries)
    print(content)
    if wanted.write is not None:
        write_section(wanted.write, "faults", content)
    return 1 if any(one.failure for one in tries) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
