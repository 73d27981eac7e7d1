"""Group commit: each entry gets its own outcome, and every caller waits for it."""

import asyncio
import math
from collections.abc import Sequence

import pytest

from tripot.store.group_commit import (
    CONFIRM_SECONDS,
    CROWD,
    ENOUGH,
    EXPECTED,
    GATHER_SECONDS,
    HURRIED_SECONDS,
    MAX_ENTRIES,
    MEMORY_SECONDS,
    GroupCommit,
    Traffic,
    rest_seconds,
)


def itself(entry: int) -> int:
    """Each entry is of a table of its own."""
    return entry


class Clock:
    """Stands for the module `time`: passes only where the event loop rests, however busy the machine is."""

    def __init__(self) -> None:
        self.now = 100.0
        self.rests: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.rests.append(seconds)


class Taken(Exception):
    """This entry cannot be written, alone or with others."""


class SlowDisk:
    """A slow disk that writes all entries or none, and refuses an entry that it already has."""

    def __init__(self) -> None:
        self.commits: list[list[int]] = []
        self.may_go_on = asyncio.Event()
        self.broken = False

    async def write(self, entries: Sequence[int]) -> None:
        await self.may_go_on.wait()
        if self.broken:
            raise OSError("no room left")
        written = {entry for commit in self.commits for entry in commit}
        if written & set(entries) or len(set(entries)) < len(entries):
            raise Taken
        self.commits.append(list(entries))


async def outcomes(commits: GroupCommit[int], entries: Sequence[int], disk: SlowDisk) -> list[object]:
    tasks = [asyncio.create_task(commits.write(entry)) for entry in entries]
    await asyncio.sleep(0)
    disk.may_go_on.set()
    return list(await asyncio.gather(*tasks, return_exceptions=True))


def test_entries_that_arrive_during_a_commit_share_the_next() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        first = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the writer has taken it and waits for the disk
        assert await outcomes(commits, [2, 3, 4], disk) == [None] * 3
        await first
        assert disk.commits == [[1], [2, 3, 4]]

    asyncio.run(play())


def test_what_comes_while_the_event_loop_rests_shares_the_next_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        disk, later = SlowDisk(), []
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        loop = asyncio.get_running_loop()

        def read() -> None:
            later.extend([asyncio.create_task(commits.write(entry)) for entry in (5, 6)])

        def rest(seconds: float) -> None:
            if not later:
                loop.call_soon(read)  # as the loop reads what came while it rested

        monkeypatch.setattr("tripot.store.group_commit.time.sleep", rest)
        crowd = asyncio.create_task(outcomes(commits, range(CROWD), disk))
        while not disk.commits:
            await asyncio.sleep(0)
        await commits.write(4)
        await crowd
        await asyncio.gather(*later)
        assert disk.commits == [list(range(CROWD)), [4, 5, 6]]

    asyncio.run(play())


def test_what_callers_send_has_left_before_the_event_loop_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """They send at the end of their turn of the event loop, all together."""

    async def play() -> None:
        disk, sent, sent_before = SlowDisk(), list[int](), list[int]()
        disk.may_go_on.set()
        monkeypatch.setattr("tripot.store.group_commit.time.sleep", lambda _: sent_before.append(len(sent)))
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)

        async def decide(entry: int) -> None:
            await commits.write(entry)
            asyncio.get_running_loop().call_soon(sent.append, entry)

        await asyncio.gather(*[decide(entry) for entry in range(CROWD)])
        await commits.finish()
        assert sent_before == [CROWD]

    asyncio.run(play())


def test_for_entries_that_come_alone_the_event_loop_never_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        disk, rests = SlowDisk(), []
        disk.may_go_on.set()
        monkeypatch.setattr("tripot.store.group_commit.time.sleep", rests.append)
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        for entry in range(3):
            await commits.write(entry)
        assert disk.commits == [[0], [1], [2]] and not rests

    asyncio.run(play())


def test_where_entries_of_many_tables_come_the_event_loop_rests_after_each_commit() -> None:
    traffic, every = Traffic(), GATHER_SECONDS / EXPECTED / 2
    rested = [traffic.gathers(100 + number * every, [number]) for number in range(100)]
    first = rested.index(True)
    assert 0 < first * every < MEMORY_SECONDS and all(rested[first:])


def test_the_event_loop_rests_for_as_long_as_its_work_allows() -> None:
    assert rest_seconds(0.001, 0.002, 1) == pytest.approx(CONFIRM_SECONDS - 0.006)
    assert rest_seconds(100.0, 0.002, 1) == pytest.approx(CONFIRM_SECONDS - 0.008)  # as if it had read as long
    assert rest_seconds(0.001, CONFIRM_SECONDS, 1) == 0  # on a slow disk entries gather by themselves


def test_the_event_loop_rests_no_longer_than_until_there_are_enough_entries() -> None:
    traffic = Traffic()
    for number in range(200):
        traffic.gathers(100 + number * 0.01, range(10 * number, 10 * number + 10))  # a thousand a second
    assert traffic.enough_seconds == pytest.approx(ENOUGH / 1000, rel=0.1)
    assert rest_seconds(0.001, 0.002, traffic.enough_seconds) == pytest.approx(traffic.enough_seconds - 0.003)


def test_where_entries_come_rarely_the_event_loop_never_rests() -> None:
    traffic, every = Traffic(), GATHER_SECONDS / EXPECTED * 1.3
    assert not any(traffic.gathers(100 + number * every, [number]) for number in range(1000))


def test_after_a_pause_nothing_is_expected_any_more() -> None:
    traffic = Traffic()
    assert [traffic.gathers(100 + n * GATHER_SECONDS, range(3 * n, 3 * n + 3)) for n in range(50)][-1]
    assert not traffic.gathers(100 + 49 * GATHER_SECONDS + MEMORY_SECONDS, [1])
    assert traffic.expected == GATHER_SECONDS / MEMORY_SECONDS


def test_for_a_few_tables_that_decide_often_the_event_loop_never_rests() -> None:
    """Bots that decide one after the other, as fast as the disk allows, wait for each other and for nobody else."""
    few = math.ceil(EXPECTED * MEMORY_SECONDS / GATHER_SECONDS) - 1
    traffic = Traffic()
    assert not any(traffic.gathers(100 + number * 0.003, [number % few]) for number in range(1000))
    assert traffic.gathers(103, [few])


def test_the_event_loop_rests_for_a_short_time_only_where_a_table_decides_again_and_again() -> None:
    """Bots at one table that decide one after the other while others play: their people wait for all of it."""
    traffic = Traffic()
    for number in range(4):
        traffic.gathers(100 + number * 0.05, range(20 * number, 20 * number + 20))
        assert traffic.within(100 + number * 0.05) == CONFIRM_SECONDS
    assert traffic.gathers(100.2, [60, *range(80, 90)])  # table 60 had an entry 50 ms before
    assert traffic.within(100.2) == traffic.within(100.39) == HURRIED_SECONDS
    assert traffic.within(100.41) == CONFIRM_SECONDS
    assert rest_seconds(0.001, 0.002, 1, HURRIED_SECONDS) == pytest.approx(HURRIED_SECONDS - 0.006)


def test_a_table_that_decides_again_at_once_waits_for_short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        disk, clock = SlowDisk(), Clock()
        disk.may_go_on.set()
        monkeypatch.setattr("tripot.store.group_commit.time", clock)
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=lambda entry: entry % 100)
        for number in range(3):
            entries = [100 * number, *range(100 * number + 10 * number + 1, 100 * number + 10 * number + CROWD)]
            await asyncio.gather(*[commits.write(entry) for entry in entries])
            await commits.finish()
        assert clock.rests == pytest.approx([CONFIRM_SECONDS, HURRIED_SECONDS, HURRIED_SECONDS])

    asyncio.run(play())


def test_while_somebody_asks_for_something_else_rests_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        disk, clock = SlowDisk(), Clock()
        disk.may_go_on.set()
        monkeypatch.setattr("tripot.store.group_commit.time", clock)
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        for number in range(2):
            await asyncio.gather(*[commits.write(CROWD * number + entry) for entry in range(CROWD)])
            await commits.finish()
            commits.hurry()
        assert clock.rests == pytest.approx([CONFIRM_SECONDS, HURRIED_SECONDS])

    asyncio.run(play())


def test_after_a_commit_of_a_crowd_the_event_loop_rests() -> None:
    traffic = Traffic()
    assert [traffic.gathers(100, range(number)) for number in range(1, CROWD + 1)] == [False] * (CROWD - 1) + [True]


def test_after_an_entry_that_came_alone_nothing_waits_for_the_next() -> None:
    """A server that is not busy is woken for what comes, and not once more for each commit."""

    async def play() -> None:
        disk = SlowDisk()
        disk.may_go_on.set()
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        await commits.write(1)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        together = [asyncio.create_task(commits.write(entry)) for entry in (2, 3)]
        await asyncio.gather(*together)
        assert disk.commits == [[1], [2, 3]]

    asyncio.run(play())


def test_the_size_of_a_commit_is_limited() -> None:
    async def play() -> None:
        disk = SlowDisk()
        assert await outcomes(
            GroupCommit(disk.write, retry_alone=Taken, table_of=itself), range(MAX_ENTRIES * 2 + 5), disk
        ) == [None] * (MAX_ENTRIES * 2 + 5)
        assert [len(commit) for commit in disk.commits] == [MAX_ENTRIES, MAX_ENTRIES, 5]

    asyncio.run(play())


def test_one_refused_entry_does_not_affect_the_others() -> None:
    async def play() -> None:
        disk = SlowDisk()
        found = await outcomes(GroupCommit(disk.write, retry_alone=Taken, table_of=itself), [1, 2, 1, 3], disk)
        assert [type(outcome) for outcome in found] == [type(None), type(None), Taken, type(None)]
        assert sorted(entry for commit in disk.commits for entry in commit) == [1, 2, 3]

    asyncio.run(play())


def test_a_disk_error_fails_all_entries_and_the_next_try_succeeds() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        disk.broken = True
        assert [type(outcome) for outcome in await outcomes(commits, [1, 2], disk)] == [OSError, OSError]
        disk.broken = False
        await commits.write(1)
        assert disk.commits == [[1]]

    asyncio.run(play())


def test_a_cancelled_caller_still_waits_for_the_commit() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        task = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        disk.may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert disk.commits == [[1]]

    asyncio.run(play())


def test_a_caller_who_is_cancelled_again_and_again_or_too_late_is_told_so_after_the_commit() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        impatient, late = (asyncio.create_task(commits.write(number)) for number in (1, 2))
        for _ in range(3):
            await asyncio.sleep(0)
            impatient.cancel()
        disk.may_go_on.set()
        while len(disk.commits) < 1:
            await asyncio.sleep(0)
        late.cancel()
        assert [type(one) for one in await asyncio.gather(impatient, late, return_exceptions=True)] == [
            asyncio.CancelledError,
            asyncio.CancelledError,
        ]
        assert sorted(entry for commit in disk.commits for entry in commit) == [1, 2]

    asyncio.run(play())


def test_finish_waits_for_pending_entries() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken, table_of=itself)
        task = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        disk.may_go_on.set()
        await commits.finish()
        assert disk.commits == [[1]]
        await task

    asyncio.run(play())


def test_whoever_waits_for_a_writer_that_is_cancelled_is_told_so() -> None:
    async def work() -> None:
        commits = GroupCommit(cancelled, retry_alone=Taken, table_of=itself)
        with pytest.raises(RuntimeError, match=r"^writing was cancelled$"):
            await commits.write(1)

    async def cancelled(_: Sequence[int]) -> None:
        raise asyncio.CancelledError

    asyncio.run(work())
