"""The comparison as tables in a terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bench.rivals.page import absent, ahead, cells
from bench.rivals.ratio import CARD_GAMES, HEARTS, LEDUC, Row, ratios, rows
from bench.rivals.run import Comparison


def show_comparison(found: Comparison) -> RenderableType:
    """Four tables, then the goals and whether they were reached."""
    parts: list[RenderableType] = []
    tables = (
        ("Leduc poker", LEDUC),
        ("Hearts", HEARTS),
        ("Card games of similar size", CARD_GAMES),
        ("Other games", None),
    )
    for title, games in tables:
        lines = rows(found.speeds, games)
        if lines:
            parts.append(show_rows(title, lines))
    for ratio in ratios(found.speeds):
        mark = ("reached", "green") if ratio.met else ("not reached", "bold red")
        parts.append(Text.assemble(f"{ratio.times:6.1f} times, goal {ratio.goal:g}: ", mark, f"  {ratio.what}"))
    parts += [Text(line.removeprefix("- ")) for line in (*ahead(found), *absent(found))]
    return Group(*parts)


def show_rows(title: str, lines: list[Row]) -> Table:
    table = Table("program, game and loop", "cores", "decisions/s", "with obs.", "games/s", "times", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
        column.no_wrap = True
    for row in lines:
        program, game, way, *numbers = cells(row, lines)
        table.add_row(f"{program.split()[0]} {game}: {way}", *numbers, style="bold" if row.ours else "")
    return table
