"""Take the pictures that the README shows: `python -m tests.browser.pictures` writes them to docs/pictures/."""

import base64
import random
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS, PHONE
from tests.browser.person import await_turn, open_table, play
from tests.served import Served
from tests.system_packages import ROOT, chromium
from tripot import GAMES

FOLDER = ROOT / "docs" / "pictures"
SCREEN = {"width": 1280, "height": 860}
CHOICES_MADE = {"verrater": 7, "trok": 6, "trieste": 9}  # before the picture is taken


def visit(browser: Browser, server: Served, **look: Any) -> Page:
    page = browser.new_context(base_url=server.address, reduced_motion="reduce", **look).new_page()
    page.goto("/")
    page.locator(".game-tile").first.wait_for()
    return page


TO_WEBP = """async (png) => {
  const drawn = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  return canvas.toDataURL("image/webp", 0.88).split(",")[1];
}"""


def keep(browser: Browser, page: Page, name: str) -> None:
    """A screenshot as WebP, which the browser itself writes: a third of the PNG."""
    png = base64.b64encode(page.screenshot()).decode()
    desk = browser.new_page()
    (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(desk.evaluate(TO_WEBP, png)))
    desk.close()


def take(browser: Browser, server: Served) -> None:
    keep(browser, visit(browser, server, viewport=SCREEN, locale="en-GB"), "lobby")
    for number, name in enumerate(GAMES):
        dark = number % 2 == 1
        page = visit(browser, server, viewport=SCREEN, locale="en-GB", color_scheme="dark" if dark else "light")
        open_table(page, name)
        play(page, random.Random(21), most=CHOICES_MADE.get(name, 5))
        await_turn(page)
        keep(browser, page, name)
        phone = visit(browser, server, viewport=PHONE, locale="fr-FR", color_scheme="light" if dark else "dark")
        open_table(phone, name)
        play(phone, random.Random(22), most=CHOICES_MADE.get(name, 5))
        await_turn(phone)
        keep(browser, phone, f"{name}-phone")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Served(Path(tempfile.mkdtemp()) / "tables.sqlite") as server, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=FLAGS)
        take(browser, server)
        browser.close()
    for picture in sorted(FOLDER.glob("*.webp")):
        print(f"{picture.relative_to(ROOT)}  {picture.stat().st_size // 1000} KB")
