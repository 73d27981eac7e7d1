"""Tables sorted on the device by what each must do next, so that neighbouring threads run the same rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import Game
from tripot.lab.gpu.bindings import KEY_DONE, KEY_KINDS
from tripot.lab.gpu.build import launcher

MAX_COUNTING_BLOCKS = 512


class TableOrder:
    """Tables in the order of their keys."""

    def __init__(self, cuda: Any, game: Game, keys: NDArray[np.uint8], stream: Any = 0) -> None:
        self.keys = cuda.to_device(keys)
        self.counts = cuda.to_device(np.zeros(KEY_KINDS, np.int32))
        self.ends = cuda.to_device(np.zeros(KEY_KINDS, np.int32))  # after a sort: where the tables of each key end
        self.tables = cuda.to_device(np.zeros(len(keys), np.int32))
        blocks = -(-len(keys) // KEY_KINDS)
        self._count = launcher(game, "count_keys", min(blocks, MAX_COUNTING_BLOCKS), KEY_KINDS, stream=stream)
        self._sum = launcher(game, "sum_counts", 1, KEY_KINDS, stream=stream)
        self._place = launcher(game, "place_tables", blocks, KEY_KINDS, stream=stream)

    def sort(self) -> None:
        """Sorts the tables by their present keys."""
        self._count(self.keys, self.counts)
        self._sum(self.counts, self.ends)
        self._place(self.keys, self.ends, self.tables)

    def count_busy(self) -> int:
        """Returns how many tables were not done at the last sort. Waits for the device."""
        return int(self.ends.copy_to_host()[KEY_DONE - 1])
