"""French and English are complete: every phase, every piece of news and every decision has a sentence in both."""

import importlib
import itertools
import re
from pathlib import Path

import pytest

import tripot
from tests.cases import Case, every_game, positions, real_cases, real_tables
from tripot.core.game import Game, waiting_seats
from tripot.core.rulebook import rule_book
from tripot.core.speech import BAG, BAG_BITS, BUILT_IN, LANGUAGES, Phrase, Sentence, say

PACKAGE = Path(tripot.__file__).parent
HOLE = re.compile(r"\{(\w+)")
NUMBER = re.compile(r"\b([A-Z]-\d+)(\.\d+)?\b")


def sentences(game: Game) -> dict[str, Sentence]:
    """Yields every sentence of a game with the name of its place."""
    found = {}
    for table in ("QUESTIONS", "DECISIONS", "NEWS"):
        for key, sentence in getattr(game.text, table).items():
            found[f"{table} {getattr(key, 'name', key)}"] = sentence
    return found


def players(game: Game, lang: str) -> list[str]:
    return [seat(lang) for seat in game.text.SEATS]


def numbers_for(table: str, game: Game) -> range | tuple[int, ...]:
    """Returns every number that a placeholder of this table can get."""
    if table == "seat":
        return range(max(game.seats))
    if table.endswith(BAG):
        kinds = range(len(game.text.NAMES[table.removesuffix(BAG)]))
        return (0, *(1 << BAG_BITS * kind for kind in kinds), sum(2 << BAG_BITS * kind for kind in kinds))
    return (0, 1, 2, 100) if table in BUILT_IN else range(len(game.text.NAMES[table]))


def well_said(text: str) -> bool:
    return bool(text.strip()) and not set("{}|") & set(text) and text[0] == text[0].upper() and "  " not in text


@every_game
def test_every_phase_has_a_question_and_every_kind_of_news_a_sentence(game: Game) -> None:
    phases = importlib.import_module(f"tripot.games.{game.name}.state").Phase
    news = importlib.import_module(f"tripot.games.{game.name}.actions").News
    assert set(game.text.QUESTIONS) == set(phases) - {phases.NONE}
    assert set(game.text.NEWS) == set(news) - {news.NONE}


@every_game
def test_names_are_given_in_both_languages(game: Game) -> None:
    assert len(game.text.SEATS) == max(game.seats)
    for lang in LANGUAGES:
        assert len(set(players(game, lang))) == max(game.seats)
        assert game.text.TITLE(lang) and game.text.TAGLINE(lang)
    for table, names in game.text.NAMES.items():
        assert all(isinstance(name, Phrase) and name.en and name.fr for name in names), table


@every_game
def test_sentences_have_the_same_placeholders_in_both_languages_and_declare_them(game: Game) -> None:
    for where, sentence in sentences(game).items():
        names = [name for name, _ in sentence.holes]
        assert len(set(names)) == len(names) <= 4, where
        assert all(table in BUILT_IN or table.removesuffix(BAG) in game.text.NAMES for _, table in sentence.holes), (
            where
        )
        assert set(HOLE.findall(sentence.en)) == set(HOLE.findall(sentence.fr)), where
        assert set(HOLE.findall(sentence.en)) <= set(names), where


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_can_be_said_with_every_number_it_may_get(game: Game, lang: str) -> None:
    for where, sentence in sentences(game).items():
        ranges = [numbers_for(table, game) for _, table in sentence.holes]
        for longest in range(max(map(len, ranges), default=1)):
            numbers = [choices[min(longest, len(choices) - 1)] for choices in ranges]
            assert well_said(say(sentence, numbers, game.text.NAMES, players(game, lang), lang)), where


@real_cases
def test_all_news_of_random_games_can_be_told(case: Case) -> None:
    text = case.game.text
    heard = set()
    for s, seat, action in itertools.chain(*(positions(case, seed) for seed in (11, 13, 14))):
        if seat < 0:
            continue
        after = s.copy()
        after.news = []
        case.game.apply(after, seat, action)
        for item in after.news:
            sentence, numbers = text.NEWS[item.what], item[2:]
            within(sentence, numbers, case)
            assert not any(numbers[len(sentence.holes) :]), f"{item}: numbers that the sentence has no place for"
            for lang in LANGUAGES:
                assert well_said(say(sentence, numbers, text.NAMES, players(case.game, lang), lang)), item
            heard.add(item.what)
    assert len(heard) > len(text.NEWS) // 3


def within(sentence: Sentence, numbers: tuple[int, ...], case: Case) -> None:
    """Every number is in its table; a negative one would name the last entry."""
    for (name, table), number in zip(sentence.holes, numbers, strict=False):
        assert 0 <= number < limit_of(table, case), f"{name} = {number} in “{sentence.en}”"


def limit_of(table: str, case: Case) -> int:
    if table in BUILT_IN:
        return case.seats if table == "seat" else 1000
    kinds = len(case.game.text.NAMES[table.removesuffix(BAG)])
    return 1 << BAG_BITS * kinds if table.endswith(BAG) else kinds


@real_tables
def test_all_decisions_offered_can_be_said_and_told_apart(case: Case) -> None:
    text = case.game.text
    for s, _, _ in positions(case, 12):
        for seat in waiting_seats(s):
            view = case.game.layout.observe_plain(s, seat)
            offered = case.game.legal_actions(s, seat)
            for lang in LANGUAGES:
                said = set()
                for action in offered:
                    which, numbers = text.decision(view, action)
                    sentence = text.DECISIONS[which]
                    assert len(numbers) == len(sentence.holes), which
                    within(sentence, numbers, case)
                    said.add(say(sentence, numbers, text.NAMES, players(case.game, lang), lang))
                    assert all(map(well_said, said))
                assert len(said) == len(offered), "two decisions read the same"


@every_game
def test_every_clause_cited_by_a_sentence_is_in_the_rule_book(game: Game) -> None:
    book = rule_book(game.name)
    for where, sentence in sentences(game).items():
        cited = sentence.clause.split()
        assert cited and all(number in book for number in cited), f"{where} cites {sentence.clause}"


@every_game
def test_every_clause_cited_in_the_code_is_in_the_rule_book(game: Game) -> None:
    book = rule_book(game.name)
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
