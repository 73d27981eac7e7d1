"""A hint in a browser: asked for by keyboard, read, and taken; the server's answer is in test_web_hint."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn, open_table
from tests.served import Served

pytestmark = pytest.mark.browser


def answer_with_what_is_offered(page: Page, server: Served) -> None:
    """The server of these tests has no native code: the ranking is made up, of choices that the page offers."""

    def answer(route: Route) -> None:
        offered = page.locator(".choice.mine .options button")
        actions = [int(offered.nth(n).get_attribute("data-action") or 0) for n in range(2)]
        reason = {"en": "By the end of the round: 2.1 more points.", "fr": "À la fin du tour : 2,1 points de plus."}
        choices = [
            {
                "parts": [{"action": action, "key": "keep", "numbers": [1 + place]}],
                **{
                    "chance": 0.6 - place / 10,
                    "low": 0.5 - place / 10,
                    "high": 0.7,
                    "level": True,
                    "reasons": [reason],
                },
            }
            for place, action in enumerate(actions)
        ]
        route.fulfill(json={"sequence": json.loads(route.request.post_data or "")["sequence"], "choices": choices})

    page.route("**/hint", answer)


@pytest.mark.parametrize(("lang", "said"), [("en", "2.1 more points"), ("fr", "2,1 points de plus")])
def test_a_player_asks_for_a_hint_and_takes_it(visit: Visit, server: Served, lang: str, said: str) -> None:
    page = visit("/", lang=lang, size=PHONE if lang == "fr" else None, dark=lang == "fr")
    answer_with_what_is_offered(page, server)
    open_table(page, "verrater")
    await_turn(page)
    expect(page.locator("#hint")).to_be_visible()
    page.locator(".choice").first.focus()
    page.keyboard.press("h")
    expect(page.locator(".hints li")).to_have_count(2)
    expect(page.locator(".hints li").first).to_contain_text(said)
    sound(page)
    wanted = page.locator(".choice.mine .options button").nth(1).get_attribute("data-action")
    page.locator(".hints li button").nth(1).press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".choice.mine")).to_have_attribute("data-picks", wanted or "")
    expect(page.locator("#confirm")).to_be_focused()


def test_among_other_people_nobody_sees_a_hint_unless_the_table_allows_it(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater", {1: "here"})
    await_turn(page)
    page.locator(".pass-screen button").click()
    page.locator(".choice").first.wait_for()
    expect(page.locator("#hint")).to_have_count(0)
