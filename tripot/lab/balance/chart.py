"""Charts for reports: inline SVG without scripts, coloured by the page's style sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from zlib import crc32

LABEL, WIDTH = 120, 640  # where the plot begins and ends
ROW, GAP = 15, 14


@dataclass(frozen=True)
class Mark:
    """A value with its interval, drawn as a dot on a line; `colour` is the number of its column."""

    value: float
    low: float
    high: float
    colour: int


def both(en: str, fr: str, tag: str = "span") -> str:
    """A text in both languages; the style sheet shows one of them."""
    if en == fr:
        return escape(en)
    return f'<{tag} class="en" lang="en">{escape(en)}</{tag}><{tag} class="fr" lang="fr">{escape(fr)}</{tag}>'


def number(value: float, digits: int = 2, tag: str = "span", sign: str = "") -> str:
    """A number in the notation of both languages."""
    text = f"{value:.{digits}f}{sign}"
    french = text.replace(".", ",").replace("%", "\u202f%")
    return both(text, french, tag)


def scale(low: float, high: float, start: float, end: float) -> tuple[float, float]:
    """(factor, shift) that map `low` to `start` and `high` to `end`."""
    factor = (end - start) / max(high - low, 1e-9)
    return factor, start - factor * low


def ticks(low: float, high: float) -> list[float]:
    """Four to nine round values from low to high."""
    step = 1.0
    for step in [factor * 10.0**power for power in range(-3, 6) for factor in (1, 2, 5)]:
        if (high - low) / step <= 8:
            break
    first = int(low / step) - 1
    return [n * step for n in range(first, first + 12) if low <= n * step <= high]


def forest(rows: Sequence[tuple[str, Sequence[Mark]]], caption: str) -> str:
    """A forest plot around the fair share, which is 1. Labels are already escaped."""
    marks = [mark for _, found in rows for mark in found]
    low, high = min([0.8, *(m.low for m in marks)]), max([1.2, *(m.high for m in marks)])
    factor, shift = scale(low, high, LABEL, WIDTH)
    parts, top = [], 16.0
    for label, found in rows:
        height = ROW * max(len(found), 1) + GAP
        parts.append(f'<text x="0" y="{top + height / 2 + 5:.0f}">{label}</text>')
        for place, mark in enumerate(found):
            parts.append(dot(mark, top + GAP / 2 + ROW * (place + 0.5), factor, shift))
        top += height
    lines = [_tick(factor * tick + shift, top, f"{tick:g}", "fair" if abs(tick - 1) < 1e-9 else "grid")
             for tick in ticks(low, high)]  # fmt: skip
    return _figure(WIDTH + 20, top + 24, lines + parts, caption)


def dot(mark: Mark, y: float, factor: float, shift: float) -> str:
    low, high, at = (factor * value + shift for value in (mark.low, mark.high, mark.value))
    line = f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return f'<g class="m{mark.colour % 6}">{line}<circle class="dot" cx="{at:.1f}" cy="{y:.1f}" r="4"/></g>'


def spark(mark: Mark, other: float | None, low: float, high: float) -> str:
    """One dot with its interval, small enough for a table cell; a ring marks `other`."""
    factor, shift = scale(low, high, 4, 136)
    ends = Mark(mark.value, max(mark.low, low), min(mark.high, high), mark.colour)
    fair = factor + shift
    parts = [f'<line class="fair" x1="{fair:.1f}" x2="{fair:.1f}" y1="0" y2="18"/>']
    if other is not None:
        at = factor * min(max(other, low), high) + shift
        parts.append(f'<g class="m{mark.colour % 6}"><circle class="ring" cx="{at:.1f}" cy="9" r="3.5"/></g>')
    parts.append(dot(ends, 9, factor, shift))
    return f'<svg class="spark" viewBox="0 0 140 18" aria-hidden="true">{"".join(parts)}</svg>'


def histogram(spread: Mapping[int, int], colour: int, low: int, high: int, caption: str) -> str:
    """How often each value occurred; many values are grouped into bins."""
    width = max(1, -(-(high - low + 1) // 40))
    bins = [0] * ((high - low) // width + 1)
    for value, count in spread.items():
        bins[(value - low) // width] += count
    total, most = sum(bins) or 1, max(bins) or 1
    each, tall, floor = 600 / len(bins), 110.0, 130.0
    parts = [f'<line class="grid" x1="20" x2="620" y1="{floor}" y2="{floor}"/>']
    for place, count in enumerate(bins):
        height = tall * count / most
        left = 20 + place * each
        size = f'width="{max(each - 2, 1):.1f}" height="{height:.1f}"'
        parts.append(f'<rect class="bar" x="{left + 1:.1f}" y="{floor - height:.1f}" {size}/>')
        if place % max(1, len(bins) // 8) == 0:
            label = str(low + place * width)
            parts.append(f'<text class="quiet" text-anchor="middle" x="{left + each / 2:.1f}" y="147">{label}</text>')
    share = number(100 * most / total, 0, "tspan", "%")
    parts.append(f'<text class="quiet" x="20" y="12">{share}</text>')
    return _figure(640, 154, [f'<g class="m{colour % 6}">', *parts, "</g>"], caption)


def lines(series: Sequence[tuple[str, Sequence[tuple[float, float]]]], caption: str) -> str:
    """Curves over one axis, each with its name at its end. Points are (x, y)."""
    across = [x for _, points in series for x, _ in points]
    values = [y for _, points in series for _, y in points]
    low, high = min(0.0, *values, 0.0), max([*values, 1e-9])
    factor, shift = scale(min(across), max(across), 44, WIDTH - 60)
    rise, floor = scale(low, high, 170, 14)
    parts = []
    for tick in ticks(low, high):
        y = rise * tick + floor
        parts.append(f'<line class="grid" x1="44" x2="{WIDTH - 60}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="quiet" text-anchor="end" x="38" y="{y + 4:.1f}">{tick:g}</text>')
    for tick in ticks(min(across), max(across)):
        at = factor * tick + shift
        parts.append(f'<text class="quiet" text-anchor="middle" x="{at:.1f}" y="188">{tick:g}</text>')
    for colour, (name, points) in enumerate(series):
        path = " ".join(f"{factor * x + shift:.1f},{rise * y + floor:.1f}" for x, y in points)
        end = rise * points[-1][1] + floor + 4
        label = f'<text x="{WIDTH - 54}" y="{end:.1f}">{escape(name)}</text>'
        parts.append(f'<g class="m{colour % 6}"><polyline points="{path}"/>{label}</g>')
    return _figure(WIDTH + 20, 196, parts, caption)


def _tick(x: float, bottom: float, label: str, kind: str) -> str:
    text = both(label, label.replace(".", ","), "tspan")
    return (
        f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="10" y2="{bottom:.0f}"/>'
        f'<text class="quiet" text-anchor="middle" x="{x:.1f}" y="{bottom + 16:.0f}">{text}</text>'
    )


def _figure(width: float, height: float, parts: Sequence[str], caption: str) -> str:
    name = f"c{crc32(caption.encode())}"
    picture = f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-labelledby="{name}">'
    return f'<figure>{picture}{"".join(parts)}</svg><figcaption id="{name}">{caption}</figcaption></figure>'
