"""The GPU engine without a GPU: its kernels run a few games in numba-cuda's simulator, in a process of its own."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from tripot import GAMES
from tripot.lab.gpu import EngineMissing, Sizes, require_gpu
from tripot.lab.simulate import simulate

needs_numba_cuda = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="LOUD: numba-cuda is not installed")

SIMULATED = """
import json, sys
import numpy as np
from numba import cuda
from tripot import GAMES
from tripot.lab import gpu, kernels, playout

game, seats, games = GAMES[sys.argv[1]], int(sys.argv[2]), int(sys.argv[3])
run = cuda.jit(gpu.device_function(game, kernels.play_games, simulated=True))
states = [game.layout.state.plain() for _ in range(games)]  # a record each: NumPy's narrow numbers would wrap
nothing_to_wipe = np.zeros((games, 0), np.int64)
tallies = np.zeros((games, playout.WINS + max(game.seats)), np.int64)
run[1, games](states, nothing_to_wipe, [game.options()], seats, 7, games, tallies)
tally = tallies.sum(axis=0)
print(json.dumps([int(tally[0]), int(tally[1]), f"{int(tally[2]) & 0xFFFFFFFF:08x}"]))
"""


@needs_numba_cuda
@pytest.mark.parametrize(("name", "seats"), [(name, game.seats[-1]) for name, game in GAMES.items()])
def test_the_simulated_kernel_plays_the_games_of_the_other_engines(name: str, seats: int) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-c", SIMULATED, name, str(seats), "4"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    expected = simulate(GAMES[name], seats, 4, 7, "python")
    assert json.loads(told.stdout) == [4, expected.decisions, expected.checksum]


COMPILED = """
import sys
import numpy as np
from numba import cuda, from_dtype, types
import numba.cuda.dispatcher as dispatcher
from numba.cuda import cuda_paths
from numba.cuda.cudadrv import nvrtc
from tripot import GAMES
from tripot.core import options
from tripot.lab import gpu, kernels, leduc

class Hopper:
    compute_capability = (9, 0)

dispatcher.get_current_device = lambda: Hopper  # there is none here to ask …
nvrtc.get_supported_ccs = lambda: [Hopper.compute_capability]  # … nor another compiler, nor is one needed
cuda_paths._get_nvrtc_path = lambda: None
game, name = {"leduc": leduc.GAME, **GAMES}[sys.argv[1]], sys.argv[2]
rules = from_dtype(options.as_record(game.options()).dtype)

def line(kind, dimensions=1):
    return types.Array(kind, dimensions, "C")

i1, i2, i4, i8 = types.int8, types.int16, types.int32, types.int64
shown = (line(i4), line(i1), line(i4), line(i1), line(i1), line(i2), line(i2), i8)
arguments = {
    "play_games_shared": (line(rules), i8, i8, i8, line(i8, 2), i8, i8),
    "step": (line(i4), line(i2), line(rules), i8, i8, line(i1, 2), line(i1), *shown),
    "reset": (line(i4), line(rules), i8, i8, *shown),
    "pick": (line(i4), line(i2), i8, i8),
}[name]
code, _ = cuda.compile_ptx(gpu.device_function(game, getattr(kernels, name)), types.void(*arguments), cc=(9, 0))
print(code.count(".entry"))
"""
TO_COMPILE = [("leduc", name) for name in ("play_games_shared", "step", "reset", "pick")]
TO_COMPILE += [("verrater", "play_games_shared"), ("trok", "step"), ("trieste", "play_games_shared")]


@needs_numba_cuda
@pytest.mark.parametrize(("game", "kernel"), TO_COMPILE)
def test_the_kernels_compile_for_a_gpu_that_is_not_here(game: str, kernel: str) -> None:
    command = [sys.executable, "-c", COMPILED, game, kernel]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    assert told.stdout.strip() == "1"


def test_without_a_gpu_the_engine_says_what_is_missing() -> None:
    try:
        require_gpu()
    except EngineMissing as missing:
        assert "NVIDIA GPU" in str(missing) and "extra 'gpu'" in str(missing)
    else:
        pytest.skip("this machine has a GPU")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_records_and_views_lie_in_whole_words_alike(game) -> None:
    sizes, layout = Sizes.of(game), game.layout
    assert 0 <= 4 * sizes.state_words - layout.state.dtype.itemsize <= 4 and sizes.state_words % 2 == 1
    common = 4 * sizes.common_words
    assert np.array_equal(layout.target[layout.target < common], layout.source[0][layout.target < common])
    assert sizes.step_bytes * 32 <= 48 * 1024  # a warp of tables fits into a block's shared memory
