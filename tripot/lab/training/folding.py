"""Weights that see the house rules as columns, and weights that do not: from the one to the other.

At a table the columns of the house rules are constant. So what they add to the first layer is a bias, and a network
for one fixed set of house rules needs no columns for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.network import CRITIC, KINDS, RULES, NetworkWeights, check_weights, dealt_view
from tripot.core.encoding import Encoder, encoder_of
from tripot.core.game import Game

Ranges = dict[str, tuple[Any, Any]]  # by field of a house rule: the lowest and the highest numbers


def ranges_of(game: Game, tables: NDArray[np.void]) -> Ranges:
    """The lowest and the highest numbers of the house rules in these views or states, for `about` of weights."""
    found = {f.name: tables[f.name] for f in game.fields if f.house_rule}
    return {name: (numbers.min(0).tolist(), numbers.max(0).tolist()) for name, numbers in found.items()}


def seeing_rules(weights: NetworkWeights, game: Game, rules: bool) -> NetworkWeights:
    """The same player with columns for the house rules if `rules`; if it had none, it does not look at them yet."""
    seats = weights.about["seats"] or None
    if (RULES in weights.about["encoding"]) == rules:
        return weights
    if not rules:
        raise ValueError("these weights see the house rules: `tripot fold` makes them those of a fixed set")
    layers = _without_kinds(weights)
    for before, full in _networks(weights):
        kept, encoder = _kept_columns(game, seats, full), encoder_of(game, seats, rules=True, full=full)
        inputs = layers[before + "inputs"]
        wider = np.zeros((encoder.width + len(inputs) - len(kept), inputs.shape[1]), inputs.dtype)
        wider[kept], wider[encoder.width :] = inputs[: len(kept)], inputs[len(kept) :]
        layers[before + "inputs"] = wider
    return NetworkWeights(weights.about | _named(encoder_of(game, seats, rules=True)), layers)


def folded(weights: NetworkWeights, game: Game, house_rules: Any) -> NetworkWeights:
    """The same player at tables with these house rules alone, without columns for them."""
    encoder = check_weights(weights, game)
    if not encoder.rules:
        raise ValueError("these weights have no columns for house rules: there is nothing to fold")
    layers, seats = _without_kinds(weights), encoder.seats
    for before, full in _networks(weights):
        kept, wide = _kept_columns(game, seats, full), encoder_of(game, seats, rules=True, full=full)
        inputs = layers[before + "inputs"]
        rest = np.setdiff1d(np.arange(wide.width), kept)
        constant = _constants(game, wide, house_rules)[rest]
        layers[before + "inputs"] = np.concatenate([inputs[kept], inputs[wide.width :]])
        added = constant @ inputs[rest].astype(np.float32)
        layers[before + "inputs_bias"] = layers[before + "inputs_bias"].astype(np.float32) + added
    sizes = game.seats if seats is None else (seats,)
    learned = ranges_of(game, np.concatenate([dealt_view(game, house_rules, size) for size in sizes]))
    about = weights.about | _named(encoder_of(game, seats)) | {"house_rules": learned}
    return NetworkWeights(about, layers)


def _networks(weights: NetworkWeights) -> list[tuple[str, bool]]:
    """The networks of some weights: what is before the names of their layers, and whether they see whole states."""
    return [("", False), *([(CRITIC, True)] if weights.has_critic else [])]


def _without_kinds(weights: NetworkWeights) -> dict[str, NDArray[np.floating[Any]]]:
    """What tells kinds of players apart was learned at other tables: `tripot kinds` teaches it anew."""
    return {name: layer for name, layer in weights.layers.items() if not name.startswith(KINDS)}


def _named(encoder: Encoder) -> dict[str, Any]:
    return {"encoding": encoder.notation, "columns": encoder.width}


def _kept_columns(game: Game, seats: int | None, full: bool) -> NDArray[np.int64]:
    """The columns of the encoding with house rules that the one without has, in its order."""
    wide, narrow = encoder_of(game, seats, rules=True, full=full), encoder_of(game, seats, full=full)
    places = {number[:3]: place for place, number in enumerate(wide.numbered)}
    return np.array([places[number[:3]] for number in narrow.numbered])


def _constants(game: Game, encoder: Encoder, house_rules: Any) -> NDArray[np.float32]:
    """A row of a table with these house rules; raises ValueError if seats see their columns differently."""
    rows: list[NDArray[np.float32]] = []
    for size in game.seats if encoder.seats is None else (encoder.seats,):
        state = np.frombuffer(game.new_state(house_rules, size, 0).pack(), game.layout.state.dtype)
        for seat in range(size):
            seen = state if encoder.full else game.layout.observe(state, seat)
            rows.append(encoder.encode(seen, np.array([seat]))[0])
    ruled = np.array([f.house_rule for *_, f in encoder.numbered])
    if any((row[ruled] != rows[0][ruled]).any() for row in rows):
        raise ValueError(f"the house rules of {game.name} look different from other seats: they cannot be folded")
    return rows[0]
