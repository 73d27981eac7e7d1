"""Tripot: three hidden-information card games to play, to study and to improve."""

from tripot.core.game import Game
from tripot.games import trieste, trok, verrater

__version__ = "0.1.0"

GAMES: dict[str, Game] = {game.name: game for game in (verrater.GAME, trok.GAME, trieste.GAME)}
