"""Helpers of the secrecy tests: they change what a seat may not know.

They compute what is hidden from the field declarations, without the code under test.
"""

import copy
import random
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.layout import OWNER, PUBLIC, Field, Layout
from tripot.table.sights import Sights
from tripot.table.table import Table


def scrambled(layout: Layout, data: bytes, who: int, luck: random.Random) -> bytes:
    """Returns the state with random values in range in every field that `who` may not see."""
    record = bytearray(data)
    chance = np.random.default_rng(luck.getrandbits(64))
    for kind, places, highest in _hidden_values(layout, who):
        values = np.frombuffer(record, kind, len(record) // kind.itemsize)
        values[places] = chance.integers(0, highest, dtype=kind.type, endpoint=True)
    return bytes(record)


@cache
def _hidden_values(layout: Layout, who: int) -> list[tuple[np.dtype[Any], NDArray[np.intp], NDArray[Any]]]:
    """For each type: where `who` may not see a number, counted in numbers of that type, and the highest of each."""
    found: dict[str, list[tuple[NDArray[np.intp], int]]] = {}
    for f in layout.state.fields:
        if f.sight is PUBLIC:
            continue
        start = _start(layout, f) // np.dtype(f.type).itemsize  # fields are aligned
        places = np.arange(start, start + f.size).reshape(f.shape)
        if f.sight is OWNER and who < layout.seats:
            places = np.delete(places, who, axis=0)
        found.setdefault(f.type, []).append((places.ravel(), f.highest))
    return [
        (
            np.dtype(kind),
            np.concatenate([places for places, _ in parts]),
            np.concatenate([np.full(len(places), highest, kind) for places, highest in parts]),
        )
        for kind, parts in found.items()
    ]


def smeared(layout: Layout, data: bytes, who: int, luck: random.Random) -> NDArray[np.void]:
    """Returns the state with random bytes, valid or not, wherever `who` may not see, gaps between fields included."""
    smeared = bytearray(luck.randbytes(len(data)))
    for seen in _seen_bytes(layout, who):
        smeared[seen] = data[seen]
    return np.frombuffer(smeared, layout.state.dtype)


@cache
def _seen_bytes(layout: Layout, who: int) -> list[slice]:
    """Which bytes of a state `who` may see."""
    seen = []
    for f in layout.state.fields:
        start, size = _start(layout, f), f.size * np.dtype(f.type).itemsize
        if f.sight is OWNER:
            size //= layout.seats
            start += who * size
        if f.sight is PUBLIC or (f.sight is OWNER and who < layout.seats):
            seen.append(slice(start, start + size))
    return seen


def _start(layout: Layout, field: Field) -> int:
    """The first byte of a field in a state."""
    assert layout.state.dtype.fields is not None
    start: int = layout.state.dtype.fields[field.name][1]
    return start


def loaded(layout: Layout, data: bytes) -> Any:
    """Unpacks a plain state from its bytes."""
    return layout.state.plain.loaded(data)


def twin(table: Table, data: bytes) -> Table:
    """Returns a table with the same decisions and news, but this state."""
    other = copy.copy(table)
    other._state = loaded(table.game.layout, data)
    other._state.news = []
    other._packed, other._offers = None, {}
    other._sights = Sights(table.game)
    other._moments = table._moments.copy()
    other._news, other.decisions, other._asked = list(table._news), list(table.decisions), dict(table._asked)
    return other
