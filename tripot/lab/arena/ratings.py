"""Ratings of bots from games of several: a Plackett-Luce fit with intervals, and openskill's opinion beside it.

Only the winner of a game is known, not the order of the others: in the model of Plackett and Luce each seat
wins with a probability in proportion to its player's strength. Strengths are told on Elo's scale (400 points
are ten to one), the mean of all players at 1500. docs/decisions/0006-ratings.md says why both are given.
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
PRIOR = 0.1  # keeps a player who never won at a finite distance: worth less than one game
CONFIDENCE = 1.96
STEPS, CLOSE = 100, 1e-10
LONGEST_STEP = 2.0

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A strength on Elo's scale with its 95% interval."""

    points: float
    low: float
    high: float


@dataclass(frozen=True)
class Skill:
    """A strength as openskill reckons it: 25 is average, `sigma` how unsure it is."""

    mu: float
    sigma: float


def rate(deals: NDArray[np.int64], seated: Floats, won: Floats) -> list[Rating]:
    """Rate players from, by game, how many seats each held and what part of the victory each won."""
    strength = fit(seated, won)
    error = errors(deals, seated, won, strength)
    points, reach = MEAN + POINTS * strength, CONFIDENCE * POINTS * error
    return [Rating(float(p), float(p - r), float(p + r)) for p, r in zip(points, reach, strict=True)]


def fit(seated: Floats, won: Floats) -> Floats:
    """The strengths under which these victories were most likely, by Newton's method."""
    strength = np.zeros(seated.shape[1])
    for _ in range(STEPS):
        chance = chances(seated, strength)
        slope = (won - chance).sum(0) - PRIOR * strength
        step = np.linalg.solve(curvature(chance), slope)
        step *= min(1.0, LONGEST_STEP / max(np.abs(step).max(), CLOSE))
        strength = strength + step
        if np.abs(step).max() < CLOSE:
            break
    return strength


def chances(seated: Floats, strength: Floats) -> Floats:
    """By game and player, the probability that the player wins it in one of his seats."""
    weight = seated * np.exp(strength - strength.max())
    found: Floats = weight / weight.sum(1, keepdims=True)
    return found


def curvature(chance: Floats) -> Floats:
    spread: Floats = np.diag(chance.sum(0)) - chance.T @ chance
    return spread + PRIOR * np.eye(chance.shape[1])


def errors(deals: NDArray[np.int64], seated: Floats, won: Floats, strength: Floats) -> Floats:
    """Standard errors: those of the model or those seen from deal to deal, whichever are larger."""
    chance = chances(seated, strength)
    inverse = np.linalg.inv(curvature(chance))
    surprise = by_cluster(deals, won - chance)
    seen = inverse @ surprise.T @ surprise @ inverse * len(surprise) / max(len(surprise) - 1, 1)
    centre = np.eye(len(strength)) - 1 / len(strength)  # only distances from the mean have a meaning
    variances = [np.diag(centre @ covariance @ centre) for covariance in (inverse, seen)]
    found: Floats = np.sqrt(np.maximum(*variances))
    return found


def skills(rows: Sequence[Played], players: int) -> list[Skill] | None:
    """openskill's ratings after all games; None where it is not installed.

    It is told that the winner beat each of the others, and nothing about those among themselves: told of
    places it would take all losers for equals.
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
