"""A game of another package with a drawing of its own: Hearts, under the page's strict content policy."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn, choose
from tests.served import Served
from tests.system_packages import ROOT

pytestmark = pytest.mark.browser

SOURCE = ROOT / "examples" / "hearts" / "src"
TITLE = "Hearts"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that finds Hearts, as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIPOT_GAMES", "tripot_hearts:GAME")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(SOURCE), str(ROOT)]))
        with Served(tmp_path_factory.mktemp("tables") / "tables.sqlite") as served:
            yield served


def test_hearts_is_drawn_by_its_own_package_and_played_on_what_is_drawn(visit: Visit, pictures: Path) -> None:
    page = visit("/", size=PHONE)
    tile = page.locator(".game-tile", has_text=TITLE)
    expect(tile.locator("img")).to_have_js_property("naturalWidth", 267)  # its sign, 16 by 9; the pot is square
    tile.locator(".play-now").click()
    await_turn(page)
    cards = page.locator(".thirteen button.card")
    expect(cards).to_have_count(13)
    for place in (12, 0, 5):  # in any order
        cards.nth(place).click()
        expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
    cards.nth(5).click()  # and taken back
    expect(page.locator(".thirteen .picked")).to_have_count(2)
    cards.nth(6).click()
    sound(page, pictures / "hearts-passing")
    page.locator("#confirm").click()
    expect(page.locator(".choice.mine")).to_contain_text("Which card do you play?")  # all have passed
    await_turn(page)
    held = cards.count()
    choose(page, random.Random(1))
    expect(cards.nth(held - 1)).to_have_count(0)  # there is one card less, or more if one was forced
    await_turn(page)
    expect(page.locator(".cloth .spot")).to_have_count(4)
    sound(page, pictures / "hearts-playing")
