"""What a game must draw to be played in a terminal, and the games that do.

A board is one module of this folder with these four functions. It gets a view (a plain object with the
fields of the game's `state.py`, own rows as `my_…`), the players' names by seat, and a language; it
gives back anything rich can print. Nothing may be told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rich.console import Group, RenderableType
from rich.text import Text

from tripot.core.game import Game
from tripot.core.news import Item
from tripot.terminal import trieste, trok, verrater

NARROW = 80  # columns; below that a list is drawn, no picture


class Board(Protocol):
    """How one game looks in a terminal."""

    def draw(self, view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
        """The whole table as the seat of the view sees it, in `width` columns; below NARROW as a list."""

    def hand(self, view: Any, players: Sequence[str], lang: str) -> RenderableType:
        """What only this seat holds, and what it weighs now: shown again after every small decision."""

    def hint(self, view: Any, action: int, lang: str) -> tuple[str, str]:
        """A few words on what a decision brings and the clauses behind them; both empty where none are needed."""

    def score(self, view: Any, news: Sequence[Item], players: Sequence[str], lang: str) -> RenderableType:
        """The final result with its arithmetic."""


BOARDS: dict[str, Board] = {"verrater": verrater, "trok": trok, "trieste": trieste}


class PlainBoard:
    """The board of a game that has none yet: every field of the view by its name."""

    def __init__(self, game: Game) -> None:
        self.fields = game.layout.view.fields

    def draw(self, view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
        shown = [f for f in self.fields if not f.name.startswith("my_")]
        return Group(*[Text(f"{f.name}: {getattr(view, f.name)}") for f in shown])

    def hand(self, view: Any, players: Sequence[str], lang: str) -> RenderableType:
        own = [f for f in self.fields if f.name.startswith("my_")]
        return Group(*[Text(f"{f.name}: {getattr(view, f.name)}") for f in own])

    def hint(self, view: Any, action: int, lang: str) -> tuple[str, str]:
        return "", ""

    def score(self, view: Any, news: Sequence[Item], players: Sequence[str], lang: str) -> RenderableType:
        return Text()


def find_board(game: Game) -> Board:
    return BOARDS.get(game.name) or PlainBoard(game)
