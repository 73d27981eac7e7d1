"""Prints the rule book: all of it, a section or one clause."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from tripot.core.game import Game
from tripot.core.rule_search import search
from tripot.core.rulebook import Clause, option_texts, rule_book
from tripot.core.speech import Phrase

SOURCES = {
    "S": Phrase("rule sheet", "feuille de règles"),
    "F": Phrase("public reviews and answers", "critiques et réponses publiques"),
    "R": Phrase("our ruling", "notre décision"),
    "H": Phrase("our own card", "carte de notre cru"),
}
SOURCE = Phrase("Source: {names}", "Source : {names}")
NOTHING_FOUND = Phrase("No rule found.", "Aucune règle trouvée.")
HOUSE_RULE = Phrase("House rule {name}: {meaning}", "Règle maison {name} : {meaning}")


class NoSuchClause(LookupError):
    """The number is neither a clause nor a section."""


def sections(game: Game) -> dict[str, list[Clause]]:
    """Returns the clauses by section number, such as V-2."""
    found: dict[str, list[Clause]] = {}
    for clause in rule_book(game).values():
        found.setdefault(clause.number.partition(".")[0], []).append(clause)
    return found


def find_clauses(game: Game, number: str) -> list[Clause]:
    """Returns one clause, or all clauses of a section; the game's letter is optional."""
    by_section = sections(game)
    letter = next(iter(by_section)).partition("-")[0]
    full = number.strip().upper()
    full = full if full.startswith(f"{letter}-") else f"{letter}-{full}"
    if full in by_section:
        return by_section[full]
    if full in rule_book(game):
        return [rule_book(game)[full]]
    raise NoSuchClause(full)


def show_clauses(game: Game, clauses: Iterable[Clause], lang: str) -> RenderableType:
    """Clauses in full, under the headings of their sections."""
    parts: list[RenderableType] = []
    section = None
    for clause in clauses:
        if clause.section != section:
            section = clause.section
            number = clause.number.partition(".")[0]
            parts += [Text(f"{number} {section(lang)}", "bold underline"), Text()]
        parts.append(show_clause(game, clause, lang))
    return Group(*parts)


def show_answers(game: Game, question: str, lang: str) -> RenderableType:
    """The clauses that answer a question, the best first."""
    found = search(game, question, lang)
    return Group(*(show_clause(game, clause, lang) for clause in found)) if found else Text(NOTHING_FOUND(lang))


def show_clause(game: Game, clause: Clause, lang: str) -> RenderableType:
    """One clause: number, title, text, sources and house rules."""
    notes = [SOURCE(lang).format(names=", ".join(SOURCES[source](lang) for source in clause.sources))]
    for option in clause.options:
        notes.append(HOUSE_RULE(lang).format(name=option, meaning=option_texts(game)[option](lang)))
    return Group(
        Text.assemble((clause.number, "bold cyan"), " ", (clause.title(lang), "bold")),
        Padding(Markdown(clause.text(lang)), (0, 0, 0, 2)),
        *[Padding(Text(note, "dim"), (0, 0, 0, 2)) for note in notes],
        Text(),
    )


def show_contents(game: Game, lang: str) -> RenderableType:
    """Numbers and titles only."""
    lines = []
    for number, clauses in sections(game).items():
        lines.append(Text(f"{number} {clauses[0].section(lang)}", "bold"))
        lines += [Text(f"  {clause.number} {clause.title(lang)}") for clause in clauses]
    return Group(*lines)
