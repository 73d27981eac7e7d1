"""What a person does at the page: open a table, choose, confirm, play a game to its end."""

import random
import re

from playwright.sync_api import Locator, Page, expect

from tripot import GAMES

CHOICES = ".choice.mine .options button"
LONGEST = 40  # picks in one choice
WARNED = "#all-the-same"  # the button of one who wants what may be a mistake
READY = f"{CHOICES}:not([disabled]), .results, .pass-screen"
STILL = ".set-piece.still .go-on, .set-piece.absence .go-on"  # a set piece that stays until the person goes on

LEAVE = """(still) => {
  const button = document.querySelector(still);
  button?.click();
  return button !== null;
}"""


def title(game: str) -> str:
    return GAMES[game].text.TITLE.en


def set_table(page: Page, game: str, chairs: dict[int, str] | None = None, seats: int | None = None) -> None:
    """Fill in the lobby's form: `chairs` says who sits where (here, friend, easy, medium, hard)."""
    page.locator(".game-tile", has_text=title(game)).locator(".table-options").click()
    form = page.locator("#new-table")
    if seats is not None and len(GAMES[game].seats) > 1:
        form.locator(f".pills label:has-text('{seats}') input").first.dispatch_event("click")
    for seat, kind in (chairs or {}).items():
        form.locator(".chair select").nth(seat).select_option(kind)
    form.locator(".chair input").first.fill("Anna")
    form.locator("input[name=pills-pace]").first.dispatch_event("click")  # no pauses; the form may still be scrolling


def open_table(page: Page, game: str, chairs: dict[int, str] | None = None, seats: int | None = None) -> str:
    """Opens a table from the lobby. Returns its id."""
    set_table(page, game, chairs, seats)
    page.locator("#new-table button.main").click()
    page.wait_for_url(re.compile(r"/tables/.+"))
    return page.url.rsplit("/", 1)[1]


def await_turn(page: Page) -> bool:
    """Waits until there is something to decide, past all reveals. Returns False when the game is over."""
    while True:
        page.locator(f"{READY}, {STILL}").first.wait_for(state="attached")
        if not go_on(page):
            return page.locator(".results").count() == 0


def go_on(page: Page) -> bool:
    """Leaves the set piece that is on the stage, if there is one."""
    return bool(page.evaluate(LEAVE, STILL))


def await_bots(page: Page) -> None:
    """Wait until every bot that chooses at the same time has chosen: then nothing happens unless someone plays."""
    await_turn(page)
    expect(page.locator(".seat-note.thinking")).to_have_count(0)


def lift_pass_screen(page: Page) -> None:
    if page.locator(".pass-screen").count():
        page.locator(".pass-screen button").click()


def moment(page: Page) -> str | None:
    """Names how far the table on the page has come."""
    main = page.locator("main.table")
    return main.get_attribute("data-moment") if main.count() else None


def choose(page: Page, luck: random.Random) -> None:
    """Make up one choice and confirm it: from the list, or from what is drawn on the table."""
    before = moment(page)
    for _ in range(LONGEST):
        drawn = page.locator(".board-area [data-action], .hand [data-action], .players [data-action]")
        listed = page.locator(CHOICES)
        picked = page.locator(".choice").first.get_attribute("data-picks")
        pick(drawn if drawn.count() and luck.random() < 0.5 else listed, luck)
        if finish(page, before, picked):
            return
    raise AssertionError("a choice without end")


def pick(things: Locator, luck: random.Random) -> None:
    things.nth(luck.randrange(things.count())).dispatch_event("click")  # on a phone the list is folded away


def finish(page: Page, before: str | None, picked: str | None) -> bool:
    """Confirm what is picked, unless picking it was enough; False if more must be picked first."""
    gone = f'main:not([data-moment="{before}"])'
    more = f'.choice.mine:not([data-picks="{picked}"])'
    page.locator(f"{more}, .refusal, {gone}").first.wait_for(state="attached")
    if page.locator(gone).count() == 0:
        if page.locator("#confirm:not([disabled])").count() == 0:
            return False
        page.locator("#confirm").dispatch_event("click")  # a word of warning may already lie over it
    page.locator(f"{gone}, {WARNED}").first.wait_for(state="attached")
    if page.locator(gone).count() == 0:
        page.locator(WARNED).dispatch_event("click")
    page.locator(gone).first.wait_for(state="attached")
    return True


def play(page: Page, luck: random.Random, most: int = 2000) -> int:
    """Chooses at random until the game is over, or for a number of choices. Returns how many."""
    for count in range(most):
        if not await_turn(page):
            return count
        lift_pass_screen(page)
        if page.locator(CHOICES).count():
            choose(page, luck)
    return most


def play_until(page: Page, game: str, wanted: str, luck: random.Random) -> None:
    """Plays until something is on the page while the player is asked; a game that ends is followed by another."""
    for _ in range(400):
        if not await_turn(page):
            page.goto("/")
            open_table(page, game)
        elif page.locator(wanted).count():
            return
        else:
            choose(page, luck)
    raise AssertionError(f"{wanted} never came")
