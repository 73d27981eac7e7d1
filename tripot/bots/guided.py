"""The guided bot, written `guided:800` or `guided:100ms`: it looks ahead with a network, from its seat's view alone."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots import lookahead
from tripot.bots.bot import SearchBot
from tripot.bots.memory import BOT_MEMORY
from tripot.bots.network import CRITIC, NetworkBot, NetworkPlayer, NetworkWeights
from tripot.bots.search import Searcher, SearchResult, bound_names, new_workspace
from tripot.core import jit, rng
from tripot.core.defaults import no_way_back
from tripot.core.encoding import encoder_of
from tripot.core.game import Game, signed

LANES = 16  # tries that go on side by side, between two looks at the clock
ITERATIONS_A_TRY = 5  # of a search, in the same time
ROUNDS = 3  # after each of them the worse half of the candidates goes
SURELY = 0.03  # nobody's kind is known better than this
WEIGHED = 4  # imagined states that are weighed for one that is tried


@dataclass(frozen=True)
class Plan:
    """How to look ahead."""

    candidates: int = 8  # decisions of the network that are tried at most, besides the tree search's favourite
    least_chance: float = 0.01  # the network's probability below which a decision is not tried
    depth: int = 20  # free decisions of all seats after a candidate
    temperature: float = 0.002  # the win share for which the network's log-probability gives way by 1
    sharpness: float = 2.0  # the power to which the probabilities of these decisions are raised
    alike: float = 0.5  # where the weights do not tell: how many others decide as the network, and not as the heuristic
    doubts: tuple[float, float] = (0.3, 0.3)  # how often others decide otherwise than their kind
    searched: float = 0.3  # share of the budget for a tree search, whose rollouts follow the heuristic
    trust: float = 1.0  # how much the logarithm of its visits counts beside the network's log-probability


class LookAhead:
    """One look-ahead at a time, in arrays of its own."""

    def __init__(self, game: Game, weights: NetworkWeights, player: NetworkPlayer, plan: Plan | None = None) -> None:
        self.game, self.player, self.plan = game, player, plan or Plan()
        if game.heuristic is None:
            self.plan = replace(self.plan, alike=1.0)
        self._searchers: dict[tuple[int, int], Searcher] = {}  # by budget
        encoder = player.encoder
        full = encoder_of(game, encoder.seats, encoder.rules, full=True)
        layers = {name: np.ascontiguousarray(layer, np.float32) for name, layer in weights.layers.items()}
        self.work = new_workspace(game)
        width = max(len(layers["inputs_bias"]), len(layers[CRITIC + "inputs_bias"]))
        outcomes = len(layers[CRITIC + "value_bias"])
        self.lanes = new_lanes(game, max(LANES, self.plan.candidates + 1), width, encoder.width, full.width, outcomes)
        self.policy = lookahead.Policy(encoder.native_tables_of_states, *network(layers, "", "policy"), encoder.actions)
        self.values = lookahead.Values(full.native_tables, *network(layers, CRITIC, "value"), full.slot_of)
        self._try = jit.native(lookahead.try_choices, **bound_names(game))
        turn_back = game.hidden.turn_back if game.hidden else no_way_back
        self._weigh = jit.native(lookahead.weigh_worlds, **bound_names(game), turn_back=turn_back)

    def try_choices(
        self,
        view: NDArray[np.void],
        seed: int,
        worlds: NDArray[np.int64],
        alike: NDArray[np.float64],
        choices: Sequence[Sequence[int]],
        stream: int,
        plan: Plan,
    ) -> NDArray[np.float64]:
        """What the seat expects after each choice (a column) in each of these imagined states.

        There must be a lane for each choice in each state. `alike`: how likely each seat is to decide as the network.
        """
        self.work.root_view[:] = view
        parts = (self.work, self.lanes, self.policy, self.values, int(view["seat"][0]), signed(seed))
        self._try(*parts, worlds, alike, stream, plan.depth, plan.sharpness, np.array(choices, np.int64))
        return self.lanes.shares[: len(worlds) * len(choices)].reshape(len(worlds), -1).copy()

    def weigh_worlds(
        self, view: NDArray[np.void], seed: int, worlds: range, alike: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """By imagined state, seat and kind of player: how likely they are, by what the others decided.

        `alike`: how likely each seat is to decide as the network, before any decision is turned back.
        """
        self.work.root_view[:] = view
        likely = np.stack([alike, 1 - alike], axis=1)[None].repeat(len(worlds), axis=0)
        parts = (self.work, self.lanes, self.policy, int(view["seat"][0]), signed(seed))
        self._weigh(*parts, worlds.start, self.plan.doubts, likely)
        return likely

    def alike(self, view: NDArray[np.void]) -> NDArray[np.float64]:
        """How likely each seat is to decide as the network, by what the view shows."""
        found = np.full(self.lanes.alike.shape[1], self.plan.alike)
        told = self.player.alike(view) if self.game.heuristic is not None else None
        if told is not None:
            found = np.clip(told, SURELY, 1 - SURELY)
        found[int(view["seat"][0])] = 1
        return found

    def try_worlds(
        self,
        view: NDArray[np.void],
        seed: int,
        worlds: range,
        alike: NDArray[np.float64],
        candidates: Sequence[int],
    ) -> NDArray[np.float64]:
        """By candidate, weighed sums over tries: win shares of the seat, their squares, weights.

        One state is tried for `WEIGHED` of these, each about as often as it is likely.
        """
        likely = self.weigh_worlds(view, seed, worlds, alike)
        weights = likely.sum(axis=2).prod(axis=1)
        tried = often_as_likely(weights, len(worlds) // WEIGHED)
        kinds = (likely[:, :, 0] / likely.sum(axis=2))[tried[:, 0]]
        tried[:, 0] += worlds.start
        choices = [[action] for action in candidates]
        shares = self.try_choices(view, seed, tried, kinds, choices, lookahead.REPLIES, self.plan)
        weighed = weights.mean() * np.stack([shares, shares**2, np.ones_like(shares)])
        totals: NDArray[np.float64] = weighed.sum(axis=1).T
        return totals

    def search(
        self, view: NDArray[np.void], legal: Sequence[int], seed: int, budget: Budget, cancelled: Event | None = None
    ) -> SearchResult:
        """Looks ahead from a view. The same view, seed and iterations give the same result."""
        chances = self.player.chances(view, legal)
        likely = sorted(legal, key=lambda action: (-chances[action], action))[: self.plan.candidates]
        alive = [action for action in likely if chances[action] >= math.log(self.plan.least_chance)] or likely[:1]
        if self.plan.searched:
            searched = self._searched_visits(view, legal, seed, budget, cancelled)
            favourite = max(legal, key=lambda action: (searched[action], -action))
            alive += [favourite] if favourite not in alive else []  # the network may never have tried it
            chances = {action: chance + self.trusted(searched, action) for action, chance in chances.items()}
            budget = budget.rest(self.plan.searched)
        found = {action: np.zeros(4) for action in legal}  # tries, and what `try_worlds` adds up
        world, alike = 0, self.alike(view)
        for number in range(ROUNDS):
            while len(alive) > 1:
                tries = len(self.lanes.live) // len(alive)
                worlds = range(world, world + WEIGHED * tries)
                totals = self.try_worlds(view, seed, worlds, alike, alive)
                for action, total in zip(alive, totals, strict=True):
                    found[action] += (tries, *total)
                world, budget.used = worlds.stop, budget.used + tries * len(alive)
                if budget.spent((number + 1) / ROUNDS) or (cancelled is not None and cancelled.is_set()):
                    break
            alive.sort(key=lambda action: (-self.score(found[action], chances[action]), action))
            if number + 1 < ROUNDS:
                alive = alive[: max(2, -(-len(alive) // 2))]
        visits = {action: int(found[action][0]) for action in legal}
        expected = {action: mean_share(found[action]) for action in legal}
        return SearchResult(alive[0], budget.used, visits, expected, [(int(view["seat"][0]), alive[0])])

    def _searched_visits(
        self, view: NDArray[np.void], legal: Sequence[int], seed: int, budget: Budget, cancelled: Event | None
    ) -> dict[int, int]:
        """How often a tree search visits each legal action, in its share of the budget."""
        share = self.plan.searched
        size = (math.ceil(ITERATIONS_A_TRY * share * budget.iterations), math.ceil(share * budget.milliseconds))
        if size not in self._searchers:
            self._searchers[size] = Searcher(self.game, *size)
        return self._searchers[size].search(view, legal, seed, cancelled).visits

    def trusted(self, visits: dict[int, int], action: int) -> float:
        """What the tree search adds to the network's log-probability of an action."""
        return self.plan.trust * math.log((visits[action] + 1) / (sum(visits.values()) + len(visits)))

    def score(self, found: NDArray[np.float64], chance: float) -> float:
        """Scores a candidate: its mean win share, and how likely network and tree search find it."""
        return mean_share(found) / self.plan.temperature + chance


def new_lanes(game: Game, count: int, hidden: int, encoded: int, full: int, outcomes: int) -> lookahead.Lanes:
    """Empty lanes for networks of these widths."""
    states = game.layout.states(count)

    def rows(width: int) -> NDArray[np.float32]:
        return np.zeros((count, width), np.float32)

    return lookahead.Lanes(
        states=states,
        raw=states.view(np.uint8).reshape(count, -1),
        memory=np.zeros(count, BOT_MEMORY.dtype),
        seats=np.zeros(count, np.int8),
        live=np.zeros(count, np.int64),
        rows=rows(encoded + game.num_actions),
        full=rows(full),
        hidden=rows(hidden),
        middle=rows(hidden),
        more=rows(hidden),
        logits=rows(game.num_actions),
        outcomes=rows(outcomes),
        used=np.zeros(max(encoded + game.num_actions, full, hidden), np.int64),
        asked=np.zeros((count, 3), np.int64),
        alike=np.zeros((count, max(game.seats)), np.int8),
        left=np.zeros(count, np.int64),
        shares=np.zeros(count),
    )


def often_as_likely(weights: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Picks `count` places, each about as often as it weighs: the place, and how often it was picked before.

    >>> often_as_likely(np.array([1.0, 1.0, 6.0, 0.0]), 4).tolist()
    [[0, 0], [2, 0], [2, 1], [2, 2]]
    """
    marks = (np.arange(count) + 0.5) / count * weights.sum()
    places = np.minimum(np.searchsorted(np.cumsum(weights), marks), len(weights) - 1)
    before = np.arange(count) - np.searchsorted(places, places)
    return np.stack([places, before], axis=1).astype(np.int64)


def network(layers: dict[str, Any], before: str, head: str) -> tuple[Any, Any, Any]:
    """Its first layer, its blocks and one of its heads."""
    blocks = ("first", "first_bias", "second", "second_bias")
    return (
        (layers[before + "inputs"], layers[before + "inputs_bias"]),
        tuple(layers[before + name] for name in blocks),
        (layers[before + head], layers[f"{before}{head}_bias"]),
    )


class Budget:
    """A number of tries, or a time that starts now."""

    def __init__(self, iterations: int, milliseconds: int) -> None:
        self.iterations, self.milliseconds = iterations, milliseconds
        self.used, self.began = 0, time.monotonic()

    def rest(self, used: float) -> Budget:
        """Returns the budget that is left after this share of it; its time starts now."""
        return Budget(self.iterations - int(used * self.iterations), self.milliseconds - int(used * self.milliseconds))

    def spent(self, share: float) -> bool:
        """Whether this share of it is used up."""
        if self.milliseconds:
            return (time.monotonic() - self.began) * 1000 >= self.milliseconds * share
        return self.used >= self.iterations * share


def mean_share(found: NDArray[np.float64]) -> float:
    """The mean win share of a candidate, over the imagined states by their weight."""
    return float(found[1] / found[3]) if found[3] else 0.0


@dataclass(frozen=True)
class GuidedBot(NetworkBot):
    """Looks ahead with the network. Where the network has learned nothing, it searches for about as long."""

    plan: Plan = Plan()

    @cached_property
    def without_network(self) -> SearchBot:
        return SearchBot(self.name, self.game, ITERATIONS_A_TRY * self.iterations, self.milliseconds)

    def search(
        self, view: NDArray[np.void], legal: Sequence[int], memory: Any, cancelled: Event | None = None
    ) -> SearchResult:
        player = self.player(view)
        if player is None or self.weights is None or not self.weights.has_critic:
            return self.without_network.search(view, legal, memory, cancelled)
        if not hasattr(self._of_thread, "look_ahead"):
            self._of_thread.look_ahead = LookAhead(self.game, self.weights, player, self.plan)
        look_ahead: LookAhead = self._of_thread.look_ahead
        budget = Budget(self.iterations, self.milliseconds)
        return look_ahead.search(view, legal, rng.next_word(memory), budget, cancelled)
