"""The comparison as a section of docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.rivals.ratio import CARD_GAMES, HEARTS, LEDUC, Row, on, ratios, rows, times
from bench.rivals.run import Comparison

METHOD = """\
Written by `tripot bench --peers`. Every program plays random games with uniform players. Each runs in its own process,
pinned to the stated cores; the programs run one after the other, on the same cores, in the same run. The best of three
trials of 0.4 seconds counts; compilation is not timed. On one core, seconds are CPU time of the process; on several
cores they are wall-clock time, which other load affects. A *decision* is one choice of a player; dealing and drawing
(chance nodes) take time but are not counted. *With observation*: before every decision, the observation of the seat to
move is written too.

- **Tripot**: mask, uniform pick and rules in native code, one game at a time; the observation is the view record. One
  thread per core.
- **OpenSpiel**: the same loop in C++ over the library of its wheel, compiled here against the wheel's headers with
  -O3; legal actions as OpenSpiel's list, a cheaper random generator than OpenSpiel's, initial states cloned; the
  observation is its tensor. One thread per core.
- **pgx** under JAX on the CPU, in three ways: batches of whole games until the last one is over; endless play with
  pgx's automatic reset; the same step by step from Python, on one core only. The better of 1,024 and 16,384 tables
  counts. Cards, pay-offs and masks are outputs of the compiled code, so that XLA cannot optimise them away.
- **RLCard** and **PettingZoo**: their own environments from Python; "without observation" is RLCard's bare game. Both
  allow folding when there is no bet to fold to, so their games are shorter."""
LEDUC_HEAD = "Leduc poker, the same game everywhere. *Times* says how many times as fast Tripot is."
HEARTS_HEAD = """\
Hearts, the same game in both: one deal under OpenSpiel's default rules, here as a package of its own,
`examples/hearts`, which a test plays in lock-step with OpenSpiel's. OpenSpiel's observation is its tensor of 5,088
numbers, ours the view record of 178 bytes."""
CARDS_HEAD = "Card games of similar size. *Times* compares the slowest of our three games, without observations."
CAVEATS = """\
- Tripot compiles the rules at the first start of each game, which takes about ten seconds; OpenSpiel is precompiled.
- Tripot has three games, Leduc poker and the example Hearts; OpenSpiel has over a hundred games, pgx about twenty.
- Speeds of different card games compare programs only roughly: rules and lengths differ."""


def section(found: Comparison, machine: dict[str, Any]) -> str:
    """Returns the section as Markdown."""
    programs = sorted({speed.program for speed in found.speeds})
    return "\n\n".join(
        [
            "## Beside other programs",
            METHOD,
            f"Machine: {machine['cores']} cores, {machine['cpu']}{busy(machine)}.",
            f"Versions: {', '.join([*versions(machine), *programs])}.",
            *absent(found),
            LEDUC_HEAD,
            table(rows(found.speeds, LEDUC)),
            HEARTS_HEAD,
            table(rows(found.speeds, HEARTS)),
            CARDS_HEAD,
            table(rows(found.speeds, CARD_GAMES)),
            *others(found),
            "### Goals, and where Tripot is behind",
            "\n".join(verdicts(found)),
            CAVEATS,
        ]
    )


def versions(machine: dict[str, Any]) -> Iterator[str]:
    """The versions of the libraries that the programs run on."""
    for name in ("Python", "NumPy", "Numba", "JAX"):
        if name.lower() in machine:
            yield f"{name} {machine[name.lower()]}"


def busy(machine: dict[str, Any]) -> str:
    return f", load before the run {machine['load']}" if "load" in machine else ""


def absent(found: Comparison) -> Iterator[str]:
    if found.missing:
        yield f"Not installed and not measured: {', '.join(found.missing)}."
    for program, words in found.failed.items():
        yield f"{program} failed: `{words}`"


def others(found: Comparison) -> Iterator[str]:
    rest = rows(found.speeds)
    if rest:
        yield "Other games, for orientation."
        yield table(rest)


def table(lines: list[Row]) -> str:
    head = ["", "game", "how", "cores", "decisions/s", "with observation", "games/s", "times"]
    text = [f"| {' | '.join(head)} |", "|---|---|---|---:|---:|---:|---:|---:|"]
    for row in lines:
        text.append(f"| {' | '.join(cells(row, lines))} |")
    return "\n".join(text)


def cells(row: Row, lines: list[Row]) -> list[str]:
    """A row as text; our own rows have no ratio."""
    faster = times(row, lines)
    numbers = [rate(row.plain), rate(row.seen), rate(row.games), "" if faster is None else f"{faster:.1f}"]
    return [row.program, row.game, row.way, str(row.cores), *numbers]


def rate(value: float | None) -> str:
    """Three significant digits: repeated runs agree on fewer."""
    if value is None:
        return ""
    digits = len(str(round(value)))
    return f"{round(value, 3 - digits):,.0f}"


def verdicts(found: Comparison) -> Iterator[str]:
    """One line per goal, then the comparisons in which other programs are ahead."""
    for ratio in ratios(found.speeds):
        reached = "reached" if ratio.met else "**not reached**"
        yield f"- {ratio.what}: {ratio.times:.1f} times, goal {ratio.goal:g}: {reached}"
    yield from ahead(found)


def ahead(found: Comparison) -> Iterator[str]:
    """Games of other programs that finish more often per second than one of ours."""
    lines = rows(found.speeds, CARD_GAMES)
    for own in (row for row in lines if row.ours):
        better = [row for row in lines if not row.ours and row.cores == own.cores and row.games > own.games]
        if better:
            names = ", ".join(f"{row.game} {rate(row.games)}" for row in better)
            longer = all((own.plain or 0) >= (row.plain or 0) for row in better)
            why = " (its games are longer)" if longer else ""
            yield f"- games/s, {on(own.cores)}: {own.game} {rate(own.games)}, behind {names}{why}"
