"""Pictures of every page at four sizes, for people to look at: `python -m tests.browser.every_page`.

They go to build/pictures/, which git ignores, with an index.html that shows them all. Light and dark and both languages
take turns; each table is shown at its start, in the middle and at its end.
"""

import random
import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.person import await_turn, open_table, play, set_table
from tests.browser.pictures import visit, webp
from tests.served import Served
from tests.system_packages import ROOT, chromium
from tripot import GAMES

FOLDER = ROOT / "build" / "pictures"
SIZES = ((390, 844), (820, 1180), (1440, 900), (1920, 1080))
MIDDLE = {"verrater": 12, "trok": 12, "trieste": 14}  # choices


class Album:
    """Takes a page at every size, the looks taking turns."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.names: list[str] = []

    def take(self, page: Page, name: str) -> None:
        for number, (width, height) in enumerate(SIZES):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="dark" if (len(self.names) + number) % 2 else "light")
            page.wait_for_timeout(200)  # the circle and the cards take their new size
            (self.folder / f"{name}-{width}.webp").write_bytes(webp(self.browser, page, width))
        self.names.append(name)

    def write_index(self) -> None:
        rows = "".join(
            f"<h2>{name}</h2><p>"
            + "".join(
                f'<a href="{name}-{width}.webp"><img src="{name}-{width}.webp" height="360"></a> ' for width, _ in SIZES
            )
            for name in self.names
        )
        (self.folder / "index.html").write_text(f"<!doctype html><title>Every page</title>{rows}", "utf-8")


def rooms_before_a_game(album: Album, server: Served) -> None:
    page = visit(album.browser, server, locale="en-GB")
    album.take(page, "lobby")
    set_table(page, next(iter(GAMES)), {1: "friend"})
    album.take(page, "new-table")
    page.locator("#new-table button.main").click()
    page.wait_for_url(re.compile(r"/tables/.+"))
    page.locator("main.waiting").wait_for()
    album.take(page, "waiting-room")
    guest = visit(album.browser, server, locale="fr-FR")
    guest.goto(page.locator(".link").first.inner_text())
    guest.locator("main").wait_for()
    album.take(guest, "invitation")
    guest.goto("/rules/trieste")
    guest.locator(".rule").first.wait_for()
    album.take(guest, "rules")


def tables(album: Album, server: Served, name: str, lang: str) -> None:
    page = visit(album.browser, server, locale=lang)
    open_table(page, name)
    luck = random.Random(23)
    await_turn(page)
    album.take(page, f"{name}-start")
    play(page, luck, most=MIDDLE.get(name, 8))
    await_turn(page)
    album.take(page, f"{name}-middle")
    play(page, luck)
    album.take(page, f"{name}-result")
    page.keyboard.press("Escape")
    page.locator(".results").wait_for(state="detached")
    album.take(page, f"{name}-end")
    page.goto(f"{page.url.split('#')[0]}#step=30")
    page.reload()
    page.locator(".replay").wait_for()
    album.take(page, f"{name}-replay")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with Served(Path(tempfile.mkdtemp()) / "tables.sqlite") as server, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=FLAGS)
        album = Album(browser, folder)
        rooms_before_a_game(album, server)
        for number, name in enumerate(GAMES):
            tables(album, server, name, ("fr-FR", "en-GB")[number % 2])
        album.write_index()
        browser.close()
    print(f"{len(album.names) * len(SIZES)} pictures in {folder}, see {folder / 'index.html'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
