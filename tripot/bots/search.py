"""The search bot: information-set tree search from a view, written `search:800` or `search:200ms`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots import ismcts
from tripot.bots.evaluation import load_net
from tripot.bots.memory import BOT_MEMORY
from tripot.bots.uniform import choose_uniform
from tripot.core import defaults, jit, observe, rng
from tripot.core.game import PLAYERS, Game, signed

MAX_NODES = 1 << 17
NODES_PER_ITERATION = 8  # enough for the others' decisions between two of the searching seat's
EDGES_PER_NODE = 4  # on average; when they run out the tree stops growing and iterations go on
CHUNK = 250  # iterations between two looks at the clock
MAX_LINE = 24  # decisions of a principal variation
ALL_PHASES, NO_PHASE = -1, 0  # phases as bits: where rollouts follow the heuristic


@dataclass(frozen=True)
class SearchResult:
    """The root statistics of a search, by legal decision."""

    decision: int
    iterations: int
    visits: dict[int, int]
    expected: dict[int, float]  # mean win share, 0 to 1
    line: list[tuple[int, int]]  # the principal variation, as (seat, decision)


class Searcher:
    """One search at a time, in arrays of its own: at most some eight megabytes, whatever the budget.

    A game without a heuristic is rolled out uniformly; one without an evaluation is rolled out to its end.
    """

    def __init__(
        self,
        game: Game,
        iterations: int = 0,
        milliseconds: int = 0,
        heuristic_phases: int = ALL_PHASES,
        turns: int | None = None,
    ) -> None:
        self.game, self.iterations, self.milliseconds = game, iterations, milliseconds
        if turns is None:
            turns = 1 if game.evaluation is None else game.evaluation.turns
        self.rollouts = (NO_PHASE if game.heuristic is None else heuristic_phases, turns)
        enough = 1 << max(8, (2 * NODES_PER_ITERATION * iterations).bit_length())  # half of the slots stay empty
        nodes = MAX_NODES if milliseconds else min(MAX_NODES, enough)
        self.tree = new_tree(nodes, game.num_actions, max(game.seats))
        self.work = new_workspace(game)
        self.found = ismcts.Statistics(
            np.zeros(game.num_actions, np.int64), np.zeros(game.num_actions), np.zeros((MAX_LINE, 2), np.int64)
        )
        self._run = jit.native(ismcts.run_search, **bound_names(game))

    @property
    def memory_bytes(self) -> int:
        """The size of the tree's arrays."""
        return sum(array.nbytes for array in self.tree)

    def search(
        self, view: NDArray[np.void], legal: Sequence[int], seed: int, cancelled: Event | None = None
    ) -> SearchResult:
        """Search from a view. The same view, seed and iterations give the same result."""
        self._clear(view, seed)
        seat, done, length = int(view["seat"][0]), 0, 0
        end = time.monotonic() + self.milliseconds / 1000
        while done == 0 or (time.monotonic() < end if self.milliseconds else done < self.iterations):
            count = CHUNK if self.milliseconds else min(CHUNK, self.iterations - done)
            length = self._run(self.tree, self.work, seat, signed(seed), count, *self.rollouts, self.found)
            done += count
            if cancelled is not None and cancelled.is_set():
                break
        return self._result(legal, done, length)

    def _clear(self, view: NDArray[np.void], seed: int) -> None:
        for array in (*self.tree, *self.found):
            array[:] = 0
        self.work.root_view[:] = view
        memory = BOT_MEMORY.plain()
        rng.seed_luck(memory, signed(seed), PLAYERS + 32)
        self.work.memory[:] = np.frombuffer(memory.pack(), BOT_MEMORY.dtype)

    def _result(self, legal: Sequence[int], iterations: int, length: int) -> SearchResult:
        visits, value = self.found.visits, self.found.value
        decision = max(legal, key=lambda action: (visits[action], value[action], -action))
        return SearchResult(
            int(decision),
            iterations,
            {action: int(visits[action]) for action in legal},
            {action: float(value[action] / visits[action]) if visits[action] else 0.0 for action in legal},
            [(int(mover), int(action)) for mover, action in self.found.line[:length]],
        )


def bound_names(game: Game) -> dict[str, Any]:
    """The open names of `ismcts` for a game: its rules, its heuristic and its evaluation."""
    names: dict[str, Any] = {**game.functions, **evaluation_names(game), "observe_seat": observe.observe_seat}
    if game.heuristic is None:
        return {**names, "choose": choose_uniform, "HEURISTIC_PRIOR": 0.0}
    return {**names, "choose": game.heuristic}


def evaluation_names(game: Game) -> dict[str, Any]:
    """The functions of a game's evaluation by name; where it has none, those that let rollouts go to the end."""
    found = game.evaluation
    if found is None:
        return {"features": defaults.no_features, "side_of": defaults.one_side, "turn_of": defaults.no_turn}
    return {"features": found.features, "side_of": found.side_of, "turn_of": found.turn_of}


def new_tree(nodes: int, actions: int, seats: int) -> ismcts.Tree:
    edges = nodes // 2 * EDGES_PER_NODE + actions + 1
    return ismcts.Tree(
        nodes=np.zeros(nodes, ismcts.NODE),
        edges=np.zeros(edges, ismcts.EDGE),
        used=np.zeros(2, np.int64),
        edge_of=np.zeros(actions, np.int32),
        path=np.zeros(ismcts.MAX_DEPTH, np.int32),
        movers=np.zeros(ismcts.MAX_DEPTH, np.int8),
        shares=np.zeros(seats),
    )


def new_workspace(game: Game) -> ismcts.Workspace:
    layout = game.layout
    states = layout.states(1)
    observer = layout.observer(states)
    view = np.zeros(1, layout.view.dtype)
    mask_words = np.zeros((game.num_actions + 7) // 8, np.int64)
    return ismcts.Workspace(
        root_view=view,
        raw_view=view.view(np.uint8),
        states=states,
        raw=states.view(np.uint8),
        observer=observer,
        words=observer[1].view(np.int64),
        mask=mask_words.view(np.int8)[: game.num_actions],
        mask_words=mask_words,
        root_words=np.zeros_like(mask_words),
        memory=np.zeros(1, BOT_MEMORY.dtype),
        net=load_net(game),
    )
