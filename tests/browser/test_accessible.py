"""axe finds nothing to complain of: every page in every look. Phases, set pieces and dialogs: test_games."""

import random
from pathlib import Path

import pytest

from tests.browser.axe import sound
from tests.browser.conftest import Visit
from tests.browser.person import open_table, play, set_table
from tests.cases import every_game
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


@every_game
def test_the_rule_book(visit: Visit, game: Game, pictures: Path) -> None:
    page = visit(f"/rules/{game.name}")
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
