"""A game that `tripot new-game` wrote, on the page: drawn plainly, and with the drawing of the tutorial."""

import os
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn, play
from tests.served import Served
from tests.system_packages import ROOT
from tripot.cli.new_game import write_game

pytestmark = pytest.mark.browser

TUTORIAL = (ROOT / "docs/tutorials/write-a-game.md").read_text("utf-8")
DRAWN = re.compile(r'^```\w+ title="(koi/page/[\w.]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)


def draw(package: Path) -> None:
    """Does what the tutorial says: two files, two things more for the game, and an import."""
    for title, code in DRAWN.findall(TUTORIAL):
        (package / title).parent.mkdir(exist_ok=True)
        (package / title).write_text(code, "utf-8")
    game = package / "koi/__init__.py"
    drawing, page, imported = 'drawing="koi"', 'page=Path(__file__).parent / "page"', "from pathlib import Path"
    assert f"`{drawing}`" in TUTORIAL and f"`{page}`" in TUTORIAL and "import `Path` from `pathlib`" in TUTORIAL
    text = game.read_text("utf-8").replace("    text=text,\n", f"    text=text,\n    {drawing},\n    {page},\n")
    game.write_text(f"{imported}\n\n{text}", "utf-8")


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "drawn"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that finds the game, as if it were installed."""
    folder = tmp_path_factory.mktemp("new")
    write_game("koi", folder / "koi")
    if request.param:
        draw(folder / "koi")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIPOT_GAMES", "koi:GAME")
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder / "koi"), str(ROOT)]))
        with Served(folder / "tables.sqlite") as served:
            yield served


def test_a_new_game_is_played_with_one_click_to_its_end(
    visit: Visit, pictures: Path, request: pytest.FixtureRequest
) -> None:
    drawn = "drawn" in request.node.name
    page = visit("/", size=PHONE)
    page.locator(".game-tile", has_text="Koi").locator(".play-now").click()
    assert await_turn(page)
    expect(page.locator(".tricks")).to_have_count(1 if drawn else 0)
    sound(page, pictures / f"new-game-{'drawn' if drawn else 'plain'}")
    assert play(page, random.Random(1), most=50) < 50
    expect(page.locator(".results")).to_be_visible()
