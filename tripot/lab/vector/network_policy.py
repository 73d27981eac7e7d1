"""Networks at many tables at once: the forward pass of `bots.network` over a batch of rows, with NumPy or PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.network import CRITIC, NetworkBot, NetworkWeights, check_weights, dealt_view, knows_rules
from tripot.core.encoding import Encoder
from tripot.core.game import Game
from tripot.lab.batch import Batch


def learned_weights(bot: Any, seats: int, house_rules: Any) -> NetworkWeights | None:
    """The weights of a bot; None unless it is a network alone that has learned tables of this size and these rules."""
    if type(bot) is not NetworkBot or bot.weights is None:  # those that derive from it search
        return None
    if bot.weights.about["seats"] not in (0, seats):
        return None
    for rules in house_rules if isinstance(house_rules, list) else [house_rules]:
        if not knows_rules(bot.weights, bot.game, dealt_view(bot.game, rules, seats)):
            return None
    return bot.weights


class Network:
    """A policy network whose layers are arrays of NumPy or PyTorch, 32-bit numbers; `where` places them."""

    def __init__(self, weights: NetworkWeights, game: Game, library: Any = np, **where: Any) -> None:
        self.encoder: Encoder = check_weights(weights, game)
        self.library = library
        self.layers = {
            name: library.asarray(layer.astype(np.float32), **where)
            for name, layer in weights.layers.items()
            if not name.startswith(CRITIC)
        }

    def choose(self, observations: Any, masks: Any) -> Any:
        """The most likely legal action of each row, turned. Masks are truth values."""
        layers, library = self.layers, self.library
        hidden = library.concatenate([observations, masks * library.ones_like(observations[:, :1])], 1)
        hidden = (hidden @ layers["inputs"] + layers["inputs_bias"]).clip(min=0)
        for block in range(len(layers["first"])):
            middle = (hidden @ layers["first"][block] + layers["first_bias"][block]).clip(min=0)
            hidden = (hidden + middle @ layers["second"][block] + layers["second_bias"][block]).clip(min=0)
        logits = hidden @ layers["policy"] + layers["policy_bias"]
        return library.where(masks, logits, -np.inf).argmax(1)


class NetworkPolicy:
    """What a network decides for the seats to move of a batch: each from the view of its own seat."""

    def __init__(self, weights: NetworkWeights, batch: Batch) -> None:
        self.network, self.batch = Network(weights, batch.game), batch

    @classmethod
    def of(cls, bot: Any, batch: Batch) -> NetworkPolicy | None:
        """None unless the bot is a network that has learned these tables."""
        weights = learned_weights(bot, batch.seats, batch.house_rules)
        return None if weights is None else cls(weights, batch)

    def __call__(self, tables: NDArray[np.int64]) -> NDArray[np.int64]:
        """The game's actions at these tables, for the seats to move there."""
        batch, encoder = self.batch, self.network.encoder
        turned = encoder.actions[batch.frames(encoder)[tables]]
        masks = np.take_along_axis(batch.now.masks[tables], turned, 1)
        chosen = self.network.choose(batch.encode(encoder)[tables], masks)
        actions: NDArray[np.int64] = turned[np.arange(len(tables)), chosen]
        return actions
