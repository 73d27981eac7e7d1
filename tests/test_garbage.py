"""The server's garbage collector: new cycles at the next tick, old ones within an hour."""

import gc
import itertools
import time
import weakref
from collections.abc import Iterator

import pytest

from tripot.web.ops.garbage import HOUR, LONGEST, SHARE, GarbageCollector


class Cycle:
    """Refers to itself: only a collector frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[GarbageCollector]:
    yield GarbageCollector()
    gc.enable()


def test_a_new_cycle_is_freed_at_the_next_tick_and_not_by_python_itself(collector: GarbageCollector) -> None:
    new = weakref.ref(Cycle())
    kept = [[] for _ in range(10_000)]  # type: ignore[var-annotated]  # Python's own collector would run
    assert new() is not None and len(kept) == 10_000
    collector.tick()
    assert new() is None


def test_an_old_cycle_is_freed_within_an_hour(collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch) -> None:
    began, cycle = time.monotonic(), Cycle()
    old = weakref.ref(cycle)
    collector.tick()  # it is old now
    del cycle
    collector.tick()
    assert old() is not None
    monkeypatch.setattr(time, "monotonic", lambda: began + HOUR + 60)
    collector.tick()
    assert old() is None


@pytest.mark.parametrize("took", [0.006, 5.0])
def test_scans_that_take_long_come_rarely(
    collector: GarbageCollector, monkeypatch: pytest.MonkeyPatch, took: float
) -> None:
    now, scans = time.monotonic(), list[float]()

    def scan(generation: int) -> None:
        nonlocal now
        assert generation == 0
        scans.append(now)
        now += took

    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr(gc, "collect", scan)
    began = now
    while now < began + 60:
        collector.tick()
        now += 0.1
    between = [after - before for before, after in itertools.pairwise(scans)]
    wanted = max(took, min(LONGEST, took / SHARE))
    assert all(wanted <= passed <= wanted + 0.11 for passed in between) and len(scans) > 5
