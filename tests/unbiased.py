"""Compares the distributions of imagined and real states with a chi-square test."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any

import numpy as np

from tripot.core.game import Game

ENOUGH = 200  # real games with the same view, at least, to compare it


def compare(game: Game, seat: int, real: Callable[[int], Any], hidden: Callable[[Any], Hashable], games: int) -> float:
    """Returns the largest chi-square over all common views, in standard deviations above its mean.

    `real(seed)` plays a small position with random and neutral choices; `hidden(s)` names what the seat cannot see.
    """
    seen: dict[bytes, Counter[Hashable]] = defaultdict(Counter)
    views = {}
    layout = game.layout
    for state, secret in _played(real, hidden, games):
        view = layout.observe(np.frombuffer(state, layout.state.dtype), seat)
        views[view.tobytes()] = view
        seen[view.tobytes()][secret] += 1
    common = {key: counts for key, counts in seen.items() if counts.total() >= ENOUGH}
    assert common, "no view came up often enough to compare"
    return max(_distance(game, views[key], counts, hidden) for key, counts in common.items())


@lru_cache(maxsize=1)
def _played(real: Callable[[int], Any], hidden: Callable[[Any], Hashable], games: int) -> list[tuple[bytes, Hashable]]:
    """The real games, kept for the next seat that looks at them."""
    played = map(real, range(games))
    return [(s.pack(), hidden(s)) for s in played]


def _distance(game: Game, view: Any, real: Counter[Hashable], hidden: Callable[[Any], Hashable]) -> float:
    """Returns how far two samples of one size, real and imagined, are apart, in standard deviations."""
    size = real.total()
    imagined = Counter(hidden(game.imagined(view, seed)) for seed in range(size))
    kinds = set(real) | set(imagined)
    if len(kinds) == 1:
        return 0.0
    chi_square = sum((real[kind] - imagined[kind]) ** 2 / (real[kind] + imagined[kind]) for kind in kinds)
    freedom = len(kinds) - 1
    return float((chi_square - freedom) / np.sqrt(2 * freedom))
