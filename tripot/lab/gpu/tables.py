"""Games on a GPU: the rule modules through numba-cuda, one thread a table (extra `gpu`)."""

from __future__ import annotations

import sys
import warnings
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.bot import MEMORY
from tripot.core import jit, options, rng
from tripot.core.game import ERRANDS, Game, signed
from tripot.core.layout import HIDDEN, U32, Field, Form
from tripot.lab import playout
from tripot.lab.gpu import codegen

NEEDS = "the gpu engine needs an NVIDIA GPU with its driver and the extra 'gpu' (numba-cuda)"
SHARED_BYTES = 48 * 1024  # what a block may take without asking
MULTIPROCESSOR_BYTES = 220 * 1024
WARP = 32
MOST_STEPPED = 256  # tables of a block
RECORDS_AT_ONCE = 4  # that a warp has on their way as it brings tables in order into shared memory
COUNTER_BYTES = 64  # for gathering a block's tables
# Of a warp's 32 tables, how many let the others wait until they can do together what follows from their decisions, and
# how many for a new deal.
TOGETHER = (31, 31)
# Games whose rules are so long that tables are put in order before every pass (`sorted_kernels`); the others are faster
# with one kernel. All these numbers are those that were fastest on an H200.
IN_ORDER = frozenset({"verrater", "trok", "trieste"})
TABLES_IN_ORDER = 1 << 20  # at most, in whole games
STAY = 16  # of a warp's 32 tables, how many must have the same to do for them to go on without a new order …
STAY_IN_STEPS = 6  # … and in the vector environment
PASSES = {"trieste": 2}  # in a step, between the decision and the pass that goes on until nothing more follows; or 0
STRAGGLERS = 32  # of how many tables one is left when those that are play to the end without a new order
ROUNDS = 32  # passes between two looks at how many tables are left
COUNTING_BLOCKS = 512
KEY_KINDS = 256  # what a table may have to do next, a byte: to decide in this phase, or …
KEY_TO_GO_ON = 32  # … to go on with the rules (this and the errand), or …
KEY_TO_DEAL, KEY_DONE = KEY_TO_GO_ON + ERRANDS, 255  # … to begin a game, or nothing more
TALLY_ROWS = 1024  # a power of two: how many sums of games there are, so that few add to the same at a time
DESK = Form(
    [
        *rng.FIELDS,
        Field("course", U32, (), HIDDEN, rng.WORD, "a hash of the game's decisions so far"),
        Field("decisions", U32, (), HIDDEN, rng.WORD, "how many there were"),
    ]
)  # what a table has beside its record in whole games


class EngineMissing(RuntimeError):
    """This machine cannot run the engine asked for; the message says what is missing."""


def require_gpu() -> Any:
    """The numba-cuda module, or EngineMissing saying what is not there."""
    if np.lib.NumpyVersion(np.__version__) >= "2.5.0" and not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda 0.30 still asks for it
    try:
        cuda: Any = import_module("numba.cuda")
    except ImportError as error:
        raise EngineMissing(f"{NEEDS}: {error}") from None
    if not hasattr(cuda, "__version__") and not _is_numba_cuda(cuda):
        raise EngineMissing(f"{NEEDS}: numba-cuda is not installed")
    try:
        found = cuda.is_available()
    except Exception as error:  # the driver's own errors have no common base
        raise EngineMissing(f"{NEEDS}: {error}") from None
    if not found:
        raise EngineMissing(f"{NEEDS}: no usable GPU was found")
    return cuda


def _is_numba_cuda(cuda: Any) -> bool:
    return "numba_cuda" in (getattr(cuda, "__file__", "") or "") or "simulator" in (getattr(cuda, "__name__", "") or "")


@dataclass(frozen=True)
class Sizes:
    """What kernels must know of a game when they are compiled."""

    state_words: int  # an odd number: so the same field of 32 neighbours lies in 32 different banks of shared memory
    mask_words: int
    view_words: int
    common_words: int  # words of a view that lie alike in the state
    tail_bytes: int  # the rest of a view: what only its seat sees

    @staticmethod
    def of(game: Game) -> Sizes:
        layout = game.layout
        common = (int(layout.target[layout.shown - 1]) + 1) // 4
        return Sizes(
            layout.state.dtype.itemsize // 4 | 1,
            (game.num_actions + 3) // 4,
            (layout.view.dtype.itemsize + 3) // 4,
            common,
            int((layout.target >= 4 * common).sum()),
        )

    @property
    def lane_words(self) -> int:
        """The most words of a record that fall to one lane of a warp."""
        return -(-self.state_words // WARP)

    @property
    def step_bytes(self) -> int:
        """Shared memory that one table takes during a step: record, and place in the order."""
        return 4 * (self.state_words + 1)

    @property
    def step_block(self) -> int:
        """How many tables a block steps: whole warps, as many as fit, and no more than was found to be of use."""
        fitting = (SHARED_BYTES - COUNTER_BYTES) // self.step_bytes // WARP * WARP
        return max(WARP, min(MOST_STEPPED, fitting))

    @property
    def game_bytes(self) -> int:
        """Shared memory that one table takes in whole games: record and mask."""
        return 4 * (self.state_words + self.mask_words)


def spaced(form: Form, words: int) -> np.dtype[Any]:
    """The form with room behind it, so that a record takes a number of words."""
    fields = form.dtype.fields
    assert fields is not None
    names, kinds = list(fields), [kind for kind, *_ in fields.values()]
    places = [place[0] for _, *place in fields.values()]
    described: Any = {"names": names, "formats": kinds, "offsets": places, "itemsize": 4 * words}
    return np.dtype((np.record, np.dtype(described, align=True)))


def wide(form: Form) -> np.dtype[Any]:
    """The form with every number 64 bits wide, for numba-cuda's simulator: NumPy's narrow numbers would wrap."""
    return np.dtype((np.record, np.dtype([(f.name, "i8", f.shape) for f in form.fields])))


def plain_numbers(game: Game) -> dict[str, Any]:
    """The game's enumerations as named tuples of numbers: numba-cuda takes no member of one as an index."""
    found = {v for _, v in names_of(game) if isinstance(v, type) and issubclass(v, IntEnum)}
    return {kind.__name__: named_numbers(kind) for kind in found if len(kind) > 0}


def names_of(game: Game) -> list[tuple[str, Any]]:
    """All that the game's modules name, and the names."""
    package = game.deal.__module__.rpartition(".")[0]
    modules = [module for name, module in sys.modules.items() if name.startswith(package + ".")]
    return [named for module in modules for named in vars(module).items()]


def number_tables(game: Game) -> dict[str, Any]:
    """The game's tuples of numbers as arrays: in a tuple numba-cuda finds a number by branches, one for each."""
    return {name: np.array(value) for name, value in names_of(game) if is_table(value)}


def is_table(value: Any) -> bool:
    """
    >>> is_table((1, 2)), is_table(((1, 2), (3, 4))), is_table((1, "two")), is_table(())
    (True, True, False, False)
    """
    if not isinstance(value, tuple) or not value:
        return False
    return all(type(number) is int for number in value) or all(map(is_table, value))


def named_numbers(kind: type[IntEnum]) -> Any:
    """
    >>> named_numbers(IntEnum("Suit", ["SPADES", "HEARTS"]))
    Suit(SPADES=1, HEARTS=2)
    """
    names: Any = namedtuple(kind.__name__, list(kind.__members__))  # type: ignore[misc]  # named at run time
    return names(*map(int, kind.__members__.values()))


def bindings(game: Game, simulated: bool = False) -> dict[str, Any]:
    """Rules, types and sizes for the open names of `lab.gpu.kernels`."""
    from numba import from_dtype, int8, int32, int64

    sizes = Sizes.of(game)
    types: dict[str, Any] = {
        "STATE": from_dtype(spaced(game.layout.state, sizes.state_words)),
        "MEMORY": from_dtype(MEMORY.dtype),
    }
    numbers: dict[str, Any] = {"BYTE": int8, "WORD32": int32, "COUNT": int64}
    if simulated:
        types["MEMORY"] = wide(MEMORY)
        numbers = {"BYTE": np.int64, "WORD32": np.int64, "COUNT": np.int64}
    return {
        "KEY_KINDS": KEY_KINDS,
        "KEY_TO_GO_ON": KEY_TO_GO_ON,
        "KEY_TO_DEAL": KEY_TO_DEAL,
        "KEY_DONE": KEY_DONE,
        "TALLY_ROWS": TALLY_ROWS,
        **plain_numbers(game),
        **number_tables(game),
        **game.functions,
        **types,
        **numbers,
        "ACTIONS": game.num_actions,
        "TALLY": playout.WINS + max(game.seats),
        "STATE_WORDS": sizes.state_words,
        "LANE_WORDS": sizes.lane_words,
        "RECORDS_AT_ONCE": RECORDS_AT_ONCE,
        "HELD_WORDS": RECORDS_AT_ONCE * sizes.lane_words,
        "MASK_WORDS": sizes.mask_words,
        "VIEW_WORDS": sizes.view_words,
        "COMMON_WORDS": sizes.common_words,
        "TAIL_BYTES": sizes.tail_bytes,
    }


def device_function(game: Game, kernel: Callable[..., Any], simulated: bool = False, **bound: Any) -> FunctionType:
    """A kernel as a plain function whose calls lead to device code; compiled by numba-cuda at its first launch.

    `bound` gives further open names of the kernel's module their meaning.
    """
    done: dict[Any, Any] = {}
    inner = import_module("numba.cuda").jit(device=True)

    def wrap(function: FunctionType) -> Any:
        if function.__name__ == kernel.__name__:
            return function
        return inner(function) if simulated else codegen.one_width(inner(function))

    built: FunctionType = jit.rebuild(kernel, wrap, {**bindings(game, simulated), **bound}, done)
    if not simulated:
        codegen.install(codegen.large(f for f in done if f is not kernel), 4 * Sizes.of(game).state_words)
    return built


_KERNELS: dict[tuple[str, str], Any] = {}


def find_kernel(name: str) -> Callable[..., Any]:
    """The kernel of this name as it is written."""
    from tripot.lab.gpu import kernels, sorted_kernels

    found: Callable[..., Any] = getattr(kernels if hasattr(kernels, name) else sorted_kernels, name)
    return found


def kernel_of(game: Game, name: str) -> Any:
    """A kernel ready to launch."""
    cuda = require_gpu()
    if (game.name, name) not in _KERNELS:
        _KERNELS[game.name, name] = cuda.jit(device_function(game, find_kernel(name)))
    return _KERNELS[game.name, name]


def launcher(game: Game, name: str, blocks: int, block: int, shared: int = 0) -> Any:
    """The kernel with its shape, ready to be called; that few blocks leave a GPU idle we know."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kernel_of(game, name)[blocks, block, 0, shared]


def play_gpu(
    game: Game,
    house_rules: Any,
    seats: int,
    seed: int,
    games: int,
    blocks: int = 0,
    block: int = 0,
    together: tuple[int, int] = TOGETHER,
    ordered: bool | None = None,
) -> NDArray[np.int64]:
    """The tally of `games` games of uniform players from `seed` on, played on the GPU.

    `ordered` says whether tables are put in order before every pass; the games are the same. None: what suits the game.
    """
    if game.name in IN_ORDER if ordered is None else ordered:
        return play_ordered(game, house_rules, seats, seed, games, block=block)
    cuda = require_gpu()
    sizes = Sizes.of(game)
    size = sizes.game_bytes
    block = block or max(32, min(128, SHARED_BYTES // size // 32 * 32))
    if not blocks:
        resident = max(1, MULTIPROCESSOR_BYTES // (block * size + 1024))
        blocks = resident * cuda.get_current_device().MULTIPROCESSOR_COUNT
    tallies = cuda.device_array((blocks * block, playout.WINS + max(game.seats)), np.int64)
    chosen = cuda.to_device(options.as_record(house_rules))
    run = launcher(game, "play_games_shared", blocks, block, block * size)
    run(chosen, seats, signed(seed), games, tallies, *together)
    return summed(tallies)


def summed(tallies: Any) -> NDArray[np.int64]:
    """One tally of many that lie on the device."""
    tally: NDArray[np.int64] = tallies.copy_to_host().sum(axis=0)
    tally[playout.CHECKSUM] &= 0xFFFFFFFF
    return tally


def play_ordered(
    game: Game,
    house_rules: Any,
    seats: int,
    seed: int,
    games: int,
    tables: int = TABLES_IN_ORDER,
    block: int = 0,
    stay: int = STAY,
) -> NDArray[np.int64]:
    """`play_gpu` with the tables put in order before every pass."""
    cuda = require_gpu()
    sizes, tables, block = Sizes.of(game), max(1, min(games, tables)), block or WARP
    words = cuda.device_array(tables * sizes.state_words, np.int32)
    desks = cuda.device_array(tables, DESK.dtype)
    order = Order(cuda, game, np.full(tables, KEY_TO_DEAL, np.uint8))
    tallies = cuda.to_device(np.zeros((TALLY_ROWS, playout.WINS + max(game.seats)), np.int64))
    supply = cuda.to_device(np.zeros(1, np.int64))
    chosen = cuda.to_device(options.as_record(house_rules))
    tables_and_order = (words, desks, order.keys, order.tables, order.starts, chosen, supply, tallies)
    left = tables
    while left > 0:
        advance = launcher(game, "advance", -(-left // block), block, block * sizes.game_bytes)
        for _ in range(ROUNDS):
            order.renew()
            advance(*tables_and_order, seats, signed(seed), games, stay if left * STRAGGLERS > tables else 1)
        left = order.count_busy()
    return summed(tallies)


class Order:
    """Tables in the order of their keys: of what each of them has to do next."""

    def __init__(self, cuda: Any, game: Game, keys: NDArray[np.uint8]) -> None:
        self.keys = cuda.to_device(keys)
        self.counts = cuda.to_device(np.zeros(KEY_KINDS, np.int32))
        self.starts = cuda.to_device(np.zeros(KEY_KINDS, np.int32))  # once in order: where the tables of each key end
        self.tables = cuda.to_device(np.zeros(len(keys), np.int32))
        blocks = -(-len(keys) // KEY_KINDS)
        self.count = launcher(game, "count_keys", min(blocks, COUNTING_BLOCKS), KEY_KINDS)
        self.start = launcher(game, "start_keys", 1, KEY_KINDS)
        self.place = launcher(game, "place_tables", blocks, KEY_KINDS)

    def renew(self) -> None:
        """Put the tables in order by the present keys."""
        self.count(self.keys, self.counts)
        self.start(self.counts, self.starts)
        self.place(self.keys, self.starts, self.tables)

    def count_busy(self) -> int:
        """How many tables had something to do when they were last put in order."""
        return int(self.starts.copy_to_host()[KEY_DONE - 1])


class VectorTables:
    """Many tables of one game on the GPU, stepped together; every array stays on the device.

    `views`, `masks`, `movers`, `results` and `overs` are numba-cuda arrays: PyTorch and JAX read them without a copy
    through `__cuda_array_interface__` or DLPack. A view's bytes are those of the game's view record.
    """

    def __init__(
        self,
        game: Game,
        tables: int,
        seats: int,
        house_rules: Any = None,
        seed: int = 0,
        block: int = 0,
        ordered: bool | None = None,
        stay: int = STAY_IN_STEPS,
        passes: int | None = None,
    ) -> None:
        self.cuda = require_gpu()
        self.game, self.tables, self.seats, self.seed = game, tables, seats, seed
        self.sizes = Sizes.of(game)
        layout, to = game.layout, self.cuda.to_device
        ordered = game.name in IN_ORDER if ordered is None else ordered
        self.block = block or (WARP if ordered else self.sizes.step_block)
        self.blocks = -(-tables // self.block)
        self.room = room = self.blocks * self.block  # whole blocks, so that nobody need ask where the tables end
        self.words = to(np.zeros(room * self.sizes.state_words, np.int32))
        self.view_words = to(np.zeros(room * self.sizes.view_words, np.int32))
        self.mask_words = to(np.zeros(room * self.sizes.mask_words, np.int32))
        self.movers = to(np.zeros(tables, np.int8))
        self.overs = to(np.zeros(tables, np.int8))
        self.results = to(np.zeros((tables, max(game.seats)), np.int8))
        self.actions = to(np.zeros(tables, np.int16))
        self.options = to(options.as_record(house_rules if house_rules is not None else game.options()))
        tail = layout.target >= 4 * self.sizes.common_words
        places = (layout.source[:, tail].ravel(), layout.target[tail] - 4 * self.sizes.common_words)
        self.tail = tuple(to(place.astype(np.int16)) for place in places)
        views = (self.view_words, self.view_words.view(np.int8), self.mask_words, self.mask_words.view(np.int8))
        self.shown = (*views, self.movers, *self.tail, layout.seat_at - 4 * self.sizes.common_words)
        self.order = Order(self.cuda, game, np.zeros(tables, np.uint8)) if ordered else None
        self.listed = to(np.zeros(tables + 1, np.int32))  # where games ended, and behind it how many
        passes = PASSES.get(game.name, 0) if passes is None else passes
        self.stays = (*[stay] * (1 + passes), 1)  # of a step's passes: the last leaves nothing undone
        self.launchers: dict[str, Any] = {}
        self.turn = 0

    def _launch(self, kernel: str, *arguments: Any) -> None:
        if kernel not in self.launchers:
            each = self.sizes.step_bytes if self.order is None else self.sizes.game_bytes
            shared = self.block * each + COUNTER_BYTES
            self.launchers[kernel] = launcher(self.game, kernel, self.blocks, self.block, shared)
        self.launchers[kernel](*arguments)

    def reset(self) -> None:
        """Deal every table anew."""
        if self.order is None:
            self._launch("reset", self.words, self.options, self.seats, signed(self.seed), *self.shown)
            return
        self.listed.copy_to_device(np.append(np.arange(self.tables, dtype=np.int32), np.int32(self.tables)))
        self._deal_and_show(self.order, self.seed)

    def step(self, actions: Any = None) -> None:
        """One decision at every table; tables whose game is over are dealt anew, with `overs` and `results` set."""
        self.turn += 1
        following = self.seed + self.turn * self.tables
        chosen = self.actions if actions is None else actions
        paid = (self.results, self.overs)
        if self.order is None:
            self._launch("step", self.words, chosen, self.options, self.seats, signed(following), *paid, *self.shown)
            return
        placed = (self.words, self.order.tables, self.order.keys)
        self._launch("take_ordered", *placed, chosen, self.movers, *paid, self.listed, self.stays[0])
        for stay in self.stays[1:]:
            self.order.renew()
            self._launch("proceed_ordered", *placed, self.order.starts, *paid, self.listed, stay)
        self._deal_and_show(self.order, following)

    def _deal_and_show(self, order: Order, seed: int) -> None:
        """New games at the listed tables, and what the movers see at all of them."""
        self._launch("deal_listed", self.words, self.listed, order.keys, self.options, self.seats, signed(seed))
        order.renew()
        views, view_bytes, masks, _, *others = self.shown
        self._launch("show_ordered", self.words, order.tables, self.listed, views, view_bytes, masks, *others)

    def pick(self) -> None:
        """Uniform legal decisions into `actions`."""
        if "pick" not in self.launchers:
            self.launchers["pick"] = launcher(self.game, "pick", -(-self.tables // 256), 256)
        self.launchers["pick"](self.mask_words, self.actions, signed(self.seed), self.turn)

    @property
    def masks(self) -> Any:
        """By table, a byte for each decision: 1 where the mover may take it. Rows are filled up to whole words."""
        return self.mask_words.view(np.int8).reshape(self.room, 4 * self.sizes.mask_words)[: self.tables]

    @property
    def views(self) -> Any:
        """By table, the bytes of the mover's view: the record `game.layout.view.dtype`, filled up to whole words."""
        return self.view_words.view(np.int8).reshape(self.room, 4 * self.sizes.view_words)[: self.tables]

    @property
    def bytes_a_step(self) -> int:
        """What one table's step must move at the least: the record in and out, view, mask and small change."""
        return 4 * (2 * self.sizes.state_words + self.sizes.view_words + self.sizes.mask_words) + 6
