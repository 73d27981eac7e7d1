"""Group commit: entries that arrive during one commit share the next.

A durable commit takes milliseconds, however small it is. An entry that comes alone is written at once; all entries
that arrive while a commit runs, or shortly after it, go into the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

Entry = TypeVar("Entry")
MAX_ENTRIES = 100  # in one commit; the next commit takes the rest
GATHER_SECONDS = 0.005  # pause after a commit: fewer, fuller commits cost less


class GroupCommit(Generic[Entry]):
    """Queues entries for the store. `write` stores several entries in one transaction: all of them or none."""

    def __init__(self, write: Callable[[Sequence[Entry]], Awaitable[None]], retry_alone: type[Exception]) -> None:
        self._write = write
        self._retry_alone = retry_alone  # raised for one bad entry: each entry is then written on its own
        self._waiting: list[tuple[Entry, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def write(self, entry: Entry) -> None:
        """Returns when the entry is committed. Raises what `write` raised for it.

        Waits for the commit even if the caller is cancelled.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        if self._writer is None:
            self._writer = asyncio.create_task(self._run())
        try:
            await asyncio.shield(future)
        except asyncio.CancelledError:
            await asyncio.wait([future])
            future.exception()
            raise

    async def finish(self) -> None:
        """Waits until the queue is empty."""
        while self._writer is not None:
            await asyncio.wait([self._writer])

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MAX_ENTRIES], self._waiting[MAX_ENTRIES:]
            await self._commit(batch)
            if len(batch) < MAX_ENTRIES:
                await asyncio.sleep(GATHER_SECONDS)
        self._writer = None

    async def _commit(self, entries: list[tuple[Entry, asyncio.Future[None]]]) -> None:
        try:
            await self._write([entry for entry, _ in entries])
        except self._retry_alone as error:
            if len(entries) > 1:
                for entry in entries:
                    await self._commit([entry])
            else:
                entries[0][1].set_exception(error)
        except BaseException as error:
            for _, future in entries:
                future.set_exception(error if isinstance(error, Exception) else RuntimeError("writing was cancelled"))
            if not isinstance(error, Exception):
                raise
        else:
            for _, future in entries:
                future.set_result(None)
