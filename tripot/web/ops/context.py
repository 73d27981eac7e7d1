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
from tripot.web.live.bot_pool import Thinkers
from tripot.web.live.room import Room
from tripot.web.live.rooms import Rooms
from tripot.web.ops.errors import Cause, Fault
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings

CLOSING_SECONDS = 10
logger = logging.getLogger(__name__)


class House:
    """The store, the rooms and the bots of a server."""

    def __init__(self, settings: Settings, store: Store, metrics: Metrics) -> None:
        self.settings = settings
        self.store = store
        self.thinkers = Thinkers(GAMES, self._told)
        self.metrics = metrics
        self.rooms = Rooms(store, self.thinkers, settings, self.metrics)
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


def company(house: House) -> list[Coroutine[Any, Any, None]]:
    """What a process does among others that serve the same tables."""
    from tripot.store.listener import Rung, listen  # not loaded where one process serves alone
    from tripot.store.processes import NO_TABLE

    def heard(rung: Rung) -> None:
        if rung.table_id == NO_TABLE:
            house.wake.set()  # a process is gone: its tables need a keeper
        else:
            house.rooms.heard(rung.table_id, rung.version, rung.keeper)

    return [house.keep_company(), listen(house.store, heard, house.wake.set, house.settings.beat_seconds)]


@asynccontextmanager
async def open_house(settings: Settings, metrics: Metrics) -> AsyncIterator[House]:
    """A house while the server runs: bots pick up their turns, native code is built meanwhile."""
    store = await open_store(settings.database_address, settings.beat_seconds)
    house = House(settings, store, metrics)
    work = [house.rooms.sweep(), *(company(house) if store.processes is not None else [house.resume()])]
    if settings.native:
        work.append(house.thinkers.compile())
    await store.beat()
    chores = [asyncio.create_task(chore) for chore in work]
    try:
        yield house
    finally:
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await house.rooms.close()
        except TimeoutError:
            logger.error("the server stops before all was written")
        for chore in chores:
            chore.cancel()
        await asyncio.gather(*chores, return_exceptions=True)
        house.thinkers.close()
        await store.close()


def the_house(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


def bearer(request: Request) -> str | None:
    """The token that a request brings in its header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def may_see(room: Room, token: str | None) -> list[int] | None:
    """The seats of whoever asks; raises Fault if he may not know of this table."""
    seat = room.seat_of(token) if token is not None else None
    if token is not None and seat is None:
        raise Fault(Cause.WRONG_TOKEN)
    if seat is None and not room.kept.watch and not room.kept.open:
        raise Fault(Cause.NO_TABLE)
    return None if seat is None else [seat]


TheHouse = Annotated[House, Depends(the_house)]
Bearer = Annotated[str | None, Depends(bearer)]
