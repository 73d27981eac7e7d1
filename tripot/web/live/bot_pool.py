"""BotPool: bots at work in threads, so that nobody waits for them but those who must.

Until native code is ready they run interpreted, and a bot that needs native code is stood in for. It is compiled by
a process of its own that leaves it in the cache on disk; compiling in this process would hold the interpreter.
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
from tripot.bots.bot import MEMORY, PolicyBot, SearchBot, UnknownBot, find_bot, new_memory
from tripot.bots.levels import LEVELS, bot_of
from tripot.core import jit
from tripot.core.game import Game
from tripot.table.choice import Choice

Engine = Literal["interpreted", "compiling", "native"]
Decider = Callable[[NDArray[np.void], Sequence[int]], int]
LONGEST_CHOICE = 60  # small decisions that a bot takes in one go
STAND_IN = "medium"  # plays for a bot that is not there, or not yet
logger = logging.getLogger(__name__)


class BotPool:
    """The bots of all tables of a server."""

    def __init__(self, games: Mapping[str, Game], told: Callable[[], None] = lambda: None) -> None:
        self.engine: dict[str, Engine] = dict.fromkeys(games, "interpreted")
        self._told = told  # called when `engine` changes
        self.queued = 0  # choices that are being thought about, or wait for a thread
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="thinker")

    async def choose(
        self, game: Game, notation: str, view: NDArray[np.void], legal: tuple[int, ...], luck: int
    ) -> list[int]:
        """A whole choice of a bot from the view of its seat. The same luck makes the same choice."""
        native = self.engine[game.name] == "native" and game is GAMES[game.name]  # older rules are not compiled
        loop = asyncio.get_running_loop()
        self.queued += 1
        try:
            work = partial(choose, game.name, notation, view, legal, luck, native, game.rules_version)
            return await loop.run_in_executor(self._pool, work)
        finally:
            self.queued -= 1

    async def compile(self) -> None:
        """Build native code in the background, one game after the other; without it all works as well."""
        for game in self.engine:
            self._tell(game, "compiling")
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
            self._tell(game, "interpreted" if failed else "native")

    def _tell(self, game: str, engine: Engine) -> None:
        self.engine[game] = engine
        self._told()

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def bot_seed(seed: int, seat: int, sequence: int) -> int:
    """A bot's luck for one choice: known to the table alone, and the same after a restart."""
    digest = hashlib.sha256(f"bot {seed} {seat} {sequence}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


@cache
def known_bot(name: str, notation: str, rules: int | None = None) -> PolicyBot | SearchBot:
    """The bot behind a notation, one object for all tables; a stand-in for one that only an earlier version had."""
    game = GAMES[name] if rules is None else find_rules(name, rules) or GAMES[name]
    try:
        return find_bot(notation, game)
    except UnknownBot:
        return find_bot(bot_of(STAND_IN, game), game)


def choose(
    game: str,
    notation: str,
    view: NDArray[np.void],
    legal: Sequence[int],
    luck: int,
    native: bool,
    rules: int | None = None,
) -> list[int]:
    """Small decisions until the choice is complete, each from what the seat would see after the last."""
    bot = known_bot(game, notation, rules)
    if isinstance(bot, SearchBot) and not native:
        bot = known_bot(game, bot_of(STAND_IN, bot.game), rules)
    choice = Choice(bot.game, view, tuple(legal))
    decide = _native_decider(bot, luck) if native and isinstance(bot, PolicyBot) else _decider(bot, luck)
    while not choice.finished and len(choice.decisions) < LONGEST_CHOICE:
        choice.take(decide(choice.seen, choice.legal))
    return choice.decisions


def _decider(bot: PolicyBot | SearchBot, luck: int) -> Decider:
    memory = new_memory(luck, 0)
    return lambda view, legal: bot.decide(view, legal, memory)


def _native_decider(bot: PolicyBot, luck: int) -> Decider:
    function = jit.native(bot.choose)
    memory: Any = np.frombuffer(bytearray(new_memory(luck, 0).pack()), MEMORY.dtype)

    def decide(view: NDArray[np.void], legal: Sequence[int]) -> int:
        mask = np.zeros(bot.game.num_actions, np.int8)
        mask[list(legal)] = 1
        return int(function(view[0], mask, memory[0]))

    return decide


def warm(name: str) -> None:
    """Have the native code of all difficulties of a game at hand: read from the cache, or built and put there."""
    game = GAMES[name]
    state = game.new_state(game.options(), game.seats[0], 0)
    seat = next(seat for seat in range(state.seats) if state.waiting >> seat & 1)
    view = game.layout.observe(np.frombuffer(state.pack(), game.layout.state.dtype), seat)
    for level in LEVELS:
        choose(name, bot_of(level, game), view, game.legal_actions(state, seat), 0, native=True)
