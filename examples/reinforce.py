"""Trains a linear policy for Verräter in seconds: REINFORCE with NumPy alone.

At every table one seat learns and the others play at random; the learner's seat differs from table to table. After each
round of games the policy moves towards the actions of games that it won. `python examples/reinforce.py` prints its win
share before and after training, on deals that it has not seen.
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
TEST_SEED = 1 << 32  # far from the seeds of training

Floats = NDArray[np.float32]


def probabilities(weights: Floats, observations: Floats, masks: NDArray[np.bool_]) -> Floats:
    """Softmax over the legal actions."""
    logits = np.where(masks, observations @ weights, np.float32(-np.inf))
    found: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    return found


def sample(policy: Floats, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draws one action from each row of probabilities."""
    edges = policy.cumsum(axis=1)
    drawn: NDArray[np.int64] = (edges < generator.random((len(policy), 1)) * edges[:, -1:]).sum(axis=1)
    return drawn


def play(batch: Batch, weights: Floats, generator: np.random.Generator, seed: int) -> tuple[Floats, Floats]:
    """Plays one game at every table. Returns the learner's win shares and the policy gradient."""
    learner = np.arange(batch.tables) % SEATS
    now = batch.reset(seed)
    returns, steps = np.zeros(batch.tables, np.float32), []
    while not now.done.all():
        actions = batch.pick()
        mine = np.flatnonzero((now.movers == learner) & ~now.done)
        assert now.observations is not None
        observed: Floats = now.observations[mine]  # a copy: the next step overwrites the arrays
        policy = probabilities(weights, observed, now.masks[mine])
        actions[mine] = sample(policy, generator)
        policy[np.arange(len(mine)), actions[mine]] -= 1
        steps.append((mine, observed, -policy))  # the gradient of the log-probability, by logit
        now = batch.step(actions)
        returns += now.rewards[np.arange(batch.tables), learner]
    advantage = returns - returns.mean()
    gradient: Any = sum(observed.T @ (score * advantage[mine, None]) for mine, observed, score in steps)
    return returns, gradient / batch.tables


def train(rounds: int = 30, tables: int = 1024, rate: float = 0.05, seed: int = 1) -> Floats:
    """Returns the weights after some rounds of games. Uses Adam, since gradients of rare actions are small."""
    batch = Batch(GAME, tables, SEATS, observations=np.float32, again=False)
    generator = np.random.default_rng(seed)
    weights = np.zeros((len(batch.columns), GAME.num_actions), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for number in range(1, rounds + 1):
        _, gradient = play(batch, weights, generator, number * tables)
        mean += 0.1 * (gradient - mean)
        square += 0.01 * (gradient**2 - square)
        weights += rate * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.99**number)) + 1e-6)
    return weights


def measure(weights: Floats, tables: int = 6000, seed: int = 2) -> tuple[float, float]:
    """The learner's win share among random players, on new deals, and the half-width of its 95% interval."""
    batch = Batch(GAME, tables, SEATS, observations=np.float32, again=False)
    returns, _ = play(batch, weights, np.random.default_rng(seed), TEST_SEED)
    return float(returns.mean()), float(1.96 * returns.std() / np.sqrt(tables))


def main() -> None:
    start = time.perf_counter()
    weights = train()
    spent = time.perf_counter() - start
    for name, tried in (("untrained", np.zeros_like(weights)), ("trained", weights)):
        share, error = measure(tried)
        print(f"{name}: {share:.1%} ± {error:.1%} of the wins (a third is chance)")
    print(f"trained in {spent:.1f} s")


if __name__ == "__main__":
    main()
