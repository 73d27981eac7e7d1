"""A policy network as a bot: what a training run saved, played from a seat's view alone. No PyTorch is needed.

A file of weights names the game, the rules version, the encoding and the table sizes it was trained with, and is
refused elsewhere.
"""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tripot.bots import forward
from tripot.bots.bot import SearchBot
from tripot.bots.search import SearchResult
from tripot.core import jit
from tripot.core.encode import encode_rows
from tripot.core.encoding import Encoder, encoder_of
from tripot.core.game import Game

FORMAT = "tripot network 1"
SHIPPED = Path(__file__).parent / "weights"
RULES = "+rules"  # in the notation of an encoding that shows the house rules
KINDS = "kinds_"  # before the names of the layers that tell who of the others plays like the network
CRITIC = "critic_"  # before the names of the layers that weigh whole states, imagined ones when a bot plays
Numbers = NDArray[np.float32]


class BadWeights(ValueError):
    """A file of weights that cannot play here; the message says why."""


@dataclass(frozen=True)
class NetworkWeights:
    """The layers of a network, by input, and what they were trained with."""

    about: dict[str, Any]
    layers: dict[str, NDArray[np.floating[Any]]]

    @property
    def has_critic(self) -> bool:
        return CRITIC + "inputs" in self.layers

    def save(self, path: Path) -> None:
        told = np.frombuffer(json.dumps({"format": FORMAT, **self.about}).encode(), np.uint8)
        with path.open("wb") as file:
            np.savez_compressed(file, about=told, **self.layers)  # type: ignore[arg-type]


def load_weights(path: Path) -> NetworkWeights:
    """Reads a file of weights."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            about = json.loads(bytes(kept["about"]))
            layers = {name: kept[name] for name in kept.files if name != "about"}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
        raise BadWeights(f"{path}: no weights of a network: {error}") from None
    if about.get("format") != FORMAT:
        raise BadWeights(f"{path}: written as '{about.get('format')}'; this version reads '{FORMAT}'")
    return NetworkWeights(about, layers)


def check_weights(weights: NetworkWeights, game: Game) -> Encoder:
    """Raises BadWeights if these weights were made for something else. Returns their encoder."""
    about = weights.about
    if (about["game"], about["rules"]) != (game.name, game.rules_version):
        made = f"{about['game']} with rules version {about['rules']}"
        raise BadWeights(f"these weights are for {made}, not for {game.name} with rules version {game.rules_version}")
    encoder = encoder_of(game, about["seats"] or None, rules=RULES in about["encoding"])
    if about["encoding"] != encoder.notation or about["columns"] != encoder.width:
        made, here = f"{about['encoding']} ({about['columns']} columns)", f"{encoder.notation} ({encoder.width})"
        raise BadWeights(f"these weights are for encoding {made}; here {game.name} has {here}")
    return encoder


@cache
def shipped_weights(game: str, rules: int) -> NetworkWeights | None:
    """The weights that come with the package for these rules of a game; None if there are none."""
    path = SHIPPED / f"{game}.npz"
    found = load_weights(path) if path.exists() else None
    return found if found is not None and found.about["rules"] == rules else None


def knows_rules(weights: NetworkWeights, game: Game, view: NDArray[np.void]) -> bool:
    """Whether a view is of a table whose house rules these weights have learned: the usual ones, or within ranges."""
    usual = usual_view(game, int(view["seats"][0]))
    learned = weights.about.get("house_rules", {})  # by field: the lowest and the highest numbers that were seen
    ranges = {f.name: learned.get(f.name, (usual[f.name],) * 2) for f in game.fields if f.house_rule}
    return all(np.all((view[name] >= low) & (view[name] <= high)) for name, (low, high) in ranges.items())


_USUAL: dict[tuple[int, int], NDArray[np.void]] = {}  # games by identity: two rule books may have one name


def usual_view(game: Game, seats: int) -> NDArray[np.void]:
    """A view of a table of this size without house rules."""
    if (id(game), seats) not in _USUAL:
        _USUAL[id(game), seats] = dealt_view(game, game.options(), seats)
    return _USUAL[id(game), seats]


def dealt_view(game: Game, house_rules: Any, seats: int) -> NDArray[np.void]:
    """What the first seat of a table with these house rules sees once it is dealt."""
    state = np.frombuffer(game.new_state(house_rules, seats, 0).pack(), game.layout.state.dtype)
    return game.layout.observe(state, 0).copy()


@dataclass(frozen=True)
class NetworkBot(SearchBot):
    """Takes the decision that the network finds most likely. One object serves any number of threads.

    A table that the network has not learned, of another size or with other house rules, is searched instead.
    """

    weights: NetworkWeights | None = None  # None: it has learned no table of this game

    def search(
        self, view: NDArray[np.void], legal: Sequence[int], memory: Any, cancelled: threading.Event | None = None
    ) -> SearchResult:
        """What the network decides, without a search's statistics; or a search's result."""
        player = self.player(view)
        if player is None:
            return super().search(view, legal, memory, cancelled)
        none = dict.fromkeys(legal, 0)
        return SearchResult(player.decide(view, legal), 0, none, {action: 0.0 for action in none}, [])

    def player(self, view: NDArray[np.void]) -> NetworkPlayer | None:
        """The network, if it has learned such tables."""
        if self.weights is None or self.weights.about["seats"] not in (0, int(view["seats"][0])):
            return None
        if not knows_rules(self.weights, self.game, view):
            return None
        if not hasattr(self._of_thread, "player"):
            self._of_thread.player = NetworkPlayer(self.game, self.weights)
        found: NetworkPlayer = self._of_thread.player
        return found


class NetworkPlayer:
    """A network with scratch of its own."""

    def __init__(self, game: Game, weights: NetworkWeights) -> None:
        self.encoder = encoder = check_weights(weights, game)
        layers = {name: np.ascontiguousarray(layer, np.float32) for name, layer in weights.layers.items()}
        self._inputs = (layers["inputs"], layers["inputs_bias"])
        self._blocks = tuple(layers[name] for name in ("first", "first_bias", "second", "second_bias"))
        self._policy = (layers["policy"], layers["policy_bias"])
        width = layers["inputs_bias"].shape[0]
        self._row = np.zeros((1, encoder.width + game.num_actions), np.float32)
        self._encoded = np.zeros((1, encoder.width), np.float32)
        self._scratch = tuple(np.zeros((1, width), np.float32) for _ in range(3))
        self._logits = np.zeros((1, game.num_actions), np.float32)
        self._only, self._used = np.zeros(1, np.int64), np.zeros(max(width, self._row.shape[1]), np.int64)
        self._encode, self._best = jit.native(encode_rows), jit.native(forward.best_action)
        self._kinds = {name: layer for name, layer in layers.items() if name.startswith(KINDS)}

    def decide(self, view: NDArray[np.void], legal: Sequence[int]) -> int:
        encoder = self.encoder
        raw, seat = view.view(np.uint8).reshape(1, -1), view["seat"].astype(np.int8)
        self._encode(0, 1, raw, seat, *encoder.native_tables, self._encoded)
        frame = int(encoder.on_numpy.frames(raw, seat)[0])
        mask = np.zeros(self._logits.shape[1], np.int8)
        mask[encoder.turned_actions[frame][list(legal)]] = 1
        self._row[0, : encoder.width] = self._encoded[0]
        self._row[0, encoder.width :] = mask
        network = (self._inputs, self._blocks, self._policy)
        best = self._best(self._row, self._only, *network, mask, *self._scratch, self._logits, self._used)
        return int(encoder.actions[frame][best])

    def chances(self, view: NDArray[np.void], legal: Sequence[int]) -> dict[int, float]:
        """The log-probabilities of the legal actions."""
        self.decide(view, legal)
        raw, seat = view.view(np.uint8).reshape(1, -1), view["seat"].astype(np.int8)
        turned = self.encoder.turned_actions[int(self.encoder.on_numpy.frames(raw, seat)[0])]
        logits = {action: float(self._logits[0, turned[action]]) for action in legal}
        highest = max(logits.values())
        total = highest + math.log(sum(math.exp(logit - highest) for logit in logits.values()))
        return {action: logit - total for action, logit in logits.items()}

    def alike(self, view: NDArray[np.void]) -> NDArray[np.float64] | None:
        """How likely each seat is to be a player like the network, by what the view shows; None if it cannot tell."""
        if not self._kinds:
            return None
        kinds = {name.removeprefix(KINDS): layer for name, layer in self._kinds.items()}
        hidden = np.maximum(self.encoder.encode(view)[0] @ kinds["inputs"] + kinds["inputs_bias"], 0)
        logits = (hidden @ kinds["outputs"] + kinds["outputs_bias"]).astype(np.float64)
        frame = int(self.encoder.on_numpy.frames(view.view(np.uint8).reshape(1, -1), view["seat"])[0])
        told: NDArray[np.float64] = 1 / (1 + np.exp(-logits[self.encoder.slot_of[frame]]))
        return told
