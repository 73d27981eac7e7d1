"""The arena: bots meet on the same deals in every seat, and every game is counted once."""

from __future__ import annotations

from collections.abc import Callable

from tripot.lab.arena.contest import Played
from tripot.lab.arena.games_file import GamesFile
from tripot.lab.arena.schedule import schedule
from tripot.lab.arena.workers import Runner, WorkUnit, match_of, work_units

Progress = Callable[[int], None]


def play_contest(games_file: GamesFile, games: int, seed: int, run: Runner, progress: Progress | None = None) -> None:
    """Play, and write down, those of the first `games` games from `seed` on that the file does not have."""
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
    """Play some games, wherever this is called."""
    match = match_of(unit.contest)
    return [match.play(deal, lineup) for deal, lineup in unit.games]
