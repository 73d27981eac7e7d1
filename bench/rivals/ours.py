"""Tripot's own games: uniform players in native code."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bench.rivals.speed import Played, Speed
from tripot import GAMES, __version__
from tripot.bots.bot import find_policy
from tripot.core.game import Game
from tripot.lab import leduc, playout
from tripot.lab.simulate import GameLoop

PROGRAM = f"Tripot {__version__}"
WAY = "native loop"


def speeds(cores: int) -> Iterator[Speed]:
    for game in (leduc.GAME, *GAMES.values()):
        for seen in (False, True):
            yield speed(game, cores, seen)


def speed(game: Game, cores: int, seen: bool) -> Speed:
    """One table per core; `seen` adds the view of the seat to move to mask, pick and rules."""
    uniform = find_policy("uniform", game)
    tables = [GameLoop(game, game.options(), uniform, uniform if seen else None) for _ in range(cores)]

    def play(games: int) -> Played:
        starts = [(table, number * games) for number, table in enumerate(tables)]
        tallies = list(pool.map(lambda start: start[0].play(game.usual_seats, start[1], games), starts))
        return Played(*(float(sum(int(tally[i]) for tally in tallies)) for i in (playout.GAMES, playout.DECISIONS)))

    with ThreadPoolExecutor(cores) as pool:
        return Speed.of(PROGRAM, game.name, WAY, cores, seen, play)
