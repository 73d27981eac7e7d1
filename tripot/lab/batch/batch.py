"""Thousands of tables of one game in one array, stepped together by native code on all cores.

    batch = Batch(GAMES["verrater"], tables=4096, observations=np.float32)
    now = batch.reset()
    while learning:
        now = batch.step(choose(now.observations, now.masks))

Actions go in and NumPy arrays come out; see `docs/lab.md`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tripot.bots.memory import BOT_MEMORY
from tripot.core import jit, options
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch import loops
from tripot.lab.batch.encoding import Encoding
from tripot.lab.batch.threads import ThreadPool

NO_ACTIONS = np.zeros(1, np.int64)  # dealing reads none


class IllegalAction(ValueError):
    """An action that is illegal at its table; the message says which would be legal."""


class BadBatch(ValueError):
    """Tables or arrays that a batch cannot have; the message says what is needed."""


@dataclass(frozen=True)
class Arrays:
    """What `reset` and `step` write, one row per table. Arrays for several steps have the step as first index."""

    masks: NDArray[np.bool_]  # [tables, actions]: the legal actions of the seat to move
    movers: NDArray[np.int8]  # [tables]: the seat to move
    rewards: NDArray[np.float32]  # [tables, seats]: shares of the victory at the step that ends a game, else 0
    done: NDArray[np.bool_]  # [tables]: the step ended the game
    observations: NDArray[Any] | None  # what the seat to move sees

    def __getitem__(self, step: int) -> Arrays:
        """Returns the arrays of one step, for `reset` or `step` to write into."""
        seen = None if self.observations is None else self.observations[step]
        return Arrays(self.masks[step], self.movers[step], self.rewards[step], self.done[step], seen)


class Batch:
    """Tables of one game. What happens at a table depends on its seed and its actions alone, not on threads.

    With `again`, a table whose game is over is dealt the next one at once, from its last seed plus the number of
    tables. Without it the table stays over: its mask is empty and its action is ignored.
    """

    def __init__(
        self,
        game: Game,
        tables: int,
        seats: int | None = None,
        house_rules: Any = None,
        seeds: int | ArrayLike = 0,
        observations: DTypeLike | None = None,
        again: bool = True,
        threads: int | None = None,
    ) -> None:
        self.game, self.tables = game, tables
        self.seats = game.usual_seats if seats is None else seats
        self.house_rules = game.options() if house_rules is None else house_rules
        check_tables(game, tables, self.seats, self.house_rules)
        if threads is not None and threads < 1:
            raise BadBatch(f"a batch needs at least 1 thread, not {threads}")
        self._pool = ThreadPool(threads)
        self.states = game.layout.states(tables)  # with everything that is hidden
        self._raw = self.states.view(np.uint8).reshape(tables, -1)
        self._options = options.as_record(self.house_rules)
        self._mode = loops.STEP_AND_DEAL if again else loops.STEP
        self._seeds = np.zeros(tables, np.int64)
        self._rngs = np.zeros(tables, BOT_MEMORY.dtype)
        self._masks = np.zeros((tables, game.num_actions), np.int8)
        self._movers, self._done = np.zeros(tables, np.int8), np.zeros(tables, np.int8)
        self._results = np.zeros((tables, self.seats), np.int8)
        self._advance = native_advance(game)
        self._encoding = Encoding(game.layout)
        own = self.arrays(observations=observations)
        self._rewards, self._observations = own.rewards, own.observations
        self.now = self._read_only(own)
        self._first = self._seeds_of(seeds)
        self.reset()

    # --- Properties and arrays ---

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seeds of the games being played; `simulate` plays the same game from a seed."""
        return read_only(self._seeds.view(np.uint64))

    @property
    def columns(self) -> list[str]:
        """The meaning of each column of float32 observations."""
        return self.game.layout.encoding

    @property
    def numbers(self) -> list[str]:
        """The name of each column of int16 observations."""
        return list(self.game.layout.view.elements())

    def arrays(self, steps: int | None = None, observations: DTypeLike | None = None) -> Arrays:
        """Returns arrays for `reset` and `step` to write into; with `steps`, write step t into `arrays[t]`."""
        front = (self.tables,) if steps is None else (steps, self.tables)
        seen = None
        if observations is not None:
            width = self._width(np.dtype(observations))
            seen = np.zeros((*front, width) if width else front, observations)
        return Arrays(
            np.zeros((*front, self.game.num_actions), np.bool_),
            np.zeros(front, np.int8),
            np.zeros((*front, self.seats), np.float32),
            np.zeros(front, np.bool_),
            seen,
        )

    # --- Games ---

    def reset(self, seeds: int | ArrayLike | None = None, out: Arrays | None = None) -> Arrays:
        """Deals every table: from `seeds`, one per table or the first of consecutive ones, or from the last given."""
        if seeds is not None:
            self._first = self._seeds_of(seeds)
        self._seeds[:] = self._first
        return self._run(loops.DEAL, NO_ACTIONS, out)

    def step(self, actions: ArrayLike, out: Arrays | None = None) -> Arrays:
        """Takes one decision at every table, for the seat in `movers`; returns `out`, or `now` if there is none.

        int64 actions are not copied. Raises IllegalAction, with no table stepped, if a mask does not allow an action.
        """
        chosen = self._actions(actions)
        for illegal in self._pool.map_tables(
            self.tables, jit.native(loops.find_illegal), chosen, self._masks, self._done, self._mode
        ):
            if illegal != loops.ALL_LEGAL:
                raise self._illegal_action(illegal, int(chosen[illegal]))
        return self._run(self._mode, chosen, out)

    def pick(self, actions: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Chooses uniform legal actions, the ones that `simulate` plays; writes into `actions` if given."""
        if actions is None:
            actions = np.zeros(self.tables, np.int64)
        self._require("actions", actions, (self.tables,), np.int64)
        self._pool.map_tables(self.tables, jit.native(loops.pick), self._masks, self._rngs, actions)
        return actions

    def observe(self, out: NDArray[Any]) -> NDArray[Any]:
        """Writes what the seats to move see into `out`, whose type says how.

        float32: `Layout.encode`, from 0 to 1. int16: every number as it is. The game's view record: its bytes.
        """
        code = self._encoding
        width = self._width(out.dtype)
        self._require("observations", out, (self.tables, width) if width else (self.tables,), out.dtype)
        if out.dtype == np.float32:
            self._pool.map_tables(
                self.tables, jit.native(loops.encode_views), self._raw, self._movers, *code.tables, out
            )
        elif out.dtype == np.int16:
            self._pool.map_tables(self.tables, jit.native(loops.list_views), self._raw, self._movers, code.numbers, out)
        else:
            seen = out.view(np.uint8).reshape(self.tables, -1)
            self._pool.map_tables(
                self.tables, jit.native(loops.copy_views), self._raw, self._movers, *code.view_places, seen
            )
        return out

    # --- Internals ---

    def _run(self, mode: int, actions: NDArray[np.int64], out: Arrays | None) -> Arrays:
        if out is not None:
            self._check_out(out)
        game = (self.states, self._raw, self._options, self.seats, self._seeds, self.tables, self._rngs)
        written = (self._masks, self._movers, self._done, self._results)
        self._pool.map_tables(self.tables, self._advance, mode, *game, actions, *written)
        np.divide(self._results, WHOLE_WIN, out=self._rewards, dtype=np.float32)
        if out is None:
            if self._observations is not None:
                self.observe(self._observations)
            return self.now
        np.copyto(out.masks, self._masks.view(np.bool_))
        np.copyto(out.movers, self._movers)
        np.copyto(out.rewards, self._rewards)
        np.copyto(out.done, self._done.view(np.bool_))
        if out.observations is not None:
            self.observe(out.observations)
        return out

    def _seeds_of(self, seeds: int | ArrayLike) -> NDArray[np.int64]:
        """Returns one seed per table, as native code holds it."""
        if isinstance(seeds, int):
            if not 0 <= seeds < 1 << 64:
                raise BadBatch(f"seed {seeds} is not from 0 to 2^64 - 1")
            return (np.uint64(seeds) + np.arange(self.tables, dtype=np.uint64)).view(np.int64)
        given = np.asarray(seeds)
        if isinstance(seeds, list) and all(isinstance(seed, int) and 0 <= seed < 1 << 64 for seed in seeds):
            given = np.array(seeds, np.uint64)  # by default NumPy turns 2^63 and more into floats
        if given.shape != (self.tables,) or given.dtype.kind not in "iu":
            raise BadBatch(f"seeds: {describe(given)}; needed are {self.tables} integers")
        return given.astype(np.uint64).view(np.int64)

    def _actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.tables,) or given.dtype.kind not in "iu":
            raise BadBatch(f"actions: {describe(given)}; needed are {self.tables} integers")
        return np.ascontiguousarray(given, np.int64)

    def _illegal_action(self, table: int, action: int) -> IllegalAction:
        message = illegal_message(table, int(self._movers[table]), action, np.flatnonzero(self._masks[table]))
        return IllegalAction(f"{message}. No table was stepped")

    def _width(self, kind: np.dtype[Any]) -> int:
        """Returns how many columns an observation of this type has; 0 for records."""
        if kind == np.float32:
            return self._encoding.width
        if kind == np.int16:
            return self._encoding.count
        if kind == self.game.layout.view.dtype:
            return 0
        raise BadBatch(f"observations: {kind} is not float32, int16 or the game's view record")

    def _check_out(self, out: Arrays) -> None:
        self._require("masks", out.masks, self._masks.shape, np.bool_)
        self._require("movers", out.movers, (self.tables,), np.int8)
        self._require("rewards", out.rewards, self._results.shape, np.float32)
        self._require("done", out.done, (self.tables,), np.bool_)
        if out.observations is not None:
            width = self._width(out.observations.dtype)
            shape = (self.tables, width) if width else (self.tables,)
            self._require("observations", out.observations, shape, out.observations.dtype)

    def _require(self, name: str, array: NDArray[Any], shape: tuple[int, ...], kind: DTypeLike) -> None:
        if array.shape != shape or array.dtype != kind or not array.flags.c_contiguous or not array.flags.writeable:
            wanted = f"a contiguous, writable array of {' by '.join(map(str, shape))} {np.dtype(kind).name}"
            raise BadBatch(f"{name}: {describe(array)}; needed is {wanted}")

    def _read_only(self, own: Arrays) -> Arrays:
        seen = None if own.observations is None else read_only(own.observations)
        masks, done = read_only(self._masks.view(np.bool_)), read_only(self._done.view(np.bool_))
        return Arrays(masks, read_only(self._movers), read_only(own.rewards), done, seen)


def check_tables(game: Game, tables: int, seats: int, house_rules: Any) -> None:
    """Raises BadBatch or BadOption unless such tables can be set."""
    if seats not in game.seats:
        known = " or ".join(map(str, game.seats))
        raise BadBatch(f"{game.name} is for {known} players, not {seats}")
    if tables < 1:
        raise BadBatch(f"a batch needs at least 1 table, not {tables}")
    options.check_seats(house_rules, seats)


def native_advance(game: Game) -> Any:
    """Returns `loops.advance` with the rules of a game, as native code."""
    return jit.native(loops.advance, **game.functions)


def illegal_message(table: int, seat: int, action: int, legal: NDArray[Any]) -> str:
    return f"table {table}: action {action} is illegal for seat {seat}; legal are {', '.join(map(str, legal))}"


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Returns a read-only view of the array."""
    view = array.view()
    view.flags.writeable = False
    return view


def describe(array: NDArray[Any]) -> str:
    return f"an array of {' by '.join(map(str, array.shape)) or 'one'} {array.dtype.name}"


def measure(
    game: Game,
    tables: int = 4096,
    observations: DTypeLike | None = None,
    threads: int | None = None,
    seconds: float = 0.7,
    tries: int = 3,
) -> float:
    """Returns decisions per second of uniform play: mask, pick, step, and observations if asked for."""
    batch = Batch(game, tables, observations=observations, threads=threads)
    actions = batch.pick()
    batch.step(actions)  # compiles before the clock starts
    best = 0.0
    for _ in range(tries):
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            batch.step(batch.pick(actions))
            steps += 1
        best = max(best, steps * tables / spent)
    return best
