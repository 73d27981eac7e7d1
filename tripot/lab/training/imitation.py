"""Behavioural cloning: a network learns to decide as bots did, from their exported decisions (`tripot export --wide`).

A clone of a slow bot plays at the speed of a network, so that training runs can meet that bot: `tripot train --meet`.
"""

from __future__ import annotations

import csv
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tripot.core.encoding import encoder_of
from tripot.core.game import Game
from tripot.lab.training.networks import Actor, padded
from tripot.lab.training.opponents import given_weights, load_layers, shape_of
from tripot.lab.training.run import WEIGHTS, weights_of

CURVE = "imitation.csv"
ON_DECISIONS = 0.7  # weight of what was decided; the rest goes to the shares of a search's visits
HELD_OUT = 20  # one game in this many is not learned from
DECAY = 1e-4  # of weights


@dataclass(frozen=True)
class Decisions:
    """Decisions between at least two actions: encoded views, turned masks, and the weight of each turned action."""

    seen: NDArray[np.float32]
    masks: NDArray[np.uint8]
    wanted: NDArray[np.float32]
    deals: NDArray[np.uint64]
    encoding: str

    @classmethod
    def of(cls, columns: dict[str, NDArray[Any]], encoding: str) -> Decisions:
        """From the columns of a dataset."""
        free = columns["mask"].sum(1) > 1
        masks, actions = columns["mask"][free].astype(np.uint8), columns["action"][free].astype(np.int64)
        decided = np.eye(masks.shape[1], dtype=np.float32)[actions]
        visits = columns["visits"][free].astype(np.float32)
        visited = visits.sum(1, keepdims=True)
        shares = np.where(visited > 0, visits / np.maximum(visited, 1), decided)
        wanted = (ON_DECISIONS * decided + (1 - ON_DECISIONS) * shares).astype(np.float32)
        return cls(columns["observation"][free].astype(np.float32), masks, wanted, columns["deal"][free], encoding)

    @property
    def held_out(self) -> NDArray[np.bool_]:
        """The decisions that measure: those of every twentieth game."""
        return np.asarray(self.deals % HELD_OUT == 0)


def read_decisions(paths: Sequence[Path], game: Game) -> Decisions:
    """Reads datasets of one game, rules version and encoding. Raises ValueError if they do not belong together."""
    from pyarrow import ArrowInvalid, parquet

    parts, known = [], set()
    for path in paths:
        try:
            table = parquet.read_table(path)
        except (OSError, ArrowInvalid) as error:
            raise ValueError(f"{path}: no dataset: {error}") from None
        facts = json.loads((table.schema.metadata or {}).get(b"tripot", b"{}"))
        if (facts.get("game"), facts.get("rules_version")) != (game.name, game.rules_version):
            raise ValueError(f"{path}: no decisions of {game.name} with rules version {game.rules_version}")
        known.add(facts["encoding"])
        parts.append({name: _as_array(table[name]) for name in table.column_names})
    if len(known) > 1:
        raise ValueError(f"datasets of different encodings: {', '.join(sorted(known))}; export them with --wide")
    return Decisions.of({name: np.concatenate([part[name] for part in parts]) for name in parts[0]}, known.pop())


def _as_array(column: Any) -> NDArray[Any]:
    """A column, with a row of numbers for each decision where it has lists; no list is all zeros."""
    chunks = column.combine_chunks()
    if not hasattr(chunks.type, "list_size"):
        return np.asarray(chunks.to_numpy(zero_copy_only=False))
    size = chunks.type.list_size
    if chunks.null_count == len(chunks):
        return np.zeros((len(chunks), size), np.int32)
    return np.asarray(chunks.flatten().to_numpy(zero_copy_only=False)).reshape(-1, size)


class Imitation:
    """Fits a network to decisions, and measures it on games that were held out."""

    def __init__(
        self, game: Game, decisions: Decisions, device: str, start: str = "", width: int = 256, blocks: int = 3
    ) -> None:
        seats = int(decisions.encoding.partition("/")[2] or 0)
        weights = given_weights(start, game, as_a_start=True) if start else None
        shape = shape_of(weights) if weights else (width, blocks)
        torch.manual_seed(1)
        self.game, self.device = game, device
        self.actor = Actor(encoder_of(game, seats or None), *shape, device)
        if self.actor.encoder.notation != decisions.encoding:
            raise ValueError(f"encoding {decisions.encoding} is not one that networks learn from")
        if weights:
            load_layers(weights, "", self.actor.net)
        held = decisions.held_out
        self.learned, self.measured = self._tensors(decisions, ~held), self._tensors(decisions, held)
        self.count = int((~held).sum())

    def _tensors(self, decisions: Decisions, which: NDArray[np.bool_]) -> tuple[torch.Tensor, ...]:
        parts = (decisions.seen, decisions.masks, decisions.wanted)
        return tuple(torch.as_tensor(part[which], device=self.device) for part in parts)

    def _chances(self, seen: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        chances: torch.Tensor = self.actor(padded(seen, masks), masks)[0]
        return chances

    def fit(self, epochs: int, rate: float, batch: int, report: Callable[[dict[str, float]], None]) -> None:
        """Learns from all decisions `epochs` times; the rate falls to nothing."""
        optimizer = torch.optim.AdamW(self.actor.parameters(), lr=rate, weight_decay=DECAY)
        steps = max(1, self.count // batch)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs * steps)
        for epoch in range(epochs):
            began, total = time.monotonic(), 0.0
            order = torch.randperm(self.count, device=self.device)
            for number in range(steps):
                rows = order[number * batch : (number + 1) * batch]
                seen, masks, wanted = (part[rows] for part in self.learned)
                loss = -(wanted * self._chances(seen, masks).masked_fill(masks == 0, 0)).sum(1).mean()
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
                schedule.step()
                total += float(loss.detach())
            told = {"epoch": epoch + 1, "loss": round(total / steps, 4)} | self.measure()
            report(told | {"seconds": round(time.monotonic() - began, 1)})

    @torch.no_grad()
    def measure(self) -> dict[str, float]:
        """On held-out games: mean cross-entropy in nats, and how often the likeliest action is the bot's."""
        seen, masks, wanted = self.measured
        if not len(seen):
            return {"held_out_loss": math.nan, "agreement": math.nan}
        chances = self._chances(seen, masks)
        loss = -(wanted * chances.masked_fill(masks == 0, 0)).sum(1).mean()
        agreed = (chances.argmax(1) == wanted.argmax(1)).float().mean()
        return {"held_out_loss": round(float(loss), 4), "agreement": round(float(agreed), 4)}

    def save(self, folder: Path, told: dict[str, Any]) -> Path:
        """Writes the weights; they have no critic."""
        path = folder / WEIGHTS
        weights_of(self.actor, None, self.game, {"made": date.today().isoformat(), "imitation": told}).save(path)
        return path


def imitate(
    game: Game,
    paths: Sequence[Path],
    folder: Path,
    device: str,
    start: str,
    width: int,
    epochs: int,
    tell: Callable[[str], None],
) -> Path:
    """Reads datasets, fits a network and writes curve and weights into a folder; returns the file of weights."""
    decisions = read_decisions(paths, game)
    imitation = Imitation(game, decisions, device, start, width)
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, float]] = []

    def report(row: dict[str, float]) -> None:
        rows.append(row)
        with (folder / CURVE).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
            writer.writerows(rows)
        tell(
            f"epoch {row['epoch']} of {epochs}: cross-entropy {row['loss']:.3f}, on held-out games "
            f"{row['held_out_loss']:.3f}; the same decision in {100 * row['agreement']:.1f}%"
        )

    tell(f"{imitation.count:,} decisions to learn from, {len(imitation.measured[0]):,} to measure with")
    imitation.fit(epochs, 1e-3, min(4096, max(16, imitation.count // 32)), report)
    return imitation.save(folder, {"datasets": [path.name for path in paths], "decisions": imitation.count, **rows[-1]})
