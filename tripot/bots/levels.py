"""Difficulty levels: what people are offered, and the bot behind each."""

from __future__ import annotations

from dataclasses import dataclass

from tripot.bots.bot import UnknownBot, find_bot
from tripot.core.game import Game
from tripot.core.speech import Phrase


@dataclass(frozen=True)
class Level:
    """A difficulty level, offered in every game that has its bot."""

    key: str
    name: Phrase
    meaning: Phrase
    bot: str


LEVELS: dict[str, Level] = {
    level.key: level
    for level in (
        Level(
            "easy",
            Phrase("Easy", "Facile"),
            Phrase("Keeps to the rules and decides by lot.", "Respecte les règles et décide au hasard."),
            "uniform",
        ),
        Level(
            "medium",
            Phrase("Medium", "Moyen"),
            Phrase(
                "Weighs each decision with common sense, one step ahead.",
                "Pèse chaque décision avec bon sens, un coup d'avance.",
            ),
            "sensible",
        ),
        Level(
            "hard",
            Phrase("Hard", "Difficile"),
            Phrase(
                "Plays thousands of possible games ahead before each decision; the strongest there is.",
                "Joue d'avance des milliers de parties possibles avant chaque décision ; le plus fort qui soit.",
            ),
            "search:2000",
        ),
    )
}


def levels_of(game: Game) -> list[Level]:
    """The levels that a game has bots for, easiest first."""
    return [level for level in LEVELS.values() if has_bot(level.bot, game)]


def bot_of(level: str, game: Game) -> str:
    """The notation of the bot that plays a level of a game."""
    offered = [known.key for known in levels_of(game)]
    if level not in offered:
        raise UnknownBot(f"{game.name} has no level '{level}': choose {', '.join(offered)}")
    return LEVELS[level].bot


def has_bot(notation: str, game: Game) -> bool:
    try:
        find_bot(notation, game)
    except UnknownBot:
        return False
    return True
