"""The load generator: many tables of four, every seat connected, random legal decisions.

`python -m bench.web.load ADDRESS JSON` reads one command a line (`pace`, `saturate`, `stop`) and answers each with one
line of JSON, so that its caller can measure the server in between.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import orjson

from bench.web.wire import Wire

OPENERS = 16  # connections opened at the same time
OPENING_TIMEOUT = 120.0  # seconds
PROTOCOL = 2  # as the page speaks it: a letter says only what has changed
DECISION_TIMEOUT = 30.0  # seconds until a decision counts as lost
MOST_FINISHED = 0.01  # share of the tables whose games may end at full load: then there is no full load any more
DRAIN_SECONDS = 1.0  # after full load, until the last decisions are confirmed


@dataclass(eq=False)
class Seat:
    """One connected seat, with the parts of its last letter that the generator needs."""

    number: int
    table: LoadTable
    token: str
    wire: Wire | None = None
    sequence: int = 0
    legal: tuple[int, ...] = ()
    over: bool = False
    letters: int = 0

    def on_message(self, text: bytes) -> None:
        self.table.load.received += len(text)
        message = orjson.loads(text)
        kind = message["type"]
        if kind in ("letter", "changes"):
            self.sequence = message["sequence"]
            if "legal" in message:
                self.legal = tuple(option["action"] for option in message["legal"])
            self.over = bool(message["view"].get("over", self.over))
            self.letters += 1
            self.table.got_letter(self)
        elif kind == "done":
            self.table.got_done()
        elif kind == "error":
            self.table.load.problems.append(json.dumps(message["error"]))

    def on_close(self, why: str) -> None:
        self.table.load.problems.append(why)


@dataclass(eq=False)
class LoadTable:
    """One table. A decision is confirmed when its seat has received `done` and every seat a letter."""

    load: Load
    id: str
    seats: list[Seat] = field(default_factory=list)
    began: float = 0.0  # when the pending decision was due; 0: no decision is pending
    missing: set[int] = field(default_factory=set)
    done: bool = False

    def decide(self, due: float) -> bool:
        """Sends a decision of a seat that must decide. Returns False if there is none."""
        waited = [seat for seat in self.seats if seat.legal]
        if not waited:
            return False
        seat = self.load.rng.choice(waited)
        action = self.load.rng.choice(seat.legal)
        self.began, self.done = due, False
        self.missing = {other.number for other in self.seats}
        assert seat.wire is not None
        seat.wire.send(b'{"type":"decide","sequence":%d,"actions":[%d]}' % (seat.sequence, action))
        return True

    def got_letter(self, seat: Seat) -> None:
        self.missing.discard(seat.number)
        self._confirmed()

    def got_done(self) -> None:
        self.done = True
        self._confirmed()

    def _confirmed(self) -> None:
        if self.began and self.done and not self.missing:
            self.load.note(time.perf_counter() - self.began)
            self.began = 0.0
            if self.load.saturating and not self.decide(time.perf_counter()):
                self.load.game_over()


class Load:
    """All tables and their measurements."""

    def __init__(self, address: str, game: str, tables: int, seats: int, seed: int = 1) -> None:
        self.host = urlsplit(address).netloc
        self.game, self.count, self.places = game, tables, seats
        self.rng = random.Random(seed)
        self.tables: list[LoadTable] = []
        self.delays: list[float] = []
        self.problems: list[str] = []
        self.received = 0
        self.saturating = False
        self.finished = 0
        self.exhausted = asyncio.Event()
        self.skipped = 0

    def note(self, seconds: float) -> None:
        self.delays.append(seconds)

    def game_over(self) -> None:
        self.finished += 1
        if self.finished > MOST_FINISHED * self.count:
            self.exhausted.set()

    # --- Opening ---

    async def open(self) -> dict[str, Any]:
        """Opens all tables and connects every seat."""
        start = time.perf_counter()
        opened = await asyncio.to_thread(open_tables, self.host, self.game, self.count, self.places)
        gate = asyncio.Semaphore(OPENERS)
        for answer in opened:
            table = LoadTable(self, answer["table"]["id"])
            table.seats = [Seat(right["seat"], table, right["token"]) for right in answer["tokens"]]
            self.tables.append(table)
        await asyncio.gather(*(self._sit(gate, seat) for table in self.tables for seat in table.seats))
        while not all(seat.letters for table in self.tables for seat in table.seats):
            if self.problems or time.perf_counter() - start > OPENING_TIMEOUT:
                raise RuntimeError(f"seats without a letter: {self.problems[:5]}")
            await asyncio.sleep(0.05)
        return {"opened": len(self.tables), "seconds": time.perf_counter() - start, "problems": self.problems[:5]}

    async def _sit(self, gate: asyncio.Semaphore, seat: Seat) -> None:
        host, port = self.host.split(":")
        async with gate:
            _, wire = await asyncio.get_running_loop().create_connection(
                lambda: Wire(seat.on_message, seat.on_close), host, int(port)
            )
            seat.wire = wire
            wire.connect(self.host, f"/api/tables/{seat.table.id}/socket")
            await wire.open
            wire.send(json.dumps({"type": "hello", "token": seat.token, "protocol": PROTOCOL}).encode())

    # --- Playing ---

    async def pace(self, seconds: float, every: float = 1.0) -> dict[str, Any]:
        """Plays one decision a second at every table, each table at a different moment of the second."""
        self.delays, self.received, self.skipped = [], 0, 0
        ending = asyncio.get_running_loop().time() + seconds
        start = time.perf_counter()
        await asyncio.gather(
            *(self._paced(table, i / len(self.tables) * every, every, ending) for i, table in enumerate(self.tables))
        )
        took = time.perf_counter() - start
        lost = sum(table.began != 0 for table in self.tables)
        return self._summary(took) | {"lost": lost, "skipped": self.skipped}

    async def _paced(self, table: LoadTable, offset: float, every: float, ending: float) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + offset
        while due < ending:
            await asyncio.sleep(max(0.0, due - loop.time()))
            if table.began:
                self.skipped += 1  # the last decision is still pending: it counts with the time it takes
            elif not table.decide(time.perf_counter()):
                self.game_over()
            due += every
        waited = 0.0
        while table.began and waited < DECISION_TIMEOUT:
            await asyncio.sleep(0.05)
            waited += 0.05

    async def saturate(self, seconds: float) -> dict[str, Any]:
        """Plays the next decision of a table as soon as the last one is confirmed, while all tables have a game.

        Ends sooner when the first games are over, and says how long it took.
        """
        self.delays, self.received, self.finished = [], 0, 0
        self.exhausted.clear()
        self.saturating = True
        start = time.perf_counter()
        for table in self.tables:
            if not table.decide(time.perf_counter()):
                self.game_over()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.exhausted.wait(), seconds)
        self.saturating = False
        return self._summary(time.perf_counter() - start) | {"finished": self.finished}

    def _summary(self, took: float) -> dict[str, Any]:
        delays = sorted(self.delays)
        if not delays:
            raise RuntimeError(f"no decision was confirmed in {took:.0f} s")
        at = {
            f"p{share}": delays[min(len(delays) - 1, int(len(delays) * share / 100))] * 1000 for share in (50, 95, 99)
        }
        within = sum(delay <= 0.1 for delay in delays) / len(delays)
        return {
            "decisions": len(delays),
            "seconds": took,
            "per_second": len(delays) / took,
            **at,
            "worst": delays[-1] * 1000,
            "within": within,
            "received": self.received,
            "problems": self.problems[:5],
        }


def open_tables(host: str, game: str, tables: int, seats: int) -> list[Any]:
    """Opens tables over HTTP, one after the other on one connection."""
    connection = http.client.HTTPConnection(host, timeout=60)
    body = json.dumps({"game": game, "seats": [{"kind": "here"}] * seats, "pace": "instant"})
    found = []
    for _ in range(tables):
        connection.request("POST", "/api/tables", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 201:
            raise RuntimeError(f"the server opened no table: {content[:300]!r}")
        found.append(json.loads(content))
    connection.close()
    return found


async def run_commands(address: str, given: dict[str, Any]) -> None:
    """Runs the commands from standard input."""
    load = Load(address, **given)
    loop = asyncio.get_running_loop()
    print(json.dumps(await load.open()), flush=True)
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        word, _, seconds = line.strip().partition(" ")
        if word == "pace":
            answer = await load.pace(float(seconds))
        elif word == "saturate":
            answer = await load.saturate(float(seconds))
        else:
            break
        print(json.dumps(answer), flush=True)  # at once: the server's processor time is read now
        await asyncio.sleep(DRAIN_SECONDS if word == "saturate" else 0)


def main() -> None:
    try:
        import uvloop

        uvloop.run(run_commands(sys.argv[1], json.loads(sys.argv[2])))
    except ImportError:
        asyncio.run(run_commands(sys.argv[1], json.loads(sys.argv[2])))


if __name__ == "__main__":
    main()
