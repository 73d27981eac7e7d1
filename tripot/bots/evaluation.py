"""The network behind a game's evaluation: it turns the features of a seat into a logit.

A rollout to the end of a long game says little about one decision: the noise drowns it. So search plays on for a few
turns and then evaluates the table. Each seat's win share is the softmax of the seats' logits. `make evaluation` fits
the weights to games of the heuristic player.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import Evaluation, Game

Numbers = NDArray[np.float64]
WEIGHTS = ("hidden_weights", "hidden_bias", "output_weights", "linear_weights", "output_bias")  # what is fitted


class EvaluationNet(NamedTuple):
    """One hidden layer with ReLU beside a linear path. A seat's side picks the output weights."""

    hidden_weights: Numbers  # [feature, unit]
    hidden_bias: Numbers  # [unit]
    output_weights: Numbers  # [side, unit]
    linear_weights: Numbers  # [side, feature]
    output_bias: Numbers  # [side]
    features: Numbers  # scratch: of the seat being evaluated
    hidden: Numbers  # scratch


def empty_net(evaluation: Evaluation | None, units: int = 1) -> EvaluationNet:
    """A network whose logits are all zero."""
    sides, count = (1, 1) if evaluation is None else (evaluation.sides, evaluation.feature_count)
    return EvaluationNet(
        hidden_weights=np.zeros((count, units)),
        hidden_bias=np.zeros(units),
        output_weights=np.zeros((sides, units)),
        linear_weights=np.zeros((sides, count)),
        output_bias=np.zeros(sides),
        features=np.zeros(count),
        hidden=np.zeros(units),
    )


def load_net(game: Game) -> EvaluationNet:
    """The fitted network of a game, with scratch of its own; an empty one for a game without an evaluation."""
    if game.evaluation is None:
        return empty_net(None)
    with np.load(game.evaluation.weights) as saved:
        net = empty_net(game.evaluation, len(saved["hidden_bias"]))
        return net._replace(**{name: saved[name].astype(np.float64) for name in WEIGHTS})
