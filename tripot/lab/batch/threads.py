"""A pool of threads for native loops over many tables; the loops release the GIL, so the threads run in parallel.

Numba's own parallel loops do not serve: where other programs use the cores too, their threads spin while they wait for
each other (measured on two busy cores: three to twenty times slower than one thread), and they do not survive a fork.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tripot.lab.arena.workers import available_cores

MIN_TABLES_PER_THREAD = 2048  # about 0.2 ms of work; waking a thread for less does not pay


class ThreadPool:
    """Threads that share the tables; the calling thread is one of them."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = available_cores() if threads is None else threads
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def map_tables(self, tables: int, work: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls `work(first, last, *arguments)` for one range of tables per thread; returns the results in order."""
        ranges = min(self.threads, tables // MIN_TABLES_PER_THREAD)
        if self._pool is None or ranges < 2:
            return [work(0, tables, *arguments)]
        ends = [tables * i // ranges for i in range(ranges + 1)]
        others = [self._pool.submit(work, *ends[i : i + 2], *arguments) for i in range(1, ranges)]
        return [work(*ends[:2], *arguments), *(other.result() for other in others)]
