"""PettingZoo: two of its classic environments, driven as in its documentation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version

import numpy as np

from bench.rivals.speed import Played, Speed

PROGRAM = f"PettingZoo {version('pettingzoo')}"
WAY = "Python loop"


def speeds(cores: int) -> Iterator[Speed]:
    if cores == 1:
        for game in ("leduc_holdem_v4", "connect_four_v3"):
            yield Speed.of(PROGRAM, game, WAY, 1, True, partial(play, game))


def play(name: str, games: int) -> Played:
    env = import_module(f"pettingzoo.classic.{name}").env()
    generator, decisions = random.Random(1), 0
    for _ in range(games):
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(generator.choice(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
    return Played(games, decisions)
