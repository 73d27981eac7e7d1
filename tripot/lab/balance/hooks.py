"""What a game's `text.py` may say for reports, each optional.

- `SIDES = "faction"`: the public field, by seat, of the side that the deal gives each seat; `NAMES` has a
  table of the same name.
- `CLOCK = "turn"`: the public field that counts rounds or turns.
- `standing(s)`: by seat, how far it is on its way to victory; the highest is ahead. It gets the whole state:
  reports are made of games that bots have finished.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tripot.core.game import Game
from tripot.core.speech import Phrase


def side_field(game: Game) -> str | None:
    return getattr(game.text, "SIDES", None)


def side_names(game: Game) -> Sequence[Phrase]:
    """The sides of the game by number; none where it has no sides."""
    field = side_field(game)
    names: Sequence[Phrase] = game.text.NAMES[field] if field else ()
    return names


def clock_field(game: Game) -> str | None:
    return getattr(game.text, "CLOCK", None)


def standing(game: Game) -> Callable[[Any], Sequence[int]] | None:
    return getattr(game.text, "standing", None)
