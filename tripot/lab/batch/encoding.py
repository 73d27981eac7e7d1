"""Where every value of a seat's view lies in the bytes of a state, for encoding many views at once.

All of it follows from the allow-list in `core.layout`: what a seat may not see has no place here.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.layout import Layout

Places = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]


class Encoding:
    """The values of a view, in order, with the seat itself as the last one; it lies in no state.

    Unsigned places: native code need not ask whether they count from the end.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        shown = layout.view.fields
        assert shown[-1].name == "seat"
        self.width = len(layout.encoding)  # columns when encoded
        self.worth, self.starts = self._worth()
        self.sizes = np.array([np.dtype(f.type).itemsize for f in shown for _ in range(f.size)])
        assert max(self.sizes) <= 2, "values of one or two bytes"
        self.spans = np.array([f.highest + 1 if f.codes else 0 for f in shown for _ in range(f.size)])
        assert max(self.sizes[self.spans > 0]) == 1, "a code fills one byte"
        self.columns = np.cumsum(np.maximum(self.spans, 1)) - np.maximum(self.spans, 1)
        self.count = len(self.sizes)  # of single values
        self.origins = self._origins()

    def _worth(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Every amount as a fraction of its field's highest, and for each value where its part of that table starts."""
        parts, starts, length = [], [], 0
        for f in self.layout.view.fields:
            starts += [length] * f.size
            if not f.codes:
                parts.append((np.arange(f.highest + 1) / f.highest).astype(np.float32))
                length += f.highest + 1
        return np.concatenate(parts), np.array(starts, np.int64)

    def _origins(self) -> NDArray[np.uint32]:
        """By seat, the first byte of each value in the state."""
        layout, at = self.layout, []
        offsets = layout.view.dtype.fields
        assert offsets is not None
        for f in layout.view.fields[:-1]:
            at += [offsets[f.name][1] + i * np.dtype(f.type).itemsize for i in range(f.size)]
        behind = np.zeros((layout.seats, layout.view.dtype.itemsize), np.uint32)
        behind[:, layout.target] = layout.source
        return np.ascontiguousarray(behind[:, at])

    @cached_property
    def looks(self) -> tuple[Any, ...]:
        """What `rows.look_rows` needs: a seat's own bytes, where they go, how many are common, where the seat is."""
        return self.layout.eyes(self.layout.states(1))[3:]

    @cached_property
    def numbers(self) -> Places:
        """What `rows.number_rows` needs: low bytes, high bytes of wide values, and which values these are."""
        wide = np.flatnonzero(self.sizes[:-1] == 2)
        return self.origins, np.ascontiguousarray(self.origins[:, wide] + np.uint32(1)), wide.astype(np.uint32)

    @cached_property
    def tables(self) -> tuple[Places, Places, Places, NDArray[np.float32]]:
        """What `rows.encode_rows` needs: places, columns and starts of narrow amounts, wide ones and codes."""
        amounts, narrow = self.spans[:-1] == 0, self.sizes[:-1] == 1
        return self._places(amounts & narrow), self._places(amounts & ~narrow), self._places(~amounts), self.worth

    def _places(self, chosen: NDArray[np.bool_]) -> Places:
        which = np.flatnonzero(chosen)
        places = np.ascontiguousarray(self.origins[:, which])
        return places, self.columns[which].astype(np.uint32), self.starts[which].astype(np.uint32)

    def encode(self, view: NDArray[np.void]) -> NDArray[np.float32]:
        """One view as `Layout.encode` has it, from an array of one record; faster where it is asked for often."""
        values = np.array(self.layout.view.packing.unpack(view.tobytes()), np.int64)
        encoded, amounts = np.zeros(self.width, np.float32), self.spans == 0
        encoded[self.columns[amounts]] = self.worth[self.starts[amounts] + values[amounts]]
        encoded[self.columns[~amounts] + values[~amounts]] = 1
        return encoded
