"""Pings of the server: only a page that has said nothing for a while is asked whether it is still there."""

from typing import Any

import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tripot.web.ops.http_protocol import TableSocket


class Clock:
    """An event loop's clock, moved by hand."""

    def __init__(self) -> None:
        self.now, self.timers = 1000.0, list[tuple[float, Any]]()

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, call: Any) -> None:
        self.timers.append((self.now + delay, call))

    def wait(self, seconds: float) -> None:
        until = self.now + seconds
        while due := sorted(timer for timer in self.timers if timer[0] <= until):
            self.timers.remove(due[0])
            self.now = due[0][0]
            due[0][1]()
        self.now = until


class Listener:
    def heard(self, text: str | None) -> None:
        assert text == "{}"


def test_a_page_that_speaks_is_not_pinged_and_a_silent_one_is_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pings: list[float] = []
    clock = Clock()
    monkeypatch.setattr(WebSocketsSansIOProtocol, "send_keepalive_ping", lambda _: pings.append(clock.now))
    socket: Any = object.__new__(TableSocket)
    socket.loop, socket.ping_interval, socket.last_ping_rtt, socket.close_sent = clock, 20, 0.0, False
    socket._reader = Listener()
    socket.start_keepalive()
    for _ in range(10):
        clock.wait(7)
        socket._heard(b"{}")
    assert pings == []
    clock.wait(60)
    assert pings == [1000.0 + 70 + 20]  # not later than for a page that never spoke; the pong asks for the next one
