"""pgx: batches of games under JAX on the CPU, driven in three ways; the best batch size counts.

The whole state and the rewards are outputs of the compiled code: XLA would otherwise remove cards and pay-offs, since
nothing reads them. Only the observation is dropped where it is not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

from bench.rivals.speed import Played, Speed

PROGRAM = f"pgx {version('pgx')}"
OTHERS = ("kuhn_poker", "sparrow_mahjong", "connect_four")
BATCHES = (1 << 10, 1 << 14)
STEPS = 64  # steps in one compiled loop

Rounds = Callable[[int], Played]
Way = Callable[[Any, int, bool], Rounds]


def speeds(cores: int) -> Iterator[Speed]:
    leduc = pgx.make("leduc_holdem")
    for seen in (False, True):
        for name, way in WAYS.items():
            if cores == 1 or way is not stepped:
                yield best(leduc, "leduc_holdem", name, way, cores, seen)
    if cores == 1:
        for game in OTHERS:
            play = whole_games(pgx.make(game), BATCHES[-1], True)
            yield Speed.of(PROGRAM, game, WHOLE, 1, True, play, BATCHES[-1])


def best(env: Any, game: str, name: str, way: Way, cores: int, seen: bool) -> Speed:
    """The speed at the better batch size."""
    found = [Speed.of(PROGRAM, game, name, cores, seen, way(env, size, seen), size) for size in BATCHES]
    return max(found, key=lambda speed: speed.decisions)


def pick(key: Any, mask: Any) -> Any:
    """A uniform legal action at every table."""
    count = mask.sum(-1).astype(jnp.uint32)
    skip = jax.random.bits(key, count.shape, jnp.uint32) % jnp.maximum(count, 1)
    return jnp.argmax(jnp.cumsum(mask, -1) > skip[:, None], -1).astype(jnp.int32)


def kept(state: Any, seen: bool) -> Any:
    return state if seen else state.replace(observation=jnp.zeros_like(state.observation))


def whole_games(env: Any, size: int, seen: bool) -> Rounds:
    """A batch from the deal until its last game is over, as one compiled loop."""
    step = jax.vmap(env.step)

    def turn(carried: Any) -> Any:
        key, state, rewards = carried
        key, chosen = jax.random.split(key)
        state = step(state, pick(chosen, state.legal_action_mask))
        return key, kept(state, seen), rewards + state.rewards

    def play(key: Any) -> Any:
        key, deal = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(deal, size))
        start = (key, kept(state, seen), state.rewards)
        return jax.lax.while_loop(lambda carried: ~carried[1].terminated.all(), turn, start)

    games = jax.jit(play)

    def rounds(count: int) -> Played:
        key, decisions = jax.random.key(count), 0
        for _ in range(count):
            key, state, _ = jax.block_until_ready(games(key))
            decisions += int(state._step_count.sum())
        return Played(size * count, decisions)

    return rounds


def stream_turn(env: Any, size: int, seen: bool) -> Callable[[Any], Any]:
    """One decision at every table; a finished table starts the next game."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(carried: Any) -> Any:
        key, state, rewards, ended = carried
        key, chosen, resets = jax.random.split(key, 3)
        state = step(state, pick(chosen, state.legal_action_mask), jax.random.split(resets, size))
        return key, kept(state, seen), rewards + state.rewards, ended + state.terminated.sum()

    return turn


def stream_start(env: Any, size: int, seen: bool) -> Any:
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), size))
    return jax.random.key(1), kept(state, seen), state.rewards, jnp.int32(0)


def stream(env: Any, size: int, seen: bool) -> Rounds:
    """Endless play with pgx's automatic reset, many steps as one compiled loop."""
    turn, start = stream_turn(env, size, seen), stream_start(env, size, seen)
    steps = jax.jit(lambda carried: jax.lax.fori_loop(0, STEPS, lambda _, now: turn(now), carried))

    def rounds(count: int) -> Played:
        carried = start
        for _ in range(count):
            carried = jax.block_until_ready(steps(carried))
        return Played(int(carried[3]), size * STEPS * count)

    return rounds


def stepped(env: Any, size: int, seen: bool) -> Rounds:
    """The same, one compiled step at a time from Python, as training code does."""
    turn, start = jax.jit(stream_turn(env, size, seen)), stream_start(env, size, seen)

    def rounds(count: int) -> Played:
        carried = start
        for _ in range(count):
            carried = jax.block_until_ready(turn(carried))
        return Played(int(carried[3]), size * count)

    return rounds


WHOLE = "XLA loop, whole games"
WAYS: dict[str, Way] = {
    WHOLE: whole_games,
    "XLA loop, automatic reset": stream,
    "Python loop, automatic reset": stepped,
}
