"""What the guide of a game says to one seat, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tripot.core.game import Game
from tripot.core.guide import Said
from tripot.core.speech import say

BETWEEN = " · "


class GuideText:
    """The guide of a game in one language; silent for a game without a guide."""

    def __init__(self, game: Game, players: Sequence[str], lang: str) -> None:
        self.guide, self.names = game.guide, game.text.NAMES
        self.players, self.lang = players, lang

    def goals(self, view: Any) -> str:
        """How the game is won and how far it is, on one line."""
        return BETWEEN.join(self.line(said) for said in self.guide.goals(view)) if self.guide else ""

    def knowledge(self, view: Any) -> list[str]:
        """What the seat knows of hidden cards, a line each."""
        return [self.line(said) for said in self.guide.knowledge(view)] if self.guide else []

    def hint(self, view: Any, action: int) -> tuple[str, str]:
        """What a decision costs and does, and the clauses behind it; both empty if there is nothing to say."""
        found = self.guide.hint(view, action) if self.guide else []
        clauses = " ".join(self.guide.sentences[said.key].clause for said in found) if self.guide else ""
        return BETWEEN.join(self.line(said, plain=True) for said in found), clauses

    def warning(self, view: Any, action: int, legal: Sequence[int]) -> str:
        """A word before a costly mistake, with its clauses; empty if there is none."""
        said = self.guide.warning(view, action, legal) if self.guide else None
        return f"{self.line(said)} [{self.guide.sentences[said.key].clause}]" if said and self.guide else ""

    def line(self, said: Said, plain: bool = False) -> str:
        """One sentence; `plain` leaves its first letter as it is written."""
        assert self.guide is not None
        sentence = self.guide.sentences[said.key]
        text = say(sentence, said.numbers, self.names, self.players, self.lang)
        written = (sentence.fr if self.lang == "fr" else sentence.en)[:1]
        return text[:1].lower() + text[1:] if plain and written.islower() else text
