"""What a seat observes: encoded numbers and an action mask for programs, a page of text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.layout import SPECTATOR, Field
from tripot.core.options import parse
from tripot.core.speech import Sentence, say
from tripot.lab.batch.encoding import Encoding
from tripot.table.table import Table

Observation = dict[str, NDArray[Any]]  # "observation": float32 from 0 to 1; "action_mask": int8


@cache
def encoding_of(name: str) -> Encoding:
    return Encoding(GAMES[name].layout)


def observation(table: Table, seat: int) -> Observation:
    """The encoded view of a seat and its action mask, which is all zeros unless the seat has a decision to take."""
    return {"observation": encoding_of(table.game.name).encode(table.view(seat)), "action_mask": mask(table, seat)}


def mask(table: Table, seat: int) -> NDArray[np.int8]:
    allowed = np.zeros(table.game.num_actions, np.int8)
    allowed[list(table.offer(seat).legal)] = 1
    return allowed


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
