"""Lessons: their positions are legal, their solutions work, every decision is answered in both languages."""

import json
import re

import numpy as np
import pytest

from tests.conservation import CONSERVED
from tripot import GAMES
from tripot.cli.main import run
from tripot.core.game import Game
from tripot.core.lesson import BadLesson, Lesson, Wrong, sentence_of, steps_of
from tripot.core.rulebook import rule_book
from tripot.core.speech import LANGUAGES, Phrase
from tripot.games.verrater.cards import Building
from tripot.web.api.lessons import lessons_json

LESSONS = [(game, lesson) for game in GAMES.values() for lesson in game.lessons]
every_lesson = pytest.mark.parametrize(
    ("game", "lesson"), LESSONS, ids=[f"{game.name}-{lesson.key}" for game, lesson in LESSONS]
)
LONGEST_IDEA = 330  # characters: a teacher at the table says it in two breaths


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_has_six_to_ten_lessons(game: Game) -> None:
    assert 6 <= len(game.lessons) <= 10
    assert len({lesson.key for lesson in game.lessons}) == len(game.lessons)


@every_lesson
def test_the_position_is_a_table_that_can_be_played(game: Game, lesson: Lesson) -> None:
    """No card is missing, and every seat can imagine the table from its view."""
    steps = steps_of(game, lesson)
    s, layout = steps[0].s, game.layout
    for what, found, expected in CONSERVED[game.name](s):
        assert found == expected, what
    for seat in range(s.seats):
        view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)
        imagined = np.frombuffer(game.imagined(view, 5).pack(), layout.state.dtype)
        assert layout.observe(imagined, seat).tobytes() == view.tobytes()


@every_lesson
def test_there_is_something_to_decide_and_every_decision_is_answered(game: Game, lesson: Lesson) -> None:
    steps = steps_of(game, lesson)
    assert any(not choice.right for choice in steps[0].choices)
    for step in steps:
        assert any(choice.right for choice in step.choices)
        for choice in step.choices:
            assert choice.clause in rule_book(game) and choice.told.en and choice.told.fr


@every_lesson
def test_both_languages_are_complete_and_short(game: Game, lesson: Lesson) -> None:
    texts = [lesson.title, lesson.idea, lesson.brought, *(wrong.why for wrong in lesson.wrong)]
    for lang in LANGUAGES:
        assert all(text(lang) for text in texts)
        assert all(len(text(lang)) < LONGEST_IDEA for text in texts)
        assert not any(re.search(r"\b(he|his|she|her)\b", text(lang)) for text in texts if lang == "en")
    assert all(text.en != text.fr for text in texts)


@every_lesson
def test_every_explanation_is_said_of_some_decision(game: Game, lesson: Lesson) -> None:
    steps = steps_of(game, lesson)
    told = {choice.told for step in steps for choice in step.choices}
    assert all(wrong.why in told for wrong in lesson.wrong)


@pytest.mark.native
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_solutions_work_in_native_code_too(game: Game) -> None:
    from tripot.testing.engines import native

    apply = native("apply_one", game)
    for lesson in game.lessons:
        steps = steps_of(game, lesson)
        states = np.frombuffer(bytearray(steps[0].s.pack()), game.layout.state.dtype)
        for step in steps:
            right = next(choice for choice in step.choices if choice.right)
            apply(states, step.seat, right.action)
            assert states.tobytes() == right.after.pack(), lesson.key


def test_a_lesson_that_does_not_work_is_named() -> None:
    game = GAMES["verrater"]
    lesson = game.lessons[1]
    changed = {**vars(lesson), "right": ("Keep the crown",)}
    with pytest.raises(BadLesson, match="nothing fits 'Keep the crown'"):
        steps_of(game, Lesson(**{**changed, "wrong": (Wrong(".*", "V-2.2", Phrase("x", "y")),)}))
    with pytest.raises(BadLesson, match="nothing is said about"):
        steps_of(game, Lesson(**{**vars(lesson), "wrong": ()}))
    two = game.lessons[4]  # an estate may go under several lands
    with pytest.raises(BadLesson, match="fits 4 decisions; only the last question may have several"):
        steps_of(game, Lesson(**{**vars(two), "right": (*two.right, ".*")}))
    with pytest.raises(BadLesson, match="question 2 goes to another seat"):
        steps_of(game, Lesson(**{**vars(lesson), "right": (*lesson.right, ".*")}))


@pytest.mark.parametrize("name", GAMES)
def test_the_page_gets_every_lesson_with_an_answer_to_every_decision(name: str) -> None:
    told = json.loads(lessons_json(name))
    assert [one["key"] for one in told["lessons"]] == [lesson.key for lesson in GAMES[name].lessons]
    for one in told["lessons"]:
        for question in one["questions"]:
            assert sum(choice["right"] for choice in question["choices"]) >= 1
            assert question["view"]["seat"] == question["seat"]
        for choice in one["questions"][-1]["choices"]:
            assert (choice["after"] is not None) == choice["right"]


def test_the_table_afterwards_is_what_the_learner_decided() -> None:
    """An estate lies under the land that was chosen, whichever of the right ones it is."""
    lesson = next(one for one in json.loads(lessons_json("verrater"))["lessons"] if one["key"] == "estate")
    for choice in lesson["questions"][0]["choices"]:
        if choice["right"]:
            *_, slot = choice["decision"]["numbers"]
            assert choice["after"]["building"][slot] == Building.ESTATE and choice["after"]["owner"][slot] == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_learner_at_the_terminal_is_told_why_and_tries_again(lang, capsys, monkeypatch):
    game = GAMES["verrater"]
    lesson = game.lessons[1]
    steps = steps_of(game, lesson)
    view = game.layout.observe_plain(steps[0].s, steps[0].seat)
    order = [sentence_of(game, view, choice.action, lang) for choice in steps[0].choices]
    wrong = next(i for i, choice in enumerate(steps[0].choices) if not choice.right)
    answers = iter([str(wrong + 1), "99", "xyz", order[1 - wrong]])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert run(["learn", "verrater", "role", "--lang", lang]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert lesson.wrong[0].why(lang) in out and lesson.brought(lang) in out and "V-2.8" in out
    assert "1" in out and "xyz" in out


def test_a_learner_may_leave(capsys, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda _: "q")
    assert run(["learn", "trok", "--lang", "fr"]) == 0
    assert "Leçon 1 sur 7" in capsys.readouterr().out
