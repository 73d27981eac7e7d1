"""Perft: counts the sequences of the first decisions of a game, from one seeded deal.

Chance follows from the seed, so the counts are the same on every engine and machine, and a changed rule changes them.
Of seats that choose in secret at the same time, the lowest decides first: their order makes no difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.bots.memory import BOT_MEMORY
from tripot.core.game import Game, signed, waiting_seats
from tripot.core.options import as_record, check_seats
from tripot.lab.batch import loops
from tripot.lab.batch.batch import Batch, native_advance
from tripot.lab.batch.threads import ThreadPool

ENGINES = ("python", "native")
NO_STATES = np.zeros((0, 0), np.uint8)
CHUNK = 4096  # positions that native code expands together; one chunk is held at every depth
REPORTED = 20_000  # positions that the interpreter counts between two reports

Progress = Callable[[int], None]


class BadOpening(ValueError):
    """The decisions to start after are illegal."""


@dataclass
class Tree:
    """The counts of a tree: `counts[d]` sequences of d decisions, `ended[d]` of which end the game.

    The last decisions are counted but not applied, so `ended` is one shorter than `counts`.
    """

    game: str
    seats: int
    seed: int
    depth: int
    engine: str
    after: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def leaves(self) -> int:
        return self.counts[-1]

    def as_json(self) -> dict[str, Any]:
        """The tree as `tripot perft --json` prints it; there the counts are called courses."""
        found = {**vars(self), "leaves": self.leaves, "nodes": sum(self.counts), "seconds": round(self.seconds, 6)}
        found["courses"] = found.pop("counts")
        return found


def perft(
    game: Game,
    seats: int,
    depth: int,
    seed: int,
    engine: str = "native",
    house_rules: Any = None,
    after: Sequence[int] = (),
    progress: Progress | None = None,
) -> Tree:
    """Counts all sequences of up to `depth` decisions, after the decisions in `after`.

    Calls `progress` now and then with the count so far. Raises BadOpening if `after` has an illegal decision.
    """
    options = game.options() if house_rules is None else house_rules
    check_seats(options, seats)
    tree = Tree(game.name, seats, seed, depth, engine, list(after), [1] + [0] * depth, [0] * depth)
    root = play_on(game, game.new_state(options, seats, seed), after)
    if engine == "native":
        Batch(game, 1, seats, options)  # compiles before the clock starts
    walk = walk_native if engine == "native" else walk_interpreted
    start = time.perf_counter()
    for _ in walk(game, options, root, tree):
        if progress is not None:
            progress(sum(tree.counts))
    tree.seconds = time.perf_counter() - start
    return tree


def play_on(game: Game, s: Any, actions: Sequence[int]) -> Any:
    """The state after some decisions. Raises BadOpening if one is illegal."""
    for number, action in enumerate(actions, start=1):
        if s.over:
            raise BadOpening(f"the game is over before decision {number}")
        seat = waiting_seats(s)[0]
        legal = game.legal_actions(s, seat)
        if action not in legal:
            raise BadOpening(f"decision {number}: {action} is not legal: choose {', '.join(map(str, legal))}")
        game.apply(s, seat, action)
    return s


# --- Interpreted ---


def walk_interpreted(game: Game, options: Any, root: Any, tree: Tree) -> Iterator[None]:
    """Counts by the interpreted rules, one position at a time."""
    counted = 0
    waiting = [(root, 0)]
    while waiting:
        s, depth = waiting.pop()
        if depth == tree.depth:
            continue
        if s.over:
            tree.ended[depth] += 1
            continue
        seat = waiting_seats(s)[0]
        legal = game.legal_actions(s, seat)
        tree.counts[depth + 1] += len(legal)
        counted += 1
        if counted % REPORTED == 0:
            yield
        if depth + 1 < tree.depth:
            for action in legal:
                after = s.copy()
                game.apply(after, seat, action)
                waiting.append((after, depth + 1))


# --- Native ---


@dataclass
class Chunk:
    """Some positions of one depth, with their action masks and seats to move."""

    states: NDArray[np.void]
    masks: NDArray[np.int8]
    movers: NDArray[np.int8]


def walk_native(game: Game, options: Any, root: Any, tree: Tree) -> Iterator[None]:
    """Counts by native code, thousands of positions at a time, on all cores."""
    if tree.depth == 0 or root.over:
        tree.ended[:1] = [int(root.over)] if tree.depth else []
        return
    pool, record = ThreadPool(), as_record(options)
    mover = waiting_seats(root)[0]
    mask = np.zeros((1, game.num_actions), np.int8)
    mask[0, game.legal_actions(root, mover)] = 1
    states = np.frombuffer(bytearray(root.pack()), game.layout.state.dtype)

    def expand(chunk: Chunk, depth: int) -> Iterator[None]:
        tables, actions = np.nonzero(chunk.masks)
        tree.counts[depth + 1] += len(actions)
        yield
        if depth + 1 == tree.depth:
            return
        for start in range(0, len(actions), CHUNK):
            piece = slice(start, start + CHUNK)
            later, over = step_on(game, record, tree, pool, chunk, tables[piece], actions[piece])
            tree.ended[depth + 1] += int(over.sum())
            yield from expand(later, depth + 1)

    yield from expand(Chunk(states, mask, np.array([mover], np.int8)), 0)


def step_on(
    game: Game,
    record: NDArray[np.void],
    tree: Tree,
    pool: ThreadPool,
    chunk: Chunk,
    tables: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> tuple[Chunk, NDArray[np.int8]]:
    """The positions after these decisions at these tables of the chunk, and whether each game is over."""
    count = len(tables)
    states, movers, over = chunk.states[tables], chunk.movers[tables], np.zeros(count, np.int8)
    masks, shares = np.zeros((count, game.num_actions), np.int8), np.zeros((count, tree.seats), np.int8)
    seeds, lucks = np.full(count, signed(tree.seed)), np.zeros(count, BOT_MEMORY.dtype)
    raw = states.view(np.uint8).reshape(count, -1)
    played = (loops.STEP, states, raw, record, tree.seats, seeds, 0, lucks, np.ascontiguousarray(actions))
    pool.map_tables(
        count, native_advance(game), *played, masks, movers, over, shares, NO_STATES
    )  # STEP deals nothing again
    return Chunk(states, masks, movers), over
