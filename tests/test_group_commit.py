"""Entries that share a commit: each hears its own outcome, and nobody leaves before it is known."""

import asyncio
from collections.abc import Sequence

import pytest

from tripot.store.group_commit import MAX_ENTRIES, GroupCommit


class Taken(Exception):
    """This entry cannot be written, whoever comes with it."""


class Paper:
    """Writes slowly, all or nothing, and refuses what it has."""

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


async def outcomes(commits: GroupCommit[int], entries: Sequence[int], paper: Paper) -> list[object]:
    tasks = [asyncio.create_task(commits.write(entry)) for entry in entries]
    await asyncio.sleep(0)
    paper.may_go_on.set()
    return list(await asyncio.gather(*tasks, return_exceptions=True))


def test_what_comes_during_a_commit_shares_the_next() -> None:
    async def play() -> None:
        paper = Paper()
        commits = GroupCommit(paper.write, retry_alone=Taken)
        first = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the writer has taken it, and waits for the disk
        assert await outcomes(commits, [2, 3, 4], paper) == [None] * 3
        await first
        assert paper.commits == [[1], [2, 3, 4]]

    asyncio.run(play())


def test_no_commit_is_without_measure() -> None:
    async def play() -> None:
        paper = Paper()
        assert await outcomes(GroupCommit(paper.write, retry_alone=Taken), range(MAX_ENTRIES * 2 + 5), paper) == [
            None
        ] * (MAX_ENTRIES * 2 + 5)
        assert [len(commit) for commit in paper.commits] == [MAX_ENTRIES, MAX_ENTRIES, 5]

    asyncio.run(play())


def test_one_refused_entry_spoils_nothing_for_the_others() -> None:
    async def play() -> None:
        paper = Paper()
        found = await outcomes(GroupCommit(paper.write, retry_alone=Taken), [1, 2, 1, 3], paper)
        assert [type(outcome) for outcome in found] == [type(None), type(None), Taken, type(None)]
        assert sorted(entry for commit in paper.commits for entry in commit) == [1, 2, 3]

    asyncio.run(play())


def test_a_disk_that_fails_fails_for_all_and_the_next_try_goes_through() -> None:
    async def play() -> None:
        paper = Paper()
        commits = GroupCommit(paper.write, retry_alone=Taken)
        paper.broken = True
        assert [type(outcome) for outcome in await outcomes(commits, [1, 2], paper)] == [OSError, OSError]
        paper.broken = False
        await commits.write(1)
        assert paper.commits == [[1]]

    asyncio.run(play())


def test_who_is_cut_off_leaves_only_when_it_is_known_what_was_written() -> None:
    async def play() -> None:
        paper = Paper()
        commits = GroupCommit(paper.write, retry_alone=Taken)
        task = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        paper.may_go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert paper.commits == [[1]]

    asyncio.run(play())


def test_finish_waits_for_what_is_on_its_way() -> None:
    async def play() -> None:
        paper = Paper()
        commits = GroupCommit(paper.write, retry_alone=Taken)
        task = asyncio.create_task(commits.write(1))
        await asyncio.sleep(0)
        paper.may_go_on.set()
        await commits.finish()
        assert paper.commits == [[1]]
        await task

    asyncio.run(play())
