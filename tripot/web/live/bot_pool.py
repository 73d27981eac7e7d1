"""The bot pool: worker threads in which bots choose, so that the event loop never waits for them.

Bots that search have threads of their own, so that no other bot waits for them. Each kind of thread is shared fairly
between visitors and tables (`fair_queue`).

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
from functools import cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES, find_rules
from tripot.bots.bot import PolicyBot, SearchBot, UnknownBot, find_bot
from tripot.bots.levels import levels_of
from tripot.bots.memory import BOT_MEMORY, new_memory
from tripot.bots.playouts import AS_THE_HEURISTIC
from tripot.coach.chances import chances
from tripot.coach.playouts import player_of
from tripot.core import jit
from tripot.core.game import Game
from tripot.core.shared_seed import Seed
from tripot.table.choice import Choice
from tripot.web.live.fair_queue import FairQueue, Result

Engine = Literal["interpreted", "compiling", "native"]
Decider = Callable[[NDArray[np.void], Sequence[int]], int]
MAX_CHOICE = 60  # decisions that a bot may string together in one choice
QUICK_THREADS = 2
SEARCH_NICENESS = 10  # the event loop and quick bots come first
logger = logging.getLogger(__name__)


class BotPool:
    """The bots of all tables of a server."""

    def __init__(self, games: Mapping[str, Game], on_change: Callable[[], None] = lambda: None) -> None:
        self.engine: dict[str, Engine] = dict.fromkeys(games, "interpreted")
        self._on_change = on_change  # called when `engine` changes
        cores = os.cpu_count() or 1
        self._quick = FairQueue("quick bot", QUICK_THREADS, 1)
        self._search = FairQueue("search bot", cores, max(1, cores - 1), SEARCH_NICENESS)

    @property
    def queued(self) -> int:
        """The number of choices that are being computed or wait for a thread."""
        return self._quick.size + self._search.size

    async def choose(
        self,
        game: Game,
        notation: str,
        view: NDArray[np.void],
        legal: tuple[int, ...],
        seed: int,
        table: str = "",
        visitors: frozenset[str] = frozenset(),
    ) -> list[int]:
        """Returns a bot's whole choice from the view of its seat. The same seed gives the same choice.

        The bot's time counts for one of `visitors`, those for whom the table is played.
        """
        native = self.engine[game.name] == "native" and game is GAMES[game.name]  # older rules are not compiled
        searches = native and isinstance(cached_bot(game.name, notation, game.rules_version), SearchBot)
        work = partial(choose, game.name, notation, view, legal, seed, native, game.rules_version)
        return await (self._search if searches else self._quick).run(visitors, table, work)

    def ready(self, game: Game) -> bool:
        """Whether native code of a game is there, without which studies would take minutes."""
        return self.engine.get(game.name) == "native" and game is GAMES[game.name]

    async def study(self, table: str, visitor: str, work: Callable[[], Result]) -> Result:
        """Runs a piece of a review among the searches: at a low priority, in turn for every visitor."""
        return await self._search.run(frozenset({visitor}), f"study {table}", work)

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
                await asyncio.to_thread(warm, game)
            self._set_engine(game, "interpreted" if failed else "native")

    def _set_engine(self, game: str, engine: Engine) -> None:
        self.engine[game] = engine
        self._on_change()

    def close(self) -> None:
        self._quick.close()
        self._search.close()


def bot_seed(seed: Seed, seat: int, sequence: int) -> int:
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
    player = player_of(game)
    player.from_state(state.pack(), seat, AS_THE_HEURISTIC, 0, 1)
    player.from_view(view, [(AS_THE_HEURISTIC,)], 0, 1)
    chances(game, view, 1)
