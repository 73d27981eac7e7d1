"""The arena: bots play the same deals in every seat, and every game counts once."""

from __future__ import annotations

from collections.abc import Callable

from tripot.lab.arena.contest import Played
from tripot.lab.arena.games_file import GamesFile
from tripot.lab.arena.schedule import schedule
from tripot.lab.arena.workers import Runner, WorkUnit, match_of, work_units

Progress = Callable[[int], None]


def play_contest(games_file: GamesFile, games: int, seed: int, run: Runner, progress: Progress | None = None) -> None:
    """Plays and saves the games that the file lacks, of the first `games` games from `seed` on."""
    contest = games_file.contest
    wanted = list(schedule(contest.numbers, contest.seats, seed, games))
    missing = [name for name in wanted if name not in games_file.games]
    if progress is not None and len(missing) < len(wanted):
        progress(len(wanted) - len(missing))
    for rows in run(play_unit, work_units(contest, missing)):
        new = sum(games_file.add(played) for played in rows)
        if progress is not None:
            progress(new)


def play_unit(unit: WorkUnit) -> list[Played]:
    """Plays the games of a unit, on whichever machine it was sent to."""
    match = match_of(unit.contest)
    return [match.play(deal, lineup) for deal, lineup in unit.games]
