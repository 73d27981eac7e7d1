"""`SeatVectorEnv` with `device="cuda"`: tables, bots and observations stay on the GPU, as tensors of PyTorch.

With `uniform` and `sensible` opponents the host never waits for the device. Networks and policies are asked round by
round, until every table waits for the seat that learns: the host then reads how many tables are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch.batch import IllegalAction, illegal_message, seeds_of
from tripot.lab.batch.encoding import ArrayEncoding, Encoding
from tripot.lab.gpu.seat_tables import SeatTables
from tripot.lab.gpu.tensors import Tensors
from tripot.lab.one_seat import FORFEIT
from tripot.lab.playout import OUTSIDE
from tripot.lab.vector.network_policy import Network, learned_weights
from tripot.lab.vector.seat_env import SeatVectorEnv

NOT_HERE = "cannot play with device='cuda': choose uniform, sensible, network, network:PATH or a policy"


class GpuSeatVectorEnv(SeatVectorEnv):
    """The same games on a GPU; rewards are 32-bit numbers, `final_obs` is in all infos and encoded once it is read.

    Actions are integers on the device; those of NumPy are copied to it. A policy gets and returns tensors.
    """

    def _open(self, game: Game, threads: int | None) -> None:
        self._game, self._on = game, Tensors()
        self.torch = self._on.torch

    @property
    def game(self) -> Game:
        return self._game

    def _outsider(self, bot: Any) -> Any:
        weights = learned_weights(bot, self.seats, self.house_rules)
        if weights is None:
            raise ValueError(f"opponent '{bot.name}' decides at one table after the other and {NOT_HERE}")
        return DeviceNetwork(Network(weights, self.game, self.torch, device=self._on.device))

    def _make_arrays(self) -> None:
        t = self.tables = SeatTables(
            self.game, self.num_envs, self.seats, self.house_rules, self._kinds, self._seat, stream=self._on.stream
        )
        self._replay: Callable[[], None] | None = None
        tensor = self._on.of
        self._actions, self._movers, self._learners = tensor(t.actions), tensor(t.movers), tensor(t.learners)
        self._paid, self._ended = tensor(t.paid), tensor(t.done)
        self._masks = tensor(t.masks)[:, : self.game.num_actions]
        size = self.game.layout.view.dtype.itemsize
        self._views, self._finals = (tensor(rows).view(self.torch.uint8)[:, :size] for rows in (t.views, t.finals))
        self._rows = self.torch.arange(self.num_envs, device=self._on.device)
        if self.encoding == 1:
            self._first_version = ArrayEncoding(Encoding(self.game.layout), self.torch, device=self._on.device)
        else:
            self._second_version = self.encoder.on(self.torch, device=self._on.device)

    # --- Games ---

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None) -> Any:
        seeds = seeds_of(self._seeds(seed), self.num_envs)
        with self._on.kernels():
            self.tables.deal(seeds)
        self._look()
        self._ask_outsiders()
        return self._observed(), {"seat": self._learners.clone()}

    def step(self, actions: Any) -> Any:
        self._actions.copy_(self._orders_for(self.torch.as_tensor(actions, device=self._on.device)))
        before = self._learners.clone()
        self._paid.zero_()
        self._ended.zero_()
        self._play_on()
        self._ask_outsiders()
        done = self._ended.bool()
        last = LastObservations(self, self._finals.clone(), before, done)
        infos = {"seat": self._learners.clone(), "final_obs": last, "_final_obs": done}
        infos |= {"final_info": {"seat": before}, "_final_info": done}
        return self._observed(), self._paid.float() / WHOLE_WIN, done, self.torch.zeros_like(done), infos

    def _orders_for(self, chosen: Any) -> Any:
        """The game's actions, and FORFEIT where the mask does not allow an action."""
        if chosen.shape != (self.num_envs,) or chosen.is_floating_point() or chosen.dtype == self.torch.bool:
            kind, shape = str(chosen.dtype).removeprefix("torch."), tuple(chosen.shape)
            raise ValueError(f"actions: {kind} of shape {shape}; needed are {self.num_envs} integers")
        chosen = chosen.long()
        fits = (chosen >= 0) & (chosen < self.game.num_actions)
        actions = self._turned_back(self._rows, self.torch.where(fits, chosen, 0))
        legal = fits & self._masks[self._rows, actions].bool()
        return self.torch.where(legal, actions, FORFEIT)

    def _play_on(self) -> None:
        """Takes the actions and plays on: the first time kernel by kernel, then as a graph."""
        if self._replay is not None:
            self._replay()
        else:
            with self._on.kernels():
                self.tables.play_on()
            self._replay = self._on.captured(self.tables.play_on)
        self._look()

    def _look(self) -> None:
        """Finds out who sits in which slot, as the movers see it."""
        if self.encoding != 1:
            self._seen_from = self._second_version.frames(self._views, self._movers.long())

    def _ask_outsiders(self) -> None:
        """Lets networks and policies decide until every table waits for the seat that learns."""
        asked = [number for number, kind in enumerate(self._kinds) if kind == OUTSIDE]
        while asked:
            waiting = (self._movers != self._learners).nonzero()[:, 0]
            if not len(waiting):
                return
            movers = self._movers[waiting]
            who = movers - (movers > self._learners[waiting]).to(movers.dtype)
            for number in asked:
                rows = waiting[who == number]
                if len(rows):
                    self._actions[rows] = self._answers(self._opponents[number][1], rows).to(self._actions.dtype)
            self._play_on()

    def _answers(self, opponent: Any, rows: Any) -> Any:
        """The game's actions of a network or a policy at these tables."""
        if isinstance(opponent, DeviceNetwork):
            return opponent(self._views[rows], self._movers[rows].long(), self._masks[rows])
        frames = None if self.encoding == 1 else self._seen_from[rows]
        masks = self.action_masks()[rows].bool()
        observations = self._encode(self._views[rows], frames)
        chosen = self.torch.as_tensor(opponent(observations, masks), device=self._on.device).long()
        self._check(rows, chosen, masks)
        return self._turned_back(rows, chosen)

    def _check(self, tables: Any, chosen: Any, masks: Any) -> None:
        """Raises IllegalAction unless a policy chose what is legal. Waits for the device."""
        fits = (chosen >= 0) & (chosen < masks.shape[1])
        allowed = masks.gather(1, self.torch.where(fits, chosen, 0)[:, None])[:, 0]
        bad = (~(fits & allowed)).nonzero()[:, 0]
        if len(bad):
            row = int(bad[0])
            table, legal = int(tables[row]), np.flatnonzero(masks[row].cpu().numpy())
            raise IllegalAction(illegal_message(table, int(self._movers[table]), int(chosen[row]), legal))

    # --- What the seats see ---

    def action_masks(self) -> Any:
        """The masks of the seats to move, turned as the observations are."""
        if self._frames is None:
            return self._masks.clone()
        return self._masks.gather(1, self._second_version.actions[self._frames])

    def _turned_back(self, rows: Any, actions: Any) -> Any:
        frames = self._frames
        return actions if frames is None else self._second_version.actions[frames[rows], actions]

    @property
    def _frames(self) -> Any:
        return None if self.encoding == 1 or not self.game.seat_actions else self._seen_from

    def _encode(self, views: Any, frames: Any) -> Any:
        return self._first_version.encode(views) if self.encoding == 1 else self._second_version.encode(views, frames)

    def _observed(self) -> Any:
        frames = None if self.encoding == 1 else self._seen_from
        return {"observation": self._encode(self._views, frames), "action_mask": self.action_masks()}

    def _final_observation(self, views: Any, seats: Any, done: Any) -> Any:
        """Rows are zeros where no game has ended."""
        frames = None if self.encoding == 1 else self._second_version.frames(views, seats.long())
        return self._encode(views, frames) * done[:, None]

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("tables on a GPU cannot be pickled or copied: keep their seed and actions")


class DeviceNetwork:
    """A network on the device: each seat's decision from its own view."""

    def __init__(self, network: Network) -> None:
        self.network = network
        place = network.layers["policy"].device
        self.on = network.encoder.on(network.library, device=place)

    def __call__(self, views: Any, seats: Any, masks: Any) -> Any:
        """The game's actions of these seats."""
        frames = self.on.frames(views, seats)
        turned = self.on.actions[frames]
        chosen = self.network.choose(self.on.encode(views, frames), masks.gather(1, turned).bool())
        return turned.gather(1, chosen[:, None])[:, 0]


class LastObservations(Mapping[str, Any]):
    """The last observations of the games that a step ended, encoded when they are read: most steps nobody does."""

    def __init__(self, env: GpuSeatVectorEnv, views: Any, seats: Any, done: Any) -> None:
        self._env, self._kept = env, (views, seats, done)
        self._found: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        if name not in self._found:
            env = self._env
            seen = name == "observation"
            self._found[name] = (
                env._final_observation(*self._kept) if seen else env.torch.zeros_like(env.action_masks())
            )
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in ("observation", "action_mask")

    def __iter__(self) -> Iterator[str]:
        return iter(("observation", "action_mask"))

    def __len__(self) -> int:
        return 2
