"""Results of simulations, measurements and counted trees, as tables for people."""

from __future__ import annotations

from math import sqrt
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tripot.lab.benchmark import Measure
from tripot.lab.gpu.benchmark import GpuSpeed
from tripot.lab.perft import Tree
from tripot.lab.simulate import Summary


def show_summary(summary: Summary) -> RenderableType:
    """Win share by seat with its 95% interval, then figures of the run."""
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


def show_tree(tree: Tree) -> RenderableType:
    """Sequences of decisions and finished games by depth, then figures of the run."""
    table = Table("decisions", "sequences", "finished", title=f"{tree.game}: {tree.seats} seats, seed {tree.seed}")
    for column in table.columns:
        column.justify = "right"
    for depth, count in enumerate(tree.counts):
        table.add_row(str(depth), f"{count:,}", f"{tree.ended[depth]:,}" if depth < tree.depth else "")
    return Group(table, Text(f"{sum(tree.counts):,} sequences in {tree.seconds:.3f} s, engine {tree.engine}"))


def show_machine(facts: dict[str, Any]) -> RenderableType:
    versions = f"Python {facts['python']}, NumPy {facts['numpy']}, Numba {facts['numba']}"
    return Text(f"{facts['cores']} cores, {facts['cpu']}, {versions}", "bold")


def show_measure(measured: Measure) -> RenderableType:
    """One line: game, name, value and what is measured."""
    value = f"{measured.value:,.0f}" if measured.value >= 1000 else f"{measured.value:.2f}"
    line = Text.assemble(f"{measured.game:9} {measured.name:18}", (f"{value:>12}", "bold"), f" {measured.unit:13}")
    return line.append(measured.what, "dim")


def show_gpu_speeds(name: str, speeds: list[GpuSpeed]) -> RenderableType:
    """One row per game, in billions of decisions a second."""
    table = Table("game", "seats", "whole games", "vector environment", "with pick", "memory limit", title=name)
    for column in table.columns[1:]:
        column.justify = "right"
    for speed in speeds:
        billions = (speed.whole, speed.vector, speed.vector_with_pick, speed.floor)
        table.add_row(speed.game, str(speed.seats), *(f"{value:.2f}" for value in billions))
    return Group(table, Text("billions of decisions a second"))
