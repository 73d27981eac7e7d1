"""OpenSpiel's information-set MCTS as a bot for the arena: `bench.rivals.ismcts:ismcts_100ms`, `…:ismcts_500`.

It is its Python class as it is, with uniform rollouts, on our games behind `lab.env.openspiel`. The number is a time
for each decision, or how many simulations. A tree is not kept from one decision to the next.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from tripot.core import rng
from tripot.core.game import Game
from tripot.lab.env.openspiel import state_of_view

NAME = re.compile(r"ismcts_(\d+)(ms)?")
EXPLORATION = 2.0  # of UCT
ENDLESS = 1 << 30


def __getattr__(name: str) -> Callable[[Game], OpenSpielBot]:
    """The factory of that name."""
    found = NAME.fullmatch(name)
    if found is None or int(found[1]) == 0:
        raise AttributeError(f"no bot {name}: write ismcts_100ms or ismcts_500")
    budget = int(found[1])
    return lambda game: OpenSpielBot(game, *((0, budget) if found[2] else (budget, 0)))


class OutOfTime(Exception):
    """The time for a decision is spent."""


class TimedEvaluator(RandomRolloutEvaluator):  # type: ignore[misc]
    """Uniform rollouts until a time is reached.

    Where a tree has reached the end of the game everywhere there are no more rollouts: simulations look at the clock,
    too. The first one visits no decision yet, so there are two at least.
    """

    def __init__(self, luck: np.random.RandomState, until: float) -> None:
        super().__init__(1, luck)
        self.until, self.begun = until, 0

    def begin(self) -> None:
        """To be called before each simulation."""
        self._check()
        self.begun += 1

    def evaluate(self, state: Any) -> Any:
        self._check()
        return super().evaluate(state)

    def _check(self) -> None:
        if self.begun > 1 and time.perf_counter() > self.until:
            raise OutOfTime


class OpenSpielBot:
    """Decides from the view of its seat alone: the search starts from a state imagined from it, and samples others."""

    def __init__(self, game: Game, simulations: int, milliseconds: int) -> None:
        self.game, self.simulations, self.milliseconds = game, simulations or ENDLESS, milliseconds

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        start = time.perf_counter()
        luck = np.random.RandomState(rng.next_word(memory) & 0xFFFFFFFF)
        evaluator = TimedEvaluator(luck, start + self.milliseconds / 1000 if self.milliseconds else math.inf)
        state = state_of_view(self.game, view, int(luck.randint(1 << 31)))
        bot = ISMCTSBot(state.get_game(), evaluator, EXPLORATION, self.simulations, random_state=luck)

        def resample(other: Any, seat: int) -> Any:  # its own has no seed
            evaluator.begin()
            return other.resample_from_infostate(seat, luck.random_sample)

        bot.set_resampler(resample)
        try:
            return int(bot.step(state))
        except OutOfTime:
            visited = bot._nodes[bot.get_state_key(state)].child_info  # what its own final policy reads
            return int(max(visited, key=lambda action: visited[action].visits))
