"""Optional attributes of a game's `text.py` that reports use.

- `SIDES = "faction"`: the public field with each seat's side, set by the deal; `NAMES` has a table of the same name.
- `CLOCK = "turn"`: the public field that counts rounds or turns.
- `standing(s)`: by seat, its progress towards winning; the highest is ahead. It gets the whole state, because reports
  are about finished games of bots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tripot.core.game import Game
from tripot.core.speech import Phrase


def side_field(game: Game) -> str | None:
    return getattr(game.text, "SIDES", None)


def side_names(game: Game) -> Sequence[Phrase]:
    """The names of the sides by number; empty if the game has no sides."""
    field = side_field(game)
    names: Sequence[Phrase] = game.text.NAMES[field] if field else ()
    return names


def clock_field(game: Game) -> str | None:
    return getattr(game.text, "CLOCK", None)


def standing(game: Game) -> Callable[[Any], Sequence[int]] | None:
    return getattr(game.text, "standing", None)
