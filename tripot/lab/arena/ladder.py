"""The ladder: all bots in all games, as a page of Markdown with games played and intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tripot.bots.bot import UnknownBot, find_bot
from tripot.core.game import Game
from tripot.lab.arena.arena import play_contest
from tripot.lab.arena.contest import new_contest
from tripot.lab.arena.games_file import GamesFile
from tripot.lab.arena.standings import Standings, standings
from tripot.lab.arena.workers import Runner
from tripot.lab.benchmark import machine

BOTS = ("uniform", "sensible", "search:1000", "search:2000", "search:4000", "search:8000")  # each search twice the last
Progress = Callable[[int], None]

HEAD = """# Ratings

The ladder of the bots, measured by `make ratings` and not edited by hand. On every deal each bot sits once in every
seat. *Rating* is on Elo's scale, the mean of the bots in a game at 1500: 400 points more are ten times the chance
to win. *Share* is how much a bot wins over what is fair among as many players; ties count as shared wins. Both come
with 95% intervals that know which games were played on the same deal. *openskill* is the rating of the library of
that name from the same games. How ratings are made: [decision 6](decisions/0006-ratings.md).
"""


def climb(
    game: Game, bots: Sequence[str], games: int, folder: Path | None, run: Runner, progress: Progress | None = None
) -> Standings:
    """All bots of a game that meet; with a folder, its games of the same rules and bots are gone on with."""
    contest = new_contest(game, game.usual_seats, game.options(), [bot for bot in bots if is_bot(bot, game)])
    games_file = GamesFile(contest, folder / f"{game.name}-{contest.program}.jsonl" if folder else None)
    play_contest(games_file, games, 0, run, progress)
    return standings(games_file, game)


def is_bot(notation: str, game: Game) -> bool:
    """Whether this game has such a bot."""
    try:
        find_bot(notation, game)
    except UnknownBot:
        return False
    return True


def ladder_page(games: Sequence[tuple[Game, Standings]]) -> str:
    """The page for these games."""
    facts = machine()
    where = f"{facts['cores']} cores of {facts['cpu']}, Python {facts['python']}, Numba {facts['numba']}"
    return "\n".join([HEAD, f"Measured on {where}.", *(_section(game, found) for game, found in games)])


def _section(game: Game, found: Standings) -> str:
    lines = [
        "",
        f"## {game.text.TITLE.en}",
        "",
        f"{found.games} games on {found.deals} deals, {found.contest.seats} seats, rules version {game.rules_version}.",
        "",
        "| bot | rating | 95% | share of fair | 95% | games | ms a decision | openskill |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for bot in found.bots:
        rating, share, skill = bot.rating, bot.share, bot.skill
        opinion = f"{skill.mu:.1f} ± {1.96 * skill.sigma:.1f}" if skill else ""
        lines.append(
            f"| {bot.bot} | {rating.points:.0f} | {rating.low:.0f} to {rating.high:.0f} | {share.ratio:.2f} "
            f"| {share.low:.2f} to {share.high:.2f} | {share.games} | {bot.ms_per_decision:.3g} | {opinion} |"
        )
    return "\n".join([*lines, ""])
