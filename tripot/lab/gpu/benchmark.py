"""How fast games run on a GPU: whole games, and the vector environment, beside what its memory would allow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tripot.core.game import Game
from tripot.lab import playout
from tripot.lab.gpu import tables as gpu
from tripot.lab.simulate import simulate

CHECKED = 2_000  # games whose checksum is compared with the native engine's
SEED = 5
BILLION = 1e9
TABLES = 1 << 20
STEPS, WARM_UP, WARM_UP_SECONDS = 50, 100, 0.5  # a GPU that was idle takes a while to come to its speed
GAMES_A_THREAD = {"leduc": 2_000}
FEW_GAMES_A_THREAD = 16  # long enough that the last games to end do not count
GAMES_A_TABLE = 4  # where tables are put in order, and there are many more of them

Report = Callable[[str], None]


@dataclass(frozen=True)
class GpuSpeed:
    """What one game reached, in billions of decisions a second."""

    game: str
    seats: int
    whole: float
    vector: float
    vector_with_pick: float
    floor: float  # of the vector environment, from memory bandwidth
    bytes_a_step: int
    compile_seconds: float


class WrongChecksum(RuntimeError):
    """The GPU did not play the games of the other engines."""


def measure(games: list[Game], report: Report) -> Iterator[GpuSpeed]:
    """Every game at its usual number of seats."""
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
    tally = gpu.play_gpu(game, game.options(), game.usual_seats, SEED, CHECKED)
    expected = simulate(game, game.usual_seats, CHECKED, SEED, "native").checksum
    found = f"{int(tally[playout.CHECKSUM]):08x}"
    if found != expected:
        raise WrongChecksum(f"{game.name}: the GPU's checksum is {found}, the native engine's {expected}")


def whole_games(game: Game) -> float:
    """Billions of decisions a second, in the way that suits the game."""
    if game.name in gpu.IN_ORDER:
        return max(timed_games(game, GAMES_A_TABLE * gpu.TABLES_IN_ORDER) for _ in range(2))
    cuda = gpu.require_gpu()
    size, best = gpu.Sizes.of(game).game_bytes, 0.0
    for block in (32, 64, 128):
        if block * size > gpu.SHARED_BYTES:
            continue
        resident = min(2048 // block, 32, max(1, gpu.MULTIPROCESSOR_BYTES // (block * size + 1024)))
        blocks = resident * cuda.get_current_device().MULTIPROCESSOR_COUNT
        games = blocks * block * GAMES_A_THREAD.get(game.name, FEW_GAMES_A_THREAD)
        best = max(best, *(timed_games(game, games, blocks, block) for _ in range(2)))
    return best


def timed_games(game: Game, games: int, blocks: int = 0, block: int = 0) -> float:
    """Billions of decisions a second in so many games."""
    start = time.perf_counter()
    tally = gpu.play_gpu(game, game.options(), game.usual_seats, SEED, games, blocks, block)
    return float(tally[playout.DECISIONS] / (time.perf_counter() - start) / BILLION)


def stepping(game: Game) -> tuple[float, float, int]:
    """Billions of steps a second alone and with picking, and the bytes that a step must move."""
    tables = gpu.VectorTables(game, TABLES, game.usual_seats, seed=SEED)
    tables.reset()

    def both() -> None:
        tables.pick()
        tables.step()

    start, taken = time.perf_counter(), 0
    while taken < WARM_UP or time.perf_counter() - start < WARM_UP_SECONDS:
        both()
        taken += 1
    together = min(device_seconds(both) for _ in range(3))
    picking = min(device_seconds(tables.pick) for _ in range(3))
    rates = [TABLES / seconds / BILLION for seconds in (together - picking, together)]
    return rates[0], rates[1], tables.bytes_a_step


def device_seconds(work: Callable[[], None]) -> float:
    """What one go takes on the device, of many in a row."""
    cuda = gpu.require_gpu()
    before, after = cuda.event(), cuda.event()
    before.record()
    for _ in range(STEPS):
        work()
    after.record()
    after.synchronize()
    return float(cuda.event_elapsed_time(before, after)) / 1e3 / STEPS


def copy_speed() -> float:
    """Bytes a second that the GPU reads and writes as it copies a large array."""
    cuda = gpu.require_gpu()
    source = cuda.device_array(1 << 28, np.int32)
    target = cuda.device_array_like(source)
    target.copy_to_device(source)
    return 2 * float(source.nbytes) / min(device_seconds(lambda: target.copy_to_device(source)) for _ in range(2))


def as_json(speeds: list[GpuSpeed]) -> dict[str, Any]:
    cuda = gpu.require_gpu()
    return {"gpu": gpu_name(cuda), "speeds": [asdict(speed) for speed in speeds]}


def gpu_name(cuda: Any) -> str:
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
