"""Tournament results as tables: the bots by rating, then their win shares by seat and side."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tripot.lab.arena.standings import Standings
from tripot.lab.arena.win_shares import WinShare


def show_standings(found: Standings) -> RenderableType:
    """The table of bots, strongest first; then win shares by seat and by side."""
    contest = found.contest
    title = f"{contest.game}: {found.games} games on {found.deals} deals, {contest.seats} seats"
    table = new_table("bot", "games", "wins", "share", "95%", "rating", "95%", "ms")
    table.title = title
    for bot in found.bots:
        share, rating = bot.share, bot.rating
        table.add_row(
            bot.bot,
            f"{share.games}",
            f"{share.wins:.1f}",
            f"{share.ratio:.2f}",
            _interval(share.low, share.high, 2),
            f"{rating.points:.0f}",
            _interval(rating.low, rating.high, 0),
            f"{bot.ms_per_decision:.1f}" if bot.ms_per_decision >= 10 else f"{bot.ms_per_decision:.3f}",
        )
    notes = [Text("share: wins relative to the fair share, a tie counts in part; ms: time per decision", "dim")]
    if len(contest.bots) < contest.seats:
        filler = contest.circle[-1]
        notes.append(Text(f"{filler} fills the remaining seats", "dim"))
    return Group(table, *notes, _by_place(found))


def _by_place(found: Standings) -> RenderableType:
    sides = list(dict.fromkeys(side for bot in found.bots for side in bot.sides))
    places = [f"seat {seat + 1}" for seat in range(found.contest.seats)]
    table = new_table("share", *places, *sides)
    for bot in found.bots:
        shares = [*bot.seats, *(bot.sides.get(side) for side in sides)]
        table.add_row(bot.bot, *(_share(share) for share in shares))
    return table


def new_table(*heads: str) -> Table:
    """A table that fits a terminal of eighty columns."""
    table = Table(*heads, box=SIMPLE_HEAD, padding=(0, 1), collapse_padding=True)
    for column in table.columns[1:]:
        column.justify = "right"
    for column in table.columns:
        column.no_wrap = True
    return table


def _share(share: WinShare | None) -> str:
    if share is None or not share.games:
        return "–"
    return f"{share.ratio:.2f}\n{_interval(share.low, share.high, 2)}"


def _interval(low: float, high: float, digits: int) -> str:
    return f"{low:.{digits}f}–{high:.{digits}f}"
