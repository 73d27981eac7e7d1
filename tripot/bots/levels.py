"""Difficulties: what people are offered, and the bot behind each."""

from __future__ import annotations

from dataclasses import dataclass

from tripot.bots.bot import UnknownBot, find_bot
from tripot.core.game import Game
from tripot.core.speech import Phrase


@dataclass(frozen=True)
class Level:
    """A difficulty: the first of `bots` that a game has plays it."""

    key: str
    name: Phrase
    meaning: Phrase
    bots: tuple[str, ...]


LEVELS: dict[str, Level] = {
    level.key: level
    for level in (
        Level(
            "easy",
            Phrase("Easy", "Facile"),
            Phrase("Keeps to the rules and decides by lot.", "Respecte les règles et décide au hasard."),
            ("uniform",),
        ),
        Level(
            "medium",
            Phrase("Medium", "Moyen"),
            Phrase(
                "Weighs each decision with common sense, one step ahead.",
                "Pèse chaque décision avec bon sens, un coup d'avance.",
            ),
            ("sensible", "uniform"),
        ),
        Level(
            "hard",
            Phrase("Hard", "Difficile"),
            Phrase(
                "Plays thousands of possible games ahead before each decision; the strongest there is.",
                "Joue d'avance des milliers de parties possibles avant chaque décision ; le plus fort qui soit.",
            ),
            ("search:2000", "sensible", "uniform"),
        ),
    )
}


def bot_of(level: str, game: Game) -> str:
    """The notation of the bot that plays a difficulty of a game."""
    for notation in LEVELS[level].bots:
        try:
            return find_bot(notation, game).name
        except UnknownBot:
            continue
    raise UnknownBot(f"no bot of {game.name} plays the level '{level}'")
