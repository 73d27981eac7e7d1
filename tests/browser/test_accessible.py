"""axe finds nothing to complain of: every page, every phase, every set piece and every dialog, in every look."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.axe import sound
from tests.browser.conftest import Visit
from tests.browser.person import READY, STILL, choose, go_on, open_table, play, set_table
from tests.cases import every_game
from tests.served import Served
from tripot import GAMES
from tripot.core.game import Game

pytestmark = pytest.mark.browser


def test_lobby_form_waiting_room_invitation_and_a_lost_visitor(visit: Visit, pictures: Path) -> None:
    page = visit("/")
    page.locator(".game-tile").first.wait_for()
    sound(page, pictures / "lobby")
    set_table(page, next(iter(GAMES)), {1: "friend", 2: "here"})
    page.locator("details summary").click()
    sound(page, pictures / "new-table")
    page.locator("#new-table button.main").click()
    page.locator(".invite .qr-code").wait_for()
    sound(page, pictures / "waiting")
    guest = visit(page.locator(".link").inner_text())
    guest.locator("form").wait_for()
    sound(guest, pictures / "join")
    lost = visit("/join/nobody")
    lost.locator("main h1").wait_for()
    sound(lost, pictures / "lost")


def look_at_whole_game(page: Page, game: Game, seen: set[str], pictures: Path) -> None:
    """Plays a game to its end, looking at every question and every set piece that has not been seen."""
    luck = random.Random(11)
    page.goto("/")
    open_table(page, game.name)
    while True:
        page.locator(f"{READY}, {STILL}").first.wait_for(state="attached")
        still = page.locator(".set-piece.still").count()
        if page.locator(".results").count() and not still:
            return
        named = page.locator(".set-piece" if still else ".question").first
        what = str(named.get_attribute("data-piece")) if still else named.inner_text()
        if what not in seen:
            seen.add(what)
            sound(page, pictures / f"{game.name}-{what if still else len(seen)}")
        if not go_on(page):
            choose(page, luck)


@every_game
def test_table_in_every_phase_set_pieces_dialogs_results_and_replay(
    visit: Visit, server: Served, game: Game, pictures: Path
) -> None:
    page = visit("/")
    seen: set[str] = set()
    while len(seen) < 4:  # nobody knows what is dealt: a short game asks little, and another follows
        look_at_whole_game(page, game, seen, pictures)
    sound(page, pictures / f"{game.name}-results")
    for key, shown in (("r", ".rules"), ("l", ".dialog .log-lines"), ("?", ".keys")):
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        page.locator(shown).wait_for()
        sound(page, pictures / f"{game.name}-{shown.strip('.').split()[0]}")
    page.goto(f"{page.url}#step=7")
    page.reload()
    page.locator(".replay").wait_for()
    sound(page, pictures / f"{game.name}-replay")
    page.goto(f"/rules/{game.name}")
    page.locator(".rule").first.wait_for()
    sound(page, pictures / f"{game.name}-rule-book")


@every_game
def test_pass_screen_and_spectator(visit: Visit, game: Game, pictures: Path) -> None:
    page = visit("/")
    table = open_table(page, game.name, {0: "here", 1: "here"})
    page.locator(".pass-screen").wait_for()
    sound(page, pictures / f"{game.name}-pass-screen")
    play(page, random.Random(12), most=2)
    watcher = visit(f"/tables/{table}")
    watcher.locator("main.table").wait_for()
    assert watcher.locator(".hand").count() == 0
    sound(watcher, pictures / f"{game.name}-watching")
