"""What else tests ask of GPU kernels in the simulator: sorted tables, vector tables, sorting itself.

Forked from a process that was started with NUMBA_ENABLE_CUDASIM=1: `tests.fork_server`.
"""

import json
import pickle
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from numba import cuda

from tests import gpu_checks
from tripot.bots.bot import UnknownBot
from tripot.bots.memory import BOT_MEMORY
from tripot.core import options
from tripot.core.game import Game
from tripot.lab import leduc, playout
from tripot.lab.batch import BadBatch, IllegalAction
from tripot.lab.gpu import VectorTables, build, order, seat_tables, sorted_kernels, tables
from tripot.lab.gpu.bindings import KEY_DEAL, KEY_DONE, KEY_KINDS, PLAYER, TALLY_ROWS
from tripot.lab.gpu.tensors import Tensors
from tripot.testing.gpu_simulator import SEED, here, launch, print_tally
from tripot.testing.simulated_threads import TurnThread, threads_take_turns


def sorted_games(name: str, seats: str, games: str, tables: str, min_group: str) -> None:
    """Whole games with the tables sorted before every pass."""
    game, count = gpu_checks.EVERY_GAME[name], int(tables)
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
    threads_take_turns()
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


def threads_in_turns() -> None:
    """A thread runs until it ends or waits for its block; if one fails, none of the block stays behind."""
    threads_take_turns()
    order: list[tuple[int, str]] = []

    def meet(fails: int) -> None:
        order.append((cuda.threadIdx.x, "before"))
        cuda.syncthreads()
        if cuda.threadIdx.x == fails:
            raise KeyError("on purpose")
        order.append((cuda.threadIdx.x, "after"))

    kernel: Any = cuda.jit(meet)
    kernel[1, 3](3)
    assert order == [(thread, when) for when in ("before", "after") for thread in range(3)], order
    with refused(KeyError, "on purpose"):
        kernel[1, 3](1)
    assert order[6:] == [(0, "before"), (1, "before"), (2, "before"), (0, "after")], order
    for thread in threading.enumerate():
        if isinstance(thread, TurnThread):
            thread.join(10)
            assert not thread.is_alive(), "a thread waits for a block that failed"


def vector_tables(check: str, name: str, seats: str, steps: str, sort: str, *passes: str) -> None:
    """One of `gpu_checks`, with tables that work on plain objects."""
    stand_in()
    game, count = gpu_checks.EVERY_GAME[name], 3
    rules = options.parse(game.options, {"goal": 10} if name == "trok" else {})  # a short game
    if check == "varied":
        rules = gpu_checks.sets_of_rules(game)
    min_group, extra = (int(passes[0]), int(passes[1])) if passes else (1, 0)
    sizes = list(map(int, seats.split(",")))
    stepped = VectorTables(
        *(game, count, sizes[0] if len(sizes) == 1 else sizes, rules, gpu_checks.NEAR_SIGN),
        sort=bool(int(sort)),
        min_group=min_group,
        passes=extra,
    )
    here.states[:] = stepped.words = [game.layout.state.plain() for _ in range(count)]
    stepped.rngs = [BOT_MEMORY.plain() for _ in range(count)]
    here.tables = stepped
    if check == "illegal":
        gpu_checks.refuses_illegal_actions(stepped)
    elif check == "sizes":
        print(gpu_checks.plays_sizes_together(stepped, sizes, int(steps), rules))
    else:
        print(gpu_checks.plays_games_of_batch(stepped, int(steps), rules))


class HostTensors(Tensors):
    """Tensors that are the simulator's arrays, and no streams or graphs."""

    device, stream = "cpu", 0
    kernels = staticmethod(nullcontext)

    def of(self, array: Any) -> Any:
        return self.torch.from_numpy(array._ary)

    def captured(self, launch: Callable[[], None]) -> Callable[[], None]:
        return launch


def one_seat(name: str, steps: str, settings: str) -> None:
    """The vector environment of one seat is that of the CPU; says how many games were played to their end."""
    game, chosen = gpu_checks.EVERY_GAME[name], json.loads(settings)
    chosen["opponents"] = [gpu_checks.POLICIES.get(one, one) for one in chosen["opponents"]]
    on_cpu, on_device = seat_env(game, "cpu", **chosen), seat_env(game, "cuda", **chosen)
    print(gpu_checks.plays_one_seat_as_a_cpu(on_cpu, on_device, int(steps)))


def seat_env(game: Game, device: str, **settings: Any) -> Any:
    """Three games, with tables that work on plain objects unless they are the CPU's."""
    from tripot.lab.vector import gpu_seat_env
    from tripot.lab.vector.seat_env import SeatVectorEnv

    stand_in()
    gpu_seat_env.Tensors = HostTensors  # type: ignore[misc]
    envs: Any = SeatVectorEnv(game, 3, device=device, **settings)
    if device == "cuda":
        here.tables = envs.tables
        here.states[:] = envs.tables.words = [game.layout.state.plain() for _ in range(3)]
        envs.tables.memories = [[BOT_MEMORY.plain() for _ in range(envs.seats)] for _ in range(3)]
    return envs


def one_seat_refuses() -> None:
    """Bad opponents, actions, policies and copies are refused by a sentence."""
    game = leduc.GAME
    with refused(ValueError, "'search:5' decides at one table after the other and cannot play with device='cuda'"):
        seat_env(game, "cuda", opponents="search:5")
    with refused(ValueError, "'network' decides at one table after the other"):  # there is none for this game
        seat_env(game, "cuda", opponents="network")
    with refused(UnknownBot, "unknown bot 'nobody'"):
        seat_env(game, "cuda", opponents="nobody")
    envs = seat_env(game, "cuda", opponents=lambda observations, masks: masks.int().argmin(1), seat=1)
    with refused(IllegalAction, "table 0: action "):
        envs.reset(seed=1)
    envs = seat_env(game, "cuda", opponents="uniform", encoding=2)
    envs.reset(seed=[5, 5, 9])
    for actions, told in (([0, 1], "int64 of shape (2,); needed are 3 integers"), ([0.5] * 3, "float32 of shape (3,)")):
        with refused(ValueError, told):
            envs.step(envs.torch.tensor(actions))
    with refused(TypeError, "cannot be pickled or copied"):
        pickle.dumps(envs)
    with refused(BadBatch, "needed are 3 integers"):
        envs.reset(seed=[1, 2])


@contextmanager
def refused(kind: type[Exception], told: str) -> Iterator[None]:
    try:
        yield
    except kind as error:
        assert told in str(error), error
    else:
        raise AssertionError(f"not refused: {told}")


def stand_in() -> None:
    """Lets VectorTables launch simulated kernels; sorting by 256 threads would be slow, so NumPy sorts."""

    def launcher(
        game: Game, name: str, blocks: int, block: int, shared: int = 0, stream: Any = 0
    ) -> Callable[..., None]:
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

    tables.launcher = order.launcher = seat_tables.launcher = launcher  # type: ignore[assignment]
    order.TableOrder.sort = sort  # type: ignore[method-assign]


CHECKS: dict[str, Callable[..., None]] = {
    check.__name__: check
    for check in (sorted_games, counting_sort, threads_in_turns, vector_tables, one_seat, one_seat_refuses)
}


def run(given: dict[str, Any]) -> None:
    """Runs one of the checks, then says that it is done."""
    warnings.simplefilter("ignore", RuntimeWarning)  # seeds wrap at 64 bits, on a GPU too
    CHECKS[given["check"]](*given["arguments"])
    print("done", flush=True)
