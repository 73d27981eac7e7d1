"""One page's connection to a table: messages that never block the room, and a rate limit on incoming ones."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from starlette.websockets import WebSocket

from tripot.core.layout import SPECTATOR
from tripot.web.api.messages import Hello, Outgoing
from tripot.web.live.letters import Sent
from tripot.web.ops.rate_limits import visitor_of
from tripot.web.ops.settings import Settings
from tripot.web.ops.token_bucket import TokenBucket

WIRE = "tripot.wire"  # the extension of the scope with which our server hands out its Wire


class CloseCode(IntEnum):
    """Why the server closed a connection."""

    INTERNAL = 1011
    RESTART = 1012
    TOO_SLOW = 1013
    MALFORMED = 4400
    WRONG_TOKEN = 4401
    NO_TABLE = 4404
    SILENT = 4408
    TOO_FAST = 4429


class Reader(Protocol):
    """Who reads a socket."""

    def heard(self, text: str | None) -> None:
        """A message has come; None if it is not text."""

    def gone(self) -> None:
        """The socket is closed."""


class Wire(Protocol):
    """The socket itself: no task stands between a room and the network."""

    @property
    def waiting(self) -> int:
        """Bytes that the network has not taken yet."""

    def attach(self, reader: Reader) -> None:
        """Gives every message to this reader from now on, also those that have come already."""

    def write_texts(self, texts: list[bytes]) -> None:
        """Sends messages at the end of this turn of the event loop. What the network does not take waits in memory."""

    def close(self, code: int, reason: str) -> None:
        """Closes the socket after what was written; cuts it if the page does not answer."""

    def pause(self) -> None:
        """Reads nothing more for now."""

    def resume(self) -> None:
        """Reads on."""


class Connection:
    """A page that plays `seat`, or watches (None)."""

    __slots__ = (
        *("seat", "visitor", "token", "protocol", "news_count", "shown", "sent_sequence", "sent", "rate_limit"),
        *("commitment", "wire", "_held", "_behind", "_most_behind", "_closed", "__weakref__"),
    )

    def __init__(self, socket: WebSocket, seat: int | None, hello: Hello, settings: Settings) -> None:
        self.seat = seat
        self.visitor = visitor_of(socket.scope)
        self.token = hello.token
        self.protocol = hello.protocol
        self.news_count = hello.heard  # news items that this page has
        self.shown = hello.shown  # news items that its person had seen when it connected; None: it did not say
        self.commitment = hello.commitment  # the hash of what this browser adds to the shuffle
        self.sent_sequence = -1  # the decision up to which news were sent; -1 before the first letter
        self.sent: Sent | None = None  # of the last letter: the next one says only what has changed
        self.rate_limit = TokenBucket(settings.messages_at_once, settings.messages_per_second)
        self.wire: Wire = socket.scope["extensions"][WIRE]["socket"]
        self._held: list[bytes] = []  # goes out with the next message
        self._behind, self._most_behind = 0, settings.outbox  # messages since the network last took everything
        self._closed = False

    @property
    def viewer(self) -> int:
        """The seat as `Table` numbers it."""
        return SPECTATOR if self.seat is None else self.seat

    def send(self, message: Outgoing | bytes) -> None:
        """Sends a message, after what is held. Closes the connection if the page does not read."""
        self.hold(message)
        self.flush()

    def hold(self, message: Outgoing | bytes) -> None:
        """Keeps a message until the next one or `flush`, so that both leave in one write."""
        self._held.append(message if isinstance(message, bytes) else message.model_dump_json().encode())

    def flush(self) -> None:
        """Sends what is held."""
        held, self._held = self._held, []
        if held and not self._closed:
            self._behind = self._behind + len(held) if self.wire.waiting else 0
            if self._behind > self._most_behind:
                self.close(CloseCode.TOO_SLOW, "too slow")
            else:
                self.wire.write_texts(held)

    def close(self, code: int, reason: str) -> None:
        """Starts closing: what was sent arrives first, if the page reads."""
        if not self._closed:
            self.flush()
            self._closed = True
            self.wire.close(code, reason)
