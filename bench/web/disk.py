"""The disk alone: how long it takes to have on it what a commit writes, without a server."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

COMMIT, CIRCLE = 32 * 1024, 4 * 1024 * 1024  # bytes: of a commit, and of the log in which they go round
PAUSE = 0.018  # seconds between two commits, as in `tripot/store/group_commit.py`


@dataclass
class Disk:
    """Times of `fdatasync` in milliseconds, in ascending order."""

    times: list[float]

    def within(self, share: float) -> float:
        return self.times[min(len(self.times) - 1, int(len(self.times) * share))]

    def __str__(self) -> str:
        counts = ", ".join(f"{sum(time > least for time in self.times)} over {least} ms" for least in (10, 30, 100))
        return (
            f"The disk alone, without a server: {len(self.times):,} times {COMMIT // 1024} KB written and synchronised "
            f"take {self.within(0.5):.1f} ms in the median, 99% of them up to {self.within(0.99):.1f} ms, the slowest "
            f"{self.times[-1]:.0f} ms; {counts}. No server that has a decision on this disk first confirms it sooner."
        )


def measure_disk(folder: Path, commits: int) -> Disk:
    """Writes as the log of a busy server does, and measures each `fdatasync`."""
    times = []
    with (folder / "disk").open("wb", buffering=0) as file:
        for number in range(commits):
            file.seek(number * COMMIT % CIRCLE)
            file.write(os.urandom(COMMIT))
            since = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - since) * 1000)
            time.sleep(PAUSE)
    return Disk(sorted(times))
