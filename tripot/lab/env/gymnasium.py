"""One seat of a game as a Gymnasium environment, with bots in the others.

Importing this registers `tripot/Verrater-v1`, `tripot/Trok-v1` and `tripot/Trieste-v5`, by rules version.

    env = gymnasium.make("tripot/Verrater-v1", seat=0, opponents="sensible")
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.bots.memory import BOT_MEMORY, new_memory
from tripot.bots.own import find_any_bot
from tripot.core.game import signed
from tripot.lab.env import extra
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
from tripot.lab.one_seat import DRAWN, seat_players

with extra("gymnasium"):
    import gymnasium
    from gymnasium import spaces

ILLEGAL_REWARD = -1.0
NO_MODE = "this environment has no render mode and shows nothing: choose 'ansi', 'human' or 'rgb_array'"


def known_mode(render_mode: str | None, known: Sequence[str]) -> str | None:
    """The render mode, or None with a warning if there is no such mode."""
    if render_mode in (None, *known):
        return render_mode
    gymnasium.logger.warn(f"there is no render mode '{render_mode}', so nothing is shown: choose {', '.join(known)}")
    return None


def seat_numbers(encoding: SeatEncoding) -> spaces.Box:
    """The space of encoded views."""
    return spaces.Box(np.zeros_like(encoding.highest), encoding.highest, dtype=np.float32)


def drawn_seat(seed: int, seats: int) -> int:
    """The seat that learns in the game of this seed, where it is drawn: the same in every environment."""
    learners = [0]
    seat_players(0, signed(seed), seats, DRAWN, [BOT_MEMORY.plain() for _ in range(seats)], learners)
    return learners[0]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """A game from one seat. The reward is its win share, paid when the game is over.

    `seat` counts from 0; None draws a seat for every game, from its seed. `opponents` is one bot for all other seats,
    or a list with one for each. A decision that is not in the mask ends the game with the reward -1, as in PettingZoo.
    `encoding` is the version of observations; with 2, masks and actions are turned to the seat as well.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 1}  # noqa: RUF012  # Gymnasium's convention

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seat: int | None = 0,
        opponents: str | Sequence[str] = "sensible",
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        lang: str = "en",
        encoding: int = 1,
    ) -> None:
        self._settings = dict(game=game, seats=seats, seat=seat, opponents=opponents, options=options, lang=lang)
        self._settings |= {"render_mode": render_mode, "encoding": encoding}
        render_mode = known_mode(render_mode, self.metadata["render_modes"])
        self.game, self.options, self.lang, self.render_mode = GAMES[game], options, lang, render_mode
        self.table = open_table(self.game, seats, 0, options)
        if seat is not None and not 0 <= seat < self.table.seats:
            raise ValueError(f"there is no seat {seat}: choose 0 to {self.table.seats - 1}, or None to draw one")
        self._chosen, self.seat = seat, seat or 0
        names = [opponents] * (self.table.seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != self.table.seats - 1:
            raise ValueError(f"{len(names)} opponents: name one for all seats, or {self.table.seats - 1}")
        self._bots = [find_any_bot(name, self.game) for name in names]
        self._encoding = SeatEncoding(self.game, self.table.seats, encoding)
        numbers = seat_numbers(self._encoding)
        allowed = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.observation_space: spaces.Space[Any] = spaces.Dict({"observation": numbers, "action_mask": allowed})
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._players: dict[int, tuple[Any, Any]] = {}
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
            self.seat = drawn_seat(seed, self.table.seats)
        others = [seat for seat in range(self.table.seats) if seat != self.seat]
        self._players = {seat: (bot, new_memory(seed, seat)) for seat, bot in zip(others, self._bots, strict=True)}
        self._shown, self._illegal = 0, False
        self._await_turn()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        offer = self.table.offer(self.seat)
        if self._illegal or self.table.over:
            raise ValueError("the game is over: reset the environment")
        decision = self._encoding.action(self.table, self.seat, int(action))
        if decision not in offer.legal:
            self._illegal = True
            seen, info = self._observed()
            return seen, ILLEGAL_REWARD, True, False, info
        self.table.decide(self.seat, decision, offer.sequence)
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
        seen = self._encoding.observe(self.table, self.seat)
        return seen, {"action_mask": seen["action_mask"], "seat": self.seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as MaskablePPO asks for them."""
        return self._encoding.mask(self.table, self.seat).astype(bool)

    # --- Copies: pickle and deepcopy keep the game as it stands ---

    def save(self) -> dict[str, Any]:
        """Returns the game as it stands, with the luck of its bots and of games to come."""
        memories = {seat: memory.pack() for seat, (_, memory) in self._players.items()}
        kept = {"table": table_moves(self.table), "seat": self.seat, "memories": memories, "illegal": self._illegal}
        return {**kept, "luck": copy.deepcopy(self.np_random)}

    def restore(self, saved: dict[str, Any]) -> tuple[Observation, dict[str, Any]]:
        """Puts back what `save` returned, here or in an environment like it."""
        self.table, self.seat = table_again(self.game, self.options, saved["table"]), saved["seat"]
        self._players = {}
        for (seat, memory), bot in zip(sorted(saved["memories"].items()), self._bots, strict=True):
            self._players[seat] = (bot, new_memory(0, seat))
            self._players[seat][1].load(memory)
        self._shown, self._illegal = self.table.sequence + 1, saved["illegal"]
        self.np_random = copy.deepcopy(saved["luck"])
        return self._observed()

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self._settings, "spec": self.spec, "saved": self.save() if self._players else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["settings"])  # type: ignore[misc]
        self.spec = state["spec"]
        if state["saved"] is not None:
            self.restore(state["saved"])

    def render(self) -> Any:
        """The table as the seat sees it, with the news since the last call; as text, or drawn for `rgb_array`."""
        if self.render_mode is None:
            gymnasium.logger.warn(NO_MODE)
            return None
        text = page(self.table, self.seat, self._shown, self.lang)
        if self.render_mode == "rgb_array":
            return draw(page(self.table, self.seat, self.table.sequence + 1, self.lang))
        self._shown = self.table.sequence + 1
        if self.render_mode == "human":
            print(text)
            return None
        return text


IDS = {name: f"tripot/{name.capitalize()}-v{game.rules_version}" for name, game in GAMES.items()}

for _name, _id in IDS.items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point="tripot.lab.env.gymnasium:SeatEnv",
            vector_entry_point="tripot.lab.vector.seat_env:SeatVectorEnv",
            kwargs={"game": _name},
        )
