"""How the news of a game are shown: what makes up a set piece, what may be told together, what begins a turn.

A game declares it once, in `STAGING` of its `text.py`; the page that tells the news knows no kind of news by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Run(NamedTuple):
    """Where a set piece lies in a row of news: from `first` up to and not including `end`."""

    piece: str
    first: int
    end: int


@dataclass(frozen=True)
class SetPiece:
    """A moment that nobody may miss, such as a reveal: its news stay on the stage until the person goes on.

    Any of `opens` begins it, and none of these is ever left out. Any of `joins` is part of it once it has begun, and is
    an ordinary piece of news otherwise.
    """

    opens: tuple[int, ...]
    joins: tuple[int, ...] = ()


@dataclass(frozen=True)
class Staging:
    """The kinds of news by the way they are shown. What is not named here is told one piece after another."""

    pieces: Mapping[str, SetPiece] = field(default_factory=dict)  # by the name under which the page draws them
    gathered: tuple[int, ...] = ()  # what comes in a row may be told as one
    headings: tuple[int, ...] = ()  # the beginning of a round or a turn
    actors: Mapping[str, str] = field(default_factory=dict)  # table of names -> public field: the seat of each number
    told_better: Mapping[int, int] = field(default_factory=dict)  # public kind -> the whisper that says it with more

    def runs(self, kinds: Sequence[int]) -> list[Run]:
        """The set pieces in a row of news, given by kind."""
        found: list[Run] = []
        for place, kind in enumerate(kinds):
            last = found[-1] if found and found[-1].end == place else None
            if last is not None and kind in (*self.pieces[last.piece].opens, *self.pieces[last.piece].joins):
                found[-1] = last._replace(end=place + 1)
            else:
                found += [Run(name, place, place + 1) for name, piece in self.pieces.items() if kind in piece.opens]
        return found
