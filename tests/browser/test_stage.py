"""Reveals, conflicts, captures and ends are on the stage before they are in the log, and stay until they are left."""

import json
import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.in_sight import TABLET, out_of_sight, too_small
from tests.browser.person import (
    CHOICES,
    SHORT,
    STILL,
    await_bots,
    await_turn,
    choose,
    finish,
    moment,
    open_table,
    play,
)
from tests.browser.stage import WAYS, faults, play_watched, watch
from tests.cases import play_on
from tests.served import Served
from tripot import GAMES
from tripot.table.record import record_of
from tripot.table.table import Table

pytestmark = pytest.mark.browser

MIXED = ("verrater", "trok")  # plain decisions and others in one offer come up in every game


FLOATING = """[...document.querySelectorAll("main.table, main.table *")].filter((thing) =>
  !thing.closest(".log-lines") && ["sticky", "fixed"].includes(getComputedStyle(thing).position)
).map((thing) => `floating: ${thing.className}`)"""  # a heading stays in sight in its own log


@pytest.mark.parametrize(
    ("game", "way", "lang"), [("verrater", "brisk", "en"), ("trok", "off", "fr"), ("trieste", "reduced", "en")]
)
def test_in_a_whole_game_nothing_that_nobody_may_miss_is_missed_out_of_sight_or_too_small(
    visit: Visit, game: str, way: str, lang: str
) -> None:
    """Reveals are shown first, in order and until left. Hand and question are in sight at every question, on a phone
    upright and on its side; on every screen, at every kind of question, letters and targets are large enough and what
    is printed on cards lies on them.

    `make stage` looks at many games of each game in every way.
    """
    page = visit("about:blank", still=WAYS[way].reduced)
    watch(page, WAYS[way], lang=lang)
    kinds: set[str] = set()

    def look(page: Page) -> list[str]:
        told, question = out_of_sight(page), page.locator(".choice.mine .question").first.inner_text()
        if question not in kinds:
            kinds.add(question)
            told += too_small(page)
            page.set_viewport_size(TABLET)
            told += page.evaluate(FLOATING)
        return told

    seen = play_watched(page, game, WAYS[way], 1, look=look, rules=SHORT.get(game))
    assert seen.faults == [] and seen.lines > 20 and len(kinds) >= 3
    assert too_small(page) == []  # the result


def test_the_recorder_notices_what_goes_wrong() -> None:
    staging = {"pieces": {"reveal": {"opens": [5, 6], "joins": []}}, "told_better": {"6": 7}}
    told = {str(line): {"first": 10 * line, "last": 10 * line + 9, "text": "x"} for line in range(3)}
    seen = {"stage": told, "log": told, "left": [0, 1, 2], "early": [], "staging": staging}
    seen["items"] = [[1, 5], [1, 5], [2, 6], [2, 7]]  # the third is told better by the fourth, which is no part of it
    assert faults(seen, WAYS["brisk"]) == []
    assert "too soon" in faults(seen | {"left": [0]}, WAYS["brisk"])[0]
    assert "in the log first" in faults(seen | {"log": told | {"1": {"first": 5, "text": "x"}}}, WAYS["brisk"])[0]
    assert "never on the stage" in faults(seen | {"stage": {"0": told["0"]}}, WAYS["brisk"])[0]
    late = told | {"0": told["0"] | {"first": 15, "last": 16}}
    assert "came after" in faults(seen | {"stage": late, "log": late}, WAYS["brisk"])[0]
    assert "a question" in faults(seen | {"early": ["reveal"]}, WAYS["brisk"])[0]
    assert faults(seen | {"items": []}, WAYS["brisk"]) == ["nothing was shown"]


def reach_still(page: Page, luck: random.Random) -> None:
    """Plays until a set piece waits for the person."""
    while not page.locator(STILL).count():
        page.locator(f"{CHOICES}:not([disabled]), {STILL}").first.wait_for(state="attached")
        if not page.locator(STILL).count():
            choose(page, luck)


def test_a_still_survives_a_reload_and_is_left_by_a_key_or_a_tap(visit: Visit) -> None:
    page = visit("/", size=PHONE)
    open_table(page, "verrater")
    luck = random.Random(7)
    reach_still(page, luck)
    told = page.locator(".set-piece .told li").all_inner_texts()
    assert any(" reveals " in line for line in told) and page.locator(CHOICES).count() == 0
    expect(page.locator(".go-on")).to_be_focused()
    page.reload()
    page.locator(STILL).wait_for()
    assert page.locator(".set-piece .told li").all_inner_texts() == told
    expect(page.locator(".duel .fighter")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.locator(".set-piece")).to_have_count(0)
    await_turn(page)
    assert page.evaluate("scrollY") == 0  # the question is in sight wherever the table is scrolled to
    page.reload()  # what has been left does not come again
    page.locator("main.table").wait_for()
    await_turn(page)
    reach_still(page, luck)
    page.locator(".set-piece .headline").click()
    expect(page.locator(".set-piece")).to_have_count(0)


def test_the_arithmetic_of_a_conflict_is_that_of_the_rules(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater")
    luck = random.Random(9)
    for _ in range(3):
        reach_still(page, luck)
        outcome = page.locator(".set-piece .told li", has_text=" and takes ").or_(
            page.locator(".set-piece .told li", has_text="all:")
        )
        totals = [int(text) for text in page.locator(".camp .strength").all_inner_texts()]
        assert len(totals) == 2
        for side, text in zip(totals, page.locator(".camp .sum").all_inner_texts(), strict=True):
            parts, _, total = text.partition("=")
            numbers = [int(re.search(r"\d+$", part.strip())[0]) for part in parts.split("+")]  # "city 15", "Diplomat 5"
            assert sum(numbers) == side == int(total)
        assert all(str(total) in outcome.first.inner_text() for total in totals)
        page.locator(STILL).click()
        await_turn(page)


@pytest.mark.parametrize("answer", ["see all", "go to the table"])
def test_a_long_absence_is_caught_up_by_a_summary(visit: Visit, server: Served, answer: str) -> None:
    page = visit("/")
    table = open_table(page, "verrater")
    await_turn(page)
    seats = json.loads(page.evaluate("localStorage.getItem('tripot.seats')"))
    page.goto("/")
    elsewhere = server.client.sit(table, seats[table][0]["token"])
    while (letter := elsewhere.await_turn()).view["round"] < 4:
        elsewhere.decide([letter.legal[0].action])
    elsewhere.close()
    page.goto(f"/tables/{table}")
    page.locator(".set-piece.absence").wait_for()
    expect(page.locator(".absence .headline")).to_have_text(re.compile(r"While you were away: [34] turns"))
    assert page.locator(CHOICES).count() == 0
    page.locator(".absence .see-all" if answer == "see all" else ".absence .go-on").click()
    if answer == "see all":
        page.locator(".set-piece.still").wait_for()
    assert await_turn(page)
    play(page, random.Random(3), most=1)


@pytest.mark.parametrize("game", list(GAMES))
def test_a_plain_decision_costs_one_message(visit: Visit, game: str) -> None:
    """A decision is plain if it ends its choice, also where others of the same offer would go on."""
    page = visit("about:blank")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(json.loads(str(text))["type"])))
    page.goto("/")
    open_table(page, game)
    luck, plain, mixed = random.Random(4), 0, 0
    while (plain < 4 or (game in MIXED and not mixed)) and await_turn(page):
        await_bots(page)  # whenever others decide, a choice of several parts asks again what may come in any order
        offered = page.evaluate("document.querySelector('tripot-table').looking.choice.options")
        ending = [legal["action"] for legal in offered if legal["ends"]]
        if not ending:
            choose(page, luck)
            continue
        before, picked = moment(page), page.locator(".choice").first.get_attribute("data-picks")
        del sent[:]
        page.locator(f'{CHOICES}[data-action="{luck.choice(ending)}"]').dispatch_event("click")
        assert finish(page, before, picked)
        plain, mixed = plain + 1, mixed + (len(ending) < len(offered))
        assert sent[: sent.index("decide") + 1] == ["decide"] and sent.count("decide") == 1
    assert plain >= 4 and (mixed or game not in MIXED)


def test_the_log_has_headings_and_marks_and_says_nothing_twice(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater")
    play(page, random.Random(6), most=8)
    assert await_turn(page)
    headings = page.locator(".log-lines h3").all_inner_texts()
    assert headings and all(re.match(r"Round \d", heading) for heading in headings)
    lines = page.locator(".log-lines .line").all_inner_texts()
    assert any(re.match("Anna keeps (the )?(Traitor|Diplomat|Builder|Strategist|Farmer)", line) for line in lines)
    assert "Anna keeps a role" not in lines and any(line.endswith(" keeps a role") for line in lines)
    marked = page.locator(".log-lines ol > li", has_text="Anna keeps").first
    expect(marked.locator(".mark-0")).to_be_visible()
    clause = marked.locator(".clause")
    expect(clause).to_have_css("opacity", "0")
    marked.hover()
    expect(clause).to_have_css("opacity", "1")
    page.mouse.move(0, 0)
    clause.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(clause).to_have_css("opacity", "1")
    new = page.locator(".log-lines .fresh").first.get_attribute("data-news")
    page.evaluate("import('/page/settings.js').then(({ settings }) => settings.change({ lang: 'fr' }))")
    expect(page.locator(".log-lines .line", has_text="keeps")).to_have_count(0)  # a line is drawn once in each language
    assert page.locator(".log-lines .line", has_text="Anna garde").count() > 0
    choose(page, random.Random(6))
    expect(page.locator(f'.log-lines [data-news="{new}"]')).not_to_have_class("fresh")  # and again when it is old


def test_a_line_of_the_log_in_a_replay_jumps_to_its_moment_and_reveals_are_shown_there(
    visit: Visit, server: Served
) -> None:
    game = GAMES["verrater"]
    table = Table(game, 4, 12)
    play_on(table, random.Random(12))
    info = server.client.upload(record_of(table).dumps())
    page = visit(f"/tables/{info.id}#step=0")
    betrayal = page.locator(".log-lines .jump", has_text="turns traitor").last
    betrayal.click()
    expect(page.locator(".set-piece.still .turncoat")).to_be_visible()
    at = page.url
    page.keyboard.press("ArrowRight")
    expect(page.locator(".set-piece")).to_have_count(0)
    assert page.url == at  # the table after that decision comes first
    page.keyboard.press("ArrowRight")
    assert page.url != at
    page.locator(".log-lines .jump", has_text="puts an estate").last.click()
    expect(page).to_have_url(re.compile("#step=1$"))
