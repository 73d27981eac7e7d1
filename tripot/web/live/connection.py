"""One page's connection to a table: an outbox that never makes others wait, and a limit on what it says."""

from __future__ import annotations

import asyncio
from enum import IntEnum

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tripot.core.layout import SPECTATOR
from tripot.web.api.messages import Outgoing
from tripot.web.ops.settings import Settings
from tripot.web.ops.token_bucket import TokenBucket


class CloseCode(IntEnum):
    """Why a connection was closed."""

    INTERNAL = 1011
    RESTART = 1012
    TOO_SLOW = 1013
    MALFORMED = 4400
    WRONG_TOKEN = 4401
    NO_TABLE = 4404
    SILENT = 4408
    TOO_FAST = 4429


class Connection:
    """A page that sits in `seat`, or watches (None)."""

    def __init__(self, socket: WebSocket, seat: int | None, heard: int, settings: Settings) -> None:
        self.seat = seat
        self.heard = heard  # news items this page has …
        self.told = -1  # … which are those of the decisions up to this one
        self.last: tuple[object, ...] = ()  # what the last letter was made of
        self.limit = TokenBucket(settings.messages_at_once, settings.messages_per_second)
        self._socket = socket
        self._outbox: asyncio.Queue[str] = asyncio.Queue(settings.outbox)
        self._writer = asyncio.create_task(self._write())
        self._closing: asyncio.Task[None] | None = None

    @property
    def who(self) -> int:
        """The seat as the table counts it."""
        return SPECTATOR if self.seat is None else self.seat

    def send(self, message: Outgoing | str) -> None:
        """Put a message into the outbox; a page that does not read is let go."""
        text = message if isinstance(message, str) else message.model_dump_json()
        try:
            self._outbox.put_nowait(text)
        except asyncio.QueueFull:
            self.close(CloseCode.TOO_SLOW, "too slow")

    def close(self, code: int, reason: str) -> None:
        """End the connection after what is in the outbox, or at once if that does not move."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(code, reason))

    async def closed(self) -> None:
        """Stop writing; the socket is gone or will be."""
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
