"""The section of docs/benchmarks.md about the web table under load."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

from bench.web.cold import Cold, cold_table
from bench.web.measure import SEATS, Measures, Played

UNLIKE = (
    "The work is not the same, and the differences favour boardgame.io: our decisions are on the disk "
    "(`synchronous = FULL`) before they are confirmed, its matches are in memory and lost with the process; we play a "
    "whole game by its rules, list what each seat may decide and say what each decision does, its game is a few lines "
    "that change about as much. Its load comes from its own client, ours from a lighter one."
)
COLD = (
    "The machine's part of it: the rules and the letters of a decision without sockets, threads and disk, done as "
    "rarely and then one after the other (`python -m bench.web.cold`). What is done rarely finds cold caches."
)
GOAL_MS, GOAL_CPU, GOAL_RATIO, GOAL_BYTES = 30, 0.4, 1.5, 50_000


def section(
    ours: Measures,
    beside: Measures | None,
    missing: str,
    tables: int,
    load: float,
    idle: int,
    fewer: Mapping[int, Played],
    beside_fewer: Mapping[int, Played],
    cold: Mapping[int, Cold],
) -> str:
    """Returns the measurements as Markdown. `fewer` are those with fewer decisions a second."""
    parts = [
        f"`make bench-web`, {datetime.now(UTC):%Y-%m-%d}, on {machine()}; load average before the start: "
        f"{load:.1f}. The load generator runs beside the server on the same cores.",
        goals(ours, beside, tables, idle),
        table(ours, beside, tables),
        missing,
        rates_table(fewer, beside_fewer) if fewer else "",
        f"{COLD}\n\n{cold_table(cold)}" if cold else "",
        notes(ours, beside),
    ]
    return "\n\n".join(part for part in parts if part)


def machine() -> str:
    info = Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if "model name" in line] if info.exists() else []
    cpu = models[0].partition(":")[2].strip() if models else platform.machine()
    return f"{os.cpu_count()} cores of {cpu}, Python {platform.python_version()}, uvicorn {version('uvicorn')}{node()}"


def node() -> str:
    try:
        return (
            ", node " + subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
        )
    except (OSError, subprocess.CalledProcessError):
        return ""


def goals(ours: Measures, beside: Measures | None, tables: int, idle: int) -> str:
    answer = ours.paced.answer
    bytes_each = ours.idle
    most = max(ours.paced.milliseconds, ours.saturated.milliseconds)
    lines = [
        "| goal | measured | |",
        "|---|---|---|",
        f"| {tables:,} tables, {tables * SEATS:,} sockets, a decision a second each: 99% confirmed to all "
        f"{SEATS} seats within {GOAL_MS} ms | 99% of {answer['decisions']:,} within {answer['p99']:.1f} ms, median "
        f"{answer['p50']:.1f} ms, slowest {answer['worst']:.0f} ms | {verdict(answer['p99'] < GOAL_MS)} |",
        f"| at most {GOAL_CPU} ms of processor time a decision at either load | {ours.paced.milliseconds:.2f} ms "
        f"paced, {ours.saturated.milliseconds:.2f} ms at full load | {verdict(most <= GOAL_CPU)} |",
        *(beside_goals(ours, beside, tables) if beside else []),
        f"| an idle table under 50 KB of memory | {bytes_each / 1000:.1f} KB each of {idle:,} | "
        f"{verdict(bytes_each < GOAL_BYTES)} |",
    ]
    return "\n".join(lines)


def beside_goals(ours: Measures, beside: Measures, tables: int) -> list[str]:
    ratio, memory = rate(ours.saturated) / rate(beside.saturated), each(ours, tables)
    return [
        f"| {GOAL_RATIO} times boardgame.io's decisions a second | {ratio:.2f} times | "
        f"{verdict(ratio >= GOAL_RATIO)} |",
        f"| at most its memory for a table with {SEATS} connections | {number(memory)} KB and "
        f"{number(each(beside, tables))} KB | {verdict(memory <= each(beside, tables))} |",
    ]


def verdict(reached: bool) -> str:
    return "reached" if reached else "**not reached**"


def table(ours: Measures, beside: Measures | None, tables: int) -> str:
    """Returns both servers side by side; a ratio above 1 means that ours is better."""
    rows: list[tuple[str, Callable[[Measures], float], bool]] = [
        ("decisions a second at full load", lambda one: rate(one.saturated), True),
        ("the server's CPU time per decision at full load, ms", lambda one: one.saturated.milliseconds, False),
        ("the same at a decision a second, ms", lambda one: one.paced.milliseconds, False),
        ("at a decision a second: median, ms", lambda one: at(one, "p50"), False),
        ("99% within, ms", lambda one: at(one, "p99"), False),
        ("memory of an idle table, KB", lambda one: one.idle / 1000, False),
        (f"memory of a table with {SEATS} connected seats, KB", lambda one: each(one, tables), False),
        ("memory after the load, MB", lambda one: one.saturated.memory / 1e6, False),
        ("memory before the first connection, MB", lambda one: one.empty / 1e6, False),
    ]
    head = "| | Tripot | boardgame.io | ratio |\n|---|---:|---:|---:|"
    told = [row(what, of(ours), None if beside is None else of(beside), more) for what, of, more in rows]
    return "\n".join([head, *told])


def rates_table(rates: Mapping[int, Played], beside: Mapping[int, Played] = MappingProxyType({})) -> str:
    """Our server at several rates: that many tables with a decision a second at each."""
    other = " boardgame.io's, ms |" if beside else ""
    lines = [
        "| decisions a second | the server's CPU time per decision, ms | median, ms | 99% within, ms | of a core |"
        + other,
        "|---:|---:|---:|---:|---:|" + ("---:|" if beside else ""),
    ]
    for rate, played in rates.items():
        took = f"{number(played.answer['p50'])} | {number(played.answer['p99'])}"
        other = f" {beside[rate].milliseconds:.2f} |" if beside else ""
        lines.append(f"| {rate:,} | {played.milliseconds:.2f} | {took} | {played.cpu:.0%} |{other}")
    return "\n".join(lines)


def row(what: str, ours: float, beside: float | None, more_is_better: bool) -> str:
    if beside is None:
        return f"| {what} | {number(ours)} | | |"
    ratio = ours / beside if more_is_better else beside / ours
    return f"| {what} | {number(ours)} | {number(beside)} | {ratio:.2f} |"


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def rate(played: Played) -> float:
    return float(played.answer["per_second"])


def at(measures: Measures, which: str) -> float:
    return float(measures.paced.answer[which])


def each(measures: Measures, tables: int) -> float:
    return (measures.connected - measures.empty) / tables / 1000


def lasted(ours: Measures, beside: Measures | None) -> str:
    took = f"Full load lasted {ours.saturated.answer['seconds']:.1f} s"
    if ours.saturated.answer["finished"]:
        took += ", until the first games were over"
    return took + (f"; boardgame.io's {beside.saturated.answer['seconds']:.1f} s." if beside else ".")


def notes(ours: Measures, beside: Measures | None) -> str:
    cores = f"our server {ours.saturated.cpu:.2f}, its load generator {ours.saturated.generator:.2f}"
    if beside:
        cores += f"; boardgame.io's {beside.saturated.cpu:.2f} and {beside.saturated.generator:.2f}"
    kilobytes, each_decision = number((ours.stored or 0) / 1000), number(ours.logged or 0)
    lines = [
        f"A ratio above 1 is in our favour. {lasted(ours, beside)} Cores used meanwhile: {cores}.",
        f"In the database a table takes {kilobytes} KB before its first decision, and {each_decision} bytes for each "
        f"decision. At a decision a second our event loop was ready and had no core for "
        f"{ours.paced.waited * 1000:.0f} ms of every second.",
        *([str(ours.disk)] if ours.disk else []),
        UNLIKE,
    ]
    return "\n\n".join(lines)
