"""Tables that play against themselves, as PyTorch tensors: on a GPU without a byte over the bus, or on a CPU.

The tensors of a run stay the same ones: a step writes into them, so that a CUDA graph can be replayed over them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch import Batch


def sizes_of_tables(tables: int, sizes: tuple[int, ...]) -> list[int]:
    """The size of each table: equal parts, side by side.

    >>> sizes_of_tables(5, (3, 4))
    [3, 3, 4, 4, 4]
    """
    return sorted(sizes[i * len(sizes) // tables] for i in range(tables))


class CpuTables:
    """Tables in native code, a batch for each size."""

    def __init__(self, game: Game, sizes: list[int], seed: int, house_rules: Any = None) -> None:
        count, most = len(sizes), max(game.seats)
        self._batches = [
            (sizes.index(size), Batch(game, sizes.count(size), size, house_rules, seed + number * 10**12))
            for number, size in enumerate(sorted(set(sizes)))
        ]
        self._seen = np.zeros(count, game.layout.view.dtype)
        self.views = torch.zeros(count, game.layout.view.dtype.itemsize, dtype=torch.uint8)
        self.states = torch.zeros(count, game.layout.state.dtype.itemsize, dtype=torch.uint8)
        self.masks = torch.zeros(count, game.num_actions, dtype=torch.int8)
        self.movers = torch.zeros(count, dtype=torch.int64)
        self.overs = torch.zeros(count, dtype=torch.bool)
        self.results = torch.zeros(count, most)
        self.seeds = torch.zeros(count, dtype=torch.int64)  # of the games being played
        self._look()

    def _look(self) -> None:
        for first, batch in self._batches:
            rows, now = slice(first, first + batch.tables), batch.now
            batch.observe(self._seen[rows])
            self.states[rows] = torch.from_numpy(batch.states.view(np.uint8).reshape(batch.tables, -1))
            self.masks[rows], self.movers[rows] = torch.tensor(now.masks), torch.tensor(now.movers)
            self.overs[rows] = torch.tensor(now.done)
            self.seeds[rows] = torch.tensor(batch.seeds.view(np.int64))
            self.results[rows, : batch.seats] = torch.tensor(now.rewards)
        self.views[:] = torch.from_numpy(self._seen.view(np.uint8).reshape(len(self._seen), -1))

    def step(self, actions: torch.Tensor) -> None:
        for first, batch in self._batches:
            batch.step(actions[first : first + batch.tables].numpy())
        self._look()


class GpuTables:
    """Tables on the GPU, of all sizes together; the tensors are the arrays that `VectorTables` writes.

    Everything runs in `stream`, so that PyTorch can capture it.
    """

    def __init__(
        self, game: Game, sizes: list[int], seed: int, device: str, stream: Any, house_rules: Any = None
    ) -> None:
        from tripot.lab.gpu import VectorTables
        from tripot.lab.gpu.device import require_gpu

        cuda = require_gpu()
        t = self._tables = VectorTables(
            game, len(sizes), sizes, house_rules, seed, check=False, stream=cuda.external_stream(stream.cuda_stream)
        )
        cuda.synchronize()  # arrays were copied in the default stream
        t.reset()
        layout = game.layout

        def tensor(array: Any) -> torch.Tensor:
            return torch.as_tensor(array, device=device)

        self.views = tensor(t.views).view(torch.uint8)[:, : layout.view.dtype.itemsize]
        words = tensor(t.words).view(t.padded, t.sizes.state_words)[: len(sizes)]
        self.states = words.view(torch.uint8)[:, : layout.state.dtype.itemsize]
        self.masks = tensor(t.masks)[:, : game.num_actions]
        self._movers, self._overs, self._results = tensor(t.movers), tensor(t.overs), tensor(t.results)
        self.seeds = tensor(t.seeds)  # of the games being played
        self._chosen = torch.zeros(len(sizes), dtype=torch.int16, device=device)
        self._actions = cuda.as_cuda_array(self._chosen)

    @property
    def movers(self) -> torch.Tensor:
        return self._movers.long()

    @property
    def overs(self) -> torch.Tensor:
        return self._overs != 0

    @property
    def results(self) -> torch.Tensor:
        """Of the games that the last step ended; the device keeps older ones."""
        return self._results.float() * self.overs[:, None] / WHOLE_WIN

    def step(self, actions: torch.Tensor) -> None:
        self._chosen.copy_(actions)
        self._tables.step(self._actions)
