"""The house: what all requests of one running server share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from tripot import GAMES
from tripot.store.store import Store, open_store
from tripot.web.faults import Cause, Fault
from tripot.web.room import Room
from tripot.web.rooms import Rooms
from tripot.web.settings import Settings
from tripot.web.thinkers import Thinkers


class House:
    """The store, the rooms and the bots of a server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.thinkers = Thinkers(GAMES, self._told)
        self.rooms = Rooms(store, self.thinkers, settings)

    def _told(self) -> None:
        self.rooms.tell_all()


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncIterator[House]:
    """A house while the server runs: bots pick up their turns, native code is built meanwhile."""
    store = await open_store(settings.database_address)
    house = House(settings, store)
    chores = [asyncio.create_task(house.rooms.resume()), asyncio.create_task(house.rooms.sweep())]
    if settings.native:
        chores.append(asyncio.create_task(house.thinkers.compile()))
    try:
        yield house
    finally:
        house.rooms.close()
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
