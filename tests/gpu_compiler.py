"""Kernels compiled for a GPU that is not here.

Forked from a process that has imported numba-cuda (`tests.fork_server`): importing it takes as long as a small kernel.
"""

from typing import Any

import numba.cuda.dispatcher as dispatcher
from numba import cuda, from_dtype, types
from numba.cuda import cuda_paths
from numba.cuda.cudadrv import nvrtc

from tripot import GAMES
from tripot.bots.memory import BOT_MEMORY
from tripot.core import options
from tripot.lab import leduc
from tripot.lab.gpu import build, codegen
from tripot.lab.gpu.bindings import PLAYER


class Hopper:
    compute_capability = (9, 0)


dispatcher.get_current_device = lambda: Hopper  # there is none here to ask …
nvrtc.get_supported_ccs = lambda: [Hopper.compute_capability]  # … nor another compiler, nor is one needed
cuda_paths._get_nvrtc_path = lambda: None
games = {"leduc": leduc.GAME, **GAMES}


def line(kind, dimensions=1):
    return types.Array(kind, dimensions, "C")


i1, i2, i4, i8, u1 = types.int8, types.int16, types.int32, types.int64, types.uint8
seat_memories = line(from_dtype(BOT_MEMORY.dtype), 2)
players, rngs = line(from_dtype(PLAYER.dtype)), line(from_dtype(BOT_MEMORY.dtype))
observed = (line(i4), line(i1), line(i4), line(i1), line(i1), line(i2), line(i2), i8)
ending = (line(i1, 2), line(i1))


def arguments(game, name):
    rules = line(from_dtype(options.as_record(game.options()).dtype))
    dealing = (rules, line(i1), line(i8), i8, rngs)
    return {
        "play_games": (rules, i8, i8, i8, line(i8, 2), i8, i8),
        "step": (line(i4), line(i2), i8, line(i8), *dealing, *ending, *observed),
        "reset": (line(i4), *dealing, *observed),
        "pick": (line(i4), line(i2), rngs),
        "count_keys": (line(u1), line(i4)),
        "sum_counts": (line(i4), line(i4)),
        "place_tables": (line(u1), line(i4), line(i4)),
        "play_pass": (line(i4), players, line(u1), line(i4), line(i4), rules, line(i8), line(i8, 2), i8, i8, i8, i8),
        "decide_sorted": (
            line(i4),
            line(i4),
            line(u1),
            line(i2),
            line(i1),
            line(i4),
            line(i1),
            i8,
            line(i8),
            *ending,
            line(i4),
            i8,
        ),
        "settle_sorted": (line(i4), line(i4), line(u1), line(i4), *ending, line(i4), i8),
        "deal_ended": (line(i4), line(i4), line(u1), *dealing),
        "observe_sorted": (line(i4), line(i4), line(i4), *observed[:3], *observed[4:]),
        "wake_tables": (line(i2), line(i1), line(u1)),
        "play_seats": (
            line(i4),
            line(i4),
            line(u1),
            line(i4),
            line(i2),
            rules,
            line(i1),
            line(i8),
            i8,
            seat_memories,
            line(i1),
            i8,
            line(i1),
            line(i1),
            line(i1),
            line(i1),
            line(i4),
            line(i1),
            line(i2),
            line(i2),
            i8,
            i8,
        ),
        "observe_seats": (line(i4), line(i4), line(i1), line(i1), *observed[:3], *observed[4:]),
    }[name]


def compile_kernel(name, kernel):
    game = games[name]
    built = build.build(game, build.find_kernel(kernel))
    with codegen.patched(built.rewrite):
        code, _ = cuda.compile_ptx(built.function, types.void(*arguments(game, kernel)), cc=(9, 0))
    return code


def add(numbers, index):
    numbers[index] += 1


cuda.compile_ptx(add, types.void(line(i8), i8), cc=(9, 0))  # loads what numba-cuda loads when it first compiles


def run(given: dict[str, Any]) -> None:
    """Runs a script with what is defined here, and says that it is done."""
    exec(given["script"], {**globals(), "arguments_given": given["arguments"]})
    print("done", flush=True)
