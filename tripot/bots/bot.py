"""Bots: players that receive a view, their legal decisions and their own memory, and nothing else."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tripot.bots.search import Searcher, SearchResult
from tripot.bots.uniform import choose_uniform
from tripot.core import rng
from tripot.core.game import Game

_SEARCH = re.compile(r"(search|guided):(\d+)(ms)?")
SEARCHED = 1000  # iterations of a network where it has learned nothing
MAX_ITERATIONS, MAX_MILLISECONDS = 10_000_000, 600_000


class UnknownBot(ValueError):
    """A notation that names no bot of this game."""


class Bot(Protocol):
    """A player of one game."""

    @property
    def name(self) -> str: ...

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        """The bot's decision from the view of its seat; `memory` comes from `new_memory` and is its own."""
        ...


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
    _of_thread: threading.local = field(default_factory=threading.local, repr=False)

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        return legal[0] if len(legal) == 1 else self.search(view, legal, memory).decision

    def search(
        self, view: NDArray[np.void], legal: Sequence[int], memory: Any, cancelled: threading.Event | None = None
    ) -> SearchResult:
        """The decision with its statistics; stops early, with what it has, once `cancelled` is set."""
        if not hasattr(self._of_thread, "searcher"):
            self._of_thread.searcher = Searcher(self.game, self.iterations, self.milliseconds)
        result: SearchResult = self._of_thread.searcher.search(view, legal, rng.next_word(memory), cancelled)
        return result


def bot_names(game: Game) -> str:
    """The notations that a game has bots for."""
    sensible = "sensible, " if game.heuristic is not None else ""
    return f"uniform, {sensible}search:800 (iterations), search:200ms, network, guided:800, guided:200ms"


def find_bot(notation: str, game: Game) -> PolicyBot | SearchBot:
    """The bot behind a notation such as `uniform`, `sensible`, `network`, `search:800` or `guided:200ms`."""
    if notation == "uniform":
        return PolicyBot(notation, game, choose_uniform)
    if notation == "sensible" and game.heuristic is not None:
        return PolicyBot(notation, game, game.heuristic)
    if found := _SEARCH.fullmatch(notation):
        budget, limit = int(found[2]), MAX_MILLISECONDS if found[3] else MAX_ITERATIONS
        if not 1 <= budget <= limit:
            raise UnknownBot(f"bot '{notation}': the number must be 1 to {limit}")
        given = (0, budget) if found[3] else (budget, 0)
        return SearchBot(notation, game, *given) if found[1] == "search" else learned(notation, game, *given)
    if notation == "network":
        return learned(notation, game, SEARCHED, 0)
    raise UnknownBot(f"unknown bot '{notation}' for {game.name}: there are {bot_names(game)}")


def learned(notation: str, game: Game, iterations: int, milliseconds: int) -> SearchBot:
    """A bot with the network that comes with the package; its weights are read when it is first asked for."""
    from tripot.bots.guided import GuidedBot
    from tripot.bots.network import NetworkBot, shipped_weights

    kind = NetworkBot if notation == "network" else GuidedBot
    weights = shipped_weights(game.name, game.rules_version)
    return kind(notation, game, iterations, milliseconds, weights=weights)


def has_network(game: Game) -> bool:
    """Whether the package has a network for these rules."""
    from tripot.bots.network import shipped_weights

    return shipped_weights(game.name, game.rules_version) is not None


def find_policy(notation: str, game: Game) -> PolicyBot:
    """A bot that can be compiled into a loop of whole games."""
    bot = find_bot(notation, game)
    if not isinstance(bot, PolicyBot):
        raise UnknownBot(f"bot '{notation}': only uniform and sensible can play here; others meet in the arena")
    return bot
