"""Games of other packages: found, looked over, played on every engine; bad ones are named and harm nobody."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError

from tests.served import Served, play_on
from tripot import GAMES, OWN_GAMES
from tripot.cli.game_trial import problems
from tripot.core.game import Game
from tripot.core.game_check import BadGame, check_game
from tripot.core.layout import I8, OWNER, PUBLIC, Field, SeatAxis
from tripot.core.rulebook import BadRuleBook
from tripot.core.speech import Phrase, Sentence
from tripot.games.outside import VARIABLE, find_outside, load_game
from tripot.lab import leduc
from tripot.web.api.catalogue import catalogue
from tripot.web.api.static import PageFiles
from tripot.web.client import Refused

SOURCE = Path(leduc.__file__).parent
RULES = """# Rules
## L-1 Cards · Les cartes
### L-1.1 Six cards · Six cartes (R)
**en** There are six cards.

**fr** Il y a six cartes.
"""


APPLY = "def apply(s, seat, action):\n"  # of phases.py: what follows breaks it


def write_package(folder: Path, name: str, entry: str | None = None, **changes: tuple[str, str]) -> None:
    """Writes Leduc poker as a package called `name`; `changes` replace words in its files."""
    package = folder / name
    package.mkdir()
    for path in SOURCE.glob("*.py"):
        text = path.read_text("utf-8").replace("tripot.lab.leduc", name).replace('name="leduc"', f'name="{name}"')
        text = text.replace(*changes.get(path.stem, ("", "")))
        (package / path.name).write_text(text, "utf-8")
    (package / "RULES.md").write_text(RULES, "utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[tripot.games]\n{name} = {entry or f'{name}:GAME'}\n")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages, on the path of this process and of those it starts."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path.cwd()}")
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0].startswith("other_")]:
        del sys.modules[name]


def test_a_game_is_found_by_its_entry_point_and_a_broken_one_beside_it_is_named(packages: Path) -> None:
    write_package(packages, "other_leduc")
    write_package(packages, "other_raises", __init__=('"""Leduc', 'raise OSError("no\\nluck")\n"""Leduc'))
    write_package(packages, "other_empty", entry="other_empty:NOTHING")
    write_package(packages, "other_leaves", __init__=('"""Leduc', 'raise SystemExit(3)\n"""Leduc'))
    dumb = "class Dumb(BaseException):\n    def __str__(self):\n        return 1 / 0\n\nraise Dumb\n"
    write_package(packages, "other_dumb", __init__=('"""Leduc', f'{dumb}"""Leduc'))
    write_package(packages, "other_verrater", __init__=('name="other_verrater"', 'name="verrater"'))
    found = find_outside(OWN_GAMES)
    assert list(found.games) == ["other_leduc"]
    assert found.refused["other_raises:GAME"] == "cannot be loaded: OSError: no luck"
    assert "NOTHING" in found.refused["other_empty:NOTHING"]
    assert found.refused["other_leaves:GAME"] == "cannot be loaded: SystemExit: 3"
    assert found.refused["other_dumb:GAME"] == "cannot be loaded: Dumb: (it cannot say why)"
    assert found.refused["other_verrater:GAME"] == "the name 'verrater' is taken"


def test_games_are_named_by_a_variable_too(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_package(packages, "other_named", entry="other_none:GAME")
    monkeypatch.setenv(VARIABLE, "other_named:GAME, nonsense")
    found = find_outside(OWN_GAMES)
    assert list(found.games) == ["other_named"]
    assert found.refused["nonsense"] == "'nonsense' does not name a game: write module:GAME"


@pytest.mark.parametrize("reference", ["", ":", "module", "a:", ":b", "no_such_module_here:GAME", "os:getcwd"])
def test_what_names_no_game_is_refused_in_a_sentence(reference: str) -> None:
    with pytest.raises(BadGame) as refused:
        load_game(reference)
    assert "\n" not in str(refused.value)


# --- What is looked at ---


@dataclass
class Loose:
    """House rules that could be changed."""


def other_text(**changes: Any) -> Any:
    return SimpleNamespace(**{**vars(leduc.text), **changes})


BAD = {
    "name": ({"name": "Two words"}, "name: 'Two words' is not a word"),
    "seats": ({"seats": (2, 7)}, "seats: (2, 7) are not table sizes"),
    "no seats": ({"seats": ()}, "seats: () are not table sizes"),
    "version": ({"rules_version": 0}, "rules_version: 0"),
    "actions": ({"num_actions": 0}, "num_actions: 0"),
    "rule": ({"apply": None}, "apply: NoneType instead of a function apply(s, seat, action)"),
    "parameters": ({"legal": lambda s: None}, "legal: takes (s) instead of (s, seat, mask)"),
    "fields": ({"fields": [1]}, "fields: not a list"),
    "field": ({"fields": [f for f in leduc.GAME.fields if f.name != "waiting"]}, "fields: 'waiting' is missing"),
    "twice": ({"fields": [*leduc.GAME.fields, leduc.GAME.fields[0]]}, "fields: 'seats' is there twice"),
    "field name": (
        {"fields": [*leduc.GAME.fields, Field("my pile", I8, (), PUBLIC, 1, "")]},
        "fields: 'my pile' is not a name that Python takes",
    ),
    "shape": (
        {"fields": [*leduc.GAME.fields, Field("pile", I8, ("two",), PUBLIC, 1, "")]},  # type: ignore[arg-type]
        "fields: no state can be made of them: ",
    ),
    "options": ({"options": Loose}, "options: "),
    "heuristic": ({"heuristic": lambda view: 0}, "heuristic: takes (view) instead of (view, mask, memory)"),
    "guide": ({"guide": "wise"}, "guide: str is not what a Game may have there"),
    "lesson": ({"lessons": ("one",)}, "lessons: not all are tripot.core.lesson.Lesson"),
    "page": ({"page": SOURCE, "drawing": "none"}, "page: there is no drawing "),
    "facts": ({"text": other_text(FACTS=[1])}, "text: FACTS is list instead of a Mapping"),
    "staging": ({"text": other_text(STAGING={})}, "text: STAGING is dict instead of a Staging"),
    "option values": (
        {"text": other_text(OPTION_VALUES={"blind": ["one"]})},
        "text: OPTION_VALUES['blind'] is not a sequence of phrases",
    ),
    "no title": ({"text": other_text(TITLE=None)}, "text: TITLE is missing, or is not a Phrase"),
    "no French": ({"text": other_text(TAGLINE=Phrase("Six cards", ""))}, "text: TAGLINE has no French"),
    "few seats": ({"text": other_text(SEATS=leduc.text.SEATS[:1])}, "text: SEATS names 1 seats, but 2 can play"),
    "table": (
        {"text": other_text(DECISIONS={"fold": Sentence("L-2", "suit", "{suit}", "{suit}")})},
        "text: DECISIONS['fold'] looks numbers up in 'suit', which NAMES does not have",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_game_is_refused_with_what_is_missing(what: str) -> None:
    changes, told = BAD[what]
    with pytest.raises(BadGame) as refused:
        check_game(replace(leduc.GAME, **changes))
    assert str(refused.value).startswith(told)


@dataclass(frozen=True)
class Undeclared:
    """House rules without a clause, and without a range."""

    blind: int = 1


def of_another_function() -> Any:
    found = leduc.GAME.legal
    return lambda s, seat, mask: found(s, seat, mask)


def with_fields(*more: Field, **changes: Any) -> dict[str, Any]:
    fields = [replace(f, **changes) if f.name == "result" else f for f in leduc.GAME.fields]
    return {"fields": [*fields, *more]}


WHOLE_MESSAGES = {
    "an empty name": ({"name": ""}, "name: '' is not a word of small letters, digits and underscores"),
    "no name": ({"name": None}, "name: None is not a word of small letters, digits and underscores"),
    "half a version": ({"rules_version": "1"}, "rules_version: '1' is not a number from 1"),
    "a list of sizes": ({"seats": [2]}, "seats: [2] are not table sizes from 1 to 6"),
    "half a seat": ({"seats": (2, 2.5)}, "seats: (2, 2.5) are not table sizes from 1 to 6"),
    "nobody": ({"seats": (0,)}, "seats: (0,) are not table sizes from 1 to 6"),
    "too many actions": ({"num_actions": 4097}, "num_actions: 4097 is not from 1 to 4096"),
    "some actions": ({"num_actions": "3"}, "num_actions: '3' is not from 1 to 4096"),
    "a number for a rule": ({"apply": 3}, "apply: int instead of a function apply(s, seat, action)"),
    "a closure": (
        {"legal": of_another_function()},
        "legal: is a closure, which cannot be compiled; put it at the top of a module",
    ),
    "a tuple of fields": ({"fields": tuple(leduc.GAME.fields)}, "fields: not a list of tripot.core.layout.Field"),
    "a keyword": (
        with_fields(Field("class", I8, (), PUBLIC, 1, "")),
        "fields: 'class' is not a name that Python takes",
    ),
    "rows for others": (
        with_fields(Field("pile", I8, (3,), OWNER, 1, "")),
        "fields: 'pile' is each owner's own, so its first axis counts 2 seats",
    ),
    "an axis of others": (
        with_fields(Field("pile", I8, (4, SeatAxis(3)), PUBLIC, 1, "")),
        "fields: an axis of 'pile' counts other seats than the 2 of the largest table",
    ),
    "another victory": (with_fields(highest=61), "fields: 'result' runs to 61 instead of 60"),
    "undeclared options": (
        {"options": Undeclared},
        "options: blind is not declared with tripot.core.options.option",
    ),
    "no options": ({"options": 3}, "options: 3 is not a frozen dataclass"),
    "a seat without French": (
        {"text": other_text(SEATS=[Phrase("North", "Nord"), Phrase("South", "")])},
        "text: SEATS[1] has no French",
    ),
    "a tagline without English": ({"text": other_text(TAGLINE=Phrase("", "Six"))}, "text: TAGLINE has no English"),
    "a name without French": (
        {"text": other_text(NAMES={"card": [Phrase("Jack", "Valet"), Phrase("Queen", "")]})},
        "text: NAMES['card'][1] has no French",
    ),
    "a name that is no phrase": (
        {"text": other_text(NAMES={"card": ["Jack"]})},
        "text: NAMES['card'][0] is str instead of a Phrase",
    ),
    "a question that is no sentence": (
        {"text": other_text(QUESTIONS={1: Phrase("What?", "Quoi ?")})},
        "text: QUESTIONS[1] is Phrase instead of a Sentence",
    ),
    "news of nothing": (
        {"text": other_text(NEWS={2: Sentence("L-2", "suit*", "{suit}", "{suit}")})},
        "text: NEWS[2] looks numbers up in 'suit*', which NAMES does not have",
    ),
    "values that are no phrases": (
        {"text": other_text(OPTION_VALUES={"blind": 3})},
        "text: OPTION_VALUES['blind'] is not a sequence of phrases",
    ),
}


@pytest.mark.parametrize("what", WHOLE_MESSAGES)
def test_a_bad_game_is_refused_in_these_words(what: str) -> None:
    changes, told = WHOLE_MESSAGES[what]
    with pytest.raises(BadGame) as refused:
        check_game(replace(leduc.GAME, **changes))
    assert str(refused.value) == told


def test_a_game_may_go_to_its_limits() -> None:
    check_game(replace(leduc.GAME, num_actions=4096, name="a" + 31 * "_"))
    with pytest.raises(BadGame, match="is not a word"):
        check_game(replace(leduc.GAME, name="a" + 32 * "_"))
    check_game(replace(leduc.GAME, num_actions=1, text=other_text(OPTION_VALUES={"blind": (Phrase("a", "b"),)})))
    text = other_text(
        NEWS={2: Sentence("L-2", "card* number seat", "{card} {number} {seat}", "{card} {number} {seat}")}
    )
    check_game(replace(leduc.GAME, text=text))
    six = [Phrase("One", "Un")] * 6
    fields = [replace(f, shape=(SeatAxis(6),)) if f.name == "result" else f for f in leduc.GAME.fields]
    fields = [replace(f, shape=(6, *f.shape[1:])) if f.sight is OWNER else f for f in fields]
    fields = [replace(f, shape=tuple(SeatAxis(6) if isinstance(n, SeatAxis) else n for n in f.shape)) for f in fields]
    check_game(replace(leduc.GAME, seats=(1, 6), fields=fields, text=other_text(SEATS=six)))


def test_every_house_rule_is_explained_in_the_rule_book(monkeypatch: pytest.MonkeyPatch) -> None:
    game = OWN_GAMES["verrater"]
    monkeypatch.setattr("tripot.core.game_check.option_texts", lambda _: {"tie_break": 1})
    rules = sorted({f.name for f in fields_of(game.options)} - {"tie_break"})
    with pytest.raises(BadGame, match=f"^RULES.md beside the texts does not explain the house rule {rules[0]}$"):
        check_game(game)

    def bad(_: Game) -> None:
        raise BadRuleBook("line 3: no heading")

    monkeypatch.undo()
    monkeypatch.setattr("tripot.core.game_check.rule_book", bad)
    with pytest.raises(BadGame, match=r"^RULES.md: line 3: no heading$"):
        check_game(game)


def test_what_is_no_game_at_all_is_refused() -> None:
    with pytest.raises(BadGame, match=r"^this is int, not a tripot.core.game.Game$"):
        check_game(1)


@pytest.mark.parametrize("game", [*OWN_GAMES.values(), leduc.GAME], ids=lambda game: game.name)
def test_games_that_ship_pass(game: Game) -> None:
    check_game(game)
    assert list(problems(game)) == []


def writes_too_much(s, seat, action):
    leduc.GAME.apply(s, seat, action)
    s.result[0] = 61


def asks_nobody(s, seat, action):
    s.waiting = 0


@pytest.mark.parametrize(
    ("apply", "told"),
    [
        (writes_too_much, "a rule writes what its field does not allow"),
        (asks_nobody, "after 1 decisions nobody is asked"),
    ],
)
def test_a_trial_finds_rules_that_go_wrong(apply: Any, told: str) -> None:
    assert next(iter(problems(replace(leduc.GAME, apply=apply)))).startswith(told)


# --- Every interface ---


def test_a_drawing_of_another_package_is_served_from_its_own_folder_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "cards.js").write_text("export const drawing = {};")
    (tmp_path / "secret.txt").write_text("secret")
    game = replace(leduc.GAME, drawing="cards", page=tmp_path / "page")
    monkeypatch.setitem(GAMES, game.name, game)
    assert catalogue(game).drawing == "outside/leduc/cards"
    files = PageFiles()
    assert files.lookup_path("games/outside/leduc/cards.js")[0] == str((tmp_path / "page" / "cards.js").resolve())
    for path in ("games/outside/leduc/../secret.txt", "games/outside/verrater/cards.js", "games/outside/none/cards.js"):
        assert files.lookup_path(path)[1] is None
    assert Path(files.lookup_path("art/leduc-sign.svg")[0]).name == "pot.svg"  # it brings no sign of its own
    (tmp_path / "page" / "sign.svg").write_text("<svg/>")
    assert files.lookup_path("art/leduc-sign.svg")[0] == str((tmp_path / "page" / "sign.svg").resolve())
    assert files.lookup_path("art/nobody-sign.svg")[1] is None


def tripot(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, "-m", "tripot", *words], capture_output=True, text=True, env=given, check=False
    )


@pytest.mark.process
def test_the_command_line_lists_games_and_what_is_wrong_with_them(packages: Path) -> None:
    write_package(packages, "other_leduc")
    write_package(packages, "other_stuck", phases=("s.waiting = ", "s.waiting = 0 * "))
    write_package(packages, "other_silent", text=('"Poker de Leduc"', '""'))
    done = tripot("games", "--json")
    rows = {row["game"]: row for row in json.loads(done.stdout)["games"]}
    assert done.returncode == 1 and set(OWN_GAMES) < set(rows)
    assert rows["other_leduc"]["problem"] is None and rows["other_leduc"]["title"] == "Leduc poker"
    assert "nobody is asked" in rows["other_stuck"]["problem"]
    assert rows["other_silent:GAME"]["problem"] == "text: TITLE has no French"
    assert "NOT USABLE: text: TITLE has no French" in tripot("games", "--no-trial").stdout


@pytest.mark.process
def test_what_playing_a_game_by_its_reference_prints_leads_back_to_it(
    packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write_package(packages, "other_leduc", entry="other_none:GAME")  # nobody finds it by its name
    folder = tmp_path_factory.mktemp("saved")

    def run_in_shell(command: str, typed: str = "") -> str:
        shell = command.replace("tripot ", f"{sys.executable} -m tripot ")
        done = subprocess.run(
            shell, shell=True, cwd=folder, input=typed, capture_output=True, text=True, env=os.environ, check=False
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    told = run_in_shell("tripot play other_leduc:GAME --seed 1 --bots uniform --lang en")
    resume = re.findall(r"Continue with: (tripot .*)", told)
    assert resume and resume[0].startswith("tripot play other_leduc:GAME --resume ")
    told = run_in_shell(f"{resume[0]} --lang en", "1\n" * 20)
    review = re.findall(r"Review it with: (.*)", told)
    assert review and "other_leduc" in run_in_shell(f"{review[0]} --json")


@pytest.mark.native
def test_a_game_of_another_package_plays_alike_on_every_engine_and_in_the_arena(packages: Path) -> None:
    write_package(packages, "other_leduc")
    played = {}
    for name, engine in (("other_leduc", "python"), ("other_leduc:GAME", "native")):
        done = tripot("simulate", name, "--games", "50", "--engine", engine, "--json")
        assert done.returncode == 0, done.stderr
        played[engine] = json.loads(done.stdout)["checksum"]
    assert played["python"] == played["native"]
    done = tripot("arena", "other_leduc:GAME", "--bots", "search:20,uniform", "--games", "8", "--json")
    assert done.returncode == 0, done.stderr
    assert {row["bot"] for row in json.loads(done.stdout)["bots"]} == {"search:20", "uniform"}
    assert "There are six cards." in tripot("rules", "other_leduc", "1.1", "--lang", "en").stdout


@pytest.mark.server
def test_a_game_of_another_package_is_played_over_the_web_and_kept_with_its_rules(packages: Path) -> None:
    write_package(packages, "other_leduc")
    with Served(packages / "tables.sqlite") as server:
        assert "other_leduc" in [game.name for game in server.client.games().games]
        table = server.open_table("other_leduc", ["here", "easy"])
        play_on(server.sit_all(table), random.Random(1))
        assert server.client.table(table.table.id).status == "over"
        record = json.loads(server.client.record(table.table.id, table.tokens[0].token))
        assert record["game"] == "other_leduc" and record["rules"] == 1


@pytest.mark.server
def test_games_that_are_broken_or_break_while_they_are_played_harm_no_other_table(packages: Path) -> None:
    write_package(packages, "other_leduc")
    write_package(packages, "other_raises", __init__=('"""Leduc', 'raise OSError("no luck")\n"""Leduc'))
    write_package(packages, "other_silent", text=('"Poker de Leduc"', '""'))
    write_package(packages, "other_fails", phases=("def apply(s, seat, action):\n", APPLY + "    s.result[9] = 1\n"))
    write_package(packages, "other_wide", phases=("def apply(s, seat, action):\n", APPLY + "    s.result[0] = 200\n"))
    write_package(packages, "other_asks_nobody", phases=("s.waiting = ", "s.waiting = 0 * "))
    with Served(packages / "tables.sqlite") as server:
        listed = {game.name for game in server.client.games().games}
        assert {*OWN_GAMES, "other_leduc"} < listed and not listed & {"other_raises", "other_silent"}
        for name in ("other_fails", "other_wide"):
            assert server.client.catalogue(name).title.en == "Leduc poker"
            table = server.open_table(name, ["here", "easy"])
            with pytest.raises((ConnectionClosedError, Refused), match="internal"):  # of that table alone
                play_on(server.sit_all(table), random.Random(1), most=1)
        server.open_table("other_asks_nobody", ["here", "easy"])
        table = server.open_table("other_leduc", ["here", "easy"])
        play_on(server.sit_all(table), random.Random(1))
        assert server.client.table(table.table.id).status == "over"
        logged = server.end()
        assert "other_fails/phases.py" in logged and "other_leduc" not in logged
