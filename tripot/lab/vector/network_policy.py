"""Networks at many tables at once: the forward pass of `bots.network` over a batch of rows, with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.network import NetworkBot, NetworkWeights, check_weights
from tripot.core.options import as_json
from tripot.lab.batch import Batch

Numbers = NDArray[np.float32]


class NetworkPolicy:
    """What a network decides for the seats to move of a batch: each from the view of its own seat."""

    def __init__(self, weights: NetworkWeights, batch: Batch) -> None:
        self.encoder, self.batch = check_weights(weights, batch.game), batch
        self.layers = {name: layer.astype(np.float32) for name, layer in weights.layers.items()}

    @classmethod
    def of(cls, bot: Any, batch: Batch) -> NetworkPolicy | None:
        """None unless the bot is a network alone that has learned tables of this size and these rules."""
        if type(bot) is not NetworkBot or bot.weights is None:  # those that derive from it search
            return None
        if bot.weights.about["seats"] not in (0, batch.seats) or as_json(batch.house_rules):
            return None
        return cls(bot.weights, batch)

    def __call__(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """The game's actions at these tables, for the seats to move there."""
        batch, encoder = self.batch, self.encoder
        turned = encoder.actions[batch.frames(encoder)[tables]]
        chosen = self.choose(batch.encode(encoder)[tables], np.take_along_axis(batch.now.masks[tables], turned, 1))
        return turned[np.arange(len(tables)), chosen]

    def choose(self, observations: Numbers, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The most likely legal action of each row, turned."""
        layers = self.layers
        hidden = np.concatenate([observations, masks.astype(np.float32)], 1) @ layers["inputs"]
        hidden = np.maximum(hidden + layers["inputs_bias"], 0)
        for block in range(len(layers["first"])):
            middle = np.maximum(hidden @ layers["first"][block] + layers["first_bias"][block], 0)
            hidden = np.maximum(hidden + middle @ layers["second"][block] + layers["second_bias"][block], 0)
        logits = hidden @ layers["policy"] + layers["policy_bias"]
        best: NDArray[np.int64] = np.where(masks, logits, -np.inf).argmax(1)
        return best
