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
    """The values of a view, in order. The last one is the seat itself, which lies in no state.

    Places are unsigned: native code then skips the test whether an index counts from the end.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        shown = layout.view.fields
        assert shown[-1].name == "seat"
        self.width = len(layout.encoding)  # columns when encoded
        self.scaled, self.starts = self._scale_amounts()
        self.sizes = np.array([np.dtype(f.type).itemsize for f in shown for _ in range(f.size)])
        assert max(self.sizes) <= 2, "a value has one or two bytes"
        self.spans = np.array([f.highest + 1 if f.codes else 0 for f in shown for _ in range(f.size)])
        assert max(self.sizes[self.spans > 0]) == 1, "a code has one byte"
        self.columns = np.cumsum(np.maximum(self.spans, 1)) - np.maximum(self.spans, 1)
        self.count = len(self.sizes)  # of single values
        self.origins = self._origins()

    def _scale_amounts(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Returns every amount divided by its field's highest, and where the amounts of each value start."""
        parts, starts, length = [], [], 0
        for f in self.layout.view.fields:
            starts += [length] * f.size
            if not f.codes:
                parts.append((np.arange(f.highest + 1) / f.highest).astype(np.float32))
                length += f.highest + 1
        return np.concatenate(parts), np.array(starts, np.int64)

    def _origins(self) -> NDArray[np.uint32]:
        """Returns, by seat, the first byte of each value in the state."""
        layout, at = self.layout, []
        offsets = layout.view.dtype.fields
        assert offsets is not None
        for f in layout.view.fields[:-1]:
            at += [offsets[f.name][1] + i * np.dtype(f.type).itemsize for i in range(f.size)]
        behind = np.zeros((layout.seats, layout.view.dtype.itemsize), np.uint32)
        behind[:, layout.target] = layout.source
        return np.ascontiguousarray(behind[:, at])

    @cached_property
    def view_places(self) -> tuple[Any, ...]:
        """For `loops.copy_views`: a seat's own bytes, where they go, how many are common, where the seat is."""
        return self.layout.observer(self.layout.states(1))[3:]

    @cached_property
    def numbers(self) -> Places:
        """For `loops.list_views`: low bytes, high bytes of wide values, and which values these are."""
        wide = np.flatnonzero(self.sizes[:-1] == 2)
        return self.origins, np.ascontiguousarray(self.origins[:, wide] + np.uint32(1)), wide.astype(np.uint32)

    @cached_property
    def tables(self) -> tuple[Places, Places, Places, NDArray[np.float32]]:
        """For `loops.encode_views`: places, columns and starts of narrow amounts, wide amounts and codes."""
        amounts, narrow = self.spans[:-1] == 0, self.sizes[:-1] == 1
        return self._places(amounts & narrow), self._places(amounts & ~narrow), self._places(~amounts), self.scaled

    def _places(self, chosen: NDArray[np.bool_]) -> Places:
        which = np.flatnonzero(chosen)
        places = np.ascontiguousarray(self.origins[:, which])
        return places, self.columns[which].astype(np.uint32), self.starts[which].astype(np.uint32)

    def encode(self, view: NDArray[np.void]) -> NDArray[np.float32]:
        """Encodes one view as `Layout.encode` does, from an array of one record; faster if called often."""
        values = np.array(self.layout.view.packing.unpack(view.tobytes()), np.int64)
        encoded, amounts = np.zeros(self.width, np.float32), self.spans == 0
        encoded[self.columns[amounts]] = self.scaled[self.starts[amounts] + values[amounts]]
        encoded[self.columns[~amounts] + values[~amounts]] = 1
        return encoded


class ArrayEncoding:
    """Version 1 of the encoding for view bytes in arrays of NumPy or PyTorch; `where` places its tables."""

    def __init__(self, encoding: Encoding, library: Any, **where: Any) -> None:
        offsets = encoding.layout.view.dtype.fields
        assert offsets is not None
        shown = encoding.layout.view.fields
        at = [offsets[f.name][1] + i * np.dtype(f.type).itemsize for f in shown for i in range(f.size)]
        columns = np.maximum(encoding.spans, 1)  # of each value
        value = np.repeat(np.arange(encoding.count), columns)
        first = np.array(at)[value]
        coded = encoding.spans[value] > 0
        tables = {
            "low": first,
            "high": np.where(encoding.sizes[value] == 2, first + 1, 0),
            "wide": (encoding.sizes[value] == 2).astype(np.int64) * 256,
            "code": np.arange(encoding.width) - encoding.columns[value],
            "start": np.where(coded, len(encoding.scaled), encoding.starts[value]),
            "coded": coded.astype(np.int64),
            "scaled": np.append(encoding.scaled, np.array([0, 1], np.float32)),  # a name is 0 or 1
        }
        self.tables = {name: library.asarray(table, **where) for name, table in tables.items()}

    def encode(self, raw: Any) -> Any:
        """Encodes rows of bytes, uint8; returns float32, equal to native code to the last bit."""
        t = self.tables
        values = raw[:, t["low"]] + raw[:, t["high"]] * t["wide"]
        return t["scaled"][t["start"] + values * (1 - t["coded"]) + (values == t["code"]) * t["coded"]]
