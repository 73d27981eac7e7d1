"""Fits the evaluations that search uses to games of the heuristic players: `make evaluation`.

Positions where a turn begins are recorded with the final result of each seat. Adam minimises the mean cross-entropy
between the results and the win shares that the network predicts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.bots.evaluation import WEIGHTS, EvaluationNet, empty_net
from tripot.bots.memory import BOT_MEMORY, new_memory
from tripot.bots.search import evaluation_names
from tripot.core import jit, observe
from tripot.core.game import Evaluation, Game
from tripot.core.options import as_record
from tripot.lab import playout

Numbers = NDArray[np.float64]

GAMES_PER_SAMPLE = 30_000
BLUNDERS = (0, 10)  # percent of decisions taken at random: search reaches positions that sensible players avoid
SEED = 1_000_000  # far from the games that the bots' strength is measured with
TURNS_PER_GAME = 12  # positions to make room for, on average
HIDDEN_UNITS = 16
EPOCHS = 15
BATCH = 2048
LEARNING_RATE = 3e-3  # in the first epoch; it decays linearly to zero
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8  # Adam


@dataclass(frozen=True)
class Sample:
    """Positions where a turn begins, and the result of each seat."""

    features: Numbers  # [position, seat, feature]
    sides: NDArray[np.int64]  # [position, seat]
    shares: Numbers  # [position, seat]: win shares, which sum to 1

    def __len__(self) -> int:
        return len(self.shares)

    def part(self, which: NDArray[np.int64]) -> Sample:
        return Sample(self.features[which], self.sides[which], self.shares[which])


def take_sample(game: Game, seats: int, games: int, blunders: int, seed: int) -> Sample:
    """Games of heuristic players, who take `blunders` percent of their decisions at random."""
    layout, evaluation = game.layout, game.evaluation
    assert evaluation is not None and game.heuristic is not None
    states = layout.states(1)
    memory = np.frombuffer(new_memory(seed, blunders).pack(), BOT_MEMORY.dtype).copy()
    room = games * TURNS_PER_GAME
    recorded, sides = np.zeros((room, seats, evaluation.feature_count)), np.zeros((room, seats), np.int64)
    game_of, results = np.zeros(room, np.int64), np.zeros((games, seats), np.int64)
    players = {"choose": game.heuristic, "observe_seat": observe.observe_seat, "ACTIONS": game.num_actions}
    bound = {**game.functions, **evaluation_names(game), **players}
    run = jit.native(playout.run_recorded, **bound)
    count = run(
        states, states.view(np.uint8), as_record(game.options()), seats, seed, games,
        np.zeros(game.num_actions, np.int8), memory, layout.observer(states), blunders,
        recorded, sides, game_of, results,
    )  # fmt: skip
    shares = results[game_of[:count]].astype(float)
    won = np.flatnonzero(shares.sum(axis=1))  # some games end without a winner
    shares[won] /= shares[won].sum(axis=1, keepdims=True)
    return Sample(recorded[:count], sides[:count], shares).part(won)


def samples_of(game: Game, games: int = GAMES_PER_SAMPLE, seed: int = SEED) -> list[Sample]:
    """Every number of seats, with and without blunders."""
    each = games // len(game.seats)
    return [take_sample(game, seats, each, blunders, seed + seats) for seats in game.seats for blunders in BLUNDERS]


def expected(net: EvaluationNet, sample: Sample) -> tuple[Numbers, Numbers]:
    """The predicted win shares, [position, seat], and the hidden layer before its ReLU."""
    hidden = sample.features @ net.hidden_weights + net.hidden_bias
    through = (np.maximum(hidden, 0) * net.output_weights[sample.sides]).sum(axis=2)
    linear = (sample.features * net.linear_weights[sample.sides]).sum(axis=2)
    logits = net.output_bias[sample.sides] + linear + through
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True), hidden


def cross_entropy(net: EvaluationNet, samples: Sequence[Sample]) -> float:
    """Mean cross-entropy per position, in nats; an empty network has the logarithm of the number of seats."""
    total = sum(-float((s.shares * np.log(expected(net, s)[0])).sum()) for s in samples)
    return total / sum(map(len, samples))


def gradients(net: EvaluationNet, sample: Sample) -> list[Numbers]:
    """The gradient of the mean cross-entropy for each array of WEIGHTS."""
    found, hidden = expected(net, sample)
    error = (found - sample.shares) / len(sample)
    back = error[:, :, None] * net.output_weights[sample.sides] * (hidden > 0)
    output, linear = np.zeros_like(net.output_weights), np.zeros_like(net.linear_weights)
    bias = np.zeros_like(net.output_bias)
    for side in range(len(bias)):
        own = error * (sample.sides == side)
        output[side] = np.einsum("ps,psu->u", own, np.maximum(hidden, 0))
        linear[side] = np.einsum("ps,psf->f", own, sample.features)
        bias[side] = own.sum()
    flat = sample.features.reshape(-1, sample.features.shape[2])
    return [flat.T @ back.reshape(len(flat), -1), back.sum(axis=(0, 1)), output, linear, bias]


def fit(
    evaluation: Evaluation | None, samples: Sequence[Sample], epochs: int = EPOCHS, seed: int = SEED
) -> EvaluationNet:
    """A network fitted to the samples with Adam."""
    assert evaluation is not None
    generator = np.random.default_rng(seed)
    net = empty_net(evaluation, HIDDEN_UNITS)
    net.hidden_weights[:] = generator.normal(0, 1 / np.sqrt(evaluation.feature_count), net.hidden_weights.shape)
    net.output_weights[:] = generator.normal(0, 0.1, net.output_weights.shape)
    weights = [getattr(net, name) for name in WEIGHTS]
    mean, square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    steps = 0
    for epoch in range(epochs):
        for batch in shuffled(samples, generator):
            steps += 1
            for i, gradient in enumerate(gradients(net, batch)):
                mean[i] += (1 - BETA_1) * (gradient - mean[i])
                square[i] += (1 - BETA_2) * (gradient**2 - square[i])
                scale = np.sqrt(square[i] / (1 - BETA_2**steps)) + EPSILON
                weights[i] -= LEARNING_RATE * (1 - epoch / epochs) * mean[i] / (1 - BETA_1**steps) / scale
    return net


def shuffled(samples: Sequence[Sample], generator: np.random.Generator) -> list[Sample]:
    """All positions in shuffled batches, each of one number of seats."""
    batches = [
        sample.part(which)
        for sample in samples
        for which in np.array_split(generator.permutation(len(sample)), max(1, len(sample) // BATCH))
    ]
    return [batches[i] for i in generator.permutation(len(batches))]


def main() -> None:
    evaluated = [name for name, game in GAMES.items() if game.evaluation is not None]
    for name in sys.argv[1:] or evaluated:
        game = GAMES[name]
        assert game.evaluation is not None
        samples, held_out = samples_of(game), samples_of(game, GAMES_PER_SAMPLE // 5, 2 * SEED)
        net = fit(game.evaluation, samples)
        empty, fitted = cross_entropy(empty_net(game.evaluation), held_out), cross_entropy(net, held_out)
        positions = sum(map(len, samples))
        print(f"{name}: {positions:,} positions; held-out cross-entropy {fitted:.3f} nats, {empty:.3f} before fitting")
        sys.stdout.flush()
        weights = {array: getattr(net, array).astype(np.float32) for array in WEIGHTS}
        np.savez_compressed(game.evaluation.weights, **weights)


if __name__ == "__main__":
    main()
