"""What the open names of the kernels stand for: the rules of a game, its tables of numbers, record types and sizes."""

from __future__ import annotations

import sys
from collections import namedtuple
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from tripot.bots.memory import BOT_MEMORY
from tripot.bots.uniform import choose_uniform
from tripot.core import rng
from tripot.core.game import STEP_KINDS, Game
from tripot.core.layout import HIDDEN, U32, Field, RecordLayout
from tripot.lab import playout
from tripot.lab.gpu.device import SHARED_BYTES, WARP

MAX_STEP_BLOCK = 256  # tables that a block steps; more were not faster on an H200
COMPACT_BYTES = 64  # shared counters for compacting the tables of a block
RECORDS_IN_FLIGHT = 4  # records that a warp loads before it stores them
TALLY_ROWS = 1024  # a power of two: finished games are added to many rows, so that few threads add to the same one

# The key of a table is a byte: the phase in which a seat must decide, or one of these.
KEY_KINDS = 256
KEY_SETTLE = 32  # plus the kind of step: the rules continue by themselves
KEY_DEAL, KEY_DONE = KEY_SETTLE + STEP_KINDS, 255  # a game must begin; nothing is left

PLAYER = RecordLayout(
    [
        *rng.FIELDS,
        Field("checksum", U32, (), HIDDEN, rng.WORD, "a hash of the game's decisions so far"),
        Field("decisions", U32, (), HIDDEN, rng.WORD, "how many there were"),
    ]
)  # what a table needs besides its record in whole games


@dataclass(frozen=True)
class Sizes:
    """Sizes of a game that kernels must know at compile time."""

    state_words: int  # odd, so that one field of 32 neighbouring records lies in 32 different banks of shared memory
    mask_words: int
    view_words: int
    common_words: int  # words of a view that lie alike in the state
    own_bytes: int  # the rest of a view: what only its seat sees

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
        """The most words of a record that one lane of a warp copies."""
        return -(-self.state_words // WARP)

    @property
    def step_bytes(self) -> int:
        """Shared memory that one table takes during a step: its record, and its place among the compacted tables."""
        return 4 * (self.state_words + 1)

    @property
    def step_block(self) -> int:
        """How many tables a block steps: as many whole warps as fit, up to MAX_STEP_BLOCK."""
        fitting = (SHARED_BYTES - COMPACT_BYTES) // self.step_bytes // WARP * WARP
        return max(WARP, min(MAX_STEP_BLOCK, fitting))

    @property
    def game_bytes(self) -> int:
        """Shared memory that one table takes in whole games and in sorted steps: its record and its mask."""
        return 4 * (self.state_words + self.mask_words)


def bindings(game: Game, simulated: bool = False) -> dict[str, Any]:
    """Returns the meaning of every open name of the kernels."""
    from numba import from_dtype, int8, int32, int64

    sizes = Sizes.of(game)
    types: dict[str, Any] = {
        "STATE": from_dtype(padded(game.layout.state, sizes.state_words)),
        "VIEW": from_dtype(padded(game.layout.view, sizes.state_words)),
        "RNG_STATE": from_dtype(BOT_MEMORY.dtype),
    }
    numbers: dict[str, Any] = {"BYTE": int8, "WORD32": int32, "COUNT": int64}
    if simulated:
        types["RNG_STATE"] = widened(BOT_MEMORY)
        numbers = dict.fromkeys(numbers, np.dtype(np.int64))
    return {
        "KEY_KINDS": KEY_KINDS,
        "KEY_SETTLE": KEY_SETTLE,
        "KEY_DEAL": KEY_DEAL,
        "KEY_DONE": KEY_DONE,
        "TALLY_ROWS": TALLY_ROWS,
        **enum_tuples(game),
        **number_arrays(game),
        **game.functions,
        **types,
        **numbers,
        "ACTIONS": game.num_actions,
        "TALLY": playout.WINS + max(game.seats),
        "STATE_WORDS": sizes.state_words,
        "LANE_WORDS": sizes.lane_words,
        "RECORDS_IN_FLIGHT": RECORDS_IN_FLIGHT,
        "HELD_WORDS": RECORDS_IN_FLIGHT * sizes.lane_words,
        "MASK_WORDS": sizes.mask_words,
        "VIEW_WORDS": sizes.view_words,
        "COMMON_WORDS": sizes.common_words,
        "OWN_WORDS": sizes.view_words - sizes.common_words,
        "OWN_BYTES": sizes.own_bytes,
        "heuristic": game.heuristic or choose_uniform,
    }


def padded(form: RecordLayout, words: int) -> np.dtype[Any]:
    """Returns the record type of the form, padded to `words` words."""
    fields = form.dtype.fields
    assert fields is not None
    names, kinds = list(fields), [kind for kind, *_ in fields.values()]
    offsets = [place[0] for _, *place in fields.values()]
    described: Any = {"names": names, "formats": kinds, "offsets": offsets, "itemsize": 4 * words}
    return np.dtype((np.record, np.dtype(described, align=True)))


def widened(form: RecordLayout) -> np.dtype[Any]:
    """Returns the record type of the form with 64-bit numbers, for the simulator: NumPy's narrow numbers would wrap."""
    return np.dtype((np.record, np.dtype([(f.name, "i8", f.shape) for f in form.fields])))


# --- Names of the rules that numba-cuda handles badly ---


def names_of(game: Game) -> list[tuple[str, Any]]:
    """Returns every name of the game's modules with its value."""
    package = game.deal.__module__.rpartition(".")[0]
    modules = [module for name, module in sys.modules.items() if name.startswith(package + ".")]
    return [named for module in modules for named in vars(module).items()]


def enum_tuples(game: Game) -> dict[str, Any]:
    """Returns the game's enumerations as named tuples: numba-cuda takes no enumeration member as an index."""
    found = {v for _, v in names_of(game) if isinstance(v, type) and issubclass(v, IntEnum)}
    return {kind.__name__: enum_tuple(kind) for kind in found if len(kind) > 0}


def enum_tuple(kind: type[IntEnum]) -> Any:
    """
    >>> enum_tuple(IntEnum("Suit", ["SPADES", "HEARTS"]))
    Suit(SPADES=1, HEARTS=2)
    """
    names: Any = namedtuple(kind.__name__, list(kind.__members__))  # type: ignore[misc]  # named at run time
    return names(*map(int, kind.__members__.values()))


def number_arrays(game: Game) -> dict[str, Any]:
    """Returns the game's tuples of numbers as arrays: numba-cuda indexes a tuple by branches, one for each element."""
    return {name: np.array(value) for name, value in names_of(game) if is_number_tuple(value)}


def is_number_tuple(value: Any) -> bool:
    """Whether a value is an array in the form of tuples: rows of unequal length are not.

    >>> is_number_tuple((1, 2)), is_number_tuple(((1, 2), (3, 4))), is_number_tuple((1, "two")), is_number_tuple(())
    (True, True, False, False)
    >>> is_number_tuple(((1, 2), (3,)))
    False
    """
    if not isinstance(value, tuple) or not value:
        return False
    if all(type(number) is int for number in value):
        return True
    return all(map(is_number_tuple, value)) and len({np.shape(row) for row in value}) == 1
