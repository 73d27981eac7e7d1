"""The server context: what all requests of one running server share."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from tripot import GAMES
from tripot.store.store import Store, StoreFailed, open_store
from tripot.web.live.bot_pool import BotPool
from tripot.web.live.hints import Hints
from tripot.web.live.replays import Replays
from tripot.web.live.reviews import Reviews
from tripot.web.live.room import Room
from tripot.web.live.rooms import Rooms
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings

CLOSING_SECONDS = 10
PROBE_SECONDS = 2.0  # between two tries to write for a health check
logger = logging.getLogger(__name__)


class ServerContext:
    """The store, the rooms and the bots of a server."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.bot_pool = BotPool(GAMES, self._engine_changed)
        self.metrics = metrics
        self.rooms = Rooms(store, self.bot_pool, settings, self.metrics)
        self.replays = Replays()
        self.reviews = Reviews(self.bot_pool, store)
        self.hints = Hints(self.bot_pool)
        self.poll_now = asyncio.Event()  # ends the wait before the next poll
        self._probe: tuple[float, bool] = (-PROBE_SECONDS, False)  # when a write was last tried, and its outcome
        self._probing = asyncio.Lock()

    async def writable(self) -> bool:
        """Whether the database can be written to: a full disk can still be read."""
        async with self._probing:
            if time.monotonic() - self._probe[0] >= PROBE_SECONDS:
                try:
                    await self.store.ping()
                    sound = True
                except StoreFailed as error:
                    logger.warning("the database cannot be written to: %s", error)
                    sound = False
                self._probe = time.monotonic(), sound
            return self._probe[1]

    def _engine_changed(self) -> None:
        self.rooms.send_tables()

    async def resume(self) -> None:
        """Starts the bots that must decide. Tries again while the database is unreachable."""
        while True:
            try:
                return await self.rooms.resume()
            except StoreFailed as error:
                logger.error("cannot start the bots yet: %s", error)
                await asyncio.sleep(self.settings.beat_seconds)

    async def run_heartbeat(self) -> None:
        """Sends heartbeats, takes over the tables of expired processes, and polls for changes. Never returns."""
        while True:
            self.poll_now.clear()
            try:
                if not await self.store.heartbeat():
                    self.rooms.republish_presence()
                await self.rooms.resume()
                await self.rooms.poll()
            except StoreFailed as error:
                logger.warning("cannot send a heartbeat or poll: %s", error)
            try:
                async with asyncio.timeout(self.settings.beat_seconds):
                    await self.poll_now.wait()
            except TimeoutError:
                pass


def shared_database_tasks(context: ServerContext) -> list[Coroutine[Any, Any, None]]:
    """Returns the background tasks of a process that shares its database with others."""
    from tripot.store.listener import Notification, listen  # a single process does not need the PostgreSQL driver
    from tripot.store.processes import NO_TABLE

    def on_change(notification: Notification) -> None:
        if notification.table_id == NO_TABLE:
            context.poll_now.set()  # a process has left: take over its tables
        else:
            context.rooms.on_remote_change(*notification)

    return [
        context.run_heartbeat(),
        listen(context.store, on_change, context.rooms.on_said, context.poll_now.set, context.settings.beat_seconds),
    ]


@asynccontextmanager
async def open_context(settings: Settings, metrics: Metrics) -> AsyncIterator[ServerContext]:
    """Opens the store, runs the server's background tasks, and closes everything at the end."""
    store = await open_store(settings.database_address, settings.beat_seconds)
    context = ServerContext(settings, store, metrics)
    work = [context.rooms.sweep()]
    work += shared_database_tasks(context) if store.processes is not None else [context.resume()]
    if settings.native:
        work.append(context.bot_pool.compile())
    await store.heartbeat()
    tasks = [asyncio.create_task(coroutine) for coroutine in work]
    try:
        yield context
    finally:
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await context.rooms.close()
        except TimeoutError:
            logger.error("stopping after %s s although some rooms are still writing", CLOSING_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        context.reviews.close()
        context.hints.close()
        context.bot_pool.close()
        context.replays.close()
        await store.close()


def get_context(connection: HTTPConnection) -> ServerContext:
    context: ServerContext = connection.app.state.context
    return context


def bearer(request: Request) -> str | None:
    """Returns the bearer token of a request, or None."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def seats_of(room: Room, token: str | None) -> list[int] | None:
    """Returns the seats of a token, or None without a token. Raises ApiError if the client may not see the table."""
    seat = room.seat_of(token) if token is not None else None
    if token is not None and seat is None:
        raise ApiError(ErrorCode.WRONG_TOKEN)
    if seat is None and not room.may_watch:
        raise ApiError(ErrorCode.NO_TABLE)
    return None if seat is None else [seat]


def require_seat(room: Room, token: str | None) -> int:
    """Returns the seat of a token. Raises ApiError without one."""
    seat = room.seat_of(token) if token is not None else None
    if seat is None:
        raise ApiError(ErrorCode.WRONG_TOKEN)
    return seat


Context = Annotated[ServerContext, Depends(get_context)]
Bearer = Annotated[str | None, Depends(bearer)]
