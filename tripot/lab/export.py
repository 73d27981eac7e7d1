"""Games of bots as a table for learning: a row a decision, in a Parquet file (extra `data`: pyarrow).

A row has what the seat saw (encoded), what it could do, what it did, what it got in the end, and where its bot searches
how often each action was visited. The file says with which rules, encoding, bots and seeds it was made; a dataset card
beside it says so in words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import __version__
from tripot.bots.bot import PolicyBot, SearchBot
from tripot.bots.memory import new_memory
from tripot.bots.own import find_any_bot
from tripot.core.encoding import Encoder, encoder_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.options import as_json
from tripot.lab.batch import Batch
from tripot.table.table import Table

GAMES_AT_ONCE = 256  # some hundred megabytes of observations
try:
    import pyarrow as arrow
    from pyarrow import parquet
except ModuleNotFoundError:  # said when it is asked for
    arrow = parquet = None


class NoArrow(RuntimeError):
    """pyarrow is not installed."""

    def __init__(self) -> None:
        super().__init__("pyarrow is not installed: datasets need the extra 'data' (pip install 'tripot[data]')")


@dataclass(frozen=True)
class Export:
    """What is played: on deal i the bots sit i seats further, so that each sits everywhere."""

    game: Game
    seats: int
    house_rules: Any
    bots: tuple[str, ...]  # one for each seat
    seed: int = 0
    wide: bool = False  # observations as networks for all table sizes see them, with slots for the largest table

    @property
    def encoder(self) -> Encoder:
        return encoder_of(self.game, None if self.wide else self.seats)

    def facts(self) -> dict[str, Any]:
        """What a reader of the file has to know."""
        return {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "encoding": self.encoder.notation,
            "seats": self.seats,
            "house_rules": as_json(self.house_rules),
            "bots": list(self.bots),
            "seed": self.seed,
            "tripot": __version__,
        }

    def lineup(self, turn: int) -> list[str]:
        return [self.bots[(seat + turn) % self.seats] for seat in range(self.seats)]


Rows = dict[str, NDArray[Any]]


def export(asked: Export, games: int, path: Path, progress: Callable[[int], None] | None = None) -> int:
    """Plays `games` games and writes their decisions; returns how many rows there are."""
    if arrow is None:
        raise NoArrow
    native = all(isinstance(find_any_bot(bot, asked.game), PolicyBot) for bot in asked.bots)
    rows, kind = 0, _schema(asked)
    with parquet.ParquetWriter(path, kind, compression="zstd", use_dictionary=False) as writer:
        for part in _native_parts(asked, games) if native else _searched_parts(asked, games):
            writer.write_table(_arrow_table(part, kind))
            rows += len(part["action"])
            if progress is not None:
                progress(len(np.unique(part["deal"])))
    path.with_suffix(".md").write_text(card(asked, games, rows, path.name), "utf-8")
    return rows


# --- Playing ---


def _native_parts(asked: Export, games: int) -> Iterator[Rows]:
    """Whole games of native bots, many at a time."""
    turned = bool(asked.game.seat_actions)
    for turn, first in enumerate(range(0, games, GAMES_AT_ONCE)):
        count = min(GAMES_AT_ONCE, games - first)
        batch = Batch(asked.game, count, asked.seats, asked.house_rules, asked.seed + first, again=False)
        steps: list[Rows] = []
        while not batch.now.done.all():
            going = np.flatnonzero(~batch.now.done)
            frames = batch.frames(asked.encoder)[going]
            actions = batch.choose(asked.lineup(turn))
            masks = batch.now.masks[going]
            steps.append(
                {
                    "table": going,
                    "seat": batch.now.movers[going],
                    "observation": batch.encode(asked.encoder)[going],
                    "mask": np.take_along_axis(masks, asked.encoder.actions[frames], 1) if turned else masks,
                    "action": asked.encoder.turned_actions[frames, actions[going]],
                }
            )
            batch.step(actions)
        part = _by_table(steps, count)
        tables = part.pop("table")
        shares = batch.states["result"][tables, part["seat"]] / WHOLE_WIN
        yield {**part, "outcome": shares.astype(np.float32), "deal": asked.seed + first + tables}


def _by_table(steps: list[Rows], tables: int) -> Rows:
    """The rows of all steps in one array each, game by game; every row is copied once."""
    ends = np.cumsum(np.bincount(np.concatenate([step["table"] for step in steps]), minlength=tables))
    place = np.concatenate([[0], ends[:-1]])
    found = {name: np.empty((ends[-1], *part.shape[1:]), part.dtype) for name, part in steps[0].items()}
    for step in steps:
        rows = place[step["table"]]
        for name, part in step.items():
            found[name][rows] = part
        place[step["table"]] += 1
    return found


def _searched_parts(asked: Export, games: int) -> Iterator[Rows]:
    """Games in which a bot decides in Python, one at a time."""
    bots = {name: find_any_bot(name, asked.game) for name in asked.bots}
    for deal in range(asked.seed, asked.seed + games):
        table, rows = Table(asked.game, asked.seats, deal, asked.house_rules), list[dict[str, Any]]()
        players = [bots[name] for name in asked.lineup(deal - asked.seed)]
        memories = [new_memory(deal, seat) for seat in range(asked.seats)]
        while not table.over:
            offer = table.offer(table.waiting[0])
            rows.append(_decide(asked, table, offer, players[offer.seat], memories[offer.seat]))
        part = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        shares = np.array(table.result)[part["seat"]] / WHOLE_WIN
        yield {**part, "outcome": shares.astype(np.float32), "deal": np.full(len(rows), deal)}


def _decide(asked: Export, table: Table, offer: Any, player: Any, memory: Any) -> dict[str, Any]:
    """One decision and its row."""
    view, encoder = table.view(offer.seat), asked.encoder
    frame = int(encoder.on(np).frames(view.view(np.uint8).reshape(1, -1), view["seat"])[0])
    visits, mask = np.zeros(asked.game.num_actions, np.int32), np.zeros(asked.game.num_actions, bool)
    mask[list(offer.legal)] = True
    if isinstance(player, SearchBot) and len(offer.legal) > 1:
        found = player.search(view, offer.legal, memory)
        action = found.decision
        visits[list(found.visits)] = list(found.visits.values())
    else:
        action = player.decide(view, offer.legal, memory)
    table.decide(offer.seat, action, offer.sequence)
    turned = encoder.actions[frame]
    row = {"seat": offer.seat, "observation": encoder.encode(view)[0], "mask": mask[turned], "visits": visits[turned]}
    return {**row, "action": int(encoder.turned_actions[frame, action])}


# --- Writing ---


def _schema(asked: Export) -> Any:
    width, actions = asked.encoder.width, asked.game.num_actions
    columns = [
        ("deal", arrow.uint64()),
        ("seat", arrow.int8()),
        ("observation", arrow.list_(arrow.float32(), width)),
        ("mask", arrow.list_(arrow.uint8(), actions)),
        ("action", arrow.int16()),
        ("outcome", arrow.float32()),
        ("visits", arrow.list_(arrow.int32(), actions)),
    ]
    return arrow.schema(columns, metadata={"tripot": json.dumps(asked.facts(), ensure_ascii=False)})


def _arrow_table(part: Rows, kind: Any) -> Any:
    columns = []
    for column in kind:
        if column.name not in part:
            columns.append(arrow.nulls(len(part["action"]), column.type))
            continue
        values = np.ascontiguousarray(part[column.name])
        if values.ndim == 2:
            flat = arrow.array(values.ravel().astype(column.type.value_type.to_pandas_dtype(), copy=False))
            columns.append(arrow.FixedSizeListArray.from_arrays(flat, values.shape[1]))
        else:
            columns.append(arrow.array(values.astype(column.type.to_pandas_dtype())))
    return arrow.Table.from_arrays(columns, schema=kind)


def card(asked: Export, games: int, rows: int, name: str) -> str:
    """The dataset card: what is in the file, and with what it was made."""
    facts, title = asked.facts(), asked.game.text.TITLE.en
    command = f"tripot export {asked.game.name} --seats {asked.seats} --bots {','.join(asked.bots)} --games {games}"
    command += " --wide" if asked.wide else ""
    seen = f"what it saw: encoding {facts['encoding']}, turned to the seat; docs/games/{asked.game.name}.md"
    visited = "how often its search visited each action; null or zeros where it did not search"
    rules = f" House rules: {json.dumps(facts['house_rules'], ensure_ascii=False)}." if facts["house_rules"] else ""
    return f"""# {name}: {title}, decisions of bots

{rows:,} decisions of {games:,} games for {asked.seats} players, rules version {facts["rules_version"]}.{rules} Made by
Tripot {facts["tripot"]}:

```sh
{command} --seed {asked.seed} -o {name}
```

The bots, one a seat: {", ".join(asked.bots)}. They move on by a seat from one lot of deals to the next.

| column | type | meaning |
|---|---|---|
| `deal` | uint64 | the seed of the game: equal seeds are the same deal everywhere in Tripot |
| `seat` | int8 | the seat that decided |
| `observation` | {asked.encoder.width} float32 | {seen} |
| `mask` | {asked.game.num_actions} uint8 | what it could do, turned as the observation is |
| `action` | int16 | what it did, turned |
| `outcome` | float32 | its share of the victory when the game was over |
| `visits` | {asked.game.num_actions} int32 | {visited} |

An observation holds what its seat may know, and nothing else. The file's metadata has these facts under `tripot`.
"""


def fill_seats(asked: Sequence[str], seats: int) -> tuple[str, ...]:
    """One bot for each seat: the last one named fills the seats that are left."""
    return tuple(asked[min(seat, len(asked) - 1)] for seat in range(seats))
