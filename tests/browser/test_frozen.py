"""One of two processes is frozen: its pages notice, connect to the other one and lose nothing."""

import itertools
import random
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.person import await_turn, choose, moment, open_table, play
from tests.postgres import Postgres
from tests.served import Served
from tripot import GAMES

pytestmark = pytest.mark.browser

NAME = next(iter(GAMES))


class Balancer:
    """Passes each new connection on to the next of its servers, as a load balancer does."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.turn: Iterator[Served] = iter(())
        self._open = [self._listening]
        self._accepting = threading.Thread(target=self._run)
        self._accepting.start()

    def _run(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                self._open.append(client)
                try:
                    server = socket.create_connection(("127.0.0.1", next(self.turn).port))
                except ConnectionRefusedError:
                    client.close()  # this server has stopped: the page tries again
                    continue
                self._open.append(server)
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._copy, args=(source, target), daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(65536):
                target.sendall(part)
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        for line in self._open:
            line.close()


@pytest.fixture
def balancer() -> Iterator[Balancer]:
    found = Balancer()
    yield found
    found.close()


@pytest.fixture
def server(balancer: Balancer) -> Balancer:
    """What `visit` visits."""
    return balancer


@pytest.mark.server
def test_a_page_leaves_a_frozen_process_for_another_one(visit: Visit, balancer: Balancer, postgres: Postgres) -> None:
    address = postgres.database("frozen")
    with Served(address) as first, Served(address) as second:
        balancer.turn = itertools.repeat(first)
        page = visit("/")
        page.clock.install()
        page.goto("/")
        table = open_table(page, NAME)
        play(page, random.Random(3), most=2)
        assert await_turn(page)
        before = moment(page)
        balancer.turn = itertools.cycle([first, second])
        first.process.send_signal(signal.SIGSTOP)
        try:
            pass_time(page, until=True)  # a silence: the page asks, and no answer comes
            pass_time(page, until=False)  # it connects to the frozen process once more, and then to the other one
            assert moment(page) == before
            choose(page, random.Random(4))
            assert await_turn(page)  # the other process runs the bots now
        finally:
            first.process.send_signal(signal.SIGCONT)
        play(page, random.Random(5), most=2)
        assert second.client.table(table).status == "playing"
        page.close()  # it would go on loading from a process that ends
        # A process that was frozen in the middle of a statement says that this statement has failed, and nothing else.
        said = first.end().splitlines()
        assert all(line.startswith(("cannot send a heartbeat or poll: ", "cannot listen for changes")) for line in said)


def pass_time(page: Page, until: bool) -> None:
    """Lets the page's clock run, five times as fast as time, until the page says that it is cut off, or no longer."""
    for _ in range(300):
        if page.locator(".banner.bad").is_visible() == until:
            return
        page.clock.fast_forward(1_000)
        page.wait_for_timeout(200)
    raise AssertionError("the page does not notice" if until else "the page does not find the other process")
