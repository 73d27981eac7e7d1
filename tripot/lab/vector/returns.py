"""Advantages and λ-returns for games in which seats take turns.

In such a game the next state of a decision is not the next row: other seats decide in between, what they do is part of
the environment of the seat, and the reward of a game comes after somebody else's decision as often as not. So each
seat's decisions form a chain of their own, and the end of a game cuts all chains of its table at once.

Arrays are NumPy's or PyTorch's. Rows are steps, columns tables: `movers[t, i]` decided at step t of table i, and
`rewards[t, i]` was paid to all seats after that decision, which was the last of its game where `done[t, i]`.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def turn_advantages(
    values: Any, movers: Any, rewards: Any, done: Any, last_values: Any, discount: float = 1.0, decay: float = 0.95,
    counted: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Returns (advantages, returns) by GAE, where each seat bootstraps from the value of its own next decision.

    `values[t, i]` is what the mover expects for itself, `last_values[i, seat]` what each seat expects after the last
    step. `decay` is λ. Decisions that are not `counted`, such as those with one legal action, are passed over: nothing
    bootstraps from them, and their advantage is 0.
    """
    steps, tables = values.shape
    rows = _rows(values, tables)
    advantages, returns = values * 0, values * 0
    next_value, next_advantage, pending = last_values * 1.0, last_values * 0.0, last_values * 0.0
    for t in range(steps - 1, -1, -1):
        going = _float(~_bool(done[t]), values)[:, None]
        next_value, next_advantage, pending = next_value * going, next_advantage * going, pending * going
        pending = pending + rewards[t]
        seat, value = _index(movers[t]), values[t]
        delta = pending[rows, seat] + discount * next_value[rows, seat] - value
        advantage = delta + discount * decay * next_advantage[rows, seat]
        takes = value * 0 + 1 if counted is None else _float(_bool(counted[t]), values)
        advantages[t], returns[t] = advantage * takes, (advantage + value) * takes
        next_value[rows, seat] = value * takes + next_value[rows, seat] * (1 - takes)
        next_advantage[rows, seat] = advantage * takes + next_advantage[rows, seat] * (1 - takes)
        pending[rows, seat] = pending[rows, seat] * (1 - takes)
    return advantages, returns


def lambda_returns(
    values: Any, rewards: Any, done: Any, last_values: Any, discount: float = 1.0, decay: float = 0.95,
    counted: Any = None,
) -> Any:  # fmt: skip
    """Returns λ-returns for a critic that says what every seat expects: `values[t, i, seat]`, before decision t.

    They run over all decisions of a table, whoever takes them; `last_values[i, seat]` come after the last step.
    Decisions that are not `counted` are neither bootstrapped from nor have a return of their own: 0.
    """
    returns, expected = values * 0, last_values * 1.0
    for t in range(len(values) - 1, -1, -1):
        going = _float(~_bool(done[t]), values)[:, None]
        ahead = rewards[t] + discount * going * expected
        takes = going * 0 + 1 if counted is None else _float(_bool(counted[t]), values)[:, None]
        returns[t] = ahead * takes
        expected = takes * ((1 - decay) * values[t] + decay * ahead) + (1 - takes) * ahead
    return returns


def _rows(values: Any, tables: int) -> Any:
    return values.new_ones(tables).cumsum(0).long() - 1 if hasattr(values, "new_ones") else np.arange(tables)


def _index(array: Any) -> Any:
    return array.long() if hasattr(array, "long") else array.astype(int)


def _bool(array: Any) -> Any:
    return array.bool() if hasattr(array, "bool") else array.astype(bool)


def _float(array: Any, like: Any) -> Any:
    return array.to(like.dtype) if hasattr(array, "to") else array.astype(like.dtype)
