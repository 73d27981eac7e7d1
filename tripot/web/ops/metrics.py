"""Metrics in the Prometheus text format: https://prometheus.io/docs/instrumenting/exposition_formats/."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

LATENCIES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Histogram:
    """Durations, counted in buckets."""

    def __init__(self, bounds: tuple[float, ...] = LATENCIES) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterable[str]:
        cumulative = 0
        for bound, count in zip((*self.bounds, "+Inf"), self.counts, strict=True):
            cumulative += count
            yield f'{name}_bucket{{le="{bound}"}} {cumulative}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {cumulative}"


class Metrics:
    """Counts since this process started. No metric names a person or a table."""

    def __init__(self) -> None:
        self.decisions: Counter[str] = Counter(person=0, bot=0)  # by who decided
        self.refused: Counter[str] = Counter()  # messages and requests, by reason
        self.decision_seconds = Histogram()  # from a person's message until its decision is stored and confirmed
        self.bot_seconds = Histogram()  # a bot's choice, with its time in the queue


def exposition(metrics: Metrics, gauges: Mapping[str, tuple[str, Mapping[str, float]]], failures: int) -> str:
    """Returns all metrics as text. `gauges` maps a name to its meaning and its values by label (`""`: no label)."""
    lines: list[str] = []
    for name, (meaning, values) in gauges.items():
        lines += [f"# HELP tripot_{name} {meaning}", f"# TYPE tripot_{name} gauge"]
        lines += [f"tripot_{name}{label} {value:g}" for label, value in values.items()]
    lines += _counter("decisions_total", "Decisions stored.", "by", metrics.decisions)
    lines += _counter("refused_total", "Messages and requests refused.", "reason", metrics.refused)
    lines += ["# HELP tripot_database_failures_total Database errors and failed connections."]
    lines += ["# TYPE tripot_database_failures_total counter", f"tripot_database_failures_total {failures}"]
    for name, meaning, histogram in (
        ("decision_seconds", "From a person's decision until it is stored and confirmed.", metrics.decision_seconds),
        ("thought_seconds", "A bot's choice, with its wait for a thread.", metrics.bot_seconds),
    ):
        lines += [f"# HELP tripot_{name} {meaning}", f"# TYPE tripot_{name} histogram"]
        lines += histogram.lines(f"tripot_{name}")
    return "\n".join(lines) + "\n"


def _counter(name: str, meaning: str, label: str, counts: Counter[str]) -> list[str]:
    values = [f'tripot_{name}{{{label}="{key}"}} {count}' for key, count in sorted(counts.items())]
    return [f"# HELP tripot_{name} {meaning}", f"# TYPE tripot_{name} counter", *values]
