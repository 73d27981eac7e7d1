"""GPU kernels in numba-cuda's simulator, with the rules interpreted. Run as a process with NUMBA_ENABLE_CUDASIM=1.

The simulator has no warps, and NumPy's narrow numbers would wrap in its records. So every table is a plain object, each
thread is alone, and the functions that need a warp or shared records are replaced.
"""

import json
import sys
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import cuda

from tests import gpu_checks
from tripot import GAMES
from tripot.bots.memory import BOT_MEMORY
from tripot.bots.uniform import choose_uniform
from tripot.core import options
from tripot.core.game import Game
from tripot.lab import leduc, playout
from tripot.lab.gpu import VectorTables, build, order, sorted_kernels, tables
from tripot.lab.gpu.bindings import KEY_DEAL, KEY_DONE, KEY_KINDS, PLAYER, TALLY_ROWS

SEED = 7
here = SimpleNamespace(states=[], tables=None)  # the tables that the kernels work on


def nothing(*arguments: Any) -> None:
    pass


def replaced(game: Game) -> dict[str, Any]:
    """The functions that need a warp or shared records, for threads that are alone."""

    def clear_and_deal(s: Any, place: int, options: Any, seats: int, seed: int) -> None:
        game.layout.state.clear(s)
        game.deal(s, options, seats, int(seed))

    def decide_uniformly(s: Any, rng: Any) -> int:
        seat, mask = playout.next_to_move(s), [0] * game.num_actions
        game.legal(s, seat, mask)
        action = choose_uniform(0, mask, rng)
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
    return cuda.jit(built.function)[1, threads, 0, shared]


def found(game: str) -> Game:
    return {"leduc": leduc.GAME, **GAMES}[game]


def print_tally(tallies: Any) -> None:
    tally = tallies.sum(axis=0)
    print(json.dumps([int(tally[0]), int(tally[1]), f"{int(tally[2]) & 0xFFFFFFFF:08x}"]))


# --- What a test may ask for ---


def whole_games(name: str, seats: str, games: str, threads: str) -> None:
    """Whole games, one thread per table."""
    game = found(name)
    here.states[:] = [game.layout.state.plain() for _ in range(int(threads))]
    tallies = np.zeros((int(threads), playout.WINS + max(game.seats)), np.int64)
    run = launch(game, "play_games", int(threads))
    run([game.options()], int(seats), SEED, int(games), tallies, 2, 2)
    print_tally(tallies)


def sorted_games(name: str, seats: str, games: str, tables: str, min_group: str) -> None:
    """Whole games with the tables sorted before every pass."""
    game, count = found(name), int(tables)
    here.states[:] = [game.layout.state.plain() for _ in range(count)]
    players = [PLAYER.plain() for _ in range(count)]
    keys = np.full(count, KEY_DEAL, np.uint8)
    ends, sorted_tables = np.zeros(KEY_KINDS, np.int64), np.zeros(count, np.int64)
    begun, tallies = np.zeros(1, np.int64), np.zeros((TALLY_ROWS, playout.WINS + max(game.seats)), np.int64)
    run, busy = launch(game, "play_pass", count), count
    while busy:
        ends[:], sorted_tables[:] = np.cumsum(np.bincount(keys, minlength=KEY_KINDS)), np.argsort(keys)
        arrays = (players, keys, sorted_tables, ends, [game.options()], begun, tallies)
        run(None, *arrays, int(seats), SEED, int(games), int(min_group))
        busy = ends[KEY_DONE - 1]
    print_tally(tallies)


def counting_sort() -> None:
    """Every table is placed once, and keys ascend."""
    few = 16  # keys, and threads a block: the simulator is slow
    count, total, place = (
        cuda.jit(build.build(leduc.GAME, kernel, True, KEY_KINDS=few).function)
        for kernel in (sorted_kernels.count_keys, sorted_kernels.sum_counts, sorted_kernels.place_tables)
    )
    keys = np.random.default_rng(3).choice(np.array([0, 2, 3, 9, 14, 15], np.uint8), 60)
    counts, starts, placed = (np.zeros(size, np.int64) for size in (few, few, len(keys)))
    for _ in range(2):  # the second time with counts that the first has zeroed
        count[2, few](keys, counts)
        total[1, few](counts, starts)
        place[4, few](keys, starts, placed)
        assert sorted(placed) == list(range(len(keys))), "every table is placed once"
        assert (np.diff(keys[placed].astype(int)) >= 0).all(), "keys ascend"
        assert (starts == np.cumsum(np.bincount(keys, minlength=few))).all(), "starts have become ends"


def vector_tables(check: str, name: str, seats: str, steps: str, sort: str, *passes: str) -> None:
    """One of `gpu_checks`, with tables that work on plain objects."""
    stand_in()
    game, count = found(name), 3
    rules = options.parse(game.options, {"goal": 10} if name == "trok" else {})  # a short game
    min_group, extra = (int(passes[0]), int(passes[1])) if passes else (1, 0)
    stepped = VectorTables(
        *(game, count, int(seats), rules, gpu_checks.NEAR_SIGN),
        sort=bool(int(sort)),
        min_group=min_group,
        passes=extra,
    )
    here.states[:] = stepped.words = [game.layout.state.plain() for _ in range(count)]
    stepped.rngs = [BOT_MEMORY.plain() for _ in range(count)]
    here.tables = stepped
    if check == "illegal":
        gpu_checks.refuses_illegal_actions(stepped)
    else:
        print(gpu_checks.plays_games_of_batch(stepped, int(steps), rules))


def stand_in() -> None:
    """Lets VectorTables launch simulated kernels; sorting by 256 threads would be slow, so NumPy sorts."""

    def launcher(game: Game, name: str, blocks: int, block: int, shared: int = 0) -> Callable[..., None]:
        run: list[Any] = []

        def launched(*arguments: Any) -> None:
            if not run:
                run.append(launch(game, name, here.tables.tables, 2 * shared))
            run[0](*arguments)

        return launched

    def sort(self: order.TableOrder) -> None:
        keys = self.keys.copy_to_host()
        self.tables.copy_to_device(np.argsort(keys).astype(np.int32))
        self.ends.copy_to_device(np.cumsum(np.bincount(keys, minlength=KEY_KINDS)).astype(np.int32))

    tables.launcher = order.launcher = launcher  # type: ignore[assignment]
    order.TableOrder.sort = sort  # type: ignore[method-assign]


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)  # seeds wrap at 64 bits, on a GPU too
    globals()[sys.argv[1]](*sys.argv[2:])
