"""Games of other packages: those that name themselves as entry points, and those that TRIPOT_GAMES names.

A package says in its pyproject.toml `[project.entry-points."tripot.games"]` and there `hearts = "hearts:GAME"`. A game
that cannot be loaded, or that is none, takes nobody down: what is wrong with it is kept for `tripot games`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points

from tripot.core.game import Game
from tripot.core.game_check import BadGame, check_game

GROUP = "tripot.games"
VARIABLE = "TRIPOT_GAMES"  # references like `module:GAME`, with commas between them; other processes read it too
LONGEST_TOLD = 200  # characters of what a package raised


@dataclass
class OutsideGames:
    """What was found: games by name, and by reference why others were refused."""

    games: dict[str, Game] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def references() -> Iterator[str]:
    """What entry points and TRIPOT_GAMES name, in the order of their names."""
    yield from sorted({entry.value for entry in entry_points(group=GROUP)})
    yield from (name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip())


def find_outside(own: Mapping[str, Game]) -> OutsideGames:
    """Loads the games of other packages. None may take the name of one of `own`, or of another."""
    found = OutsideGames()
    for reference in dict.fromkeys(references()):
        try:
            game = load_game(reference)
            if game.name in own or game.name in found.games:
                raise BadGame(f"the name '{game.name}' is taken")
            found.games[game.name] = game
        except BadGame as problem:
            found.refused[reference] = str(problem)
    return found


def announce(reference: str) -> None:
    """Lets the processes that this one starts find the game too."""
    named = [name for name in os.environ.get(VARIABLE, "").split(",") if name]
    os.environ[VARIABLE] = ",".join(dict.fromkeys([*named, reference]))


def load_game(reference: str) -> Game:
    """Imports `module:GAME` and looks it over; raises BadGame with one sentence if that fails."""
    module, colon, name = reference.partition(":")
    if not colon or not module or not name:
        raise BadGame(f"'{reference[:LONGEST_TOLD]}' does not name a game: write module:GAME")
    if not {"", os.getcwd()} & set(sys.path):
        sys.path.append(os.getcwd())  # a game may be tried before it is installed
    try:
        game = getattr(import_module(module), name)
        check_game(game)
    except BadGame:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a package does when it is imported
        raise BadGame(f"cannot be loaded: {type(error).__name__}: {_told(error)}") from error
    assert isinstance(game, Game)
    return game


def _told(error: BaseException) -> str:
    """The message of an error in one line, if it has one that can be read."""
    try:
        return " ".join(str(error).split())[:LONGEST_TOLD]
    except Exception:
        return "(it cannot say why)"
