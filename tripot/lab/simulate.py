"""Simulation: many games of one bot by any engine, with a checksum to compare engines."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.bot import PolicyBot, UnknownBot, find_policy
from tripot.bots.memory import BOT_MEMORY
from tripot.core import jit, observe
from tripot.core.game import WHOLE_WIN, Game, signed
from tripot.core.options import as_record, check_seats
from tripot.core.rng import WORD
from tripot.lab import playout
from tripot.lab.gpu import play_gpu, require_gpu

ENGINES = ("python", "native", "gpu")
Progress = Callable[[int], None]
Run = Callable[[int, int], NDArray[np.int64]]


@dataclass(frozen=True)
class Summary:
    """The result of a simulation. Equal arguments give equal checksums on every engine."""

    game: str
    seats: int
    games: int
    decisions: int
    seconds: float
    engine: str
    bot: str
    checksum: str
    wins: list[float]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "seats": self.seats,
            "games": self.games,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 6),
            "decisions_per_s": round(self.decisions / self.seconds) if self.seconds else 0,
            "engine": self.engine,
            "bot": self.bot,
            "checksum": self.checksum,
            "wins": self.wins,
            "mean_length": round(self.decisions / self.games, 3) if self.games else 0,
        }


class GameLoop:
    """A native table that plays game after game. It owns its arrays, so each thread needs its own loop."""

    def __init__(self, game: Game, options: Any, bot: PolicyBot, rival: PolicyBot | None = None) -> None:
        layout = game.layout
        self.game, self.options = game, as_record(options)
        self.states = layout.states(1)
        self.raw = self.states.view(np.uint8)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.memory = np.zeros(1, BOT_MEMORY.dtype)
        self.observer = layout.observer(self.states)
        bound = {**game.functions, "ACTIONS": game.num_actions}
        if bot.name == "uniform" and rival is None:
            self.run = jit.native(playout.run_uniform, **bound)
            self.extra: tuple[Any, ...] = ()
        else:
            rival = rival or bot
            players = {"choose": bot.choose, "rival": rival.choose, "observe_seat": observe.observe_seat}
            self.run = jit.native(playout.run_seen, **bound, **players)
            self.extra = (self.observer,)

    def play(self, seats: int, seed: int, games: int, chosen: int = -1) -> NDArray[np.int64]:
        """Returns the tally of `games` games from `seed` on; bit i of `chosen` gives seat i to the first bot."""
        tally = np.zeros(playout.WINS + max(self.game.seats), np.int64)
        extra = (*self.extra, chosen) if self.extra else ()
        self.run(self.states, self.raw, self.options, seats, signed(seed), games, self.mask, self.memory, tally, *extra)
        return tally


def play_interpreted(game: Game, options: Any, bot: PolicyBot, seats: int, seed: int, games: int) -> NDArray[np.int64]:
    """Returns the same tally by the interpreted rules; checks the field ranges of every final state."""
    tally = [0] * (playout.WINS + max(game.seats))
    mask, memory = [0] * game.num_actions, BOT_MEMORY.plain()
    looking = bot.name != "uniform"
    players = {"choose": bot.choose, "rival": bot.choose, "observe_seat": look_plain}
    bound = {**game.functions, **players, "ACTIONS": game.num_actions}
    play = jit.interpreted(playout.play_seen if looking else playout.play_uniform, **bound)
    extra = (game.layout, -1) if looking else ()
    for i in range(games):
        s = game.layout.state.plain()
        play(s, options, seats, signed(seed + i), mask, memory, tally, *extra)
        s.pack()
    return np.array(tally, np.int64)


def play_native(game: Game, options: Any, bot: PolicyBot, seats: int, seed: int, games: int) -> NDArray[np.int64]:
    """Plays a chunk of games in a loop of its own, so that threads share no arrays."""
    return GameLoop(game, options, bot).play(seats, seed, games)


def look_plain(s: Any, seat: int, layout: Any) -> Any:
    return layout.observe_plain(s, seat)


def runner(engine: str, game: Game, options: Any, bot: str, seats: int, games: int) -> tuple[Run, int, int]:
    """Returns the function that plays a chunk of games on this engine, the chunk size, and the number of threads."""
    player = find_policy(bot, game)
    if engine == "native":
        return partial(play_native, game, options, player, seats), min(20_000, games // 20 + 1), os.cpu_count() or 1
    if engine == "python":
        return partial(play_interpreted, game, options, player, seats), 50, 1
    require_gpu()
    if bot != "uniform":
        raise UnknownBot(f"the gpu engine cannot play the bot '{bot}': choose uniform")
    return partial(play_gpu, game, options, seats), max(games, 1), 1


def simulate(
    game: Game,
    seats: int,
    games: int,
    seed: int,
    engine: str = "native",
    bot: str = "uniform",
    house_rules: Any = None,
    progress: Progress | None = None,
) -> Summary:
    """Plays `games` games with `bot` in every seat; native code uses all cores."""
    options = game.options() if house_rules is None else house_rules
    check_seats(options, seats)
    run, chunk, workers = runner(engine, game, options, bot, seats, games)
    run(seed, 0)  # compiles before the clock starts
    start = time.perf_counter()
    tally = np.zeros(playout.WINS + max(game.seats), np.int64)
    pieces = [(seed + i, min(chunk, games - i)) for i in range(0, games, chunk)]
    with ThreadPoolExecutor(workers) as pool:
        for part, (_, count) in zip(pool.map(lambda piece: run(*piece), pieces), pieces, strict=True):
            tally += part
            if progress is not None:
                progress(count)
    seconds = time.perf_counter() - start
    return Summary(
        game.name,
        seats,
        int(tally[playout.GAMES]),
        int(tally[playout.DECISIONS]),
        seconds,
        engine,
        bot,
        f"{int(tally[playout.CHECKSUM]) & WORD:08x}",
        [round(int(wins) / WHOLE_WIN, 4) for wins in tally[playout.WINS : playout.WINS + seats]],
    )
