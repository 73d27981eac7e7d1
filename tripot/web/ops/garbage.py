"""Garbage collection of a server, in place of Python's own: new objects ten times a second, all of them once an hour.

Nearly all that a table drops is freed at once, because nothing refers to it any more. Only cycles need a collector.
Python's goes through new objects whenever there are some thousand more than before. Where as many old ones are freed as
new ones are made that is seldom, and takes long: with a thousand tables a tenth of a second and more, some times in ten
seconds, to find nothing.
"""

from __future__ import annotations

import gc
import time

HOUR = 3600.0  # seconds


class GarbageCollector:
    """Keeps pauses short: it goes through new objects before they are many, and through old ones seldom."""

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
