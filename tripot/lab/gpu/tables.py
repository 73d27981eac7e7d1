"""A vector environment on the GPU: many tables of one game, stepped together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tripot.bots.memory import BOT_MEMORY
from tripot.core import options
from tripot.core.game import Game
from tripot.lab.batch import BadBatch, IllegalAction
from tripot.lab.batch.batch import check_tables, illegal_message
from tripot.lab.gpu.bindings import COMPACT_BYTES, Sizes
from tripot.lab.gpu.build import launcher
from tripot.lab.gpu.device import WARP, require_gpu
from tripot.lab.gpu.order import TableOrder
from tripot.lab.gpu.whole_games import SORTED_GAMES

# These numbers were the fastest on an H200.
MIN_GROUP = 6  # tables of a warp that must have equal keys to continue without a new sort
EXTRA_PASSES = {"trieste": 2}  # sorted passes of a step between the decision and the pass that settles the rest
PICK_BLOCK = 256
ILLEGAL_NUMBERS = 4  # count, table, seat and action in front of the mask: `kernels.ILLEGAL_COUNT` and so on


def checked_sizes(game: Game, tables: int, seats: int | Sequence[int], house_rules: Any) -> list[int]:
    """The size of each table; raises BadBatch or BadOption unless such tables can be set."""
    sizes = [seats] * tables if isinstance(seats, int) else list(seats)
    for size in {seats} if isinstance(seats, int) else set(sizes):
        check_tables(game, tables, size, house_rules)
    if len(sizes) != tables:
        raise BadBatch(f"seats: {len(sizes)} numbers for {tables} tables")
    return sizes


def groups_of_passes(game: Game, min_group: int, passes: int | None) -> tuple[int, ...]:
    """The least group of each pass of a step; the last pass settles every table."""
    return (*[min_group] * (1 + (EXTRA_PASSES.get(game.name, 0) if passes is None else passes)), 1)


class VectorTables:
    """Many tables of one game on the GPU, stepped together; every array stays on the device.

    `views`, `masks`, `movers`, `results` and `overs` are numba-cuda arrays: PyTorch and JAX read them without a copy
    through `__cuda_array_interface__` or DLPack. A view has the bytes of the game's view record. Do not write to them.

    `seats` is one number, or one for each table: tables of several sizes are stepped together. `house_rules` is one
    set, or a list of them: a game is dealt the one with the number `seed % len(house_rules)`.

    The tables play the games of `Batch`: table i starts with the seed `seed + i`, and each further game has the table's
    last seed plus the number of tables. `pick` chooses the actions of `Batch.pick`.

    With `check`, a table whose action is illegal stays as it is, with 0 in `overs`, and the other tables are stepped.
    The device counts such actions and the host does not wait for it: ask `illegal_count`, or call `raise_if_illegal`,
    as often as you like, say once per rollout. Without `check`, an illegal action is undefined behaviour.
    """

    def __init__(
        self,
        game: Game,
        tables: int,
        seats: int | Sequence[int],
        house_rules: Any = None,
        seed: int = 0,
        block: int = 0,
        sort: bool | None = None,
        min_group: int = MIN_GROUP,
        passes: int | None = None,
        check: bool = True,
        stream: Any = 0,
    ) -> None:
        house_rules = game.options() if house_rules is None else house_rules
        sizes = checked_sizes(game, tables, seats, house_rules)
        self.cuda = require_gpu()
        self.game, self.tables, self.seats, self.seed, self.check = game, tables, max(sizes), seed, check
        self.sizes = Sizes.of(game)
        to = self.cuda.to_device
        sort = game.name in SORTED_GAMES if sort is None else sort
        self.block = block or (WARP if sort else self.sizes.step_block)
        self.blocks = -(-tables // self.block)
        self.padded = padded = self.blocks * self.block  # whole blocks: copies need not check for the last table
        self.words = to(np.zeros(padded * self.sizes.state_words, np.int32))
        self.view_words = to(np.zeros(padded * self.sizes.view_words, np.int32))
        self.mask_words = to(np.zeros(padded * self.sizes.mask_words, np.int32))
        self.movers, self.overs = to(np.zeros(tables, np.int8)), to(np.zeros(tables, np.int8))
        self.results = to(np.zeros((tables, max(game.seats)), np.int8))
        self.actions = to(np.zeros(tables, np.int16))
        self.seats_of = to(np.array(sizes, np.int8))
        self.options = to(options.as_record(house_rules))
        first = np.arange(tables, dtype=np.uint64) + np.uint64(seed & (1 << 64) - 1)
        self.seeds = to(first.view(np.int64))  # of the games being played
        self.rngs = to(np.zeros(tables, BOT_MEMORY.dtype))  # of `pick`, one for each table
        self.illegal = to(np.zeros(ILLEGAL_NUMBERS + self.sizes.mask_words, np.int64))
        self._seeds_before = to((first - np.uint64(tables)).view(np.int64))
        self._no_illegal = to(np.zeros(ILLEGAL_NUMBERS + self.sizes.mask_words, np.int64))
        self._every_table = to(np.append(np.arange(tables), tables).astype(np.int32))
        self._ended = to(np.zeros(tables + 1, np.int32))  # tables whose game has ended, and in the last place how many
        self._order = TableOrder(self.cuda, game, np.zeros(tables, np.uint8), stream) if sort else None
        self._observed = self._observation_arrays()
        self._min_groups = groups_of_passes(game, min_group, passes)
        self._stream = stream  # numba-cuda's, in which all kernels run
        self._launchers: dict[str, Any] = {}

    def _observation_arrays(self) -> tuple[Any, ...]:
        """What kernels need to write movers, masks and views; the last three say where a seat's own bytes lie."""
        layout, common = self.game.layout, 4 * self.sizes.common_words
        own = layout.target >= common
        places = (layout.source[:, own].ravel(), layout.target[own] - common)
        views, masks = self.view_words, self.mask_words
        return (
            *(views, views.view(np.int8), masks, masks.view(np.int8), self.movers),
            *(self.cuda.to_device(place.astype(np.int16)) for place in places),
            layout.seat_at - common,
        )

    def _launch(self, kernel: str, *arguments: Any) -> None:
        if kernel not in self._launchers:
            each = self.sizes.step_bytes if self._order is None else self.sizes.game_bytes
            shared = self.block * each + COMPACT_BYTES
            self._launchers[kernel] = launcher(self.game, kernel, self.blocks, self.block, shared, self._stream)
        self._launchers[kernel](*arguments)

    def reset(self) -> None:
        """Deals every table its first game again, and forgets illegal actions."""
        self.illegal.copy_to_device(self._no_illegal, stream=self._stream)
        self.seeds.copy_to_device(self._seeds_before, stream=self._stream)
        if self._order is None:
            self._launch("reset", self.words, *self._dealing, *self._observed)
            return
        self._ended.copy_to_device(self._every_table, stream=self._stream)
        self._deal_and_observe(self._order)

    def step(self, actions: Any = None) -> None:
        """Takes one decision at every table: `actions`, integers on the device, or what `pick` chose.

        A table whose game ends gets a 1 in `overs` and its `results`, and is dealt its next game.
        """
        chosen = self.actions if actions is None else actions
        if chosen.shape != (self.tables,) or np.dtype(chosen.dtype).kind not in "iu":
            raise BadBatch(f"actions: {chosen.dtype} of shape {chosen.shape}; needed are {self.tables} integers")
        ending = (self.results, self.overs)
        if self._order is None:
            arguments = (chosen, int(self.check), self.illegal, *self._dealing, *ending, *self._observed)
            self._launch("step", self.words, *arguments)
            return
        records = (self.words, self._order.tables, self._order.keys)
        _, _, masks, mask_bytes, movers, *_ = self._observed
        checking = (movers, masks, mask_bytes, int(self.check), self.illegal)
        self._launch("decide_sorted", *records, chosen, *checking, *ending, self._ended, self._min_groups[0])
        for min_group in self._min_groups[1:]:
            self._order.sort()
            self._launch("settle_sorted", *records, self._order.ends, *ending, self._ended, min_group)
        self._deal_and_observe(self._order)

    @property
    def _dealing(self) -> tuple[Any, ...]:
        return self.options, self.seats_of, self.seeds, self.tables, self.rngs

    def _deal_and_observe(self, order: TableOrder) -> None:
        """Deals the next game where one has ended, and writes what the movers of all tables see."""
        self._launch("deal_ended", self.words, self._ended, order.keys, *self._dealing)
        order.sort()
        views, view_bytes, masks, _, *others = self._observed
        self._launch("observe_sorted", self.words, order.tables, self._ended, views, view_bytes, masks, *others)

    def pick(self) -> None:
        """Chooses uniform legal actions into `actions`: those that `Batch.pick` chooses."""
        if "pick" not in self._launchers:
            self._launchers["pick"] = launcher(
                self.game, "pick", -(-self.tables // PICK_BLOCK), PICK_BLOCK, stream=self._stream
            )
        self._launchers["pick"](self.mask_words, self.actions, self.rngs)

    @property
    def illegal_count(self) -> int:
        """How many illegal actions were refused since `reset`. Waits for the device."""
        return int(self.illegal.copy_to_host()[0])

    def raise_if_illegal(self) -> None:
        """Raises IllegalAction if an action was refused since `reset`. Waits for the device.

        The message describes the first one; of several in the same step, any.
        """
        count, table, seat, action, *words = map(int, self.illegal.copy_to_host())
        if count == 0:
            return
        legal = np.flatnonzero(np.array(words, np.int32).view(np.int8))
        others = f", like {count - 1} more" if count > 1 else ""
        raise IllegalAction(f"{illegal_message(table, seat, action, legal)}. The table was not stepped{others}")

    @property
    def masks(self) -> Any:
        """By table, a byte for each action: 1 where the mover may take it. Rows are padded to whole words."""
        return self.mask_words.view(np.int8).reshape(self.padded, 4 * self.sizes.mask_words)[: self.tables]

    @property
    def views(self) -> Any:
        """By table, the bytes of the mover's view: the record `game.layout.view.dtype`, padded to whole words."""
        return self.view_words.view(np.int8).reshape(self.padded, 4 * self.sizes.view_words)[: self.tables]

    @property
    def bytes_a_step(self) -> int:
        """The least bytes that a step must move for one table: its record in and out, view, mask and single numbers."""
        return 4 * (2 * self.sizes.state_words + self.sizes.view_words + self.sizes.mask_words) + 6
