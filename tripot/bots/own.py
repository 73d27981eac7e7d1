"""Bots of one's own: `module:factory`, a function that makes a player for a game, and `network:FILE`, its weights."""

from __future__ import annotations

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
from tripot.core.game import Game

OWN = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")  # a number after the colon is a bot of ours, as in search:800

NETWORK = "network:"  # and the file of its weights


class BadDecision(ValueError):
    """A bot of one's own decided what is not legal."""


@dataclass(frozen=True)
class OwnBot:
    """A player from elsewhere: it has `decide(view, legal, memory)`, or is called with the same."""

    name: str
    game: Game
    player: Any

    def decide(self, view: NDArray[np.void], legal: Sequence[int], memory: Any) -> int:
        ask = getattr(self.player, "decide", self.player)
        action = int(ask(view, legal, memory))
        if action not in legal:
            raise BadDecision(f"bot '{self.name}': {action} is not legal; legal are {', '.join(map(str, legal))}")
        return action


AnyBot = PolicyBot | SearchBot | OwnBot


def is_own(notation: str) -> bool:
    return OWN.fullmatch(notation) is not None


def make_own(notation: str, game: Game) -> Any:
    """Imports the module, also from the folder one is in, and returns what the factory makes for the game."""
    found = OWN.fullmatch(notation)
    assert found is not None
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.insert(0, os.getcwd())
    try:
        factory = getattr(import_module(found[1]), found[2])
    except (ImportError, AttributeError) as missing:
        raise UnknownBot(f"bot '{notation}': {missing}; write module:factory, a function that takes a game") from None
    return factory(game)


def find_network(notation: str, game: Game) -> NetworkBot:
    """The network whose weights are in this file."""
    try:
        weights = load_weights(Path(notation.removeprefix(NETWORK)))
        check_weights(weights, game)
    except BadWeights as error:
        raise UnknownBot(f"bot '{notation}': {error}") from None
    return NetworkBot(notation, game, SEARCHED, weights=weights)


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
