"""Steps a second of one seat among bots on a GPU: `python -m bench.vector_gpu`. `tests.gpu_checks` compares the games.

A step takes the action of one seat at every table, lets the bots in the other seats decide, deals again where a game is
over, and encodes what the seat sees (version 2) with its mask. The seat decides at random, which is not counted.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from tripot import GAMES
from tripot.lab.gpu import benchmark, require_gpu
from tripot.lab.vector.seat_env import SeatVectorEnv

TABLES = (4_096, 65_536, 262_144)
STEPS = 40
OPPONENTS = ("uniform", "sensible", "network")


def milliseconds(torch: Any, work: Callable[[], Any], steps: int = STEPS) -> float:
    """Returns the mean time of several calls in a row, until the device has finished them."""
    work()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(steps):
        work()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / steps * 1e3


def measure(name: str, tables: int, opponents: str) -> str:
    """One line: steps a second, and where their time goes."""
    envs: Any = SeatVectorEnv(GAMES[name], tables, seat=None, opponents=opponents, encoding=2, device="cuda")
    torch = envs.torch
    envs.reset(seed=1)
    luck = torch.rand(tables, envs.game.num_actions, device="cuda")

    def choose() -> Any:
        return (envs.action_masks() * luck.roll(1, 0)).argmax(1)

    def step() -> None:
        envs.step(choose())

    for _ in range(60):  # into the middle of games
        step()
    whole, choosing = milliseconds(torch, step), milliseconds(torch, choose)
    encoding, took = milliseconds(torch, envs._observed), whole - choosing
    rate = tables / took / 1e3
    parts = f"a step {took:.2f} ms, encoding {encoding:.2f} of it"
    return f"{name:9} {opponents:9} {tables:>8,} tables: {rate:7.2f} million steps/s; {parts}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help="all of them by default")
    parser.add_argument("--tables", type=int, nargs="*", default=TABLES)
    parser.add_argument("--opponents", nargs="*", default=OPPONENTS)
    asked = parser.parse_args()
    print(benchmark.gpu_name(require_gpu()), flush=True)
    for name in asked.games:
        for opponents in asked.opponents:
            for tables in asked.tables:
                print(measure(name, tables, opponents), flush=True)


if __name__ == "__main__":
    main()
