"""The ladder: ratings of all bots in all games, with intervals, as a page of Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tripot import GAMES
from tripot.bots.bot import UnknownBot
from tripot.bots.own import find_any_bot
from tripot.core.game import Game
from tripot.lab.arena.arena import play_contest
from tripot.lab.arena.contest import new_contest
from tripot.lab.arena.games_file import GamesFile
from tripot.lab.arena.standings import Standings, standings
from tripot.lab.arena.workers import Runner
from tripot.lab.benchmark import machine

BOTS = ("uniform", "sensible", "search:1000", "network", "guided:100")  # each decides by other means
POOL = ("search:1000", "sensible", "uniform")  # whom a new row meets; the first is the yardstick
DEALS = 900_000  # the seed of the first deal for rows: no network was trained on these
Progress = Callable[[int], None]

HEAD = """# Ratings

The ladder of the bots, written by `make ratings` and not edited by hand. On every deal each bot plays every seat once.
*Rating* is on the Elo scale; the mean of the bots of a game is 1500, and 400 points more mean ten times the odds to
win. *Share of fair* is a bot's win share divided by the fair share among that many players; a tie counts as a shared
win. Both have 95% intervals, which treat games on the same deal as one cluster. *openskill* is the rating of the
library of that name from the same games. How ratings are computed: [decision 6](decisions/0006-ratings.md).

## A row for your own bot

```sh
tripot ladder --row my_bots:careful --games 1000 --save rows
```

plays the protocol and prints a row for each game; a run that was stopped goes on. With `-o docs/ratings.md` the rows
join those below. The protocol:

- **Frozen deals.** Deal i has the seed 900000 + i, everywhere. `tripot train` and the networks of the package have not
  seen these deals.
- **Every seat.** On each deal your bot sits in every seat, at the game's usual table and by its usual rules.
- **A fixed pool.** The others are `search:1000`, `sensible` and `uniform`, so that rows of different people can be
  compared. *Above search:1000* is the difference of the two ratings in these games.
- **Time a decision** is measured and printed, over decisions with more than one legal action. A bot with a time limit
  has it in its name, which ends in `ms`. The row says on which machine it was played, and on how many cores.
- At least 1,000 games. Send the files of the folder along: `tripot arena --merge` reads them, and the first line of
  each names the version of rules, bots and, of a bot of your own, of its module or weights.

`my_bots:careful` is a function of yours that makes a player ([how](learning.md#a-policy-of-your-own-in-the-arena)),
`network:DIR` a network. From a checkout, with `open_spiel` installed, `bench.rivals.ismcts:ismcts_25ms` is OpenSpiel's
own information-set MCTS with 25 ms for a decision, about what `search:1000` takes, and `…:ismcts_250ms` has ten times
that.
"""
ROWS = """
## Rows

One bot among the fixed pool each, by the protocol above. They stay when the ladder is measured anew.

"""


def climb(
    game: Game,
    bots: Sequence[str],
    games: int,
    folder: Path | None,
    run: Runner,
    progress: Progress | None = None,
    seed: int = 0,
) -> Standings:
    """Plays the contest of all bots of a game. With a folder, resumes saved games of the same rules and bots."""
    contest = new_contest(game, game.usual_seats, game.options(), [bot for bot in bots if is_bot(bot, game)])
    games_file = GamesFile(contest, folder / f"{game.name}-{contest.program}.jsonl" if folder else None)
    play_contest(games_file, games, seed, run, progress)
    return standings(games_file, game)


def climb_row(
    game: Game, bot: str, games: int, folder: Path | None, run: Runner, progress: Progress | None = None
) -> Standings:
    """Plays the protocol of a new row: the bot among the pool, on the frozen deals, in every seat."""
    return climb(game, list(dict.fromkeys([bot, *POOL])), games, folder, run, progress, DEALS)


def row_table(rows: Sequence[str]) -> str:
    """Rows of the ladder as a table."""
    head = [
        f"| game | bot | above {POOL[0]} | 95% | share of fair | 95% | games | ms a decision | played on |",
        "|---|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    return "\n".join([*head, *rows, ""])


def bot_rows(games: Sequence[tuple[Game, Standings]], bot: str) -> list[str]:
    """The rows of a bot, one for each game, as Markdown."""
    facts, rows = machine(), []
    for game, found in games:
        by_name = {standing.bot: standing for standing in found.bots}
        its, zero = by_name[bot], by_name[POOL[0]].rating.points
        above = f"{its.rating.points - zero:+.0f} | {its.rating.low - zero:+.0f} to {its.rating.high - zero:+.0f}"
        share = f"{its.share.ratio:.2f} | {its.share.low:.2f} to {its.share.high:.2f} | {its.share.games}"
        where = f"{facts['cores']} cores of {facts['cpu']}"
        rows.append(f"| {game.text.TITLE.en} | {bot} | {above} | {share} | {its.ms_per_decision:.3g} | {where} |")
    return rows


def kept_rows(page: str) -> list[str]:
    """The rows that are on a page."""
    return [line for line in page.partition(ROWS)[2].splitlines()[2:] if line.startswith("| ")]


def page_with_rows(page: str, rows: Sequence[str]) -> str:
    """The page with these rows, in place of older ones of the same bot and game."""
    found = {tuple(row.split(" | ")[:2]): row for row in [*kept_rows(page), *rows]}
    before = page.partition(ROWS)[0] or HEAD
    order = [game.text.TITLE.en for game in GAMES.values()]
    table = sorted(found.values(), key=lambda row: order.index(row.split(" | ")[0].removeprefix("| ")))
    return f"{before.rstrip()}\n{ROWS}{row_table(table)}" if table else page


def is_bot(notation: str, game: Game) -> bool:
    """Whether the notation is a bot of this game."""
    try:
        find_any_bot(notation, game)
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
        openskill = f"{skill.mu:.1f} ± {1.96 * skill.sigma:.1f}" if skill else ""
        lines.append(
            f"| {bot.bot} | {rating.points:.0f} | {rating.low:.0f} to {rating.high:.0f} | {share.ratio:.2f} "
            f"| {share.low:.2f} to {share.high:.2f} | {share.games} | {bot.ms_per_decision:.3g} | {openskill} |"
        )
    return "\n".join([*lines, ""])
