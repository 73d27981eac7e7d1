"""One seat of a game as a Gymnasium environment, with bots in the others.

Importing this registers `tripot/Verrater-v1`, `tripot/Trok-v1` and `tripot/Trieste-v2`, by rules version.

    env = gymnasium.make("tripot/Verrater-v1", seat=0, opponents="sensible")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tripot import GAMES
from tripot.bots.bot import find_bot
from tripot.bots.memory import new_memory
from tripot.lab.env import extra
from tripot.lab.env.observation import Observation, encoding_of, observation, open_table, page, reward

with extra("gymnasium"):
    import gymnasium
    from gymnasium import spaces

ILLEGAL_REWARD = -1.0


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """A game from one seat. The reward is its win share, paid when the game is over.

    `seat` counts from 0; None draws a seat for every game. `opponents` is one bot for all other seats, or a list with
    one for each. A decision that is not in the mask ends the game with the reward -1, as in PettingZoo.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012  # Gymnasium's convention

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seat: int | None = 0,
        opponents: str | Sequence[str] = "sensible",
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        lang: str = "en",
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode '{render_mode}': choose ansi or human")
        self.game, self.options, self.lang, self.render_mode = GAMES[game], options, lang, render_mode
        self.table = open_table(self.game, seats, 0, options)
        if seat is not None and not 0 <= seat < self.table.seats:
            raise ValueError(f"there is no seat {seat}: choose 0 to {self.table.seats - 1}, or None to draw one")
        self._chosen, self.seat = seat, seat or 0
        names = [opponents] * (self.table.seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != self.table.seats - 1:
            raise ValueError(f"{len(names)} opponents: name one for all seats, or {self.table.seats - 1}")
        self._bots = [find_bot(name, self.game) for name in names]
        numbers = spaces.Box(0, 1, (encoding_of(game).width,), np.float32)
        allowed = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_space: spaces.Space[Any] = spaces.Dict({"observation": numbers, "action_mask": allowed})
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._shown = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals the game of `seed`, the same game as elsewhere in Tripot, or of a random seed. Ignores `options`."""
        super().reset(seed=seed)
        deal = int(self.np_random.integers(1 << 63)) if seed is None else seed
        while True:
            self._deal(deal)
            if not self.table.over:
                return self._observed()
            deal = int(self.np_random.integers(1 << 63))  # the game ended before the seat could decide

    def _deal(self, seed: int) -> None:
        self.table = open_table(self.game, self.table.seats, seed, self.options)
        if self._chosen is None:
            self.seat = int(self.np_random.integers(self.table.seats))
        others = [seat for seat in range(self.table.seats) if seat != self.seat]
        self._players = {seat: (bot, new_memory(seed, seat)) for seat, bot in zip(others, self._bots, strict=True)}
        self._shown, self._illegal = 0, False
        self._await_turn()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        offer = self.table.offer(self.seat)
        if self._illegal or self.table.over:
            raise ValueError("the game is over: reset the environment")
        if int(action) not in offer.legal:
            self._illegal = True
            seen, info = self._observed()
            return seen, ILLEGAL_REWARD, True, False, info
        self.table.decide(self.seat, int(action), offer.sequence)
        self._await_turn()
        if self.render_mode == "human":
            self.render()
        return self._outcome()

    def _outcome(self) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        seen, info = self._observed()
        return seen, reward(self.table, self.seat), self.table.over, False, info

    def _await_turn(self) -> None:
        """Lets the bots decide until it is the seat's turn or the game is over."""
        table = self.table
        while not table.over and self.seat not in table.waiting:
            seat = table.waiting[0]
            bot, memory = self._players[seat]
            offer = table.offer(seat)
            table.decide(seat, bot.decide(table.view(seat), offer.legal, memory), offer.sequence)

    def _observed(self) -> tuple[Observation, dict[str, Any]]:
        seen = observation(self.table, self.seat)
        return seen, {"action_mask": seen["action_mask"], "seat": self.seat}

    def render(self) -> str | None:
        """The table as the seat sees it, with the news since the last call."""
        if self.render_mode is None:
            gymnasium.logger.warn("this environment has no render mode and shows nothing: choose 'ansi' or 'human'")
            return None
        text = page(self.table, self.seat, self._shown, self.lang)
        self._shown = self.table.sequence + 1
        if self.render_mode == "human":
            print(text)
            return None
        return text


IDS = {name: f"tripot/{name.capitalize()}-v{game.rules_version}" for name, game in GAMES.items()}

for _name, _id in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(_id, entry_point="tripot.lab.env.gymnasium:SeatEnv", kwargs={"game": _name})
