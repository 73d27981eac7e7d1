"""One page's connection to a table: an outbox that never blocks the room, and a rate limit on incoming messages."""

from __future__ import annotations

import asyncio
from enum import IntEnum

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tripot.core.layout import SPECTATOR
from tripot.web.api.messages import Outgoing
from tripot.web.ops.settings import Settings
from tripot.web.ops.token_bucket import TokenBucket


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


class Connection:
    """A page that plays `seat`, or watches (None)."""

    def __init__(self, socket: WebSocket, seat: int | None, news_count: int, settings: Settings) -> None:
        self.seat = seat
        self.news_count = news_count  # news items that this page has
        self.sent_sequence = -1  # the decision up to which news were sent; -1 before the first letter
        self.last_content: tuple[object, ...] = ()  # of the last letter, to skip letters that say the same
        self.rate_limit = TokenBucket(settings.messages_at_once, settings.messages_per_second)
        self._socket = socket
        self._outbox: asyncio.Queue[str] = asyncio.Queue(settings.outbox)
        self._writer = asyncio.create_task(self._write())
        self._closing: asyncio.Task[None] | None = None

    @property
    def viewer(self) -> int:
        """The seat as `Table` numbers it."""
        return SPECTATOR if self.seat is None else self.seat

    def send(self, message: Outgoing | str) -> None:
        """Puts a message into the outbox. Closes the connection if the outbox is full."""
        text = message if isinstance(message, str) else message.model_dump_json()
        try:
            self._outbox.put_nowait(text)
        except asyncio.QueueFull:
            self.close(CloseCode.TOO_SLOW, "too slow")

    def close(self, code: int, reason: str) -> None:
        """Starts closing: sends what is in the outbox first, unless the page is too slow."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(code, reason))

    async def wait_closed(self) -> None:
        """Waits for a close in progress and stops the writer."""
        if self._closing is not None:
            await self._closing
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            text = await self._outbox.get()
            try:
                await self._socket.send_text(text)
            except (WebSocketDisconnect, RuntimeError, OSError):
                return
            finally:
                self._outbox.task_done()

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(2):
                if code != CloseCode.TOO_SLOW:
                    await self._outbox.join()
        except TimeoutError:
            pass
        self._writer.cancel()
        try:
            async with asyncio.timeout(2):
                if self._socket.application_state is WebSocketState.CONNECTED:
                    await self._socket.close(code, reason)
        except (TimeoutError, RuntimeError, OSError):
            pass
