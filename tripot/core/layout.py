"""How a state lies in memory, and who sees what: a state is a list of fields, and every field says who sees it.

The state's dtype, the view's dtype, `observe`, the plain objects that interpreted rules work on and the numeric
encoding of a view all follow from that list.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import product
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

I8, I16, I32, U32 = "i1", "i2", "i4", "u4"
STRUCT_CODE = {I8: "b", I16: "h", I32: "i", U32: "I"}
LARGEST_SET = 127  # encoders read the members of a set from one byte
SPECTATOR = 127  # the `seat` of a view that belongs to no seat


class Sight(Enum):
    """Who sees a field. OWNER fields have one row for each seat, seen by that seat alone."""

    PUBLIC = "public"
    OWNER = "owner"
    HIDDEN = "hidden"


PUBLIC, OWNER, HIDDEN = Sight.PUBLIC, Sight.OWNER, Sight.HIDDEN


class Values(Enum):
    """What the numbers of a field are. Version 2 of the encoding (`core.encoding`) treats each kind in its own way."""

    AMOUNT = "amounts"
    NAME = "names"
    SEAT = "seats"
    SEAT_OR_NOBODY = "1 + a seat, or 0"
    SET = "a set: a bit for each member"
    SEAT_SET = "a set of seats"


AMOUNT, NAME, SEAT, SEAT_OR_NOBODY = Values.AMOUNT, Values.NAME, Values.SEAT, Values.SEAT_OR_NOBODY
SET, SEAT_SET = Values.SET, Values.SEAT_SET


class SeatAxis(int):
    """The length of an axis that counts seats, in the shape of a field: an encoded view turns it to its own seat."""


class OutOfRange(ValueError):
    """A rule put a value into a field that the field does not allow."""


@dataclass(frozen=True)
class Field:
    """One line of a state. Values run from 0 to `highest`; 0 is always "nothing" or "none".

    What follows `codes` is for version 2 of the encoding.
    """

    name: str
    type: str
    shape: tuple[int, ...]
    sight: Sight
    highest: int
    meaning: str
    codes: bool = False  # the values are names, not amounts: encoded one column each
    values: Values | None = None  # by default names where they are codes, else amounts
    scale: int = 0  # the amount that is encoded as 1: about the most that one game in a hundred sees; 0: `highest`
    steps: int = 0  # how many more columns there are: "at least 1", "at least 2", …
    absent: tuple[int, ...] = ()  # names, members of a set or slots that no seat to move ever sees: no column …
    absent_by: tuple[tuple[int, ...], ...] = ()  # … and those that it never sees there, by index along the first axis
    only: Sequence[int] = ()  # the indices along the last axis that have columns, where not all mean something
    given: str = ""  # the field, of the same shape, that must not be 0 for this one to say anything
    sides: bool = False  # each seat has another of these values; slots then go round by side, not by seat
    house_rule: bool = False  # constant unless the house rules vary
    encoded: bool = True  # False: scratch, or what other columns say already

    def __post_init__(self) -> None:
        limit = int(np.iinfo(self.type).max)
        if not 0 < self.highest <= limit:
            raise ValueError(f"field {self.name}: highest value {self.highest} does not fit {self.type} (1 to {limit})")
        if self.holds is Values.SET and self.highest > LARGEST_SET:
            raise ValueError(f"field {self.name}: a set has at most 7 members; give a longer one a 0 or 1 for each")
        if self.sight is OWNER and not self.shape:
            raise ValueError(f"field {self.name}: an OWNER field needs a row for each seat")

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def own_row(self) -> Field:
        """The field as its owner sees it in a view: their own row."""
        return replace(self, name="my_" + self.name, shape=self.shape[1:], sight=PUBLIC)

    @property
    def holds(self) -> Values:
        return self.values or (NAME if self.codes else AMOUNT)


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
    whose = Field("seat", I8, (), PUBLIC, SPECTATOR, "whose view this is; 127 for a spectator", encoded=False)
    return [*public, *own, whose]


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

    __slots__ = ("luck", "news")
    layout: RecordLayout

    def __init__(self) -> None:
        self.news: list[tuple[int, ...]] | None = None  # collects what the rules tell; None: nobody listens
        self.luck: Any = None  # a keyed generator (`shared_seed`); None: sfc32, whose words are in the record
        self.layout.clear(self)

    def load(self, data: bytes | memoryview) -> None:
        self.layout.fill(self, self.layout.packing.unpack(data))

    @classmethod
    def loaded(cls, data: bytes | memoryview) -> Any:
        """A new record with this content."""
        record = object.__new__(cls)  # skips clearing: it is filled at once
        record.news = record.luck = None
        record.load(data)
        return record

    def pack(self) -> bytes:
        """Returns the bytes of the record; raises OutOfRange if a value does not fit its field."""
        values = self.layout.flatten(self)
        try:
            data = self.layout.packing.pack(*values)
        except struct.error:  # a value does not even fit its type
            self.layout.complain(values)
            raise
        if not self.layout.in_range(data, values):
            self.layout.complain(values)
        return data

    def snapshot(self) -> bytes:
        """The same bytes, unchecked: while a rule is at work, a value may be out of its range."""
        return self.layout.packing.pack(*self.layout.flatten(self))

    def copy(self) -> Any:
        other = object.__new__(type(self))  # skips clearing: it is filled at once
        other.news, other.luck = None, self.luck
        self.layout.copy(self, other)
        return other


class RecordLayout:
    """The byte layout of one record, and the plain class that mirrors it."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self.fields = list(fields)
        self.dtype = state_dtype(fields)
        self.highest = tuple(f.highest for f in fields for _ in range(f.size))
        self._small, self._to_limit, self._top_bits, self._wide_limits = self._limits()
        self.packing = struct.Struct(self._format())
        self.flatten = eval(f"lambda s: ({', '.join(self._parts())},)")  # built only from field names
        self.names = tuple(f.name for f in self.fields)
        self.values = attrgetter(*self.names) if len(fields) > 1 else lambda s: (getattr(s, self.names[0]),)
        self.fill = _function(self._filler(), "fill")
        copied = [f"o.{f.name} = {_copied(f's.{f.name}', f.shape)}" for f in self.fields]
        self.copy = _function(["def copy(s, o):", *copied], "copy")

    @cached_property
    def plain(self) -> type[PlainRecord]:
        return type("State", (PlainRecord,), {"__slots__": self.names, "layout": self})

    def clear(self, s: Any) -> None:
        self.fill(s, (0,) * len(self.highest))

    def in_range(self, data: bytes, values: Sequence[int]) -> bool:
        """Whether every value is in the range of its field; `data` is the record of these values."""
        small = int.from_bytes(data, "little") & self._small
        if (small + self._to_limit | small) & self._top_bits:
            return False
        return all([0 <= values[place] <= highest for place, highest in self._wide_limits])

    def _limits(self) -> tuple[int, int, int, list[tuple[int, int]]]:
        """The limits of all byte fields in three numbers as long as a record, and the highest of each wider value.

        A byte is above its limit, or negative, if its top bit is set, or would be once what its limit lacks to 127 is
        added: no sum goes over into the next byte. What fits its type and may be anything has no limit.
        """
        assert self.dtype.fields is not None
        small, to_limit, top_bits, wide, at = 0, 0, 0, [], 0
        for f in self.fields:
            start = self.dtype.fields[f.name][1]
            if f.type == I8:
                for place in range(start, start + f.size):
                    small |= 0xFF << 8 * place
                    to_limit |= 127 - f.highest << 8 * place
                    top_bits |= 0x80 << 8 * place
            elif f.type != U32 or f.highest < np.iinfo(U32).max:
                wide += [(place, f.highest) for place in range(at, at + f.size)]
            at += f.size
        return small, to_limit, top_bits, wide

    def complain(self, values: Sequence[int]) -> None:
        """Raises OutOfRange with the name of the first value that breaks its range."""
        names = list(self.elements())
        for name, value, highest in zip(names, values, self.highest, strict=True):
            if not 0 <= value <= highest:
                raise OutOfRange(f"{name} = {value}: must be 0 to {highest}")

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

    def _filler(self) -> list[str]:
        lines, at = ["def fill(s, v):"], 0
        for f in self.fields:
            text, at = _slices(f.shape, at)
            lines.append(f"s.{f.name} = {text}")
        return lines


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


def _copied(value: str, shape: tuple[int, ...]) -> str:
    """Source text that copies a nested list of this shape.

    >>> _copied("s.hand", (4, 6))
    'list(map(list, s.hand))'
    """
    if len(shape) < 2:
        return f"{value}[:]" if shape else value
    if len(shape) == 2:
        return f"list(map(list, {value}))"
    return f"[{_copied('row', shape[1:])} for row in {value}]"


def _function(lines: list[str], name: str, **given: Any) -> Callable[..., Any]:
    """Compiles a function from its first line and its statements, built only from field names and what is `given`."""
    exec("\n    ".join(lines), given)
    made: Callable[..., Any] = given[name]
    return made


class PlainSight:
    """The allow-list for plain objects: what `byte_map` is for records, as functions that copy field by field."""

    def __init__(self, fields: Sequence[Field]) -> None:
        public = [f for f in fields if f.sight is PUBLIC]
        rows = [(f.own_row().name, f"s.{f.name}[seat]", f) for f in fields if f.sight is OWNER]
        shown = [f"v.{f.name} = {_copied(f's.{f.name}', f.shape)}" for f in public]
        own = [f"v.{name} = {_copied(row, f.shape[1:])}" for name, row, f in rows]
        nothing = [f"v.{name} = {_zeros(f.shape[1:])}" for name, _, f in rows]
        shared = [f"v.{f.name} = s.{f.name}" for f in public]
        own_shared = [f"v.{name} = {row}" for name, row, _ in rows]
        back = [f"s.{f.name} = {_copied(f'v.{f.name}', f.shape)}" for f in public]
        back += [f"s.{f.name} = {_zeros(f.shape)}" for f in fields if f.sight is not PUBLIC]
        own_back = [f"{row} = {_copied(f'v.{name}', f.shape[1:])}" for name, row, f in rows]
        self.show = _function(["def show(s, v):", *shown, "return"], "show")
        self.show_own = _function(["def show_own(s, v, seat):", *own, "return"], "show_own")
        self.share = _function(["def share(s, v):", *shared, "return"], "share")
        self.share_own = _function(["def share_own(s, v, seat):", *own_shared, "return"], "share_own")
        self.show_nothing = _function(["def show_nothing(v):", *nothing, "return"], "show_nothing")
        self.put_back = _function(["def put_back(v, s):", *back, "return"], "put_back")
        self.put_back_own = _function(["def put_back_own(v, s, seat):", *own_back, "return"], "put_back_own")


def _zeros(shape: tuple[int, ...]) -> str:
    """Source text of a nested list of zeros.

    >>> _zeros((2, 3))
    '[[0, 0, 0], [0, 0, 0]]'
    """
    return f"[{', '.join([_zeros(shape[1:])] * shape[0])}]" if shape else "0"


class Part(NamedTuple):
    """A field of a view: its name there, where it lies in the bytes of a state, and how it is read from them."""

    name: str
    place: slice
    read: Callable[[bytes], Any]


def _part(name: str, f: Field, shape: tuple[int, ...], start: int) -> Part:
    packing = struct.Struct(f"<{math.prod(shape)}{STRUCT_CODE[f.type]}")
    values = "list(v)" if len(shape) == 1 else _slices(shape, 0)[0]
    lines = ["def read(data):", f"v = unpack(data, {start})", f"return {values}"]
    return Part(name, slice(start, start + packing.size), _function(lines, "read", unpack=packing.unpack_from))


def view_parts(fields: Sequence[Field], seats: int) -> tuple[list[Part], list[list[Part]]]:
    """The public fields of a state, and by seat its own rows: what `byte_map` allows, field by field."""
    state = state_dtype(by_sight(fields)).fields
    assert state is not None
    public = [_part(f.name, f, f.shape, state[f.name][1]) for f in fields if f.sight is PUBLIC]
    own: list[list[Part]] = [[] for _ in range(seats)]
    for f in fields:
        if f.sight is OWNER:
            row = f.own_row()
            size = row.size * np.dtype(f.type).itemsize
            for seat in range(seats):
                own[seat].append(_part(row.name, f, row.shape, state[f.name][1] + seat * size))
    return public, own


def _merged(places: Sequence[slice]) -> list[slice]:
    """The same bytes in fewer slices.

    >>> _merged([slice(4, 6), slice(0, 2), slice(2, 3)])
    [slice(0, 3, None), slice(4, 6, None)]
    """
    found: list[slice] = []
    for place in sorted(places, key=attrgetter("start")):
        if found and found[-1].stop == place.start:
            place = slice(found.pop().start, place.stop)
        found.append(place)
    return found


class Changes(NamedTuple):
    """What two states do not have in common, as it is in the first of them."""

    public: dict[str, Any]
    own: dict[int, dict[str, Any]]  # by seat, what it alone sees


class Comparison:
    """Finds what changed from one state to another. Of what does not change, nothing is looked at but the bytes."""

    def __init__(self, size: int, public: Sequence[Part], own: Sequence[Sequence[Part]]) -> None:
        self._size = size
        # By byte: who sees what there, where it ends and how it is read. Where nobody sees anything, only the end.
        self._at: list[tuple[int | None, str, int, Callable[[bytes], Any]]] = [(None, "", size, bytes)] * size
        parts = [(seat, part) for seat, seen in [(SPECTATOR, public), *enumerate(own)] for part in seen]
        end = 0  # of what is seen so far
        for seat, part in sorted(parts, key=lambda one: one[1].place.start):
            first, last = part.place.start, part.place.stop
            self._at[end:first] = [(None, "", first, bytes)] * (first - end)
            self._at[first:last] = [(seat, part.name, last, part.read)] * (last - first)
            end = last

    def changes(self, data: bytes, other: bytes) -> Changes:
        """What the state `data` shows that the state `other` does not. Bytes that nobody sees are passed over."""
        differ = (int.from_bytes(data, "little") ^ int.from_bytes(other, "little")).to_bytes(self._size, "little")
        public: dict[str, Any] = {}
        own: dict[int, dict[str, Any]] = {}
        size, places, rest = self._size, self._at, differ.lstrip(b"\0")
        while rest:
            seat, name, end, read = places[size - len(rest)]
            if seat == SPECTATOR:
                public[name] = read(data)
            elif seat is not None:
                own.setdefault(seat, {})[name] = read(data)
            rest = differ[end:].lstrip(b"\0")
        return Changes(public, own)


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
        self._sight = PlainSight(fields)
        self._common = int(self.target[self.shown - 1]) + 1
        self.public_parts, self.own_parts = view_parts(fields, seats)
        self.changes = Comparison(self.state.dtype.itemsize, self.public_parts, self.own_parts).changes

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
        return states.view(np.uint8), buffer, views, own_from, own_to, self._common, self.seat_at

    def observe_plain(self, s: PlainRecord, seat: int) -> Any:
        """The view of one interpreted table as a plain object: a copy of what is allowed, as `observe` makes it."""
        view: Any = object.__new__(self.view.plain)
        view.news = view.luck = None
        view.seat = seat
        self._sight.show(s, view)
        if seat == SPECTATOR:
            self._sight.show_nothing(view)
        else:
            self._sight.show_own(s, view, seat)
        return view

    def share_plain(self, s: PlainRecord, seat: int) -> Any:
        """The same view for reading only, while nobody changes `s`: it has the lists of `s` and no copies of them."""
        view: Any = object.__new__(self.view.plain)
        view.news = view.luck = None
        view.seat = seat
        self._sight.share(s, view)
        if seat == SPECTATOR:
            self._sight.show_nothing(view)
        else:
            self._sight.share_own(s, view, seat)
        return view

    def places(self, names: Collection[str] | None, seat: int) -> list[slice]:
        """Where in the bytes of a state lies what `seat` sees of these fields of a view; None: of all of them."""
        parts = self.public_parts if seat == SPECTATOR else [*self.public_parts, *self.own_parts[seat]]
        return _merged([part.place for part in parts if names is None or part.name in names])

    def unobserve_plain(self, view: Any) -> Any:
        """An otherwise empty state with what a plain view shows."""
        s: Any = object.__new__(self.state.plain)
        s.news = s.luck = None
        self._sight.put_back(view, s)
        if view.seat != SPECTATOR:
            self._sight.put_back_own(view, s, view.seat)
        return s

    def view_of(self, data: bytes) -> Any:
        return self.view.plain.loaded(data)

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
        """The meaning of every column of an encoded view, version 1."""
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
        """Views as numbers from 0 to 1: version 1 of the encoding, whose columns `encoding` names.

        `core.encoding` has version 2, for learning.
        """
        columns = []
        for f in self.view.fields:
            values = views[f.name].reshape(len(views), f.size)
            if f.codes:
                columns.append((values[:, :, None] == np.arange(f.highest + 1)).reshape(len(views), -1))
            else:
                columns.append(values / f.highest)
        return np.concatenate(columns, axis=1).astype(np.float32)
