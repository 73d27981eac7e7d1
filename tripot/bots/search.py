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
from tripot.bots.outlook import OUTLOOKS, TO_THE_END, load_net
from tripot.bots.sensible import COMMON_SENSE, EVERYWHERE
from tripot.core import jit, observe, rng
from tripot.core.game import PLAYERS, Game, signed
from tripot.core.layout import Form

MEMORY = Form(rng.FIELDS)
MOST_NODES = 1 << 17
NODES_AN_ITERATION = 8  # enough for the others' decisions between two of the searching seat's
EDGES_A_NODE = 4  # on average; when they run out the tree grows no further and play-outs go on
CHUNK = 250  # iterations between two looks at the clock
LINE = 24  # decisions in an expected continuation


@dataclass(frozen=True)
class Thought:
    """What a search found: for each legal decision how often it was tried and what it brought on average."""

    decision: int
    iterations: int
    visits: dict[int, int]
    expected: dict[int, float]  # share of the victory, 0 to 1
    line: list[tuple[int, int]]  # the most expected continuation, as (seat, decision)


class Searcher:
    """One search at a time, with arrays of its own: some eight megabytes at most, whatever the budget."""

    def __init__(
        self,
        game: Game,
        iterations: int = 0,
        milliseconds: int = 0,
        guide: int = EVERYWHERE,
        turns: int | None = None,
    ) -> None:
        self.game, self.iterations, self.milliseconds = game, iterations, milliseconds
        outlook = OUTLOOKS.get(game.name, TO_THE_END)
        self.habits = (guide, outlook.turns if turns is None else turns)
        enough = 1 << max(8, (2 * NODES_AN_ITERATION * iterations).bit_length())  # half of the places stay empty
        nodes = MOST_NODES if milliseconds else min(MOST_NODES, enough)
        self.tree = new_tree(nodes, game.num_actions, max(game.seats))
        self.desk = new_desk(game)
        self.found = ismcts.Found(
            np.zeros(game.num_actions, np.int64), np.zeros(game.num_actions), np.zeros((LINE, 2), np.int64)
        )
        bound: dict[str, Any] = {**game.functions, "choose": COMMON_SENSE[game.name], "look": observe.look}
        bound |= {"traits": outlook.traits, "side_of": outlook.side_of, "turn_of": outlook.turn_of}
        self._think = jit.native(ismcts.think, f"{game.name}-search", **bound)

    @property
    def memory_bytes(self) -> int:
        """What the arrays of this search take."""
        return sum(array.nbytes for array in self.tree)

    def think(self, view: NDArray[np.void], legal: Sequence[int], seed: int, cancelled: Event | None = None) -> Thought:
        """Search from a view. The same view, seed and iterations give the same thought."""
        self._clear(view, seed)
        seat, done, length = int(view["seat"][0]), 0, 0
        end = time.monotonic() + self.milliseconds / 1000
        while done == 0 or (time.monotonic() < end if self.milliseconds else done < self.iterations):
            count = CHUNK if self.milliseconds else min(CHUNK, self.iterations - done)
            length = self._think(self.tree, self.desk, seat, signed(seed), count, *self.habits, self.found)
            done += count
            if cancelled is not None and cancelled.is_set():
                break
        return self._thought(legal, done, length)

    def _clear(self, view: NDArray[np.void], seed: int) -> None:
        for array in (*self.tree, *self.found):
            array[:] = 0
        self.desk.sight[:] = view
        memory = MEMORY.plain()
        rng.seed_luck(memory, signed(seed), PLAYERS + 32)
        self.desk.memory[:] = np.frombuffer(memory.pack(), MEMORY.dtype)

    def _thought(self, legal: Sequence[int], iterations: int, length: int) -> Thought:
        visits, value = self.found.visits, self.found.value
        decision = max(legal, key=lambda action: (visits[action], value[action], -action))
        return Thought(
            int(decision),
            iterations,
            {action: int(visits[action]) for action in legal},
            {action: float(value[action] / visits[action]) if visits[action] else 0.0 for action in legal},
            [(int(mover), int(action)) for mover, action in self.found.line[:length]],
        )


def new_tree(nodes: int, actions: int, seats: int) -> ismcts.Tree:
    edges = nodes // 2 * EDGES_A_NODE + actions + 1
    return ismcts.Tree(
        nodes=np.zeros(nodes, ismcts.NODE),
        edges=np.zeros(edges, ismcts.EDGE),
        used=np.zeros(2, np.int64),
        edge_of=np.zeros(actions, np.int32),
        path=np.zeros(ismcts.LONGEST, np.int32),
        movers=np.zeros(ismcts.LONGEST, np.int8),
        shares=np.zeros(seats),
    )


def new_desk(game: Game) -> ismcts.Desk:
    layout = game.layout
    states = layout.states(1)
    watching = layout.eyes(states)
    view = np.zeros(1, layout.view.dtype)
    mask_words = np.zeros((game.num_actions + 7) // 8, np.int64)
    return ismcts.Desk(
        sight=view,
        raw_view=view.view(np.uint8),
        states=states,
        raw=states.view(np.uint8),
        eyes=watching,
        words=watching[1].view(np.int64),
        mask=mask_words.view(np.int8)[: game.num_actions],
        mask_words=mask_words,
        root_words=np.zeros_like(mask_words),
        memory=np.zeros(1, MEMORY.dtype),
        net=load_net(game.name),
    )
