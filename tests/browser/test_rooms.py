"""The pages on every screen: nothing too small to read or to touch. Tables are looked at in test_stage."""

import pytest

from tests.browser.conftest import Visit
from tests.browser.in_sight import too_small

pytestmark = pytest.mark.browser


def test_nothing_in_the_lobby_the_forms_and_the_rules_is_too_small(visit: Visit) -> None:
    page = visit("/")
    page.locator(".game-tile").first.wait_for()
    assert too_small(page) == []
    page.locator(".game-tile").first.click()
    assert too_small(page) == []
    page.goto("/rules/verrater")
    page.locator(".rule").first.wait_for()
    assert too_small(page) == []
