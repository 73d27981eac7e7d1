"""The curves of a training run as one HTML page: no scripts, no other files. It is written anew as the run goes on."""

from __future__ import annotations

import csv
import math
from html import escape
from pathlib import Path

from tripot.lab.balance.chart import lines
from tripot.lab.training.pool import EVALUATION

PAGE = "curves.html"
CURVES = {  # column of curves.csv: what it says
    "entropy": "Entropy of the policy, in nats: how undecided the player is",
    "value": "Cross-entropy of the critic, in nats",
    "own_value": "Cross-entropy of the player's own value head, in nats",
    "divergence": "Divergence from the policy that played, in nats",
    "length": "Decisions a game",
    "nobody": "Share of games that nobody wins",
}
STYLE = Path(__file__).parent / "curves.css"


def write_page(folder: Path, title: str) -> None:
    """Writes curves.html beside curves.csv and evaluation.csv."""
    curves, matches = rows_of(folder / "curves.csv"), rows_of(folder / EVALUATION)
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{len(curves)} rows of curves.csv, by seconds of training.</p>"]
    pool = sorted({row["opponent"] for row in matches})
    played = [(bot, points([r for r in matches if r["opponent"] == bot], "share_ratio")) for bot in pool]
    if played:
        parts.append(lines(played, "Win share over fair share, alone among each bot of the pool"))
    parts += [lines([("", points(curves, name))], caption) for name, caption in CURVES.items() if points(curves, name)]
    page = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
    page += f"<style>{STYLE.read_text('utf-8')}</style></head>\n<body>{chr(10).join(parts)}</body></html>\n"
    (folder / PAGE).write_text(page, "utf-8")


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines())) if path.exists() else []


def points(rows: list[dict[str, str]], name: str) -> list[tuple[float, float]]:
    """(seconds, value) of every row that has the value."""
    found = [(float(row["seconds"]), float(row[name])) for row in rows if row.get(name)]
    return [(x, y) for x, y in found if not math.isnan(y)]
