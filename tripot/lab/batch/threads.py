"""Threads that share native loops over many tables: the code holds no lock of Python's, so they run side by side.

Numba's own parallel loops are no choice: where other programs want the cores too their threads wait for each other in
circles (measured on two busy cores: three to twenty times slower than one thread), and they do not survive a fork.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tripot.lab.arena.workers import available_cores

LEAST_STRETCH = (
    2048  # tables: some 0.2 ms of work; waking a thread for less does not pay, least of all on a busy machine
)


class ThreadPool:
    """Some threads, this one among them."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = available_cores() if threads is None else threads
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None

    def map_tables(self, tables: int, work: Callable[..., Any], *arguments: Any) -> list[Any]:
        """`work(first, last, *arguments)` over all tables, a stretch for each thread; what came back, in order."""
        stretches = min(self.threads, tables // LEAST_STRETCH)
        if self._pool is None or stretches < 2:
            return [work(0, tables, *arguments)]
        ends = [tables * i // stretches for i in range(stretches + 1)]
        later = [self._pool.submit(work, *ends[i : i + 2], *arguments) for i in range(1, stretches)]
        return [work(*ends[:2], *arguments), *(one.result() for one in later)]
