"""Group commit: each entry gets its own outcome, and every caller waits for it."""

import asyncio
from collections.abc import Sequence

import pytest

from tripot.store.group_commit import MAX_ENTRIES, GroupCommit


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
        commits = GroupCommit(disk.write, retry_alone=Taken)
        first = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the writer has taken it and waits for the disk
        assert await outcomes(commits, [2, 3, 4], disk) == [None] * 3
        await first
        assert disk.commits == [[1], [2, 3, 4]]

    asyncio.run(play())


def test_the_size_of_a_commit_is_limited() -> None:
    async def play() -> None:
        disk = SlowDisk()
        assert await outcomes(GroupCommit(disk.write, retry_alone=Taken), range(MAX_ENTRIES * 2 + 5), disk) == [
            None
        ] * (MAX_ENTRIES * 2 + 5)
        assert [len(commit) for commit in disk.commits] == [MAX_ENTRIES, MAX_ENTRIES, 5]

    asyncio.run(play())


def test_one_refused_entry_does_not_affect_the_others() -> None:
    async def play() -> None:
        disk = SlowDisk()
        found = await outcomes(GroupCommit(disk.write, retry_alone=Taken), [1, 2, 1, 3], disk)
        assert [type(outcome) for outcome in found] == [type(None), type(None), Taken, type(None)]
        assert sorted(entry for commit in disk.commits for entry in commit) == [1, 2, 3]

    asyncio.run(play())


def test_a_disk_error_fails_all_entries_and_the_next_try_succeeds() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken)
        disk.broken = True
        assert [type(outcome) for outcome in await outcomes(commits, [1, 2], disk)] == [OSError, OSError]
        disk.broken = False
        await commits.write(1)
        assert disk.commits == [[1]]

    asyncio.run(play())


def test_a_cancelled_caller_still_waits_for_the_commit() -> None:
    async def play() -> None:
        disk = SlowDisk()
        commits = GroupCommit(disk.write, retry_alone=Taken)
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
        commits = GroupCommit(disk.write, retry_alone=Taken)
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
        commits = GroupCommit(disk.write, retry_alone=Taken)
        task = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        disk.may_go_on.set()
        await commits.finish()
        assert disk.commits == [[1]]
        await task

    asyncio.run(play())
