"""What the page costs on this machine: bytes of a first visit, time until it can be used, time until a decision shows.

`python -m tests.browser.measure` prints one JSON object. Nothing here passes or fails.
"""

import json
import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import DESK, FLAGS, KNOWS
from tests.browser.person import CHOICES, await_turn, choose, moment, open_table
from tests.browser.test_page import transferred
from tests.served import Served
from tests.system_packages import chromium

VISITS, DECISIONS = 5, 25

USABLE = """() => new Promise((resolve) => {
  const there = () => document.querySelector(".game-tile") && resolve(performance.now());
  new MutationObserver(there).observe(document, { childList: true, subtree: true });
  there();
})"""

CONFIRMED = """() => new Promise((resolve) => {
  const main = document.querySelector("main.table");
  const start = performance.now();
  new MutationObserver(() => resolve(performance.now() - start)).observe(main, { attributeFilter: ["data-moment"] });
  document.querySelector("#confirm").click();
})"""


def fresh(browser: Browser, server: Served, motion: Any = "reduce") -> Page:
    page = browser.new_context(base_url=server.address, viewport=DESK, locale="en-GB", reduced_motion=motion).new_page()
    page.add_init_script(KNOWS)
    return page


def visits(browser: Browser, server: Served) -> list[float]:
    """Milliseconds from asking for the page to being able to choose a game, each with an empty cache."""
    found = []
    for _ in range(VISITS):
        page = fresh(browser, server)
        page.goto("/", wait_until="commit")
        found.append(page.evaluate(USABLE))
        page.context.close()
    return found


def confirmations(browser: Browser, server: Served, game: str) -> list[float]:
    """Milliseconds from confirming a decision to seeing the table after it."""
    page = fresh(browser, server)
    page.goto("/")
    open_table(page, game)
    luck, found = random.Random(1), list[float]()
    while len(found) < DECISIONS and await_turn(page):
        before = moment(page)
        page.locator(CHOICES).last.dispatch_event("click")
        page.locator(f'#confirm, main:not([data-moment="{before}"])').first.wait_for(state="attached")
        if page.locator("#confirm:not([disabled])").count():
            found.append(page.evaluate(CONFIRMED))
        elif page.locator("#confirm").count():
            choose(page, luck)
    return found


def measure() -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp())
    with Served(folder / "tables.sqlite") as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = fresh(browser, server)
        sizes = transferred(page, "/")
        waits = confirmations(browser, server, "verrater")
        usable = visits(browser, server)
        browser.close()
    return {
        "first visit, bytes": sum(sizes.values()),
        "first visit, requests": len(sizes),
        "usable after, ms (median)": round(statistics.median(usable)),
        "decision confirmed, ms (median)": round(statistics.median(waits), 1),
        "decision confirmed, ms (highest)": round(max(waits), 1),
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
