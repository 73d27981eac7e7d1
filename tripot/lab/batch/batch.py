"""Thousands of tables of one game in one array, stepped together by native code on all cores.

    batch = Batch(GAMES["verrater"], tables=4096, observations=np.float32)
    now = batch.reset()
    while learning:
        now = batch.step(choose(now.observations, now.masks))

Decisions go in and NumPy arrays come out; `docs/lab.md` tells the rest.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tripot.bots.bot import MEMORY
from tripot.core import jit, options
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch import loops
from tripot.lab.batch.encoding import Encoding
from tripot.lab.batch.threads import ThreadPool

NO_ACTIONS = np.zeros(1, np.int64)  # dealing looks at none


class IllegalAction(ValueError):
    """A decision that a table does not allow; no table has been stepped."""


class BadBatch(ValueError):
    """Tables or arrays that cannot be had: the message says which and why."""


@dataclass(frozen=True)
class Arrays:
    """What a step leaves behind, a row for each table; with `steps`, each step has an index of its own in front."""

    masks: NDArray[np.bool_]  # [tables, actions]: what the seat to move may decide
    movers: NDArray[np.int8]  # [tables]: the seat to move
    rewards: NDArray[np.float32]  # [tables, seats]: shares of the victory, at the step that ends a game; else 0
    done: NDArray[np.bool_]  # [tables]: that step ended the game
    observations: NDArray[Any] | None  # of the seat to move

    def __getitem__(self, step: int) -> Arrays:
        """The arrays of one step, for `reset` or `step` to write into."""
        seen = None if self.observations is None else self.observations[step]
        return Arrays(self.masks[step], self.movers[step], self.rewards[step], self.done[step], seen)


class Batch:
    """Tables of one game. Everything a table does follows from its seed and its decisions, whatever the threads.

    Where a game is over the next one is dealt at once (`again`), with the seed of the last one plus the number of
    tables; without `again` the table stands still, its mask is empty and its action is not looked at.
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
        self._check(threads)
        self._pool = ThreadPool(threads)
        self.states = game.layout.states(tables)  # secrets and all
        self._raw = self.states.view(np.uint8).reshape(tables, -1)
        self._options = options.as_record(self.house_rules)
        self._how = loops.STEP_AND_DEAL if again else loops.STEP
        self._seeds = np.zeros(tables, np.int64)
        self._lucks = np.zeros(tables, MEMORY.dtype)
        self._masks = np.zeros((tables, game.num_actions), np.int8)
        self._movers, self._done = np.zeros(tables, np.int8), np.zeros(tables, np.int8)
        self._shares = np.zeros((tables, self.seats), np.int8)
        self._advance = native_advance(game)
        self._encoding = Encoding(game.layout)
        own = self.arrays(observations=observations)
        self._rewards, self._observations = own.rewards, own.observations
        self.now = self._read_only(own)
        self._first = self._seeds_of(seeds)
        self.reset()

    def _check(self, threads: int | None) -> None:
        if self.seats not in self.game.seats:
            known = " or ".join(map(str, self.game.seats))
            raise BadBatch(f"{self.game.name} is for {known} players, not {self.seats}")
        if self.tables < 1:
            raise BadBatch(f"{self.tables} tables cannot be set: at least 1")
        if threads is not None and threads < 1:
            raise BadBatch(f"{threads} threads cannot step: at least 1")
        options.check_seats(self.house_rules, self.seats)

    # --- What anyone may ask ---

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seeds of the games being played: each is the game that `simulate` plays from it."""
        return frozen(self._seeds.view(np.uint64))

    @property
    def columns(self) -> list[str]:
        """What every column of float32 observations means."""
        return self.game.layout.encoding

    @property
    def numbers(self) -> list[str]:
        """What every column of int16 observations is."""
        return list(self.game.layout.view.elements())

    def arrays(self, steps: int | None = None, observations: DTypeLike | None = None) -> Arrays:
        """Arrays that `reset` and `step` can write into; with `steps`, one after the other: `arrays[step]`."""
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
        """Deal every table: from `seeds`, one for each table or the first of a row, or from those given last."""
        if seeds is not None:
            self._first = self._seeds_of(seeds)
        self._seeds[:] = self._first
        return self._run(loops.DEAL, NO_ACTIONS, out)

    def step(self, actions: ArrayLike, out: Arrays | None = None) -> Arrays:
        """One decision at every table, by the seat in `movers`; what there is to know now, in `out` or in `now`.

        int64 is read where it lies. Raises IllegalAction, with nothing stepped, where a mask says no.
        """
        chosen = self._actions(actions)
        for illegal in self._pool.map_tables(
            self.tables, jit.native(loops.find_illegal), chosen, self._masks, self._done, self._how
        ):
            if illegal != loops.FINE:
                raise self._refusal(illegal, int(chosen[illegal]))
        return self._run(self._how, chosen, out)

    def pick(self, actions: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Uniform legal decisions, those that `simulate` plays; into `actions` if given."""
        if actions is None:
            actions = np.zeros(self.tables, np.int64)
        self._fits("actions", actions, (self.tables,), np.int64)
        self._pool.map_tables(self.tables, jit.native(loops.pick), self._masks, self._lucks, actions)
        return actions

    def observe(self, out: NDArray[Any]) -> NDArray[Any]:
        """What the seats to move see, written into `out`; its type says how.

        float32: `Layout.encode`, from 0 to 1. int16: every single number as it is. The game's view record: bytes.
        """
        code = self._encoding
        width = self._width(out.dtype)
        self._fits("observations", out, (self.tables, width) if width else (self.tables,), out.dtype)
        if out.dtype == np.float32:
            self._pool.map_tables(
                self.tables, jit.native(loops.encode_rows), self._raw, self._movers, *code.tables, out
            )
        elif out.dtype == np.int16:
            self._pool.map_tables(
                self.tables, jit.native(loops.number_rows), self._raw, self._movers, code.numbers, out
            )
        else:
            seen = out.view(np.uint8).reshape(self.tables, -1)
            self._pool.map_tables(self.tables, jit.native(loops.look_rows), self._raw, self._movers, *code.looks, seen)
        return out

    # --- Inside ---

    def _run(self, how: int, actions: NDArray[np.int64], out: Arrays | None) -> Arrays:
        if out is not None:
            self._check_out(out)
        game = (self.states, self._raw, self._options, self.seats, self._seeds, self.tables, self._lucks)
        told = (self._masks, self._movers, self._done, self._shares)
        self._pool.map_tables(self.tables, self._advance, how, *game, actions, *told)
        np.divide(self._shares, WHOLE_WIN, out=self._rewards, dtype=np.float32)
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
        """One seed for each table, as native code holds it."""
        if isinstance(seeds, int):
            if not 0 <= seeds < 1 << 64:
                raise BadBatch(f"the seed {seeds} is not a number from 0 to 2^64 - 1")
            return (np.uint64(seeds) + np.arange(self.tables, dtype=np.uint64)).view(np.int64)
        given = np.asarray(seeds)
        if isinstance(seeds, list) and all(isinstance(seed, int) and 0 <= seed < 1 << 64 for seed in seeds):
            given = np.array(seeds, np.uint64)  # left alone, NumPy takes 2^63 and more for floats
        if given.shape != (self.tables,) or given.dtype.kind not in "iu":
            raise BadBatch(f"seeds: {describe(given)}; needed are {self.tables} whole numbers")
        return given.astype(np.uint64).view(np.int64)

    def _actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.tables,) or given.dtype.kind not in "iu":
            raise BadBatch(f"actions: {describe(given)}; needed are {self.tables} whole numbers")
        return np.ascontiguousarray(given, np.int64)

    def _refusal(self, table: int, action: int) -> IllegalAction:
        legal = ", ".join(map(str, np.flatnonzero(self._masks[table])))
        seat = self._movers[table]
        return IllegalAction(f"table {table}: seat {seat} may not decide {action}; it may {legal}. Nothing was stepped")

    def _width(self, kind: np.dtype[Any]) -> int:
        """Columns of an observation of this type; 0 for records."""
        if kind == np.float32:
            return self._encoding.width
        if kind == np.int16:
            return self._encoding.count
        if kind == self.game.layout.view.dtype:
            return 0
        raise BadBatch(f"observations: {kind} is none of float32, int16 and the game's view record")

    def _check_out(self, out: Arrays) -> None:
        self._fits("masks", out.masks, self._masks.shape, np.bool_)
        self._fits("movers", out.movers, (self.tables,), np.int8)
        self._fits("rewards", out.rewards, self._shares.shape, np.float32)
        self._fits("done", out.done, (self.tables,), np.bool_)
        if out.observations is not None:
            width = self._width(out.observations.dtype)
            shape = (self.tables, width) if width else (self.tables,)
            self._fits("observations", out.observations, shape, out.observations.dtype)

    def _fits(self, name: str, array: NDArray[Any], shape: tuple[int, ...], kind: DTypeLike) -> None:
        if array.shape != shape or array.dtype != kind or not array.flags.c_contiguous or not array.flags.writeable:
            wanted = f"a contiguous array of {' by '.join(map(str, shape))} {np.dtype(kind).name}, free to be written"
            raise BadBatch(f"{name}: {describe(array)}; needed is {wanted}")

    def _read_only(self, own: Arrays) -> Arrays:
        seen = None if own.observations is None else frozen(own.observations)
        masks, done = frozen(self._masks.view(np.bool_)), frozen(self._done.view(np.bool_))
        return Arrays(masks, frozen(self._movers), frozen(own.rewards), done, seen)


def native_advance(game: Game) -> Any:
    """`rows.advance` with the rules of a game."""
    return jit.native(loops.advance, f"{game.name}-rows", **game.functions)


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, not to be written."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


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
    """Decisions a second of uniform play, picked by native code: mask, pick, step, and observations if asked for."""
    batch = Batch(game, tables, observations=observations, threads=threads)
    actions = batch.pick()
    batch.step(actions)  # compiled before the clock starts
    best = 0.0
    for _ in range(tries):
        steps, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds:
            batch.step(batch.pick(actions))
            steps += 1
        best = max(best, steps * tables / spent)
    return best
