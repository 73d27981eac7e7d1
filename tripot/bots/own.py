"""Bots of one's own: `module:factory`, a function that makes a player for a game, and `network:PATH`, its weights.

A player has `decide(view, legal, memory)`, or is called with the same; or it is a *policy*, called with two arguments:
encoded observations and action masks, a row for each table, for which it returns an action each.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.bot import SEARCHED, PolicyBot, SearchBot, UnknownBot, find_bot
from tripot.bots.network import BadWeights, NetworkBot, check_weights, load_weights
from tripot.core.encoding import encoder_of
from tripot.core.game import Game

OWN = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")  # a number after the colon is a bot of ours, as in search:800

NETWORK = "network:"  # and the file of its weights, or the folder of a training run
WANTED = "write module:factory, a function that takes a game"
WEIGHTS = "weights.npz"  # the file in such a folder


class BadDecision(ValueError):
    """A bot of one's own decided what is not legal."""


@dataclass(frozen=True)
class OwnBot:
    """A player from elsewhere. A policy gets version 2 of the encoding, for tables of this size."""

    name: str
    game: Game
    player: Any

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        if is_policy(self.player):
            action = self._by_policy(view, legal)
        else:
            action = int(getattr(self.player, "decide", self.player)(view, legal, memory))
        if action not in legal:
            raise BadDecision(f"bot '{self.name}': {action} is not legal; legal are {', '.join(map(str, legal))}")
        return action

    def _by_policy(self, view: NDArray[np.void], legal: Sequence[int]) -> int:
        encoder = encoder_of(self.game, int(view["seats"][0]))
        frame = int(encoder.on_numpy.frames(view.view(np.uint8).reshape(1, -1), view["seat"].astype(np.int64))[0])
        mask = np.zeros((1, self.game.num_actions), bool)
        mask[0, encoder.turned_actions[frame][list(legal)]] = True
        chosen = int(np.asarray(self.player(encoder.encode(view), mask)).ravel()[0])
        return int(encoder.actions[frame][chosen]) if 0 <= chosen < self.game.num_actions else chosen


AnyBot = PolicyBot | SearchBot | OwnBot


def is_own(notation: str) -> bool:
    return OWN.fullmatch(notation) is not None


def is_policy(player: Any) -> bool:
    """Whether it is called with two arguments, observations and masks."""
    if hasattr(player, "decide") or not callable(player):
        return False
    try:
        needed = [p for p in inspect.signature(player).parameters.values() if p.default is p.empty]
    except ValueError:  # a builtin that does not say what it takes
        return False
    return len(needed) == 2


def own_module(notation: str) -> Any:
    """The module of a bot of one's own, imported also from the folder one is in."""
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        return import_module(notation.partition(":")[0])
    except ImportError as missing:
        raise UnknownBot(f"bot '{notation}': {missing}; {WANTED}") from None


def make_own(notation: str, game: Game) -> Any:
    """What the factory makes for the game."""
    try:
        factory = getattr(own_module(notation), notation.partition(":")[2])
    except AttributeError as missing:
        raise UnknownBot(f"bot '{notation}': {missing}; {WANTED}") from None
    return factory(game)


def find_network(notation: str, game: Game) -> NetworkBot:
    """The network whose weights are in this file or folder."""
    try:
        weights = load_weights(weights_file(notation))
        check_weights(weights, game)
    except BadWeights as error:
        raise UnknownBot(f"bot '{notation}': {error}") from None
    return NetworkBot(notation, game, SEARCHED, weights=weights)


def weights_file(notation: str) -> Path:
    path = Path(notation.removeprefix(NETWORK))
    return path / WEIGHTS if path.is_dir() else path


def own_code(notation: str) -> str:
    """A hash of what makes a bot of one's own decide as it does: its module, or its weights; empty for bots of ours."""
    if notation.startswith(NETWORK):
        try:
            return hashlib.sha256(weights_file(notation).read_bytes()).hexdigest()
        except OSError as error:
            raise UnknownBot(f"bot '{notation}': its weights cannot be read: {error.strerror}") from None
    if not is_own(notation):
        return ""
    return hashlib.sha256(inspect.getsource(own_module(notation)).encode()).hexdigest()


def find_any_bot(notation: str, game: Game) -> AnyBot:
    """A bot of ours, or one's own. Never for notations that come over a wire: it imports or reads what they name."""
    if notation.startswith(NETWORK):
        return find_network(notation, game)
    if not is_own(notation):
        return find_bot(notation, game)
    player = make_own(notation, game)
    if not callable(getattr(player, "decide", player)):
        raise UnknownBot(f"bot '{notation}': what the factory returns can neither `decide` nor be called")
    return OwnBot(notation, game, player)
