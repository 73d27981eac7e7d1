"""Learn a little Verräter in seconds: a linear policy by REINFORCE, with NumPy alone.

One seat at every table learns, the others play at random; tables differ in which seat it is. After each round of games
the policy leans towards what it did in games it won. `python examples/reinforce.py` prints how it does before and
after, on deals it has not seen.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.lab.batch import Batch

GAME = GAMES["verrater"]
SEATS = 3
TEST_SEED = 1 << 32  # far from the deals of training

Floats = NDArray[np.float32]


def probabilities(weights: Floats, seen: Floats, masks: NDArray[np.bool_]) -> Floats:
    """Softmax over the legal decisions."""
    scores = np.where(masks, seen @ weights, np.float32(-np.inf))
    chances: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def draw(chances: Floats, luck: np.random.Generator) -> NDArray[np.int64]:
    """One decision for each row, as likely as it says."""
    edges = chances.cumsum(axis=1)
    drawn: NDArray[np.int64] = (edges < luck.random((len(chances), 1)) * edges[:, -1:]).sum(axis=1)
    return drawn


def play(batch: Batch, weights: Floats, luck: np.random.Generator, seed: int) -> tuple[Floats, Floats]:
    """One game at every table: the learner's share of each victory, and the slope of the policy towards them."""
    learner = np.arange(batch.tables) % SEATS
    now = batch.reset(seed)
    shares, memory = np.zeros(batch.tables, np.float32), []
    while not now.done.all():
        actions = batch.pick()
        mine = np.flatnonzero((now.movers == learner) & ~now.done)
        assert now.observations is not None
        seen: Floats = now.observations[mine]  # a copy: the next step writes over them
        chances = probabilities(weights, seen, now.masks[mine])
        actions[mine] = draw(chances, luck)
        chances[np.arange(len(mine)), actions[mine]] -= 1
        memory.append((mine, seen, chances))
        now = batch.step(actions)
        shares += now.rewards[np.arange(batch.tables), learner]
    better = shares - shares.mean()
    slope: Any = sum(seen.T @ (-chances * better[mine, None]) for mine, seen, chances in memory)
    return shares, slope / batch.tables


def train(rounds: int = 30, tables: int = 1024, rate: float = 0.05, seed: int = 1) -> Floats:
    """The weights after some rounds of games; Adam's steps, since slopes of rare decisions are small."""
    batch = Batch(GAME, tables, SEATS, observations=np.float32, again=False)
    luck = np.random.default_rng(seed)
    weights = np.zeros((len(batch.columns), GAME.num_actions), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for number in range(1, rounds + 1):
        _, slope = play(batch, weights, luck, number * tables)
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        weights += rate * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.99**number)) + 1e-6)
    return weights


def measure(weights: Floats, tables: int = 6000, seed: int = 2) -> tuple[float, float]:
    """The learner's share of victories among random players, on new deals, and its 95% interval."""
    batch = Batch(GAME, tables, SEATS, observations=np.float32, again=False)
    shares, _ = play(batch, weights, np.random.default_rng(seed), TEST_SEED)
    return float(shares.mean()), float(1.96 * shares.std() / np.sqrt(tables))


def main() -> None:
    start = time.perf_counter()
    weights = train()
    spent = time.perf_counter() - start
    for name, tried in (("untrained", np.zeros_like(weights)), ("trained", weights)):
        share, error = measure(tried)
        print(f"{name}: {share:.1%} ± {error:.1%} of the victories (a third is chance)")
    print(f"trained in {spent:.1f} s")


if __name__ == "__main__":
    main()
