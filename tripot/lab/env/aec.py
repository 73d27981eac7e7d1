"""A game as a PettingZoo AEC environment: the base of `verrater_v1`, `trok_v1` and `trieste_v5`.

Agents are `player_0`, `player_1`, … by seat. The rules decide whose turn it is, not a fixed order. If several seats
choose in secret at the same time, the lowest moves first, and none sees what another chose. The number in the name of
an environment is the game's rules version.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from tripot import GAMES
from tripot.lab.env import extra
from tripot.lab.env.gymnasium import NO_MODE, known_mode, seat_numbers
from tripot.lab.env.observation import (
    Observation,
    SeatEncoding,
    open_table,
    page,
    reward,
    table_again,
    table_moves,
)
from tripot.lab.env.picture import draw

with extra("gymnasium"):
    from gymnasium import logger, spaces
with extra("pettingzoo"):
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

ILLEGAL_REWARD = -1
KEPT = (
    *("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"),
    *("_skip_agent_selection", "_shown", "_generator"),
)
RENDER_MODES = ("ansi", "human", "rgb_array")


class TableEnv(AECEnv):
    """One table. Rewards are win shares, paid when the game is over, and zero before.

    `encoding` is the version of observations; with 2, masks and actions are turned to the agent as well.
    """

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        lang: str = "en",
        encoding: int = 1,
    ) -> None:
        super().__init__()
        self._settings = dict(game=game, seats=seats, options=options, render_mode=render_mode, lang=lang)
        self._settings["encoding"] = encoding
        render_mode = known_mode(render_mode, RENDER_MODES)
        self.game, self.options, self.render_mode, self.lang = GAMES[game], options, render_mode, lang
        self.metadata = {
            "name": f"{game}_v{self.game.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.table = open_table(self.game, seats, 0, options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.seats)]
        self.agents: list[str] = []
        self._encoding = SeatEncoding(self.game, self.table.seats, encoding)
        numbers = seat_numbers(self._encoding)
        allowed = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": allowed}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self._generator: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deals the game of `seed`, the same game as elsewhere in Tripot, or of a random seed. Ignores `options`."""
        if seed is not None or self._generator is None:
            self._generator = np.random.default_rng(seed)
        deal = int(self._generator.integers(1 << 63)) if seed is None else seed
        self.table = open_table(self.game, self.table.seats, deal, self.options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._shown = 0
        self._select_agent()

    def step(self, action: int | None) -> None:
        """Takes the decision of `agent_selection`. Raises Refusal if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        seat = self._seat(agent)
        self._cumulative_rewards[agent] = 0.0
        decision = self._encoding.action(self.table, seat, int(action))
        self.table.decide(seat, decision, self.table.offer(seat).sequence)
        if self.table.over:
            self.rewards = {agent: reward(self.table, self._seat(agent)) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._select_agent()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select_agent(self) -> None:
        """Selects the next agent to decide; after the end of the game, agents leave one after the other."""
        self.agent_selection = self.agents[0] if self.table.over else self.possible_agents[self.table.waiting[0]]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> Any:
        """The action mask; all zeros unless it is the agent's turn, which is PettingZoo's convention."""
        allowed = self._encoding.mask(self.table, self._seat(agent))
        return allowed if agent == self.agent_selection else np.zeros_like(allowed)

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> Observation:
        seen = self._encoding.observe(self.table, self._seat(agent))
        return {**seen, "action_mask": self._mask(agent)}

    # --- Copies: pickle and deepcopy keep the game as it stands ---

    def save(self) -> dict[str, Any]:
        """Returns the game as it stands, with whose turn it is and the luck of games to come."""
        return {"table": table_moves(self.table), **{name: copy.deepcopy(getattr(self, name)) for name in KEPT}}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Puts back what `save` returned, here or in an environment like it."""
        self.table = table_again(self.game, self.options, saved["table"])
        for name in KEPT:
            setattr(self, name, copy.deepcopy(saved[name]))

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self._settings, "saved": self.save() if hasattr(self, "agent_selection") else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["settings"])  # type: ignore[misc]
        if state["saved"] is not None:
            self.restore(state["saved"])

    def render(self) -> Any:
        """The table as the seat to move sees it, with the news since the last call; text, or drawn for `rgb_array`."""
        if self.render_mode is None:
            logger.warn(NO_MODE)
            return None
        if self.render_mode == "rgb_array":
            return draw(page(self.table, self._seat(self.agent_selection), self.table.sequence + 1, self.lang))
        text = page(self.table, self._seat(self.agent_selection), self._shown, self.lang)
        self._shown = self.table.sequence + 1
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Does nothing: there is nothing to release."""


def wrapped(raw: TableEnv) -> Any:
    """Adds PettingZoo's usual wrappers: an illegal decision ends the game with reward -1 for the agent that took it."""
    env = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
