"""What teaches a game beside its lessons: itself in one minute, the chapters of its rules page, and a worked example.

It is data in the game's `teaching.py`. Every picture is a part of the real table, drawn from a position: it cannot show
what the rules do not allow, and it changes when the drawing does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tripot.core.lesson import sentence_of
from tripot.core.news import EVERYONE, Item
from tripot.core.speech import Phrase

if TYPE_CHECKING:
    from tripot.core.game import Game


@dataclass(frozen=True)
class Picture:
    """A part of the table as one seat sees it, after some decisions in a position."""

    shows: str  # the part: a picture or a set piece of the game's drawing; `board` where it has none of that name
    position: str  # in the notation of `core.position`
    decisions: tuple[str, ...] = ()  # taken there in turn, by their English sentences
    seat: int = 0


@dataclass(frozen=True)
class Panel:
    """A picture and what it says."""

    title: Phrase
    text: Phrase
    picture: Picture


@dataclass(frozen=True)
class Chapter:
    """A part of the rules page, in the Markdown of rule books; clause numbers in it can be opened."""

    title: Phrase
    text: Phrase


@dataclass(frozen=True)
class Topic:
    """What people ask about, and the clauses that answer, the best one first.

    `asked` is a key of `core.rule_search.QUESTIONS`, or patterns of one's own as described there.
    """

    asked: str | Phrase
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Teaching:
    """All that a game brings for people who want to know it. Every part may be missing."""

    primer: tuple[Panel, ...] = ()  # the game in one minute: goal, a turn, how points come, how it ends
    chapters: tuple[Chapter, ...] = ()  # what the rules page says before the clauses
    example: tuple[Panel, ...] = ()  # one round or turn, picture by picture
    topics: tuple[Topic, ...] = ()  # where questions are answered


@dataclass(frozen=True)
class Drawn:
    """What a picture shows: the whole state, and what its seat heard since the position."""

    s: Any
    news: list[Item]


class BadPicture(ValueError):
    """A picture that cannot be drawn; the message says why."""


def drawn(game: Game, picture: Picture) -> Drawn:
    """Takes the decisions of a picture. Raises BadPicture if one of them is not legal, and BadPosition."""
    from tripot.core.position import read_position

    s = read_position(picture.position, {game.name: game}).s
    s.news = []
    for wanted in picture.decisions:
        seat, action = _find(game, s, wanted)
        game.apply(s, seat, action)
    return Drawn(s, [item for item in s.news if item.to in (EVERYONE, picture.seat)])


def _find(game: Game, s: Any, wanted: str) -> tuple[int, int]:
    """The first seat that may take a decision now, and its number."""
    from tripot.core.game import waiting_seats

    offered: list[str] = []
    for seat in waiting_seats(s):
        view = game.layout.observe_plain(s, seat)
        for action in game.legal_actions(s, seat):
            sentence = sentence_of(game, view, action, "en")
            if sentence == wanted:
                return seat, action
            offered.append(sentence)
    raise BadPicture(f"nobody may '{wanted}' here; legal: {'; '.join(offered) or 'nothing'}")
