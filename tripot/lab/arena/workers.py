"""Runners: play games in this process, or in a pool of worker processes. Both play the same games."""

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

from tripot.bots.bot import PolicyBot
from tripot.bots.own import find_any_bot
from tripot.lab.arena.contest import Contest
from tripot.lab.arena.match import Match
from tripot.lab.arena.schedule import Lineup

QUICK_GAMES = 200  # games in a unit for bots that do not search: a fraction of a second


@dataclass(frozen=True)
class WorkUnit:
    """Some games of a contest for one worker. It holds only text and numbers, so that it can be sent."""

    contest: Contest
    games: tuple[tuple[int, Lineup], ...]


Task = Callable[[WorkUnit], Any]


class LostWorker(RuntimeError):
    """A worker process was killed, most likely for lack of memory."""


class Runner(Protocol):
    """Runs a task on every unit and yields the results, in any order."""

    def __call__(self, task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]: ...


def work_units(contest: Contest, games: Sequence[tuple[int, Lineup]]) -> list[WorkUnit]:
    """Splits games into units: single games if a bot searches, so that no core waits long for the others."""
    from tripot import GAMES

    quick = all(isinstance(find_any_bot(bot, GAMES[contest.game]), PolicyBot) for bot in contest.bots)
    size = QUICK_GAMES if quick else 1
    return [WorkUnit(contest, tuple(games[i : i + size])) for i in range(0, len(games), size)]


_local = threading.local()  # the match of each thread


def match_of(contest: Contest) -> Match:
    """This thread's match for a contest, compiled."""
    from tripot import GAMES

    if getattr(_local, "contest", None) != contest:
        game = GAMES[contest.game]
        match = Match(game, contest.options_of(game), contest.bots)
        match.warm_up(contest.seats)
        _local.match, _local.contest = match, contest
    found: Match = _local.match
    return found


# --- Runners ---


def run_here(task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
    """Runs in this process, one unit after the other."""
    return map(task, work)


def run_on_cores(workers: int | None = None) -> Runner:
    """A runner with `workers` processes, by default one per core."""
    count = workers or available_cores()

    def run(task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
        if count == 1 or len(work) < 2:
            return run_here(task, work)
        match_of(work[0].contest)  # compiles once; the workers load it from the cache
        return _in_pool(task, work, min(count, len(work)))

    return run


def _in_pool(task: Task, work: Sequence[WorkUnit], workers: int) -> Iterator[Any]:
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_ignore_interrupts)
    try:
        futures: list[Future[Any]] = [pool.submit(task, unit) for unit in work]
        for done in as_completed(futures):
            yield done.result()
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()  # their games would not be counted
        if isinstance(error, BrokenProcessPool):
            raise LostWorker("a worker process was killed: the games saved so far are kept") from None
        raise
    pool.shutdown()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal: only the one that saves the games handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def available_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
