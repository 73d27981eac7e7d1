"""The arena: bots meet on the same deals in every seat, and every game is counted once."""

from __future__ import annotations

from collections.abc import Callable

from tripot.lab.arena.contest import Played
from tripot.lab.arena.games_file import Ledger
from tripot.lab.arena.schedule import schedule
from tripot.lab.arena.workers import Batch, Runner, batches, match_of

Progress = Callable[[int], None]


def play_contest(ledger: Ledger, games: int, seed: int, run: Runner, progress: Progress | None = None) -> None:
    """Play, and write down, those of the first `games` games from `seed` on that the ledger does not have."""
    contest = ledger.contest
    wanted = list(schedule(contest.numbers, contest.seats, seed, games))
    missing = [name for name in wanted if name not in ledger.games]
    if progress is not None and len(missing) < len(wanted):
        progress(len(wanted) - len(missing))
    for rows in run(play_batch, batches(contest, missing)):
        new = sum(ledger.add(played) for played in rows)
        if progress is not None:
            progress(new)


def play_batch(batch: Batch) -> list[Played]:
    """Play some games, wherever this is called."""
    match = match_of(batch.contest)
    return [match.play(deal, lineup) for deal, lineup in batch.games]
