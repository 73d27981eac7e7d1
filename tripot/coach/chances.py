"""What a seat can know of hidden cards: the chances of all that may lie there, from its view alone.

Tables that agree with the view are imagined, and each counts by how likely the other players' decisions were there
(`bots.inference`). Where that was measured to be no better than counting every table alike, they count alike
(`HiddenThings.weighed`). The luck is drawn from the view itself, as for a hint.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tripot.bots import inference
from tripot.bots.search import bound_names, new_workspace
from tripot.coach.hint import seed_of
from tripot.core import jit
from tripot.core.game import Game, signed
from tripot.core.hidden import Hidden

TABLES = 2_000  # imagined for one view
ASKED = 8  # times that the heuristic player is asked for one decision
DOUBT = 0.5  # how often players are taken to decide otherwise than the heuristic player
Counts = NDArray[np.int64]
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Chances:
    """What may lie in one hidden place, by number: only what lies there in some imagined table."""

    place: Hidden
    seat: int | None  # whose place it is; None for one of the table
    of: dict[int, float]

    @property
    def ruled_out(self) -> list[int]:
        """Things worth a word that lie here in no imagined table."""
        return [thing for thing in self.place.things if thing not in self.of]

    @property
    def ranked(self) -> list[tuple[int, float]]:
        return sorted(self.of.items(), key=lambda pair: (-pair[1], pair[0]))


class Counter:
    """Counts the chances of one game, with arrays of its own: one for each thread."""

    def __init__(self, game: Game) -> None:
        assert game.hidden is not None, game.name
        self.game, self.hidden, self.work = game, game.hidden, new_workspace(game)
        self.shape = (len(self.hidden.places), max(game.seats), self.hidden.most)
        self._scratch = np.zeros(self.shape, np.int64)
        names = {**bound_names(game), "read": self.hidden.read, "turn_back": self.hidden.turn_back}
        self._count = jit.native(inference.count_tables, **names)

    def count(self, view: NDArray[np.void], tables: int, doubt: float = DOUBT) -> tuple[Weights, Weights]:
        """The shares of the imagined tables in which things lie where: counted alike, and weighed."""
        self.work.root_view[:] = view
        plain, weighed = np.zeros(self.shape, np.int64), np.zeros(self.shape)
        seat, actions = int(view["seat"][0]), self.game.num_actions
        total = self._count(
            *(self.work, seat, signed(seed_of(view)), tables, actions, ASKED, doubt),
            *(self._scratch, plain, weighed),
        )
        return plain / tables, weighed / total


_OF_THREAD = threading.local()


def counter_of(game: Game) -> Counter:
    """The counter of this thread."""
    counters: dict[tuple[str, int], Counter] = _OF_THREAD.__dict__.setdefault("counters", {})
    key = (game.name, game.rules_version)
    if key not in counters:
        counters[key] = Counter(game)
    return counters[key]


def chances(game: Game, view: NDArray[np.void], tables: int = TABLES) -> list[Chances]:
    """What may lie in the hidden places of a view, place by place and seat by seat; nothing for a game without any."""
    if game.hidden is None:
        return []
    plain, weighed = counter_of(game).count(view, tables)
    shares = weighed if game.hidden.weighed else plain
    found = []
    for number, place in enumerate(game.hidden.places):
        for seat in range(int(view["seats"][0])):
            of = {thing: float(shares[number][seat][thing]) for thing in np.flatnonzero(plain[number][seat]).tolist()}
            if of:
                found.append(Chances(place, seat if place.of_seat else None, of))
    return found
