"""A hint: the choices of a seat, ranked by the chance to win as far as the seat can see, with reasons.

The same tables are imagined for every choice, and each is played on (`coach.playouts`). Nothing but the view is
read, and the luck is drawn from the view itself: what looks the same to the seat gets the same hint.

A choice of several parts is built part by part: the most promising beginnings go on to the next part; what they lack is
decided by the player who plays on. What remains at the end are whole choices.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tripot.coach.playouts import Counts, Player, player_of
from tripot.coach.reasons import Reason, reasons
from tripot.core.game import Game
from tripot.table.choice import Choice

BUDGET = 2_400  # playouts that the ranked choices share: under a second on one core in every game
FEWEST = 60  # from each choice, however many there are
SCREENING = 600  # playouts that the beginnings of one length share …
FEWEST_SCREENED = 12  # … and the fewest of each
MOST_RANKED = 12  # whole choices that are compared in full
MOST_BEGUN = 5  # beginnings that go on to the next part
MOST_PARTS = 12
NORMAL = 1.96  # standard errors of a 95% interval
Parts = tuple[int, ...]


@dataclass(frozen=True)
class Ranked:
    """One whole choice: its chance to win, with the 95% interval."""

    actions: Parts
    chance: float
    low: float
    high: float
    level: bool  # whether it cannot be told apart from the best
    reasons: list[Reason] = field(default_factory=list)  # of the best against the next, of the others against the best


def seed_of(view: NDArray[np.void]) -> int:
    """The luck that belongs to a view: what looks the same to a seat gets the same answer."""
    return int.from_bytes(hashlib.sha256(view.tobytes()).digest()[:8], "big")


def hint(game: Game, view: NDArray[np.void], legal: Sequence[int], budget: int = BUDGET) -> list[Ranked]:
    """The choices of a view, the best first."""
    seed = seed_of(view)
    player = player_of(game)
    choices = whole_choices(player, view, legal, seed)
    count = max(FEWEST, budget // max(len(choices), 1))
    tried = player.from_view(view, choices, seed, count)
    order = sorted(range(len(choices)), key=lambda row: (-int(tried.results[row].sum()), row))
    found = []
    for row in order:
        other = order[min(1, len(order) - 1)] if row == order[0] else order[0]
        why = reasons(game, tried.marks[row], tried.marks[other])
        found.append(ranked(choices[row], tried.results[row], tried.results[order[0]], tried.whole, why))
    return found


def whole_choices(player: Player, view: NDArray[np.void], legal: Sequence[int], seed: int) -> list[Parts]:
    """The whole choices that are worth a closer look; all of them where there are few."""
    begun, whole = [Choice(player.game, view, tuple(legal))], list[Parts]()
    while begun:
        outcomes: dict[bytes, Choice] = {}  # the same parts in another order are the same choice
        for choice in begun:
            for action in choice.legal:
                after = choice.followed_by(action)
                outcomes.setdefault(after.outcome, after)
        whole += [tuple(after.decisions) for after in outcomes.values() if after.finished]
        open_ends = {tuple(after.decisions): after for after in outcomes.values() if not after.finished}
        begun = [open_ends[parts] for parts in promising(player, view, list(open_ends), seed, MOST_BEGUN)]
        if begun and len(begun[0].decisions) >= MOST_PARTS:
            whole += [tuple(choice.decisions) for choice in begun]
            break
    return promising(player, view, whole, seed, MOST_RANKED)


def promising(player: Player, view: NDArray[np.void], choices: Sequence[Parts], seed: int, most: int) -> list[Parts]:
    """The best of these choices by a quick count, in their order; all of them where there are no more than `most`."""
    if len(choices) <= most:
        return list(choices)
    count = max(FEWEST_SCREENED, SCREENING // len(choices))
    sums = player.from_view(view, choices, seed, count).results.sum(axis=1)
    best = sorted(range(len(choices)), key=lambda row: (-int(sums[row]), row))[:most]
    return [choices[row] for row in sorted(best)]


def ranked(actions: Parts, results: Counts, best: Counts, whole: int, why: list[Reason]) -> Ranked:
    """`whole` is the sum of the results of a choice that wins at every table."""
    chance, spread = int(results.sum()) / whole, error_of(results) / whole
    level = int((best - results).sum()) <= NORMAL * error_of(best - results)
    low, high = max(0.0, chance - NORMAL * spread), min(1.0, chance + NORMAL * spread)
    return Ranked(actions, chance, low, high, level, why)


def error_of(results: Counts) -> float:
    """The standard error of a sum."""
    return float(results.std()) * math.sqrt(len(results))
