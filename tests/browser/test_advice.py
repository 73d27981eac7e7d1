"""The first game is guided: a line beside each kind of question, the first times, until it is enough."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn, open_table
from tripot import GAMES
from tripot.games.verrater.state import Phase

pytestmark = pytest.mark.browser
GUIDE = GAMES["verrater"].guide


def first_question(page: Page) -> None:
    page.goto("/")
    open_table(page, "verrater")
    await_turn(page)


def test_a_question_is_explained_three_times_and_again_when_it_is_wanted(visit: Visit) -> None:
    assert GUIDE
    page = visit("/", lang="fr", size=PHONE)
    said = page.locator(".choice .advice")
    for _ in range(3):
        first_question(page)
        expect(said).to_contain_text(GUIDE.advice[Phase.ESTATE].fr)
    first_question(page)
    expect(said).to_have_count(0)
    page.get_by_role("button", name="Réglages").click()
    explain = page.get_by_label("Expliquer les questions les premières fois")
    explain.uncheck()
    explain.check()
    page.keyboard.press("Escape")
    expect(said).to_be_visible()


def test_who_has_understood_is_not_told_again(visit: Visit) -> None:
    page = visit("/")
    first_question(page)
    page.locator(".choice .advice button").press("Enter")
    expect(page.locator(".choice .advice")).to_have_count(0)
    first_question(page)
    expect(page.locator(".choice.mine")).to_be_visible()
    expect(page.locator(".choice .advice")).to_have_count(0)
