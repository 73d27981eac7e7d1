"""One seat of many games as a Gymnasium vector environment: native bots play the others, on all cores or on a GPU.

envs = gymnasium.make_vec("tripot/Verrater-v1", num_envs=4096, opponents="sensible", encoding=2)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.bot import PolicyBot
from tripot.bots.memory import BOT_MEMORY
from tripot.bots.own import AnyBot, OwnBot, find_any_bot, is_policy
from tripot.bots.uniform import choose_uniform
from tripot.core import jit
from tripot.core.encoding import Encoder, encoder_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch import Batch, IllegalAction
from tripot.lab.batch.batch import check_encoding, check_tables, illegal_message, named_game, named_rules
from tripot.lab.env import extra
from tripot.lab.gpu.device import check_device
from tripot.lab.one_seat import DRAWN
from tripot.lab.playout import OUTSIDE, SENSIBLE, UNIFORM
from tripot.lab.vector import loops
from tripot.lab.vector.network_policy import NetworkPolicy

with extra("gymnasium"):
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[Any]]  # (observations, masks): actions, a row each
Observations = dict[str, NDArray[Any]]  # "observation" and "action_mask", a row each
Step = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SeatVectorEnv(VectorEnv[Observations, NDArray[Any], NDArray[Any]]):
    """Many games from one seat each; game i of `reset(seed=s)` is the game of `SeatEnv` with the seed s + i.

    An opponent is a native bot (`uniform`, `sensible`), a network (`network`, `network:PATH`), any other bot, which is
    asked at one table after the other, or a policy: a callable that gets encoded observations and masks of many tables
    and returns an action for each. `module:factory` names a function that makes a bot or a policy for the game.
    `seat=None` draws a seat for every game. With version 2 of the encoding, observations, masks and actions are turned
    to the seat. A game that ends is dealt anew in the same step, with the seed plus the number of games; `final_obs` in
    the infos has its last observation. An action that the mask does not allow ends the game with the reward -1.

    With `device="cuda"` the same games are played on a GPU, and arrays are tensors of PyTorch (`gpu_seat_env`).
    """

    _actions: Any  # arrays of NumPy; of PyTorch on a GPU
    _learners: Any
    _paid: Any
    _ended: Any
    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  # Gymnasium's convention

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seats: int | None = None,
        seat: int | None = 0,
        opponents: str | Policy | Sequence[str | Policy] = "sensible",
        options: Mapping[str, Any] | None = None,
        encoding: int = 1,
        threads: int | None = None,
        render_mode: str | None = None,
        device: str = "cpu",
    ) -> None:
        game, self.encoding = named_game(game), check_encoding(encoding)
        self.num_envs, self.render_mode, self.device = num_envs, None, check_device(device)
        self.seats, self.house_rules = game.usual_seats if seats is None else seats, named_rules(game, options)
        check_tables(game, num_envs, self.seats, self.house_rules)
        if device == "cuda":
            from tripot.lab.vector.gpu_seat_env import GpuSeatVectorEnv

            self.__class__ = GpuSeatVectorEnv  # one name for both, with one signature
        self._open(game, threads)
        others = self.seats - 1
        if seat is not None and not 0 <= seat <= others:
            raise ValueError(f"there is no seat {seat}: choose 0 to {others}, or None to draw one")
        named = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]
        named = named * others if len(named) == 1 else named
        if len(named) != others:
            raise ValueError(f"{len(named)} opponents: name one for all seats, or {others}")
        self._opponents = [self._opponent(opponent) for opponent in named]
        self._kinds = np.array([kind for kind, _ in self._opponents], np.int8)
        self._seat = DRAWN if seat is None else seat
        self._make_arrays()
        self._make_spaces()

    def _open(self, game: Game, threads: int | None) -> None:
        self.batch = Batch(game, self.num_envs, self.seats, self.house_rules, threads=threads, encoding=self.encoding)

    @property
    def game(self) -> Game:
        return self.batch.game

    @property
    def encoder(self) -> Encoder:
        """Version 2 of the encoding for tables of this size, and the way to turned actions and back."""
        return encoder_of(self.game, self.seats)

    def _opponent(self, opponent: str | Policy) -> tuple[int, Policy | NetworkPolicy | AnyBot | None]:
        """The kind of an opponent, and who is asked if it decides outside the loop."""
        if not isinstance(opponent, str):
            return OUTSIDE, opponent
        bot = find_any_bot(opponent, self.game)
        if isinstance(bot, PolicyBot):
            return (UNIFORM if bot.choose is choose_uniform else SENSIBLE), None
        if isinstance(bot, OwnBot) and is_policy(bot.player):
            return OUTSIDE, bot.player
        return OUTSIDE, self._outsider(bot)

    def _outsider(self, bot: Any) -> NetworkPolicy | AnyBot:
        """A bot that is asked outside the loop."""
        return NetworkPolicy.of(bot, self.batch) or bot

    def _make_arrays(self) -> None:
        count, batch = self.num_envs, self.batch
        self._learners = np.full(count, max(self._seat, 0), np.int8)
        self._orders, self._decided, self._paid = (np.zeros(count, np.int8) for _ in range(3))
        self._ended = np.zeros(count, np.int8)
        self._actions = np.zeros(count, np.int64)
        self._memories = np.zeros((count, batch.seats), BOT_MEMORY.dtype)
        self._views = np.zeros(count, self.game.layout.view.dtype)
        self._encoded = np.zeros((count, self._width), np.float32)
        self._native = jit.native(loops.play_on, **self.game.functions, choose=self.game.heuristic or choose_uniform)

    @property
    def _width(self) -> int:
        return len(self.game.layout.encoding) if self.encoding == 1 else self.encoder.width

    def _make_spaces(self) -> None:
        highest = np.ones(self._width, np.float32) if self.encoding == 1 else self.encoder.highest
        numbers = spaces.Box(np.zeros_like(highest), highest, dtype=np.float32)
        allowed = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        self.single_observation_space = spaces.Dict({"observation": numbers, "action_mask": allowed})
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    # --- Games ---

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deals the games of `seed`, `seed` + 1, …, or of a random seed. Ignores `options`."""
        self.batch.reset(seeds=self._seeds(seed))
        self._orders[:] = loops.DEAL
        self._advance()
        return self._observed(), {"seat": self._learners.copy()}

    def _seeds(self, seed: int | Sequence[int] | None) -> int | list[int]:
        """The first seed, or one for each game; a random one if none is given."""
        if seed is not None and not isinstance(seed, int):
            return list(seed)
        super().reset(seed=seed)
        return int(self.np_random.integers(1 << 62)) if seed is None else seed

    def step(self, actions: NDArray[Any]) -> Step:
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions: {chosen.dtype} of shape {chosen.shape}; needed are {self.num_envs} integers")
        self._actions[:] = chosen
        masks, rows = self.action_masks(), np.arange(self.num_envs)
        fits = (chosen >= 0) & (chosen < self.game.num_actions)
        legal = fits & masks[rows, np.where(fits, chosen, 0)].astype(bool)
        self._actions[:] = self._turned_back(rows, np.where(fits, chosen, 0))
        self._orders[:] = np.where(legal, loops.ACT, loops.FORFEIT)
        self._paid[:], self._ended[:] = 0, 0
        before = self._learners.copy()
        self._advance()
        done = self._ended.astype(bool)
        infos: dict[str, Any] = {"seat": self._learners.copy()}
        if done.any():
            infos |= {"final_obs": self._final(done, before), "_final_obs": done, "final_info": {"seat": before}}
            infos["_final_info"] = done
        return self._observed(), self._paid / WHOLE_WIN, done, np.zeros_like(done), infos

    def _advance(self) -> None:
        """Carries out the orders, and lets policies decide, until the seat that learns has to decide everywhere."""
        while True:
            self._run()
            waiting = np.flatnonzero(self.batch._movers != self._learners)
            self._orders[:] = loops.REST
            if not len(waiting):
                return
            self._orders[waiting] = loops.ACT
            self._ask_opponents(waiting)

    def _run(self) -> None:
        batch, views = self.batch, self._views
        tables = (batch.states, batch._raw, batch._options, batch.seats, batch._seeds, self.num_envs, self._memories)
        playing = (self._kinds, self._seat, self._learners, self._decided, self._actions, batch._masks, batch._movers)
        seen = (batch._encoding.view_places, views, views.view(np.uint8).reshape(self.num_envs, -1))
        ending = (self._paid, self._ended, batch._finals)
        batch._pool.map_tables(self.num_envs, self._native, self._orders, *tables, *playing, *seen, *ending)

    def _ask_opponents(self, waiting: NDArray[np.int64]) -> None:
        """Lets those decide who do so outside the loop: policies and networks at all their tables at once."""
        movers = self.batch._movers[waiting].astype(int)
        who = movers - (movers > self._learners[waiting])
        seen = None
        for number in np.unique(who):
            rows, opponent = waiting[who == number], self._opponents[number][1]
            if isinstance(opponent, NetworkPolicy):
                self._actions[rows] = opponent(rows)
            elif hasattr(opponent, "decide"):
                self._actions[rows] = [self._decided_by(opponent, row) for row in rows]
            else:
                seen = self.batch.observe(self._encoded) if seen is None else seen
                turned = self.action_masks().astype(bool)[rows]
                chosen = np.asarray(opponent(seen[rows], turned)).astype(np.int64)
                self._check(rows, chosen, turned)
                self._actions[rows] = self._turned_back(rows, chosen)

    def _decided_by(self, bot: AnyBot, table: int) -> int:
        """What a bot decides at a table, with its own luck, as it would in `SeatEnv`."""
        batch, seat = self.batch, int(self.batch._movers[table])
        view = self.game.layout.observe(batch.states[table : table + 1], seat)
        memory, kept = BOT_MEMORY.plain(), self._memories[table : table + 1, seat]
        memory.load(kept.tobytes())
        legal = np.flatnonzero(batch._masks[table]).tolist()
        action = legal[0] if len(legal) == 1 else bot.decide(view, legal, memory)
        self._memories[table, seat] = np.frombuffer(memory.pack(), BOT_MEMORY.dtype)[0]
        return action

    def _check(self, tables: NDArray[np.int64], chosen: NDArray[np.int64], masks: NDArray[np.bool_]) -> None:
        """Raises IllegalAction unless a policy chose what is legal: native code would go astray."""
        fits = (chosen >= 0) & (chosen < masks.shape[1])
        bad = np.flatnonzero(~(fits & masks[np.arange(len(tables)), np.where(fits, chosen, 0)]))
        if len(bad):
            table, row = int(tables[bad[0]]), masks[bad[0]]
            seat = int(self.batch._movers[table])
            raise IllegalAction(illegal_message(table, seat, int(chosen[bad[0]]), np.flatnonzero(row)))

    # --- What the seats see ---

    def action_masks(self) -> NDArray[np.int8]:
        """The masks of the seats to move, turned as the observations are."""
        masks = self.batch._masks
        if self._frames is None:
            return masks.copy()
        return np.take_along_axis(masks, self.encoder.actions[self._frames], 1)

    def _turned_back(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The game's actions for turned ones."""
        frames = self._frames
        return actions if frames is None else self.encoder.actions[frames[rows], actions]

    @property
    def _frames(self) -> NDArray[np.int64] | None:
        """The frame of every table; None where no action is turned."""
        if self.encoding == 1 or not self.game.seat_actions:
            return None
        return self.batch.frames(self.encoder)

    # --- Copies: pickle and deepcopy keep the games as they stand ---

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_native"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._native = jit.native(loops.play_on, **self.game.functions, choose=self.game.heuristic or choose_uniform)

    def _observed(self) -> Observations:
        return {"observation": self.batch.observe(self._encoded).copy(), "action_mask": self.action_masks()}

    def _final(self, done: NDArray[np.bool_], seats: NDArray[np.int8]) -> Observations:
        """The last observations of the games that ended; other rows are zeros, and so are the masks."""
        seen = self.batch.observe(np.zeros_like(self._encoded), seats, final=True)
        seen[~done] = 0
        return {"observation": seen, "action_mask": np.zeros((self.num_envs, self.game.num_actions), np.int8)}
