"""The review of a finished game on the page: chances, the sum of each seat, moments, and accuracy in words."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn
from tests.served import Served
from tests.test_review import finished
from tripot.coach.review import moments_of, review
from tripot.web.api.messages import ReviewState
from tripot.web.live.reviews import content

pytestmark = [pytest.mark.browser, pytest.mark.native]


@pytest.mark.parametrize(("lang", "accuracy"), [("en", "Accuracy {} of 100: "), ("fr", "Précision {} sur 100\u00a0: ")])
def test_a_review_shows_chances_sum_moments_and_accuracy(
    visit: Visit, server: Served, lang: str, accuracy: str
) -> None:
    record, table = finished("verrater")
    told = content(review(record, table, playouts=4, threads=2), moments_of(table))
    state = ReviewState(done=1, of=1, review=told).model_dump_json()
    kept = server.client.upload(record.dumps())
    page = visit(f"/tables/{kept.id}#step=9", lang=lang, size=PHONE)

    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=state)

    page.route("**/review", answer)  # computing it is the server's work, and tested there
    page.locator("#review").click()
    expect(page.locator(".review .score-graph polyline")).to_have_count(table.seats)
    for account in told.accounts:
        page.locator(".review select").select_option(str(account.seat))
        assert account.grade is not None
        words = account.grade.en if lang == "en" else account.grade.fr
        expect(page.locator(".review .lead")).to_have_text(accuracy.format(account.accuracy) + words)
        expect(page.locator(".review > .reckoning tr")).to_have_count(5)  # they add up
        judged = sum(one.seat == account.seat and bool(one.choices) for one in told.decisions)
        expect(page.locator(".review .judged > li")).to_have_count(judged)
    sound(page)
    page.locator(".review > details > summary").click()
    page.locator(".judged .play-again").first.click()  # the moment before the decision, at a table of one's own
    page.wait_for_url(re.compile(r"/tables/(?!" + kept.id + r").+"))
    assert await_turn(page)
