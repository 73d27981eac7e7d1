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

    def pick_uniformly(s: Any, seat: int, rng: Any) -> Any:
        return choose(0, mask_of(game, s, seat), rng)

    def choose_sensibly(s: Any, seat: int, memory: Any, *places: Any) -> Any:
        view = game.layout.view_of(view_of(game, s, seat))
        return (game.heuristic or choose)(view, mask_of(game, s, seat), memory)

    return {
        **dict.fromkeys(("load_warp", "store_warp", "copy_strided", "write_observations"), nothing),
        "record_at": lambda place: here.states[place],
        "record_of": lambda table: here.states[table],
        "count_in_warp": int,
        "largest_group": lambda key: 0 if key == KEY_DONE else KEY_KINDS + KEY_DONE - key,
        "clear_and_deal": clear_and_deal,
        "pick_uniformly": pick_uniformly,
        "choose_sensibly": choose_sensibly,
        **observing(game),
    }


def observing(game: Game) -> dict[str, Any]:
    """The functions that write masks and views."""

    def fill_shared_mask(s: Any, seat: int, mask_at: int) -> None:
        (table,) = (i for i, state in enumerate(here.states) if state is s)
        here.tables.masks[table, : game.num_actions] = mask_of(game, s, seat)
        write_view(s, here.tables.views[table], seat)

    def write_block(tile: Any, words: Any, views: Any, view_bytes: Any, table: int, mover: int, *own: Any) -> None:
        write_view(here.states[table], here.tables.views[table], mover)

    def keep_view(s: Any, table: int, seat: int, *arrays: Any) -> None:
        write_view(s, here.tables.finals[table], seat)

    def write_view(s: Any, row: Any, seat: int) -> None:
        seen = np.frombuffer(view_of(game, s, seat), np.int8)
        row[: len(seen)] = seen

    return {"fill_shared_mask": fill_shared_mask, "write_block": write_block, "keep_view": keep_view}


def mask_of(game: Game, s: Any, seat: int) -> list[int]:
    mask = [0] * game.num_actions
    game.legal(s, seat, mask)
    return mask


def view_of(game: Game, s: Any, seat: int) -> bytes:
    """The bytes of the view of a seat."""
    record = game.layout.states(1)
    record.view(np.uint8)[:] = np.frombuffer(s.pack(), np.uint8)
    return game.layout.observe(record, int(seat)).tobytes()


def launch(game: Game, name: str, threads: int, shared: int = 0, **bound: Any) -> Any:
    """A kernel that runs as one block."""
    import_module("tripot.testing.simulated_threads").threads_take_turns()
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
