"""A page for every game in docs/games: options, decisions, the state with who sees what, the encoded view, rulings."""

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
    """The whole page; written by `make regen`, held up to date by a test."""
    title, seats = game.text.TITLE.en, " or ".join(map(str, game.seats))
    parts = [
        f"# {title} for programs\n",
        f"{game.text.TAGLINE.en}. {seats} seats, rules version {game.rules_version}; "
        f"the rules for people are in [RULES.md](../../tripot/games/{game.name}/RULES.md). "
        "This page is written by `make regen`.\n",
        *_options(game),
        *_decisions(game),
        *_state(game),
        *_encoding(game),
        *_rulings(game),
    ]
    return "\n".join(parts)


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
        f"Numbers from 0 to {game.num_actions - 1}; `actions.py` names them. What they can be:\n",
        "| key | clause | says |",
        "|---|---|---|",
    ]
    rows += [f"| `{key}` | {said.clause} | {said.en} |" for key, said in game.text.DECISIONS.items()]
    return [*rows, ""]


def _shape(f: Field) -> str:
    return " × ".join(map(str, f.shape)) or "one"


def _state(game: Game) -> list[str]:
    layout = game.layout
    rows = [
        "## The state\n",
        f"{layout.state.dtype.itemsize} bytes; a view of it takes {layout.view.dtype.itemsize}.\n",
        "| field | numbers | highest | seen by | meaning |",
        "|---|---|---|---|---|",
    ]
    rows += [f"| `{f.name}` | {_shape(f)} | {f.highest} | {f.sight.value} | {f.meaning} |" for f in layout.state.fields]
    return [*rows, ""]


def _encoding(game: Game) -> list[str]:
    """Columns of the encoded view, one row a field."""
    layout = game.layout
    rows = [
        "## The encoded view\n",
        f"`layout.encode(views)` gives {len(layout.encoding)} numbers from 0 to 1. "
        "`layout.encoding` says what every single one means; by field:\n",
        "| columns | field | how |",
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
    rows = ["## Where the printed sheet is silent or of two minds\n"]
    clauses = [clause for clause in rule_book(game.name).values() if "R" in clause.sources]
    for section, group in groupby(clauses, key=lambda clause: clause.section.en):
        rows.append(f"- {section}: " + ", ".join(f"{clause.number} ({clause.title.en})" for clause in group))
    return [*rows, ""]
