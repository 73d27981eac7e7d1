"""Take the pictures that the README shows: `python -m tests.browser.pictures` writes them to docs/pictures/.

Each shows the first choices of a real game, over and over. TRIPOT_GAMES adds games to them.
"""

import base64
import random
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.animated_webp import animated
from tests.browser.conftest import FLAGS, KNOWS
from tests.browser.person import await_turn, open_table, play
from tests.served import Served
from tests.system_packages import ROOT, chromium
from tripot import GAMES

FOLDER = ROOT / "docs" / "pictures"
SCREEN = {"width": 1280, "height": 860}
LOOP_WIDTH = 800
FRAMES = 12  # of a picture that moves …
MILLISECONDS = 1200  # … and how long each is shown


def visit(browser: Browser, server: Served, **look: Any) -> Page:
    page = browser.new_context(base_url=server.address, reduced_motion="reduce", **look).new_page()
    page.add_init_script(KNOWS)
    page.goto("/")
    page.locator(".game-tile").first.wait_for()
    return page


TO_WEBP = """async ([png, width, quality]) => {
  const drawn = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const height = Math.round((drawn.height * width) / drawn.width);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = Object.assign(canvas.getContext("2d"), { imageSmoothingQuality: "high" });
  pen.drawImage(drawn, 0, 0, width, height);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def webp(browser: Browser, page: Page, width: int, quality: float = 0.88) -> bytes:
    """A screenshot as WebP, which the browser itself writes: a third of the PNG."""
    png = base64.b64encode(page.screenshot()).decode()
    desk = browser.new_page()
    found = base64.b64decode(desk.evaluate(TO_WEBP, [png, width, quality]))
    desk.close()
    return found


def record(browser: Browser, server: Served, name: str, dark: bool) -> None:
    """The first choices of a real game, one still after the other."""
    page = visit(browser, server, viewport=SCREEN, locale="en-GB", color_scheme="dark" if dark else "light")
    open_table(page, name)
    frames, luck = [], random.Random(5)
    while len(frames) < FRAMES and await_turn(page):
        page.wait_for_timeout(300)  # the last change has settled
        frames.append(webp(browser, page, LOOP_WIDTH, 0.7))
        play(page, luck, most=1)
    height = round(SCREEN["height"] * LOOP_WIDTH / SCREEN["width"])
    (FOLDER / f"{name}-table.webp").write_bytes(animated(frames, LOOP_WIDTH, height, MILLISECONDS))
    page.context.close()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Served(Path(tempfile.mkdtemp()) / "tables.sqlite") as server, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=FLAGS)
        for number, name in enumerate(GAMES):
            record(browser, server, name, dark=number % 2 == 1)
        browser.close()
    for picture in sorted(FOLDER.glob("*.webp")):
        print(f"{picture.relative_to(ROOT)}  {picture.stat().st_size // 1000} KB")
