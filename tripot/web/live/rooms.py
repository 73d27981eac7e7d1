"""The rooms of a server: tables come into memory when somebody needs them and go when nobody does."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tripot.store.store import Store, StoreFailed
from tripot.web.live.bot_pool import BotPool
from tripot.web.live.room import Room, storage_error
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings

logger = logging.getLogger(__name__)


class Rooms:
    """All live tables by id."""

    def __init__(self, store: Store, bot_pool: BotPool, settings: Settings, metrics: Metrics) -> None:
        self._store, self._bot_pool, self._settings, self._metrics = store, bot_pool, settings, metrics
        self._rooms: dict[str, Room] = {}
        self._entrance = asyncio.Lock()  # so that no table is ever in two rooms
        self._rumours: dict[str, int] = {}  # what was heard while a table was being read
        self._resuming: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def visit(self, table_id: str) -> AsyncIterator[Room]:
        """The room of a table, kept while it is visited. Raises ApiError if there is no such table."""
        room = await self._room(table_id)
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1

    def live(self, table_id: str) -> Room | None:
        """A room that is in memory."""
        return self._rooms.get(table_id)

    async def _room(self, table_id: str) -> Room:
        if table_id in self._rooms:
            return self._rooms[table_id]
        async with self._entrance:
            if table_id not in self._rooms:
                self._rumours.clear()
                try:
                    stored = await self._store.table(table_id)
                except StoreFailed as error:
                    raise storage_error(error) from error
                if stored is None:
                    raise ApiError(ErrorCode.NO_TABLE)
                self._rooms[table_id] = Room(stored, self._store, self._bot_pool, self._settings, self._metrics)
                self._rooms[table_id].rumour(self._rumours.get(table_id, 0))
            return self._rooms[table_id]

    @property
    def all(self) -> list[Room]:
        """All rooms in memory."""
        return list(self._rooms.values())

    # --- Bots, and other processes ---

    async def resume(self) -> None:
        """Let bots go on where they were when the server stopped, or the process that kept their table."""
        for table_id in await self._store.adopt():
            await self._resume(table_id)

    async def _resume(self, table_id: str) -> None:
        try:
            async with self.visit(table_id) as room:
                await room.resume()
        except Exception as error:  # one damaged table must not keep the others waiting
            logger.error("table %s cannot be resumed: %s", table_id, error)

    def heard(self, table_id: str, version: int, keeper: str | None) -> None:
        """Another process has changed a table; `keeper` is the one whose bots must decide now, if any."""
        room = self._rooms.get(table_id)
        if self._entrance.locked():
            self._rumours[table_id] = version
        if room is not None:
            room.rumour(version)
        elif self._store.processes is not None and keeper == self._store.processes.name:
            task = asyncio.create_task(self._resume(table_id))
            self._resuming.add(task)
            task.add_done_callback(self._resuming.discard)

    async def poll(self) -> None:
        """Look for changes made by other processes, in case a word was lost."""
        for table_id, version in (await self._store.versions(list(self._rooms))).items():
            self.heard(table_id, version, None)
        for room in self.all:
            room.publish()

    def unpublished(self) -> None:
        """Other processes have forgotten who is here."""
        for room in self.all:
            room.unpublished()

    # --- Coming and going ---

    async def sweep(self) -> None:
        """Forget rooms where nothing goes on, again and again."""
        while True:
            quiet = {table_id for table_id, room in self._rooms.items() if room.quiet}
            await asyncio.sleep(self._settings.idle_seconds)
            for table_id in quiet:
                if table_id in self._rooms and self._rooms[table_id].quiet:
                    del self._rooms[table_id]

    def tell_all(self) -> None:
        """Something that all pages show has changed."""
        for room in list(self._rooms.values()):
            room.tell_table()

    async def close(self) -> None:
        """Finish what is being written, and tell everybody that the server stops."""
        for task in self._resuming:
            task.cancel()
        await asyncio.gather(*[room.close() for room in self.all], return_exceptions=True)
