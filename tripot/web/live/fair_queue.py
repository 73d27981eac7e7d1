"""A fair queue for threads: work is taken in turn from every visitor, and for each visitor in turn from their tables.

One visitor with sixty tables waits for their own sixty tables; everybody else waits as if there were one.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")
Job = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class FairQueue:
    """Runs work in `threads` threads, at most `per_visitor` pieces of one visitor's at a time."""

    def __init__(self, name: str, threads: int, per_visitor: int, niceness: int = 0) -> None:
        self.size = 0  # pieces of work that run or wait
        self._threads, self._per_visitor = threads, per_visitor
        self._running: Counter[str] = Counter()  # by visitor
        self._waiting: dict[str, dict[str, deque[Job]]] = {}  # by visitor and table, those whose turn is next first
        self._pool = ThreadPoolExecutor(threads, name, _lower_priority, (niceness,))

    async def run(self, visitors: frozenset[str], table: str, work: Callable[[], Result]) -> Result:
        """Returns the result of `work`, which counts for the least busy of the table's visitors."""
        visitor = min(visitors or {""}, key=lambda visitor: (self._load(visitor), visitor))
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(visitor, {}).setdefault(table, deque()).append((work, future))
        self.size += 1
        try:
            self._start()
            return await future
        finally:
            self.size -= 1

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _load(self, visitor: str) -> int:
        return self._running[visitor] + sum(map(len, self._waiting.get(visitor, {}).values()))

    def _start(self) -> None:
        """Starts waiting work while a thread is free for it."""
        while self._running.total() < self._threads and (visitor := self._next_visitor()) is not None:
            work, future = self._take(visitor)
            if future.done():
                continue  # nobody waits for it any more
            self._running[visitor] += 1
            running = asyncio.get_running_loop().run_in_executor(self._pool, work)
            running.add_done_callback(partial(self._done, visitor, future))

    def _next_visitor(self) -> str | None:
        return next((who for who in self._waiting if self._running[who] < self._per_visitor), None)

    def _take(self, visitor: str) -> Job:
        """Takes the next piece of a visitor's work; the visitor and the table go to the end of their lines."""
        tables = self._waiting.pop(visitor)
        table = next(iter(tables))
        jobs = tables.pop(table)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs
        if tables:
            self._waiting[visitor] = tables
        return job

    def _done(self, visitor: str, future: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
        self._running[visitor] -= 1
        if not self._running[visitor]:
            del self._running[visitor]
        error = None if done.cancelled() else done.exception()
        if not future.done():
            if done.cancelled():
                future.cancel()
            elif error is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())
        with suppress(RuntimeError):  # the pool is closed
            self._start()


def _lower_priority(niceness: int) -> None:
    """Lets this thread yield to others of the process, where the system has priorities of threads."""
    if niceness and sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
