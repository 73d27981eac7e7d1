"""Writing together: what comes while the disk is busy goes to it in one commit.

A commit that is on the disk costs milliseconds however little is in it. Alone, an entry is written at once; under
load, all entries that came during one commit share the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Entry = TypeVar("Entry")
MOST = 100  # entries of one commit: while it is written, the next are made
GATHERING = 0.004  # seconds between commits while several come at a time: fewer, fuller ones cost less


class GroupCommit(Generic[Entry]):
    """Entries on their way into the store. `write` takes several in one transaction: all of them or none."""

    def __init__(self, write: Callable[[Sequence[Entry]], Awaitable[None]], alone: type[Exception]) -> None:
        self._write = write
        self._alone = alone  # what one bad entry raises; then each is tried by itself
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def write(self, entry: Entry) -> None:
        """Returns when the entry is written; raises what `write` raises for it. Nobody leaves before that is known."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        if self._writer is None:
            self._writer = asyncio.create_task(self._work())
        try:
            await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait([future])
            future.exception()
            raise

    async def finish(self) -> None:
        """Wait until nothing is on its way."""
        while self._writer is not None:
            await asyncio.wait([self._writer])

    async def _work(self) -> None:
        while self._waiting:
            now, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            await self._commit(now)
            if 1 < len(now) < MOST:
                await asyncio.sleep(GATHERING)
        self._writer = None

    async def _commit(self, entries: list[tuple[Entry, asyncio.Future[None]]]) -> None:
        try:
            await self._write([entry for entry, _ in entries])
        except self._alone as error:
            if len(entries) > 1:
                for one in entries:
                    await self._commit([one])
            else:
                entries[0][1].set_exception(error)
        except BaseException as error:
            for _, future in entries:
                future.set_exception(error if isinstance(error, Exception) else RuntimeError("writing was cut off"))
            if not isinstance(error, Exception):
                raise
        else:
            for _, future in entries:
                future.set_result(None)
