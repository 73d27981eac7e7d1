"""Tripot: three hidden-information card games to play, to study and to improve."""

from tripot.core.game import Game
from tripot.core.game_check import BadGame
from tripot.games import trieste, trok, verrater
from tripot.games.older import trieste_1, trieste_2, trieste_3, trieste_4
from tripot.games.outside import announce, find_outside, load_game

__version__ = "0.1.0"

OWN_GAMES: dict[str, Game] = {game.name: game for game in (verrater.GAME, trok.GAME, trieste.GAME)}
OUTSIDE = find_outside(OWN_GAMES)
GAMES: dict[str, Game] = OWN_GAMES | OUTSIDE.games

# Rules under which no new game is dealt, by name and rules_version: games begun under them are played to their end.
# See docs/decisions/0009-older-rules.md for how a rule book gets here.
OLDER: dict[tuple[str, int], Game] = {
    (game.name, game.rules_version): game for game in (trieste_1.GAME, trieste_2.GAME, trieste_3.GAME, trieste_4.GAME)
}


def add_game(reference: str) -> Game:
    """Adds the game that `module:GAME` names to GAMES, here and in processes started from here; raises BadGame."""
    game = load_game(reference)
    if GAMES.setdefault(game.name, game) is not game:
        raise BadGame(f"{reference}: the name '{game.name}' is taken")
    announce(reference)
    return game


def find_rules(name: str, version: int) -> Game | None:
    """The game as its rules stood at this version, if they are still shipped."""
    newest = GAMES.get(name)
    return newest if newest is not None and newest.rules_version == version else OLDER.get((name, version))
