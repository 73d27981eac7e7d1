"""The house: what all requests of one running server share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from tripot import GAMES
from tripot.store.store import Store, StoreFailed, open_store
from tripot.web.live.bot_pool import BotPool
from tripot.web.live.room import Room
from tripot.web.live.rooms import Rooms
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings

CLOSING_SECONDS = 10
logger = logging.getLogger(__name__)


class ServerContext:
    """The store, the rooms and the bots of a server."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.bot_pool = BotPool(GAMES, self._told)
        self.metrics = metrics
        self.rooms = Rooms(store, self.bot_pool, settings, self.metrics)
        self.wake = asyncio.Event()  # set when the next poll must not wait

    def _told(self) -> None:
        self.rooms.tell_all()

    async def resume(self) -> None:
        """Let bots go on; again if the database is not there yet."""
        while True:
            try:
                return await self.rooms.resume()
            except StoreFailed as error:
                logger.error("bots cannot go on yet: %s", error)
                await asyncio.sleep(self.settings.beat_seconds)

    async def keep_company(self) -> None:
        """Be known to the other processes, take over from those that died, and poll: again and again."""
        while True:
            self.wake.clear()
            try:
                if not await self.store.beat():
                    self.rooms.unpublished()
                await self.rooms.resume()
                await self.rooms.poll()
            except StoreFailed as error:
                logger.warning("other processes cannot be reached: %s", error)
            try:
                async with asyncio.timeout(self.settings.beat_seconds):
                    await self.wake.wait()
            except TimeoutError:
                pass


def company(context: ServerContext) -> list[Coroutine[Any, Any, None]]:
    """What a process does among others that serve the same tables."""
    from tripot.store.listener import Notification, listen  # not loaded where one process serves alone
    from tripot.store.processes import NO_TABLE

    def heard(rung: Notification) -> None:
        if rung.table_id == NO_TABLE:
            context.wake.set()  # a process is gone: its tables need a keeper
        else:
            context.rooms.heard(rung.table_id, rung.version, rung.keeper)

    return [context.keep_company(), listen(context.store, heard, context.wake.set, context.settings.beat_seconds)]


@asynccontextmanager
async def open_context(settings: Settings, metrics: Metrics) -> AsyncIterator[ServerContext]:
    """A house while the server runs: bots pick up their turns, native code is built meanwhile."""
    store = await open_store(settings.database_address, settings.beat_seconds)
    context = ServerContext(settings, store, metrics)
    work = [context.rooms.sweep(), *(company(context) if store.processes is not None else [context.resume()])]
    if settings.native:
        work.append(context.bot_pool.compile())
    await store.beat()
    chores = [asyncio.create_task(chore) for chore in work]
    try:
        yield context
    finally:
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await context.rooms.close()
        except TimeoutError:
            logger.error("the server stops before all was written")
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        context.bot_pool.close()
        await store.close()


def get_context(connection: HTTPConnection) -> ServerContext:
    context: ServerContext = connection.app.state.context
    return context


def bearer(request: Request) -> str | None:
    """The token that a request brings in its header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def may_see(room: Room, token: str | None) -> list[int] | None:
    """The seats of whoever asks; raises ApiError if he may not know of this table."""
    seat = room.seat_of(token) if token is not None else None
    if token is not None and seat is None:
        raise ApiError(ErrorCode.WRONG_TOKEN)
    if seat is None and not room.stored.watch and not room.stored.open:
        raise ApiError(ErrorCode.NO_TABLE)
    return None if seat is None else [seat]


Context = Annotated[ServerContext, Depends(get_context)]
Bearer = Annotated[str | None, Depends(bearer)]
