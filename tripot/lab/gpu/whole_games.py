"""Whole games of uniform players on the GPU. Only the tally comes back to the host."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core import options
from tripot.core.game import Game, signed
from tripot.lab import playout
from tripot.lab.gpu.bindings import KEY_DEAL, PLAYER, TALLY_ROWS, Sizes
from tripot.lab.gpu.build import launcher
from tripot.lab.gpu.device import MULTIPROCESSOR_BYTES, SHARED_BYTES, WARP, require_gpu
from tripot.lab.gpu.order import TableOrder

# These numbers were the fastest on an H200.
SORTED_GAMES = frozenset({"verrater", "trok", "trieste"})  # games with long rules: tables are sorted (`sorted_kernels`)
MAX_SORTED_TABLES = 1 << 20
WARP_THRESHOLDS = (31, 31)  # tables of a warp that must settle, or be dealt, before all of them do so at once
MIN_GROUP = 16  # tables of a warp that must have equal keys to continue without a new sort
SORTED_PASSES = 32  # passes between two looks at how many tables are left
LAST_TABLES = 32  # once fewer than one table in 32 is left, those play to the end without a new sort


def play_gpu(
    game: Game,
    house_rules: Any,
    seats: int,
    seed: int,
    games: int,
    blocks: int = 0,
    block: int = 0,
    sort: bool | None = None,
) -> NDArray[np.int64]:
    """Plays `games` games from `seed` on and returns their tally.

    `sort` says whether tables are sorted before every pass; by default, where that is faster. The games are the same.
    """
    if game.name in SORTED_GAMES if sort is None else sort:
        return play_sorted(game, house_rules, seats, seed, games, block=block)
    cuda = require_gpu()
    size = Sizes.of(game).game_bytes
    block = block or max(WARP, min(128, SHARED_BYTES // size // WARP * WARP))
    if not blocks:
        resident = max(1, MULTIPROCESSOR_BYTES // (block * size + 1024))
        blocks = resident * cuda.get_current_device().MULTIPROCESSOR_COUNT
    tallies = cuda.device_array((blocks * block, playout.WINS + max(game.seats)), np.int64)
    chosen = cuda.to_device(options.as_record(house_rules))
    run = launcher(game, "play_games", blocks, block, block * size)
    run(chosen, seats, signed(seed), games, tallies, *WARP_THRESHOLDS)
    return sum_tallies(tallies)


def play_sorted(
    game: Game,
    house_rules: Any,
    seats: int,
    seed: int,
    games: int,
    tables: int = MAX_SORTED_TABLES,
    block: int = 0,
    min_group: int = MIN_GROUP,
) -> NDArray[np.int64]:
    """`play_gpu` with the tables sorted before every pass."""
    cuda = require_gpu()
    sizes, tables, block = Sizes.of(game), max(1, min(games, tables)), block or WARP
    words = cuda.device_array(tables * sizes.state_words, np.int32)
    players = cuda.device_array(tables, PLAYER.dtype)
    order = TableOrder(cuda, game, np.full(tables, KEY_DEAL, np.uint8))
    tallies = cuda.to_device(np.zeros((TALLY_ROWS, playout.WINS + max(game.seats)), np.int64))
    games_begun = cuda.to_device(np.zeros(1, np.int64))
    chosen = cuda.to_device(options.as_record(house_rules))
    arrays = (words, players, order.keys, order.tables, order.ends, chosen, games_begun, tallies)
    left = tables
    while left > 0:
        play_pass = launcher(game, "play_pass", -(-left // block), block, block * sizes.game_bytes)
        for _ in range(SORTED_PASSES):
            order.sort()
            play_pass(*arrays, seats, signed(seed), games, min_group if left * LAST_TABLES > tables else 1)
        left = order.count_busy()
    return sum_tallies(tallies)


def sum_tallies(tallies: Any) -> NDArray[np.int64]:
    """Returns the sum of the tallies on the device."""
    tally: NDArray[np.int64] = tallies.copy_to_host().sum(axis=0)
    tally[playout.CHECKSUM] &= 0xFFFFFFFF
    return tally
