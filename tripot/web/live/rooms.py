"""The rooms of a server: a table is loaded when it is needed and unloaded when nobody uses it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast, get_args

from tripot.store.store import Damaged, Store, StoreFailed
from tripot.web.api.messages import Phrase
from tripot.web.live.bot_pool import BotPool
from tripot.web.live.room import Room, storage_error
from tripot.web.ops import tokens
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings

logger = logging.getLogger(__name__)


class Rooms:
    """All live tables by id."""

    def __init__(self, store: Store, bot_pool: BotPool, settings: Settings, metrics: Metrics) -> None:
        self._store, self._bot_pool, self._settings, self._metrics = store, bot_pool, settings, metrics
        self._rooms: dict[str, Room] = {}
        self._loading = asyncio.Lock()  # a table must never be in two rooms
        self._versions_while_loading: dict[str, int] = {}  # notifications that arrived while a table was being read
        self._resuming: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def visit(self, table_id: str) -> AsyncIterator[Room]:
        """Keeps the room of a table in memory during the visit. Raises ApiError if there is no such table."""
        room = await self._room(table_id)
        room.users += 1
        try:
            yield room
        finally:
            room.users -= 1

    def live(self, table_id: str) -> Room | None:
        """Returns the room of a table if it is in memory."""
        return self._rooms.get(table_id)

    async def _room(self, table_id: str) -> Room:
        if table_id in self._rooms:
            return self._rooms[table_id]
        if not tokens.is_id(table_id):
            raise ApiError(ErrorCode.NO_TABLE)
        async with self._loading:
            if table_id not in self._rooms:
                self._versions_while_loading.clear()
                try:
                    stored = await self._store.table(table_id)
                except StoreFailed as error:
                    raise storage_error(error) from error
                if stored is None:
                    raise ApiError(ErrorCode.NO_TABLE)
                self._rooms[table_id] = Room(stored, self._store, self._bot_pool, self._settings, self._metrics)
                self._rooms[table_id].on_remote_change(self._versions_while_loading.get(table_id, 0))
            return self._rooms[table_id]

    @property
    def all(self) -> list[Room]:
        """All rooms in memory."""
        return list(self._rooms.values())

    # --- Bots and other processes ---

    async def resume(self) -> None:
        """Starts the bots that must decide, after a restart or when the process that ran them is gone."""
        try:
            waiting = await self._store.adopt()
        except Damaged as error:  # look at every table: those that are sound play on
            logger.error("cannot list the tables whose bots must play: %s", error)
            waiting = await self._store.table_ids()
        for table_id in waiting:
            await self._resume(table_id)

    async def _resume(self, table_id: str) -> None:
        try:
            async with self.visit(table_id) as room:
                await room.resume()
        except Exception as error:  # one damaged table must not stop the others
            logger.error("cannot resume table %s: %s", table_id, error)

    def on_remote_change(self, table_id: str, version: int, bot_process: str | None = None) -> None:
        """Another process changed a table. `bot_process` is the process that must run a bot now."""
        room = self._rooms.get(table_id)
        if self._loading.locked():
            self._versions_while_loading[table_id] = version
        if room is not None:
            room.on_remote_change(version)
        elif self._store.processes is not None and bot_process == self._store.processes.name:
            task = asyncio.create_task(self._resume(table_id))
            self._resuming.add(task)
            task.add_done_callback(self._resuming.discard)

    def on_said(self, table_id: str, seat: int, phrase: str) -> None:
        """Somebody at a table said something through another process."""
        room = self._rooms.get(table_id)
        if room is not None and phrase in get_args(Phrase):
            room.say(seat, cast("Phrase", phrase))

    async def poll(self) -> None:
        """Looks for changes by other processes, in case a notification was lost."""
        for table_id, version in (await self._store.versions(list(self._rooms))).items():
            self.on_remote_change(table_id, version)
        for room in self.all:
            room.publish_presence()

    def republish_presence(self) -> None:
        """Publishes again who is connected, after other processes removed this one."""
        for room in self.all:
            room.republish_presence()

    # --- Loading and unloading ---

    async def sweep(self) -> None:
        """Unloads rooms that have been idle for `idle_seconds`. Never returns."""
        while True:
            idle = {table_id for table_id, room in self._rooms.items() if room.idle}
            await asyncio.sleep(self._settings.idle_seconds)
            for table_id in idle:
                if table_id in self._rooms and self._rooms[table_id].idle:
                    del self._rooms[table_id]

    def send_tables(self) -> None:
        """Sends the table message of every room to its pages."""
        for room in list(self._rooms.values()):
            room.send_table()

    async def close(self) -> None:
        """Finishes pending writes and closes all connections."""
        for task in self._resuming:
            task.cancel()
        await asyncio.gather(*[room.close() for room in self.all], return_exceptions=True)
