"""What a seat observes: encoded numbers and an action mask for programs, a page of text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.encoding import encoder_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.layout import SPECTATOR, Field
from tripot.core.options import parse
from tripot.core.speech import Sentence, say
from tripot.lab.batch.batch import check_encoding
from tripot.lab.batch.encoding import Encoding
from tripot.table.table import Table

Observation = dict[str, NDArray[Any]]  # "observation": float32 from 0 to 1; "action_mask": int8


class SeatEncoding:
    """What a seat observes in one version of the encoding. Version 2 turns actions and masks to the seat, too."""

    def __init__(self, game: Game, seats: int, version: int = 1) -> None:
        self.version = check_encoding(version)
        self.first = Encoding(game.layout) if version == 1 else None
        self.second = encoder_of(game, seats) if version != 1 else None

    @property
    def highest(self) -> NDArray[np.float32]:
        """The greatest value of every column."""
        if self.second is not None:
            return self.second.highest
        assert self.first is not None
        return np.ones(self.first.width, np.float32)

    def observe(self, table: Table, seat: int) -> Observation:
        """The encoded view and the action mask, which is all zeros unless the seat has a decision to take."""
        return {"observation": self.encode(table.view(seat)), "action_mask": self.mask(table, seat)}

    def encode(self, view: NDArray[np.void]) -> NDArray[np.float32]:
        """One view as a row of numbers."""
        if self.second is not None:
            row: NDArray[np.float32] = self.second.encode(view)[0]
            return row
        assert self.first is not None
        return self.first.encode(view)

    def mask(self, table: Table, seat: int) -> NDArray[np.int8]:
        allowed = np.zeros(table.game.num_actions, np.int8)
        allowed[list(table.offer(seat).legal)] = 1
        return allowed if self.second is None else allowed[self.second.actions[self._frame(table, seat)]]

    def action(self, table: Table, seat: int, action: int) -> int:
        """The action of the game; -1 for a number that is none."""
        if not 0 <= action < table.game.num_actions:
            return -1
        return action if self.second is None else int(self.second.actions[self._frame(table, seat), action])

    def _frame(self, table: Table, seat: int) -> int:
        assert self.second is not None
        raw = table.view(seat).view(np.uint8).reshape(1, -1)
        return int(self.second.on(np).frames(raw, np.array([seat]))[0])


# --- Copies of a table: a game is its seed and its decisions ---


def table_moves(table: Table) -> dict[str, Any]:
    return {"seats": table.seats, "seed": table.seed, "decisions": list(table.decisions)}


def table_again(game: Game, options: Mapping[str, Any] | None, moves: Mapping[str, Any]) -> Table:
    """The table of `table_moves`, with all its decisions taken again."""
    table = open_table(game, moves["seats"], moves["seed"], options)
    for seat, action in moves["decisions"]:
        table.decide(seat, action, table.offer(seat).sequence)
    return table


def reward(table: Table, seat: int) -> float:
    """The win share of the seat."""
    return table.result[seat] / WHOLE_WIN


def open_table(game: Game, seats: int | None, seed: int, options: Mapping[str, Any] | None) -> Table:
    """A new table; `options` are house rules by name."""
    chosen = parse(game.options, dict(options or {}))
    return Table(game, game.usual_seats if seats is None else seats, seed, chosen)


# --- For people ---


def page(table: Table, seat: int, since: int, lang: str = "en") -> str:
    """The news since a decision, the table and the open question, as `seat` sees them."""
    return "\n".join(_lines(table, SPECTATOR if table.over else seat, since, lang)) + "\n"


def _lines(table: Table, who: int, since: int, lang: str) -> Iterator[str]:
    text = table.game.text
    players = [name(lang) for name in text.SEATS]

    def tell(sentence: Sentence, numbers: tuple[int, ...]) -> str:
        return say(sentence, numbers, text.NAMES, players, lang)

    for story in table.news(who, since):
        yield f"- {tell(text.NEWS[story.item.what], story.item[2:])} [{text.NEWS[story.item.what].clause}]"
    view = table.game.layout.view_of(table.view(who).tobytes())
    for f in table.game.layout.view.fields:
        value = getattr(view, f.name)
        if np.any(value) and f.name != "seat":
            yield f"{f.name}: {_numbers(value, f)}"
    question = text.QUESTIONS[view.phase]
    if not table.over:
        yield f"{players[who]}: {tell(question, ())} [{question.clause}]"
        for action in table.offer(who).legal:
            which, numbers = text.decision(view, action)
            yield f"  {action}: {tell(text.DECISIONS[which], numbers)}"


def _numbers(value: Any, f: Field) -> str:
    if isinstance(value, list):
        return (" | " if isinstance(value[0], list) else " ").join(_numbers(part, f) for part in value)
    return str(value)
