"""A moment of a finished game opens as a table of one's own."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn
from tests.cases import CASES
from tests.served import Served
from tests.test_records import played
from tripot.table.record import record_of

pytestmark = pytest.mark.browser


def test_a_finished_game_is_played_on_from_the_step_that_is_shown(visit: Visit, server: Served) -> None:
    record = record_of(played(next(case for case in CASES if case.game.name == "verrater")))
    finished = server.client.upload(record.dumps())
    page = visit(f"/tables/{finished.id}#step=9", lang="fr", size=PHONE)
    page.locator("#play-on").press("Enter")
    page.wait_for_url(re.compile(r"/tables/(?!" + finished.id + r").+"))
    assert await_turn(page)
    expect(page.locator(".choice.mine")).to_be_visible()
    page.goto(f"/tables/{finished.id}#step={len(record.decisions)}")
    expect(page.locator("#review")).to_be_visible()
    expect(page.locator("#play-on")).to_have_count(0)


def test_a_result_and_an_address_lead_to_the_review(visit: Visit, server: Served) -> None:
    """The server of these tests has no native code to compute one."""
    record = record_of(played(next(case for case in CASES if case.game.name == "verrater")))
    finished = server.client.upload(record.dumps())
    page = visit("about:blank")
    page.route("**/review", lambda route: route.fulfill(json={"done": 3, "of": 9, "review": None}))
    page.goto(f"/tables/{finished.id}#step={len(record.decisions)}")
    page.locator(".replay .button.main").click()
    page.locator(".results #review-game").click()
    expect(page.locator(".dialog[open] progress")).to_have_js_property("value", 3)
    expect(page.locator(".results")).to_have_count(0)
    page.goto("/")
    page.goto(f"/tables/{finished.id}#review")
    expect(page.locator(".dialog[open] progress")).to_have_js_property("value", 3)
