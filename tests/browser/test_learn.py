"""Lessons in a browser: a wrong answer is explained and tried again, a right one goes on; nothing of it is lost."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import DESK, PHONE, Visit
from tests.cases import every_game
from tripot.core.game import Game
from tripot.core.lesson import steps_of

pytestmark = pytest.mark.browser
OPTIONS = ".lesson .options button"
LEAST_SEEN = 140  # pixels of the table above the lesson, on a phone


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


@every_game
def test_every_lesson_is_played_through_and_every_wrong_decision_explained(visit: Visit, game: Game) -> None:
    page = visit(f"/learn/{game.name}", size=PHONE)
    for number, lesson in enumerate(game.lessons):
        expect(page.locator(".lesson h2")).to_have_text(lesson.title.en)
        table, dock = page.locator(".players").bounding_box(), page.locator(".dock").bounding_box()
        assert table and dock and dock["y"] - table["y"] > LEAST_SEEN, lesson.key
        for step in steps_of(game, lesson):
            expect(page.locator(OPTIONS)).to_have_count(len(step.choices))
            for choice in sorted(step.choices, key=lambda one: one.right):
                page.locator(f"{OPTIONS}[data-action='{choice.action}']").click()
                if choice.right:
                    break
                expect(page.locator(".lesson .refusal")).to_contain_text(choice.told.en)
                expect(page.locator(".lesson .refusal .clause")).to_have_text(choice.clause)
        expect(page.locator(".lesson .right")).to_contain_text(lesson.brought.en)
        expect(page.locator(".lessons summary")).to_contain_text(f"({number + 1} / {len(game.lessons)})")
        expect(page.locator("#next-lesson")).to_be_focused()
        if number + 1 < len(game.lessons):
            page.keyboard.press("Enter")


def test_what_cannot_be_chosen_says_what_is_asked(visit: Visit) -> None:
    page = visit("/learn/trok#bid")
    page.locator(".hand .card.shut").first.click(force=True)
    expect(page.locator(".toast")).to_contain_text("Not now: Which three cards do you put face down?")
    page.get_by_role("button", name="In one minute").click()
    expect(page.locator("dialog tripot-picture")).to_have_count(4)
