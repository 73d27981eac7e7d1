"""GPU kernels in numba-cuda's simulator, with the rules interpreted. Run as a process with NUMBA_ENABLE_CUDASIM=1.

The simulator has no warps, and NumPy's narrow numbers would wrap in its records. So every table is a plain object, each
thread is alone, and the functions that need a warp or shared records are replaced.
"""

import json
import sys
import warnings
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from tripot import GAMES
from tripot.bots.uniform import choose_uniform
from tripot.core.game import Game
from tripot.core.jit import interpreted
from tripot.core.sfc32 import roll_sfc32
from tripot.games.outside import load_game
from tripot.lab import playout
from tripot.lab.gpu import build
from tripot.lab.gpu.bindings import KEY_DONE, KEY_KINDS

SEED = 7
here = SimpleNamespace(states=[], tables=None)  # the tables that the kernels work on


def nothing(*arguments: Any) -> None:
    pass


def replaced(game: Game) -> dict[str, Any]:
    """The functions that need a warp or shared records, for threads that are alone."""

    choose = interpreted(choose_uniform, roll=roll_sfc32)  # what kernels roll

    def clear_and_deal(s: Any, place: int, options: Any, seats: int, seed: int) -> None:
        game.layout.state.clear(s)
        game.deal(s, options, int(seats), int(seed))

    def decide_uniformly(s: Any, rng: Any) -> Any:
        seat, mask = playout.next_to_move(s), [0] * game.num_actions
        game.legal(s, seat, mask)
        action = choose(0, mask, rng)
        game.functions["decide"](s, seat, action)
        return action

    def fill_shared_mask(s: Any, seat: int, mask_at: int) -> None:
        (table,) = (i for i, state in enumerate(here.states) if state is s)
        mask = [0] * game.num_actions
        game.legal(s, seat, mask)
        here.tables.masks[table, : game.num_actions] = mask
        write_view(table, seat)

    def write_block(tile: Any, words: Any, views: Any, view_bytes: Any, table: int, mover: int, *own: Any) -> None:
        write_view(table, mover)

    def write_view(table: int, seat: int) -> None:
        record = game.layout.states(1)
        record.view(np.uint8)[:] = np.frombuffer(here.states[table].pack(), np.uint8)
        seen = np.frombuffer(game.layout.observe(record, int(seat)).tobytes(), np.int8)
        here.tables.views[table, : len(seen)] = seen

    return {
        **dict.fromkeys(("load_warp", "store_warp", "copy_strided", "write_observations"), nothing),
        "record_at": lambda place: here.states[place],
        "record_of": lambda table: here.states[table],
        "count_in_warp": int,
        "largest_group": lambda key: 0 if key == KEY_DONE else KEY_KINDS + KEY_DONE - key,
        "clear_and_deal": clear_and_deal,
        "decide_uniformly": decide_uniformly,
        "fill_shared_mask": fill_shared_mask,
        "write_block": write_block,
    }


def launch(game: Game, name: str, threads: int, shared: int = 0, **bound: Any) -> Any:
    """A kernel that runs as one block."""
    built = build.build(game, build.find_kernel(name), True, **{**replaced(game), **bound})
    compiler: Any = import_module("numba.cuda").jit
    return compiler(built.function)[1, threads, 0, shared]


def found(name: str) -> Game:
    """A game by its name, or as `module:GAME`."""
    return load_game(name) if ":" in name else GAMES[name]


def print_tally(tallies: Any) -> None:
    tally = tallies.sum(axis=0)
    print(json.dumps([int(tally[0]), int(tally[1]), f"{int(tally[2]) & 0xFFFFFFFF:08x}"]))


def whole_games(name: str, seats: str, games: str, threads: str) -> None:
    """Whole games, one thread per table."""
    game = found(name)
    here.states[:] = [game.layout.state.plain() for _ in range(int(threads))]
    tallies = np.zeros((int(threads), playout.WINS + max(game.seats)), np.int64)
    run = launch(game, "play_games", int(threads))
    run([game.options()], int(seats), SEED, int(games), tallies, 2, 2)
    print_tally(tallies)


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)  # seeds wrap at 64 bits, on a GPU too
    globals()[sys.argv[1]](*sys.argv[2:])
