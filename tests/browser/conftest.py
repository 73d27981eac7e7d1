"""A real server, a real browser. Every page is watched: an error in its console fails the test that caused it."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.luck import page_script
from tests.served import Served
from tests.system_packages import chromium
from tripot import GAMES

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
FLAGS += ["--disable-sync", "--no-first-run"]
DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE = 60_000  # milliseconds: on a busy machine a page may take long, and what never comes fails all the same
EXPECTED = ("WebSocket connection to", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET")  # when a test stops the server
EXPECTED += ("Service Worker registration blocked by Playwright",)  # for tests that need none

KNOWS = f"""try {{ localStorage.setItem("tripot.primed", '{json.dumps(dict.fromkeys(GAMES, True))}'); }} catch {{}}"""

Visit = Callable[..., Page]
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Ends with these tests: its driver keeps an event loop running, which the tests of the server cannot have."""
    path = chromium()
    if path is None:
        pytest.skip("BROWSER TESTS SKIPPED: no chromium here; `make test-deps` installs it on Debian.")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("tables") / "tables.sqlite") as served:
        yield served


@pytest.fixture
def visit(browser: Browser, server: Served) -> Iterator[Visit]:
    """Open the page as a visitor of one's own: `visit("/", lang="fr", dark=True, size=PHONE)`."""
    contexts: list[BrowserContext] = []
    trouble: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        refused = "/api/" in message.location["url"]  # the page shows what the server said
        refused |= message.location["url"].endswith("/no/such/page")
        if (
            message.type in ("error", "warning")
            and not refused
            and not any(words in message.text for words in EXPECTED)
        ):
            trouble.append(message.text)

    def arrive(
        path: str = "/",
        lang: str = "en",
        dark: bool = False,
        size: Any = None,
        still: bool = True,
        worker: bool = False,
        newcomer: bool = False,
    ) -> Page:
        context = browser.new_context(
            base_url=server.address,
            viewport=size or DESK,
            locale="fr-FR" if lang == "fr" else "en-GB",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            service_workers="allow" if worker else "block",
        )
        contexts.append(context)
        context.add_init_script(page_script(len(contexts)))
        if not newcomer:
            context.add_init_script(KNOWS)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", heard)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(path)
        return page

    yield arrive
    for context in contexts:
        context.close()
    assert trouble == []


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: $TRIPOT_PICTURES, or a temporary folder."""
    folder = Path(os.environ.get("TRIPOT_PICTURES") or tmp_path_factory.getbasetemp() / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
