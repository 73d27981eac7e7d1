"""A game in one minute on the door and at the first table, the rules page, and questions to it, in a browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import sound
from tests.browser.conftest import PHONE, Visit
from tests.browser.person import await_turn, open_table
from tests.cases import every_game
from tripot.core.game import Game

pytestmark = pytest.mark.browser
PICTURES = "tripot-picture"
DRAWN = """(pictures) => pictures.map((picture) => {
  const stage = picture.shadowRoot.querySelector(".stage");
  const inside = [...stage.querySelectorAll("use, .card, .seat")];
  return { drawn: inside.length, height: picture.offsetHeight, over: stage.scrollWidth - stage.clientWidth };
})"""


def primer_of(game: Game) -> int:
    assert game.teaching
    return len(game.teaching.primer)


@every_game
def test_the_door_tells_a_game_in_one_minute_with_pictures_of_its_table(
    visit: Visit, game: Game, pictures: Path
) -> None:
    page = visit("/", newcomer=True)
    page.locator(f".game-tile.game-{game.name} .one-minute").click()
    expect(page.locator(f"dialog {PICTURES}")).to_have_count(primer_of(game))
    page.wait_for_load_state("networkidle")
    for picture in page.locator(PICTURES).evaluate_all(DRAWN):
        assert picture["drawn"] > 2 and picture["height"] > 100 and picture["over"] <= 0, picture
    sound(page, pictures / f"{game.name}-one-minute")
    page.keyboard.press("Escape")
    open_table(page, game.name)  # who has seen it is not told again
    expect(page.locator("main.table")).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_first_table_of_a_game_tells_it_and_the_second_does_not(visit: Visit) -> None:
    page = visit("/", lang="fr", size=PHONE, newcomer=True)
    for told in (True, False):
        page.locator(".game-verrater .play-now").click()
        page.locator("main.table").wait_for()
        expect(page.locator("dialog[open]")).to_have_count(int(told))
        if told:
            expect(page.locator(f"dialog {PICTURES}")).to_have_count(4)
            page.get_by_role("button", name="Jouons").press("Enter")
        page.goto("/")


def test_who_wants_no_explanations_is_not_told_and_may_be_told_again(visit: Visit) -> None:
    page = visit("/", newcomer=True)
    page.locator(".game-tile").first.wait_for()
    page.evaluate("import('/page/settings.js').then(({ settings }) => settings.change({ guided: false }))")
    page.locator(".game-verrater .play-now").click()
    page.locator("main.table").wait_for()
    expect(page.locator("dialog[open]")).to_have_count(0)


@every_game
def test_the_rules_page_teaches_before_it_lists_clauses(visit: Visit, game: Game, pictures: Path) -> None:
    assert game.teaching
    page = visit(f"/rules/{game.name}")
    expect(page.locator(PICTURES)).to_have_count(len(game.teaching.primer) + len(game.teaching.example))
    page.wait_for_load_state("networkidle")
    for picture in page.locator(PICTURES).evaluate_all(DRAWN):
        assert picture["drawn"] > 2 and picture["height"] > 60 and picture["over"] <= 0, picture
    titles = page.locator("main h2").all_inner_texts()
    assert titles[1 : 1 + len(game.teaching.chapters)] == [chapter.title.en for chapter in game.teaching.chapters]
    expect(page.locator(".sources[open]")).to_have_count(0)
    sound(page, pictures / f"{game.name}-rules-page")
    page.locator(".contents a", has_text="An example").click()
    expect(page.locator("#example")).to_be_in_viewport()
    expect(page.locator("#example")).to_be_focused()
    clause = page.locator(".example .clause").first
    number = clause.inner_text()
    clause.click()
    expect(page.locator(".rule.asked .number")).to_have_text(number)
    expect(page.locator(".rule.asked")).to_be_focused()


def test_a_question_is_answered_by_keyboard_and_announced(visit: Visit, pictures: Path) -> None:
    page = visit("/rules/trieste", lang="fr")
    question = page.get_by_role("searchbox")
    question.fill("et si je ne peux pas payer ?")
    expect(page.get_by_role("status").filter(has_text="réponses, la meilleure")).to_be_visible()
    best = page.locator(".answer").first
    expect(best).to_contain_text("T-3.3")
    sound(page, pictures / "answers")
    question.press("ArrowDown")
    expect(best).to_be_focused()
    best.press("ArrowUp")
    expect(question).to_be_focused()
    question.press("Enter")
    expect(page.locator("#rule-T-3\\.3")).to_be_focused()
    expect(page.locator("#rule-T-3\\.3")).to_be_in_viewport()
    question.fill("xyzzy")
    expect(page.get_by_role("status").filter(has_text="Aucune règle")).to_be_visible()


def test_a_question_can_be_asked_at_the_table(visit: Visit) -> None:
    page = visit("/")
    open_table(page, "verrater")
    assert await_turn(page)
    page.keyboard.press("r")
    page.locator("dialog .rule").first.wait_for()
    page.get_by_role("searchbox").fill("can I change sides?")
    page.locator(".answer", has_text="V-2.4").click()
    expect(page.locator(".rule.asked .number")).to_have_text("V-2.4")
