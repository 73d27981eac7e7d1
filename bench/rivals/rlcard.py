"""RLCard: Leduc hold'em in plain Python, as a bare game and as an environment."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.metadata import version

import rlcard

from bench.rivals.speed import Played, Speed

PROGRAM = f"RLCard {version('rlcard')}"
WAY = "Python loop"


def speeds(cores: int) -> Iterator[Speed]:
    if cores == 1:
        yield Speed.of(PROGRAM, "leduc-holdem", WAY, 1, False, play_game)
        yield Speed.of(PROGRAM, "leduc-holdem", WAY, 1, True, play_environment)


def play_game(games: int) -> Played:
    game, generator, decisions = rlcard.make("leduc-holdem", config={"seed": 1}).game, random.Random(1), 0
    for _ in range(games):
        game.init_game()
        while not game.is_over():
            game.step(generator.choice(game.get_legal_actions()))
            decisions += 1
    return Played(games, decisions)


def play_environment(games: int) -> Played:
    env, generator, decisions = rlcard.make("leduc-holdem", config={"seed": 1}), random.Random(1), 0
    for _ in range(games):
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(generator.choice(list(state["legal_actions"])))
            decisions += 1
    return Played(games, decisions)
