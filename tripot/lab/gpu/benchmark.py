"""The speed of a GPU: whole games, the vector environment, and the bound that memory bandwidth sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tripot.core.game import Game
from tripot.lab import playout
from tripot.lab.gpu.bindings import Sizes
from tripot.lab.gpu.device import MULTIPROCESSOR_BYTES, SHARED_BYTES, require_gpu
from tripot.lab.gpu.tables import VectorTables
from tripot.lab.gpu.whole_games import MAX_SORTED_TABLES, SORTED_GAMES, play_gpu
from tripot.lab.simulate import simulate

CHECKED = 2_000  # games whose checksum is compared with the native engine's
SEED = 5
BILLION = 1e9
TABLES = 1 << 20
STEPS, WARM_UP, WARM_UP_SECONDS = 50, 100, 0.5  # an idle GPU takes a while to raise its clock
GAMES_PER_THREAD = {"leduc": 2_000}
FEW_GAMES_PER_THREAD = 16  # enough for the last games to end not to matter
GAMES_PER_SORTED_TABLE = 4

Report = Callable[[str], None]


@dataclass(frozen=True)
class GpuSpeed:
    """Speeds of one game, in billions of decisions per second."""

    game: str
    seats: int
    whole: float
    vector: float
    vector_with_pick: float
    floor: float  # of the vector environment, from memory bandwidth
    bytes_a_step: int
    compile_seconds: float


class WrongChecksum(RuntimeError):
    """The GPU did not play the games of the native engine."""


def measure(games: list[Game], report: Report) -> Iterator[GpuSpeed]:
    """Measures every game at its usual number of seats."""
    copy = copy_speed()
    for game in games:
        report(f"{game.name}: compiling, and playing whole games")
        start = time.perf_counter()
        check(game)
        compiling = time.perf_counter() - start
        whole = whole_games(game)
        report(f"{game.name}: stepping {TABLES:,} tables")
        vector, with_pick, moved = stepping(game)
        floor = copy / moved / BILLION
        yield GpuSpeed(game.name, game.usual_seats, whole, vector, with_pick, floor, moved, compiling)


def check(game: Game) -> None:
    """Raises WrongChecksum unless GPU and processor play the same games."""
    tally = play_gpu(game, game.options(), game.usual_seats, SEED, CHECKED)
    expected = simulate(game, game.usual_seats, CHECKED, SEED, "native").checksum
    found = f"{int(tally[playout.CHECKSUM]):08x}"
    if found != expected:
        raise WrongChecksum(f"{game.name}: the GPU's checksum is {found}, the native engine's {expected}")


def whole_games(game: Game) -> float:
    """Returns billions of decisions per second, with the kernel and block size that suit the game."""
    if game.name in SORTED_GAMES:
        return max(timed_games(game, GAMES_PER_SORTED_TABLE * MAX_SORTED_TABLES) for _ in range(2))
    cuda = require_gpu()
    size, best = Sizes.of(game).game_bytes, 0.0
    for block in (32, 64, 128):
        if block * size > SHARED_BYTES:
            continue
        resident = min(2048 // block, 32, max(1, MULTIPROCESSOR_BYTES // (block * size + 1024)))
        blocks = resident * cuda.get_current_device().MULTIPROCESSOR_COUNT
        games = blocks * block * GAMES_PER_THREAD.get(game.name, FEW_GAMES_PER_THREAD)
        best = max(best, *(timed_games(game, games, blocks, block) for _ in range(2)))
    return best


def timed_games(game: Game, games: int, blocks: int = 0, block: int = 0) -> float:
    """Returns billions of decisions per second over `games` games."""
    start = time.perf_counter()
    tally = play_gpu(game, game.options(), game.usual_seats, SEED, games, blocks, block)
    return float(tally[playout.DECISIONS] / (time.perf_counter() - start) / BILLION)


def stepping(game: Game) -> tuple[float, float, int]:
    """Returns billions of steps per second without and with `pick`, and the bytes that a step must move."""
    tables = VectorTables(game, TABLES, game.usual_seats, seed=SEED)
    tables.reset()

    def both() -> None:
        tables.pick()
        tables.step()

    start, taken = time.perf_counter(), 0
    while taken < WARM_UP or time.perf_counter() - start < WARM_UP_SECONDS:
        both()
        taken += 1
    with_pick = min(device_seconds(both) for _ in range(3))
    picking = min(device_seconds(tables.pick) for _ in range(3))
    tables.raise_if_illegal()
    rates = [TABLES / seconds / BILLION for seconds in (with_pick - picking, with_pick)]
    return rates[0], rates[1], tables.bytes_a_step


def device_seconds(work: Callable[[], None]) -> float:
    """Returns the mean time on the device of STEPS calls in a row."""
    cuda = require_gpu()
    before, after = cuda.event(), cuda.event()
    before.record()
    for _ in range(STEPS):
        work()
    after.record()
    after.synchronize()
    return float(cuda.event_elapsed_time(before, after)) / 1e3 / STEPS


def copy_speed() -> float:
    """Returns the bytes per second that the GPU reads and writes while it copies a large array."""
    cuda = require_gpu()
    source = cuda.device_array(1 << 28, np.int32)
    target = cuda.device_array_like(source)
    target.copy_to_device(source)
    return 2 * float(source.nbytes) / min(device_seconds(lambda: target.copy_to_device(source)) for _ in range(2))


def as_json(speeds: list[GpuSpeed]) -> dict[str, Any]:
    cuda = require_gpu()
    return {"gpu": gpu_name(cuda), "speeds": [asdict(speed) for speed in speeds]}


def gpu_name(cuda: Any) -> str:
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
