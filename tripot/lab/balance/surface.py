"""A response surface: win shares of the sides and turns of a game as functions of the numbers of its house rules.

It is fitted to the games of a training run that varies them (`tripot train --vary`). Every number adds its part, with a
linear and a squared term in its distance from the usual value: to the logits of the sides, and to the logarithm of the
turns. What numbers do together beyond that is not in the surface; `error` says how much that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import WHOLE_WIN
from tripot.lab.balance.outcomes import CLOCK, GAMES_ENDED, WON, Outcomes
from tripot.lab.varied import Rows, Variation

RIDGE = 1.0  # as if each coefficient had been measured as 0 in so many games
NEWTON_STEPS = 30
CLOSE_ENOUGH = 1e-8
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Effect:
    """What one more, or one less, of a number does at the usual house rules."""

    name: str
    step: int
    shares: Floats  # by side, what its share changes by
    shares_error: Floats  # half of a 95% interval
    turns: float  # what the turns are multiplied by
    turns_error: float


class Surface:
    """The fitted surface of some outcomes: the last `parts` of a training, of sets with at most `changed` changes."""

    def __init__(self, outcomes: Outcomes, parts: int, changed: int | None = None) -> None:
        self.variation: Variation = outcomes.variation
        rows, counts = outcomes.rows, outcomes.last(parts).astype(np.float64)
        used = counts[:, GAMES_ENDED] > 0
        if changed is not None:
            used &= (rows != self.variation.usual).sum(1) <= changed
        rows, counts = rows[used], counts[used]
        self.games, self.sets = int(counts[:, GAMES_ENDED].sum()), len(rows)
        different = len(np.unique(rows, axis=0))
        if different < 2 * features(self.variation, rows[:1]).shape[1]:
            raise ValueError(f"{different} different sets of house rules have ended games: too few for a surface")
        won = counts[:, WON:] / WHOLE_WIN
        self.nobody = float(1 - won.sum() / self.games)
        won = won[:, : int(np.flatnonzero(won.sum(0))[-1]) + 1]  # tables may have fewer sides than the largest
        self._fit_shares(features(self.variation, rows), won)
        self._fit_turns(features(self.variation, rows), counts[:, CLOCK], counts[:, GAMES_ENDED])

    # --- Fitting ---

    def _fit_shares(self, x: Floats, won: Floats) -> None:
        """A softmax regression, by Newton's method; the last side's logit is 0."""
        decided, free = won.sum(1), won.shape[1] - 1
        shrink = np.full(x.shape[1], RIDGE)
        shrink[0] = 0
        beta = np.zeros((x.shape[1], free))
        for _ in range(NEWTON_STEPS):
            p = softmax(x @ beta)[:, :free]
            slope = x.T @ (won[:, :free] - decided[:, None] * p) - shrink[:, None] * beta
            curve = _curvature(x, p, decided) + np.diag(np.tile(shrink, free))
            step = np.linalg.solve(curve, slope.T.ravel()).reshape(free, -1).T
            beta = beta + step
            if np.abs(step).max() < CLOSE_ENOUGH:
                break
        p = softmax(x @ beta)
        noise = p * (1 - p) / np.maximum(decided, 1)[:, None]
        off = won / np.maximum(decided, 1)[:, None] - p
        pearson = float((decided[:, None] * off**2 / p).sum())
        spread = max(1.0, pearson / max(1, free * len(x) - beta.size))  # sets differ by more than luck
        weights = decided / decided.sum()
        self.share_weights = beta
        self._share_spread = np.linalg.inv(curve) * spread
        self.share_error = float(np.sqrt(max(0.0, float((weights @ (off**2 - noise)).mean()))))

    def _fit_turns(self, x: Floats, clock: Floats, games: Floats) -> None:
        """A linear regression of the logarithm of a set's mean turns, weighed by its games."""
        seen = np.log(np.maximum(clock / games, 1e-9))
        shrink = np.diag(np.r_[0.0, np.full(x.shape[1] - 1, RIDGE)])
        curve = x.T @ (x * games[:, None]) + shrink
        self.turn_weights = np.linalg.solve(curve, x.T @ (games * seen))
        off = seen - x @ self.turn_weights
        self._turn_spread = np.linalg.inv(curve) * float((games * off**2).sum() / max(1, len(seen) - x.shape[1]))
        self.turn_error = float(np.sqrt(games @ off**2 / games.sum()))

    # --- Reading ---

    def shares(self, rows: Rows | Floats) -> Floats:
        """[row, side]: the win shares."""
        return softmax(features(self.variation, rows.reshape(-1, len(self.variation.usual))) @ self.share_weights)

    def turns(self, rows: Rows | Floats) -> Floats:
        x = features(self.variation, rows.reshape(-1, len(self.variation.usual)))
        found: Floats = np.exp(x @ self.turn_weights)
        return found

    def effects(self) -> list[Effect]:
        """What a step of each number does: upwards, or downwards where the usual number is the highest.

        Where a sum stays, the other numbers of the sum make up for the step in equal parts.
        """
        found = []
        others = {place: kept.numbers for kept in self.variation.totals for place in kept.numbers}
        for place, number in enumerate(self.variation.numbers):
            step = 1 if number.usual < number.highest else -1
            row = self.variation.usual.astype(np.float64)
            for other in others.get(place, ()):
                row[other] -= step / max(1, len(others[place]) - 1)
            row[place] = number.usual + step
            found.append(self._effect(number.name, step, row))
        return found

    def _effect(self, name: str, step: int, row: Floats) -> Effect:
        usual = self.variation.usual
        x, x0 = (features(self.variation, each[None])[0] for each in (row, usual))
        p, p0 = self.shares(row)[0], self.shares(usual)[0]
        slopes = [_share_slope(x, p, side) - _share_slope(x0, p0, side) for side in range(len(p))]
        errors = [1.96 * np.sqrt(slope @ self._share_spread @ slope) for slope in slopes]
        turned = (x - x0) @ self._turn_spread @ (x - x0)
        ratio = float(np.exp((x - x0) @ self.turn_weights))
        return Effect(name, step, p - p0, np.array(errors), ratio, float(1.96 * np.sqrt(turned) * ratio))


def features(variation: Variation, rows: Rows | Floats) -> Floats:
    """[row, feature]: a constant, then the steps from the usual value and their squares."""
    steps = (rows - variation.usual).astype(np.float64)
    found: Floats = np.concatenate([np.ones((len(rows), 1)), steps, steps**2], 1)
    return found


def softmax(logits: Floats) -> Floats:
    """[row, side]: shares; the last side's logit is 0 and not given."""
    whole = np.concatenate([logits, np.zeros((len(logits), 1))], 1)
    raised = np.exp(whole - whole.max(1, keepdims=True))
    found: Floats = raised / raised.sum(1, keepdims=True)
    return found


def _curvature(x: Floats, p: Floats, games: Floats) -> Floats:
    """The curvature of the likelihood, side by side."""
    sides: Any = range(p.shape[1])
    return np.block([[x.T @ (x * (games * p[:, a] * ((a == b) - p[:, b]))[:, None]) for b in sides] for a in sides])


def _share_slope(x: Floats, p: Floats, side: int) -> Floats:
    """How a side's share changes with every coefficient."""
    return np.concatenate([x * p[side] * ((side == other) - p[other]) for other in range(len(p) - 1)])
