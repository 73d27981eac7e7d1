"""Garbage collection of a server, in place of Python's own: new objects ten times a second, all of them once an hour.

Nearly all that a table drops is freed at once, because nothing refers to it any more. Only cycles need a collector.
Python's own runs whenever there are some thousand objects more than before. A server frees about as many as it makes,
so by then there is much to scan: with a thousand tables that stops the server for a tenth of a second or more, several
times in ten seconds, and finds nothing.
"""

from __future__ import annotations

import gc
import time

HOUR = 3600.0  # seconds


class GarbageCollector:
    """Keeps pauses short: scans new objects before there are many, and old ones rarely."""

    def __init__(self) -> None:
        gc.disable()
        gc.freeze()  # imported modules stay: nobody need go through them again
        self._since = time.monotonic()

    def tick(self) -> None:
        """To be called ten times a second."""
        if time.monotonic() - self._since > HOUR:
            gc.collect()
            self._since = time.monotonic()
        else:
            gc.collect(0)
