"""Bots: players that receive a view, their legal decisions and their own memory, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.sensible import COMMON_SENSE
from tripot.bots.uniform import choose_uniform
from tripot.core import rng
from tripot.core.game import PLAYERS, Game, signed
from tripot.core.record import Form

MEMORY = Form(rng.FIELDS)  # what a bot carries from one decision to the next: its own luck
NAMES = ("uniform", "sensible")


class UnknownBot(ValueError):
    """A notation that names no bot of this game."""


@dataclass(frozen=True)
class Bot:
    """A player of one game. `choose(view, mask, memory)` is a rule function: it can be compiled."""

    name: str
    game: Game
    choose: Callable[[Any, Any, Any], int]

    def new_memory(self, seed: int, seat: int) -> Any:
        """A fresh memory; the same seed and seat give the same decisions."""
        memory = MEMORY.plain()
        rng.seed_luck(memory, signed(seed), PLAYERS + seat)
        return memory

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        """The bot's decision from the view of its seat."""
        mask = [0] * self.game.num_actions
        for action in legal:
            mask[action] = 1
        return int(self.choose(self.game.layout.view_of(view.tobytes()), mask, memory))


def find_bot(notation: str, game: Game) -> Bot:
    """The bot behind a notation such as `uniform` or `sensible`."""
    if notation == "uniform":
        return Bot(notation, game, choose_uniform)
    if notation == "sensible" and game.name in COMMON_SENSE:
        return Bot(notation, game, COMMON_SENSE[game.name])
    raise UnknownBot(f"unknown bot '{notation}' for {game.name}: there are {', '.join(NAMES)}")
