"""HTTP below the application: limits on headers and connections, and answers to what is not a request.

A server at home has no proxy in front of it. Every answer here carries the security headers and counts for its visitor.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import logging
import re
import time
from collections import Counter
from contextlib import suppress
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # a system without the compiled part
    from websockets.utils import apply_mask

from tripot.web.api.messages import Failure
from tripot.web.live.connection import WIRE, Reader
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.middleware import HEADERS, RETRY
from tripot.web.ops.rate_limits import RateLimits, visitor_of
from tripot.web.ops.settings import Settings

LONGEST_SOCKET_HEADER = 8000  # bytes of one line of a WebSocket's header; the library behind allows 8192
MOST_SOCKET_HEADERS = 100  # the library behind allows 128
LISTS = (b"connection", b"sec-websocket-protocol")  # of words, which the library behind reads
LIST = re.compile(rb"[ \t]*[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*[ \t]*")
WARNING_SECONDS = 60.0  # between two warnings of the same kind
RESERVED_FILES = 100  # open files that are not connections: the database, the page, modules
Client = tuple[str, int] | None
logger = logging.getLogger(__name__)


class ConnectionLimits:
    """What all connections of a server share."""

    def __init__(self, settings: Settings, rate_limits: RateLimits, refused: Counter[str]) -> None:
        self.settings, self.rate_limits, self.refused = settings, rate_limits, refused
        self.most = min(settings.connections, open_files(settings.connections + RESERVED_FILES) - RESERVED_FILES)
        self._warned: dict[str, float] = {}
        self._visitors: Counter[str] = Counter()  # how many connections each has

    def came(self, client: Client) -> int:
        """Counts a connection. Returns how many its visitor has."""
        visitor = visitor_of({"client": client})
        self._visitors[visitor] += 1
        return self._visitors[visitor]

    def left(self, client: Client) -> None:
        """Counts a connection no longer."""
        visitor = visitor_of({"client": client})
        self._visitors[visitor] -= 1
        if not self._visitors[visitor]:
            del self._visitors[visitor]

    def unlimited(self, host: str) -> bool:
        """Whether connections from this address are not counted: those of a proxy are many visitors'."""
        with suppress(ValueError):
            address = ip_address(host)
            trusted = [part.strip() for part in self.settings.proxies.split(",")]
            return "*" in trusted or any(_within(address, part) for part in trusted)
        return False

    def refuse(self, error: ApiError) -> bytes:
        """Counts a refusal and returns it as a whole HTTP answer."""
        self.refused[error.problem.reason] += 1
        return answer(error)

    def warn(self, message: str, *numbers: object) -> None:
        """Logs a warning, but the same one only once a minute."""
        now = time.monotonic()
        if now - self._warned.get(message, -WARNING_SECONDS) >= WARNING_SECONDS:
            self._warned[message] = now
            logger.warning(message, *numbers)


class LimitedHttp(HttpToolsProtocol):
    """One connection of a client, until it becomes a WebSocket."""

    def __init__(self, limits: ConnectionLimits, **given: Any) -> None:
        super().__init__(**given)
        self._limits = limits
        self._in_header = True
        self._header_bytes = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._problem: ApiError | None = None  # why the parser was stopped
        self._unanswered: list[RequestResponseCycle] = []

    # --- Connections ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limits = self._limits
        count = limits.came(self.client)
        if len(self.connections) > limits.most:
            limits.warn("the server is full: %d connections; see TRIPOT_CONNECTIONS", limits.most)
            return self._refuse(ApiError(ErrorCode.NO_ROOM))
        most = limits.settings.visitor_connections
        if count > most and not self._unlimited():
            limits.warn("a visitor has %d connections already; see TRIPOT_VISITOR_CONNECTIONS", most)
            return self._refuse(ApiError(ErrorCode.TOO_MANY_SOCKETS, most))
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody answers a client that is gone. (uvicorn tells only the last of several requests that came at once.)"""
        self._stop_deadline()
        self._limits.left(self.client)
        for cycle in self._unanswered:
            cycle.disconnected = True
        super().connection_lost(exc)

    def _unlimited(self) -> bool:
        return self.client is None or self._limits.unlimited(self.client[0])

    # --- Headers ---

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        self._header_bytes += len(data)  # until a header is complete, or a part of a body comes
        if self._in_header or (self.cycle is not None and self.cycle.response_complete):
            self._start_deadline()  # also for the rest of a body that nobody waits for: it was answered
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
        except httptools.HttpParserError:
            self._refuse_request(self._problem or ApiError(ErrorCode.BAD_REQUEST))
        else:
            if self._header_bytes > self._limits.settings.header_bytes:
                self._refuse_request(self._too_large())

    def on_headers_complete(self) -> None:
        self._stop_deadline()
        self._in_header, self._header_bytes = False, 0
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self._limits.settings.header_bytes:
            self._problem = self._too_large()
            raise self._problem  # the parser stops
        if self.parser.should_upgrade() and self._should_upgrade() and self._has_body():
            self._problem = ApiError(ErrorCode.BAD_REQUEST)  # nobody would read it, nor answer
            raise self._problem
        super().on_headers_complete()
        if self.cycle is not None:
            unanswered = [cycle for cycle in self._unanswered if not cycle.response_complete]
            self._unanswered = [*unanswered, self.cycle]

    def on_body(self, body: bytes) -> None:
        self._header_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_header = True
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        problem = self._socket_problem()
        if problem is not None:
            return self._refuse_request(problem)
        super().handle_websocket_upgrade()
        self._limits.left(self.client)  # the socket has come in its place

    def _has_body(self) -> bool:
        return any(
            name == b"transfer-encoding" or (name == b"content-length" and value.strip() != b"0")
            for name, value in self.headers
        )

    def _socket_problem(self) -> ApiError | None:
        """Returns what is wrong with an upgrade to a WebSocket. The library behind answers without our headers."""
        if len(self.headers) > MOST_SOCKET_HEADERS:
            return ApiError(ErrorCode.HEADER_TOO_LARGE, LONGEST_SOCKET_HEADER)
        lines = [len(self.url), *[len(name) + len(value) for name, value in self.headers]]
        if max(lines) > LONGEST_SOCKET_HEADER:
            return ApiError(ErrorCode.HEADER_TOO_LARGE, LONGEST_SOCKET_HEADER)
        versions = [value.strip() for name, value in self.headers if name == b"sec-websocket-version"]
        keys = [value.strip() for name, value in self.headers if name == b"sec-websocket-key"]
        sound = self.scope["method"] == "GET" and self.url.isascii() and versions == [b"13"] and len(keys) == 1
        sound = sound and sum(name == b"upgrade" for name, _ in self.headers) == 1
        sound = sound and all(LIST.fullmatch(value) for name, value in self.headers if name in LISTS)
        return None if sound and _is_key(keys[0]) else ApiError(ErrorCode.BAD_REQUEST)

    # --- Time ---

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self._limits.settings.header_seconds, self._too_slow)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        if self._header_bytes:  # browsers open connections that they may need, and then do not
            self._limits.warn("a header did not arrive in time: its connection was closed")
        self._refuse(ApiError(ErrorCode.TOO_SLOW))

    # --- Answers ---

    def _too_large(self) -> ApiError:
        return ApiError(ErrorCode.HEADER_TOO_LARGE, self._limits.settings.header_bytes)

    def _refuse_request(self, error: ApiError) -> None:
        """Answers what never becomes a request. It counts as one all the same."""
        scope = {"type": "http", "method": "GET", "path": "", "client": self.client}
        try:
            self._limits.rate_limits.check(scope)
        except ApiError as too_fast:
            error = too_fast
        self._refuse(error)

    def _refuse(self, error: ApiError) -> None:
        self._stop_deadline()
        if not self.transport.is_closing():
            self.transport.write(self._limits.refuse(error))
            self.transport.close()


class Nobody:
    """Stands for the queue and the events of a socket once nobody waits for them: they are a third of its memory."""

    def put_nowait(self, message: object) -> None:
        pass

    def set(self) -> None:
        pass

    def clear(self) -> None:
        pass


NOBODY = Nobody()


class Outbox:
    """Sockets with something to send. All of them send when the event loop has done what it was about to do.

    Between two decisions the processor would change from the rules to the network and back, and every reader on the
    same machine would be woken for each letter.
    """

    def __init__(self) -> None:
        self._sockets: list[TableSocket] = []

    def add(self, socket: TableSocket) -> None:
        if not self._sockets:
            socket.loop.call_soon(self._send)
        self._sockets.append(socket)

    def _send(self) -> None:
        sockets, self._sockets = self._sockets, []
        for socket in sockets:
            socket.send_waiting()


class TableSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose request may be answered with an error, and which outlives its request: a `Wire`.

    The application accepts it, attaches a reader and returns. From then on the socket is all that a connection costs:
    no task, no queue and none of the layers of a request wait with it.
    """

    _reader: Reader | None = None
    _parts: tuple[bytes, ...] = ()  # of frames, in the outbox
    _between_frames = True  # whether all that has come since the handshake were whole frames
    _heard_at = 0.0  # when a message last came, by the clock of the loop

    def __init__(self, limits: ConnectionLimits, outbox: Outbox, **given: Any) -> None:
        super().__init__(**given)
        self._limits, self._outbox = limits, outbox

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._limits.came(self.client)

    # --- Until it is attached ---

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][WIRE] = {"socket": self}

    async def run_asgi(self) -> None:
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except BaseException:
            self.logger.exception("a socket failed")
            self.send_500_response()
        if self._reader is None and self.close_timer is None:
            self.transport.close()
        self.scope["extensions"].clear()  # it leads back to this socket
        self.request.headers.clear()  # the parser holds them as long as the socket lives
        del self.scope, self.request, self.response

    # --- The Wire ---

    @property
    def waiting(self) -> int:
        return int(self.transport.get_write_buffer_size())

    def attach(self, reader: Reader) -> None:
        self._reader = reader
        while self._reader is not None and not self.queue.empty():
            message: Any = self.queue.get_nowait()
            if message["type"] == "websocket.receive":
                reader.heard(message.get("text"))
        unused: Any = NOBODY
        self.queue = self.writable = unused
        if self.disconnected:
            self._let_go()

    def write_texts(self, texts: list[bytes]) -> None:
        if not self._parts:
            self._outbox.add(self)
        for text in texts:
            self._parts += frame_head(len(text)), text

    def send_waiting(self) -> None:
        """Sends what is in the outbox."""
        parts, self._parts = self._parts, ()
        if parts and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(parts))

    def close(self, code: int, reason: str) -> None:
        self.send_waiting()
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_close(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    def pause(self) -> None:
        self.transport.pause_reading()

    def resume(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    # --- Called by uvicorn ---

    def shutdown(self) -> None:
        self.send_waiting()
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Reads a short text by itself, as nearly all messages are; the library reads everything else."""
        if self.handshake_initiated:
            if self._between_frames and self._reader is not None and not self.frames and is_short_text(data):
                return self._heard(apply_mask(data[6:], data[2:6]))
            self._between_frames = self._between_frames and are_whole_frames(data)
        return super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        if self._reader is None:
            return super().send_receive_event_to_app()
        data, self.frames = b"".join(self.frames), []
        return self._heard(data if self.curr_msg_data_type == "text" else None)

    def _heard(self, text: bytes | None) -> None:
        """Gives a message to the reader; None if it is not text."""
        if self._reader is None or self.close_sent:
            return
        self._heard_at = self.loop.time()
        try:
            self._reader.heard(None if text is None else text.decode())
        except UnicodeDecodeError:
            self.close(1007, "not UTF-8")

    def send_keepalive_ping(self) -> None:
        """Asks whether the client is still there, unless a message of it has said so meanwhile."""
        assert self.ping_interval is not None
        left = self.ping_interval - (self.loop.time() - self._heard_at)
        if left > 0:
            self.ping_timer = self.loop.call_later(left, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._limits.left(self.client)
        self._let_go()

    def _let_go(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.gone()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # uvicorn would log that there was no handshake


def frame_head(size: int) -> bytes:
    """The start of an unmasked frame that is a whole text of `size` bytes (RFC 6455, 5.2).

    >>> frame_head(5).hex(), frame_head(300).hex()
    ('8105', '817e012c')
    """
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2, "big") if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8, "big")


def is_short_text(data: bytes) -> bool:
    """Whether this is one masked frame of a client that is a whole text of less than 126 bytes.

    >>> is_short_text(bytes.fromhex("818100000000") + b"x")
    True
    """
    return len(data) > 5 and data[0] == 0x81 and 0x80 <= data[1] < 0xFE and len(data) == 6 + data[1] - 0x80


def are_whole_frames(data: bytes) -> bool:
    """Whether this ends where a masked frame of a client ends, if it begins where one begins.

    >>> ping = bytes.fromhex("8980") + b"mask"
    >>> are_whole_frames(ping + ping), are_whole_frames(ping + ping[:4])
    (True, False)
    """
    at = 0
    while at < len(data):
        size = data[at + 1] & 0x7F if at + 1 < len(data) else 0
        long = {126: 2, 127: 8}.get(size, 0)
        if long:
            size = int.from_bytes(data[at + 2 : at + 2 + long], "big")
        at += 6 + long + size
    return at == len(data)


def answer(error: ApiError) -> bytes:
    """Returns an error as a whole HTTP answer after which the connection ends."""
    body = Failure(error=error.problem).model_dump_json().encode()
    headers = {**HEADERS, "cache-control": "no-store", "content-type": "application/json"}
    headers |= {"content-length": str(len(body)), "connection": "close"}
    if error.status in RETRY:
        headers["retry-after"] = RETRY[error.status].decode()
    lines = [f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def open_files(wanted: int) -> int:
    """Lets this process open `wanted` files if the system allows it. Returns how many it may open."""
    try:
        import resource
    except ImportError:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return wanted if soft == resource.RLIM_INFINITY else soft


def _within(address: Any, network: str) -> bool:
    try:
        return address in ip_network(network, strict=False)
    except ValueError:
        return False


def _is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except binascii.Error:
        return False
