"""The fair queue: threads are shared in turn between visitors, and between the tables of a visitor."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from tripot.web.live.fair_queue import FairQueue

ANN, BO, CY = (frozenset({name}) for name in ("192.0.2.1", "192.0.2.2", "192.0.2.3"))


class Gate:
    """Work that says that it has started and then waits until the test lets it end."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.open = threading.Event()

    def work(self, name: str) -> Callable[[], str]:
        def run() -> str:
            self.order.append(name)
            self.open.wait(30)
            return name

        return run


async def started(gate: Gate, count: int) -> list[str]:
    """Waits until this many pieces of work have started, and gives the queue a chance to start too many."""
    async with asyncio.timeout(30):
        while len(gate.order) < count:
            await asyncio.sleep(0.001)
    await asyncio.sleep(0.02)
    return gate.order


def in_queue(threads: int, per_visitor: int, wanted: list[tuple[frozenset[str], str]]) -> list[str]:
    """Returns the order in which one thread after the other takes this work, all of it waiting from the start."""
    gate = Gate()

    async def run() -> None:
        queue = FairQueue("test", threads, per_visitor)
        first = asyncio.create_task(queue.run(frozenset({"busy"}), "busy", gate.work("busy")))
        await started(gate, 1)
        named = [(who, table, f"{next(iter(who))[-1]}{table}") for who, table in wanted]
        rest = [asyncio.create_task(queue.run(who, table, gate.work(name))) for who, table, name in named]
        await asyncio.sleep(0)
        gate.open.set()
        assert await asyncio.gather(first, *rest) == ["busy", *[name for _, _, name in named]]
        assert queue.size == 0
        queue.close()

    asyncio.run(run())
    return gate.order[1:]


def test_visitors_take_turns_however_many_tables_they_have() -> None:
    many = [(ANN, str(number)) for number in range(6)]
    assert in_queue(1, 1, [*many, (BO, "x"), (CY, "y"), (BO, "z")]) == [
        *("10", "2x", "3y", "11", "2z", "12", "13", "14", "15")
    ]


def test_the_tables_of_a_visitor_take_turns() -> None:
    assert in_queue(1, 1, [(ANN, "a"), (ANN, "a"), (ANN, "a"), (ANN, "b")]) == ["1a", "1b", "1a", "1a"]


def test_one_visitor_never_has_all_threads() -> None:
    gate = Gate()

    async def run() -> None:
        queue = FairQueue("test", 3, 2)
        tasks = [asyncio.create_task(queue.run(ANN, str(n), gate.work(f"1{n}"))) for n in range(5)]
        assert await started(gate, 2) == ["10", "11"]
        tasks.append(asyncio.create_task(queue.run(BO, "x", gate.work("2x"))))
        assert await started(gate, 3) == ["10", "11", "2x"]
        gate.open.set()
        await asyncio.gather(*tasks)
        queue.close()

    asyncio.run(run())


def test_a_table_of_two_visitors_counts_for_the_less_busy_one() -> None:
    both = frozenset({*ANN, *BO})
    wanted = [(ANN, "a"), (ANN, "b"), (ANN, "c"), (both, "d")]
    order = in_queue(1, 1, wanted)
    assert order.index(next(name for name in order if name.endswith("d"))) == 1


def test_work_that_nobody_waits_for_is_not_started() -> None:
    gate = Gate()

    async def run() -> None:
        queue = FairQueue("test", 1, 1)
        first = asyncio.create_task(queue.run(ANN, "a", gate.work("1a")))
        await started(gate, 1)
        second = asyncio.create_task(queue.run(BO, "b", gate.work("2b")))
        third = asyncio.create_task(queue.run(CY, "c", gate.work("3c")))
        await asyncio.sleep(0)
        second.cancel()
        gate.open.set()
        await asyncio.gather(first, second, third, return_exceptions=True)
        assert queue.size == 0
        queue.close()

    asyncio.run(run())
    assert gate.order == ["1a", "3c"]


def test_an_error_reaches_who_asked_and_the_next_one_is_served() -> None:
    async def run() -> None:
        queue = FairQueue("test", 1, 1)
        with pytest.raises(ZeroDivisionError):
            await queue.run(ANN, "a", lambda: 1 // 0)
        assert await queue.run(ANN, "a", lambda: 7) == 7
        queue.close()

    asyncio.run(run())
