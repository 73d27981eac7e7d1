"""What the page promises apart from games: few bytes, the same sentences as everywhere, types, two languages."""

import hashlib
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import tripot.web
from tests.browser.conftest import Visit
from tests.browser.person import await_bots, await_turn, open_table, play
from tests.cases import every_game
from tests.served import Served
from tests.system_packages import type_checker
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.speech import LANGUAGES, Sentence, say
from tripot.testing.texts import numbers_for, players, sentences

pytestmark = pytest.mark.browser

PAGE = Path(tripot.web.__file__).parent / "page"
FIRST_VISIT = 150_000  # bytes, all that comes over the wire


def transferred(page: Page, path: str) -> dict[str, int]:
    """Bytes over the wire by address, headers included, for a visit with an empty cache."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}
    wire.on("Network.responseReceived", lambda event: addresses.update({event["requestId"]: event["response"]["url"]}))
    wire.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(path)
    page.wait_for_load_state("networkidle")
    return {addresses[key]: int(size) for key, size in sizes.items()}


def test_the_first_visit_transfers_little(visit: Visit) -> None:
    page = visit("about:blank")
    sizes = transferred(page, "/")
    page.locator(".game-tile").first.wait_for()
    assert any("faustina" in address for address in sizes)
    assert sum(sizes.values()) < FIRST_VISIT, sizes


@every_game
def test_the_first_visit_to_a_table_transfers_little(visit: Visit, server: Served, game: Game) -> None:
    """Somebody who comes by a link sees all of a game, its rules included."""
    opened = server.open_table(game.name, ["here", *["easy"] * (game.seats[0] - 1)])
    page = visit("about:blank")
    sizes = transferred(page, f"/tables/{opened.table.id}")
    page.locator("main.table").wait_for()
    assert sum(sizes.values()) < FIRST_VISIT, sizes


def cases(game: Game, sentence: Sentence) -> list[list[int]]:
    """Numbers for every place of a sentence, so that each name is said at least once."""
    ranges = [list(numbers_for(table, game)) for _, table in sentence.holes]
    longest = max(map(len, ranges), default=1)
    return [[numbers[i % len(numbers)] for numbers in ranges] for i in range(longest)]


@every_game
def test_the_page_says_every_sentence_as_the_log_does(visit: Visit, game: Game) -> None:
    page = visit("/")
    asked: list[dict[str, Any]] = []
    expected: list[str] = []
    for sentence in sentences(game).values():
        for lang in LANGUAGES:
            for numbers in cases(game, sentence):
                plain = {"name": "", "clause": "", "args": sentence.args, "en": sentence.en, "fr": sentence.fr}
                asked.append({"sentence": plain, "numbers": numbers, "players": players(game, lang), "lang": lang})
                expected.append(say(sentence, numbers, game.text.NAMES, players(game, lang), lang))
    said = page.evaluate(
        """async ([game, asked]) => {
            const { say } = await import("/page/text/speech.js");
            const { names } = await (await fetch(`/api/catalogue/${game}`)).json();
            return asked.map((one) => say(one.sentence, one.numbers, names, one.players, one.lang));
        }""",
        [game.name, asked],
    )
    assert [one.replace("\u00a0", " ") for one in said] == expected  # a page keeps French signs with their words


@every_game
def test_the_language_can_be_changed_at_any_moment_and_the_log_follows(visit: Visit, game: Game) -> None:
    page = visit("/", lang="fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    open_table(page, game.name)
    play(page, random.Random(13), most=2)
    await_bots(page)
    french = page.locator(".log-lines .line").all_inner_texts()
    question = page.locator(".question").first.inner_text()
    page.locator(".topbar .lang").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    english = page.locator(".log-lines .line").all_inner_texts()
    assert len(english) == len(french) and not set(english) & set(french)
    assert page.locator(".question").first.inner_text() != question
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")


@every_game
def test_every_line_of_the_log_opens_its_clause(visit: Visit, game: Game) -> None:
    page = visit("/", lang="fr")
    open_table(page, game.name)
    play(page, random.Random(14), most=2)
    await_bots(page)
    line = page.locator(".log-lines .clause").last
    number = line.inner_text()
    line.click()
    rule = page.locator(".rule.asked")
    expect(rule).to_be_in_viewport()
    expect(rule.locator(".number")).to_have_text(number)


def test_what_cannot_be_chosen_says_why(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater")
    assert await_turn(page)
    page.locator(".hand .card.shut").first.click(force=True)  # it says aria-disabled
    expect(page.locator(".toast")).to_contain_text("Not now")
    page.locator(".toast .clause").click()
    expect(page.locator(".rule.asked")).to_be_in_viewport()


def test_a_card_can_be_dragged_to_the_table(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater")
    luck = random.Random(15)
    while not page.locator(".supplies .card.open").count():
        play(page, luck, most=1)
        assert await_turn(page)
    cards = page.locator(".supplies .card").count()
    page.locator(".supplies .card.open").first.drag_to(page.locator(".ring-centre"))
    page.locator("#confirm").wait_for()
    expect(page.locator(".supplies .card")).to_have_count(cards - 1)


def test_things_move_where_that_is_wanted_and_can_be_skipped(visit: Visit) -> None:
    page = visit("/", still=False)
    open_table(page, "verrater")
    assert await_turn(page)
    page.locator(".options button").first.click()
    page.locator("#confirm").click()
    page.locator(".caption .icon-button").wait_for()  # the news are told one after another
    page.wait_for_function("document.getAnimations().length > 0")
    page.keyboard.press("Escape")
    page.locator(".caption .icon-button").wait_for(state="detached")


def test_a_key_that_follows_escape_at_once_is_not_lost(visit: Visit) -> None:
    page = visit("/")
    open_table(page, next(iter(GAMES)))
    await_turn(page)
    for key, shown in [("r", ".rules"), ("l", ".dialog .log-lines"), ("?", ".keys")] * 5:
        page.keyboard.press("Escape")
        page.keyboard.press(key)
        page.locator(shown).wait_for()


@pytest.mark.parametrize("named", [None, "empty", "../main"])
def test_a_game_without_a_drawing_of_its_own_is_drawn_plainly(visit: Visit, named: str | None) -> None:
    """`named` stands in the catalogue for the drawing: none, one that holds no drawing, no name of a drawing."""
    page = visit("/")

    def change(route: Route) -> None:
        texts = route.fetch().json()
        route.fulfill(json={**texts, "drawing": named} if named else {k: v for k, v in texts.items() if k != "drawing"})

    page.route("**/api/catalogue/*", change)
    page.route("**/page/games/empty.js", lambda route: route.fulfill(content_type="text/javascript", body=""))
    open_table(page, "verrater")
    assert await_turn(page)
    expect(page.locator(".plain-board")).to_be_visible()
    play(page, random.Random(16), most=2)


# Two messages of the server prepare a table at once; the stylesheet comes when both have asked for it.
DRAWN_TWICE = """async (name) => {
  const { loadDrawing } = await import("/page/games/load.js");
  const styled = async () => document.querySelector(`link[href="${(await loadDrawing(name)).css}"]`).sheet !== null;
  return Promise.all([styled(), styled()]);
}"""


def test_nothing_is_drawn_before_its_stylesheet_is_there(visit: Visit) -> None:
    page = visit("/")
    page.route("**/page/games/trieste.css", lambda route: (page.wait_for_timeout(300), route.continue_()))
    assert page.evaluate(DRAWN_TWICE, "trieste") == [True, True]


@every_game
def test_a_drawing_asks_for_facts_that_its_game_has(game: Game) -> None:
    drawn = (PAGE / "games" / f"{game.drawing}.js").read_text("utf-8")
    asked = set(re.findall(r"\bfacts\.(\w+)", drawn))
    for names in re.findall(r"const \{ ([\w, ]+) \} = scene\.facts;", drawn):
        asked |= set(names.split(", "))
    assert asked and asked <= set(game.text.FACTS)


def test_types() -> None:
    checker = type_checker()
    if checker is None:
        pytest.skip("PAGE TYPES NOT CHECKED: no tsc here; `make test-deps` installs it where there is npm.")
    done = subprocess.run([checker, "-p", PAGE / "jsconfig.json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_is_not_ours_is_what_it_says() -> None:
    """The vendored file and the fonts have the digests written beside them."""
    for folder, files in (("vendor", ["lit.js"]), ("fonts", ["faustina.woff2", "faustina-italic.woff2"])):
        told = (PAGE / folder / "README.md").read_text("utf-8")
        for file in files:
            assert hashlib.sha256((PAGE / folder / file).read_bytes()).hexdigest() in told, file


def static_imports(module: Path, seen: set[Path]) -> set[Path]:
    """Every module that the browser must have before this one can run."""
    for name in re.findall(r'^(?:import|export) (?:[^"]*? from )?"(\.[^"]+)"', module.read_text("utf-8"), re.MULTILINE):
        found = (module.parent / name).resolve()
        if found not in seen:
            seen.add(found)
            static_imports(found, seen)
    return seen


def test_all_that_every_page_needs_is_asked_for_at_once() -> None:
    """And no more: whoever comes to a table does not load the lobby."""
    shared = set.intersection(*(static_imports(page, set()) for page in (PAGE / "pages").glob("*.js")))
    shared |= static_imports(PAGE / "main.js", set())
    needed = {f"/page/{path.relative_to(PAGE).as_posix()}" for path in shared}
    named = set(re.findall(r'rel="modulepreload" href="([^"]+)"', (PAGE / "index.html").read_text("utf-8")))
    assert named == needed
