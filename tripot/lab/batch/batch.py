"""Thousands of tables of one game in one array, stepped together by native code on all cores.

    batch = Batch(GAMES["verrater"], tables=4096, observations=np.float32)
    now = batch.reset()
    while learning:
        now = batch.step(choose(now.observations, now.masks))

Actions go in and NumPy arrays come out; see `docs/lab.md`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tripot import GAMES, find_rules
from tripot.bots.bot import find_policy
from tripot.bots.memory import BOT_MEMORY
from tripot.bots.uniform import choose_uniform
from tripot.core import jit, options
from tripot.core.encode import encode_rows, find_frames
from tripot.core.encoding import VERSION, Encoder, encoder_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch import loops
from tripot.lab.batch.encoding import Encoding
from tripot.lab.batch.threads import ThreadPool

ENCODINGS = (1, VERSION)
SAVED = ("raw", "finals", "seeds", "first", "rngs", "masks", "movers", "done", "results")
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

    `house_rules` is one set, or a list of them: a game is dealt the one with the number `seed % len(house_rules)`.
    """

    def __init__(
        self,
        game: Game | str,
        tables: int,
        seats: int | None = None,
        house_rules: Any = None,
        seeds: int | ArrayLike = 0,
        observations: DTypeLike | None = None,
        again: bool = True,
        threads: int | None = None,
        encoding: int = 1,
    ) -> None:
        self.game, self.tables = (game := named_game(game)), tables
        self.seats = game.usual_seats if seats is None else seats
        self.house_rules = named_rules(game, house_rules)
        check_tables(game, tables, self.seats, self.house_rules)
        if threads is not None and threads < 1:
            raise BadBatch(f"a batch needs at least 1 thread, not {threads}")
        self._pool = ThreadPool(threads)
        self.states = game.layout.states(tables)  # with everything that is hidden
        self.final_states = game.layout.states(tables)  # where `done`, and dealt again: the state the game ended in
        self._raw, self._finals = (
            array.view(np.uint8).reshape(tables, -1) for array in (self.states, self.final_states)
        )
        self._options = options.as_record(self.house_rules)
        self._mode = loops.STEP_AND_DEAL if again else loops.STEP
        self._seeds = np.zeros(tables, np.int64)
        self._rngs = np.zeros(tables, BOT_MEMORY.dtype)
        self._masks = np.zeros((tables, game.num_actions), np.int8)
        self._movers, self._done = np.zeros(tables, np.int8), np.zeros(tables, np.int8)
        self._results = np.zeros((tables, self.seats), np.int8)
        self._advance = native_advance(game)
        self._encoding = Encoding(game.layout)
        self.encoding = check_encoding(encoding)  # the version of float32 observations
        self._settings = {"seats": seats, "observations": observations, "again": again, "threads": threads}
        own = self.arrays(observations=observations)
        self._rewards, self._observations = own.rewards, own.observations
        self.now = self._read_only(own)
        self._seen: NDArray[np.void] | None = None  # where `choose` puts views
        self._choose: Any = None  # its native loop
        self._first = seeds_of(seeds, tables)
        self.reset()

    # --- Properties and arrays ---

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seeds of the games being played; `simulate` plays the same game from a seed."""
        return read_only(self._seeds.view(np.uint64))

    @property
    def columns(self) -> list[str]:
        """The meaning of each column of float32 observations."""
        return self.game.layout.encoding if self.encoding == 1 else self.encoder.columns

    @property
    def encoder(self) -> Encoder:
        """Version 2 of the encoding for tables of this size, and the way to turned actions and back."""
        return encoder_of(self.game, self.seats)

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
            self._first = seeds_of(seeds, self.tables)
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

    def choose(self, bots: str | Sequence[str], actions: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Chooses what native bots would: one for all seats, or one a seat, `uniform` or `sensible`."""
        named = [bots] * self.seats if isinstance(bots, str) else list(bots)
        if len(named) != self.seats:
            raise BadBatch(f"{len(named)} bots: name one for all seats, or {self.seats}")
        sensible = np.array([find_policy(name, self.game).choose is not choose_uniform for name in named], np.int8)
        actions = np.zeros(self.tables, np.int64) if actions is None else actions
        self._require("actions", actions, (self.tables,), np.int64)
        if self._seen is None:
            self._seen = np.zeros(self.tables, self.game.layout.view.dtype)
        if self._choose is None:  # to find it takes longer than a step of many tables
            self._choose = jit.native(loops.choose_actions, choose=self.game.heuristic or choose_uniform)
        views = (self._seen, self._seen.view(np.uint8).reshape(self.tables, -1))
        seen = (self._raw, self._movers, sensible, self._encoding.view_places, *views, self._masks, self._rngs)
        self._pool.map_tables(self.tables, self._choose, *seen, actions)
        return actions

    def observe(self, out: NDArray[Any], seats: int | ArrayLike | None = None, final: bool = False) -> NDArray[Any]:
        """Writes what the seats to move see, or what `seats` see, into `out`, whose type says how.

        float32: encoded, in the version of the batch. int16: every number as it is. The game's view record: its bytes.
        With `final`, of the states in which games ended with the last step; other rows mean nothing.
        """
        width = self._width(out.dtype)
        self._require("observations", out, (self.tables, width) if width else (self.tables,), out.dtype)
        raw, who = self._finals if final else self._raw, self._movers if seats is None else self._who(seats)
        code, run = self._encoding, self._pool.map_tables
        if out.dtype == np.float32 and self.encoding == 2:
            run(self.tables, jit.native(encode_rows), raw, who, *self.encoder.native_tables_of_states, out)
        elif out.dtype == np.float32:
            run(self.tables, jit.native(loops.encode_views), raw, who, *code.tables, out)
        elif out.dtype == np.int16:
            run(self.tables, jit.native(loops.list_views), raw, who, code.numbers, out)
        else:
            seen = out.view(np.uint8).reshape(self.tables, -1)
            run(self.tables, jit.native(loops.copy_views), raw, who, *code.view_places, seen)
        return out

    def encode(self, encoder: Encoder) -> NDArray[np.float32]:
        """Returns what the seats to move see, as `encoder` writes it."""
        rows = np.zeros((self.tables, encoder.width), np.float32)
        tables = encoder.native_tables if encoder.full else encoder.native_tables_of_states
        self._pool.map_tables(self.tables, jit.native(encode_rows), self._raw, self._movers, *tables, rows)
        return rows

    def frames(self, encoder: Encoder) -> NDArray[np.int64]:
        """Returns the frame of every table: who sits in which slot, as the seat to move sees it."""
        found, finder = np.zeros(self.tables, np.int64), encoder.native_tables_of_states[0]
        self._pool.map_tables(self.tables, jit.native(find_frames), self._raw, self._movers, finder, found)
        return found

    # --- Saving and copying ---

    def save(self) -> dict[str, NDArray[Any]]:
        """Returns copies of all that changes: the tables as they stand, their seeds and the luck of `pick`."""
        return {name: self._array(name).copy() for name in SAVED}

    def restore(self, saved: Mapping[str, NDArray[Any]]) -> Arrays:
        """Puts the tables back to where they were saved, in this batch or one like it."""
        for name in SAVED:
            kept, own = saved.get(name), self._array(name)
            if kept is None or kept.shape != own.shape or kept.dtype != own.dtype:
                found = "nothing" if kept is None else describe(kept)
                raise BadBatch(f"saved {name}: {found}; needed is {describe(own)}")
        for name in SAVED:
            self._array(name)[:] = saved[name]
        np.divide(self._results, WHOLE_WIN, out=self._rewards, dtype=np.float32)
        if self._observations is not None:
            self.observe(self._observations)
        return self.now

    def _array(self, name: str) -> NDArray[Any]:
        array: NDArray[Any] = getattr(self, "_" + name)
        return array

    def __deepcopy__(self, _: Any) -> Batch:
        return self._like(self.game, self.house_rules, self.tables, self.encoding, self._settings, self.save())

    def __reduce__(self) -> tuple[Any, ...]:
        if find_rules(self.game.name, self.game.rules_version) is not self.game:
            raise TypeError(f"only games that Tripot ships can be pickled, not {self.game.name}")
        several = isinstance(self.house_rules, list)
        rules = [options.as_json(one) for one in self.house_rules] if several else options.as_json(self.house_rules)
        return _unpickle, (
            self.game.name,
            self.game.rules_version,
            rules,
            self.tables,
            self.encoding,
            self._settings,
            self.save(),
        )

    @staticmethod
    def _like(game: Game, rules: Any, tables: int, encoding: int, settings: Any, saved: Any) -> Batch:
        batch = Batch(game, tables, house_rules=rules, encoding=encoding, **settings)
        batch.restore(saved)
        return batch

    # --- Internals ---

    def _run(self, mode: int, actions: NDArray[np.int64], out: Arrays | None) -> Arrays:
        if out is not None:
            self._check_out(out)
        game = (self.states, self._raw, self._options, self.seats, self._seeds, self.tables, self._rngs)
        written = (self._masks, self._movers, self._done, self._results, self._finals)
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
            return self._encoding.width if self.encoding == 1 else self.encoder.width
        if kind == np.int16:
            return self._encoding.count
        if kind == self.game.layout.view.dtype:
            return 0
        raise BadBatch(f"observations: {kind} is not float32, int16 or the game's view record")

    def _who(self, seats: int | ArrayLike) -> NDArray[np.int8]:
        """Returns one seat per table."""
        who = np.asarray(np.broadcast_to(np.asarray(seats), (self.tables,)))
        if who.dtype.kind not in "iu" or who.min() < 0 or who.max() >= self.seats:
            raise BadBatch(f"seats: needed are {self.tables} numbers from 0 to {self.seats - 1}, or one for all tables")
        return who.astype(np.int8)

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


def _unpickle(name: str, version: int, rules: Any, *rest: Any) -> Batch:
    game = find_rules(name, version)
    if game is None:
        raise BadBatch(f"{name}, rules version {version}: this Tripot does not ship these rules")
    return Batch._like(game, rules, *rest)


def named_game(game: Game | str) -> Game:
    """The game, or the game of that name."""
    if isinstance(game, Game):
        return game
    if game not in GAMES:
        raise BadBatch(f"there is no game '{game}': choose {', '.join(GAMES)}")
    return GAMES[game]


def named_rules(game: Game, house_rules: Any) -> Any:
    """House rules as the game holds them, from the same, a dictionary by name, or nothing; or a list of such."""
    if isinstance(house_rules, list):
        return [named_rules(game, one) for one in house_rules]
    if house_rules is None or isinstance(house_rules, Mapping):
        return options.parse(game.options, dict(house_rules or {}))
    return house_rules


def check_encoding(version: int) -> int:
    if version not in ENCODINGS:
        raise BadBatch(f"there is no encoding {version}: choose {' or '.join(map(str, ENCODINGS))}")
    return version


def check_tables(game: Game, tables: int, seats: int, house_rules: Any) -> None:
    """Raises BadBatch or BadOption unless such tables can be set."""
    if seats not in game.seats:
        known = " or ".join(map(str, game.seats))
        raise BadBatch(f"{game.name} is for {known} players, not {seats}")
    if tables < 1:
        raise BadBatch(f"a batch needs at least 1 table, not {tables}")
    if house_rules == []:
        raise BadBatch("a list of house rules needs at least one set")
    for one in house_rules if isinstance(house_rules, list) else [house_rules]:
        options.check_seats(one, seats)


def seeds_of(seeds: int | ArrayLike, tables: int) -> NDArray[np.int64]:
    """Returns one seed per table, as native code holds it."""
    if isinstance(seeds, int):
        if not 0 <= seeds < 1 << 64:
            raise BadBatch(f"seed {seeds} is not from 0 to 2^64 - 1")
        return (np.uint64(seeds) + np.arange(tables, dtype=np.uint64)).view(np.int64)
    given = np.asarray(seeds)
    if isinstance(seeds, list) and all(isinstance(seed, int) and 0 <= seed < 1 << 64 for seed in seeds):
        given = np.array(seeds, np.uint64)  # by default NumPy turns 2^63 and more into floats
    if given.shape != (tables,) or given.dtype.kind not in "iu":
        raise BadBatch(f"seeds: {describe(given)}; needed are {tables} integers")
    return given.astype(np.uint64).view(np.int64)


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
