"""The rooms on every screen: hand and question in sight at every question, nothing too small to read or to touch."""

import random

import pytest

from tests.browser.conftest import Visit
from tests.browser.in_sight import SCREENS, TABLET, out_of_sight, questions, too_small
from tests.cases import every_game, play_on
from tests.served import Served
from tripot import GAMES
from tripot.core.game import Game
from tripot.table.record import record_of
from tripot.table.table import Table

pytestmark = pytest.mark.browser

FLOATING = """[...document.querySelectorAll("main.table, main.table *")].filter((thing) =>
  !thing.closest(".log-lines") && ["sticky", "fixed"].includes(getComputedStyle(thing).position)
).map((thing) => thing.className)"""  # a heading stays in sight in its own log


@every_game
def test_hand_and_question_are_in_sight_and_large_enough_throughout_a_game(visit: Visit, game: Game) -> None:
    """On a phone upright and on its side at every question; letters and targets at every kind of question."""
    lang = "fr" if game.name == "trok" else "en"
    page = visit("/", lang=lang)
    seen: set[str] = set()
    while len(seen) < 3:  # a short game asks little, and another follows
        page.goto("/")
        for question in questions(page, game.name, random.Random(31)):
            assert out_of_sight(page) == [], question
            if question not in seen:
                assert too_small(page) == [], question
                page.set_viewport_size(TABLET)
                assert page.evaluate(FLOATING) == []
            seen.add(question)
    assert too_small(page) == []  # the result


def test_the_replay_can_be_steered_on_every_screen(visit: Visit, server: Served) -> None:
    table = Table(GAMES["verrater"], 4, 12)
    play_on(table, random.Random(12))
    page = visit(f"/tables/{server.client.upload(record_of(table).dumps()).id}#step=40", lang="fr")
    page.locator(".replay").wait_for()
    assert too_small(page) == []
    for size in SCREENS:
        page.set_viewport_size(size)
        seen_by, step = (page.locator(f".replay {part}").bounding_box() for part in (".seen-by select", ".question"))
        assert seen_by is not None and seen_by["width"] > 100, size
        assert step is not None and step["height"] < 40, size  # on one line


def test_nothing_in_the_lobby_the_forms_and_the_rules_is_too_small(visit: Visit) -> None:
    page = visit("/")
    page.locator(".game-tile").first.wait_for()
    assert too_small(page) == []
    page.locator(".game-tile").first.click()
    assert too_small(page) == []
    page.goto("/rules/verrater")
    page.locator(".rule").first.wait_for()
    assert too_small(page) == []
