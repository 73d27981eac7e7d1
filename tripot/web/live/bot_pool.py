"""The bot pool: worker threads in which bots choose, so that the event loop never waits for them.

Until native code is ready, bots run interpreted, and a stand-in plays for a bot that needs native code. A separate
process compiles into the cache on disk, because compiling in this process would hold the interpreter lock.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES, find_rules
from tripot.bots.bot import PolicyBot, SearchBot, UnknownBot, find_bot
from tripot.bots.levels import levels_of
from tripot.bots.memory import BOT_MEMORY, new_memory
from tripot.core import jit
from tripot.core.game import Game
from tripot.table.choice import Choice

Engine = Literal["interpreted", "compiling", "native"]
Decider = Callable[[NDArray[np.void], Sequence[int]], int]
MAX_CHOICE = 60  # decisions that a bot may string together in one choice
logger = logging.getLogger(__name__)


class BotPool:
    """The bots of all tables of a server."""

    def __init__(self, games: Mapping[str, Game], on_change: Callable[[], None] = lambda: None) -> None:
        self.engine: dict[str, Engine] = dict.fromkeys(games, "interpreted")
        self._on_change = on_change  # called when `engine` changes
        self.queued = 0  # choices that are being computed or wait for a thread
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="bot")

    async def choose(
        self, game: Game, notation: str, view: NDArray[np.void], legal: tuple[int, ...], seed: int
    ) -> list[int]:
        """Returns a bot's whole choice from the view of its seat. The same seed gives the same choice."""
        native = self.engine[game.name] == "native" and game is GAMES[game.name]  # older rules are not compiled
        loop = asyncio.get_running_loop()
        self.queued += 1
        try:
            work = partial(choose, game.name, notation, view, legal, seed, native, game.rules_version)
            return await loop.run_in_executor(self._pool, work)
        finally:
            self.queued -= 1

    async def compile(self) -> None:
        """Compiles native code in the background, one game after the other. Everything works without it too."""
        for game in self.engine:
            self._set_engine(game, "compiling")
            compiler = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tripot.web.ops.warm_cache", game, stdin=asyncio.subprocess.DEVNULL
            )
            try:
                failed = await compiler.wait()
            except asyncio.CancelledError:
                compiler.terminate()
                await compiler.wait()
                raise
            if not failed:
                await asyncio.get_running_loop().run_in_executor(self._pool, warm, game)
            self._set_engine(game, "interpreted" if failed else "native")

    def _set_engine(self, game: str, engine: Engine) -> None:
        self.engine[game] = engine
        self._on_change()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def bot_seed(seed: int, seat: int, sequence: int) -> int:
    """Returns the seed of a bot's choice: only the table knows it, and it is the same after a restart."""
    digest = hashlib.sha256(f"bot {seed} {seat} {sequence}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def stand_in(game: Game) -> str:
    """The bot that plays for one that is not there, or not compiled yet."""
    return "uniform" if game.heuristic is None else "sensible"


@cache
def cached_bot(name: str, notation: str, rules: int | None = None) -> PolicyBot | SearchBot:
    """Returns the bot of a notation, one object for all tables. A stand-in replaces a bot that no longer exists."""
    game = GAMES[name] if rules is None else find_rules(name, rules) or GAMES[name]
    try:
        return find_bot(notation, game)
    except UnknownBot:
        return find_bot(stand_in(game), game)


def choose(
    game: str,
    notation: str,
    view: NDArray[np.void],
    legal: Sequence[int],
    seed: int,
    native: bool,
    rules: int | None = None,
) -> list[int]:
    """Decides until the choice is complete, each time from what the seat would see after the last decision."""
    bot = cached_bot(game, notation, rules)
    if isinstance(bot, SearchBot) and not native:
        bot = cached_bot(game, stand_in(bot.game), rules)
    choice = Choice(bot.game, view, tuple(legal))
    decide = _native_decider(bot, seed) if native and isinstance(bot, PolicyBot) else _decider(bot, seed)
    while not choice.finished and len(choice.decisions) < MAX_CHOICE:
        choice.add(decide(choice.seen, choice.legal))
    return choice.decisions


def _decider(bot: PolicyBot | SearchBot, seed: int) -> Decider:
    memory = new_memory(seed, 0)
    return lambda view, legal: bot.decide(view, legal, memory)


def _native_decider(bot: PolicyBot, seed: int) -> Decider:
    function = jit.native(bot.choose)
    memory: Any = np.frombuffer(bytearray(new_memory(seed, 0).pack()), BOT_MEMORY.dtype)

    def decide(view: NDArray[np.void], legal: Sequence[int]) -> int:
        mask = np.zeros(bot.game.num_actions, np.int8)
        mask[list(legal)] = 1
        return int(function(view[0], mask, memory[0]))

    return decide


def warm(name: str) -> None:
    """Loads the native code of all levels of a game from the cache, or compiles it into the cache."""
    game = GAMES[name]
    state = game.new_state(game.options(), game.seats[0], 0)
    seat = next(seat for seat in range(state.seats) if state.waiting >> seat & 1)
    view = game.layout.observe(np.frombuffer(state.pack(), game.layout.state.dtype), seat)
    for level in levels_of(game):
        choose(name, level.bot, view, game.legal_actions(state, seat), 0, native=True)
