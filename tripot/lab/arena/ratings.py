"""Ratings of bots from games of several players: a Plackett-Luce fit with intervals, beside openskill's ratings.

A game has a winner and no order of the others. In the Plackett-Luce model each seat wins with a probability
proportional to its player's strength. Strengths are reported on the Elo scale: 400 points are ten to one, and the
mean of all players is 1500. docs/decisions/0006-ratings.md says why both ratings are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from tripot.lab.arena.contest import Played
from tripot.lab.arena.win_shares import by_cluster

MEAN = 1500
POINTS = 400 / log(10)  # Elo points for a factor e
PRIOR = 0.1  # regularisation: keeps the rating of a player without wins finite; weighs less than one game
CONFIDENCE = 1.96
MOST_STEPS, TOLERANCE = 100, 1e-10
LONGEST_STEP = 2.0

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A strength on the Elo scale with its 95% interval."""

    points: float
    low: float
    high: float


@dataclass(frozen=True)
class Skill:
    """A strength by openskill: 25 is average, `sigma` is its standard deviation."""

    mu: float
    sigma: float


def rate(deals: NDArray[np.int64], seated: Floats, won: Floats) -> list[Rating]:
    """Rates players. Both arrays are by game and player: seats held, and win share.

    A game that nobody won says nothing of who is stronger.
    """
    decided = won.sum(1) > 0
    deals, seated, won = deals[decided], seated[decided], won[decided]
    strength = fit(seated, won)
    error = errors(deals, seated, won, strength)
    points, reach = MEAN + POINTS * strength, CONFIDENCE * POINTS * error
    return [Rating(float(p), float(p - r), float(p + r)) for p, r in zip(points, reach, strict=True)]


def fit(seated: Floats, won: Floats) -> Floats:
    """Maximum-likelihood strengths, by Newton's method."""
    strength = np.zeros(seated.shape[1])
    for _ in range(MOST_STEPS):
        chance = chances(seated, strength)
        gradient = (won - chance).sum(0) - PRIOR * strength
        step = np.linalg.solve(curvature(chance), gradient)
        step *= min(1.0, LONGEST_STEP / max(np.abs(step).max(), TOLERANCE))
        strength = strength + step
        if np.abs(step).max() < TOLERANCE:
            break
    return strength


def chances(seated: Floats, strength: Floats) -> Floats:
    """By game and player, the probability that the player wins the game in one of their seats."""
    weight = seated * np.exp(strength - strength.max())
    found: Floats = weight / weight.sum(1, keepdims=True)
    return found


def curvature(chance: Floats) -> Floats:
    """The negative Hessian of the log-likelihood."""
    spread: Floats = np.diag(chance.sum(0)) - chance.T @ chance
    return spread + PRIOR * np.eye(chance.shape[1])


def errors(deals: NDArray[np.int64], seated: Floats, won: Floats, strength: Floats) -> Floats:
    """Standard errors: the model's, or those clustered by deal, whichever are larger."""
    chance = chances(seated, strength)
    inverse = np.linalg.inv(curvature(chance))
    residuals = by_cluster(deals, won - chance)
    clustered = inverse @ residuals.T @ residuals @ inverse * len(residuals) / max(len(residuals) - 1, 1)
    centre = np.eye(len(strength)) - 1 / len(strength)  # only differences from the mean are identified
    variances = [np.diag(centre @ covariance @ centre) for covariance in (inverse, clustered)]
    found: Floats = np.sqrt(np.maximum(*variances))
    return found


def skills(rows: Sequence[Played], players: int) -> list[Skill] | None:
    """openskill's ratings after all games; None if it is not installed.

    Each game is given as wins over each of the losers, and nothing about the losers among themselves: as ranks,
    openskill would take all losers for equals.
    """
    try:
        from openskill.models import BradleyTerryFull
    except ImportError:
        return None
    model = BradleyTerryFull(tau=0.0)  # bots do not change
    found = [model.rating() for _ in range(players)]
    for played in rows:
        best = max(played.result)
        winners = [bot for bot, share in zip(played.lineup, played.result, strict=True) if share == best]
        losers = [bot for bot, share in zip(played.lineup, played.result, strict=True) if share < best]
        for winner in winners:
            for loser in losers:
                if winner != loser:
                    (found[winner],), (found[loser],) = model.rate([[found[winner]], [found[loser]]])
    return [Skill(rating.mu, rating.sigma) for rating in found]
