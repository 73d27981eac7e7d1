"""Difficulty levels: what people are offered, and the bot behind each."""

from __future__ import annotations

from dataclasses import dataclass

from tripot.bots.bot import UnknownBot, has_network
from tripot.core.game import Game
from tripot.core.speech import Phrase


@dataclass(frozen=True)
class Level:
    """A difficulty level, offered in every game."""

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
            Phrase("Keeps to the rules and decides at random.", "Respecte les règles et décide au hasard."),
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
                "Plays thousands of possible games ahead before each decision.",
                "Joue d'avance des milliers de parties possibles avant chaque décision.",
            ),
            "search:2000",
        ),
        Level(
            "expert",
            Phrase("Expert", "Expert"),
            Phrase(
                "Looks ahead with what it learned in millions of games; plays like Hard with house rules.",
                "Anticipe grâce à des millions de parties apprises ; avec des règles maison, comme Difficile.",
            ),
            "guided:400",
        ),
    )
}


# In a game without a heuristic player, whom the middle level plays elsewhere.
SHALLOW_SEARCH = Level(
    "medium",
    LEVELS["medium"].name,
    Phrase(
        "Plays some hundred possible games ahead before each decision.",
        "Joue d'avance quelques centaines de parties possibles avant chaque décision.",
    ),
    "search:200",
)


# In a game without a network.
DEEP_SEARCH = Level(
    "expert",
    LEVELS["expert"].name,
    Phrase(
        "Plays ten thousand possible games ahead before each decision.",
        "Joue d'avance dix mille parties possibles avant chaque décision.",
    ),
    "search:10000",
)


def levels_of(game: Game) -> list[Level]:
    """Every level with the bot that plays it in this game, easiest first."""
    instead = {SHALLOW_SEARCH.key: game.heuristic is None and SHALLOW_SEARCH}
    instead |= {DEEP_SEARCH.key: not has_network(game) and DEEP_SEARCH}
    return [instead.get(level.key) or level for level in LEVELS.values()]


def bot_of(level: str, game: Game) -> str:
    """The notation of the bot that plays a level of a game."""
    offered = {known.key: known.bot for known in levels_of(game)}
    if level not in offered:
        raise UnknownBot(f"there is no level '{level}': choose {', '.join(offered)}")
    return offered[level]
