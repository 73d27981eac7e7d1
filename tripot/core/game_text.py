"""What the text module of a game has: its names and sentences, in French and English."""
# ruff: noqa: N802 (a module has constants where a class would have properties)

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tripot.core.speech import Phrase, Sentence


class GameText(Protocol):
    """The text module of a game. RULES.md, if there is one, lies beside it.

    A module may have more: `CLOCK`, the field that counts rounds or turns; `SIDES`, the field whose values reports tell
    apart; `OPTION_VALUES`, the names of an option's values; `FACTS`, what a drawing needs of the rules; `STAGING`, what
    nobody may miss (`core.staging`); `concealed(view)`, the fields that house rules hide; `standing(view)`, for balance
    reports. Other upper-case tables of phrases and sentences reach the page as `more` of the catalogue.
    """

    @property
    def __file__(self) -> str | None: ...
    @property
    def TITLE(self) -> Phrase: ...
    @property
    def TAGLINE(self) -> Phrase:
        """Who would play it, in half a line."""

    @property
    def SEATS(self) -> Sequence[Phrase]:
        """The names of the seats, at least as many as the largest table has."""

    @property
    def NAMES(self) -> Mapping[str, Sequence[Phrase]]:
        """The tables in which sentences look numbers up."""

    @property
    def QUESTIONS(self) -> Mapping[int, Sentence]:
        """What is asked in each phase."""

    @property
    def DECISIONS(self) -> Mapping[str, Sentence]:
        """What can be decided, by key."""

    @property
    def NEWS(self) -> Mapping[int, Sentence]:
        """What the rules tell, by kind."""

    def decision(self, view: Any, action: int) -> tuple[str, tuple[int, ...]]:
        """The key of a decision in DECISIONS, and its numbers."""
        ...
