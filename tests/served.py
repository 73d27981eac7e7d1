"""A real server in a process of its own, for the tests of the web table: `python -m tests.served PORT JSON`."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import uvicorn

from tripot.web.api.messages import Letter, Opened
from tripot.web.client import Client, SeatClient
from tripot.web.ops.context import ServerContext
from tripot.web.ops.serve import configuration, listen, serve
from tripot.web.ops.settings import Settings

Result = TypeVar("Result")
LIMITS = ("requests_at_once", "reads_at_once", "replays_at_once", "tables_at_once", "messages_at_once", "sockets")
PATIENT = {**dict.fromkeys(LIMITS, 100_000), "grace_seconds": 0.05, "beat_seconds": 0.4}  # tests are in a hurry


def address_of(database: Path | str) -> str:
    """A file's address, or an address as it is."""
    return database if isinstance(database, str) else f"sqlite:///{database}"


class Served:
    """A server on a free port with a database of its own, or one that it shares. It can be killed and started again."""

    def __init__(self, database: Path | str, clock: Path | None = None, **settings: Any) -> None:
        """`clock` is a file with the seconds by which the server's clock is wrong; it may change at any time."""
        self.database = database
        self.port = 0  # any free one; after a restart the same one, as for a person's browser
        self.settings = {"native": False, **PATIENT, **settings, "database": address_of(database)}
        self.guests: list[SeatClient] = []
        self.environment: dict[str, str] = {}
        if clock is not None:
            self.environment["TEST_CLOCK"] = str(clock)
        self.start()

    def start(self) -> None:
        words = [sys.executable, "-m", "tests.served", str(self.port), json.dumps(self.settings)]
        root = Path(__file__).parent.parent
        pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(words, cwd=root, env=os.environ | self.environment, **pipes)
        assert self.process.stdout is not None
        greeting = self.process.stdout.readline()
        if "http://" not in greeting:
            raise RuntimeError(self.end(signal.SIGKILL))
        self.address = greeting.split()[1].rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])
        self.client = Client(self.address)

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """Stop the server; what it said and complained of since it greeted us."""
        self.process.send_signal(how)
        said, complained = self.process.communicate(timeout=30)
        return said + complained

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for guest in self.guests:
            guest.close()
        if self.process.poll() is None:
            errors = self.end()
            assert kind is not None or errors == "", errors

    def open_table(self, game: str, seats: Sequence[str | dict[str, Any]], **more: Any) -> Opened:
        return self.client.open_table(game, seats, **{"pace": "instant", **more})

    def sit_all(self, opened: Opened) -> dict[int, SeatClient]:
        """A connection for every seat whose token was given."""
        seats = {right.seat: self.client.sit(opened.table.id, right.token) for right in opened.tokens}
        self.guests += seats.values()
        return seats


class ServedHere:
    """A server in a thread of this process, whose tables a test can reach into."""

    def __init__(self, database: Path | str, **settings: Any) -> None:
        given = Settings(**{"native": False, **PATIENT, **settings, "database": address_of(database)})
        self._config = configuration(given)
        self._server = uvicorn.Server(self._config)
        self._listening = listen("127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.client = Client(self.address)
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve(sockets=[self._listening])

    def __enter__(self) -> "ServedHere":
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        app: Any = self._config.app
        self.context: ServerContext = app.state.context
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do something on the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)


def whole_choice(seat: SeatClient, letter: Letter, luck: random.Random) -> list[int]:
    """A choice made up step by step as a page does, and sometimes left unfinished."""
    actions: list[int] = []
    legal = [option.action for option in letter.legal]
    while legal and not (actions and luck.random() < 0.3):
        actions.append(luck.choice(legal))
        legal = [option.action for option in seat.attempt(actions).legal]
    return actions


def play_on(seats: dict[int, SeatClient], luck: random.Random, most: int = 10_000) -> int:
    """Let these seats decide by lot until the game is over, or for a number of choices. Returns how many."""
    patience = 6000
    for count in range(most):
        while not (waiting := [seat for seat in seats.values() if seat.await_letter().legal]):
            if all(seat.over for seat in seats.values()):
                return count
            time.sleep(0.005)  # bots are to decide
            patience -= 1
            assert patience, "the game does not go on"
            bring_up_to_date(seats)
        waiting[0].decide(whole_choice(waiting[0], waiting[0].await_letter(), luck))
        bring_up_to_date(seats)
    return most


def bring_up_to_date(seats: dict[int, SeatClient]) -> None:
    """Hear everything that was sent before now."""
    for seat in seats.values():
        seat.ask("ping")


def patiently(what: str, seconds: float = 30) -> Iterator[None]:
    """Try again for a while: `for _ in patiently("…"): if …: break`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.02)
    raise AssertionError(f"waited in vain: {what}")


def set_clock(file: Path) -> None:
    """From now on the clock on the wall of this process is wrong by as many seconds as stand in a file."""
    right = time.time_ns

    def wrong() -> int:
        return right() + round(float(file.read_text() or 0) * 1e9)

    time.time_ns, time.time = wrong, lambda: wrong() / 1e9


if __name__ == "__main__":
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    if "TEST_CLOCK" in os.environ:
        set_clock(Path(os.environ["TEST_CLOCK"]))
    serve(port=int(sys.argv[1]), browser=False, settings=Settings(**json.loads(sys.argv[2])))
