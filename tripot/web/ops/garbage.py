"""Garbage collection of a server, in place of Python's own: new objects often, all of them once an hour.

Nearly all that a table drops is freed at once, because nothing refers to it any more. Only cycles need a collector.
Python's own runs whenever there are some thousand objects more than before. A server frees about as many as it makes,
so by then there is much to scan: with a thousand tables that stops the server for a tenth of a second or more, several
times in ten seconds, and finds nothing.

New objects are scanned ten times a second, or as rarely as keeps that within a small share of the time: at full load
most of them are gone a moment later, and a scan that comes later has fewer to go through.
"""

from __future__ import annotations

import gc
import time

HOUR = 3600.0  # seconds
SHARE = 0.03  # of the time that goes to scanning new objects
LONGEST = 1.0  # seconds without a scan


class GarbageCollector:
    """Keeps pauses short: scans new objects before there are many, and old ones rarely."""

    def __init__(self) -> None:
        gc.disable()
        gc.freeze()  # imported modules stay: nobody need go through them again
        self._since = time.monotonic()
        self._next = 0.0  # when new objects are scanned again

    def tick(self) -> None:
        """To be called ten times a second."""
        began = time.monotonic()
        if began - self._since > HOUR:
            gc.collect()
            self._since = time.monotonic()
        elif began >= self._next:
            gc.collect(0)
            self._next = began + min(LONGEST, (time.monotonic() - began) / SHARE)
