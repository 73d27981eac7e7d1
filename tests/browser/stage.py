"""Was everything that nobody may miss on the stage? Whole games in a real browser, with a recorder in the page.

`python -m tests.browser.stage --games 20` plays that many games of each game at every speed, with reduced motion, and
with pauses of two seconds. The recorder notes what stood on the stage and in the log, and when. A game fails if a piece
of news that begins a set piece was in the log before it was on the stage, came out of order, was never shown, or went
before its time without the person going on; or if a question was asked while a set piece was shown. At every question
the window is made a phone, upright and on its side: a game fails if hand or question is out of sight there.

Every game is written to a file when it is over, and those that the file has are not played again, unless they had a
fault: a run that was stopped, or had only `--minutes 8`, goes on where it was. The table at the end counts all games in
the file; `--write docs/testing.md` puts it there. A second process with `--backwards` begins at the other end.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from bench.page import write_section
from tests.browser.conftest import DESK, FLAGS, KNOWS, PATIENCE, PHONE
from tests.browser.in_sight import out_of_sight
from tests.browser.person import CHOICES, LONGEST, STILL, WARNED, open_table
from tests.served import Served
from tests.system_packages import chromium
from tripot import GAMES

Look = Callable[[Page], list[str]]
OWN_PIECE = 1600  # milliseconds that a set piece stays that tells only what the person has just decided
READING = 1000  # milliseconds until the person leaves a still
HURRY = 100  # the clock of the page runs as many times faster


class Way(NamedTuple):
    """How a person wants the news to be shown."""

    motion: str = "brisk"
    pause: int = 0  # seconds; 0: until the person goes on
    reduced: bool = False


WAYS = {
    "calm": Way("calm"),
    "brisk": Way("brisk"),
    "off": Way("off"),
    "reduced": Way(reduced=True),
    "two seconds": Way("brisk", pause=2),
}
IN_WORDS = {"calm": "slow", "brisk": "fast", "off": "no animation", "reduced": "reduced motion"}

RECORDER = """([motion, pause, hurry, lang]) => {
  localStorage.setItem("tripot.settings", JSON.stringify({ lang, motion, pause }));
  const [later, forget] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  const second = {}; // time begins when what was to be shown is there: on a busy machine that takes a while
  window.setTimeout = (act, time = 0, ...more) => {
    const first = later(() => (second[first] = later(act, Math.ceil(time / hurry), ...more)));
    return first;
  };
  window.clearTimeout = (timer) => {
    forget(timer);
    forget(second[timer]);
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    return animate.call(this, frames, { ...how, duration: how.duration / hurry });
  };
  const seen = { stage: {}, log: {}, left: [], early: [] };
  let there = [];
  const look = () => {
    const now = performance.now() * hurry;
    const stage = document.querySelector(".set-piece:not(.absence)");
    for (const line of there) seen.stage[line].last = now; // it stood there until this change
    there = [...(stage?.querySelectorAll("[data-news]") ?? [])].map((told) => told.dataset.news);
    for (const told of stage?.querySelectorAll("[data-news]") ?? []) {
      const line = told.dataset.news;
      seen.stage[line] ??= { first: now, last: now, text: told.textContent.trim() };
    }
    for (const told of document.querySelectorAll(".log .log-lines [data-news]")) {
      seen.log[told.dataset.news] ??= { first: now, text: (told.querySelector(".line") ?? told).textContent.trim() };
    }
    if (stage && document.querySelector(".choice.mine")) seen.early.push(stage.dataset.piece);
  };
  const all = { childList: true, subtree: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document, all);
  addEventListener("click", ({ target }) => {
    const stage = target.closest?.(".set-piece.still");
    if (stage) seen.left.push(...[...stage.querySelectorAll("[data-news]")].map((told) => Number(told.dataset.news)));
  }, { capture: true });
  window.recorder = () => {
    look();
    const page = document.querySelector("tripot-table");
    return { ...seen, items: page.places[0].connection.log, staging: page.catalogue.staging };
  };
}"""

# A person in the page itself, who sees at once what has changed; asked from outside, each look costs a message or two.
PERSON = """([choices, still, warned, passing, reading, patience]) => {
  const one = (wanted) => document.querySelector(wanted);
  const changes = { childList: true, subtree: true, attributes: true };
  const until = (there) => new Promise((resolve) => {
    const look = () => {
      const found = there();
      if (found) watcher.disconnect();
      if (found) resolve(found);
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document, changes);
    look();
  });
  const click = (thing) => thing.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const asked = () => one(`${choices}:not([disabled])`) ?? one(".results");
  // Waits for a question, past all reveals, which take a while to read; false when the game is over.
  const turn = async () => {
    for (;;) {
      const there = await until(() => (passing ? null : one(still)) ?? asked());
      if (passing || !there.matches(still)) return !one(".results");
      await new Promise((read) => setTimeout(read, reading));
      if (one(still)) click(one(still));
    }
  };
  // Makes one choice at random and confirms it: from the list, or from what is drawn on the table.
  const choose = async (...lots) => {
    if (!(await turn())) return;
    const offer = one("main").dataset.moment.split(".").slice(0, 2).join("."); // news may come while one chooses
    const gone = () => one(`main:not([data-moment^="${offer}."])`);
    while (!gone()) {
      const drawn = document.querySelectorAll(":is(.board-area, .hand, .players) [data-action]");
      const listed = document.querySelectorAll(choices);
      const [way, lot] = [lots.shift(), lots.shift()];
      const things = drawn.length && way < 0.5 ? drawn : listed;
      const picked = one(".choice").dataset.picks ?? "";
      click(things[Math.floor(lot * things.length)]);
      await until(() => gone() ?? one(`.choice.mine:not([data-picks="${picked}"])`) ?? one(".refusal"));
      await until(() => gone() ?? one("#confirm:not([disabled])") ?? one(`${choices}:not([disabled])`));
      if (gone() || !one("#confirm:not([disabled])")) continue;
      click(one("#confirm"));
      if ((await until(() => gone() ?? one(warned))).matches(warned)) click(one(warned));
      await until(gone);
    }
  };
  const inTime = (work) => {
    const late = new Promise((_, fail) => setTimeout(() => fail(Error("nothing happens")), patience));
    return Promise.race([work, late]);
  };
  window.person = { turn: () => inTime(turn()), choose: (lots) => inTime(choose(...lots)) };
}"""


def watch(page: Page, way: Way, hurry: int = HURRY, lang: str = "en") -> None:
    """Puts the recorder and the person who plays into every page that is opened from now on."""
    page.add_init_script(f"({RECORDER})({json.dumps([way.motion, way.pause, hurry, lang])})")
    page.add_init_script(
        f"({PERSON})({json.dumps([CHOICES, STILL, WARNED, way.pause > 0, READING, PATIENCE * hurry])})"
    )


def faults(seen: dict[str, Any], way: Way) -> list[str]:
    """What the recorder saw that must not be."""
    found = [f"a question was asked during the set piece {name}" for name in seen["early"]]
    opens = {kind for piece in seen["staging"]["pieces"].values() for kind in piece["opens"]}
    better = {int(kind): whisper for kind, whisper in seen["staging"]["told_better"].items()}
    said = {(decision, kind) for decision, kind, *_ in seen["items"]}
    shown = []
    for line, (decision, kind, *_) in enumerate(seen["items"]):
        if kind not in opens or (decision, better.get(kind)) in said:
            continue
        stage, log = seen["stage"].get(str(line)), seen["log"].get(str(line))
        if stage is None or log is None:
            found.append(f"line {line} was never {'on the stage' if stage is None else 'in the log'}: {log or stage}")
            continue
        shown.append(line)
        if stage["first"] > log["first"]:
            found.append(f"line {line} was in the log first: {log['text']}")
        if stage["text"] != log["text"]:
            found.append(f"line {line} says {stage['text']!r} on the stage and {log['text']!r} in the log")
        if line not in seen["left"] and stage["last"] - stage["first"] < min(OWN_PIECE, way.pause * 1000 or OWN_PIECE):
            found.append(f"line {line} left the stage too soon: {stage['text']}")
    times = [seen["stage"][str(line)]["first"] for line in shown]
    found += [f"line {shown[i]} came after line {shown[i + 1]}" for i, at in enumerate(times[:-1]) if at > times[i + 1]]
    return found if shown else [*found, "nothing was shown"]


class Seen(NamedTuple):
    """What came of one game."""

    lines: int  # lines of the log that stood on the stage
    questions: int  # at which hand and question were looked for
    faults: list[str]


def play_watched(
    page: Page,
    game: str,
    way: Way,
    seed: int,
    seats: int | None = None,
    look: Look = out_of_sight,
    rules: dict[str, int] | None = None,
) -> Seen:
    """Plays a whole game while the recorder runs; at every question `look` says what it finds wrong."""
    luck, asked, hidden = random.Random(seed), 0, list[str]()
    page.goto("/")
    open_table(page, game, seats=seats, rules=rules)
    while page.evaluate("person.turn()"):
        asked, hidden = asked + 1, [*hidden, *look(page)]
        page.evaluate("(lots) => person.choose(lots)", [luck.random() for _ in range(2 * LONGEST)])
    seen = page.evaluate("window.recorder()")
    return Seen(len(seen["stage"]), asked, faults(seen, way) + hidden)


def play_one(browser: Browser, server: Served, game: str, name: str, seed: int) -> Seen:
    """Plays one game in one way, in a browser context of its own; two games in English, two in French."""
    way, sizes = WAYS[name], GAMES[game].seats
    context = browser.new_context(
        base_url=server.address,
        viewport=PHONE if seed % 2 else DESK,
        reduced_motion="reduce" if way.reduced else "no-preference",
        service_workers="block",
    )
    page = context.new_page()
    page.add_init_script(KNOWS)
    page.set_default_timeout(PATIENCE)
    watch(page, way, lang=("en", "fr")[seed // 2 % 2])
    try:
        return play_watched(page, game, way, seed, sizes[seed % len(sizes)])
    except Exception as error:
        return Seen(0, 0, [f"{type(error).__name__}: {str(error).splitlines()[0]}"])
    finally:
        context.close()


Played = dict[tuple[str, str, int], Seen]


def played(file: Path) -> Played:
    """The games in a file of results."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    return {(row["game"], row["way"], row["seed"]): Seen(row["lines"], row["questions"], row["faults"]) for row in rows}


def report(done: Played) -> int:
    """Prints what came of all games. Returns the number of faults."""
    print(f"{'game':9} {'way':12} games  lines  questions  faults")
    for game, name in dict.fromkeys((game, name) for game, name, _ in sorted(done)):
        these = [seen for (g, w, _), seen in done.items() if (g, w) == (game, name)]
        wrong = sum(len(seen.faults) for seen in these)
        lines, asked = sum(seen.lines for seen in these), sum(seen.questions for seen in these)
        print(f"{game:9} {name:12} {len(these):5}  {lines:5}  {asked:9}  {wrong:6}")
    for (game, name, seed), seen in done.items():
        for fault in seen.faults[:3]:
            print(f"    {game}, {name}, game {seed}: {fault[:300]}")
    return sum(len(seen.faults) for seen in done.values())


def as_table(done: Played, wanted: int) -> str:
    """What came of all games, for a page."""
    ways = list(WAYS)
    rows = [["game", *(IN_WORDS.get(name, name) for name in ways), "lines on the stage", "questions", "faults"]]
    for game in GAMES:
        these = {key: seen for key, seen in done.items() if key[0] == game}
        counts = [sum(way == name for _, way, _ in these) for name in ways]
        lines, asked = sum(seen.lines for seen in these.values()), sum(seen.questions for seen in these.values())
        wrong = sum(len(seen.faults) for seen in these.values())
        numbers = [*counts, lines, asked, wrong]
        rows.append([GAMES[game].text.TITLE.en, *(f"{number:,}" for number in numbers)])
    rows.insert(1, ["---", *(["--:"] * (len(rows[0]) - 1))])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    whole = wanted * len(GAMES) * len(WAYS)
    return f"Games of each way; {len(done)} of {whole}, on {date.today()}:\n\n{table}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=20, help="of each game in each way")
    parser.add_argument("--only", choices=list(GAMES), nargs="*", default=list(GAMES))
    parser.add_argument("--ways", choices=list(WAYS), nargs="*", default=list(WAYS))
    parser.add_argument("--save", type=Path, default=Path("build/stage.jsonl"), help="the file of results")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table into this page")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin no game after this time")
    parser.add_argument("--backwards", action="store_true", help="begin with the last game")
    args = parser.parse_args()
    until = time.monotonic() + 60 * args.minutes
    args.save.parent.mkdir(parents=True, exist_ok=True)
    games = list(product(range(args.games), args.only, args.ways))
    with Served(Path(tempfile.mkdtemp()) / "tables.sqlite") as server, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=FLAGS)
        for seed, game, name in reversed(games) if args.backwards else games:
            before = played(args.save).get((game, name, seed))
            if (before is not None and not before.faults) or time.monotonic() > until:
                continue
            since = time.monotonic()
            seen = play_one(browser, server, game, name, seed)
            row = {"game": game, "way": name, "seed": seed, **seen._asdict(), "seconds": time.monotonic() - since}
            with args.save.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        browser.close()
    done = played(args.save)
    if args.write is not None:
        write_section(args.write, "stage", as_table(done, args.games))
    return 1 if report(done) else 0


if __name__ == "__main__":
    sys.exit(main())
