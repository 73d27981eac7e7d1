"""House rules near the usual ones at which a response surface expects equal win shares and games of a wanted length."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tripot.lab.balance.surface import Floats, Surface
from tripot.lab.varied import Rows

KEPT = 400  # sets that a search goes on with
MOVES = 20  # steps of single numbers, or pairs of them, from the usual rules at most
OUTSIDE = 1000.0  # what a share or a relative length outside of its bounds costs; a step costs STEP, a changed number 1
STEP = 0.25
APART = 4  # steps by which proposals differ from each other at least


@dataclass(frozen=True)
class Wanted:
    """What a proposal must be expected to bring."""

    within: float = 0.015  # of equal shares
    shortest: float = 8.5  # turns
    longest: float = 11.0


@dataclass(frozen=True)
class Proposal:
    """A set of house rules, and what the surface expects of it."""

    row: Rows
    shares: Floats
    turns: float
    cost: float


def propose(surface: Surface, wanted: Wanted, count: int) -> list[Proposal]:
    """The cheapest sets that are expected to be as wanted, cheapest first; none if the search finds none.

    A beam search: from the usual rules on, single steps of numbers, and pairs of steps where a sum must stay.
    """
    moves = _moves(surface)
    low = np.array([number.lowest for number in surface.variation.numbers])
    high = np.array([number.highest for number in surface.variation.numbers])
    beam, found = surface.variation.usual[None], {}
    hashing = np.random.default_rng(1).integers(1 << 40, size=len(low))  # comparing whole rows takes long
    for _ in range(MOVES):
        reached = (beam[:, None] + moves[None]).reshape(-1, len(low))
        reached = reached[((reached >= low) & (reached <= high)).all(1)]
        reached = reached[np.unique(reached @ hashing, return_index=True)[1]]
        outside, cost = _outside(surface, reached, wanted), _cost(surface, reached)
        for place in np.flatnonzero(outside == 0):
            found[reached[place].tobytes()] = (float(cost[place]), reached[place])
        beam = reached[np.argsort(OUTSIDE * outside + cost, kind="stable")[:KEPT]]
    chosen: list[Proposal] = []
    for cost_of, row in sorted(found.values(), key=lambda one: (one[0], one[1].tolist())):
        if len(chosen) < count and all(np.abs(row - other.row).sum() >= APART for other in chosen):
            chosen.append(Proposal(row, surface.shares(row)[0], float(surface.turns(row)[0]), cost_of))
    return chosen


def _moves(surface: Surface) -> NDArray[np.int64]:
    """[move, number]: a step of a number that is in no sum, or one up and one down within a sum."""
    variation = surface.variation
    one = np.eye(len(variation.numbers), dtype=np.int64)
    summed = {place for kept in variation.totals for place in kept.numbers}
    free = [one[place] * way for place in range(len(one)) if place not in summed for way in (1, -1)]
    pairs = [one[up] - one[down] for kept in variation.totals for up, down in permutations(kept.numbers, 2)]
    return np.array(free + pairs)


def _cost(surface: Surface, rows: Rows) -> Floats:
    """How far sets are from the usual one: the numbers that change, and how many steps they go."""
    steps = np.abs(rows - surface.variation.usual)
    found: Floats = (steps > 0).sum(1) + STEP * steps.sum(1)
    return found


def _outside(surface: Surface, rows: Rows, wanted: Wanted) -> Floats:
    """How far sets are from what is wanted; 0 where it is reached."""
    shares, turns = surface.shares(rows), surface.turns(rows)
    off = np.maximum(np.abs(shares - 1 / shares.shape[1]) - wanted.within, 0).sum(1)
    length = np.maximum(np.log(wanted.shortest / turns), 0) + np.maximum(np.log(turns / wanted.longest), 0)
    found: Floats = off + length
    return found
