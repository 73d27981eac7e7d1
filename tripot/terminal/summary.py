"""What came out of simulations and measurements, for people: progress while they run, lines when they are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import sqrt
from time import monotonic
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tripot.lab.benchmark import Measure, Report
from tripot.lab.perft import Tree
from tripot.lab.simulate import Progress as Advance
from tripot.lab.simulate import Summary

BEAT = 30.0  # seconds between two lines of progress in a log


@contextmanager
def progress_bar(games: int) -> Iterator[Advance]:
    """Games played so far, on the error output: a bar, or a line now and then where it is no terminal."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield told_in_lines(games, lambda line: console.print(line, soft_wrap=True))
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("compiling the rules", total=games)
        yield lambda count: bar.update(task, advance=count, description="playing")


def told_in_lines(games: int, tell: Callable[[str], None], clock: Callable[[], float] = monotonic) -> Advance:
    """Games played so far, for a log: a line at most every `BEAT` seconds, so that short work says nothing."""
    played, last = 0, clock()

    def advance(count: int) -> None:
        nonlocal played, last
        played += count
        if (now := clock()) - last >= BEAT:
            last = now
            tell(f"{played:,} of {games:,} games played")

    return advance


@contextmanager
def progress_count(what: str) -> Iterator[Advance | None]:
    """How many there are so far, where nobody knows how many there will be; nothing where there is no terminal."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield None
        return
    with console.status("compiling the rules") as status:
        yield lambda count: status.update(f"{count:,} {what} so far …")


def show_summary(summary: Summary) -> RenderableType:
    """Win share by seat with its 95% interval, then the run itself."""
    table = Table("seat", "wins", "share", "95%", title=f"{summary.game}: {summary.games} games of {summary.bot}")
    for column in table.columns[1:]:
        column.justify = "right"
    for seat, wins in enumerate(summary.wins, start=1):
        share = wins / summary.games if summary.games else 0.0
        error = 1.96 * sqrt(share * (1 - share) / summary.games) if summary.games else 0.0
        table.add_row(str(seat), f"{wins:.1f}", f"{share:.2%}", f"±{error:.2%}")
    facts = summary.as_json()
    return Group(
        table,
        Text(f"{facts['decisions']:,} decisions, {facts['mean_length']} a game, in {facts['seconds']:.3f} s"),
        Text(f"{facts['decisions_per_s']:,} decisions/s, engine {summary.engine}, checksum {summary.checksum}"),
    )


@contextmanager
def progress_line() -> Iterator[Report]:
    """What is being measured, on the error output: one line that changes, or a line each where it is no terminal."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda what: console.print(f"measuring {what} …", soft_wrap=True) if what else None
        return
    status = console.status("")

    def report(what: str) -> None:
        """Nothing to report wipes the line, so that a result can take its place."""
        status.update(f"measuring {what} …")
        (status.start if what else status.stop)()

    try:
        yield report
    finally:
        status.stop()


def show_tree(tree: Tree) -> RenderableType:
    """Courses and ends by depth, then the run itself."""
    table = Table("decisions", "courses", "of them ended", title=f"{tree.game}: {tree.seats} seats, seed {tree.seed}")
    for column in table.columns:
        column.justify = "right"
    for depth, courses in enumerate(tree.courses):
        table.add_row(str(depth), f"{courses:,}", f"{tree.ended[depth]:,}" if depth < tree.depth else "")
    return Group(table, Text(f"{sum(tree.courses):,} courses in {tree.seconds:.3f} s, engine {tree.engine}"))


def show_machine(facts: dict[str, Any]) -> RenderableType:
    versions = f"Python {facts['python']}, NumPy {facts['numpy']}, Numba {facts['numba']}"
    return Text(f"{facts['cores']} cores, {facts['cpu']}, {versions}", "bold")


def show_measure(measured: Measure) -> RenderableType:
    """One line: game, name, value, and what is counted."""
    value = f"{measured.value:,.0f}" if measured.value >= 1000 else f"{measured.value:.2f}"
    line = Text.assemble(f"{measured.game:9} {measured.name:18}", (f"{value:>12}", "bold"), f" {measured.unit:12}")
    return line.append(measured.what, "dim")
