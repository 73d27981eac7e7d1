"""What teaches a game beside its lessons: pictures that can be drawn, short texts, clauses that exist."""

import json
import re
from types import SimpleNamespace

import pytest

from tests.conservation import CONSERVED
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.position import read_position
from tripot.core.rule_search import QUESTIONS
from tripot.core.rulebook import rule_book
from tripot.core.speech import LANGUAGES
from tripot.core.teaching import BadPicture, Panel, Picture, Teaching, _find, drawn
from tripot.lab.leduc import GAME as LEDUC
from tripot.web.api.catalogue import catalogue
from tripot.web.api.teaching import teaching_json

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
MOST_WORDS = 120  # of a game in one minute, in a language
NUMBER = re.compile(r"\b[A-Z]-\d+\.\d+\b")


def teaching(game: Game) -> Teaching:
    assert game.teaching is not None
    return game.teaching


def panels(game: Game) -> list[Panel]:
    return [*teaching(game).primer, *teaching(game).example]


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_is_told_in_one_minute_in_four_pictures(game: Game, lang: str) -> None:
    primer = teaching(game).primer
    words = " ".join(f"{panel.title(lang)} {panel.text(lang)}" for panel in primer).split()
    assert len(primer) == 4
    assert 40 <= len(words) <= MOST_WORDS


@every_game
def test_every_picture_is_a_table_that_can_be_played(game: Game) -> None:
    for panel in panels(game):
        found = drawn(game, panel.picture)
        for what, counted, expected in CONSERVED[game.name](found.s):
            assert counted == expected, (panel.title, what)
        assert 0 <= panel.picture.seat < found.s.seats


@every_game
def test_both_languages_are_complete_and_every_clause_exists(game: Game) -> None:
    texts = [text for part in (*panels(game), *teaching(game).chapters) for text in (part.title, part.text)]
    for text in texts:
        assert text.en and text.fr and text.en != text.fr
        assert NUMBER.findall(text.en) == NUMBER.findall(text.fr), text
        assert set(NUMBER.findall(text.en)) <= set(rule_book(game))
        assert not re.search(r"\b(he|his|she|her)\b", text.en)


@every_game
def test_topics_name_clauses_that_exist_and_questions_that_are_known(game: Game) -> None:
    topics = teaching(game).topics
    assert {number for topic in topics for number in topic.clauses} <= set(rule_book(game))
    named = [topic.asked for topic in topics if isinstance(topic.asked, str)]
    assert set(named) <= set(QUESTIONS) and len(named) == len(set(named))


def test_every_question_is_answered_by_some_game() -> None:
    named = {topic.asked for game in GAMES.values() for topic in teaching(game).topics}
    assert set(QUESTIONS) <= named


def test_the_example_of_verrater_is_what_its_texts_say() -> None:
    reveal, after = (drawn(GAMES["verrater"], panel.picture).s for panel in teaching(GAMES["verrater"]).example[2:])
    assert list(reveal.strength) == [15 + 4 + 5, 10 + 6 + 5]
    assert list(reveal.points[:4]) == [5 + 3, 3 + 3 + 1, 5 + 3, 3 + 2]
    assert after.hand_size[2] == 2 + 2  # South's two estates draw, the new one too
    assert after.strategy == 3


def test_the_example_of_trok_is_what_its_texts_say() -> None:
    bids, _, _, after = (drawn(GAMES["trok"], panel.picture).s for panel in teaching(GAMES["trok"]).example)
    assert list(bids.bid[:2]) == [1 + 6 + 7, 2 + 4 + 6] and bids.master == 0
    assert list(after.aare[:2]) == [9 + 4, 11 + 1]


def test_the_example_of_trieste_is_what_its_texts_say() -> None:
    *_, after = (drawn(GAMES["trieste"], panel.picture).s for panel in teaching(GAMES["trieste"]).example)
    assert sum(after.captured) == 3 and after.infamy == 3 and not after.over


def test_a_decision_that_nobody_may_take_is_named() -> None:
    game = GAMES["verrater"]
    position = teaching(game).example[0].picture.position
    offered = r"(The [^;]+ against the [^;]+; ){5}The moor \(Eagle, place 1\) against the city \(Rose, place 12\)"
    with pytest.raises(BadPicture, match=rf"^nobody may 'Sleep' here; legal: {offered}$"):
        drawn(game, Picture("board", position, ("Sleep",)))
    with pytest.raises(BadPicture, match=r"^nobody may 'Sleep' here; legal: nothing$"):
        _find(game, SimpleNamespace(waiting=0, seats=4), "Sleep")


def test_a_picture_shows_only_what_its_seat_may_know() -> None:
    """East's role is secret until it is revealed, in the view and in the news."""
    game = GAMES["verrater"]
    kept = json.loads(teaching_json("verrater"))["example"][1]
    assert kept["seat"] == 0 and "role_kept" not in kept["view"] and "hand" not in kept["view"]
    s = read_position(teaching(game).example[1].picture.position, GAMES).s
    assert s.seats == 4
    whispered = [item for item in drawn(game, teaching(game).example[1].picture).news if item.to not in (127, 0)]
    assert whispered == []


@every_game
def test_the_page_gets_every_picture(game: Game) -> None:
    told = json.loads(teaching_json(game.name))
    assert [one["title"]["fr"] for one in told["primer"]] == [panel.title.fr for panel in teaching(game).primer]
    assert [one["text"]["en"] for one in told["chapters"]] == [one.text.en for one in teaching(game).chapters]
    assert all(one["view"]["seat"] == one["seat"] for one in (*told["primer"], *told["example"]))
    assert catalogue(game).primer and catalogue(game).lessons == len(game.lessons)


def test_a_game_that_brings_nothing_has_nothing() -> None:
    found = catalogue(LEDUC)
    assert not found.primer and not found.lessons
