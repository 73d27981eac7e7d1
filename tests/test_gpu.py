"""The GPU engine without a GPU: its kernels run a few games in numba-cuda's simulator, in a process of its own."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from tripot import GAMES
from tripot.bots.bot import MEMORY
from tripot.core import options
from tripot.lab import leduc
from tripot.lab.gpu import codegen
from tripot.lab.gpu.tables import (
    DESK,
    KEY_DONE,
    KEY_TO_DEAL,
    KEY_TO_GO_ON,
    EngineMissing,
    Sizes,
    bindings,
    names_of,
    number_tables,
    plain_numbers,
    require_gpu,
)
from tripot.lab.simulate import simulate

needs_numba_cuda = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="LOUD: numba-cuda is not installed")

SIMULATED = """
import json, sys
import numpy as np
from numba import cuda
from tripot import GAMES
from tripot.lab import playout
from tripot.lab.gpu import kernels
from tripot.lab.gpu import tables as gpu

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


IN_ORDER = """
import json, sys
import numpy as np
from numba import cuda
from tripot import GAMES
from tripot.bots.uniform import choose_uniform
from tripot.lab import playout
from tripot.lab.gpu import sorted_kernels as ordered
from tripot.lab.gpu import tables as gpu

game, seats, games, tables = GAMES[sys.argv[1]], *map(int, sys.argv[2:])

def nothing(*arguments):
    pass

def wipe_and_deal(s, options, seats, seed):
    game.layout.state.clear(s)
    game.deal(s, options, seats, seed)

def decide_uniformly(s, memory):
    seat, mask = playout.next_to_move(s), [0] * game.num_actions
    game.legal(s, seat, mask)
    action = choose_uniform(0, mask, memory)
    game.take(s, seat, action)
    return action

alone = {  # there are no warps here, and a record each: NumPy's narrow numbers would wrap
    "stage": nothing, "keep": nothing, "record_here": lambda words, table: words[table], "wipe_and_deal": wipe_and_deal,
    "decide_uniformly": decide_uniformly,
    "largest_group": lambda key: 0 if key == gpu.KEY_DONE else gpu.KEY_KINDS + gpu.KEY_DONE - key,
}
run = {
    name: cuda.jit(gpu.device_function(game, getattr(ordered, name), True, **alone))
    for name in ("count_keys", "start_keys", "place_tables", "advance")
}
states = [game.layout.state.plain() for _ in range(tables)]
desks = [gpu.DESK.plain() for _ in range(tables)]
keys = np.full(tables, gpu.KEY_TO_DEAL, np.uint8)
counts, starts, order = (np.zeros(size, np.int64) for size in (gpu.KEY_KINDS, gpu.KEY_KINDS, tables))
supply, tallies = np.zeros(1, np.int64), np.zeros((gpu.TALLY_ROWS, playout.WINS + max(game.seats)), np.int64)
busy = tables
while busy:
    counts[:] = np.bincount(keys, minlength=gpu.KEY_KINDS)  # the kernels that order are slow here, and tried below
    starts[:] = np.cumsum(counts)
    order[:] = np.argsort(keys)
    run["advance"][1, tables](
        states, desks, keys, order, starts, [game.options()], supply, tallies, seats, 7, games, 1 + games % 2 * 32
    )
    busy = starts[gpu.KEY_DONE - 1]
tally = tallies.sum(axis=0)
print(json.dumps([int(tally[0]), int(tally[1]), f"{int(tally[2]) & 0xFFFFFFFF:08x}"]))
"""


@needs_numba_cuda
@pytest.mark.parametrize(("name", "seats"), [(name, game.seats[-1]) for name, game in GAMES.items()])
@pytest.mark.parametrize("games", [4, 3], ids=["staying", "leaving"])
def test_tables_in_order_play_the_games_of_the_other_engines(name: str, seats: int, games: int) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-c", IN_ORDER, name, str(seats), str(games), "2"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    expected = simulate(GAMES[name], seats, games, 7, "python")
    assert json.loads(told.stdout) == [games, expected.decisions, expected.checksum]


STEPPED = """
import sys
import numpy as np
from numba import cuda
from tripot import GAMES
from tripot.lab import leduc
from tripot.lab.gpu import sorted_kernels as ordered
from tripot.lab.gpu import tables as gpu

game, seats, steps, *stays = {"leduc": leduc.GAME, **GAMES}[sys.argv[1]], *map(int, sys.argv[2:])
tables, seed = 3, 7

def nothing(*arguments):
    pass

def wipe_and_deal(s, options, seats, seed):
    game.layout.state.clear(s)
    game.deal(s, options, seats, seed)

alone = {
    "wipe_and_deal": wipe_and_deal, "record_here": lambda words, table: words[table],
    "largest_group": lambda key: 0 if key == gpu.KEY_DONE else gpu.KEY_KINDS + gpu.KEY_DONE - key,
}
alone |= dict.fromkeys(("stage", "keep", "ask_here", "show_rows"), nothing)
run = {
    name: cuda.jit(gpu.device_function(game, getattr(ordered, name), True, **alone))[1, tables]
    for name in ("take_ordered", "proceed_ordered", "deal_listed", "show_ordered")
}
states = [game.layout.state.plain() for _ in range(tables)]
keys, actions = np.zeros(tables, np.uint8), np.zeros(tables, np.int64)
overs, movers = np.ones(tables, np.int64), np.zeros(tables, np.int64)
starts, order = np.zeros(gpu.KEY_KINDS, np.int64), np.zeros(tables, np.int64)
results, listed = np.zeros((tables, max(game.seats)), np.int64), np.append(np.arange(tables), tables)
sizes = gpu.Sizes.of(game)
views, unused = np.zeros(tables * 4 * sizes.view_words, np.int64), np.zeros(1, np.int64)

def renew():
    order[:] = np.argsort(keys)
    starts[:] = np.cumsum(np.bincount(keys, minlength=gpu.KEY_KINDS))

def deal_and_show(seed):
    run["deal_listed"](states, listed, keys, [game.options()], seats, seed)
    renew()
    own_seat = game.layout.seat_at - 4 * sizes.common_words
    run["show_ordered"](states, order, listed, unused, views, unused, movers, unused, unused, own_seat)
    assert listed[tables] == 0
    assert list(views.reshape(tables, -1)[:, game.layout.seat_at]) == list(movers)

expected = [game.new_state(game.options(), seats, seed + table) for table in range(tables)]
ended = 0
deal_and_show(seed)
for turn in range(1, steps + 1):
    for table, s in enumerate(expected):
        assert s.pack() == states[table].pack() and s.waiting >> movers[table] & 1, (turn, table)
        allowed = game.legal_actions(s, movers[table])
        actions[table] = allowed[turn % len(allowed)]
    run["take_ordered"](states, order, keys, actions, movers, results, overs, listed, stays[0])
    for stay in stays[1:]:
        renew()
        run["proceed_ordered"](states, order, keys, starts, results, overs, listed, stay)
    assert all(key < gpu.KEY_TO_GO_ON or key == gpu.KEY_TO_DEAL for key in keys)
    for table, s in enumerate(expected):
        game.apply(s, int(movers[table]), int(actions[table]))
        assert overs[table] == s.over, (turn, table)
        if s.over:
            ended += 1
            assert list(results[table])[:seats] == list(s.result)[:seats]
            expected[table] = game.new_state(game.options(), seats, seed + turn * tables + table)
    deal_and_show(seed + turn * tables)
print(ended)
"""


@needs_numba_cuda
@pytest.mark.parametrize(
    ("name", "seats", "steps"), [("leduc", 2, 20), ("verrater", 4, 90), ("trok", 2, 200), ("trieste", 3, 200)]
)
@pytest.mark.parametrize("stays", [(1,), (2, 2, 1)], ids=["staying", "leaving"])
def test_tables_in_order_step_as_the_rules_say(name: str, seats: int, steps: int, stays: tuple[int, ...]) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-c", STEPPED, name, *map(str, (seats, steps, *stays))]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-2000:]
    assert int(told.stdout) > 0  # games came to their end


ORDERING = """
import numpy as np
from numba import cuda
from tripot.lab import leduc
from tripot.lab.gpu import sorted_kernels as ordered
from tripot.lab.gpu import tables as gpu

few = 16  # keys, and threads a block: the simulator is slow
run = {
    name: cuda.jit(gpu.device_function(leduc.GAME, getattr(ordered, name), True, KEY_KINDS=few))
    for name in ("count_keys", "start_keys", "place_tables")
}
keys = np.random.default_rng(3).choice(np.array([0, 2, 3, 9, 14, 15], np.uint8), 60)
counts, starts, order = (np.zeros(size, np.int64) for size in (few, few, len(keys)))
for _ in range(2):  # the second time with counts that the first has wiped
    run["count_keys"][2, few](keys, counts)
    run["start_keys"][1, few](counts, starts)
    run["place_tables"][4, few](keys, starts, order)
    assert sorted(order) == list(range(len(keys))), "every table is placed once"
    assert (np.diff(keys[order].astype(int)) >= 0).all(), "keys ascend"
    assert (starts == np.cumsum(np.bincount(keys, minlength=few))).all(), "starts have become ends"
"""


@needs_numba_cuda
def test_every_table_is_placed_once_and_keys_ascend() -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    told = subprocess.run(
        [sys.executable, "-c", ORDERING], env=environment, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr[-2000:]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_phases_leave_room_for_the_other_keys(game) -> None:
    (phase,) = (field for field in game.fields if field.name == "phase")
    assert phase.highest < KEY_TO_GO_ON and KEY_TO_DEAL < KEY_DONE


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_what_kernels_bind_hides_no_name_of_the_rules(game) -> None:
    """A bound name means the same everywhere, in the rules too: Trök has a decision DONE."""
    ours = set(bindings(game)) - set(plain_numbers(game)) - set(number_tables(game)) - set(game.functions)
    package = game.deal.__module__.rpartition(".")[0] + "."
    rules = {name for module in sys.modules if module.startswith(package) for name in vars(sys.modules[module])}
    assert not ours & rules


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_table_of_numbers_has_its_name_to_itself(game) -> None:
    tables = number_tables(game)
    assert tables
    for name, value in names_of(game):
        assert name not in tables or np.array_equal(value, tables[name]), name


def test_shared_memory_has_one_name() -> None:
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
    shared = codegen.share_once(code)
    assert shared.count('[0 x i32] addrspace(3)* @"tripot_shared"') == 2
    assert shared.count(codegen.ONE_SHARED) == 1 and shared.count("_cudapy_smem_") == 2


def test_a_function_kept_apart_learns_that_records_of_this_size_are_shared() -> None:
    head = 'define i32 @"rule"(i8** %".ret", [332 x i8]* %"s", [20 x i8]* %"memory")'
    code = [head + " noinline", "{", "entry:", '  %"a" = getelementptr [332 x i8], [332 x i8]* %"s", i32 0', "}"]
    *_, given, brace, entry, said, cast, used, end = codegen.say_shared("\n".join(code), {332}).split("\n")
    assert '%"s.anywhere", [20 x i8]* %"memory")' in given
    assert "cvta.to.shared" in said and cast.startswith('  %"s" = addrspacecast [332 x i8] addrspace(3)*')
    assert [brace, entry, used, end] == code[1:]
    for other in ("\n".join([head, *code[1:]]), "\n".join(code).replace("332", "333")):
        assert codegen.say_shared(other, {332}) == other


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_records_that_lie_elsewhere_are_of_another_size(game) -> None:
    elsewhere = {DESK.dtype.itemsize, MEMORY.dtype.itemsize, options.as_record(game.options()).dtype.itemsize}
    assert not elsewhere & {4 * Sizes.of(other).state_words for other in (leduc.GAME, *GAMES.values())}


COMPILED = """
import sys
import numpy as np
from numba import cuda, from_dtype, types
import numba.cuda.dispatcher as dispatcher
from numba.cuda import cuda_paths
from numba.cuda.cudadrv import nvrtc
from tripot import GAMES
from tripot.core import options
from tripot.lab import leduc
from tripot.lab.gpu import tables as gpu

class Hopper:
    compute_capability = (9, 0)

dispatcher.get_current_device = lambda: Hopper  # there is none here to ask …
nvrtc.get_supported_ccs = lambda: [Hopper.compute_capability]  # … nor another compiler, nor is one needed
cuda_paths._get_nvrtc_path = lambda: None
game, name = {"leduc": leduc.GAME, **GAMES}[sys.argv[1]], sys.argv[2]
rules = from_dtype(options.as_record(game.options()).dtype)

def line(kind, dimensions=1):
    return types.Array(kind, dimensions, "C")

i1, i2, i4, i8, u1 = types.int8, types.int16, types.int32, types.int64, types.uint8
desks = from_dtype(gpu.DESK.dtype)
shown = (line(i4), line(i1), line(i4), line(i1), line(i1), line(i2), line(i2), i8)
arguments = {
    "play_games_shared": (line(rules), i8, i8, i8, line(i8, 2), i8, i8),
    "step": (line(i4), line(i2), line(rules), i8, i8, line(i1, 2), line(i1), *shown),
    "reset": (line(i4), line(rules), i8, i8, *shown),
    "pick": (line(i4), line(i2), i8, i8),
    "count_keys": (line(u1), line(i4)),
    "start_keys": (line(i4), line(i4)),
    "place_tables": (line(u1), line(i4), line(i4)),
    "advance": (
        line(i4), line(desks), line(u1), line(i4), line(i4), line(rules), line(i8), line(i8, 2), i8, i8, i8, i8
    ),
    "take_ordered": (line(i4), line(i4), line(u1), line(i2), line(i1), line(i1, 2), line(i1), line(i4), i8),
    "proceed_ordered": (line(i4), line(i4), line(u1), line(i4), line(i1, 2), line(i1), line(i4), i8),
    "deal_listed": (line(i4), line(i4), line(u1), line(rules), i8, i8),
    "show_ordered": (line(i4), line(i4), line(i4), *shown[:3], *shown[4:]),
}[name]
code, _ = cuda.compile_ptx(gpu.device_function(game, gpu.find_kernel(name)), types.void(*arguments), cc=(9, 0))
print(code.count(".entry"))
"""
KERNELS = ("play_games_shared", "step", "reset", "pick", "count_keys", "start_keys", "place_tables")
IN_PASSES = ("advance", "take_ordered", "proceed_ordered", "deal_listed", "show_ordered")
TO_COMPILE = [("leduc", name) for name in KERNELS + IN_PASSES]
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
    assert sizes.step_block * sizes.step_bytes <= 48 * 1024  # a block's tables fit into its shared memory
