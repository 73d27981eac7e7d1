"""What people found when they looked at the pages: nothing lies on something else, and what matters is in sight."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Visit
from tests.browser.in_sight import TABLET
from tests.browser.person import await_turn, open_table
from tests.cases import play_on
from tests.served import Served
from tripot import GAMES
from tripot.table.record import record_of
from tripot.table.table import Table

pytestmark = pytest.mark.browser

# At every step of a replay: is what the houses have so far written under the swords?
COVERED = """async (steps) => {
  const found = [];
  let seen = 0;
  for (let step = 0; step < steps; step++) {
    location.hash = `#step=${step}`;
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    const [words, swords] = [".so-far", ".border.picked .disc"].map((one) => document.querySelector(one));
    if (!words || !swords) continue;
    const [a, b] = [words, swords].map((one) => one.getBoundingClientRect());
    seen += 1;
    if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) found.push(step);
  }
  return [seen, found];
}"""

# The latest line that has happened, in the log beside a replay.
LINE_IN_SIGHT = """() => {
  const log = document.querySelector(".rail .log-lines");
  const line = log?.querySelector("li[data-news]:not(.to-come)");
  if (!line) return false;
  const [a, b] = [line, log].map((one) => one.getBoundingClientRect());
  return a.top >= b.top && a.bottom <= b.bottom;
}"""


def edge(page: Page, things: str, side: str, most: bool) -> float:
    """The lowest or highest edge of some things."""
    sides: list[float] = page.locator(things).evaluate_all(
        "(found, side) => found.map((one) => one.getBoundingClientRect()[side])", side
    )
    return max(sides) if most else min(sides)


def finished(server: Served, game: str, seats: int) -> tuple[str, int]:
    """A finished game at the server, and how many steps it has."""
    table = Table(GAMES[game], seats, 12)
    play_on(table, random.Random(12))
    record = record_of(table)
    return server.client.upload(record.dumps()).id, len(record.decisions) + 1


def test_six_players_of_trok_leave_room_for_the_market(visit: Visit) -> None:
    page = visit("/", size=TABLET)
    open_table(page, "trok", seats=6)
    await_turn(page)
    assert edge(page, ".queue .card", "bottom", most=True) <= edge(page, ".market .card", "top", most=False)
    page.set_viewport_size(DESK)
    assert edge(page, ".seat.me", "bottom", most=True) <= DESK["height"]  # though five others stand above


def test_the_points_of_every_land_are_in_sight_at_a_desk(visit: Visit) -> None:
    page = visit("/", lang="fr")
    open_table(page, "verrater")
    await_turn(page)
    assert edge(page, ".reference .land-table tr", "bottom", most=True) <= edge(page, ".beside", "bottom", most=True)


def test_what_is_focused_in_the_dock_of_a_phone_moves_nothing(visit: Visit) -> None:
    page = visit("/", size=PHONE)
    open_table(page, "verrater")
    await_turn(page)
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    page.locator("#hint").focus()
    assert page.evaluate("scrollY") == 0


def test_the_swords_cover_no_words_and_the_log_of_a_replay_shows_its_moment(visit: Visit, server: Served) -> None:
    table, steps = finished(server, "verrater", 4)
    page = visit(f"/tables/{table}#step=0", size=PHONE)
    page.locator(".replay").wait_for()
    seen, covered = page.evaluate(COVERED, steps)
    assert seen > steps / 4 and covered == []
    page.set_viewport_size(DESK)
    page.goto("about:blank")
    page.goto(f"/tables/{table}#step={steps // 2}")
    page.locator(".replay").wait_for()
    page.wait_for_function(LINE_IN_SIGHT)
    for size in (TABLET, DESK):
        page.set_viewport_size(size)
        assert edge(page, ".replay .button", "bottom", most=True) <= edge(page, ".replay", "bottom", most=True), size


@pytest.mark.parametrize(("lang", "written"), [("en", r"^\d+ [A-Z][a-z]+ \d{4}$"), ("fr", r"^\d+ [a-zéû]+ \d{4}$")])
def test_my_games_write_the_date_as_the_browser_asks_for(visit: Visit, lang: str, written: str) -> None:
    page = visit("/", lang=lang)
    open_table(page, "verrater")
    page.goto("/mine")
    expect(page.locator(".games-list dd").first).to_have_text(re.compile(written))
