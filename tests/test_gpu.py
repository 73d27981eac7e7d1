"""The GPU engine without a GPU: its kernels run a few games in numba-cuda's simulator, and compile for an H200."""

import json
import os
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from tests import gpu_checks
from tests.fork_server import Forked, fork
from tripot import GAMES
from tripot.bots.memory import BOT_MEMORY
from tripot.core import options
from tripot.core.game import Game
from tripot.lab import leduc
from tripot.lab.batch import BadBatch
from tripot.lab.gpu import EngineMissing, VectorTables, codegen, device, require_gpu
from tripot.lab.gpu.bindings import (
    KEY_DEAL,
    KEY_DONE,
    KEY_SETTLE,
    PLAYER,
    Sizes,
    bindings,
    enum_tuples,
    names_of,
    number_arrays,
)
from tripot.lab.simulate import simulate
from tripot.testing import engines

pytestmark = pytest.mark.native

needs_numba_cuda = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="LOUD: numba-cuda is not installed")
needs_torch = pytest.mark.skipif(
    find_spec("torch") is None, reason="PyTorch is not installed: pip install 'tripot[train]'"
)
PATIENCE = 280.0  # seconds
DONE = "done\n"  # what `gpu_simulator` and `gpu_compiler` say in the end


def run_compiling(script: str, *arguments: str, **variables: str) -> str:
    """What a script with the names of `gpu_compiler` prints, in a process of its own; it must succeed."""
    return said_by(fork("tests.gpu_compiler", {"script": script, "arguments": arguments}, variables))


def run_simulated(check: str, *arguments: object) -> str:
    """What a check of `gpu_simulator` prints, in a process of its own; it must succeed."""
    with patch.dict(os.environ, NUMBA_ENABLE_CUDASIM="1"):  # read when Numba is imported, before the fork
        return said_by(fork("tests.gpu_simulator", {"check": check, "arguments": list(map(str, arguments))}, {}))


def said_by(process: Forked) -> str:
    """What a forked process prints before it says that it is done."""
    told, done, _ = (said := process.communicate(PATIENCE)).partition(DONE)
    assert done, said[-2000:]
    return told


# --- Kernels in the simulator ---


@needs_numba_cuda
@pytest.mark.parametrize("name", ["leduc", "verrater"])
def test_a_thread_per_table_plays_the_games_of_the_other_engines(name: str) -> None:
    engines.gpu_games_are_the_same(gpu_checks.EVERY_GAME[name])


@needs_numba_cuda
@pytest.mark.parametrize(("name", "seats"), [(name, game.seats[-1]) for name, game in GAMES.items()])
@pytest.mark.parametrize("min_group", [1, 33], ids=["staying", "leaving"])
def test_sorted_tables_play_the_games_of_the_other_engines(name: str, seats: int, min_group: int) -> None:
    expected = simulate(GAMES[name], seats, 4, 7, "python")
    told = json.loads(run_simulated("sorted_games", name, seats, 4, 2, min_group))
    assert told == [4, expected.decisions, expected.checksum]


@needs_numba_cuda
@pytest.mark.parametrize(("name", "seats", "steps"), [("leduc", 2, 30), ("verrater", 4, 120)])
def test_vector_tables_play_the_games_of_a_batch(name: str, seats: int, steps: int) -> None:
    assert int(run_simulated("vector_tables", "same", name, seats, steps, 0)) > 0  # games ended, and others began


@needs_numba_cuda
@pytest.mark.parametrize(
    ("name", "seats", "steps"), [("leduc", 2, 30), ("verrater", 4, 120), ("trok", 2, 200), ("trieste", 3, 200)]
)
@pytest.mark.parametrize(("min_group", "passes"), [(1, 0), (2, 2)], ids=["staying", "leaving"])
def test_sorted_vector_tables_play_the_games_of_a_batch(
    name: str, seats: int, steps: int, min_group: int, passes: int
) -> None:
    assert int(run_simulated("vector_tables", "same", name, seats, steps, 1, min_group, passes)) > 0


@needs_numba_cuda
@pytest.mark.parametrize("sort", [0, 1], ids=["unsorted", "sorted"])
def test_vector_tables_deal_the_house_rules_that_a_seed_names(sort: int) -> None:
    assert int(run_simulated("vector_tables", "varied", "trieste", 3, 250, sort)) > 0  # views are those of a batch


@needs_numba_cuda
@pytest.mark.parametrize("sort", [0, 1], ids=["unsorted", "sorted"])
def test_tables_of_several_sizes_are_stepped_together(sort: int) -> None:
    assert int(run_simulated("vector_tables", "sizes", "verrater", "3,4,3", 130, sort)) > 0


@needs_numba_cuda
@pytest.mark.parametrize(("name", "seats"), [("leduc", 2), ("verrater", 4)])
@pytest.mark.parametrize("sort", [0, 1], ids=["unsorted", "sorted"])
def test_a_table_whose_action_is_illegal_stays_as_it_is(name: str, seats: int, sort: int) -> None:
    run_simulated("vector_tables", "illegal", name, seats, 0, sort)


@needs_numba_cuda
def test_every_table_is_placed_once_and_keys_ascend() -> None:
    run_simulated("counting_sort")


@needs_numba_cuda
def test_the_simulator_runs_the_threads_of_a_block_in_turns() -> None:
    run_simulated("threads_in_turns")


ONE_SEAT = {
    "uniform": ("leduc", 60, {"opponents": ["uniform"], "seat": None}),
    "a policy": ("leduc", 40, {"opponents": ["last"], "seat": 1, "encoding": 2}),
    "sensible": ("verrater", 60, {"opponents": ["sensible"], "seat": None, "encoding": 2}),
    "a network": ("verrater", 50, {"opponents": ["network", "uniform"], "seat": 2, "seats": 3}),
    "sides": ("trieste", 60, {"opponents": ["sensible", "last"], "seat": None, "encoding": 2}),
    "turned actions": (
        *("trok", 60),
        {"opponents": ["sensible", "last"], "seat": None, "seats": 3, "encoding": 2, "options": {"goal": 10}},
    ),
}


@needs_numba_cuda
@needs_torch
@pytest.mark.parametrize(("name", "steps", "settings"), ONE_SEAT.values(), ids=ONE_SEAT)
def test_one_seat_on_the_device_plays_the_games_of_the_cpu(name: str, steps: int, settings: dict[str, Any]) -> None:
    assert int(run_simulated("one_seat", name, steps, json.dumps(settings))) > 0  # games ended, and others began


@needs_numba_cuda
@needs_torch
def test_what_one_seat_on_the_device_cannot_do_is_said() -> None:
    run_simulated("one_seat_refuses")


# --- Kernels on a GPU, where there is one ---


@pytest.fixture
def gpu() -> Iterator[None]:
    try:
        require_gpu()
    except EngineMissing as missing:
        pytest.skip(f"no GPU: {missing}")
    yield


every_game = pytest.mark.parametrize("game", gpu_checks.EVERY_GAME.values(), ids=list(gpu_checks.EVERY_GAME))
sorted_or_not = pytest.mark.parametrize("sort", [False, True], ids=["unsorted", "sorted"])


@every_game
@sorted_or_not
def test_a_gpu_plays_the_games_of_the_native_engine(gpu: None, game: Game, sort: bool) -> None:
    gpu_checks.plays_whole_games_of_native(game, 2_000, sort)


@needs_torch
@every_game
def test_a_gpu_plays_one_seat_as_a_cpu(gpu: None, game: Game) -> None:
    gpu_checks.plays_one_seat(game, 300)


@every_game
@sorted_or_not
def test_a_gpu_steps_the_games_of_a_batch(gpu: None, game: Game, sort: bool) -> None:
    tables = VectorTables(game, 1_000, game.usual_seats, seed=gpu_checks.NEAR_SIGN, sort=sort)
    assert gpu_checks.plays_games_of_batch(tables, 1_000) > 0
    gpu_checks.refuses_illegal_actions(tables)


# --- Names and sizes ---


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_phases_leave_room_for_the_other_keys(game: Game) -> None:
    (phase,) = (field for field in game.fields if field.name == "phase")
    assert phase.highest < KEY_SETTLE and KEY_DEAL < KEY_DONE


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_what_kernels_bind_hides_no_name_of_the_rules(game: Game) -> None:
    """A bound name means the same everywhere, in the rules too: Trök has a decision DONE."""
    ours = set(bindings(game)) - set(enum_tuples(game)) - set(number_arrays(game)) - set(game.functions)
    package = game.deal.__module__.rpartition(".")[0] + "."
    rules = {name for module in sys.modules if module.startswith(package) for name in vars(sys.modules[module])}
    assert not ours & rules


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_two_number_tables_share_a_name(game: Game) -> None:
    tables = number_arrays(game)
    assert tables
    for name, value in names_of(game):
        assert name not in tables or np.array_equal(value, tables[name]), name


def test_shared_memory_gets_one_name() -> None:
    code = "\n".join(
        [
            '%"a" = addrspacecast [0 x [28 x i8]] addrspace(3)* @"_cudapy_smem_5" to i8*',
            '%"b" = addrspacecast [0 x i32] addrspace(3)* @"_cudapy_smem_1" to i8*',
            '%"c" = addrspacecast [256 x i32] addrspace(3)* @"_cudapy_smem_2" to i8*',
            '@"_cudapy_smem_5" = external addrspace(3) global [0 x [28 x i8]], align 1',
            '@"_cudapy_smem_1" = external addrspace(3) global [0 x i32], align 4',
            '@"_cudapy_smem_2" = addrspace(3) global [256 x i32] undef, align 4',
        ]
    )
    shared = codegen.unify_shared_memory(code)
    assert shared.count('[0 x i32] addrspace(3)* @"tripot_shared"') == 2
    assert shared.count(codegen.SHARED_MEMORY) == 1 and shared.count("_cudapy_smem_") == 2


def test_a_noinline_function_is_told_that_records_of_this_size_are_shared() -> None:
    head = 'define i32 @"rule"(i8** %".ret", [332 x i8]* %"s", [20 x i8]* %"memory")'
    code = [head + " noinline", "{", "entry:", '  %"a" = getelementptr [332 x i8], [332 x i8]* %"s", i32 0', "}"]
    given, brace, entry, said, cast, used, end = codegen.annotate_shared_records("\n".join(code), 332).split("\n")
    assert '%"s.anywhere", [20 x i8]* %"memory")' in given
    assert "cvta.to.shared" in said and cast.startswith('  %"s" = addrspacecast [332 x i8] addrspace(3)*')
    assert [brace, entry, used, end] == code[1:]
    for other in ("\n".join([head, *code[1:]]), "\n".join(code).replace("332", "333")):
        assert codegen.annotate_shared_records(other, 332) == other


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_records_outside_shared_memory_have_another_size(game: Game) -> None:
    elsewhere = {PLAYER.dtype.itemsize, BOT_MEMORY.dtype.itemsize, options.as_record(game.options()).dtype.itemsize}
    assert not elsewhere & {4 * Sizes.of(other).state_words for other in (leduc.GAME, *GAMES.values())}


# --- Compiling ---

KERNELS = ("play_games", "step", "reset", "pick", "count_keys", "sum_counts", "place_tables")
SORTED_KERNELS = ("play_pass", "decide_sorted", "settle_sorted", "deal_ended", "observe_sorted")
SEAT_KERNELS = ("wake_tables", "play_seats", "observe_seats")
TO_COMPILE = {"leduc": KERNELS + SORTED_KERNELS + SEAT_KERNELS}
TO_COMPILE |= {"verrater": ("play_pass", "play_seats"), "trok": ("decide_sorted",), "trieste": ("play_pass",)}
COMPILE_ALL = """
game, *kernels = arguments_given
for kernel in kernels:
    print(kernel, compile_kernel(game, kernel).count(".entry"))
"""


@needs_numba_cuda
@pytest.mark.parametrize("game", TO_COMPILE)
def test_the_kernels_compile_for_a_gpu_that_is_not_here(game: str) -> None:
    told = run_compiling(COMPILE_ALL, game, *TO_COMPILE[game])
    assert told.splitlines() == [f"{kernel} 1" for kernel in TO_COMPILE[game]]


COMPILED_ONCE = """
from tripot.lab.gpu import kernel_cache

class Counted:
    def __init__(self):
        self.compiled, self.overloads = 0, {}
    def compile(self, signature):
        self.compiled += 1
        return dispatcher._Kernel(built.function, signature, opt=True)
    def add_overload(self, kernel, signature):
        self.overloads[signature] = kernel

game, signature = leduc.GAME, tuple(arguments(leduc.GAME, "pick"))
import numba.cuda.codegen as device_code
device_code.CUDACodeLibrary._ensure_cc = lambda self, cc: (9, 0, "a")
built = build.build(game, build.find_kernel("pick"))
first, second, other = Counted(), Counted(), Counted()
build.keep_compiled(first, game, "pick", (9, 0)).compile(signature)
kept = build.keep_compiled(second, game, "pick", (9, 0)).compile(signature)
build.keep_compiled(other, game, "pick", (8, 0)).compile(signature)
assert (first.compiled, second.compiled, other.compiled) == (1, 0, 1)
assert second.overloads == {signature: kept} and "pick" in kept.entry_name
path = kernel_cache.kernel_file(game, "pick", signature, (9, 0))
path.write_bytes(path.read_bytes()[:100])
build.keep_compiled(second, game, "pick", (9, 0)).compile(signature)
assert second.compiled == 1, "a file that was cut off is compiled again"
"""


@needs_numba_cuda
def test_a_kernel_is_compiled_once_and_kept(tmp_path: Path) -> None:
    run_compiling(COMPILED_ONCE, TRIPOT_CACHE=str(tmp_path))


OTHERS_KERNEL = """
import threading

def last(a, i):
    a[0] = a[i]

def wraps_negative_indices(function=last):
    code, _ = cuda.compile_ptx(function, types.void(types.int64[::1], types.int64), cc=(9, 0))
    return "shr.s64" in code  # the sign of the index

def in_a_thread(work):
    told = []
    thread = threading.Thread(target=lambda: told.append(work()))
    thread.start()
    thread.join()
    return told[0]

"""
COMPILED_AROUND = """
assert wraps_negative_indices()
compile_kernel("leduc", "pick")
assert wraps_negative_indices(), "afterwards"
rewrite = build.build(leduc.GAME, build.find_kernel("pick")).rewrite
with codegen.patched(rewrite):
    assert not wraps_negative_indices(), "our own"
    assert in_a_thread(wraps_negative_indices), "another thread, meanwhile"
    with codegen.patched(rewrite):
        pass
    assert not wraps_negative_indices(), "our own, after an inner block"
try:
    with codegen.patched(rewrite):
        raise KeyError
except KeyError:
    assert wraps_negative_indices(), "after an exception"
"""
COMPILED_BY_LAUNCH = """
function = cuda.jit(last)
seen = []
function.compile = lambda signature: seen.append(wraps_negative_indices())
rewrite = build.build(leduc.GAME, build.find_kernel("pick")).rewrite
codegen.compile_rewritten(function, rewrite).compile("any signature")
assert seen == [False] and wraps_negative_indices()
"""
ASKED_ONCE = """
import gc, operator
from numba.core.types.functions import BaseFunction
from numba.cuda.descriptor import cuda_target

cuda_target.typing_context.refresh()
asked = []
ask = BaseFunction.get_call_type
BaseFunction.get_call_type = lambda *given: asked.append(given) or ask(*given)

def times_asked():
    asked.clear()
    for _ in range(3):
        assert cuda_target.typing_context.resolve_function_type(operator.add, (i8, i8), {}).return_type == i8
    return len(asked)

assert times_asked() == 3
with codegen.patched(build.build(leduc.GAME, build.find_kernel("pick")).rewrite):
    assert times_asked() == 1 and not gc.isenabled()
    assert in_a_thread(times_asked) == 3, "another thread, meanwhile"
assert times_asked() == 3 and gc.isenabled(), "afterwards"
"""
OTHER_VERSION = """
import warnings
codegen.WRITTEN_FOR = "0.0.0"
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for kernel in ("play_games", "pick"):
        compile_kernel("leduc", kernel)
    with codegen.patched(build.build(leduc.GAME, build.find_kernel("pick")).rewrite):
        assert wraps_negative_indices()
(warning,) = (one for one in told if issubclass(one.category, RuntimeWarning))
assert "is not 0.0.0" in str(warning.message), warning.message
"""


@needs_numba_cuda
@pytest.mark.parametrize(
    "script",
    [COMPILED_AROUND, COMPILED_BY_LAUNCH, ASKED_ONCE, OTHER_VERSION],
    ids=["around a compilation", "around a launch", "types asked once", "another version of numba-cuda"],
)
def test_other_kernels_compile_without_our_patches(script: str) -> None:
    run_compiling(OTHERS_KERNEL + script)


def test_vector_tables_are_checked_like_a_batch() -> None:
    for tables, seats, tells in ((0, 4, "at least 1 table, not 0"), (5, 9, "3 or 4 players, not 9")):
        with pytest.raises(BadBatch, match=tells):
            VectorTables(GAMES["verrater"], tables, seats)


def test_without_a_gpu_the_engine_says_what_is_missing() -> None:
    try:
        require_gpu()
    except EngineMissing as missing:
        assert "NVIDIA GPU" in str(missing) and "extra 'gpu'" in str(missing)
    else:
        pytest.skip("this machine has a GPU")


@needs_torch
def test_one_seat_says_what_is_missing_too() -> None:
    from tripot.lab.vector.seat_env import SeatVectorEnv

    try:
        require_gpu()
    except EngineMissing:
        with pytest.raises(EngineMissing, match="NVIDIA GPU"):
            SeatVectorEnv("verrater", 2, device="cuda")
    else:
        pytest.skip("this machine has a GPU")


def test_row_stack_is_provided_only_while_numba_cuda_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        monkeypatch.delattr(np, "row_stack", raising=False)
    monkeypatch.setattr(np, "__version__", "2.5.0")
    with pytest.raises(ImportError), device.row_stack_provided():
        assert np.row_stack is np.vstack
        raise ImportError
    assert not hasattr(np, "row_stack")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_records_and_views_have_whole_words_alike(game: Game) -> None:
    sizes, layout = Sizes.of(game), game.layout
    assert 0 <= 4 * sizes.state_words - layout.state.dtype.itemsize <= 4 and sizes.state_words % 2 == 1
    common = 4 * sizes.common_words
    assert np.array_equal(layout.target[layout.target < common], layout.source[0][layout.target < common])
    assert sizes.step_block * sizes.step_bytes <= 48 * 1024  # a block's tables fit into its shared memory
