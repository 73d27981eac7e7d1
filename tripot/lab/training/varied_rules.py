"""The house rules of a run that varies them, and how games end by each set: counted on the device, saved at times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from tripot.bots.network import dealt_view
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.balance.hooks import clock_field, side_field
from tripot.lab.balance.outcomes import OUTCOMES, WON, Outcomes, load_outcomes
from tripot.lab.training.folding import ranges_of
from tripot.lab.training.settings import Settings
from tripot.lab.varied import Variation


class VariedRules:
    """Sets of house rules, and by set how many games ended, how long they took, and what each side won of them.

    A table that ends a game is dealt the next one in the same step. So what the game was is noted before each step.
    """

    def __init__(self, settings: Settings, game: Game) -> None:
        variation, device, most = Variation(game, settings.vary), settings.device, max(game.seats)
        rows = variation.draw(settings.sets, settings.seed)
        self.sets = [variation.options_of(row) for row in rows]
        ends = np.unique([rows.argmin(0), rows.argmax(0)])  # some sets with the lowest and the highest of each number
        views = [dealt_view(game, self.sets[number], settings.sizes(game)[0]) for number in ends]
        self.learned = ranges_of(game, np.concatenate(views))
        self.outcomes = Outcomes(variation, rows)
        self._sides, self._clock = bytes_of(game, side_field(game)), bytes_of(game, clock_field(game))
        self._seats = torch.arange(most, device=device)
        self._counts = torch.zeros(settings.sets, WON + most, dtype=torch.int64, device=device)

    def before_step(self, tables: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The set of house rules of every table's game, the side of each seat, and the turn."""
        sets, states = tables.seeds.remainder(len(self.sets)), tables.states  # `lab.batch` and `lab.gpu` deal them so
        sides = self._seats.expand(len(sets), -1) if self._sides is None else states[:, self._sides].long()
        clock = torch.zeros_like(sets) if self._clock is None else states[:, self._clock].long()[:, 0]
        return sets, sides, clock

    def after_step(self, tables: Any, noted: tuple[torch.Tensor, ...], counted: torch.Tensor) -> None:
        """Adds the games that the step ended, at the tables that are counted."""
        sets, sides, clock = noted
        ended = (tables.overs & counted).long()
        shares = (tables.results * WHOLE_WIN).round().long()
        won = torch.zeros_like(shares).scatter_add_(1, sides, shares)
        rows = torch.cat([torch.ones_like(ended)[:, None], clock[:, None], won], 1)
        self._counts.index_add_(0, sets, rows * ended[:, None])

    def save(self, folder: Path, seconds: float) -> None:
        """Writes what was counted, as one more part of the training; an interrupted write leaves the old file."""
        self.outcomes.add(self._counts.cpu().numpy().copy(), seconds)
        self._counts.zero_()
        self.outcomes.save(folder)

    def load(self, folder: Path) -> None:
        """Goes on with the parts that the folder of a run has."""
        if (folder / OUTCOMES).exists():
            self.outcomes = load_outcomes(folder)


def bytes_of(game: Game, name: str | None) -> slice | None:
    """Where a field of single bytes lies in the state; None if there is no such field."""
    if name is None:
        return None
    fields = game.layout.state.dtype.fields
    assert fields is not None
    kind, start = fields[name][:2]
    if kind.base.itemsize != 1:
        raise ValueError(f"{game.name}: {name} has {kind.base.itemsize} bytes; outcomes are counted by fields of one")
    return slice(start, start + kind.itemsize)
