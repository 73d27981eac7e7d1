"""Reasons in words: what one choice brings against another, in the game's own quantities.

The quantities are read in the same imagined games in which the chances are counted. Only differences that chance alone
would hardly make are told, the clearest first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.coach.playouts import Counts
from tripot.core.game import Game
from tripot.core.quantities import Quantity, When

MOST = 3  # reasons for one choice
CLEAR = 3.0  # standard errors by which a quantity must differ
LEAST_AMOUNT = 0.1  # smaller differences of an amount are not worth a word …
LEAST_SHARE = 0.08  # … and of how often an event happens
TINY = 1e-9  # of a quantity that never varies
MOMENTS = (When.ROUND, When.GAME)  # in the order of `marks`


Means = NDArray[np.float64]


class Reason(NamedTuple):
    """One quantity that differs: when, which, and its mean after the choice and after the other one."""

    when: int
    quantity: int
    mine: float
    other: float


def reasons(game: Game, mine: Counts, other: Counts) -> list[Reason]:
    """What differs between two choices on the same imagined tables: marks by table, When and quantity."""
    differences = mine - other
    spread = differences.std(axis=0) / math.sqrt(len(differences))
    return clearest(game, mine.mean(axis=0), other.mean(axis=0), spread, mine.std(axis=0) + other.std(axis=0))


def changes(game: Game, before: Counts, after: Counts, count: int) -> list[Reason]:
    """What differs for a seat between two moments: marks by When and quantity, sums and sums of squares."""
    means, errors = [], []
    for marks in (before, after):
        mean = marks[..., 0] / count
        means.append(mean)
        errors.append(np.maximum(marks[..., 1] / count - mean**2, 0))
    spread = np.sqrt((errors[0] + errors[1]) / count)
    return clearest(game, means[1], means[0], spread, np.sqrt(errors[0]) + np.sqrt(errors[1]))


def clearest(game: Game, mine: Means, other: Means, spread: Means, scale: Means) -> list[Reason]:
    """The differences that are clear and large, measured against how much the quantity varies at all."""
    items = game.quantities.items if game.quantities else ()
    found = []
    for when, moment in enumerate(MOMENTS):
        for quantity, item in enumerate(items):
            reason = Reason(when, quantity, float(mine[when][quantity]), float(other[when][quantity]))
            gap = abs(reason.mine - reason.other)
            if moment in item.when and worth_a_word(item, reason) and gap > CLEAR * float(spread[when][quantity]):
                found.append((gap / max(float(scale[when][quantity]), TINY), reason))
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return sorted(reason for _, reason in found[:MOST])


def worth_a_word(item: Quantity, reason: Reason) -> bool:
    """Whether a difference is large enough, and would not be rounded away."""
    gap = abs(reason.mine - reason.other)
    if item.event:
        return gap >= LEAST_SHARE and round(10 * reason.mine) != round(10 * reason.other)
    return gap >= LEAST_AMOUNT


def in_words(game: Game, told: list[Reason], lang: str) -> list[str]:
    """The reasons as sentences: one for the end of the round, one for the end of the game."""
    return list(_sentences(game, told, lang))


def _sentences(game: Game, told: list[Reason], lang: str) -> Iterator[str]:
    quantities = game.quantities
    if quantities is None:
        return
    colon, semicolon = (" : ", " ; ") if lang == "fr" else (": ", "; ")  # a comma may stand in a number
    for when, opening in enumerate((quantities.round_end, quantities.game_end)):
        parts = [quantities.items[one.quantity].say(one.mine, one.other, lang) for one in told if one.when == when]
        if parts:
            yield f"{opening(lang)}{colon}{semicolon.join(parts)}."
