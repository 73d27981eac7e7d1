"""The rule book of a game: the numbered clauses of its RULES.md, in French and English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tripot.core.speech import Phrase

GAMES_FOLDER = Path(__file__).parent.parent / "games"
_SECTION = re.compile(r"^## ([A-Z]-\d+) (.+) · (.+)$")
_CLAUSE = re.compile(r"^### ([A-Z]-\d+\.\d+) (.+) · (.+) \(([SFRH](?:, [SFRH])*)\)(?: option (.+))?$")


class BadRuleBook(ValueError):
    """A RULES.md that does not keep to its form; the message names the line."""


@dataclass(frozen=True)
class Clause:
    """One numbered rule."""

    number: str
    title: Phrase
    sources: tuple[str, ...]
    options: tuple[str, ...]
    text: Phrase
    section: Phrase


@cache
def rule_book(game: str) -> dict[str, Clause]:
    """The clauses of a game by number, in the order of its RULES.md."""
    return parse_rules((GAMES_FOLDER / game / "RULES.md").read_text("utf-8"))


@cache
def option_texts(game: str) -> dict[str, Phrase]:
    """What each house rule means, from the table at the end of RULES.md."""
    _, _, table = (GAMES_FOLDER / game / "RULES.md").read_text("utf-8").partition("## House rules")
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines() if "|" in line]
    return {row[0]: Phrase(row[3], row[4]) for row in rows[2:]}


def parse_rules(text: str) -> dict[str, Clause]:
    """Read a rule book; raises BadRuleBook where a clause is malformed, doubled or lacks a language."""
    book: dict[str, Clause] = {}
    section, heading, body = Phrase("", ""), None, list[str]()
    for number, line in enumerate([*text.splitlines(), "## end"], start=1):
        if not line.startswith("#"):
            body.append(line)
            continue
        if heading is not None:
            clause = _clause(heading, body, section)
            if clause.number in book:
                raise BadRuleBook(f"line {number}: clause {clause.number} stands twice")
            book[clause.number] = clause
        heading, body = None, []
        if found := _SECTION.match(line):
            section = Phrase(found[2], found[3])
        elif line.startswith("### "):
            heading = _CLAUSE.match(line)
            if heading is None:
                raise BadRuleBook(f"line {number}: not a clause heading: {line}")
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
