"""Rule books and scenarios: every clause has a test named after it, and every such test has a clause."""

import itertools
import re
from pathlib import Path

import pytest

from tests.cases import every_game
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.rulebook import BadRuleBook, option_texts, parse_options, parse_rules, rule_book

SCENARIOS = Path(__file__).parent / "scenarios"
TEST_NAME = re.compile(r"^\s*def test_([A-Z])_(\d+)_(\d+)_", re.MULTILINE)


def clauses_tested(folder: Path) -> set[str]:
    """Returns the clauses that tests are named after: test_V_2_7_… belongs to V-2.7."""
    sources = [path.read_text("utf-8") for path in folder.rglob("test_*.py")]
    return {f"{letter}-{a}.{b}" for source in sources for letter, a, b in TEST_NAME.findall(source)}


def letter_of(game: Game) -> str:
    """Returns the letter that the clauses of a game begin with: V, K or T."""
    return next(iter(rule_book(game)))[0]


@every_game
def test_every_clause_has_a_scenario(game: Game) -> None:
    missing = [number for number in rule_book(game) if number not in clauses_tested(SCENARIOS)]
    assert not missing, f"no test in tests/scenarios is named after {', '.join(missing)}"


@every_game
def test_every_scenario_named_after_a_clause_names_one_that_exists(game: Game) -> None:
    mine = {number for number in clauses_tested(SCENARIOS) if number[0] == letter_of(game)}
    unknown = sorted(mine - set(rule_book(game)))
    assert not unknown, f"tests/scenarios has tests for {', '.join(unknown)}, which RULES.md has not"


def test_no_scenario_belongs_to_a_book_that_does_not_exist() -> None:
    assert {number[0] for number in clauses_tested(SCENARIOS)} <= {letter_of(game) for game in GAMES.values()}


def test_the_names_of_tests_are_read_as_clauses(tmp_path: Path) -> None:
    """The check above is only as good as its reading of names."""
    (tmp_path / "test_x.py").write_text(
        "def test_V_2_7_a_tie():\n    pass\n\n\ndef test_V_2_10_builder():\n    pass\n\n\n"
        "def test_V_2_8():\n    pass\n\n\ndef test_V2_1_no():\n    pass\n\n\ndef helper_V_3_1_x():\n    pass\n"
    )
    (tmp_path / "other.py").write_text("def test_V_9_9_not_collected():\n    pass\n")
    assert clauses_tested(tmp_path) == {"V-2.7", "V-2.10"}


# --- The rule books ---


@every_game
def test_a_rule_book_reads_well_in_both_languages(game: Game) -> None:
    book = rule_book(game)
    assert len(book) > 20
    for number, clause in book.items():
        assert clause.number == number and clause.sources
        for lang in ("en", "fr"):
            assert clause.title(lang) and clause.text(lang) and clause.section(lang), number
            assert "**en**" not in clause.text(lang) and "**fr**" not in clause.text(lang), number
        assert clause.text.en != clause.text.fr, number


@every_game
def test_clauses_are_numbered_one_after_the_other(game: Game) -> None:
    numbers = [tuple(map(int, number[2:].split("."))) for number in rule_book(game)]
    assert {number[0] for number in rule_book(game)} == {letter_of(game)}
    for (section, clause), (next_section, next_clause) in itertools.pairwise(numbers):
        assert (next_section, next_clause) in ((section, clause + 1), (section + 1, 1))


@every_game
def test_clauses_that_mention_others_mention_ones_that_exist(game: Game) -> None:
    book = rule_book(game)
    for number, clause in book.items():
        for text in clause.text:
            for cited in re.findall(rf"\b{letter_of(game)}-\d+\.\d+", text):
                assert cited in book, f"{number} mentions {cited}"


@every_game
def test_the_table_of_house_rules_agrees_with_the_clauses(game: Game) -> None:
    options = [name for clause in rule_book(game).values() for name in clause.options]
    assert sorted(option_texts(game)) == sorted(options)
    assert all(text.en and text.fr for text in option_texts(game).values())


def test_no_two_books_share_a_letter() -> None:
    assert len({letter_of(game) for game in GAMES.values()}) == len(GAMES) == 3


# --- Reading a rule book ---

GOOD = """# Game

## X-1 Start · Début

### X-1.1 First · Premier (S, R) option one, two

**en** Begin.

**fr** Commencez.

### X-1.2 Second · Deuxième (F)

**en** Go on.
More of it.

**fr** Continuez.
"""


def test_a_good_book_is_read() -> None:
    book = parse_rules(GOOD)
    assert list(book) == ["X-1.1", "X-1.2"]
    first, second = book.values()
    assert first.title == ("First", "Premier") and first.section == ("Start", "Début")
    assert first.sources == ("S", "R") and first.options == ("one", "two")
    assert second.sources == ("F",) and second.options == ()
    assert second.text == ("Go on.\nMore of it.", "Continuez.")


@pytest.mark.parametrize(
    ("good", "bad", "complaint"),
    [
        ("### X-1.2 Second · Deuxième (F)", "### X-1.2 Second (F)", "line 11: not a clause heading: ### X-1.2 Second"),
        ("### X-1.2 Second · Deuxième (F)", "### X-1.2 Second · Deuxième", "line 11: not a clause heading"),
        ("### X-1.2 Second · Deuxième (F)", "### X-1.2 Second · Deuxième (Q)", "line 11: not a clause heading"),
        ("### X-1.2", "### X1.2", "line 11: not a clause heading"),
        ("### X-1.2", "### X-1.1", "line 11: clause X-1.1 appears twice"),
        ("### X-1.2", "### X-2.1", "line 11: clause X-2.1 is in section X-1"),
        ("## X-1 Start · Début", "# Start", "line 5: clause X-1.1 is in section none"),
        ("## X-1 Start · Début", "## X-1 Start", "line 3: not a section heading: ## X-1 Start"),
        ("**fr** Commencez.", "Commencez.", "clause X-1.1: needs a text in English and in French"),
        ("**en** Begin.", "**en** ", "clause X-1.1: needs a text in English and in French"),
        ("**en** Go on.\nMore of it.\n\n", "", "clause X-1.2: needs a text in English and in French"),
        ("**fr** Continuez.\n", "", "clause X-1.2: needs a text in English and in French"),
    ],
)
def test_a_bad_book_is_refused_by_line_or_clause(good: str, bad: str, complaint: str) -> None:
    assert good in GOOD
    with pytest.raises(BadRuleBook, match=f"^{re.escape(complaint)}"):
        parse_rules(GOOD.replace(good, bad))


def test_an_empty_book_is_refused() -> None:
    with pytest.raises(BadRuleBook, match=r"^there are no clauses$"):
        parse_rules("# Game\n\nNothing yet.\n")


OPTIONS = """## House rules · Règles maison

| option | default | clause | en | fr |
|---|---|---|---|---|
| one | 0 | X-1.1 | It is so. | C'est ainsi. |
"""


def test_house_rules_are_read_from_their_table() -> None:
    assert parse_options(OPTIONS) == {"one": ("It is so.", "C'est ainsi.")}
    assert parse_options("no table at all") == {}


@pytest.mark.parametrize("row", ["| one | 0 | X-1.1 | It is so. |", "| one | 0 | X-1.1 |  | C'est ainsi. |"])
def test_a_house_rule_that_lacks_something_is_refused_by_name(row: str) -> None:
    with pytest.raises(BadRuleBook, match=r"^house rule one: needs a default, a clause, English and French$"):
        parse_options(OPTIONS.replace("| one | 0 | X-1.1 | It is so. | C'est ainsi. |", row))


def test_only_what_follows_the_first_heading_is_the_table_of_house_rules() -> None:
    assert parse_options("| a | b | c | d | e |\n" * 3) == {}
    assert parse_options(OPTIONS + "\n## House rules of old\n").keys() == {"one"}
