"""The pages on every screen: nothing too small to read or to touch. Tables are looked at in test_stage."""

import random

import pytest

from tests.browser.conftest import Visit
from tests.browser.in_sight import SCREENS, too_small
from tests.cases import play_on
from tests.served import Served
from tripot import GAMES
from tripot.table.record import record_of
from tripot.table.table import Table

pytestmark = pytest.mark.browser


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
