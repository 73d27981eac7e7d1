"""Where games are played: in this process, or in as many processes as there are cores. The games are the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Protocol

from tripot.bots.bot import PolicyBot, find_bot
from tripot.lab.arena.contest import Contest
from tripot.lab.arena.match import Match
from tripot.lab.arena.schedule import Lineup

QUICK_GAMES = 200  # games of bots that do not search: a fraction of a second


@dataclass(frozen=True)
class WorkUnit:
    """Some games of a contest: what one worker is given to do. It travels as text and numbers."""

    contest: Contest
    games: tuple[tuple[int, Lineup], ...]


Task = Callable[[WorkUnit], Any]


class LostWorker(RuntimeError):
    """A process that was killed, most likely for want of memory."""


class Runner(Protocol):
    """Does a task with every unit and hands over what comes back, in any order."""

    def __call__(self, task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]: ...


def work_units(contest: Contest, games: Sequence[tuple[int, Lineup]]) -> list[WorkUnit]:
    """The work in pieces: single games where a bot thinks, so that no core waits long for the others."""
    from tripot import GAMES

    quick = all(isinstance(find_bot(bot, GAMES[contest.game]), PolicyBot) for bot in contest.bots)
    size = QUICK_GAMES if quick else 1
    return [WorkUnit(contest, tuple(games[i : i + size])) for i in range(0, len(games), size)]


_here = threading.local()  # the table of each thread


def match_of(contest: Contest) -> Match:
    """This thread's table for a contest, compiled and ready."""
    from tripot import GAMES

    if getattr(_here, "contest", None) != contest:
        game = GAMES[contest.game]
        match = Match(game, contest.options_of(game), contest.bots)
        match.warm_up(contest.seats)
        _here.match, _here.contest = match, contest
    found: Match = _here.match
    return found


# --- Runners ---


def run_here(task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
    """In this process, one after the other."""
    return map(task, work)


def run_on_cores(workers: int | None = None) -> Runner:
    """In as many processes as there are cores."""
    count = workers or available_cores()

    def run(task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
        if count == 1 or len(work) < 2:
            return run_here(task, work)
        match_of(work[0].contest)  # compiled once, here; the workers find it in the cache
        return _in_pool(task, work, min(count, len(work)))

    return run


def _in_pool(task: Task, work: Sequence[WorkUnit], workers: int) -> Iterator[Any]:
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_leave_interrupts_alone)
    try:
        waiting: list[Future[Any]] = [pool.submit(task, unit) for unit in work]
        for done in as_completed(waiting):
            yield done.result()
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()  # nobody waits for games that will not be counted
        if isinstance(error, BrokenProcessPool):
            raise LostWorker("a process that played games was killed: games saved so far are kept") from None
        raise
    pool.shutdown()


def _leave_interrupts_alone() -> None:
    """Ctrl-C reaches every process of a terminal: the one that keeps the games decides."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
