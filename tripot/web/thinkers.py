"""Thinkers: bots at work in threads, so that nobody waits for them but those who must.

Until native code is ready they run interpreted. It is compiled by a process of its own that leaves it in the
cache on disk; compiling in this process would hold the interpreter for seconds.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tripot.bots.bot import MEMORY, NAMES, Bot, UnknownBot, find_bot
from tripot.core import jit
from tripot.core.game import Game
from tripot.table.choice import Choice

Engine = Literal["interpreted", "compiling", "native"]
LONGEST_CHOICE = 60  # small decisions that a bot takes in one go
logger = logging.getLogger(__name__)


class Thinkers:
    """The bots of all tables of a server."""

    def __init__(self, games: Mapping[str, Game], told: Callable[[], None] = lambda: None) -> None:
        self.engine: dict[str, Engine] = dict.fromkeys(games, "interpreted")
        self._games = games
        self._told = told  # called when `engine` changes
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="thinker")

    async def choose(self, bot: Bot, view: NDArray[np.void], legal: tuple[int, ...], luck: int) -> list[int]:
        """A whole choice of a bot from the view of its seat. The same luck makes the same choice."""
        native = self.engine[bot.game.name] == "native"
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, choose, bot, view, legal, luck, native)

    async def compile(self) -> None:
        """Build native code in the background, one game after the other; without it all works as well."""
        for name, game in self._games.items():
            self._tell(name, "compiling")
            compiler = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tripot.web.compile", name, stdin=asyncio.subprocess.DEVNULL
            )
            try:
                failed = await compiler.wait()
            except asyncio.CancelledError:
                compiler.terminate()
                raise
            if not failed:
                await asyncio.get_running_loop().run_in_executor(self._pool, warm, game)
            self._tell(name, "interpreted" if failed else "native")

    def _tell(self, game: str, engine: Engine) -> None:
        self.engine[game] = engine
        self._told()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def luck_of(seed: int, seat: int, sequence: int) -> int:
    """A bot's luck for one choice: known to the table alone, and the same after a restart."""
    digest = hashlib.sha256(f"bot {seed} {seat} {sequence}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def choose(bot: Bot, view: NDArray[np.void], legal: Sequence[int], luck: int, native: bool) -> list[int]:
    """Small decisions until the choice is complete, each from what the seat would see after the last."""
    choice = Choice(bot.game, view, tuple(legal))
    decide = _native_decider(bot, luck) if native else _decider(bot, luck)
    while not choice.finished and len(choice.decisions) < LONGEST_CHOICE:
        choice.take(decide(choice.seen, choice.legal))
    return choice.decisions


Decider = Callable[[NDArray[np.void], Sequence[int]], int]


def _decider(bot: Bot, luck: int) -> Decider:
    memory = bot.new_memory(luck, 0)
    return lambda view, legal: bot.decide(view, legal, memory)


def _native_decider(bot: Bot, luck: int) -> Decider:
    function = jit.native(bot.choose)
    memory: Any = np.frombuffer(bytearray(bot.new_memory(luck, 0).pack()), MEMORY.dtype)

    def decide(view: NDArray[np.void], legal: Sequence[int]) -> int:
        mask = np.zeros(bot.game.num_actions, np.int8)
        mask[list(legal)] = 1
        return int(function(view[0], mask, memory[0]))

    return decide


def warm(game: Game) -> None:
    """Have the native code of all bots of a game at hand: read from the cache, or built and put there."""
    state = game.new_state(game.options(), game.seats[0], 0)
    seat = next(seat for seat in range(state.seats) if state.waiting >> seat & 1)
    view = game.layout.observe(np.frombuffer(state.pack(), game.layout.state.dtype), seat)
    for notation in NAMES:
        try:
            bot = find_bot(notation, game)
        except UnknownBot:
            continue
        choose(bot, view, game.legal_actions(state, seat), 0, native=True)
