"""The chances of hidden cards in a browser; the server's answer is in test_web_hint."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn, open_table

pytestmark = pytest.mark.browser

ANSWER = {
    "sequence": 0,
    "weighed": True,
    "places": [
        {
            **{"seat": 1, "label": {"en": "role", "fr": "rôle"}, "names": "role", "one": True},
            **{"chances": [[1, 0.62], [5, 0.374], [4, 0.006]], "ruled_out": [2, 3, 6]},
        },
        {
            **{"seat": 1, "label": {"en": "in hand", "fr": "en main"}, "names": "supply", "one": False},
            **{"chances": [[1, 1.0], [2, 0.998], [4, 0.21]], "ruled_out": []},
        },
        {
            **{"seat": None, "label": {"en": "role set aside", "fr": "rôle écarté"}, "names": "role", "one": True},
            **{"chances": [[6, 1.0]], "ruled_out": []},
        },
    ],
}


def ask(page: Page) -> None:
    page.route("**/chances", lambda route: route.fulfill(json=ANSWER))
    open_table(page, "verrater")
    await_turn(page)
    page.locator(".ask-chances:visible").first.press("Enter")
    expect(page.locator(".chances")).to_have_count(2)


@pytest.mark.parametrize(("lang", "role", "sure"), [("en", "Traitor", "certain"), ("fr", "Traître", "certain")])
def test_a_player_reads_what_may_lie_hidden(visit: Visit, lang: str, role: str, sure: str) -> None:
    page = visit("/", lang=lang, size=PHONE if lang == "fr" else None, dark=lang == "fr")
    ask(page)
    rows = page.locator(".chances").first.locator("li")
    expect(rows.first).to_contain_text(role)
    expect(rows.first).to_contain_text("62")
    expect(rows.nth(2)).to_contain_text("<")
    expect(rows.nth(3)).to_contain_text(sure)
    expect(rows.nth(4)).to_contain_text(">")
    expect(page.locator(".chances").first).to_contain_text("Ruled out" if lang == "en" else "Exclu")
    found = violations(page)
    assert [f"{one['id']}: {node['target']}" for one in found for node in one["nodes"]] == []


def test_among_other_people_nobody_asks_unless_the_table_allows_it(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater", {1: "here"})
    await_turn(page)
    page.locator(".pass-screen button").click()
    page.locator(".choice").first.wait_for()
    expect(page.locator(".ask-chances")).to_have_count(0)
