"""A moment at which what one seat cannot see was imagined anew: a table that plays on from a game with other cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tripot.core.game import Game


@dataclass(frozen=True)
class Imagined:
    """After `after` decisions the hidden cards changed; `seat` cannot tell. All luck from then on follows from `seed`.

    The cards follow from the game's `imagine`, which therefore belongs to the rules: where it changes, the
    `rules_version` grows.
    """

    after: int
    seat: int
    seed: int

    def anew(self, game: Game, s: Any) -> Any:
        """Another state that the seat cannot tell from this one."""
        state = np.frombuffer(s.pack(), game.layout.state.dtype)
        return game.imagined(game.layout.observe(state, self.seat), self.seed)
