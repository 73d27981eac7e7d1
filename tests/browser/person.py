"""What a person does at the page: open a table, choose, confirm, play a game to its end."""

import random
import re

from playwright.sync_api import Page, expect

from tripot import GAMES

CHOICES = ".choice.mine .options button"
LONGEST = 40  # picks in one choice
WARNED = "#all-the-same"  # the button of one who wants what may be a mistake
READY = f"{CHOICES}:not([disabled]), .results, .pass-screen"
STILL = ".set-piece.still .go-on, .set-piece.absence .go-on"  # a set piece that stays until the person goes on

# House rules of a short game that asks and shows all that a longer one does: 47 choices of Trök instead of 72.
SHORT = {"trok": {"goal": 25}}

DRAWN = ":is(.board-area, .hand, .players) [data-action]"
PATIENCE = 60_000  # milliseconds

# What a person sees and does, in the page itself: asked from outside, each look at it is a message or two.
LEAVE = """(still) => {
  const button = document.querySelector(still);
  button?.click();
  return button !== null;
}"""

# Leaves what waits for the person, until there is something to decide or the game is over.
AWAIT_TURN = """([ready, still]) => {
  const button = document.querySelector(still);
  button?.click();
  if (button || !document.querySelector(ready)) return null;
  return document.querySelector(".results") ? "over" : "turn";
}"""

MOMENT = """() => document.querySelector("main.table")?.dataset.moment ?? null"""

SEE = """([drawn, listed]) => document.querySelector(listed) && {
  moment: document.querySelector("main.table")?.dataset.moment ?? null,
  picked: document.querySelector(".choice").dataset.picks ?? null,
  drawn: document.querySelectorAll(drawn).length,
  listed: document.querySelectorAll(listed).length,
}"""

# Picks one thing, or none if something has been picked already, and confirms unless more must be picked first.
TAKE = """async ([things, number, moment, picked, choices, warned, patience]) => {
  const one = (wanted) => document.querySelector(wanted);
  const offer = String(moment).split(".").slice(0, 2).join("."); // news may come while one chooses
  const gone = () => one(`main:not([data-moment^="${offer}."])`);
  const confirm = () => one("#confirm:not([disabled])"); // a word of warning may already lie over it
  const until = (there) => new Promise((resolve, fail) => {
    const end = performance.now() + patience;
    const look = () => {
      const found = there();
      if (found) resolve(found);
      else if (performance.now() > end) fail(Error(`nothing happens after ${there}`));
      else requestAnimationFrame(look);
    };
    look();
  });
  const click = (thing) =>
    thing.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
  if (things !== null) click(await until(() => document.querySelectorAll(things)[number]));
  await until(() => one(`.choice.mine:not([data-picks="${picked}"]), .refusal`) ?? gone());
  await until(() => gone() ?? confirm() ?? one(`${choices}:not([disabled])`)); // what is sent cannot be picked from
  if (!gone() && !confirm()) return false;
  if (!gone()) click(confirm());
  await until(() => gone() ?? one(warned));
  if (!gone()) click(one(warned));
  await until(gone);
  return true;
}"""


def title(game: str) -> str:
    return GAMES[game].text.TITLE.en


def set_table(
    page: Page,
    game: str,
    chairs: dict[int, str] | None = None,
    seats: int | None = None,
    rules: dict[str, int] | None = None,
) -> None:
    """Fill in the lobby's form: `chairs` says who sits where (here, friend, easy, medium, hard)."""
    page.locator(".game-tile", has_text=title(game)).locator(".table-options").click()
    form = page.locator("#new-table")
    if seats is not None and len(GAMES[game].seats) > 1:
        form.locator(f".pills label:has-text('{seats}') input").first.dispatch_event("click")
    for seat, kind in (chairs or {}).items():
        form.locator(".chair select").nth(seat).select_option(kind)
    if rules:
        form.locator(".house-rules summary").click()
    for name, value in (rules or {}).items():
        form.locator(f"#option-{name}").fill(str(value))
        form.locator(f"#option-{name}").dispatch_event("change")
    form.locator(".chair input").first.fill("Anna")
    form.locator("input[name=pills-pace]").first.dispatch_event("click")  # no pauses; the form may still be scrolling


def open_table(
    page: Page,
    game: str,
    chairs: dict[int, str] | None = None,
    seats: int | None = None,
    rules: dict[str, int] | None = None,
) -> str:
    """Opens a table from the lobby. Returns its id."""
    set_table(page, game, chairs, seats, rules)
    page.locator("#new-table button.main").click()
    page.wait_for_url(re.compile(r"/tables/.+"))
    return page.url.rsplit("/", 1)[1]


def await_turn(page: Page) -> bool:
    """Waits until there is something to decide, past all reveals. Returns False when the game is over."""
    return bool(page.wait_for_function(AWAIT_TURN, arg=[READY, STILL]).json_value() == "turn")


def go_on(page: Page) -> bool:
    """Leaves the set piece that is on the stage, if there is one."""
    left: bool = page.evaluate(LEAVE, STILL)
    return left


def await_bots(page: Page) -> None:
    """Wait until every bot that chooses at the same time has chosen: then nothing happens unless someone plays."""
    await_turn(page)
    expect(page.locator(".seat-note.thinking")).to_have_count(0)


def lift_pass_screen(page: Page) -> None:
    if page.locator(".pass-screen").count():
        page.locator(".pass-screen button").click()


def moment(page: Page) -> str | None:
    """Names how far the table on the page has come."""
    found: str | None = page.evaluate(MOMENT)
    return found


def choose(page: Page, luck: random.Random) -> None:
    """Make up one choice and confirm it: from the list, or from what is drawn on the table."""
    seen = page.wait_for_function(SEE, arg=[DRAWN, CHOICES]).json_value()
    before = seen["moment"]
    for _ in range(LONGEST):
        things = "drawn" if seen["drawn"] and luck.random() < 0.5 else "listed"
        number = luck.randrange(seen[things])
        if take(page, DRAWN if things == "drawn" else CHOICES, number, before, seen["picked"]):
            return
        seen = page.wait_for_function(SEE, arg=[DRAWN, CHOICES]).json_value()
    raise AssertionError("a choice without end")


def finish(page: Page, before: str | None, picked: str | None) -> bool:
    """Confirm what is picked, unless picking it was enough; False if more must be picked first."""
    return take(page, None, 0, before, picked)


def take(page: Page, things: str | None, number: int, before: str | None, picked: str | None) -> bool:
    return bool(page.evaluate(TAKE, [things, number, before, picked, CHOICES, WARNED, PATIENCE]))


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
