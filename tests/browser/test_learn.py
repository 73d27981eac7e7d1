"""Lessons in a browser: a wrong answer is explained and tried again, a right one goes on; nothing of it is lost."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import DESK, PHONE, Visit
from tests.cases import every_game
from tripot.core.game import Game

pytestmark = pytest.mark.browser
OPTIONS = ".lesson .options button"


@every_game
def test_a_lesson_is_learnt_by_keyboard_and_kept(visit: Visit, game: Game) -> None:
    page = visit(f"/learn/{game.name}", lang="fr", size=PHONE if game.name == "trok" else DESK, dark=True)
    assert game.lessons
    right = page.locator(".lesson .right")
    for _ in range(40):
        page.locator(OPTIONS).first.wait_for()
        for number in range(page.locator(OPTIONS).count()):
            page.keyboard.press(str(number + 1))
            page.locator(".lesson .right, .lesson .refusal").first.wait_for()
            if right.count():
                break
            expect(page.locator(".lesson .refusal .clause").first).to_be_visible()
        if page.locator("#next-lesson").count():
            break
    expect(page.locator(".lessons summary")).to_contain_text(f"(1 / {len(game.lessons)})")
    sound(page)
    page.locator("#next-lesson").press("Enter")
    expect(page.locator(".lesson h2")).to_have_text(game.lessons[1].title.fr)
    page.reload()
    expect(page.locator(".lessons summary")).to_contain_text(f"(1 / {len(game.lessons)})")
