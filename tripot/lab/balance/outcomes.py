"""How games of many sets of house rules ended: what a training run that varies them leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.lab.varied import Rows, Variation

OUTCOMES = "outcomes.npz"
GAMES_ENDED, CLOCK, WON = (
    0,
    1,
    2,
)  # columns: games that ended, the sum of their last turns, sixtieths that each side won


class Outcomes:
    """Sets of house rules as rows of numbers, and counts for each part of a training."""

    def __init__(self, variation: Variation, rows: Rows) -> None:
        self.variation, self.rows = variation, rows
        self.parts: list[NDArray[np.int64]] = []  # [set, column]
        self.ended: list[float] = []  # by part: seconds of training at its end

    def add(self, counts: NDArray[np.int64], seconds: float) -> None:
        self.parts.append(counts)
        self.ended.append(seconds)

    def last(self, parts: int) -> NDArray[np.int64]:
        """The counts of the last parts together: [set, column]."""
        found: NDArray[np.int64] = np.sum(self.parts[-parts:], 0)
        return found

    def save(self, folder: Path) -> None:
        """Writes the file; an interrupted write leaves the old one."""
        about = {"game": self.variation.game.name, "ranges": self.variation.ranges}
        told, written = np.frombuffer(json.dumps(about).encode(), np.uint8), folder / f"{OUTCOMES}.new"
        rows, parts = self.rows.astype(np.int16), np.stack(self.parts)
        with written.open("wb") as file:
            np.savez_compressed(file, about=told, rows=rows, parts=parts, ended=np.array(self.ended))
        written.replace(folder / OUTCOMES)


def load_outcomes(folder: Path) -> Outcomes:
    """What a run has counted so far."""
    try:
        with np.load(folder / OUTCOMES, allow_pickle=False) as kept:
            about: dict[str, Any] = json.loads(bytes(kept["about"]))
            found = Outcomes(Variation(GAMES[about["game"]], about["ranges"]), kept["rows"].astype(np.int64))
            found.parts, found.ended = list(kept["parts"]), kept["ended"].tolist()
            return found
    except (OSError, ValueError, KeyError) as error:
        raise ValueError(f"{folder} has no outcomes of a training with --vary: {error}") from None
