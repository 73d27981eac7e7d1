"""Questions to the rule books: what people ask, in their words, finds the clauses that answer."""

import pytest

from tests.pennies import GAME as PENNIES
from tripot import GAMES
from tripot.cli.main import run
from tripot.core.rule_search import LONGEST_QUESTION, MOST_FOUND, fold, search
from tripot.core.rulebook import rule_book

ASKED = [
    ("verrater", "en", "how do I win", "V-3.4"),
    ("verrater", "en", "When does it end?", "V-3.1"),
    ("verrater", "en", "how many cards", "V-0.4"),
    ("verrater", "en", "how many cards can I hold", "V-2.15"),
    ("verrater", "en", "what happens on a tie", "V-2.7"),
    ("verrater", "en", "can I change sides", "V-2.4"),
    ("verrater", "en", "the deck is empty", "V-2.14"),
    ("verrater", "en", "who goes first?", "V-1.1"),
    ("verrater", "fr", "comment gagner", "V-3.4"),
    ("verrater", "fr", "quand la partie finit-elle ?", "V-3.1"),
    ("verrater", "fr", "combien de cartes", "V-0.4"),
    ("verrater", "fr", "en cas d'EGALITÉ", "V-2.7"),
    ("verrater", "fr", "à quoi sert un comptoir", "V-3.3"),
    ("trok", "en", "how do I win", "K-6.2"),
    ("trok", "en", "what if the bids are equal", "K-3.3"),
    ("trok", "en", "what does a vein do", "K-4.6"),
    ("trok", "en", "how many players", "K-0.4"),
    ("trok", "fr", "comment gagner ?", "K-6.2"),
    ("trok", "fr", "puis-je garder une carte", "K-5.1"),
    ("trok", "fr", "la combinaison parfaite", "K-4.9"),
    ("trieste", "en", "how does the Merchant win", "T-4.2"),
    ("trieste", "en", "what if I cannot pay", "T-3.3"),
    ("trieste", "en", "what if I can't pay?", "T-3.3"),
    ("trieste", "en", "do I get change", "T-2.2"),
    ("trieste", "en", "buying back", "T-3.5"),
    ("trieste", "fr", "et si je ne peux pas payer", "T-3.3"),
    ("trieste", "fr", "comment le voleur gagne-t-il ?", "T-4.3"),
    ("trieste", "fr", "racheter", "T-3.5"),
    ("trieste", "fr", "quand la partie s'arrête", "T-4.4"),
]


@pytest.mark.parametrize(("game", "lang", "question", "best"), ASKED)
def test_a_question_finds_its_clause_first(game: str, lang: str, question: str, best: str) -> None:
    found = [clause.number for clause in search(GAMES[game], question, lang)]
    assert found[0] == best
    assert len(found) <= MOST_FOUND and len(set(found)) == len(found)


def test_all_ways_to_win_are_among_the_answers() -> None:
    found = {clause.number for clause in search(GAMES["trieste"], "how do I win", "en")}
    assert found >= {"T-4.1", "T-4.2", "T-4.3"}


def test_a_question_in_the_other_language_is_understood() -> None:
    assert search(GAMES["trok"], "how do I win", "fr")[0].number == "K-6.2"


@pytest.mark.parametrize("question", ["V-2.4", "v-2.4", "2.4", "what does V-2.4 say?", "V2.4"])
def test_a_number_finds_its_clause_alone(question: str) -> None:
    assert [clause.number for clause in search(GAMES["verrater"], question, "en")] == ["V-2.4"]


@pytest.mark.parametrize("question", ["the Strategist's card", "strategists", "stratejist"])
def test_words_of_the_rule_book_are_found_by_other_forms_and_with_a_slip(question: str) -> None:
    assert search(GAMES["verrater"], question, "en")[0].number in ("V-2.11", "V-2.8")


@pytest.mark.parametrize("question", ["", "  ", "?!", "the of and", "xyzzy", "\U0001f600", "a" * 5000])
def test_what_is_no_question_finds_nothing(question: str) -> None:
    assert search(GAMES["verrater"], question, "en") == []


def test_only_the_beginning_of_a_long_question_is_read() -> None:
    assert search(GAMES["verrater"], " " * LONGEST_QUESTION + "how do I win", "en") == []


def test_a_game_without_rules_has_no_answers() -> None:
    assert rule_book(PENNIES) == {}
    assert search(PENNIES, "how do I win", "en") == []


def test_the_terminal_answers_in_the_language_that_is_asked_for(capsys) -> None:
    assert run(["rules", "trieste", "--search", "et si je ne peux pas payer", "--lang", "fr"]) == 0
    out = capsys.readouterr().out
    assert out.index("T-3.3") < out.index("T-2.8") and "montre toute sa main" in " ".join(out.split())
    assert run(["rules", "trieste", "--search", "xyzzy", "--lang", "fr"]) == 0
    assert "Aucune règle" in capsys.readouterr().out


def test_a_search_within_one_clause_is_refused(capsys) -> None:
    assert run(["rules", "trieste", "3.3", "--search", "pay"]) != 0
    assert "leave the clause out" in capsys.readouterr().err


def test_letters_are_folded() -> None:
    assert fold("Cœur À L'ÉGALITÉ") == "coeur a l'egalite"
    assert fold("I Can't") == "i cannot"
