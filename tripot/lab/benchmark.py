"""The speed of the rules on this machine: random play by every engine, the first start, one table, and search."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tripot.bots.bot import find_policy
from tripot.bots.memory import new_memory
from tripot.bots.search import Searcher
from tripot.core.game import Game
from tripot.core.native_cache import CACHE_VARIABLE
from tripot.lab import leduc, playout
from tripot.lab.simulate import GameLoop, play_interpreted, simulate
from tripot.lab.vector.self_play import SelfPlay
from tripot.table.table import Table

TRIES = 3  # the best one counts: other load slows the rest
SECONDS = 0.7  # of play in each trial
SEARCH_MILLISECONDS = 1_000  # of search in each trial

Report = Callable[[str], None]


@dataclass(frozen=True)
class Measure:
    """One measurement; `what` says what it includes."""

    game: str
    name: str
    value: float
    unit: str
    what: str


def measure(games: list[Game], report: Report) -> Iterator[Measure]:
    """Yields all measurements, game by game; calls `report` with what it is measuring."""
    for game in games:
        for part in (first_starts, native, native_seen, all_cores, learning, interpreted, one_table, search):
            report(f"{game.name}: {part.__name__.replace('_', ' ')}")
            yield from part(game)
    for part in (native, native_seen, all_cores, interpreted):  # the game that other programs have too
        report(f"{leduc.GAME.name}: {part.__name__.replace('_', ' ')}")
        yield from part(leduc.GAME)


def machine() -> dict[str, Any]:
    """The processor and the versions that the numbers depend on."""
    info = Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if "model name" in line] if info.exists() else []
    return {
        "cores": os.cpu_count() or 1,
        "cpu": models[0].partition(":")[2].strip() if models else platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


def as_json(measures: list[Measure]) -> dict[str, Any]:
    return {"machine": machine(), "measures": [asdict(found) for found in measures]}


# --- Random play ---


def best_rate(play: Callable[[int], int]) -> float:
    """Decisions a second: the best of TRIES trials, each of as many games as take SECONDS."""
    play(1)  # compiles
    count, seconds = 1, 0.0
    while seconds < SECONDS / 4:
        count *= 2
        start = time.perf_counter()
        play(count)
        seconds = time.perf_counter() - start
    count = max(1, round(count * SECONDS / seconds))
    rates = []
    for _ in range(TRIES):
        start = time.perf_counter()
        decisions = play(count)
        rates.append(decisions / (time.perf_counter() - start))
    return max(rates)


def native(game: Game) -> Iterator[Measure]:
    loop, seats = GameLoop(game, game.options(), find_policy("uniform", game)), game.usual_seats
    rate = best_rate(lambda games: int(loop.play(seats, 0, games)[playout.DECISIONS]))
    yield Measure(game.name, "native", rate, "decisions/s", "one core: mask, pick, rules")


def native_seen(game: Game) -> Iterator[Measure]:
    uniform, seats = find_policy("uniform", game), game.usual_seats
    loop = GameLoop(game, game.options(), uniform, uniform)
    rate = best_rate(lambda games: int(loop.play(seats, 0, games)[playout.DECISIONS]))
    yield Measure(game.name, "native with view", rate, "decisions/s", "one core: the same and a view")


def all_cores(game: Game) -> Iterator[Measure]:
    rate = best_rate(lambda games: simulate(game, game.usual_seats, games, 0).decisions)
    yield Measure(game.name, "native, all cores", rate, "decisions/s", f"{os.cpu_count()} threads")


def interpreted(game: Game) -> Iterator[Measure]:
    uniform, seats = find_policy("uniform", game), game.usual_seats
    rate = best_rate(
        lambda games: int(play_interpreted(game, game.options(), uniform, seats, 0, games)[playout.DECISIONS])
    )
    yield Measure(game.name, "interpreted", rate, "decisions/s", "one core: mask, pick, rules")


# --- Learning ---

TABLES = 4096


def learning(game: Game) -> Iterator[Measure]:
    """Self-play, and one seat among bots without search: encoding 2, masks, rewards; NumPy picks actions at random."""
    play, what = SelfPlay(game, TABLES, keep_last=False), f"all cores, {TABLES} tables: encoding 2, masks, step"
    actions = np.zeros(TABLES, np.int64)

    def step_all(steps: int) -> int:
        for _ in range(steps):
            play.batch.pick(actions)
            play.step(play.encoder.turned_actions[play._frames(), actions])
        return steps * TABLES

    play.reset()
    yield Measure(game.name, "self-play", best_rate(step_all), "decisions/s", what)
    if find_spec("gymnasium") is not None:
        from tripot.lab.vector.seat_env import SeatVectorEnv

        opponents = "uniform" if game.heuristic is None else "sensible"
        envs = SeatVectorEnv(game, TABLES, opponents=opponents, encoding=2)
        envs.reset(seed=1)

        def step_seat(steps: int) -> int:
            for _ in range(steps):
                envs.step(np.argmax(envs.action_masks(), axis=1))
            return steps * TABLES

        rate = best_rate(step_seat)
        yield Measure(game.name, "vector environment", rate, "steps/s", f"{what}, bots in the other seats")


# --- The first start ---


def first_starts(game: Game) -> Iterator[Measure]:
    """New processes: with an empty cache of native code, with a filled one, and then the first search."""
    with tempfile.TemporaryDirectory(prefix="tripot-bench-") as folder:
        for name in ("first game", "first game, cached"):
            yield Measure(game.name, name, seconds_to("play_first", game.name, folder), "s", "from starting Python")
        if game.heuristic is not None:
            took = seconds_to("search_first", game.name, folder)
            yield Measure(game.name, "first search", took, "s", "from starting Python, after the first game")


def seconds_to(first: str, game: str, folder: str) -> float:
    """Seconds that a new Python takes for a function of this module, with its cache in `folder`."""
    command = [sys.executable, "-c", f"from tripot.lab import benchmark; benchmark.{first}({game!r})"]
    source = str(Path(__file__).parent.parent.parent)
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    start = time.perf_counter()
    subprocess.run(command, env={**os.environ, CACHE_VARIABLE: folder, "PYTHONPATH": path}, check=True)
    return time.perf_counter() - start


def play_first(name: str) -> None:
    """One native game."""
    from tripot import GAMES

    simulate(GAMES[name], GAMES[name].usual_seats, 1, 0)


def search_first(name: str) -> None:
    """One decision of the search bot."""
    from tripot import GAMES

    search_opening(Searcher(GAMES[name], iterations=1), GAMES[name], 0)


# --- One table ---


def one_table(game: Game) -> Iterator[Measure]:
    """The time for view and offer of the seat to move, which a table needs after every decision."""
    best = min(time_at_table(game, seed) for seed in range(4 * TRIES))
    yield Measure(game.name, "view and offer", best * 1e6, "µs", "one table, from Python")


def time_at_table(game: Game, seed: int) -> float:
    """Mean seconds for view and offer, in one game of uniform players."""
    table, bot = Table(game, game.usual_seats, seed), find_policy("uniform", game)
    memory, spent = new_memory(seed, 0), 0.0
    while not table.over:
        seat = table.waiting[0]
        start = time.perf_counter()
        view, offer = table.view(seat), table.offer(seat)
        spent += time.perf_counter() - start
        table.decide(seat, bot.decide(view, offer.legal, memory), offer.sequence)
    return spent / table.sequence


# --- Search ---


def search(game: Game) -> Iterator[Measure]:
    """Search iterations a second from the opening position, with the rollouts of the search bot."""
    if game.heuristic is not None:
        searcher = Searcher(game, milliseconds=SEARCH_MILLISECONDS)
        search_opening(searcher, game, 0)  # compiles before the clock starts
        best = max(search_opening(searcher, game, seed) for seed in range(TRIES))
        yield Measure(game.name, "search", best, "iterations/s", f"one core: opening, {game.usual_seats} seats, guided")


def search_opening(searcher: Searcher, game: Game, seed: int) -> float:
    """Iterations a second in one search for the first decision of a game."""
    table = Table(game, game.usual_seats, seed)
    seat = table.waiting[0]
    view, legal = table.view(seat), table.offer(seat).legal
    start = time.perf_counter()
    result = searcher.search(view, legal, seed)
    return result.iterations / (time.perf_counter() - start)
