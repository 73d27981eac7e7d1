"""What a person can see and touch: hand and question together, letters and targets large enough, words on their cards.

`python -m tests.browser.in_sight 20` plays twenty games of each game and prints whatever was out of sight or too small.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import DESK, FLAGS, KNOWS, PHONE
from tests.browser.person import await_turn, choose, open_table
from tests.served import Served
from tests.system_packages import chromium
from tripot import GAMES

SIDEWAYS = {"width": 844, "height": 390}
TABLET = {"width": 820, "height": 1180}
WIDE = {"width": 1920, "height": 1080}
PHONES = (PHONE, SIDEWAYS)
SCREENS = (PHONE, SIDEWAYS, TABLET, DESK, WIDE)

# Cards that fly to their place are there at once: what counts is where they come to lie.
SETTLE = """() => {
  const ends = (moving) => Number.isFinite(moving.effect.getComputedTiming().endTime);
  for (const moving of document.getAnimations().filter(ends)) moving.finish();
}"""

# The hand with every card in it, and the question: inside the window, and not under something else; the goal line free.
OUT_OF_SIGHT = """() => [0, document.body.scrollHeight].flatMap((down) => {
  (SETTLE)(); // in the same breath: news may set cards flying again
  scrollTo(0, down);
  const told = [];
  const within = ({ top, left, bottom, right }) =>
    top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
  const name = (thing) => `${thing.className} ${thing.textContent.trim().replace(/\\s+/g, " ").slice(0, 40)}`;
  const question = document.querySelector(".choice.mine .question");
  const hand = document.querySelector(".hand");
  if (!question || !hand) return told; // news has come in between: the question comes again
  for (const thing of [question, hand, ...hand.querySelectorAll(".card")]) {
    const box = thing.getBoundingClientRect();
    if (!within(box)) told.push(`outside: ${name(thing)} ${JSON.stringify(box)}`);
    const above = document.elementFromPoint(box.left + Math.min(14, box.width / 2), box.top + box.height * 0.6);
    if (thing !== hand && !thing.contains(above)) told.push(`covered: ${name(thing)} by ${above && name(above)}`);
  }
  const goal = document.querySelector(".goal-line")?.getBoundingClientRect();
  for (const button of goal ? document.querySelectorAll(".topbar :is(button, a)") : []) {
    const { top, left, bottom, right } = button.getBoundingClientRect();
    const apart = right <= goal.left || left >= goal.right || bottom <= goal.top || top >= goal.bottom;
    if (!apart) told.push(`on the goal line: ${name(button)}`);
  }
  const last = [...document.querySelectorAll(".options button")].at(-1);
  if (last?.checkVisibility()) {
    const list = last.parentElement.getBoundingClientRect();
    if (!within(list) || list.height < 40) told.push(`the list: ${JSON.stringify(list)}`);
  }
  return told;
})""".replace("SETTLE", SETTLE)

# Letters under 12 px, targets under 24 px, and the main ones under 44 px. A link inside a sentence may be lower.
TOO_SMALL = """() => {
  const told = [];
  const shown = (thing) => {
    const box = thing.getBoundingClientRect();
    const drawn = thing.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return drawn && box.width > 1 && box.height > 1 && !thing.closest(".unseen");
  };
  const name = (thing) => `${thing.tagName} ${thing.getAttribute("class")} ${thing.textContent.trim().slice(0, 30)}`;
  for (const thing of document.body.querySelectorAll("*")) {
    const words = [...thing.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!words || !shown(thing) || thing.closest("noscript, option, style")) continue;
    const scale = thing instanceof SVGElement ? thing.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(thing).fontSize) * scale;
    if (size < 11.95) told.push(`letters of ${size.toFixed(1)} px: ${name(thing)}`);
  }
  for (const thing of document.querySelectorAll("button, a[href], input, select, summary, [role=button], .button")) {
    const inSentence = thing.matches("a:not(.button, .entry)") && thing.closest("p, li, dd");
    if (!shown(thing) || inSentence) continue;
    const box = (thing.closest("label") ?? thing).getBoundingClientRect();
    const main = ".button.main, .options button, .hand button.card.open, .players [data-action], #confirm";
    const least = thing.matches(main) ? 43.5 : 23.5;
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (box.width < least || box.height < least) told.push(`target of ${width} × ${height} px: ${name(thing)}`);
  }
  return told;
}"""

# What is printed on a card lies on it, and not on something else there; a card that was played lies in its place.
SPILLED = """() => {
  const told = [];
  const name = (card) => card.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
  for (const card of document.querySelectorAll(".card:not(.back)")) {
    if (!card.checkVisibility({ visibilityProperty: true }) || card.closest(".just-taken")) continue; // tilted
    const box = card.getBoundingClientRect();
    const parts = [...card.querySelectorAll(".card-title, .card-art, .card-effect, .card-type")];
    const seen = parts.filter((part) => part.checkVisibility());
    const lie = seen.map((part) => [part.className, part.getBoundingClientRect()]);
    for (const [i, [what, one]] of lie.entries()) {
      if (one.top < box.top - 2 || one.bottom > box.bottom + 2) told.push(`${what} beside its card: ${name(card)}`);
      for (const [other, two] of lie.slice(i + 1)) {
        const below = one.bottom <= two.top + 2 || two.bottom <= one.top + 2;
        const beside = one.right <= two.left + 2 || two.right <= one.left + 2;
        if (!below && !beside) told.push(`${what} over ${other}: ${name(card)}`);
      }
    }
    const place = card.closest(".play-slot")?.getBoundingClientRect();
    if (place && box.bottom > place.bottom + 4) told.push(`larger than its place: ${name(card)}`);
  }
  return told;
}"""


def out_of_sight(page: Page) -> list[str]:
    """What of hand and question is not in sight on a phone, upright and on its side, scrolled up and down.

    It begins with the size that the page has, if it is one of the two: so a game goes on in either in turn.
    """
    told: list[str] = []
    for size in sorted(PHONES, key=lambda phone: phone != page.viewport_size):
        if size != page.viewport_size:
            page.set_viewport_size(size)
        told += [f"{size['width']} × {size['height']}: {one}" for one in page.evaluate(OUT_OF_SIGHT)]
    page.evaluate("scrollTo(0, 0)")
    return told


def too_small(page: Page, sizes: tuple[Any, ...] = SCREENS) -> list[str]:
    """Letters and targets that are too small, and cards that are too small for what is printed on them."""
    told: list[str] = []
    for size in sizes:
        page.set_viewport_size(size)
        found = [*page.evaluate(TOO_SMALL), *page.evaluate(SPILLED)]
        told += [f"{size['width']} × {size['height']}: {one}" for one in found]
    return told


def questions(page: Page, game: str, luck: random.Random) -> Iterator[str]:
    """Plays a game to its end, stopping at every question."""
    open_table(page, game)
    while await_turn(page):
        if page.locator(".choice.mine .question").count():
            yield page.locator(".choice.mine .question").first.inner_text()
            choose(page, luck)


def main(games: int) -> int:
    """Returns how many questions had something wrong."""
    wrong, asked = 0, Counter[str]()
    with Served(Path(tempfile.mkdtemp()) / "tables.sqlite") as server, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=FLAGS)
        for number in range(games):
            for game in GAMES:
                lang = ("en-GB", "fr-FR")[number % 2]
                page = browser.new_context(base_url=server.address, locale=lang, reduced_motion="reduce").new_page()
                page.add_init_script(KNOWS)
                page.goto("/")
                for question in questions(page, game, random.Random(number)):
                    told = out_of_sight(page) + (too_small(page) if question not in asked else [])
                    asked[question] += 1
                    wrong += bool(told)
                    print(*[f"{game} {number}, {question}: {one}" for one in told], sep="\n", end="\n" if told else "")
                page.context.close()
        browser.close()
    print(f"{games} games of each, {asked.total()} questions, {wrong} with something out of sight or too small")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)))
