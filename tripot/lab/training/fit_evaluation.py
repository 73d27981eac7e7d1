"""Fitting the outlook that search breaks play-outs off at, to games of common sense: `make outlook`.

Moments where a turn begins are noted with what became of each seat; the net's weights are moved, a few thousand moments
at a time, so that the outcomes surprise it less (Adam's way of moving them, after Kingma and Ba).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.bots.bot import MEMORY, new_memory
from tripot.bots.outlook import FITTED, OUTLOOKS, Net, Outlook, empty_net, weights_of
from tripot.bots.sensible import COMMON_SENSE
from tripot.core import jit, observe, options
from tripot.core.game import Game
from tripot.lab import playout

Numbers = NDArray[np.float64]

GAMES_A_SAMPLE = 30_000
BLUNDERS = (0, 10)  # decisions in a hundred at random: search looks at tables that sensible players never see
SEED = 1_000_000  # far from the games that the bots' strength is measured with
TURNS_A_GAME = 12  # room for so many, on average
CELLS = 16
EPOCHS = 15
BATCH = 2048
PACE = 3e-3  # of the first epoch; it falls to nothing by the last
FADING, FADING_SQUARE, TINY = 0.9, 0.999, 1e-8  # how Adam remembers slopes


@dataclass(frozen=True)
class Sample:
    """Moments where a turn begins, and what became of each seat."""

    traits: Numbers  # by moment, seat, trait
    sides: NDArray[np.int64]  # by moment, seat
    shares: Numbers  # by moment, seat: of the victory, together 1

    def __len__(self) -> int:
        return len(self.shares)

    def part(self, which: NDArray[np.int64]) -> Sample:
        return Sample(self.traits[which], self.sides[which], self.shares[which])


def take_sample(game: Game, seats: int, games: int, blunders: int, seed: int) -> Sample:
    """Games of sensible players, some of whose decisions are blunders."""
    layout, outlook = game.layout, OUTLOOKS[game.name]
    states = layout.states(1)
    memory = np.frombuffer(new_memory(seed, blunders).pack(), MEMORY.dtype).copy()
    room = games * TURNS_A_GAME
    noted, sides = np.zeros((room, seats, outlook.count)), np.zeros((room, seats), np.int64)
    whose, results = np.zeros(room, np.int64), np.zeros((games, seats), np.int64)
    bound = {**game.functions, "choose": COMMON_SENSE[game.name], "look": observe.look, "ACTIONS": game.num_actions}
    bound |= {"traits": outlook.traits, "side_of": outlook.side_of, "turn_of": outlook.turn_of}
    run = jit.native(playout.run_noted, f"{game.name}-noted", **bound)
    count = run(
        states, states.view(np.uint8), options.as_record(game.options()), seats, seed, games,
        np.zeros(game.num_actions, np.int8), memory, layout.eyes(states), blunders, noted, sides, whose, results,
    )  # fmt: skip
    shares = results[whose[:count]].astype(float)
    won = np.flatnonzero(shares.sum(axis=1))  # some games end without a winner
    shares[won] /= shares[won].sum(axis=1, keepdims=True)
    return Sample(noted[:count], sides[:count], shares).part(won)


def samples_of(game: Game, games: int = GAMES_A_SAMPLE, seed: int = SEED) -> list[Sample]:
    """Every number of seats, with and without blunders."""
    each = games // len(game.seats)
    return [take_sample(game, seats, each, blunders, seed + seats) for seats in game.seats for blunders in BLUNDERS]


def expected(net: Net, sample: Sample) -> tuple[Numbers, Numbers]:
    """By moment and seat, the share of the victory that the net expects; and what its cells held."""
    cells = sample.traits @ net.inner + net.bias
    through = (np.maximum(cells, 0) * net.outer[sample.sides]).sum(axis=2)
    straight = (sample.traits * net.straight[sample.sides]).sum(axis=2)
    promised = net.base[sample.sides] + straight + through
    likely = np.exp(promised - promised.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True), cells


def surprise(net: Net, samples: Sequence[Sample]) -> float:
    """What a moment's outcome surprises the net by, on average, in nats: the log of the seats if it knows nothing."""
    total = sum(-float((s.shares * np.log(expected(net, s)[0])).sum()) for s in samples)
    return total / sum(map(len, samples))


def slopes(net: Net, sample: Sample) -> list[Numbers]:
    """How the surprise changes with each weight, in the order of FITTED."""
    found, cells = expected(net, sample)
    error = (found - sample.shares) / len(sample)
    back = error[:, :, None] * net.outer[sample.sides] * (cells > 0)
    outer, straight, base = np.zeros_like(net.outer), np.zeros_like(net.straight), np.zeros_like(net.base)
    for side in range(len(base)):
        mine = error * (sample.sides == side)
        outer[side] = np.einsum("ms,msc->c", mine, np.maximum(cells, 0))
        straight[side] = np.einsum("ms,mst->t", mine, sample.traits)
        base[side] = mine.sum()
    flat = sample.traits.reshape(-1, sample.traits.shape[2])
    return [flat.T @ back.reshape(len(flat), -1), back.sum(axis=(0, 1)), outer, straight, base]


def fit(outlook: Outlook, samples: Sequence[Sample], epochs: int = EPOCHS, seed: int = SEED) -> Net:
    """The net that such outcomes surprise least."""
    luck = np.random.default_rng(seed)
    net = empty_net(outlook, CELLS)
    net.inner[:] = luck.normal(0, 1 / np.sqrt(outlook.count), net.inner.shape)
    net.outer[:] = luck.normal(0, 0.1, net.outer.shape)
    weights = [getattr(net, name) for name in FITTED]
    drift, square = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    moves = 0
    for epoch in range(epochs):
        for batch in shuffled(samples, luck):
            moves += 1
            for i, slope in enumerate(slopes(net, batch)):
                drift[i] += (1 - FADING) * (slope - drift[i])
                square[i] += (1 - FADING_SQUARE) * (slope**2 - square[i])
                steep = np.sqrt(square[i] / (1 - FADING_SQUARE**moves)) + TINY
                weights[i] -= PACE * (1 - epoch / epochs) * drift[i] / (1 - FADING**moves) / steep
    return net


def shuffled(samples: Sequence[Sample], luck: np.random.Generator) -> list[Sample]:
    """All moments in batches of one number of seats, in a new order."""
    batches = [
        sample.part(which)
        for sample in samples
        for which in np.array_split(luck.permutation(len(sample)), max(1, len(sample) // BATCH))
    ]
    return [batches[i] for i in luck.permutation(len(batches))]


def main() -> None:
    for name in sys.argv[1:] or OUTLOOKS:
        outlook = OUTLOOKS[name]
        samples, others = samples_of(GAMES[name]), samples_of(GAMES[name], GAMES_A_SAMPLE // 5, 2 * SEED)
        net = fit(outlook, samples)
        blind, seen = surprise(empty_net(outlook), others), surprise(net, others)
        moments = sum(map(len, samples))
        print(f"{name}: {moments:,} moments; others surprise it by {seen:.3f} nats, {blind:.3f} if it knew nothing")
        sys.stdout.flush()
        fitted = {name: getattr(net, name).astype(np.float32) for name in FITTED}
        np.savez_compressed(weights_of(name), **fitted)


if __name__ == "__main__":
    main()
