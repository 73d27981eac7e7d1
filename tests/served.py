"""A real server in its own process, or in a thread of this one, for the tests of the web table."""

import asyncio
import os
import random
import signal
import socket
import threading
import time
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import uvicorn

from tests import luck
from tests.fork_server import Forked, fork
from tripot.web.api.messages import Letter, Opened
from tripot.web.client import Client, SeatClient
from tripot.web.ops import serve as web_serve
from tripot.web.ops.context import ServerContext
from tripot.web.ops.serve import configuration, listen, serve
from tripot.web.ops.settings import Settings

Result = TypeVar("Result")
PATIENCE = 120.0  # seconds: what never comes fails all the same, and a busy machine may take long
LIMITS = ("requests_at_once", "reads_at_once", "replays_at_once", "tables_at_once", "messages_at_once", "sockets")
FOR_TESTS = {**dict.fromkeys(LIMITS, 100_000), "grace_seconds": 0.05, "beat_seconds": 0.4}  # no limits, short waits
FOR_TESTS["shuffle_seconds"] = 60  # what browsers add to a deal is part of it, however slow they are

if luck.VARIABLE in os.environ:
    luck.replace()


def address_of(database: Path | str) -> str:
    """Returns the address of a database file; an address is returned unchanged."""
    return database if isinstance(database, str) else f"sqlite:///{database}"


class Served:
    """A server on a free port. It can be killed and started again."""

    def __init__(
        self, database: Path | str, clock: Path | None = None, send_buffer: int | None = None, **settings: Any
    ) -> None:
        """`clock` is a file with the offset of the server's clock in seconds; the test may change it at any time.

        `send_buffer` is how many bytes the kernel keeps for a page that does not read; megabytes if nothing is said.
        """
        self.database = database
        self.port = 0  # any free one; after a restart the same one, as a browser expects
        self.settings = {"native": False, **FOR_TESTS, **settings, "database": address_of(database)}
        self.guests: list[SeatClient] = []
        self.environment: dict[str, str] = {}
        if clock is not None:
            self.environment["TEST_CLOCK"] = str(clock)
        if send_buffer is not None:
            self.environment["TEST_SEND_BUFFER"] = str(send_buffer)
        self.start()

    def start(self) -> None:
        given = {"port": self.port, "settings": self.settings}
        self.process: Forked = fork("tests.served", given, self.environment)
        greeting = self.process.first_line()
        if "http://" not in greeting:
            raise RuntimeError(self.end(signal.SIGKILL))
        self.address = greeting.split()[1].rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])
        self.client = Client(self.address)

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """Stops the server. Returns its output since its first line."""
        self.process.send_signal(how)
        return self.process.communicate(PATIENCE)

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for guest in self.guests:
            guest.close()
        if not self.process.ended():
            errors = self.end()
            assert kind is not None or errors == "", errors

    def open_table(self, game: str, seats: Sequence[str | dict[str, Any]], **more: Any) -> Opened:
        return self.client.open_table(game, seats, **{"pace": "instant", **more})

    def sit_all(self, opened: Opened) -> dict[int, SeatClient]:
        """Connects every seat whose token we have."""
        seats = {right.seat: self.client.sit(opened.table.id, right.token) for right in opened.tokens}
        self.guests += seats.values()
        return seats


class ServedHere:
    """A server in a thread of this process, so that a test can access its tables."""

    def __init__(self, database: Path | str, **settings: Any) -> None:
        given = Settings(**{"native": False, **FOR_TESTS, **settings, "database": address_of(database)})
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
        """Runs a coroutine on the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


def whole_choice(seat: SeatClient, letter: Letter, rng: random.Random) -> list[int]:
    """Returns a random choice, made step by step as a page does, and sometimes left unfinished."""
    actions: list[int] = []
    legal = [option.action for option in letter.legal]
    while legal and not (actions and rng.random() < 0.3):
        actions.append(rng.choice(legal))
        legal = [option.action for option in seat.attempt(actions).legal]
    return actions


def play_on(seats: dict[int, SeatClient], rng: random.Random, most: int = 10_000) -> int:
    """Plays random choices until the game is over, or at most `most`. Returns the number of choices."""
    for count in range(most):
        end = time.monotonic() + PATIENCE
        while not (waiting := [seat for seat in seats.values() if seat.await_letter().legal]):
            if all(seat.over for seat in seats.values()):
                return count
            assert time.monotonic() < end, "the game does not go on"
            time.sleep(0.005)  # it is the bots' turn
            bring_up_to_date(seats)
        waiting[0].decide(whole_choice(waiting[0], waiting[0].await_letter(), rng))
        bring_up_to_date(seats)
    return most


def bring_up_to_date(seats: dict[int, SeatClient]) -> None:
    """Receives everything that the server sent before now."""
    for seat in seats.values():
        seat.ask("ping")


def patiently(what: str, seconds: float = PATIENCE) -> Iterator[None]:
    """Retries for a while: `for _ in patiently("…"): if …: break`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.02)
    raise AssertionError(f"timed out: {what}")


def set_clock(file: Path) -> None:
    """Shifts the wall clock of this process by the number of seconds in a file."""
    real = time.time_ns

    def shifted() -> int:
        return real() + round(float(file.read_text() or 0) * 1e9)

    time.time_ns, time.time = shifted, lambda: shifted() / 1e9


def limit_send_buffer(size: int) -> None:
    """Gives the connections of this process a small send buffer: they have that of the socket that listens."""

    def limited(host: str, port: int | None) -> socket.socket:
        listening = listen(host, port)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)
        return listening

    web_serve.listen = limited


def run(given: dict[str, Any]) -> None:
    """Serves until a signal comes."""
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    if "TEST_CLOCK" in os.environ:
        set_clock(Path(os.environ["TEST_CLOCK"]))
    if "TEST_SEND_BUFFER" in os.environ:
        limit_send_buffer(int(os.environ["TEST_SEND_BUFFER"]))
    serve(port=given["port"], browser=False, settings=Settings(**given["settings"]))
