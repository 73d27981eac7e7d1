"""Whole games through the page alone: against bots, in two browsers, at one screen, on a phone, by keyboard."""

import base64
import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import PICTURES, sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import (
    CHOICES,
    READY,
    SHORT,
    STILL,
    WARNED,
    await_turn,
    choose,
    finish,
    go_on,
    lift_pass_screen,
    moment,
    open_table,
)
from tests.cases import every_game
from tests.served import Served
from tripot import GAMES
from tripot.core.game import Game

pytestmark = pytest.mark.browser

FIRST = next(iter(GAMES))
STICKING_OUT = """[...document.querySelectorAll(".hand .card-title")].filter((title) =>
  title.getBoundingClientRect().right > title.parentElement.getBoundingClientRect().right + 1)
  .map((title) => title.textContent)"""
GLIMPSE = 10  # choices: where one game is played to its end in a certain way, the others are begun in that way


def enough(game: Game, choices: int, whole: bool = True) -> bool:
    return not (whole and game.name == FIRST) and choices >= GLIMPSE


COLOURS = """async (picture) => {
  const image = Object.assign(new Image(), { src: picture });
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 924, height: 788 });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, -612, -56);
  const { data } = pen.getImageData(0, 0, 924, 788);
  const found = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    found.set(colour, (found.get(colour) ?? 0) + 1);
  }
  return [...found.values()].filter((count) => count > 20).length;
}"""


def colours(page: Page, picture: Path) -> int:
    """How many colours there are where the board stands in the picture of a result."""
    address = f"data:image/png;base64,{base64.b64encode(picture.read_bytes()).decode()}"
    return int(page.evaluate(COLOURS, address))


def speaks_to_the_player(page: Page, game: Game) -> None:
    """How one came off, in French, and how the score went, with nothing left hidden."""
    verdict = page.locator(".results .winner").inner_text()
    assert re.search(r"Vous gagnez|partagée|sur (trois|quatre)|gagne au tour|Personne", verdict), verdict
    expect(page.locator(".score-graph polyline")).to_have_count(game.usual_seats)
    page.locator(".score-graph summary").click()
    rows = page.locator(".score-graph tbody tr")
    assert rows.count() >= 2 and rows.last.locator("td").count() == game.usual_seats
    assert "?" not in page.locator(".results .reckoning").first.inner_text()


# What a person is shown or asked, or nothing at the end.
SHOWN = """(ready) => {
  const [still, question] = [".set-piece.still", ".question"].map((one) => document.querySelector(one));
  if (!document.querySelector(ready)) return null;
  if (still) return { what: still.dataset.piece };
  if (document.querySelector(".results")) return { what: "" };
  return question && { what: question.innerText };
}"""


def look_at_whole_game(page: Page, game: Game, seen: set[str], pictures: Path) -> None:
    """Plays a game to its end. Whatever is asked and shown fits and is accessible, each kind once."""
    luck = random.Random(11)
    page.goto("/")
    open_table(page, game.name, rules=SHORT.get(game.name))
    page.locator(".goal-line li").first.wait_for()
    while shown := page.wait_for_function(SHOWN, arg=f"{READY}, {STILL}").json_value()["what"]:
        if shown not in seen:
            seen.add(shown)
            fits(page)
            sound(page, pictures / f"{game.name}-{shown if shown.isalpha() else len(seen)}")
        if not go_on(page):
            choose(page, luck)


@every_game
def test_a_whole_game_against_bots_its_dialogs_result_picture_replay_link_and_record(
    visit: Visit, server: Served, game: Game, tmp_path: Path, pictures: Path
) -> None:
    page = visit("/", lang="fr")
    seen: set[str] = set()
    while len(seen) < 4:  # a short game asks little, and another follows
        look_at_whole_game(page, game, seen, pictures)
    table = page.url.rsplit("/", 1)[1]
    info = server.client.table(table)
    assert info.status == "over" and info.result is not None
    speaks_to_the_player(page, game)
    sound(page, pictures / f"{game.name}-results")

    with page.expect_download() as download:
        page.locator("#share").click()
    picture = tmp_path / "result.png"
    download.value.save_as(picture)
    assert download.value.suggested_filename == f"{game.name}.png" and picture.read_bytes().startswith(b"\x89PNG")
    assert colours(page, picture) > 40  # the board is in it, not only lines

    with page.expect_download() as download:
        page.locator("#save-record").click()
    record = tmp_path / "record.json"
    download.value.save_as(record)
    assert json.loads(record.read_text())["result"] == info.result

    steps = len(json.loads(record.read_text())["decisions"])
    page.locator(".results a[href*='#step=']").click()
    expect(page.locator(".replay h2")).to_have_text(f"Étape 0 / {steps}")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step=3$"))
    sound(page, pictures / f"{game.name}-replay")

    other = visit(f"/tables/{table}#step={steps}")  # the link to a moment, for somebody else
    expect(other.locator(".replay h2")).to_have_text(f"Step {steps} / {steps}")
    other.goto("/")
    other.locator(".upload input").set_input_files(record)
    expect(other.locator(".replay h2")).to_have_text(f"Step 0 / {steps}")

    page.goto(f"/tables/{table}")
    page.locator(".results").wait_for()
    for key, shown in (("r", ".rules"), ("l", ".dialog .log-lines"), ("?", ".keys")):
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        page.locator(shown).wait_for()
        sound(page, pictures / f"{game.name}-{shown.strip('.').split()[0]}")


@every_game
def test_two_browsers_play_against_each_other(visit: Visit, server: Served, game: Game) -> None:
    host = visit("/", lang="en")
    friend_seat = 1
    table = open_table(host, game.name, {friend_seat: "friend"})
    link = host.locator(".link").inner_text()
    assert not link.endswith(table)  # it lets one guest in, once
    guest = visit(link, lang="fr")
    guest.locator("form input").fill("Zoé")
    guest.locator("form button.main").click()
    for page in (host, guest):
        page.locator("main.table").wait_for()
    expect(host.locator(".seat-name", has_text="Zoé")).to_be_visible()
    luck = random.Random(3)
    choices = 0
    while server.client.table(table).status == "playing" and not enough(game, choices):
        for page in (host, guest):
            go_on(page)
            if page.locator(f"{CHOICES}:not([disabled])").count():
                choose(page, luck)
                choices += 1
    if not enough(game, choices):
        for page in (host, guest):
            assert not await_turn(page)
            expect(page.locator(".results .winner")).to_be_visible()


@every_game
def test_one_screen_is_passed_around_behind_a_pass_screen(
    visit: Visit, server: Served, game: Game, pictures: Path
) -> None:
    page = visit("/")
    people = game.seats[0]
    table = open_table(page, game.name, dict.fromkeys(range(people), "here"), people)
    page.locator(".pass-screen").wait_for()
    if PICTURES:
        page.screenshot(path=pictures / f"{game.name}-pass-screen.png")
    luck, passes = random.Random(4), 0
    while not enough(game, passes) and await_turn(page):
        if page.locator(".pass-screen").count():
            assert (
                page.locator(".hand, .players, .board-area, .log, [role=log]").count() == 0
            )  # nothing of the table is there
            passes += 1
        lift_pass_screen(page)
        page.locator(CHOICES).first.wait_for(state="attached")
        choose(page, luck)
    assert passes > 3
    assert enough(game, passes) or server.client.table(table).status == "over"


@pytest.mark.parametrize("lang", ["en", "fr"])
@every_game
def test_a_whole_game_on_a_phone(visit: Visit, server: Served, game: Game, lang: str, pictures: Path) -> None:
    page = visit("/", lang=lang, size=PHONE, dark=lang == "fr")
    table = open_table(page, game.name)
    luck, choices, whole = random.Random(5), 0, lang == "fr"  # where words are longer
    while not enough(game, choices, whole) and await_turn(page):
        choices += 1
        fits(page)
        if luck.random() < 0.1 and PICTURES:
            page.screenshot(path=pictures / f"{game.name}-phone-{lang}.png")
        if page.locator(".choice.folded").count():
            page.locator(".unfold").click()
        before, done = moment(page), False
        while not done:
            picked = page.locator(".choice").first.get_attribute("data-picks")
            page.locator(CHOICES).nth(luck.randrange(page.locator(CHOICES).count())).click()
            done = finish(page, before, picked)
    assert enough(game, choices, whole) or server.client.table(table).status == "over"
    fits(page)


def fits(page: Page) -> None:
    """Nothing makes the page wider than the screen, and no card's words stand out of the card."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(STICKING_OUT) == []


@every_game
def test_a_whole_game_by_keyboard_alone(visit: Visit, server: Served, game: Game) -> None:
    page = visit("/")
    page.locator(".game-tile").first.wait_for()
    reach(page, f".game-tile.game-{game.name} .table-options")
    page.keyboard.press("Enter")
    page.locator("#new-table").wait_for()
    reach(page, ".chair input")
    page.keyboard.type("Anna")
    reach(page, "input[name=pills-pace]")
    page.keyboard.press("ArrowLeft")  # bots do not pretend to think
    reach(page, "#new-table button.main")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/tables/.+"))
    table = page.url.rsplit("/", 1)[1]
    luck, choices = random.Random(6), 0
    while not enough(game, choices) and await_turn(page):
        choices += 1
        before, done = moment(page), False
        while not done:
            picked = page.locator(".choice").first.get_attribute("data-picks")
            if luck.random() < 0.85:
                page.keyboard.press(str(1 + luck.randrange(min(9, page.locator(CHOICES).count()))))
            else:
                reach(page, CHOICES)
                page.keyboard.press("Enter")
            done = finish_by_keyboard(page, before, picked)
    if not enough(game, choices):
        assert server.client.table(table).status == "over"
        page.keyboard.press("Escape")  # closes the results
        page.locator(".results").wait_for(state="detached")
    page.keyboard.press("r")
    expect(page.locator(".rules")).to_be_visible()


def finish_by_keyboard(page: Page, before: str | None, picked: str | None) -> bool:
    gone = f'main:not([data-moment="{before}"])'
    page.locator(f'.choice.mine:not([data-picks="{picked}"]), {gone}').first.wait_for(state="attached")
    if page.locator(f"{gone}, {WARNED}").count() == 0:
        if page.locator("#confirm:not([disabled])").count() == 0:
            return False
        if page.evaluate("document.activeElement.closest('button, a, [role=button]') !== null"):
            reach(page, "#confirm")
        page.keyboard.press("Enter")
    page.locator(f"{gone}, {WARNED}").first.wait_for(state="attached")
    if page.locator(WARNED).count():
        reach(page, WARNED)
        page.keyboard.press("Enter")
    page.locator(gone).first.wait_for(state="attached")
    return True


def reach(page: Page, wanted: str, most: int = 150) -> None:
    """Press Tab until the focus is on something of this kind."""
    for _ in range(most):
        if page.evaluate("(wanted) => document.activeElement?.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way to {wanted} by keyboard")
