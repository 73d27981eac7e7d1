"""Counts how games end that are played on from a moment. All counts are whole numbers, so sums of them are exact."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.bots import playouts
from tripot.bots.search import ALL_PHASES, NO_PHASE, bound_names, new_workspace
from tripot.core import defaults, jit
from tripot.core.game import Game, signed

Counts = NDArray[np.int64]


class Played(NamedTuple):
    """Games played on from a whole state: sums over all of them."""

    totals: Counts  # by seat: results in sixtieths
    marks: Counts  # by seat, When (end of the round, of the game) and quantity: the sum and the sum of squares


class Tried(NamedTuple):
    """Games played on from tables imagined for a view, after each of some choices."""

    results: Counts  # by choice and table: the result of the view's seat in sixtieths
    marks: Counts  # by choice, table, When and quantity


class Player:
    """Plays games on from moments of one game, with arrays of its own: one for each thread."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.work = new_workspace(game)
        self._phases = NO_PHASE if game.heuristic is None else ALL_PHASES
        found = game.quantities
        self.quantities = max(1, len(found.items) if found else 0)
        counted = {
            "measure": found.measure if found else defaults.no_quantities,
            "turn_of": found.clock if found else defaults.no_turn,
        }
        names = {**bound_names(game), **counted}
        self._play_state = jit.native(playouts.play_state, **names)
        self._play_view = jit.native(playouts.play_view, **names)

    def from_state(self, state: bytes, seat: int, action: int, seed: int, count: int) -> Played:
        """Plays `count` games on from a state, once `seat` has taken a decision."""
        seats = max(self.game.seats)
        totals = np.zeros(seats, np.int64)
        marks = np.zeros((seats, 2, self.quantities, 2), np.int64)
        scratch = np.zeros(self.quantities, np.int64)
        self.work.root_view["seat"] = 0  # who chooses first where several do in secret: at every moment the same
        start = np.frombuffer(state, np.uint8)
        self._play_state(self.work, start, seat, action, signed(seed), count, self._phases, totals, marks, scratch)
        return Played(totals, marks)

    def from_view(self, view: NDArray[np.void], choices: Sequence[Sequence[int]], seed: int, count: int) -> Tried:
        """Plays `count` games on from imagined tables after each choice, which has one or several parts."""
        results = np.zeros((len(choices), count), np.int64)
        marks = np.zeros((len(choices), count, 2, self.quantities), np.int64)
        self.work.root_view[:] = view
        seat = int(view["seat"][0])
        for row, parts in enumerate(choices):
            actions = np.array(parts, np.int64)
            self._play_view(self.work, seat, actions, signed(seed), count, self._phases, results[row], marks[row])
        return Tried(results, marks)


_OF_THREAD = threading.local()


def player_of(game: Game) -> Player:
    """The player of this thread."""
    players: dict[tuple[str, int], Player] = _OF_THREAD.__dict__.setdefault("players", {})
    key = (game.name, game.rules_version)
    if key not in players:
        players[key] = Player(game)
    return players[key]
