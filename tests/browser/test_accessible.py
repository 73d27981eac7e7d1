"""axe finds nothing to complain of: every page, every dialog, light and dark, at a desk and on a phone."""

import random
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import DESK, PHONE, Visit
from tests.browser.person import await_turn, choose, open_table, play, set_table
from tests.cases import every_game
from tests.served import Served
from tripot import GAMES
from tripot.core.game import Game

pytestmark = pytest.mark.browser

LOOKS = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
axe = Axe()


def sound(page: Page, picture: Path) -> None:
    """axe's findings, none; and a picture for people to look at."""
    page.screenshot(path=picture)
    found = axe.run(page).response["violations"]
    told = [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]
    assert told == [], f"{picture.name}: " + "\n".join(told)


def name(*parts: object) -> str:
    return "-".join(str(part) for part in parts) + ".png"


@SIZES
@LOOKS
def test_lobby_waiting_room_and_invitation(visit: Visit, pictures: Path, dark: bool, size: Any) -> None:
    look = name("dark" if dark else "light", size["width"])
    page = visit("/", dark=dark, size=size, lang="fr" if dark else "en")
    page.locator(".game-tile").first.wait_for()
    sound(page, pictures / f"lobby-{look}")
    set_table(page, next(iter(GAMES)), {1: "friend", 2: "here"})
    page.locator("details summary").click()
    sound(page, pictures / f"new-table-{look}")
    page.locator("#new-table button.main").click()
    page.locator(".invite img").first.wait_for()
    assert page.locator(".invite img").first.evaluate("(code) => code.decode().then(() => code.naturalWidth > 0)")
    sound(page, pictures / f"waiting-{look}")
    guest = visit(page.locator(".link").inner_text(), dark=dark, size=size)
    guest.locator("form").wait_for()
    sound(guest, pictures / f"join-{look}")
    lost = visit("/join/nobody", dark=dark, size=size)
    lost.locator("main h1").wait_for()
    sound(lost, pictures / f"lost-{look}")


@LOOKS
@every_game
def test_table_in_every_phase_dialogs_results_and_replay(
    visit: Visit, server: Served, game: Game, pictures: Path, dark: bool
) -> None:
    page = visit("/", dark=dark, lang="fr" if dark else "en")

    def sound_at_every_size(what: object) -> None:
        """The same moment of one game, on a phone and at a desk."""
        for size in (PHONE, DESK):
            page.set_viewport_size(size)
            sound(page, pictures / name(game.name, what, "dark" if dark else "light", size["width"]))

    luck = random.Random(11)
    seen: set[str] = set()
    for _ in range(5):  # nobody knows what is dealt: a short game asks little, and another follows
        if len(seen) > 2:
            break
        page.goto("/")
        open_table(page, game.name)
        while await_turn(page):
            question = page.locator(".question").first.inner_text()
            if question not in seen:
                seen.add(question)
                sound_at_every_size(len(seen))
            choose(page, luck)
    assert len(seen) > 2
    sound_at_every_size("results")
    for key, shown in (("r", ".rules"), ("l", ".dialog .log-lines"), ("?", ".keys")):
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        page.locator(shown).wait_for()
        sound_at_every_size(shown.strip(".").split()[0])
    page.goto(f"{page.url}#step=7")
    page.reload()
    page.locator(".replay").wait_for()
    sound_at_every_size("replay")
    page.goto(f"/rules/{game.name}")
    page.locator(".rule").first.wait_for()
    sound_at_every_size("rule-book")


@LOOKS
@every_game
def test_pass_screen_and_spectator(visit: Visit, game: Game, pictures: Path, dark: bool) -> None:
    look = name("dark" if dark else "light", 1440)
    page = visit("/", dark=dark)
    table = open_table(page, game.name, {0: "here", 1: "here"})
    page.locator(".pass-screen").wait_for()
    sound(page, pictures / f"{game.name}-pass-screen-{look}")
    play(page, random.Random(12), most=2)
    watcher = visit(f"/tables/{table}", dark=dark)
    watcher.locator("main.table").wait_for()
    assert watcher.locator(".hand").count() == 0
    sound(watcher, pictures / f"{game.name}-watching-{look}")
