"""Renders a page for each game in docs/games: options, actions, state fields and who sees them, encoding, rulings."""

from __future__ import annotations

import dataclasses
import random
from itertools import groupby
from pathlib import Path

from tripot.core.encoding import NEVER, Encoder, Kind
from tripot.core.game import Game, waiting_seats
from tripot.core.layout import SEAT, SEAT_OR_NOBODY, SEAT_SET, Field
from tripot.core.options import as_json
from tripot.core.rulebook import option_texts, rule_book
from tripot.core.speech import BAG, BUILT_IN, outline

GAMES_TRIED = 40
OFTEN = 12  # times that an action was offered before what was always the same counts as its meaning
BY_SLOT = (SEAT, SEAT_OR_NOBODY, SEAT_SET)
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
    texts = option_texts(game)
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
    return [*rows, "", *_actions(game)]


def _actions(game: Game) -> list[str]:
    """Number by number, as random games met it: what was the same each time is filled in."""
    rows = [
        "Number by number, from random games; … stands for what depends on the table.\n",
        "| action | key | meaning |",
        "|---|---|---|",
    ]
    met = _met(game)
    for action, keys in sorted(met.items()):
        for key, seen in sorted(keys.items()):
            rows.append(f"| {action} | `{key}` | {_meaning(game, key, seen)} |")
    unmet = [str(action) for action in range(game.num_actions) if action not in met]
    return [*rows, "", *([f"Never offered in {GAMES_TRIED} games: {', '.join(unmet)}.\n"] if unmet else [])]


Met = dict[int, dict[str, list[tuple[int, ...]]]]  # by action and key, the numbers that went with it, each time


def _met(game: Game) -> Met:
    found: Met = {}
    for number in range(GAMES_TRIED):
        luck, seats = random.Random(number), game.seats[number % len(game.seats)]
        s = game.new_state(game.options(), seats, number)
        while not s.over:
            seat = luck.choice(waiting_seats(s))
            legal, view = game.legal_actions(s, seat), game.layout.observe_plain(s, seat)
            for action in legal:
                key, numbers = game.text.decision(view, action)
                found.setdefault(action, {}).setdefault(key, []).append(tuple(numbers))
            game.apply(s, seat, luck.choice(legal))
    return found


def _meaning(game: Game, key: str, seen: list[tuple[int, ...]]) -> str:
    sentence = game.text.DECISIONS[key]
    known = {}
    for place, (name, table) in enumerate(sentence.holes):
        values = sorted({numbers[place] for numbers in seen})
        if len(values) <= 2 and len(seen) >= OFTEN and not table.endswith(BAG):
            known[name] = " or ".join(_named(game, table, value) for value in values)
    return outline(sentence, known, "en")


def _named(game: Game, table: str, value: int) -> str:
    if table == "seat":
        return f"seat {value}"
    if table in BUILT_IN:
        return str(value + 1 if table == "place" else value)
    return game.text.NAMES[table][value].en


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
    """The columns of both versions of the encoded view."""
    return [*_second_encoding(game), *_first_encoding(game)]


def _second_encoding(game: Game) -> list[str]:
    encoder = Encoder(game)
    widths = ", ".join(f"{Encoder(game, seats).width} for {seats}" for seats in game.seats)
    rows = [
        "## The encoded view, version 2\n",
        "For learning: turned to the seat that sees. `[+0]` is that seat, `[+1]` the next one, and so on"
        f"{', by side where each seat plays its own' if encoder.sides_field else ''}. "
        f"`tripot.core.encoding.Encoder(game)` has {encoder.width} columns for tables of every size; with a number of "
        f"seats {widths}. `Encoder(game, rules=True)` adds the house rules, {Encoder(game, rules=True).width} columns. "
        "A number under *scale* is what counts as 1: about the most that one sensible game in a hundred sees.\n",
        "| columns | value | encoding | meaning |",
        "|---|---|---|---|",
    ]
    for (name, kind), group in groupby(enumerate(encoder.numbered), key=lambda pair: (pair[1][0], pair[1][1])):
        columns = list(group)
        first, last, f = columns[0][0], columns[-1][0], columns[0][1][3]
        span = f"{first}" if first == last else f"{first}-{last}"
        rows.append(f"| {span} | `{name}` | {_how(kind, f, [column[2] for _, column in columns])} | {f.meaning} |")
    return [*rows, ""]


def _how(kind: Kind, f: Field, codes: list[int]) -> str:
    shown = ", ".join("nobody" if code == NEVER else f"+{code}" if f.holds in BY_SLOT else str(code) for code in codes)
    return {
        Kind.AMOUNT: f"scale {f.scale or f.highest}",
        Kind.AT_LEAST: f"at least {shown}",
        Kind.EQUAL: f"is {shown}",
        Kind.GIVEN: f"is {shown}, where `{f.given}` is not 0",
        Kind.MEMBER: f"has {shown}",
    }[kind]


def _first_encoding(game: Game) -> list[str]:
    layout = game.layout
    rows = [
        "## The encoded view, version 1\n",
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
    clauses = [clause for clause in rule_book(game).values() if "R" in clause.sources]
    for section, group in groupby(clauses, key=lambda clause: clause.section.en):
        rows.append(f"- {section}: " + ", ".join(f"{clause.number} ({clause.title.en})" for clause in group))
    return [*rows, ""]
