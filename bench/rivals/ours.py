"""Tripot's own games, and Hearts of `examples/hearts`: uniform players in native code."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bench.rivals.speed import Played, Speed
from tripot import GAMES, __version__
from tripot.bots.bot import find_policy
from tripot.core.game import Game
from tripot.core.options import parse
from tripot.lab import leduc, playout
from tripot.lab.simulate import GameLoop

PROGRAM = f"Tripot {__version__}"
WAY = "native loop"
HEARTS = "tripot_hearts"  # the package; so is the row called, for OpenSpiel has a `hearts` too
AS_OPENSPIEL = {"deals": 1, "passing": "drawn", "queen_breaks": 1}  # the house rules of OpenSpiel's defaults


def speeds(cores: int) -> Iterator[Speed]:
    for game in (leduc.GAME, *GAMES.values()):
        for seen in (False, True):
            yield speed(game, cores, seen)
    if find_spec(HEARTS):
        hearts = import_module(HEARTS).GAME
        for seen in (False, True):
            yield replace(speed(hearts, cores, seen, parse(hearts.options, AS_OPENSPIEL)), game=HEARTS)


def speed(game: Game, cores: int, seen: bool, options: Any = None) -> Speed:
    """One table per core; `seen` adds the view of the seat to move to mask, pick and rules."""
    uniform = find_policy("uniform", game)
    rules = game.options() if options is None else options
    tables = [GameLoop(game, rules, uniform, uniform if seen else None) for _ in range(cores)]

    def play(games: int) -> Played:
        starts = [(table, number * games) for number, table in enumerate(tables)]
        tallies = list(pool.map(lambda start: start[0].play(game.usual_seats, start[1], games), starts))
        return Played(*(float(sum(int(tally[i]) for tally in tallies)) for i in (playout.GAMES, playout.DECISIONS)))

    with ThreadPoolExecutor(cores) as pool:
        return Speed.of(PROGRAM, game.name, WAY, cores, seen, play)
