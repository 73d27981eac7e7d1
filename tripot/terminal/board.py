"""How a game looks in a terminal.

A board is a module with these three functions; `Game.board` names it. It gets a view (a plain object with the fields of
the game's `state.py`, own rows as `my_…`), the players' names by seat, and a language, and returns anything rich can
print. Colour alone must never carry meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from rich.console import Group, RenderableType
from rich.text import Text

from tripot.core.game import Game
from tripot.core.news import Item

NARROW = 80  # columns; narrower terminals get a list instead of a picture


class Board(Protocol):
    """Draws one game in a terminal."""

    def draw(self, view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
        """The whole table as the view's seat sees it, in `width` columns; a list below NARROW."""

    def hand(self, view: Any, players: Sequence[str], lang: str) -> RenderableType:
        """The seat's own cards and what matters for the question; shown again after every partial decision."""

    def score(
        self, view: Any, news: Sequence[Item], reached: Sequence[str], players: Sequence[str], lang: str
    ) -> RenderableType:
        """The final result with its arithmetic; `reached` says by seat what each has in the end."""


class PlainBoard:
    """The board of a game without its own: prints every field of the view by name."""

    def __init__(self, game: Game) -> None:
        self.fields = game.layout.view.fields

    def draw(self, view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
        shown = [f for f in self.fields if not f.name.startswith("my_")]
        return Group(*[Text(f"{f.name}: {getattr(view, f.name)}") for f in shown])

    def hand(self, view: Any, players: Sequence[str], lang: str) -> RenderableType:
        own = [f for f in self.fields if f.name.startswith("my_")]
        return Group(*[Text(f"{f.name}: {getattr(view, f.name)}") for f in own])

    def score(
        self, view: Any, news: Sequence[Item], reached: Sequence[str], players: Sequence[str], lang: str
    ) -> RenderableType:
        return Text()


def find_board(game: Game) -> Board:
    """The board that a game names, or one that lists every field."""
    if not game.board:
        return PlainBoard(game)
    board: Any = import_module(game.board)
    return cast(Board, board)
