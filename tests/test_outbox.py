"""What rooms write to their sockets leaves together, once the event loop has done what it was about to do."""

import asyncio
from typing import Any

from tripot.web.ops.http_protocol import Outbox, TableSocket


class Network:
    """A transport that takes everything."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.closing = False

    def write(self, data: bytes) -> None:
        self.taken.append(data)

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.closing = True


class Frames:
    """The part of the WebSocket library that closes."""

    def send_close(self, code: int, reason: str) -> None:
        self.closed = code, reason

    def data_to_send(self) -> list[bytes]:
        return [b"closed"]


def a_socket(outbox: Outbox) -> Any:
    socket: Any = object.__new__(TableSocket)
    socket._outbox, socket.loop, socket.transport = outbox, asyncio.get_running_loop(), Network()
    socket.conn, socket.close_sent, socket.close_timeout = Frames(), False, 1.0
    return socket


def test_texts_leave_after_what_the_loop_was_about_to_do() -> None:
    async def work() -> None:
        outbox = Outbox()
        one, two = a_socket(outbox), a_socket(outbox)
        asyncio.get_running_loop().call_soon(one.write_texts, [b"a", b"bc"])
        asyncio.get_running_loop().call_soon(two.write_texts, [b"d"])
        asyncio.get_running_loop().call_soon(one.write_texts, [b"e"])
        await asyncio.sleep(0)
        assert one.transport.taken == two.transport.taken == []
        await asyncio.sleep(0)
        assert (one.transport.taken, two.transport.taken) == ([b"\x81\x01a\x81\x02bc\x81\x01e"], [b"\x81\x01d"])

    asyncio.run(work())


def test_many_decisions_of_one_turn_are_one_write() -> None:
    async def work() -> None:
        socket = a_socket(Outbox())
        for _ in range(3):
            socket.write_texts([b"x"])
        assert socket.transport.taken == []
        await asyncio.sleep(0)
        assert socket.transport.taken == [b"\x81\x01x" * 3]
        await asyncio.sleep(0)
        assert len(socket.transport.taken) == 1

    asyncio.run(work())


def test_what_was_written_before_a_close_arrives_before_it_and_nothing_after_it() -> None:
    async def work() -> None:
        socket = a_socket(Outbox())
        socket.write_texts([b"last"])
        socket.close(1012, "the server stops")
        socket.write_texts([b"too late"])
        await asyncio.sleep(0)
        assert socket.transport.taken == [b"\x81\x04last", b"closed"]
        socket.close_timer.cancel()

    asyncio.run(work())


def test_a_socket_that_is_gone_is_passed_over() -> None:
    async def work() -> None:
        outbox = Outbox()
        gone, here = a_socket(outbox), a_socket(outbox)
        gone.write_texts([b"x"])
        here.write_texts([b"y"])
        gone.transport.closing = True
        await asyncio.sleep(0)
        assert (gone.transport.taken, here.transport.taken) == ([], [b"\x81\x01y"])

    asyncio.run(work())
