"""French and English are complete: every phase, every piece of news and every decision has a sentence in both."""

import importlib
import json
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import tripot
import tripot.terminal
from tests.cases import Case, every_game, real_cases, real_tables
from tripot.core.game import Game
from tripot.core.rulebook import rule_book
from tripot.core.speech import LANGUAGES, Phrase
from tripot.table.refusal import Reason
from tripot.terminal.text import COMMANDS
from tripot.testing import texts
from tripot.web.ops.errors import ErrorCode

PACKAGE = Path(tripot.__file__).parent
NUMBER = re.compile(r"\b([A-Z]-\d+)(\.\d+)?\b")


# --- How people write at the table: faults that a pattern can find, by language ---

ONE_EN = "card|point|treasure|copper|office|choice|turn|round|player|decision|seat"
ONE_FR = "carte|point|Trésor|voleur|Comptoir|pièce|tour|joueur|décision|place"
FAULTS = {
    "en": {
        "a space before a mark": r"\s[:;!,.]|\s\?(?! \d)",  # the terminal's command is written ? 3
        "no space after a mark": r"[,;:](?=[^\s\d])",
        "a for an": r"(?i)\ba (?=[aeio]|un(?!i)|8|1[18]\b)",
        "an for a": r"\b[Aa]n (?![aeiouAEIOU8]|1[18]\b|[FHLMNRSX][A-Z])",
        "the plural of one": rf"(?<![\d.])\b1 (?:{ONE_EN.replace('|', 's|')}s|thieves)\b",
        "the singular of many": rf"(?<![\d.])\b(?:[02-9]|\d\d+) (?:{ONE_EN}|thief)\b",
        "he for a player": r"(?i)\b(?:he|him|his|himself|she|her)\b",
        "an article twice": r"(?i)\b(?:a|an|the) (?:a|an|the)\b",
    },
    "fr": {
        "no space before a double mark": r"[^\s«][:;!?»]",
        "a space before a simple mark": r"\s[,.]",
        "no space after a mark": r"[,;:](?=[^\s\d])",
        "no space inside quotation marks": r"«\S",
        "a straight quotation mark": r'"',
        "no elision": r"(?i)\b(?:de|le|la|que|ne|se|me|je|ce) (?=[aàâeéèêiîouûœ](?!nze|ui))",
        "no contraction": r"\b(?:de|à) (?:le|les) (?=[A-ZÉ])",
        "the plural of one": rf"(?<![\d.,])\b[01] (?:{ONE_FR.replace('|', 's|')}s)\b",
        "the singular of many": rf"(?<![\d.,])\b(?:[2-9]|\d\d+) (?:{ONE_FR})\b",
        "an article twice": r"(?i)\b(?:un|une|le|la|les|des) (?:un|une|le|la|les)\b",
    },
}


def faults_of(text: str, lang: str) -> list[str]:
    """Names what is wrong with a sentence; clauses and numbers such as 0.43 are no faults."""
    return [f"{fault}: {text!r}" for fault, pattern in FAULTS[lang].items() if re.search(pattern, text)]


ARTICLE = re.compile(r"(?:^|\b(?:un|une|le|la|les|des|du|au|aux|votre|en tant que) |['’(]|× )$", re.IGNORECASE)


def bare_names(text: str, game: Game) -> list[str]:
    """Names that a French sentence says without an article, of those for which the game has one."""
    tables = [table for table in game.text.NAMES if f"the_{table}" in game.text.NAMES]
    bare = []
    for table in tables:
        for name, with_article in zip(game.text.NAMES[table], game.text.NAMES[f"the_{table}"], strict=True):
            if with_article.fr.removesuffix(name.fr) in ("le ", "la ", "les ", "l'"):
                for found in re.finditer(rf"(?<![\w'’-]){re.escape(name.fr)}(?![\w-])", text):
                    if not ARTICLE.search(text[: found.start()]):
                        bare.append(f"no article before {name.fr}: {text!r}")
    return bare


@pytest.mark.parametrize(
    ("lang", "wrong", "right"),
    [
        ("en", "North adds a 8", "North adds an 8"),
        ("en", "a 18 and an axe, a unit", "an 18 and an axe, a unit"),
        ("en", "Light or dark : dark", "Light or dark: dark"),
        ("en", "1 choices", "1 choice"),
        ("en", "2 card", "2 cards"),
        ("en", "draws a card of his deck", "draws a card from their deck"),
        ("en", "an helmet", "a helmet"),
        ("fr", "quelle carte?", "quelle carte ?"),
        ("fr", "un lot de armures", "un lot d'armures"),
        ("fr", "la main de le Voleur", "la main du Voleur"),
        ("fr", "1 cartes", "1 carte"),
        ("fr", "3 Trésor", "3 Trésors"),
        ("fr", "le Aigle", "l'Aigle"),
    ],
)
def test_the_patterns_find_what_they_are_for(lang: str, wrong: str, right: str) -> None:
    assert faults_of(wrong, lang) and not faults_of(right, lang)


def test_a_name_without_its_article_is_found() -> None:
    game = tripot.GAMES["trieste"]
    assert bare_names("Le Gardien révèle Patrouilleur", game) and not bare_names(
        "Le Gardien révèle un Patrouilleur", game
    )
    assert not bare_names("Le Gardien pioche Comme d'habitude", game)


@every_game
def test_every_phase_has_a_question_and_every_kind_of_news_a_sentence(game: Game) -> None:
    phases = importlib.import_module(f"tripot.games.{game.name}.state").Phase
    news = importlib.import_module(f"tripot.games.{game.name}.actions").News
    assert set(game.text.QUESTIONS) == set(phases) - {phases.NONE}
    assert set(game.text.NEWS) == set(news) - {news.NONE}


@every_game
def test_names_are_given_in_both_languages(game: Game) -> None:
    assert len(game.text.SEATS) == max(game.seats)
    texts.names_are_in_both_languages(game)


@every_game
def test_sentences_have_the_same_placeholders_in_both_languages_and_declare_them(game: Game) -> None:
    texts.placeholders_are_the_same(game)


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_can_be_said_with_every_number_it_may_get(game: Game, lang: str) -> None:
    texts.every_sentence_can_be_said(game, lang, faults_of)


@real_cases
def test_all_news_of_random_games_can_be_told(case: Case) -> None:
    def judge(text: str, lang: str) -> list[str]:
        return faults_of(text, lang) + (bare_names(text, case.game) if lang == "fr" else [])

    heard = texts.news_can_be_told(case, judge)
    assert len(heard) > len(case.game.text.NEWS) // 3


@real_tables
def test_all_decisions_offered_can_be_said_and_told_apart(case: Case) -> None:
    texts.decisions_can_be_told_apart(case, faults_of)


@every_game
def test_every_clause_cited_by_a_sentence_is_in_the_rule_book(game: Game) -> None:
    assert rule_book(game)
    texts.cited_clauses_exist(game)


@every_game
def test_every_clause_cited_in_the_code_is_in_the_rule_book(game: Game) -> None:
    book = rule_book(game)
    sections = {number.partition(".")[0] for number in book}
    count = 0
    files = [*(PACKAGE / "games" / game.name).glob("*.py"), *(PACKAGE / "bots" / "sensible").glob(f"{game.name}.py")]
    for path in files:
        for line_number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            for section, clause in NUMBER.findall(line):
                known = section + clause in book if clause else section in sections
                assert known, f"{path.name} line {line_number} cites {section}{clause}"
                count += 1
    assert count > len(book) // 2


# --- What page, terminal and server say by themselves ---

PAGE_WORD = re.compile(r'^  (\w+): (\["(?:[^"\\]|\\.)*", "(?:[^"\\]|\\.)*"\]),', re.MULTILINE)
PAGE_PHRASE = re.compile(r'\{ en: ("(?:[^"\\]|\\.)*"), fr: ("(?:[^"\\]|\\.)*") \}')
PLURAL = re.compile(r"\{\w+\|[^|}]*\|([^|}]*)\}")


def page_phrases() -> Iterator[tuple[str, Phrase]]:
    page = PACKAGE / "web" / "page"
    for name, pair in PAGE_WORD.findall((page / "text" / "words.js").read_text("utf-8")):
        yield f"words.js {name}", Phrase(*json.loads(pair))
    for path in sorted(page.rglob("*.js")):
        if "vendor" not in path.parts:
            for en, fr in PAGE_PHRASE.findall(path.read_text("utf-8")):
                yield path.name, Phrase(json.loads(en), json.loads(fr))


def phrases_in(value: Any, where: str) -> Iterator[tuple[str, Phrase]]:
    """Yields every phrase inside a table."""
    if isinstance(value, Phrase):
        yield where, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from phrases_in(item, f"{where} {key}")
    elif isinstance(value, tuple | list):
        for item in value:
            yield from phrases_in(item, where)


def program_phrases() -> Iterator[tuple[str, Phrase]]:
    for info in pkgutil.iter_modules(tripot.terminal.__path__, "tripot.terminal."):
        for name, value in vars(importlib.import_module(info.name)).items():
            yield from phrases_in(value, f"{info.name} {name}")
    for command in COMMANDS:
        yield "a command", command.help
    for error in ErrorCode:
        yield error.name, error.value.text
    for reason in Reason:
        yield reason.name, reason.value
    for game in tripot.GAMES.values():
        for name, value in vars(game.text).items():
            yield from phrases_in(value, f"{game.name} {name}")


def test_what_page_terminal_and_server_say_has_no_faults() -> None:
    found = [*page_phrases(), *program_phrases()]
    assert len(found) > 700
    wrong = []
    for where, phrase in found:
        for lang in LANGUAGES:
            text = PLURAL.sub(r"\1", phrase(lang)).strip()
            wrong += [f"{where}: {fault}" for fault in faults_of(text, lang)] if len(text) > 1 else []
    assert not wrong, "\n".join(wrong)


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rule_book_has_no_faults(game: Game, lang: str) -> None:
    wrong = []
    for clause in rule_book(game).values():
        for text in (clause.title(lang), *clause.text(lang).splitlines()):
            if not text.startswith("|"):
                wrong += [
                    f"{clause.number}: {fault}"
                    for fault in faults_of(re.sub(r"`[^`]*`", "X", text).replace("*", ""), lang)
                ]
    assert not wrong, "\n".join(wrong)
