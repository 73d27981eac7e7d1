"""What a player must know is on the table: goals, knowledge, costs, a word before a mistake."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import CHOICES, WARNED, moment, open_table, play_until

pytestmark = pytest.mark.browser
RISKY = f"{CHOICES}.risky"
KNOWN = ".rail .known-cards"


@pytest.mark.parametrize("game", ["trieste", "verrater", "trok"])
def test_before_a_costly_mistake_there_is_one_question_by_keyboard_too(visit: Visit, game: str) -> None:
    page = visit("/", lang="fr" if game == "trok" else "en", dark=game == "verrater")
    open_table(page, game)
    play_until(page, game, RISKY, random.Random(3))
    before, options = moment(page), page.locator(CHOICES).count()

    def risk() -> None:
        page.locator(RISKY).first.press("Enter")
        page.locator(f"{WARNED}, #confirm:not([disabled])").first.wait_for()
        if not page.locator(WARNED).count():
            page.locator("#confirm").press("Enter")
        page.locator(WARNED).wait_for()

    risk()
    asking = page.get_by_role("alertdialog")
    expect(asking).to_contain_text("?")
    assert re.search(r"[VKT]-\d", asking.locator(".clause").first.inner_text())
    sound(page)
    page.keyboard.press("Escape")  # second thoughts: nothing is sent, and the pick is taken back
    page.locator(WARNED).wait_for(state="detached")
    expect(page.locator(CHOICES)).to_have_count(options)
    expect(page.locator(".picked-list, #confirm")).to_have_count(0)
    assert moment(page) == before
    risk()
    page.keyboard.press("Tab")
    assert page.locator(WARNED).evaluate("(button) => button === document.activeElement")
    page.keyboard.press("Enter")
    page.locator(f'main:not([data-moment="{before}"])').wait_for(state="attached")
    expect(page.locator(WARNED)).to_have_count(0)


def test_V_2_2_what_was_passed_on_and_never_seen_stays_on_the_table_after_a_reload(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater")
    play_until(page, "verrater", f"{KNOWN} :text('You passed on')", random.Random(4))
    expect(page.locator(".goal-line li").first).to_have_text(re.compile(r"Round \d of 8"))
    known = page.locator(f"{KNOWN} li").all_inner_texts()
    page.reload()
    page.locator(KNOWN).wait_for()
    assert page.locator(f"{KNOWN} li").all_inner_texts() == known
    page.set_viewport_size(PHONE)
    expect(page.locator(".reference .known-cards li").first).to_be_visible()
    sound(page)
