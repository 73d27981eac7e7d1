"""The comparison as a section of docs/benchmarks.md, which other programs write other sections of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.rivals.ratio import CARD_GAMES, LEDUC, Row, on, ratios, rows, times
from bench.rivals.run import Comparison

HEADING = "# Benchmarks\n\nMeasured, not promised: every section is written by the command it names.\n"
METHOD = """\
Written by `tripot bench --peers`. Every program plays random games of uniform players, in a process of its own that is
held to the cores named: one after the other, on the same cores, in the same run. Of three tries of 0.4 seconds the best
counts; what is compiled is compiled before. On one core seconds are those of the processor, as the process used it; on
several they are those of the clock, and other load shows. A *decision* is one choice of a player; dealing and drawing
(chance nodes) are done but not counted. *With observation*: before every decision what the mover sees is written too.

- **Tripot**: mask, uniform pick, rules, in native code, one game at a time; the observation is the view record. On
  several cores a thread each.
- **OpenSpiel**: the same loop in C++ over the library of its wheel, compiled here against the wheel's headers with -O3;
  legal actions as its list, a cheaper generator than its own, initial states cloned; the observation is its tensor. On
  several cores a thread each.
- **pgx** under JAX on the CPU, three ways: batches of whole games until the last is over; endless play with its
  automatic reset; the same step by step from Python, on one core only. The better of 1,024 and 16,384 tables. Cards,
  pay-offs and masks leave the compiled code, so that XLA cannot leave them out.
- **RLCard** and **PettingZoo**: their own environments from Python; "without observation" is RLCard's bare game. Both
  allow folding where there is nothing to fold to, so their games are shorter."""
LEDUC_HEAD = "Leduc poker, the same game everywhere. *Times* says how many times as fast Tripot is."
CARDS_HEAD = "Card games of like size. *Times* compares the slowest of our three games, without observations."
CAVEATS = """\
- Tripot's rules must be compiled at the first start of each game, for ten seconds or so; OpenSpiel's need not.
- Tripot has three games and a yardstick; OpenSpiel has over a hundred, pgx some twenty.
- Speeds of different card games compare programs only roughly: rules and lengths differ."""


def section(found: Comparison, machine: dict[str, Any]) -> str:
    """The whole section as Markdown."""
    peers = sorted({speed.program for speed in found.speeds})
    return "\n\n".join(
        [
            "## Beside other programs",
            METHOD,
            f"Machine: {machine['cores']} cores, {machine['cpu']}{busy(machine)}.",
            f"Versions: {', '.join([*under(machine), *peers])}.",
            *absent(found),
            LEDUC_HEAD,
            table(rows(found.speeds, LEDUC)),
            CARDS_HEAD,
            table(rows(found.speeds, CARD_GAMES)),
            *others(found),
            "### What was wanted, and where Tripot is behind",
            "\n".join(verdicts(found)),
            CAVEATS,
        ]
    )


def under(machine: dict[str, Any]) -> Iterator[str]:
    """The versions of what the programs stand on."""
    for name in ("Python", "NumPy", "Numba", "JAX"):
        if name.lower() in machine:
            yield f"{name} {machine[name.lower()]}"


def busy(machine: dict[str, Any]) -> str:
    return f", load before the run {machine['load']}" if "load" in machine else ""


def absent(found: Comparison) -> Iterator[str]:
    if found.missing:
        yield f"Not installed, and so not measured: {', '.join(found.missing)}."
    for program, words in found.failed.items():
        yield f"{program} broke: `{words}`"


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
    """A row as text; our own are the measure of the others."""
    faster = times(row, lines)
    numbers = [rate(row.plain), rate(row.seen), rate(row.games), "" if faster is None else f"{faster:.1f}"]
    return [row.program, row.game, row.way, str(row.cores), *numbers]


def rate(value: float | None) -> str:
    """Three digits are more than a machine repeats."""
    if value is None:
        return ""
    digits = len(str(round(value)))
    return f"{round(value, 3 - digits):,.0f}"


def verdicts(found: Comparison) -> Iterator[str]:
    """One line for every comparison asked for, then those in which others are ahead."""
    for ratio in ratios(found.speeds):
        reached = "reached" if ratio.met else "**not reached**"
        yield f"- {ratio.what}: {ratio.times:.1f} times, wanted {ratio.wanted:g}: {reached}"
    yield from ahead(found)


def ahead(found: Comparison) -> Iterator[str]:
    """Where others finish more games a second than one of ours does."""
    lines = rows(found.speeds, CARD_GAMES)
    for own in (row for row in lines if row.ours):
        better = [row for row in lines if not row.ours and row.cores == own.cores and row.games > own.games]
        if better:
            names = ", ".join(f"{row.game} {rate(row.games)}" for row in better)
            longer = all((own.plain or 0) >= (row.plain or 0) for row in better)
            why = " (its games are longer)" if longer else ""
            yield f"- games/s, {on(own.cores)}: {own.game} {rate(own.games)}, behind {names}{why}"


def put_section(page: str, name: str, body: str) -> str:
    """The page with this section in the place of the one of the same name; other sections stay as they are.

    >>> put_section("# Page\\n\\n<!-- a -->\\nold\\n<!-- /a -->\\nrest\\n", "a", "new")
    '# Page\\n\\n<!-- a -->\\nnew\\n<!-- /a -->\\nrest\\n'
    """
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if start in page and end in page.partition(start)[2]:
        before, _, rest = page.partition(start)
        return f"{before}{start}\n{body}\n{end}{rest.partition(end)[2]}"
    return f"{page or HEADING}\n{start}\n{body}\n{end}\n"
