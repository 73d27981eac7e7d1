"""Helpers of the secrecy tests: they change what a seat may not know.

They compute what is hidden from the field declarations, without the code under test.
"""

import copy
import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.layout import HIDDEN, OWNER, PUBLIC, Layout
from tripot.table.sights import Sights
from tripot.table.table import Table


def scrambled(layout: Layout, data: bytes, who: int, luck: random.Random) -> bytes:
    """Returns the state with random values in range in every field that `who` may not see."""
    record = np.frombuffer(bytearray(data), layout.state.dtype)
    chance = np.random.default_rng(luck.getrandbits(64))
    for f in layout.state.fields:
        if f.sight is PUBLIC:
            continue
        values = chance.integers(0, f.highest, f.shape, np.uint64, endpoint=True)
        if f.sight is HIDDEN:
            record[f.name][0] = values
        elif f.sight is OWNER:
            for seat in range(layout.seats):
                if seat != who:
                    record[f.name][0, seat] = values[seat]
    return bytes(record.data)


def smeared(layout: Layout, data: bytes, who: int, luck: random.Random) -> NDArray[np.void]:
    """Returns the state with random bytes, valid or not, wherever `who` may not see, gaps between fields included."""
    fields = layout.state.dtype.fields
    assert fields is not None
    smeared = bytearray(luck.randbytes(len(data)))
    for f in layout.state.fields:
        start, size = fields[f.name][1], f.size * np.dtype(f.type).itemsize
        if f.sight is OWNER:
            size //= layout.seats
            start += who * size
        if f.sight is PUBLIC or (f.sight is OWNER and who < layout.seats):
            smeared[start : start + size] = data[start : start + size]
    return np.frombuffer(smeared, layout.state.dtype)


def loaded(layout: Layout, data: bytes) -> Any:
    """Unpacks a plain state from its bytes."""
    s = layout.state.plain()
    s.load(data)
    return s


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
