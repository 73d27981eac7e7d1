"""Renders a page for each game in docs/games: options, actions, state fields and who sees them, encoding, rulings."""

from __future__ import annotations

import dataclasses
from itertools import groupby
from pathlib import Path

from tripot.core.game import Game
from tripot.core.layout import Field
from tripot.core.options import as_json
from tripot.core.rulebook import option_texts, rule_book

FOLDER = Path(__file__).parent.parent / "docs" / "games"


def page_path(game: Game) -> Path:
    return FOLDER / f"{game.name}.md"


def render_page(game: Game) -> str:
    """Returns the whole page. `make regen` writes it; a test checks that it is up to date."""
    title, seats = game.text.TITLE.en, _seats(game)
    parts = [
        f"# {title} for programs\n",
        f"{game.text.TAGLINE.en}. {seats} seats, rules version {game.rules_version}. "
        f"The rules for people are in [RULES.md](../../tripot/games/{game.name}/RULES.md). "
        "`make regen` writes this page.\n",
        *_options(game),
        *_decisions(game),
        *_state(game),
        *_encoding(game),
        *_rulings(game),
    ]
    return "\n".join(parts)


def _seats(game: Game) -> str:
    first, last = game.seats[0], game.seats[-1]
    return f"{first} to {last}" if last - first > 1 else " or ".join(map(str, game.seats))


def _options(game: Game) -> list[str]:
    rows = ["## House rules\n", "| option | default | clause | meaning |", "|---|---|---|---|"]
    texts = option_texts(game.name)
    for f in dataclasses.fields(game.options):
        default = f.metadata["names"](f.default).name.lower() if f.metadata["names"] else f.default
        shown = "the table of the clause" if isinstance(default, tuple) else default
        rows.append(f"| `{f.name}` | {shown} | {f.metadata['clause']} | {texts[f.name].en} |")
    assert as_json(game.options()) == {}
    return [*rows, ""]


def _decisions(game: Game) -> list[str]:
    rows = [
        "## Decisions\n",
        f"An action is a number from 0 to {game.num_actions - 1}; `actions.py` names them. Their kinds:\n",
        "| key | clause | sentence |",
        "|---|---|---|",
    ]
    rows += [f"| `{key}` | {said.clause} | {said.en} |" for key, said in game.text.DECISIONS.items()]
    return [*rows, ""]


def _shape(f: Field) -> str:
    return " × ".join(map(str, f.shape)) or "1"


def _state(game: Game) -> list[str]:
    layout = game.layout
    rows = [
        "## The state\n",
        f"A state takes {layout.state.dtype.itemsize} bytes, a view {layout.view.dtype.itemsize}.\n",
        "| field | shape | highest | seen by | meaning |",
        "|---|---|---|---|---|",
    ]
    rows += [f"| `{f.name}` | {_shape(f)} | {f.highest} | {f.sight.value} | {f.meaning} |" for f in layout.state.fields]
    return [*rows, ""]


def _encoding(game: Game) -> list[str]:
    """The columns of the encoded view, one row per field."""
    layout = game.layout
    rows = [
        "## The encoded view\n",
        f"`layout.encode(views)` returns {len(layout.encoding)} numbers from 0 to 1 for each view. "
        "`layout.encoding` describes every column. By field:\n",
        "| columns | field | encoding |",
        "|---|---|---|",
    ]
    at = 0
    for f in layout.view.fields:
        width = f.size * (f.highest + 1 if f.codes else 1)
        how = f"one column for each of {f.highest + 1} values" if f.codes else f"divided by {f.highest}"
        rows.append(f"| {at}-{at + width - 1} | `{f.name}` | {how} |")
        at += width
    return [*rows, ""]


def _rulings(game: Game) -> list[str]:
    rows = ["## Rulings: where the printed sheet is silent or contradicts itself\n"]
    clauses = [clause for clause in rule_book(game.name).values() if "R" in clause.sources]
    for section, group in groupby(clauses, key=lambda clause: clause.section.en):
        rows.append(f"- {section}: " + ", ".join(f"{clause.number} ({clause.title.en})" for clause in group))
    return [*rows, ""]
