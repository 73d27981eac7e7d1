"""Bots: players that receive a view, their legal decisions and their own memory, and nothing else."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tripot.bots.search import Searcher, Thought
from tripot.bots.sensible import COMMON_SENSE
from tripot.bots.uniform import choose_uniform
from tripot.core import rng
from tripot.core.game import PLAYERS, Game, signed
from tripot.core.layout import Form

MEMORY = Form(rng.FIELDS)  # what a bot carries from one decision to the next: its own luck
NAMES = "uniform, sensible, search:800 (iterations), search:200ms"
_SEARCH = re.compile(r"search:(\d+)(ms)?")
MOST_ITERATIONS, MOST_MILLISECONDS = 10_000_000, 600_000


class UnknownBot(ValueError):
    """A notation that names no bot of this game."""


class Bot(Protocol):
    """A player of one game."""

    @property
    def name(self) -> str: ...

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        """The bot's decision from the view of its seat; `memory` comes from `new_memory` and is its own."""
        ...


def new_memory(seed: int, seat: int) -> Any:
    """A fresh memory for a bot; the same seed and seat give the same decisions."""
    memory = MEMORY.plain()
    rng.seed_luck(memory, signed(seed), PLAYERS + seat)
    return memory


@dataclass(frozen=True)
class PolicyBot:
    """A bot that is one rule function, `choose(view, mask, memory)`, and so can be compiled."""

    name: str
    game: Game
    choose: Callable[[Any, Any, Any], int]

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        mask = [0] * self.game.num_actions
        for action in legal:
            mask[action] = 1
        return int(self.choose(self.game.layout.view_of(view.tobytes()), mask, memory))


@dataclass(frozen=True)
class SearchBot:
    """A bot that searches. One object serves any number of threads: each has its own searcher."""

    name: str
    game: Game
    iterations: int = 0
    milliseconds: int = 0
    _desks: threading.local = field(default_factory=threading.local, repr=False)

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        return legal[0] if len(legal) == 1 else self.think(view, legal, memory).decision

    def think(
        self, view: NDArray[np.void], legal: Sequence[int], memory: Any, cancelled: threading.Event | None = None
    ) -> Thought:
        """The decision with its reasons; ends early, with what it has, once `cancelled` is set."""
        if not hasattr(self._desks, "searcher"):
            self._desks.searcher = Searcher(self.game, self.iterations, self.milliseconds)
        thought: Thought = self._desks.searcher.think(view, legal, rng.next_word(memory), cancelled)
        return thought


def find_bot(notation: str, game: Game) -> PolicyBot | SearchBot:
    """The bot behind a notation such as `uniform`, `sensible`, `search:800` or `search:200ms`."""
    if notation == "uniform":
        return PolicyBot(notation, game, choose_uniform)
    if notation == "sensible" and game.name in COMMON_SENSE:
        return PolicyBot(notation, game, COMMON_SENSE[game.name])
    if (found := _SEARCH.fullmatch(notation)) and game.name in COMMON_SENSE:
        budget, most = int(found[1]), MOST_MILLISECONDS if found[2] else MOST_ITERATIONS
        if not 1 <= budget <= most:
            raise UnknownBot(f"bot '{notation}': the number must be 1 to {most}")
        return SearchBot(notation, game, *((0, budget) if found[2] else (budget, 0)))
    raise UnknownBot(f"unknown bot '{notation}' for {game.name}: there are {NAMES}")


def find_policy(notation: str, game: Game) -> PolicyBot:
    """A bot that can be compiled into a loop of whole games."""
    bot = find_bot(notation, game)
    if not isinstance(bot, PolicyBot):
        raise UnknownBot(
            f"bot '{notation}': whole games run native with uniform or sensible; let others meet in the arena"
        )
    return bot
