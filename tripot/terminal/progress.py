"""Progress of long work, on the error output: a bar on a terminal, a few lines in a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tripot.lab.benchmark import Report
from tripot.lab.simulate import Progress as Advance

BEAT = 30.0  # seconds between two lines of progress in a log


@contextmanager
def progress_bar(games: int) -> Iterator[Advance]:
    """Games played so far, on the error output: a bar, or a line now and then where it is no terminal."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield progress_lines(games, lambda line: console.print(line, soft_wrap=True))
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("compiling the rules", total=games)
        yield lambda count: bar.update(task, advance=count, description="playing")


def progress_lines(games: int, tell: Callable[[str], None], clock: Callable[[], float] = monotonic) -> Advance:
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
