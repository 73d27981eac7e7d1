"""How a state lies in memory, and who sees what: a state is a list of fields, and every field says who sees it.

The state's dtype, the view's dtype, `observe`, the plain objects that interpreted rules work on and the numeric
encoding of a view all follow from that list.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from operator import gt
from typing import Any

import numpy as np
from numpy.typing import NDArray

I8, I16, I32, U32 = "i1", "i2", "i4", "u4"
STRUCT_CODE = {I8: "b", I16: "h", I32: "i", U32: "I"}
SPECTATOR = 127  # the `seat` of a view that belongs to no seat


class Sight(Enum):
    """Who sees a field. OWNER fields have one row for each seat, seen by that seat alone."""

    PUBLIC = "public"
    OWNER = "owner"
    HIDDEN = "hidden"


PUBLIC, OWNER, HIDDEN = Sight.PUBLIC, Sight.OWNER, Sight.HIDDEN


class OutOfRange(ValueError):
    """A rule put a value into a field that the field does not allow."""


@dataclass(frozen=True)
class Field:
    """One line of a state. Values run from 0 to `highest`; 0 is always "nothing" or "none"."""

    name: str
    type: str
    shape: tuple[int, ...]
    sight: Sight
    highest: int
    meaning: str
    codes: bool = False  # the values are names, not amounts: encoded one column each

    def __post_init__(self) -> None:
        limit = int(np.iinfo(self.type).max)
        if not 0 < self.highest <= limit:
            raise ValueError(f"field {self.name}: highest value {self.highest} does not fit {self.type} (1 to {limit})")
        if self.sight is OWNER and not self.shape:
            raise ValueError(f"field {self.name}: an OWNER field needs a row for each seat")

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    def own_row(self) -> Field:
        """The field as its owner sees it in a view: their own row."""
        return Field("my_" + self.name, self.type, self.shape[1:], PUBLIC, self.highest, self.meaning, self.codes)


def state_dtype(fields: Sequence[Field]) -> np.dtype[np.void]:
    return np.dtype([(f.name, f.type, f.shape) for f in fields], align=True)


def by_sight(fields: Sequence[Field]) -> list[Field]:
    """The order of fields in a record: public, then owned, then hidden.

    A view starts with the same public fields, so observing is mostly one copy of contiguous bytes.
    """
    return [f for sight in Sight for f in fields if f.sight is sight]


def view_fields(fields: Sequence[Field], seats: int) -> list[Field]:
    """The fields of a view: everything public, the seat's own rows, and the seat itself."""
    public = [f for f in fields if f.sight is PUBLIC]
    own = [f.own_row() for f in fields if f.sight is OWNER]
    for f in fields:
        if f.sight is OWNER and f.shape[0] != seats:
            raise ValueError(f"field {f.name}: {f.shape[0]} rows for {seats} seats")
    return [*public, *own, Field("seat", I8, (), PUBLIC, SPECTATOR, "whose view this is; 127 for a spectator")]


def byte_map(fields: Sequence[Field], seats: int) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The allow-list in bytes: for every seat, which byte of the state is copied to which byte of its view.

    Returns (source[seat, i], target[i], shown): the first `shown` bytes are public, the rest are the seat's own.
    """
    state, view = state_dtype(by_sight(fields)), state_dtype(view_fields(fields, seats))
    assert state.fields is not None and view.fields is not None
    source: list[list[int]] = []
    target: list[int] = []
    for f in by_sight(fields):
        start = state.fields[f.name][1]
        if f.sight is PUBLIC:
            size, put = f.size * np.dtype(f.type).itemsize, view.fields[f.name][1]
            rows = [range(start, start + size)] * seats
        elif f.sight is OWNER:
            row = f.own_row()
            size, put = row.size * np.dtype(f.type).itemsize, view.fields[row.name][1]
            rows = [range(start + seat * size, start + (seat + 1) * size) for seat in range(seats)]
        else:
            continue
        target.extend(range(put, put + size))
        source.extend([row[i] for row in rows] for i in range(size))
    shown = sum(f.size * np.dtype(f.type).itemsize for f in fields if f.sight is PUBLIC)
    return np.array(source, np.int64).T.copy(), np.array(target, np.int64), shown


class PlainRecord:
    """A record as a plain object: Python ints and nested lists, range-checked whenever it is packed.

    Interpreted rules work on these: many times faster than a NumPy record, readable in a debugger, and with the
    arithmetic of native code (no int8 that wraps at 127).
    """

    __slots__ = ("news",)
    layout: RecordLayout

    def __init__(self) -> None:
        self.news: list[tuple[int, ...]] | None = None  # collects what the rules tell; None: nobody listens
        self.layout.clear(self)

    def load(self, data: bytes | memoryview) -> None:
        self.layout.fill(self, self.layout.packing.unpack(data))

    def pack(self) -> bytes:
        """Returns the bytes of the record; raises OutOfRange if a value does not fit its field."""
        values = self.layout.flatten(self)
        if min(values) < 0 or any(map(gt, values, self.layout.highest)):
            self.layout.complain(values)
        return self.layout.packing.pack(*values)

    def snapshot(self) -> bytes:
        """The same bytes, unchecked: while a rule is at work, a value may be out of its range."""
        return self.layout.packing.pack(*self.layout.flatten(self))

    def copy(self) -> Any:
        other = object.__new__(type(self))  # skips clearing: it is filled at once
        other.news = None
        other.layout.fill(other, self.layout.flatten(self))
        return other


class RecordLayout:
    """The byte layout of one record, and the plain class that mirrors it."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = list(fields)
        self.dtype = state_dtype(fields)
        self.highest = tuple(f.highest for f in fields for _ in range(f.size))
        self.packing = struct.Struct(self._format())
        self.flatten = eval(f"lambda s: ({', '.join(self._parts())},)")  # built only from field names
        namespace: dict[str, Any] = {}
        exec(self._filler(), namespace)
        self.fill = namespace["fill"]

    @cached_property
    def plain(self) -> type[PlainRecord]:
        names = tuple(f.name for f in self.fields)
        return type("State", (PlainRecord,), {"__slots__": names, "layout": self})

    def clear(self, s: Any) -> None:
        self.fill(s, (0,) * len(self.highest))

    def complain(self, values: Sequence[int]) -> None:
        """Raises OutOfRange with the name of the first value that breaks its range."""
        names = list(self.elements())
        for name, value, highest in zip(names, values, self.highest, strict=True):
            if not 0 <= value <= highest:
                raise OutOfRange(f"{name} = {value}: must be 0 to {highest}")

    @cached_property
    def places(self) -> list[tuple[str, int, int]]:
        """Where each field lies: its name, its first byte and the byte after its last."""
        assert self.dtype.fields is not None
        starts = [(f, self.dtype.fields[f.name][1]) for f in self.fields]
        return [(f.name, start, start + f.size * np.dtype(f.type).itemsize) for f, start in starts]

    def differences(self, data: bytes, other: bytes) -> dict[str, Any]:
        """The fields of the record `data` that are not the same in the record `other`, as plain values."""
        names = [name for name, start, end in self.places if data[start:end] != other[start:end]]
        s = self.plain()
        s.load(data)
        return {name: getattr(s, name) for name in names}

    def elements(self) -> Iterator[str]:
        """The name of every value in order: `seats`, `hand[0][3]`, …"""
        for f in self.fields:
            for index in product(*map(range, f.shape)):
                yield f.name + "".join(f"[{i}]" for i in index)

    def _format(self) -> str:
        text, at = "<", 0
        assert self.dtype.fields is not None
        for f in self.fields:
            start = self.dtype.fields[f.name][1]
            text += f"{start - at}x{f.size}{STRUCT_CODE[f.type]}"
            at = start + f.size * np.dtype(f.type).itemsize
        return text + f"{self.dtype.itemsize - at}x"

    def _parts(self) -> Iterator[str]:
        for f in self.fields:
            star = "*" if f.shape else ""
            for index in product(*map(range, f.shape[:-1])):
                yield f"{star}s.{f.name}" + "".join(f"[{i}]" for i in index)

    def _filler(self) -> str:
        lines, at = ["def fill(s, v):"], 0
        for f in self.fields:
            text, at = _slices(f.shape, at)
            lines.append(f"    s.{f.name} = {text}")
        return "\n".join(lines)


def _slices(shape: tuple[int, ...], at: int) -> tuple[str, int]:
    """Source text that rebuilds a nested list of this shape from the flat values `v`."""
    if not shape:
        return f"v[{at}]", at + 1
    if len(shape) == 1:
        return f"list(v[{at}:{at + shape[0]}])", at + shape[0]
    rows = []
    for _ in range(shape[0]):
        text, at = _slices(shape[1:], at)
        rows.append(text)
    return f"[{', '.join(rows)}]", at


class Layout:
    """The layouts of a game's states and views, and the way from one to the other."""

    def __init__(self, fields: Sequence[Field], seats: int) -> None:
        names = [f.name for f in fields]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise ValueError(f"fields declared twice: {', '.join(sorted(twice))}")
        self.seats = seats
        self.state = RecordLayout(by_sight(fields))
        self.view = RecordLayout(view_fields(fields, seats))
        self.source, self.target, self.shown = byte_map(fields, seats)
        assert self.view.dtype.fields is not None
        self.seat_at = self.view.dtype.fields["seat"][1]  # the byte of a view that says whose it is

    def states(self, count: int) -> NDArray[np.void]:
        """`count` empty states, one record each."""
        return np.zeros(count, self.state.dtype)

    def observe(self, states: NDArray[np.void], seat: int) -> NDArray[np.void]:
        """The views of `states` from `seat`: a copy of what is allowed, never a state minus its secrets."""
        size = self.state.dtype.itemsize
        raw = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), size)
        views = np.zeros((len(states), self.view.dtype.itemsize), np.uint8)
        count = self.shown if seat == SPECTATOR else len(self.target)
        source = self.source[0 if seat == SPECTATOR else seat, :count]
        views[:, self.target[:count]] = raw[:, source]
        seen = views.view(self.view.dtype).reshape(len(states))
        seen["seat"] = seat
        return seen

    def observer(self, states: NDArray[np.void]) -> tuple[Any, ...]:
        """The buffers and byte maps with which `core.observe` views the first of `states` in native code."""
        size = self.view.dtype.itemsize
        buffer = np.zeros((size + 7) // 8 * 8, np.uint8)  # whole words, so that a view can be hashed word by word
        views = buffer[:size].view(self.view.dtype)
        own_from, own_to = (own.astype(np.uint32) for own in (self.source[:, self.shown :], self.target[self.shown :]))
        common = int(self.target[self.shown - 1]) + 1
        return states.view(np.uint8), buffer, views, own_from, own_to, common, self.seat_at

    def observe_plain(self, s: PlainRecord, seat: int) -> Any:
        """The view of one interpreted table as a plain object."""
        return self.view_of(self.observe(np.frombuffer(s.pack(), self.state.dtype), seat)[0].tobytes())

    def view_of(self, data: bytes) -> Any:
        view = object.__new__(self.view.plain)
        view.news = None
        view.load(data)
        return view

    def unobserve(self, view: NDArray[np.void], s: NDArray[np.void]) -> None:
        """Writes what `view` shows into the otherwise empty states `s`: the start of every `imagine`."""
        seat = int(view["seat"][0])
        raw = s.view(np.uint8).reshape(len(s), self.state.dtype.itemsize)
        raw[:] = 0
        count = self.shown if seat == SPECTATOR else len(self.target)
        seen = np.ascontiguousarray(view).view(np.uint8).reshape(len(view), self.view.dtype.itemsize)
        raw[:, self.source[0 if seat == SPECTATOR else seat, :count]] = seen[:, self.target[:count]]

    @cached_property
    def encoding(self) -> list[str]:
        """The meaning of every column of an encoded view."""
        meanings = []
        for f in self.view.fields:
            for index in product(*map(range, f.shape)):
                name = f.name + "".join(f"[{i}]" for i in index)
                if f.codes:
                    meanings += [f"{name} is {code}: {f.meaning}" for code in range(f.highest + 1)]
                else:
                    meanings.append(f"{name} / {f.highest}: {f.meaning}")
        return meanings

    def encode(self, views: NDArray[np.void]) -> NDArray[np.float32]:
        """Views as numbers from 0 to 1, for learning; `encoding` names the columns."""
        columns = []
        for f in self.view.fields:
            values = views[f.name].reshape(len(views), f.size)
            if f.codes:
                columns.append((values[:, :, None] == np.arange(f.highest + 1)).reshape(len(views), -1))
            else:
                columns.append(values / f.highest)
        return np.concatenate(columns, axis=1).astype(np.float32)
