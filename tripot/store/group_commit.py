"""Group commit: entries that arrive during one commit share the next.

A durable commit takes milliseconds, however small it is. An entry that comes alone is written at once; all entries
that arrive while a commit runs, or shortly after it, go into the next one.

Where entries come from many tables, most of the processor time of a server that is not busy goes into waking up for
each of them, with cold caches. So where others are to be expected the whole event loop rests after a commit, for some
milliseconds at most: what comes meanwhile is read and written together. At one table whose bots decide one after the
other nobody else is to be expected, however often they do: each waits for the confirmation of the one before. Rests
are short while such a table is among many, and while somebody asks the server for something else: what takes several
steps, as loading a page does, would wait for a whole rest at each of them.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

Entry = TypeVar("Entry")
MAX_ENTRIES = 100  # in one commit; the next commit takes the rest
ALONE_SECONDS = 0.01  # from one commit to the next at least, where nobody rests
CONFIRM_SECONDS = 0.075  # within which every entry is to be answered where the event loop rests
HURRIED_SECONDS = 0.02  # … while somebody waits for something that takes several steps
CROWD = 3  # entries in a commit, from which on the event loop rests
GATHER_SECONDS = 0.07  # about what lies between two commits then
ENOUGH = 15  # entries: more of them in a commit hardly cost less each
EXPECTED = 2.3  # tables with an entry in GATHER_SECONDS, from which on it rests after a commit of fewer
MEMORY_SECONDS = 0.2  # over which they are counted for that, each once; a table with two of them is in a hurry


class Pending(Generic[Entry]):
    """An entry that waits for its commit."""

    __slots__ = ("_future", "committed", "entry", "error")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.committed = False
        self.error: Exception | None = None
        self._future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end(self, error: Exception | None = None) -> None:
        """Called once, when the entry is committed, or cannot be."""
        self.committed, self.error = True, error
        if not self._future.done():  # it is done if its waiter was cancelled
            self._future.set_result(None)

    async def wait(self) -> None:
        """Returns when the entry is committed. Raises its error.

        A task that is cancelled here waits for the commit all the same. (`asyncio.shield` does the same and costs more
        than the rest of a commit.)
        """
        try:
            await self._future
        except asyncio.CancelledError:
            while not self.committed:
                self._future = asyncio.get_running_loop().create_future()
                with suppress(asyncio.CancelledError):
                    await self._future
            raise
        if self.error is not None:
            raise self.error


async def give_way() -> None:
    """Lets the event loop read what has come, run what follows from it, and send what that has to send."""
    for _ in range(3):
        await asyncio.sleep(0)


class Traffic:
    """Counts the tables that entries come from, to say whether it is worth while to rest until others come."""

    def __init__(self) -> None:
        self._counted: set[Hashable] = set()  # tables with an entry in the last MEMORY_SECONDS …
        self._since: deque[tuple[float, Hashable]] = deque()  # … and when that was
        self._hurried_until = -math.inf

    @property
    def expected(self) -> float:
        """How many tables have an entry in GATHER_SECONDS."""
        return len(self._counted) * GATHER_SECONDS / MEMORY_SECONDS

    @property
    def enough_seconds(self) -> float:
        """In how many seconds ENOUGH entries come."""
        return ENOUGH * GATHER_SECONDS / max(self.expected, EXPECTED)

    def within(self, now: float) -> float:
        """Within how many seconds an entry that comes `now` is to be answered."""
        return HURRIED_SECONDS if now < self._hurried_until else CONFIRM_SECONDS

    def hurry(self, now: float) -> None:
        """Keeps rests short for a while."""
        self._hurried_until = now + MEMORY_SECONDS

    def gathers(self, now: float, tables: Sequence[Hashable]) -> bool:
        """Counts a commit of entries of these tables that begins `now`. Returns whether to rest after it."""
        while self._since and self._since[0][0] <= now - MEMORY_SECONDS:
            self._counted.remove(self._since.popleft()[1])
        for table in tables:
            if table in self._counted:
                self.hurry(now)
            else:
                self._counted.add(table)
                self._since.append((now, table))
        return len(tables) >= CROWD or self.expected >= EXPECTED


def rest_seconds(reading: float, writing: float, enough: float, within: float = CONFIRM_SECONDS) -> float:
    """How long the event loop rests: until there are enough entries, or the last must be answered `within` a time.

    Its last work took this long from the end of the rest before to the commit, and from there to the last answer. An
    entry that comes just after it has read waits for all of that, for the rest and for the same work once more.

    >>> round(rest_seconds(0.003, 0.004, enough=0.1), 6)
    0.061
    >>> round(rest_seconds(0.003, 0.004, enough=0.015), 6)
    0.008
    """
    if reading > CONFIRM_SECONDS:  # there was no rest just before
        reading = writing
    worked = reading + writing
    return max(0.0, min(within - 2 * worked, enough - worked))


class GroupCommit(Generic[Entry]):
    """Queues entries for the store. `write` stores several entries in one transaction: all of them or none."""

    def __init__(
        self,
        write: Callable[[Sequence[Entry]], Awaitable[None]],
        retry_alone: type[Exception],
        table_of: Callable[[Entry], Hashable],
    ) -> None:
        self._write = write
        self._table_of = table_of
        self._retry_alone = retry_alone  # raised for one bad entry: each entry is then written on its own
        self._waiting: list[Pending[Entry]] = []
        self._writer: asyncio.Task[None] | None = None
        self._not_before = 0.0  # when the next commit may begin
        self._woke = 0.0  # when the event loop last rose from a rest
        self._traffic = Traffic()

    async def write(self, entry: Entry) -> None:
        """Returns when the entry is committed. Raises what `write` raised for it.

        Waits for the commit even if the caller is cancelled.
        """
        pending = Pending(entry)
        self._waiting.append(pending)
        if self._writer is None:
            self._writer = asyncio.create_task(self._run())
        await pending.wait()

    def hurry(self) -> None:
        """Somebody asks for something else than a commit: the event loop is not to rest for long."""
        self._traffic.hurry(time.monotonic())

    async def finish(self) -> None:
        """Waits until the queue is empty."""
        while self._writer is not None:
            await asyncio.wait([self._writer])

    async def _run(self) -> None:
        while self._waiting:
            left = self._not_before - time.monotonic()
            if left > 0:
                await asyncio.sleep(left)
            since = time.monotonic()
            batch, self._waiting = self._waiting[:MAX_ENTRIES], self._waiting[MAX_ENTRIES:]
            gathers = self._traffic.gathers(since, [self._table_of(pending.entry) for pending in batch])
            await self._commit(batch)
            if len(batch) == MAX_ENTRIES:
                self._not_before = since
            elif gathers:
                await self._rest(since)
            else:
                self._not_before = since + ALONE_SECONDS
        self._writer = None  # after an entry that came alone nobody is woken before there is another one

    async def _rest(self, since: float) -> None:
        """Lets the event loop sleep after a commit that began then. What comes meanwhile goes into the next one."""
        await give_way()  # first those go on whose entries were committed
        now = time.monotonic()
        left = rest_seconds(since - self._woke, now - since, self._traffic.enough_seconds, self._traffic.within(now))
        self._not_before = self._woke = now + left
        if left > 0:
            time.sleep(left)
            await give_way()

    async def _commit(self, batch: list[Pending[Entry]]) -> None:
        try:
            await self._write([pending.entry for pending in batch])
        except self._retry_alone as error:
            if len(batch) > 1:
                for pending in batch:
                    await self._commit([pending])
            else:
                batch[0].end(error)
        except BaseException as error:
            for pending in batch:
                pending.end(error if isinstance(error, Exception) else RuntimeError("writing was cancelled"))
            if not isinstance(error, Exception):
                raise
        else:
            for pending in batch:
                pending.end()
