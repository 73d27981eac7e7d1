"""The section of docs/benchmarks.md about speed on a GPU, with the goals."""

from __future__ import annotations

from collections.abc import Iterator

from bench.goals import GPU_BILLIONS
from tripot.lab.gpu.benchmark import CHECKED, TABLES, GpuSpeed

METHOD = """\
Written by `tripot bench --gpu`. *Whole games*: uniform players inside kernels, one thread per table, with mask and
pick; nothing is written unless the checksum over {checked} games equals that of the native engine. *Vector
environment*: {tables} tables; each step checks one action at every table, applies it, and writes the action mask and
the packed view of the next seat to move to device memory; tables whose game is over are dealt again. *With pick*: a
second kernel chooses a uniform legal decision. *Floor*: the limit set by memory bandwidth, if the bytes that a step
must move (record in and out, view, mask) move at the speed at which this GPU copies memory: {copy:.2f} TB/s."""


def section(name: str, copy: float, speeds: list[GpuSpeed]) -> str:
    """The section as Markdown; `name` is the GPU, `copy` the bytes a second that it copies."""
    lines = [
        "## On a GPU",
        "",
        METHOD.format(checked=f"{CHECKED:,}", tables=f"{TABLES:,}", copy=copy / 1e12),
        "",
        f"Machine: {name}. Billions of decisions a second:",
        "",
        "| game | seats | whole games | vector environment | with pick | bytes a step | floor | compiling, s |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for s in speeds:
        numbers = f"{s.whole:.2f} | {s.vector:.2f} | {s.vector_with_pick:.2f}"
        lines.append(
            f"| {s.game} | {s.seats} | {numbers} | {s.bytes_a_step:,} | {s.floor:.2f} | {s.compile_seconds:.0f} |"
        )
    return "\n".join([*lines, "", *verdicts(speeds)])


def verdicts(speeds: list[GpuSpeed]) -> Iterator[str]:
    """One line per goal: the speed measured, the speed aimed for, and whether it was reached."""
    for speed in speeds:
        found, goals = (speed.whole, speed.vector), GPU_BILLIONS[speed.game]
        for what, billions, goal in zip(("whole games", "vector environment"), found, goals, strict=True):
            reached = "reached" if billions >= goal else "**not reached**"
            yield f"- {speed.game}, {what}: {billions:.2f} billion a second, goal {goal:g}: {reached}"
