"""A game as a PettingZoo AEC environment. `verrater_v1`, `trok_v1` and `trieste_v2` are made of it.

Agents are `player_0`, `player_1`, … by seat. Whose turn it is follows from the rules, not from a circle; of several
seats that choose in secret at the same time the lowest is asked first, and none sees what another chose. The number
behind the name of an environment is the game's rules version.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tripot import GAMES
from tripot.lab.env import extra
from tripot.lab.env.observation import Observation, encoding_of, mask, observation, open_table, page, reward

with extra("gymnasium"):
    from gymnasium import logger, spaces
    from gymnasium.utils import EzPickle
with extra("pettingzoo"):
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

ILLEGAL_REWARD = -1
RENDER_MODES = ("ansi", "human")


class TableEnv(AECEnv, EzPickle):
    """One table. Rewards are shares of the victory, paid when the game is over; all else is zero."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        lang: str = "en",
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"there is no render mode '{render_mode}': choose {' or '.join(RENDER_MODES)}")
        EzPickle.__init__(self, game, seats, options, render_mode, lang)
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
        numbers = spaces.Box(0, 1, (encoding_of(game).width,), np.float32)
        allowed = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": allowed}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}
        self._luck: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal: `seed` is the game's own, as everywhere in Tripot; without one it is drawn. `options` are not read."""
        if seed is not None or self._luck is None:
            self._luck = np.random.default_rng(seed)
        deal = int(self._luck.integers(1 << 63)) if seed is None else seed
        self.table = open_table(self.game, self.table.seats, deal, self.options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._shown = 0
        self._turn()

    def step(self, action: int | None) -> None:
        """The decision of `agent_selection`; Refusal where the rules say no."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        seat = self._seat(agent)
        self._cumulative_rewards[agent] = 0.0
        self.table.decide(seat, int(action), self.table.offer(seat).sequence)
        if self.table.over:
            self.rewards = {agent: reward(self.table, self._seat(agent)) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _turn(self) -> None:
        """Whose decision it is; once the game is over the agents leave one after the other."""
        self.agent_selection = self.agents[0] if self.table.over else self.possible_agents[self.table.waiting[0]]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> Any:
        """By the ecosystem's custom only the agent whose turn it is has one."""
        allowed = mask(self.table, self._seat(agent))
        return allowed if agent == self.agent_selection else np.zeros_like(allowed)

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> Observation:
        seen = observation(self.table, self._seat(agent))
        return {**seen, "action_mask": self._mask(agent)}

    def render(self) -> str | None:
        """The table as the seat to move sees it, with the news since the last page."""
        if self.render_mode is None:
            logger.warn("an environment without a render mode shows nothing: ask for 'ansi' or 'human'")
            return None
        text = page(self.table, self._seat(self.agent_selection), self._shown, self.lang)
        self._shown = self.table.sequence + 1
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to let go of."""


def wrapped(raw: TableEnv) -> Any:
    """With the usual wrappers: an illegal decision ends the game at a price of one, for whoever took it."""
    env = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))
