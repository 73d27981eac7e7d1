"""Group commit: entries that arrive during one commit share the next.

A durable commit takes milliseconds, however small it is. An entry that comes alone is written at once; all entries
that arrive while a commit runs, or shortly after it, go into the next one.

Where entries come from many sides, most of the processor time of a server that is not busy goes into waking up for each
of them, with cold caches. So where others are to be expected the whole event loop rests after a commit, for some
milliseconds at most: what comes meanwhile is read and written together.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

Entry = TypeVar("Entry")
MAX_ENTRIES = 100  # in one commit; the next commit takes the rest
ALONE_SECONDS = 0.01  # from one commit to the next at least, where nobody rests
CONFIRM_SECONDS = 0.05  # within which every entry is to be answered where the event loop rests
CROWD = 3  # entries in a commit, from which on the event loop rests
GATHER_SECONDS = 0.045  # about what lies between two commits then
ENOUGH = 15  # entries: more of them in a commit hardly cost less each
EXPECTED = 1.5  # entries in GATHER_SECONDS, from which on it rests after a commit of fewer
MEMORY_SECONDS = 0.2  # over which entries are counted for that
FUTILE_RESTS = 4  # in a row that gathered nothing: whoever decides next was waiting for the last one's confirmation
WAKEFUL_SECONDS = 1.0  # without a rest after that


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
    """Counts entries, to say whether it is worth while to rest until others come."""

    def __init__(self) -> None:
        self._since = 0.0  # when the last commit began
        self._expected = 0.0  # entries in GATHER_SECONDS
        self._rested = False  # after the last commit
        self._futile = 0  # rests in a row that gathered nothing
        self._wakeful_until = 0.0

    @property
    def enough_seconds(self) -> float:
        """In how many seconds ENOUGH entries come."""
        return ENOUGH * GATHER_SECONDS / max(self._expected, EXPECTED)

    def gathers(self, now: float, entries: int) -> bool:
        """Counts a commit that begins `now`. Returns whether the event loop should rest after it."""
        passed = now - self._since
        kept = max(0.0, 1 - passed / MEMORY_SECONDS)
        self._expected = self._expected * kept + entries * GATHER_SECONDS / max(passed, MEMORY_SECONDS)
        self._since = now
        if entries > 1:
            self._futile = 0
        elif self._rested:
            self._futile += 1
            if self._futile == FUTILE_RESTS:
                self._futile, self._wakeful_until = 0, now + WAKEFUL_SECONDS
        self._rested = entries >= CROWD or (self._expected >= EXPECTED and now >= self._wakeful_until)
        return self._rested


def rest_seconds(reading: float, writing: float, enough: float) -> float:
    """How long the event loop rests: until there are enough entries, or the last must be answered.

    Its last work took this long from the end of the rest before to the commit, and from there to the last answer. An
    entry that comes just after it has read waits for all of that, for the rest and for the same work once more.

    >>> round(rest_seconds(0.003, 0.004, enough=0.1), 6)
    0.036
    >>> round(rest_seconds(0.003, 0.004, enough=0.015), 6)
    0.008
    """
    if reading > CONFIRM_SECONDS:  # there was no rest just before
        reading = writing
    worked = reading + writing
    return max(0.0, min(CONFIRM_SECONDS - 2 * worked, enough - worked))


class GroupCommit(Generic[Entry]):
    """Queues entries for the store. `write` stores several entries in one transaction: all of them or none."""

    def __init__(self, write: Callable[[Sequence[Entry]], Awaitable[None]], retry_alone: type[Exception]) -> None:
        self._write = write
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
            gathers = self._traffic.gathers(since, len(batch))
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
        left = rest_seconds(since - self._woke, now - since, self._traffic.enough_seconds)
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
