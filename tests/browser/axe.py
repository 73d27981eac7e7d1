"""axe finds nothing to complain of: a state of a page, light and dark, in both languages, on a phone and at a desk."""

import itertools
import os
from pathlib import Path
from typing import Any, NamedTuple

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.conftest import DESK, PHONE

OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},  # axe asks for it from 4.14
    "preload": {"assets": ["media"]},  # not the stylesheets: no rule in use reads them, and a policy forbids it
    "resultTypes": ["violations"],  # the same rules, without a report on all that is well: a quarter of the time
}
PICTURES = "TRIPOT_PICTURES" in os.environ  # nobody looks at those in a temporary folder


class Look(NamedTuple):
    theme: str
    lang: str
    size: Any


# A state is looked at in one of these pairs, the next state in the other: both themes, both languages, both sizes.
PAIRS = (
    (Look("light", "en", PHONE), Look("dark", "fr", DESK)),
    (Look("light", "fr", DESK), Look("dark", "en", PHONE)),
)
EVERY = bool(os.environ.get("TRIPOT_EVERY_LOOK"))  # or at both pairs at once, which takes twice as long
TURNS = itertools.cycle((sum(PAIRS, ()),) if EVERY else PAIRS)

CHANGE = """async (look) => {
  const { settings } = await import("/page/settings.js");
  const { lang, theme } = settings;
  settings.change(look);
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const ends = (moving) => Number.isFinite(moving.effect?.getComputedTiming().endTime);
  for (const moving of document.getAnimations().filter(ends)) moving.finish(); // colours on their way are no colours
  return { lang, theme };
}"""


# Of the lines of a log that are built alike, which may be hundreds, the first few are left for axe to look at.
FIND = """async ([options, few]) => {
  const own = (one) => [one.tagName, one.getAttribute("class"), !one.textContent.trim()];
  const shape = (one) => [...own(one), ...[...one.children].map(shape)].join();
  const counts = new Map();
  const alike = [...document.querySelectorAll(".log-lines ol > li")].filter((line) => {
    const [log, built] = [line.closest(".log-lines"), shape(line)];
    const count = counts.get(log) ?? counts.set(log, {}).get(log);
    return (count[built] = (count[built] ?? 0) + 1) > few;
  });
  for (const line of alike) line.style.display = "none"; // axe's own way to leave things out takes longer than a look
  const { violations } = await axe.run(options);
  for (const line of alike) line.style.display = "";
  return violations;
}"""
FEW = 3


def violations(page: Page) -> list[dict[str, Any]]:
    """What axe finds. Its half a megabyte is put into a page once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(FIND, [OPTIONS, FEW])
    return found


def sound(page: Page, picture: Path | None = None) -> None:
    """No findings; and pictures for people to look at. The page is left as it was."""
    size, was = page.viewport_size, None
    for look in next(TURNS):
        page.set_viewport_size(look.size)
        was = was or page.evaluate(CHANGE, {})
        page.evaluate(CHANGE, {"theme": look.theme, "lang": look.lang})
        where = f"{look.theme}-{look.lang}-{look.size['width']}"
        if picture and PICTURES:
            page.screenshot(path=picture.with_name(f"{picture.name}-{where}.png"))
        found = violations(page)
        told = [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]
        assert told == [], f"{where} {picture}: " + "\n".join(told)
    page.evaluate(CHANGE, was)
    if size:
        page.set_viewport_size(size)
