"""Counts how games end that are played on from a moment. All counts are whole numbers, so sums of them are exact.

`sensible` players play whole games on. Chances over a game, and what the table counts for reasons, come from these.
Choices are judged by the network where the package has one for the game and the table has no house rules: all seats
decide as it would for some decisions, and its critic weighs what they come to. `sensible` players have habits, and a
decision judged by their games is forgiven or blamed for fitting them; elsewhere they judge.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.bots import playouts
from tripot.bots.guided import LANES, LookAhead, Plan
from tripot.bots.network import NetworkPlayer, NetworkWeights, knows_rules, shipped_weights
from tripot.bots.search import ALL_PHASES, NO_PHASE, bound_names, new_workspace
from tripot.core import defaults, jit
from tripot.core.game import WHOLE_WIN, Game, signed

DEPTH = 4  # free decisions of all seats before the critic weighs a table
WEIGHING = Plan(depth=DEPTH, sharpness=1.0)
WEIGHED = 48  # tries of each choice: a weighed table says more than a game played to its end
FINE = 1000 * WHOLE_WIN  # of a victory: what is weighed is rounded to this
Counts = NDArray[np.int64]


class Played(NamedTuple):
    """Games played on from a whole state: sums over all of them."""

    totals: Counts  # by seat: results in sixtieths
    marks: Counts  # by seat, When (end of the round, of the game) and quantity: the sum and the sum of squares


class Tried(NamedTuple):
    """Games played on from tables imagined for a view, after each of some choices."""

    results: Counts  # by choice and table: what the view's seat can expect, judged
    whole: int  # what the results of a choice sum up to if it wins at every table
    played: Counts  # by choice and table: the result of the view's seat among `sensible` players, in sixtieths
    marks: Counts  # by choice, table, When and quantity, in the same games


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
        self._weigher = Weigher.of(game)

    def weigher(self, view: NDArray[np.void]) -> Weigher | None:
        """The network that weighs such tables; None where `sensible` players have to do."""
        found = self._weigher
        return found if found is not None and found.knows(view) else None

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
        if weigher := self.weigher(view):
            weighed = weigher.results(view, choices, seed, min(count, WEIGHED))
            return Tried(weighed, FINE * weighed.shape[1], results, marks)
        return Tried(results, WHOLE_WIN * count, results, marks)


class Weigher:
    """A network that plays some decisions on and weighs what they come to, with arrays of its own."""

    def __init__(self, game: Game, weights: NetworkWeights) -> None:
        self.game, self.weights, self.seats = game, weights, weights.about["seats"]
        self._ahead = LookAhead(game, weights, NetworkPlayer(game, weights))

    @classmethod
    def of(cls, game: Game) -> Weigher | None:
        """That of the network which comes with the package, if there is one for these rules."""
        weights = shipped_weights(game.name, game.rules_version)
        return cls(game, weights) if weights is not None and weights.has_critic else None

    def knows(self, view: NDArray[np.void]) -> bool:
        return self.seats in (0, int(view["seats"][0])) and knows_rules(self.weights, self.game, view)

    def results(self, view: NDArray[np.void], choices: Sequence[Sequence[int]], seed: int, tables: int) -> Counts:
        """By choice and imagined table: what the view's seat expects, of `FINE`."""
        shares = np.zeros((len(choices), tables))
        for row, parts in enumerate(choices):
            for first in range(0, tables, LANES):
                worlds = np.zeros((min(LANES, tables - first), 2), np.int64)
                worlds[:, 0] = range(first, first + len(worlds))
                alike = np.ones((len(worlds), max(self.game.seats)))
                found = self._ahead.try_choices(view, seed, worlds, alike, [parts], playouts.REPLIES, WEIGHING)
                shares[row, first : first + len(worlds)] = found[:, 0]
        return np.rint(shares * FINE).astype(np.int64)


_OF_THREAD = threading.local()


def player_of(game: Game) -> Player:
    """The player of this thread."""
    players: dict[tuple[str, int], Player] = _OF_THREAD.__dict__.setdefault("players", {})
    key = (game.name, game.rules_version)
    if key not in players:
        players[key] = Player(game)
    return players[key]
