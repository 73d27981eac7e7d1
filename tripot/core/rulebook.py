"""The rule book of a game: the numbered clauses of the RULES.md beside its texts, in French and English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tripot.core.game import Game
from tripot.core.speech import Phrase

_SECTION = re.compile(r"^## ([A-Z]-\d+) (.+) · (.+)$")
_NUMBERED = re.compile(r"^## [A-Z]-?\d")
_CLAUSE = re.compile(r"^### ([A-Z]-\d+\.\d+) (.+) · (.+) \(([SFRH](?:, [SFRH])*)\)(?: option (.+))?$")


class BadRuleBook(ValueError):
    """A malformed RULES.md; the message names the line."""


@dataclass(frozen=True)
class Clause:
    """One numbered rule."""

    number: str
    title: Phrase
    sources: tuple[str, ...]
    options: tuple[str, ...]
    text: Phrase
    section: Phrase


def rule_book(game: Game) -> dict[str, Clause]:
    """The clauses of a game by number, in the order of its RULES.md; none if it brings no rule book."""
    path = _path(game)
    return _clauses(path) if path.exists() else {}


def option_texts(game: Game) -> dict[str, Phrase]:
    """What each house rule means, from the table at the end of RULES.md."""
    path = _path(game)
    return _options(path) if path.exists() else {}


def _path(game: Game) -> Path:
    return Path(game.text.__file__ or "").parent / "RULES.md"


@cache
def _clauses(path: Path) -> dict[str, Clause]:
    return parse_rules(path.read_text("utf-8"))


@cache
def _options(path: Path) -> dict[str, Phrase]:
    return parse_options(path.read_text("utf-8"))


def parse_options(text: str) -> dict[str, Phrase]:
    """Parses the table of house rules: option, default, clause, English, French."""
    _, _, table = text.partition("## House rules")
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines() if "|" in line]
    for row in rows[2:]:
        if len(row) != 5 or not all(row):
            raise BadRuleBook(f"house rule {row[0]}: needs a default, a clause, English and French")
    return {row[0]: Phrase(row[3], row[4]) for row in rows[2:]}


def parse_rules(text: str) -> dict[str, Clause]:
    """Parses a rule book; raises BadRuleBook if a clause is malformed, repeated, misplaced or lacks a language."""
    book: dict[str, Clause] = {}
    section_number, section, heading, at, body = "", Phrase("", ""), None, 0, list[str]()
    for number, line in enumerate([*text.splitlines(), "## end"], start=1):
        if not line.startswith("#"):
            body.append(line)
            continue
        if heading is not None:
            clause = _clause(heading, body, section)
            if clause.number in book:
                raise BadRuleBook(f"line {at}: clause {clause.number} appears twice")
            if clause.number.partition(".")[0] != section_number:
                raise BadRuleBook(f"line {at}: clause {clause.number} is in section {section_number or 'none'}")
            book[clause.number] = clause
        heading, at, body = None, number, []
        if found := _SECTION.match(line):
            section_number, section = found[1], Phrase(found[2], found[3])
        elif _NUMBERED.match(line):
            raise BadRuleBook(f"line {number}: not a section heading: {line}")
        elif line.startswith("### "):
            heading = _CLAUSE.match(line)
            if heading is None:
                raise BadRuleBook(f"line {number}: not a clause heading: {line}")
    if not book:
        raise BadRuleBook("there are no clauses")
    return book


def _clause(heading: re.Match[str], body: list[str], section: Phrase) -> Clause:
    number, title_en, title_fr, sources, options = heading.groups()
    _, english, rest = "\n".join(body).partition("**en** ")
    en, french, fr = rest.partition("**fr** ")
    if not (english and french and en.strip() and fr.strip()):
        raise BadRuleBook(f"clause {number}: needs a text in English and in French")
    return Clause(
        number,
        Phrase(title_en, title_fr),
        tuple(sources.split(", ")),
        tuple(options.split(", ")) if options else (),
        Phrase(en.strip(), fr.strip()),
        section,
    )
