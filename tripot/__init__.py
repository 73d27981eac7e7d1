"""Tripot: three hidden-information card games to play, to study and to improve."""

from tripot.core.game import Game
from tripot.games import trieste, trok, verrater
from tripot.games.older import trieste_1

__version__ = "0.1.0"

GAMES: dict[str, Game] = {game.name: game for game in (verrater.GAME, trok.GAME, trieste.GAME)}

# Rules under which no new game is dealt, by name and rules_version: games begun under them are played to their end.
# See docs/decisions/0009-older-rules.md for how a rule book gets here.
OLDER: dict[tuple[str, int], Game] = {(game.name, game.rules_version): game for game in (trieste_1.GAME,)}


def find_rules(name: str, version: int) -> Game | None:
    """The game as its rules stood at this version, if they are still shipped."""
    newest = GAMES.get(name)
    return newest if newest is not None and newest.rules_version == version else OLDER.get((name, version))
