"""Self-play of many tables: whose turn it is, what they see, who is paid; on a CPU or on a GPU.

    play = SelfPlay("trok", tables=4096, seats=4, seed=1)
    turn = play.reset()
    while learning:
        turn = play.step(choose(turn.observations, turn.masks))

On a CPU arrays are NumPy's (`lab.batch`), with `device="cuda"` they are PyTorch's and stay on the GPU (`lab.gpu`). Both
play the same games. Observations, masks and actions are turned to the mover: version 2 of the encoding.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from tripot.core.encoding import Encoder, encoder_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.batch import Batch
from tripot.lab.batch.batch import named_game, named_rules
from tripot.lab.gpu.device import check_device


@dataclass(frozen=True)
class Turn:
    """What `reset` and `step` return, a row per table; rewards and `done` are of the step before."""

    observations: Any  # [tables, columns] float32: what the mover sees, turned to it
    masks: Any  # [tables, actions] bool: what the mover may do, turned to it
    movers: Any  # [tables]: the seat to move
    frames: Any  # [tables]: who sits in which slot; `encoder.seating[frames]` gives seats by slot
    rewards: Any  # [tables, seats]: by seat, its share of the victory if the game just ended, else 0
    done: Any  # [tables] bool: the step ended the game; the table shows the next one
    finished: Any  # the tables where it did
    last_observations: Any  # [finished, seats, columns]: how each seat saw the end; None unless it is kept


class SelfPlay:
    """Many tables of one game for learners that play every seat."""

    def __init__(
        self,
        game: Game | str,
        tables: int,
        seats: int | None = None,
        house_rules: Any = None,
        seed: int = 0,
        rules: bool = False,
        keep_last: bool = True,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        self.game, self.tables, self.seed, self.device = named_game(game), tables, seed, check_device(device)
        self.seats = self.game.usual_seats if seats is None else seats
        self.house_rules, self.keep_last = named_rules(self.game, house_rules), keep_last
        self.encoder: Encoder = encoder_of(self.game, self.seats, rules)
        if device != "cpu":
            self.__class__ = GpuSelfPlay  # one name for both, with one signature
        self._open(threads)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle and deepcopy keep the games as they stand."""
        kept = {name: getattr(self, name) for name in ("batch", "keep_last", "seed", "device")}
        return {**kept, "rules": self.encoder.rules}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.game, self.tables, self.seats = self.batch.game, self.batch.tables, self.batch.seats
        self.house_rules = self.batch.house_rules
        self.encoder = encoder_of(self.game, self.seats, vars(self).pop("rules"))

    def _open(self, threads: int | None) -> None:
        self.batch = Batch(self.game, self.tables, self.seats, self.house_rules, self.seed, threads=threads)

    def reset(self) -> Turn:
        """Deals every table its first game again."""
        self.batch.reset()
        return self._turn()

    def step(self, actions: Any) -> Turn:
        """Takes the movers' decisions, turned actions; raises IllegalAction, with no table stepped."""
        chosen = np.asarray(actions)
        fits = (chosen >= 0) & (chosen < self.game.num_actions) if chosen.shape == (self.tables,) else None
        if fits is not None and chosen.dtype.kind in "iu" and fits.all():
            chosen = self.encoder.actions[self._frames(), chosen]
        self.batch.step(chosen)
        return self._turn()

    def _frames(self) -> Any:
        return self.batch.frames(self.encoder)

    def _turn(self) -> Turn:
        now, frames = self.batch.now, self._frames()
        finished = np.flatnonzero(now.done)
        return Turn(
            self.batch.encode(self.encoder),
            np.take_along_axis(now.masks, self.encoder.actions[frames], 1),
            now.movers.copy(),
            frames,
            now.rewards.copy(),
            now.done.copy(),
            finished,
            self._last(finished) if self.keep_last else None,
        )

    def _last(self, finished: Any) -> Any:
        """How each seat saw the end of the games that just ended."""
        layout, ends = self.game.layout, self.batch.final_states[finished]
        if not len(finished):
            return np.zeros((0, self.seats, self.encoder.width), np.float32)
        return np.stack([self.encoder.encode(layout.observe(ends, seat)) for seat in range(self.seats)], 1)


class GpuSelfPlay(SelfPlay):
    """The same on a GPU, with tensors of PyTorch. `keep_last` copies the states of a step and waits for the device."""

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("tables on a GPU cannot be pickled or copied: keep their seed and actions")

    def _open(self, threads: int | None) -> None:
        from tripot.lab.gpu import VectorTables

        self.torch, self.cuda = import_module("torch"), import_module("numba.cuda")
        self.vector = VectorTables(self.game, self.tables, self.seats, self.house_rules, self.seed)
        self.on = self.encoder.on(self.torch, device=self.device)
        self._chosen = self.torch.zeros(self.tables, dtype=self.torch.int16, device=self.device)

    def _tensor(self, array: Any) -> Any:
        return self.torch.as_tensor(array, device=self.device)

    def reset(self) -> Turn:
        self.vector.reset()
        self._ended = self.torch.zeros(self.tables, dtype=self.torch.bool, device=self.device)
        return self._turn()

    def step(self, actions: Any) -> Turn:
        """Takes the movers' decisions; an illegal one leaves its table as it is: `raise_if_illegal`."""
        real = self.on.actions[self._seen(), actions.long()]
        self._chosen.copy_(real)
        if self.keep_last:
            words = self._tensor(self.vector.words).view(self.vector.padded, -1)[: self.tables]
            self._before, self._taken, self._by = words.clone(), real, self._tensor(self.vector.movers).clone()
        self.vector.step(self.cuda.as_cuda_array(self._chosen))
        self._ended = self._tensor(self.vector.overs).bool()
        return self._turn()

    def raise_if_illegal(self) -> None:
        """Raises IllegalAction if an action was refused since `reset`. Waits for the device."""
        self.vector.raise_if_illegal()

    def _raw(self) -> Any:
        return self._tensor(self.vector.views).view(self.torch.uint8)[:, : self.game.layout.view.dtype.itemsize]

    def _seen(self) -> Any:
        return self.on.frames(self._raw(), self._tensor(self.vector.movers).long())

    def _turn(self) -> Turn:
        frames, done = self._seen(), self._ended
        masks = self._tensor(self.vector.masks)[:, : self.game.num_actions]
        results = self._tensor(self.vector.results)[:, : self.seats].float() / WHOLE_WIN
        finished = done.nonzero()[:, 0] if self.keep_last else None
        return Turn(
            self.on.encode(self._raw(), frames),
            masks.gather(1, self.on.actions[frames]).bool(),
            self._tensor(self.vector.movers).clone(),
            frames,
            results * done[:, None],
            done.clone(),
            finished,
            self._last(finished) if self.keep_last else None,
        )

    def _last(self, finished: Any) -> Any:
        """Takes the last decisions again on the CPU: the device has dealt the next games already."""
        count, layout = len(finished), self.game.layout
        if not count:
            return self.torch.zeros((0, self.seats, self.encoder.width), device=self.device)
        size = layout.state.dtype.itemsize
        words = self._before[finished].cpu().numpy()
        by, taken = self._by[finished].tolist(), self._taken[finished].tolist()
        ends = np.ascontiguousarray(words.view(np.uint8).reshape(count, -1)[:, :size]).view(layout.state.dtype)[:, 0]
        states, game = layout.states(count), self.game
        for row in range(count):
            s = layout.state.plain()
            s.load(ends[row].tobytes())
            game.apply(s, by[row], taken[row])
            states[row : row + 1].view(np.uint8)[:] = np.frombuffer(s.pack(), np.uint8)
        seen = np.stack([self.encoder.encode(layout.observe(states, seat)) for seat in range(self.seats)], 1)
        return self._tensor(seen)
