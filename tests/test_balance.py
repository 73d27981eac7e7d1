"""The balance report: usage of decisions and news, columns of house rules, and a self-contained page."""

import json
import random
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests import pennies
from tests.cases import Case, every_game, play_on, real_tables
from tripot import GAMES
from tripot.cli import main
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.layout import PUBLIC
from tripot.core.speech import Sentence, outline
from tripot.games.verrater.actions import News
from tripot.games.verrater.cards import Role
from tripot.lab.arena import workers
from tripot.lab.arena.contest import Played
from tripot.lab.arena.games_file import BadGamesFile
from tripot.lab.arena.workers import run_here
from tripot.lab.balance.balance import measure, read_columns
from tripot.lab.balance.chart import Mark, forest, histogram, number, ticks
from tripot.lab.balance.hooks import clock_field, side_field, side_names, standing
from tripot.lab.balance.report import report
from tripot.lab.balance.usage import DECISION, NEWS, GameUsage, Item, LeadTracker, measure_game

pytestmark = pytest.mark.native

GAME = GAMES["verrater"]


def measured(case: Case, seed: int) -> GameUsage:
    """The usage of a random game."""
    table = case.table(seed)
    play_on(table, random.Random(seed))
    nothing = (0,) * case.seats
    times, decisions = (0.0,) * case.seats, tuple(table.decisions)
    played = Played(seed, nothing, tuple(table.result), nothing, nothing, times, decisions)
    return measure_game(case.game, case.options, played)


# --- Usage ---


@real_tables
def test_every_decision_and_every_piece_of_news_is_counted_once(case: Case) -> None:
    told = measured(case, 3)
    whole = {item: use for item, use in told.uses.items() if not item.place}
    assert sum(use.used for item, use in whole.items() if item.sort == DECISION) == told.length
    assert all(use.taken <= use.offered and use.taken <= use.used for use in told.uses.values())
    for item, use in whole.items():  # each name of a decision or of news is counted as often as the whole
        for place in {part.place for part in told.uses if part[:2] == item[:2] and part.place}:
            assert sum(u.used for part, u in told.uses.items() if part[:3] == (*item[:2], place)) == use.used


def test_usage_is_counted_for_any_game() -> None:
    told = measured(Case(pennies.GAME, 3, pennies.GAME.options()), 1)
    shown = told.uses[Item(NEWS, str(int(pennies.News.SHOWN)))]
    assert shown.used == 9  # three rounds, three seats
    assert told.clock is None and told.lead_changes is None and told.settled is None


def test_four_seats_keep_a_role_in_each_of_eight_rounds_and_show_it() -> None:
    told = measured(Case(GAME, 4, GAME.options()), 5)
    assert told.clock == 8 and told.uses[Item(DECISION, "keep")].used == 32
    for role in Role:
        kept = told.uses.get(Item(DECISION, "keep", "role", role))
        shown = told.uses.get(Item(NEWS, str(int(News.ROLE_SHOWN)), "role", role))
        assert (kept.used if kept else 0) == (shown.used if shown else 0)


def test_win_shares_are_summed_over_seats_that_took_a_decision_and_seats_that_passed() -> None:
    """One round of pennies; seat 0 wins. Its decisions count two fair shares, those of seat 1 none."""
    game = pennies.GAME
    s = game.new_state(game.options(), 2, 2)
    laid = [(seat, game.legal_actions(s, seat)[1]) for seat in (0, 1)]
    decisions = (*laid, (0, 0), (1, 0))
    told = measure_game(game, game.options(), Played(2, (0, 0), (WHOLE_WIN, 0), (), (0, 0), (0.0, 0.0), decisions))
    lay, done = told.uses[Item(DECISION, "lay")], told.uses[Item(DECISION, "done")]
    assert (lay.used, lay.taken, lay.won_taken, lay.won_passed) == (2, 2, 2.0, 2.0)
    assert (done.used, done.offered, done.taken, done.won_taken, done.won_passed) == (2, 4, 2, 2.0, 2.0)


def test_lead_changes_are_those_of_a_sole_leader() -> None:
    class Score:
        def __init__(self, *points: int) -> None:
            self.points, self.seats = list(points), len(points)

    lead = LeadTracker(GAME)
    for points in [(0, 0), (2, 1), (2, 2), (3, 2), (3, 3), (3, 4), (4, 4), (4, 5), (9, 5)]:
        lead.update(Score(*points))
    assert (lead.changes, lead.leader, lead.last) == (2, 0, 9)


def test_an_outline_shows_unknown_names_as_dots() -> None:
    sentence = Sentence(
        "X-1", "seat the_land number:n", "{seat} takes {the_land} for {n} {n|point|points}", "{the_land}"
    )
    assert outline(sentence, {"the_land": "the city"}, "en") == "… takes the city for … points"
    assert outline(sentence, {"the_land": "la ville"}, "fr") == "La ville"


# --- Hooks ---


@every_game
def test_the_hooks_of_a_game_fit_its_state(game: Game) -> None:
    public = {f.name: f for f in game.fields if f.sight is PUBLIC}
    s = game.new_state(game.options(), max(game.seats), 1)
    side, clock, standing_of = side_field(game), clock_field(game), standing(game)
    if side is not None:
        assert public[side].shape == (max(game.seats),) and len(side_names(game)) == public[side].highest + 1
    if clock is not None:
        assert public[clock].shape == ()
    if standing_of is not None:
        assert len(standing_of(s)) == s.seats


# --- Columns ---


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    rules = read_columns(GAME, ["strategist_points=12", "strategist_points = 0; tie_break=supply"])
    return measure(GAME, 4, "sensible", 60, 0, rules, run_here)


def test_columns_are_the_printed_rules_and_one_for_each_option(facts: dict[str, Any]) -> None:
    given = [column["options"] for column in facts["columns"]]
    assert given == [{}, {"strategist_points": 12}, {"strategist_points": 0, "tie_break": "supply"}]
    assert json.loads(json.dumps(facts)) == facts
    for column in facts["columns"]:
        assert column["games"] == 60
        for part, shares in (("seats", 4), ("sides", 2)):
            ratios = [entry["share_ratio"]["value"] for entry in column[part]]
            assert len(ratios) == shares and sum(ratios) == pytest.approx(shares, abs=0.001)
        for name in ("length", "clock", "lead_changes"):
            spread = column[name]["spread"]
            mean = sum(int(value) * count for value, count in spread.items()) / 60
            assert sum(spread.values()) == 60 and column[name]["mean"]["value"] == pytest.approx(mean, abs=0.001)
        for item in (*column["decisions"], *column["news"]):
            for quantity in (item[name] for name in ("per_game", "taken", "win_ratio") if name in item):
                low, high = quantity["interval"]
                assert low - 1e-9 <= quantity["value"] <= high + 1e-9


def test_a_house_rule_shows_its_effect_deal_by_deal(facts: dict[str, Any]) -> None:
    printed, dear, cheap = (
        {(item["key"], item["place"], item["value"]): item for item in column["decisions"]}
        for column in facts["columns"]
    )
    strategist = ("keep", "role", int(Role.STRATEGIST))
    assert "difference" not in printed[strategist]["per_game"]
    assert dear[strategist]["taken"]["value"] == 1.0  # worth twelve points: always taken when offered
    low, high = cheap[strategist]["per_game"]["difference"]  # worth no points
    assert low <= high < -2 and cheap[strategist]["taken"]["value"] < 0.2
    assert printed[strategist]["text"] == {"en": "Keep the Strategist", "fr": "Garder le Stratège"}


# --- The page ---


class Page(HTMLParser):
    """The tags and attributes of a page; every tag must be closed in order."""

    EMPTY = ("meta", "input", "br", "line", "circle", "rect")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_self_contained_and_has_both_languages(facts: dict[str, Any]) -> None:
    text = report(facts, "fr")
    page = Page(text)
    assert "svg" in page.tags and not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not [value for name, value in page.attributes if name in ("href", "src") or name.startswith("on")]
    assert "url(" not in text and "http" not in text and "@import" not in text
    assert text.count('class="en"') == text.count('class="fr"') > 50
    assert '<html lang="fr">' in text and re.search(r'id="french" checked', text)
    for said in (
        "L’équilibre de Verräter",
        "The balance of Verräter",
        "Garder le Stratège",
        "strategist_points=12",
        "▲",
    ):
        assert said in text


def test_charts_accept_any_numbers() -> None:
    Page(forest([("a", [Mark(1, 1, 1, 0)]), ("b", [])], "nothing"))
    Page(histogram({5: 3}, 0, 5, 5, "one value"))
    Page(histogram({0: 1, 999: 2}, 7, 0, 999, "far apart"))
    assert ticks(0.0, 4.0)[0] == 0 and 4 <= len(ticks(0.93, 1.07)) <= 9
    assert number(1.5) == '<span class="en" lang="en">1.50</span><span class="fr" lang="fr">1,50</span>'


# --- Saved games ---


def test_a_report_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in its second column, it plays only what is missing, and reports what one run would have."""
    monkeypatch.setattr(workers, "QUICK_GAMES", 20)  # in a unit
    rules, asked = read_columns(GAME, ["strategist_points=12"]), []

    def stops(task: Any, work: Any) -> Iterator[Any]:
        for done, unit in enumerate(work):
            if unit.contest.options != "{}" and done == 1:
                raise KeyboardInterrupt
            yield task(unit)

    def counts(task: Any, work: Any) -> Iterator[Any]:
        asked.extend(game for unit in work for game in unit.games)
        return run_here(task, work)

    whole = measure(GAME, 3, "sensible", 25, 0, rules, run_here)
    with pytest.raises(KeyboardInterrupt):
        measure(GAME, 3, "sensible", 25, 0, rules, stops, folder=tmp_path)
    assert measure(GAME, 3, "sensible", 25, 0, rules, counts, folder=tmp_path) == whole
    assert len(asked) == 5 and len(list(tmp_path.iterdir())) == 2
    assert measure(GAME, 3, "sensible", 4, 0, rules, counts, folder=tmp_path)["games"] == 4
    assert len(asked) == 5


def test_games_saved_without_decisions_are_refused(tmp_path: Path) -> None:
    measure(GAME, 3, "sensible", 2, 0, [GAME.options()], run_here, folder=tmp_path)
    (saved,) = tmp_path.iterdir()
    header, *rows = saved.read_text().splitlines()
    rows = [json.dumps({name: value for name, value in json.loads(row).items() if name != "decisions"}) for row in rows]
    saved.write_text("\n".join([header, *rows, ""]))
    with pytest.raises(BadGamesFile, match="deal 0 was saved without its decisions"):
        measure(GAME, 3, "sensible", 2, 0, [GAME.options()], run_here, folder=tmp_path)


# --- The command ---


def test_the_command_writes_the_page_and_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    words = ["balance", "verrater", "--bot", "uniform", "--games", "3", "--seats", "3", "--workers", "1"]
    words += ["--save", str(tmp_path / "kept")]
    assert main.run([*words, "--option", "strategist_points=1", "-o", str(path), "--json", "--lang", "en"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["seats"], found["bot"], found["games"], len(found["columns"])) == (3, "uniform", 3, 2)
    assert "The balance of Verräter" in path.read_text("utf-8")
    assert len(list((tmp_path / "kept").iterdir())) == 2


BAD_WORDS = {
    "--games 3": "name a file for the report",
    "--games 0 --json": "cannot play 0 games",
    "--bot nobody --json": "unknown bot 'nobody'",
    "--option nothing=1 --json": "unknown option 'nothing'",
    "--option first=9 --json": "this table has 4 seats",
    "--option first --json": "'first' is not an option: write name=value",
    "--games 10000000 -o /nowhere/at/all.html": "/nowhere/at/all.html cannot be written",
    "--games 10000000 --save /dev/null/kept --json": "cannot create the folder /dev/null/kept",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_a_bad_command_is_one_sentence(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["balance", "verrater", *words.split()]) == 2
    said = capsys.readouterr()
    assert BAD_WORDS[words] in said.err and said.err.count("\n") == 1
