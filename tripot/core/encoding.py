"""Version 2 of the encoded view, for learning: a table of columns that follows from the fields of a game.

An encoded view is turned to the seat that sees it. *Slot* 0 is that seat, slots 1, 2, … are the others in turn; where
each seat plays a side of its own, slots go round by side. Axes that count seats, fields that hold seats and actions
that name seats go by slot, so that a player who learned in one seat can play in all.

- Amounts are multiplied by one over the field's `scale`. Some have columns for "at least 1", "at least 2", … besides.
- Names have a column each, and so have members of sets.
- What no seat to move ever sees, results, scratch fields and, unless asked for, house rules have no column.

A *frame* says who sits in which slot. The same table of columns is executed here with NumPy, by `core.encode` in native
code, and with PyTorch or JAX on device arrays (`Encoder.on`): equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.array_encoder import ArrayEncoder
from tripot.core.encode import NOWHERE
from tripot.core.game import Game
from tripot.core.layout import AMOUNT, NAME, OWNER, SEAT, SEAT_OR_NOBODY, SEAT_SET, SPECTATOR, Field, SeatAxis

VERSION = 2
NEVER = 255  # the code of a name that no byte has


class Kind(IntEnum):
    """How a column follows from a value. Columns lie in this order."""

    AMOUNT = 0  # value times scale
    AT_LEAST = 1  # value >= code
    EQUAL = 2  # value == code
    GIVEN = 3  # value == code, and another value is not 0
    MEMBER = 4  # bit number `code` of value


class BadView(ValueError):
    """A view that cannot be encoded; the message says why."""


@dataclass(frozen=True)
class Frame:
    """Who sits where, as one seat sees it: `seating[slot]` is a seat. Slots from `seats` on are empty."""

    seats: int
    seating: tuple[int, ...]
    sides: tuple[int, ...] = ()  # by seat, where each plays its own

    @property
    def seat(self) -> int:
        return self.seating[0]


@dataclass(frozen=True)
class Value:
    """One number of a record, as it lies in every frame, and the columns it becomes: (kind, code, meaning)."""

    field: Field
    name: str
    places: tuple[int, ...]  # by frame, its first byte, or NOWHERE
    givens: tuple[int, ...]  # by frame, the byte that must not be 0, or NOWHERE
    columns: tuple[tuple[Kind, int, str], ...]


class Encoder:
    """Version 2 of the encoding of a game.

    With `seats` there are slots for that many only, else for the largest table; with `rules` the house rules are
    columns too; with `full` it encodes states, with all that is hidden, for a critic in training.
    """

    version = VERSION

    def __init__(self, game: Game, seats: int | None = None, rules: bool = False, full: bool = False) -> None:
        if seats is not None and seats not in game.seats:
            raise ValueError(f"{game.name} is for {' or '.join(map(str, game.seats))} players, not {seats}")
        self.game, self.seats, self.rules, self.full = game, seats, rules, full
        self.layout = game.layout.state if full else game.layout.view
        self.slots = max(game.seats) if seats is None else seats
        self.frames = list(_frames(game, self.sides_field, seats))
        self.values = [value for f in self.layout.fields if self._has_columns(f) for value in self._values_of(f)]
        self._columns = sorted(
            ((kind, code, meaning, value) for value in self.values for kind, code, meaning in value.columns),
            key=lambda column: column[0],
        )
        self.width = len(self._columns)

    @property
    def notation(self) -> str:
        """The name of this encoding, for weights and datasets: 2, 2/4 (for 4 seats), 2+rules, 2+full."""
        parts = [str(self.version), "+rules" if self.rules else "", "+full" if self.full else ""]
        return "".join(parts) + (f"/{self.seats}" if self.seats else "")

    @property
    def columns(self) -> list[str]:
        """The meaning of every column; [+1] is slot 1, the seat after the one that sees."""
        return [meaning for _, _, meaning, _ in self._columns]

    @property
    def numbered(self) -> list[tuple[str, Kind, int, Field]]:
        """Every column: the value it is made from, how, the code, and the value's field."""
        return [(value.name, kind, code, value.field) for kind, code, _, value in self._columns]

    @cached_property
    def sides_field(self) -> Field | None:
        return next((f for f in self.game.fields if f.sides), None)

    @cached_property
    def highest(self) -> NDArray[np.float32]:
        """The greatest value of each column: 1, or more where an amount can pass its scale."""
        amounts = [_scaled(value.field, value.field.highest) for kind, _, _, value in self._columns if not kind]
        return np.array([*amounts, *[1] * (self.width - len(amounts))], np.float32)

    # --- The table of columns ---

    def _has_columns(self, f: Field) -> bool:
        """`seats` says something only where tables of several sizes share an encoding."""
        if f.name == "seats":
            return self.seats is None and len(self.game.seats) > 1
        return f.encoded and (self.rules or not f.house_rule)

    def _values_of(self, f: Field) -> Iterator[Value]:
        """The values of a field, slot by slot along the axes that count seats."""
        by_seat = [
            isinstance(length, SeatAxis) or (f.sight is OWNER and axis == 0) for axis, length in enumerate(f.shape)
        ]
        slots = 1 if f.sides else self.slots  # the other sides follow from the first
        lengths = [slots if turned else length for turned, length in zip(by_seat, f.shape, strict=True)]
        for index in product(*map(range, lengths)):
            if f.only and index[-1] not in f.only:
                continue
            name = f.name + "".join(f"[+{i}]" if turned else f"[{i}]" for i, turned in zip(index, by_seat, strict=True))
            at = [self._place(f, index, by_seat, frame) for frame in self.frames]
            given = next((g for g in self.layout.fields if g.name == f.given), None) if f.given else None
            givens = [NOWHERE if given is None else self._place(given, index, by_seat, frame) for frame in self.frames]
            yield Value(f, name, tuple(at), tuple(givens), tuple(self._columns_of(f, name, index)))

    def _place(self, f: Field, index: tuple[int, ...], by_seat: list[bool], frame: Frame) -> int:
        """The first byte of a value in the record; NOWHERE for a slot where nobody sits."""
        if any(turned and slot >= frame.seats for slot, turned in zip(index, by_seat, strict=True)):
            return NOWHERE
        real = [frame.seating[i] if turned else i for i, turned in zip(index, by_seat, strict=True)]
        assert self.layout.dtype.fields is not None
        inside = int(np.ravel_multi_index(real, f.shape)) if f.shape else 0
        return int(self.layout.dtype.fields[f.name][1]) + inside * np.dtype(f.type).itemsize

    def _columns_of(self, f: Field, name: str, index: tuple[int, ...]) -> Iterator[tuple[Kind, int, str]]:
        equal = Kind.GIVEN if f.given else Kind.EQUAL
        absent = {*f.absent, *(f.absent_by[index[0]] if f.absent_by else ())}
        if f.holds is AMOUNT:
            yield Kind.AMOUNT, 0, f"{name} / {f.scale or f.highest}: {f.meaning}"
            yield from ((Kind.AT_LEAST, n, f"{name} is at least {n}: {f.meaning}") for n in range(1, f.steps + 1))
            return
        if f.holds is SEAT_OR_NOBODY and NEVER not in f.absent:
            yield equal, NEVER, f"{name} is nobody: {f.meaning}"
        if f.holds in (SEAT, SEAT_OR_NOBODY, SEAT_SET):
            codes, what = range(self.slots), "has slot +" if f.holds is SEAT_SET else "is slot +"
        else:
            count = f.highest + 1 if f.holds is NAME else f.highest.bit_length()
            codes, what = range(count), "is " if f.holds is NAME else "has "
        kind = equal if f.holds in (NAME, SEAT, SEAT_OR_NOBODY) else Kind.MEMBER
        yield from ((kind, code, f"{name} {what}{code}: {f.meaning}") for code in codes if code not in absent)

    def code_in(self, f: Field, code: int, frame: Frame) -> int:
        """What a value is compared with in a frame, where its columns go by slot."""
        if f.holds in (SEAT, SEAT_SET):
            return frame.seating[code] if code < frame.seats or f.holds is SEAT_SET else NEVER
        if f.holds is SEAT_OR_NOBODY:
            return 0 if code == NEVER else 1 + frame.seating[code] if code < frame.seats else NEVER
        return code

    def _compared(self, column: tuple[Kind, int, str, Value], frame: int) -> int:
        """What a column compares its value with; nothing where nobody sits, whose byte reads 0."""
        kind, code, _, value = column
        if value.places[frame] == NOWHERE and kind in (Kind.EQUAL, Kind.GIVEN):
            return NEVER
        return self.code_in(value.field, code, self.frames[frame])

    # --- Frames, seats and actions ---

    @cached_property
    def seating(self) -> NDArray[np.int64]:
        """[frame, slot]: the seat. A value by slot goes to seats with it, and `slot_of` goes back."""
        return np.array([frame.seating[: self.slots] for frame in self.frames])

    @cached_property
    def slot_of(self) -> NDArray[np.int64]:
        """[frame, seat]: the slot."""
        return np.argsort(np.array([frame.seating for frame in self.frames]), axis=1)

    @cached_property
    def actions(self) -> NDArray[np.int64]:
        """[frame, turned action]: the action of the game. Actions that name a seat are numbered by slot when turned."""
        table = np.tile(np.arange(self.game.num_actions), (len(self.frames), 1))
        for row, frame in zip(table, self.frames, strict=True):
            for first, each in self.game.seat_actions:
                for slot, seat in enumerate(frame.seating):
                    row[first + slot * each : first + (slot + 1) * each] = first + seat * each + np.arange(each)
        return table

    @cached_property
    def turned_actions(self) -> NDArray[np.int64]:
        """[frame, action of the game]: the action as it is numbered when turned."""
        return np.argsort(self.actions, axis=1)

    @cached_property
    def finder(self) -> tuple[NDArray[np.uint32], NDArray[np.int64], int, NDArray[np.int64]]:
        """How a frame is found: bytes of a view or state, a factor for each and for the seat, and frames by the sum."""
        most, key = max(self.game.seats), 1
        seat_factor, key = key, key * most
        parts: list[tuple[Field, int, int]] = []
        if self.seats is None:
            parts.append((self._named("seats"), 0, most + 1))
        if self.sides_field is not None:
            parts += [(self._named(self.sides_field.name), seat, self.sides_field.highest + 1) for seat in range(most)]
        places, factors = [], []
        for f, at, radix in parts:
            places.append(self._place(f, (at,) if f.shape else (), [False] * len(f.shape), self.frames[0]))
            factors.append(key)
            key *= radix
        found = np.zeros(key, np.int64)
        for number, frame in enumerate(self.frames):
            numbers = [*([frame.seats] if self.seats is None else []), *frame.sides]
            found[frame.seat * seat_factor + int(np.dot(numbers, factors))] = number
        return np.array(places, np.uint32), np.array(factors, np.int64), seat_factor, found

    def _named(self, name: str) -> Field:
        return next(f for f in self.layout.fields if f.name == name)

    # --- NumPy, and arrays of other libraries ---

    @cached_property
    def plan(self) -> dict[str, NDArray[Any]]:
        """The table of columns as arrays: places and codes by frame and column; and how many columns of each kind."""
        frames = range(len(self.frames))
        end = self.layout.dtype.itemsize  # a zero byte is put behind the record
        wide = [c for c, (kind, _, _, v) in enumerate(self._columns) if kind is Kind.AMOUNT and _is_wide(v.field)]

        def place(byte: int) -> int:
            return end if byte == NOWHERE else byte

        low = [[place(value.places[n]) for _, _, _, value in self._columns] for n in frames]
        codes = [[self._compared(column, n) for column in self._columns] for n in frames]
        given = [[place(v.givens[n]) for kind, _, _, v in self._columns if kind is Kind.GIVEN] for n in frames]
        scale = [_one_over(value.field) for kind, _, _, value in self._columns if kind is Kind.AMOUNT]
        return {
            "low": np.array(low, np.int64),
            "code": np.array(codes, np.int16),
            "given": np.array(given, np.int64).reshape(len(self.frames), -1),
            "scale": np.array(scale, np.float32),
            "wide": np.array(wide, np.int64),
            "high": np.array([[end if row[c] == end else row[c] + 1 for c in wide] for row in low], np.int64),
            "counts": np.array([sum(column[0] is kind for column in self._columns) for kind in Kind]),
        }

    def encode(self, views: NDArray[np.void], seats: NDArray[Any] | None = None) -> NDArray[np.float32]:
        """Encodes views, or with `full` states as `seats` see them, one row each."""
        raw = np.ascontiguousarray(views).view(np.uint8).reshape(len(views), -1)
        if not self.full:
            if (views["seat"] == SPECTATOR).any():
                raise BadView("a spectator's view has no seat to turn to")
            seats = views["seat"]
        assert seats is not None
        arrays = self.on_numpy
        encoded: NDArray[np.float32] = arrays.encode(raw, arrays.frames(raw, np.asarray(seats, np.int64)))
        return encoded

    @cached_property
    def on_numpy(self) -> ArrayEncoder:
        return self.on(np)

    def on(self, library: Any, **where: Any) -> ArrayEncoder:
        """The encoder for arrays of `numpy`, `torch` or `jax.numpy`; `where` (`device="cuda"`) places its tables."""
        return ArrayEncoder(self.plan, self.finder, (self.actions, self.turned_actions, self.seating), library, where)

    # --- Native code ---

    @cached_property
    def native_tables(self) -> tuple[Any, ...]:
        """What `core.encode.encode_rows` takes between `seats` and `encoded`, for bytes of views (`full`: states)."""
        return self._native(self.finder, lambda place, frame: place)

    @cached_property
    def native_tables_of_states(self) -> tuple[Any, ...]:
        """The same for views that are read straight out of states."""
        layout = self.game.layout
        behind = np.zeros((layout.seats, layout.view.dtype.itemsize), np.int64)
        behind[:, layout.target] = layout.source
        places, *rest = self.finder
        finder = (behind[0, places].astype(np.uint32), *rest)
        return self._native(finder, lambda place, frame: int(behind[frame.seat, place]))

    def _native(self, finder: Any, moved: Any) -> tuple[Any, ...]:
        column_of = {(value.name, kind, code): at for at, (kind, code, _, value) in enumerate(self._columns)}

        def by_frame(bytes_of: list[tuple[int, ...]]) -> NDArray[np.uint16]:
            table = [
                [NOWHERE if row[n] == NOWHERE else moved(row[n], frame) for row in bytes_of]
                for n, frame in enumerate(self.frames)
            ]
            return np.array(table, np.uint16).reshape(len(self.frames), -1)

        amounts = [v for v in self.values if v.field.holds is AMOUNT]
        sets = [v for v in self.values if v.columns and v.columns[0][0] is Kind.MEMBER]
        names = [v for v in self.values if v.columns and v.columns[0][0] in (Kind.EQUAL, Kind.GIVEN)]
        wide = [tuple(p + 1 if p != NOWHERE and _is_wide(v.field) else NOWHERE for p in v.places) for v in amounts]
        scaled = [np.arange(v.field.highest + 1, dtype=np.float32) * _one_over(v.field) for v in amounts]
        return (
            finder,
            (
                by_frame([v.places for v in amounts]),
                by_frame(wide),
                _numbers([column_of[v.name, Kind.AMOUNT, 0] for v in amounts]),
                _starts([len(part) for part in scaled]),
                np.concatenate(scaled),
                _numbers([v.field.steps for v in amounts]),
                _numbers([column_of.get((v.name, Kind.AT_LEAST, 1), 0) for v in amounts]),
            ),
            (
                by_frame([v.places for v in names]),
                by_frame([v.givens for v in names]),
                _starts([v.field.highest + 1 for v in names]),
                self._columns_by_frame(names, column_of),
            ),
            (
                by_frame([v.places for v in sets]),
                _starts([v.field.highest.bit_length() for v in sets]),
                _numbers([v.field.highest.bit_length() for v in sets]),
                self._columns_by_frame(sets, column_of),
            ),
        )

    def _columns_by_frame(self, values: list[Value], column_of: dict[Any, int]) -> NDArray[np.uint16]:
        """[frame, start of a value + what its byte holds]: the column, or NOWHERE."""
        rows = []
        for frame in self.frames:
            row: list[int] = []
            for value in values:
                f = value.field
                count = f.highest.bit_length() if value.columns[0][0] is Kind.MEMBER else f.highest + 1
                columns = {
                    self.code_in(f, code, frame): column_of[value.name, kind, code] for kind, code, _ in value.columns
                }
                row += [columns.get(code, NOWHERE) for code in range(count)]
            rows.append(row)
        return np.array(rows, np.uint16).reshape(len(self.frames), -1)


_ENCODERS: dict[tuple[Any, ...], Encoder] = {}  # games by identity: two rule books may have one name


def encoder_of(game: Game, seats: int | None = None, rules: bool = False, full: bool = False) -> Encoder:
    """The encoder of a game, the same one for every caller."""
    key = (id(game), seats, rules, full)
    if key not in _ENCODERS:
        _ENCODERS[key] = Encoder(game, seats, rules, full)
    return _ENCODERS[key]


def _frames(game: Game, sides: Field | None, seats: int | None) -> Iterator[Frame]:
    """Every frame of a game: by table size, by how the sides are dealt, by seat."""
    most = max(game.seats)
    for size in game.seats if seats is None else (seats,):
        for dealt in permutations(range(size)) if sides is not None else ((),):
            for seat in range(size):
                if sides is None:
                    turn = [(seat + slot) % size for slot in range(size)]
                else:
                    turn = [dealt.index((dealt[seat] + slot) % size) for slot in range(size)]
                yield Frame(size, (*turn, *range(size, most)), tuple(dealt))


def _is_wide(f: Field) -> bool:
    """Whether a value has two bytes."""
    return np.dtype(f.type).itemsize == 2


def _one_over(f: Field) -> np.float32:
    return np.float32(1 / (f.scale or f.highest))


def _scaled(f: Field, value: int) -> np.float32:
    return np.float32(value) * _one_over(f)


def _numbers(numbers: list[int]) -> NDArray[np.uint32]:
    return np.array(numbers, np.uint32)


def _starts(lengths: list[int]) -> NDArray[np.uint32]:
    return (np.cumsum(lengths) - lengths).astype(np.uint32) if lengths else np.zeros(0, np.uint32)
