"""One seat that learns at many tables on the GPU, with bots inside the kernels: behind `GpuSeatVectorEnv`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.memory import BOT_MEMORY
from tripot.core.game import Game
from tripot.lab.gpu.bindings import KEY_DEAL
from tripot.lab.gpu.build import launcher
from tripot.lab.gpu.tables import MIN_GROUP, PICK_BLOCK, VectorTables
from tripot.lab.one_seat import NO_ACTION

PASSES = 3  # sorted passes of a step before the one that plays every table to its end


class SeatTables(VectorTables):
    """Tables that wait for one seat each, or for a policy outside; native bots decide inside. All are sorted.

    Write actions of the game into `actions`, NO_ACTION where a table rests or FORFEIT where the seat loses its game,
    and call `play_on`. `movers` says who is waited for, `learners` which seat learns; `paid` and `done` are written
    where a game of that seat has ended, and `finals` gets its last view: set `done` to 0 when you have read them.
    """

    def __init__(
        self,
        game: Game,
        tables: int,
        seats: int,
        house_rules: Any,
        kinds: NDArray[np.int8],
        seat: int,
        min_group: int = MIN_GROUP,
        passes: int = PASSES,
        stream: Any = 0,
    ) -> None:
        super().__init__(
            game, tables, seats, house_rules, sort=True, min_group=min_group, passes=passes, check=False, stream=stream
        )
        to, views = self.cuda.to_device, self.padded * self.sizes.view_words
        self.kinds, self.seat = to(kinds), seat
        self.learners = to(np.full(tables, max(seat, 0), np.int8))
        self.decided, self.paid, self.done = (to(np.zeros(tables, np.int8)) for _ in range(3))
        self.phases = to(np.zeros(tables, np.int8))
        self.memories = to(np.zeros((tables, seats), BOT_MEMORY.dtype))
        self.final_words = to(np.zeros(views, np.int32))
        self._undecided, self._to_deal = to(np.zeros(tables, np.int8)), to(np.full(tables, KEY_DEAL, np.uint8))
        self._no_actions = to(np.full(tables, NO_ACTION, np.int16))
        self.cuda.synchronize()  # arrays were copied in the default stream

    def deal(self, seeds: NDArray[np.int64]) -> None:
        """Deals every table the game of its seed; the next ones have the last seed plus the number of tables."""
        assert self._order is not None
        before = seeds.view(np.uint64) - np.uint64(self.tables)
        self.seeds.copy_to_device(before.view(np.int64), stream=self._stream)
        self.decided.copy_to_device(self._undecided, stream=self._stream)
        self.done.copy_to_device(self._undecided, stream=self._stream)
        self.actions.copy_to_device(self._no_actions, stream=self._stream)
        self._order.keys.copy_to_device(self._to_deal, stream=self._stream)
        self._play()

    def play_on(self) -> None:
        """Takes `actions` and plays on until every table waits again."""
        assert self._order is not None
        if "wake_tables" not in self._launchers:
            blocks = -(-self.tables // PICK_BLOCK)
            self._launchers["wake_tables"] = launcher(self.game, "wake_tables", blocks, PICK_BLOCK, stream=self._stream)
        self._launchers["wake_tables"](self.actions, self.phases, self._order.keys)
        self._play()

    def _play(self) -> None:
        assert self._order is not None
        order, own = self._order, self._observed[5:]
        dealing = (self.options, self.seats_of, self.seeds, self.tables, self.memories)
        seating = (self.kinds, self.seat, self.learners, self.decided)
        ending = (self.paid, self.done, self.final_words, self.final_words.view(np.int8))
        for min_group in self._min_groups:
            order.sort()
            records = (self.words, order.tables, order.keys, order.ends, self.actions)
            self._launch("play_seats", *records, *dealing, *seating, *ending, *own, min_group)
        views, view_bytes, masks, _, *others = self._observed
        self._launch(
            "observe_seats", self.words, order.tables, self.phases, self.learners, views, view_bytes, masks, *others
        )

    @property
    def finals(self) -> Any:
        """By table, the bytes of the view of the seat that learns at the end of its last game."""
        return self.final_words.view(np.int8).reshape(self.padded, 4 * self.sizes.view_words)[: self.tables]
