"""Version 2 of the encoding executed on arrays: NumPy, or PyTorch and JAX on their devices."""

from __future__ import annotations

from typing import Any

import numpy as np


class ArrayEncoder:
    """An encoder whose tables are arrays of NumPy, PyTorch or JAX, on a device or not.

    Everything is indexing, comparing and one multiplication, so it can be traced and compiled.
    """

    def __init__(
        self,
        plan: dict[str, Any],
        finder: tuple[Any, ...],
        turning: tuple[Any, ...],
        library: Any,
        where: dict[str, Any],
    ) -> None:
        self.library = library
        places, factors, self.seat_factor, frames = finder
        self.keys = list(zip(places.tolist(), factors.tolist(), strict=True))
        self.counts = plan["counts"].tolist()
        self.found, self.low, self.code, self.given, self.scale, self.wide, self.high = (
            library.asarray(table, **where)
            for table in (frames, *(plan[name] for name in ("low", "code", "given", "scale", "wide", "high")))
        )
        self.actions, self.turned_actions, self.seating = (library.asarray(table, **where) for table in turning)

    def frames(self, raw: Any, seats: Any) -> Any:
        """The frame of each row of `raw`, the bytes of its record, as `seats` see it."""
        whole = self.found.dtype  # 64 bits wide, in JAX 32 unless it is told otherwise
        key = _cast(seats, whole) * self.seat_factor
        for place, factor in self.keys:
            key = key + _cast(raw[:, place], whole) * factor
        return self.found[key]

    def encode(self, raw: Any, frames: Any, kind: str = "float32") -> Any:
        """Encodes rows of bytes, uint8; returns a row each, float32 or what `kind` names (`bfloat16`)."""
        lib, rows = self.library, self._rows(raw)
        padded = lib.concatenate([raw, lib.zeros_like(raw[:, :1])], 1)
        values = self._as(padded[rows, self.low[frames]], "int16")
        cuts = np.cumsum(self.counts).tolist()
        amounts, at_least, equal, given, members = (
            values[:, start:end] for start, end in zip([0, *cuts], cuts, strict=False)
        )
        if len(self.wide):  # only amounts have two bytes, and columns of "at least" that follow from them
            high = self._as(padded[rows, self.high[frames]], "int16") * 256
            amounts = self._add(amounts, high)
        codes = self.code[frames]
        parts = [
            self._as(amounts, "float32") * self.scale,
            at_least >= codes[:, cuts[0] : cuts[1]],
            equal == codes[:, cuts[1] : cuts[2]],
            (given == codes[:, cuts[2] : cuts[3]]) & (padded[rows, self.given[frames]] != 0),
            (members >> codes[:, cuts[3] :]) & 1,
        ]
        return lib.concatenate([self._as(part, kind) for part in parts], 1)

    def _add(self, amounts: Any, high: Any) -> Any:
        """Adds the high bytes of the wide amounts; no array is written to, as JAX wants it."""
        spread = self.library.zeros_like(amounts)
        columns = self.wide
        if hasattr(spread, "at"):
            return amounts + spread.at[:, columns].set(high)
        spread[:, columns] = high
        return amounts + spread

    def _rows(self, raw: Any) -> Any:
        device = {"device": raw.device} if self.library.__name__ == "torch" else {}
        return self.library.arange(len(raw), **device)[:, None]

    def _as(self, array: Any, kind: str) -> Any:
        return _cast(array, getattr(self.library, kind))


def _cast(array: Any, dtype: Any) -> Any:
    return array.to(dtype) if hasattr(array, "to") else array.astype(dtype)
