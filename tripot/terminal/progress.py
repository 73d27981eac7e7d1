"""Progress of long work, on the error output: a bar on a terminal, a few lines in a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tripot.lab.benchmark import Report
from tripot.lab.simulate import Progress as Advance

COMPILING = "compiling the rules (some seconds, once on a machine)"
LOG_INTERVAL = 30.0  # seconds between two lines of progress in a log


@contextmanager
def progress_bar(games: int, what: str = "games played") -> Iterator[Advance]:
    """Shows how much is done: a bar on a terminal, otherwise occasional lines."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield progress_lines(games, lambda line: console.print(line, soft_wrap=True), what=what)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(COMPILING, total=games)
        yield lambda count: bar.update(task, advance=count, description="playing")


def progress_lines(
    games: int, tell: Callable[[str], None], clock: Callable[[], float] = monotonic, what: str = "games played"
) -> Advance:
    """Tells how much is done, at most every LOG_INTERVAL seconds: short work prints nothing."""
    played, last = 0, clock()

    def advance(count: int) -> None:
        nonlocal played, last
        played += count
        if (now := clock()) - last >= LOG_INTERVAL:
            last = now
            tell(f"{played:,} of {games:,} {what}")

    return advance


@contextmanager
def progress_count(what: str) -> Iterator[Advance | None]:
    """Shows a running count when the total is unknown; shows nothing outside a terminal."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield None
        return
    with console.status(COMPILING) as status:
        yield lambda count: status.update(f"{count:,} {what} so far …")


@contextmanager
def progress_line() -> Iterator[Report]:
    """Shows what is being measured: one changing line on a terminal, otherwise one line each."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda what: console.print(f"measuring {what} …", soft_wrap=True) if what else None
        return
    status = console.status("")

    def report(what: str) -> None:
        """An empty report clears the line, so that a result can take its place."""
        status.update(f"measuring {what} …")
        (status.start if what else status.stop)()

    try:
        yield report
    finally:
        status.stop()
