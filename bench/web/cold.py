"""What cold caches cost on this machine, without a server: `python -m bench.web.cold --rates 50 150 300 1000`.

The same piece of work, a decision at one of many tables and its four letters, is done one after the other and then so
many times a second. In between the process sleeps in epoll, and another one reads the letters, as the load generator of
the other measurements does. There are no sockets, no threads and no disk: how much longer the piece takes where it is
rarely done is the machine's part of what a server pays at that rate.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from bench.web.measure import GAME, SEATS, Report
from bench.web.process import ROOT
from tripot import GAMES
from tripot.table.table import Table
from tripot.web.api.messages import encode
from tripot.web.live import letters

TOGETHER = 50  # pieces that are done one after the other
SHARE_WARM = 0.2  # of the time of each rate goes to these
WORK, CLOCK = b"w", b"c"  # what the process is asked for: a piece of work, or its CPU time
LONGEST = 1 << 20  # bytes of an answer


@dataclass
class Cold:
    """CPU time of one piece of work, in milliseconds."""

    warm: float  # one after the other
    paced: float  # at this rate

    @property
    def times(self) -> float:
        return self.paced / self.warm


class Pieces:
    """The work: a decision at the next table, and what its four seats are told."""

    def __init__(self, tables: int, seed: int = 1) -> None:
        self._rng = random.Random(seed)
        self._tables = [self._opened() for _ in range(tables)]
        self._next = 0

    def _opened(self) -> tuple[Table, list[letters.Sent]]:
        table = Table(GAMES[GAME], SEATS, self._rng.getrandbits(64))
        table.keeps_moments = True
        whole = [letters.letter(table, who, 0, -1) for who in range(SEATS)]
        return table, [letters.lasting(table, one) for one in whole]

    def do(self) -> bytes:
        """Does one piece and returns the letters, one a line."""
        number = self._next = (self._next + 1) % len(self._tables)
        if self._tables[number][0].over:
            self._tables[number] = self._opened()
        table, sent = self._tables[number]
        told = table.sequence
        offer = table.offer(self._rng.choice(table.waiting))
        table.decide(offer.seat, self._rng.choice(offer.legal), offer.sequence)
        lines = []
        for who, before in enumerate(sent):
            found, sent[who] = letters.changes(table, who, 0, told, before)
            if found is not None:
                lines.append(encode(found))
        table.rest()
        return b"\n".join(lines)


def work(tables: int, descriptor: int) -> None:
    """Does what it is asked for until nobody asks any more: the process that is measured."""
    pieces = Pieces(tables)
    with socket.socket(fileno=descriptor) as asker, select.epoll() as waiting:
        waiting.register(asker, select.EPOLLIN)
        asker.sendall(WORK)  # it is ready
        while True:
            waiting.poll()
            asked = asker.recv(TOGETHER)
            if not asked:
                return
            if asked == CLOCK:
                asker.sendall(repr(time.process_time()).encode())
            else:
                asker.sendall(b"\n".join(pieces.do() for _ in asked))


class Worker:
    """The process that is measured, seen from the one that measures it."""

    def __init__(self, tables: int) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LONGEST)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
        words = [sys.executable, "-m", "bench.web.cold", "--work", str(tables), str(theirs.fileno())]
        self._process = subprocess.Popen(words, cwd=ROOT, pass_fds=[theirs.fileno()])
        theirs.close()
        self._ask(b"")

    def _ask(self, asked: bytes) -> bytes:
        if asked:
            self._line.sendall(asked)
        answer = self._line.recv(LONGEST)
        if not answer:
            raise RuntimeError(f"{self._process.args!r} ended with code {self._process.wait()}")
        return answer

    @property
    def seconds(self) -> float:
        return float(self._ask(CLOCK))

    def do(self, pieces: int) -> None:
        """Has it do this many pieces one after the other, and reads the letters."""
        for line in self._ask(WORK * pieces).split(b"\n"):
            orjson.loads(line)

    def stop(self) -> None:
        self._line.close()
        self._process.wait(30)


def measure_cold(rates: Sequence[int], seconds: float, report: Report) -> dict[int, Cold]:
    """Measures each rate, with a new process and as many tables for each."""
    found = {}
    for rate in rates:
        report(f"cold caches: {rate} pieces of work a second, for {seconds:.0f} s")
        worker = Worker(rate)
        try:
            warm = _pace(worker, 1000, seconds * SHARE_WARM / 2, TOGETHER)
            paced = _pace(worker, rate, seconds * (1 - SHARE_WARM), 1)
            again = _pace(worker, 1000, seconds * SHARE_WARM / 2, TOGETHER)
        finally:
            worker.stop()
        found[rate] = Cold((warm + again) / 2, paced)
    return found


def _pace(worker: Worker, rate: float, seconds: float, together: int) -> float:
    """Returns the milliseconds of a piece where `rate` a second are asked for, `together` at a time."""
    used, count = worker.seconds, 0
    start = time.monotonic()
    while (due := count / rate) < seconds:
        time.sleep(max(0.0, start + due - time.monotonic()))
        worker.do(together)
        count += together
    return (worker.seconds - used) * 1000 / count


def cold_table(cold: Mapping[int, Cold]) -> str:
    """The measurements as Markdown."""
    lines = [
        "| times a second | rules and letters of a decision alone, ms | one after the other, ms | ratio |",
        "|---:|---:|---:|---:|",
        *(f"| {rate:,} | {one.paced:.2f} | {one.warm:.2f} | {one.times:.2f} |" for rate, one in cold.items()),
    ]
    return "\n".join(lines)


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    given.add_argument("--rates", type=int, nargs="+", default=(50, 150, 300, 600, 1000), help="pieces a second")
    given.add_argument("--seconds", type=float, default=10, help="how long each rate is measured")
    given.add_argument("--work", type=int, nargs=2, metavar=("TABLES", "DESCRIPTOR"), help=argparse.SUPPRESS)
    wanted = given.parse_args()
    if wanted.work:
        work(*wanted.work)
        return 0
    load = os.getloadavg()[0]
    found = measure_cold(wanted.rates, wanted.seconds, lambda line: print(line, file=sys.stderr, flush=True))
    print(f"Load average before the start: {load:.1f}\n\n{cold_table(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
