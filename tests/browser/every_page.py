"""Pictures of every page for people to look at: `make pictures`, or `python -m tests.browser.every_page --only trok`.

They go to build/pictures/, which git ignores, with an index.html that shows them all: every page, dialog, set piece and
result at five sizes, light in one language and dark in the other; the languages change places from page to page.
"""

import argparse
import random
import re
import tempfile
from base64 import b64decode
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.axe import CHANGE, PAIRS
from tests.browser.conftest import FLAGS
from tests.browser.in_sight import SCREENS, SETTLE
from tests.browser.person import (
    CHOICES,
    READY,
    STILL,
    await_bots,
    await_turn,
    choose,
    go_on,
    open_table,
    play,
    set_table,
)
from tests.browser.pictures import visit
from tests.served import Served
from tests.system_packages import ROOT, chromium
from tests.test_review import finished
from tripot import GAMES

FOLDER = ROOT / "build" / "pictures"
WEBP = {"format": "webp", "quality": 88}
MIDDLE = 12  # choices, then a picture of the table
OWN_PIECE = 2000  # milliseconds after which a set piece has left that tells only what the person has just decided
STUDY = 900_000  # milliseconds that compiling the games and a review may take on a busy machine
# What one may wait for a whole game to see: betrayals, cards that cannot be paid, captures; looked for in every still.
RARE = {
    "verrater": {"betrayal": ".turncoat", "tie": ".duel.over:not(:has(.wins))"},
    "trok": {"collection": ".combo.gets .card.upgrade", "perfect": ".combo.perfect"},
    "trieste": {"negated": ".cost.bad", "captured": ".act.struck .cost:not(.bad)"},
}


class Album:
    """Takes a page at every size, in two looks; the next page in the other two."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.taken: dict[str, list[str]] = {}

    def take(self, page: Page, name: str, at: str = "") -> None:
        """`at` is what the page is scrolled to, where that is not its top."""
        if name in self.taken:
            return
        self.taken[name] = []
        print(name, flush=True)
        was, size, camera = page.evaluate(CHANGE, {}), page.viewport_size, page.context.new_cdp_session(page)
        for look in PAIRS[len(self.taken) % 2]:
            page.evaluate(CHANGE, {"theme": look.theme, "lang": look.lang})
            for screen in SCREENS:
                page.set_viewport_size(screen)
                page.wait_for_timeout(100)  # the circle and the cards take their new size
                page.evaluate(SETTLE)
                page.evaluate("(at) => at && document.querySelector(at).scrollIntoView()", at)
                file = f"{name}-{screen['width']}x{screen['height']}-{look.theme}-{look.lang}.webp"
                (self.folder / file).write_bytes(b64decode(camera.send("Page.captureScreenshot", WEBP)["data"]))
                self.taken[name].append(file)
        camera.detach()
        page.evaluate(CHANGE, was)
        if size:
            page.set_viewport_size(size)

    def write_index(self) -> None:
        names = sorted({file.name.split("-390x")[0] for file in self.folder.glob("*-390x*.webp")})
        shown = "".join(
            f"<h2>{name}</h2><p>"
            + "".join(
                f'<a href="{file.name}"><img loading="lazy" src="{file.name}" height="360" alt="{file.stem}"></a> '
                for file in sorted(self.folder.glob(f"{name}-[0-9]*x*.webp"))
            )
            for name in names
        )
        page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Every page</title>{shown}</html>'
        (self.folder / "index.html").write_text(page, "utf-8")


def rooms_before_a_game(album: Album, server: Served) -> None:
    page = visit(album.browser, server, locale="en-GB")
    album.take(page, "lobby")
    set_table(page, next(iter(GAMES)), {1: "friend", 2: "here"})
    page.locator("details summary").first.click()
    album.take(page, "new-table", "#new-table")
    page.locator("#new-table button.main").click()
    page.wait_for_url(re.compile(r"/tables/.+"))
    page.locator(".invite .qr-code").wait_for()
    album.take(page, "waiting-room")
    guest = visit(album.browser, server, locale="fr-FR")
    guest.goto(page.locator(".link").first.inner_text())
    guest.locator("form").wait_for()
    album.take(guest, "invitation")
    for name, address, there in (
        ("take-seat", "/seat", "form"),
        ("nowhere", "/no/such/page", "main"),
        ("my-games", "/mine", "main h1"),
        ("settings", "/", ".game-tile"),
    ):
        page.goto(address)
        page.locator(there).first.wait_for()
        if name == "settings":
            page.keyboard.press("?")
            page.locator(".keys").wait_for()
        album.take(page, name)


def a_whole_game(album: Album, page: Page, game: str) -> None:
    """Takes the first question of each kind, the first still of each kind, and what is rare in them."""
    luck, seen = random.Random(23), set[str]()
    open_table(page, game)
    while True:
        page.locator(f"{READY}, {STILL}").first.wait_for(state="attached")
        still = page.locator(".set-piece.still")
        if still.count() and f"{game}-{still.first.get_attribute('data-piece')}" not in album.taken:
            page.wait_for_timeout(OWN_PIECE)
        if still.count():
            album.take(page, f"{game}-{still.first.get_attribute('data-piece')}")
            for name, sign in RARE.get(game, {}).items():
                if still.locator(sign).count():
                    album.take(page, f"{game}-{name}")
        elif page.locator(".results").count():
            return
        else:
            question = page.locator(".question").first.inner_text()
            if question not in seen:
                seen.add(question)
                album.take(page, f"{game}-question-{len(seen)}")
        if not go_on(page):
            choose(page, luck)


def tables(album: Album, server: Served, game: str) -> None:
    page = visit(album.browser, server, locale="en-GB")
    a_whole_game(album, page, game)
    album.take(page, f"{game}-result")
    page.keyboard.press("Escape")
    page.locator(".results").wait_for(state="detached")
    album.take(page, f"{game}-table-at-the-end")
    page.keyboard.press("l")
    page.locator(".dialog .log-lines").wait_for()
    album.take(page, f"{game}-log")
    page.goto(f"{page.url.split('#')[0]}#step=30")
    page.reload()
    page.locator(".replay").wait_for()
    album.take(page, f"{game}-replay")
    watch(album, server, page, game)
    for name, there in (("rules", ".rule"), ("learn", ".lesson")):
        page.goto(f"/{name}/{game}")
        page.locator(there).first.wait_for()
        album.take(page, f"{game}-{name}")
    page.goto("/mine")
    page.locator(".games-list li").first.wait_for()
    album.take(page, f"{game}-my-games")
    page.context.close()


def studies(album: Album, server: Served, game: str) -> None:
    """What a coach shows: the review of a finished game, a hint, and what may lie hidden."""
    page = visit(album.browser, server, locale="en-GB")
    finished_game = server.client.upload(finished(game)[0].dumps())
    page.goto(f"/tables/{finished_game.id}#review")
    while page.locator(".review").count() == 0:
        page.locator(".review, tripot-review [role=alert]").first.wait_for(timeout=STUDY)
        if page.locator(".review").count() == 0:  # the server is compiling the games
            page.wait_for_timeout(2000)
            page.reload()
    album.take(page, f"{game}-review")
    album.take(page, f"{game}-review-moments", ".review h3")
    page.locator(".review > details > summary").click()
    album.take(page, f"{game}-review-decisions", ".review > details")
    page.goto("/")
    open_table(page, game)
    play(page, random.Random(12), most=MIDDLE)
    await_bots(page)
    for name, opener, there in (("hint", "#hint", ".hints"), ("chances", ".rail .ask-chances", ".chances")):
        page.locator(opener).click()
        page.locator(there).first.wait_for(timeout=STUDY)
        album.take(page, f"{game}-{name}")
        page.keyboard.press("Escape")
    page.context.close()


def watch(album: Album, server: Served, page: Page, game: str) -> None:
    """A table of the largest size, its people and its pass screen, and a spectator there."""
    page.goto("/")
    table = open_table(page, game, {0: "here", 1: "here"}, seats=max(GAMES[game].seats))
    page.locator(".pass-screen").wait_for()
    album.take(page, f"{game}-pass-screen")
    play(page, random.Random(12), most=MIDDLE)
    await_turn(page)
    if page.locator(".pass-screen").count():
        page.locator(".pass-screen button").click()
    page.locator(CHOICES).first.wait_for(state="attached")
    album.take(page, f"{game}-largest-table")
    page.get_by_role("button", name=re.compile("People and link|Joueurs et lien")).click()
    page.locator(".dialog[open]").wait_for()
    album.take(page, f"{game}-people")
    watcher = visit(album.browser, server, locale="fr-FR")
    watcher.goto(f"/tables/{table}")
    watcher.locator("main.table").wait_for()
    album.take(watcher, f"{game}-watching")
    watcher.context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--only", choices=["rooms", *GAMES, "studies"], nargs="*", default=["rooms", *GAMES, "studies"])
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with Served(Path(tempfile.mkdtemp()) / "tables.sqlite") as server, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=FLAGS)
        album = Album(browser, args.folder)
        for name in args.only:
            if name == "rooms":
                rooms_before_a_game(album, server)
            elif name == "studies":
                with Served(Path(tempfile.mkdtemp()) / "tables.sqlite", native=True) as compiling:
                    for game in GAMES:
                        studies(album, compiling, game)
            else:
                tables(album, server, name)
        album.write_index()
        browser.close()
    count = sum(len(files) for files in album.taken.values())
    print(f"{count} pictures in {args.folder}, see {args.folder / 'index.html'}")


if __name__ == "__main__":
    main()
