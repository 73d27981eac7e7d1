"""The ladder's command: one page for all games, saved games are resumed, bad input is refused before any game."""

import json
from pathlib import Path

import pytest

from tripot import GAMES
from tripot.cli import main
from tripot.lab.arena import ladder

pytestmark = pytest.mark.native

WORDS = ["ladder", "--bots", "sensible,uniform", "--workers", "1"]


def lines(folder: Path) -> dict[str, int]:
    """By game, the number of lines in its file of saved games."""
    return {path.name.split("-")[0]: len(path.read_text().splitlines()) for path in folder.iterdir()}


def test_a_page_rates_the_bots_of_all_games_and_resumes_saved_games(tmp_path: Path) -> None:
    kept, page = tmp_path / "deep" / "kept", tmp_path / "ratings.md"
    assert main.run([*WORDS, "--games", "4", "--save", str(kept), "-o", str(page)]) == 0
    first = lines(kept)
    assert set(first) == set(GAMES)
    assert main.run([*WORDS, "--games", "12", "--save", str(kept), "-o", str(page)]) == 0
    assert all(lines(kept)[name] - first[name] >= 6 for name in GAMES)
    told = page.read_text("utf-8")
    for game in GAMES.values():
        section = told.split(f"## {game.text.TITLE.en}\n")[1].split("##")[0]
        assert f"{lines(kept)[game.name] - 1} games on" in section  # the first line names the contest
        assert section.index("| sensible |") < section.index("| uniform |")


def test_a_row_is_a_bot_among_the_pool_on_frozen_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ladder, "POOL", ("search:2", "sensible", "uniform"))
    (tmp_path / "my_bots.py").write_text("def last(game):\n    return lambda view, legal, memory: legal[-1]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["ladder", "--row", "my_bots:last", "--games", "8", "--save", "rows", "--workers", "1"]
    assert main.run(words) == 0
    rows = capsys.readouterr().out.rstrip().splitlines()
    assert [line.split(" | ")[0] for line in rows[2:]] == [f"| {game.text.TITLE.en}" for game in GAMES.values()]
    for game in GAMES.values():
        (path,) = (tmp_path / "rows").glob(f"{game.name}-*")
        header, *games = map(json.loads, path.read_text().splitlines())
        assert header["bots"] == ["my_bots:last", "search:2", "sensible", "uniform"]
        assert {played["deal"] for played in games} == {900_000, 900_001}
        for deal in (900_000, 900_001):  # its seats, each as often
            seats = [played["lineup"].index(0) for played in games if played["deal"] == deal and 0 in played["lineup"]]
            assert sorted(seats) == list(range(game.usual_seats))
    assert main.run(words) == 0 and capsys.readouterr().out.rstrip().splitlines() == rows
    assert main.run(["ladder", "--row", "search:2", "--games", "4", "--workers", "1"]) == 0
    assert "| search:2 | +0 |" in capsys.readouterr().out


def test_rows_join_the_page_and_stay_when_the_ladder_is_measured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "POOL", ("search:2", "sensible", "uniform"))
    page, row = tmp_path / "ratings.md", ["ladder", "--games", "4", "--workers", "1", "--row"]
    assert main.run([*row, "search:4", "-o", str(page)]) == 0
    first = page.read_text("utf-8")
    assert first.startswith(ladder.HEAD) and first.count("| search:4 |") == len(GAMES)
    for words in ([*row, "search:3", "-o", str(page)], [*row, "search:4", "-o", str(page)]):  # the second one again
        assert main.run(words) == 0
    assert main.run([*WORDS, "--games", "4", "-o", str(page)]) == 0
    told = page.read_text("utf-8")
    assert told.index("| sensible |") < told.index(ladder.ROWS) < told.index("| search:3 |")
    rows = [line.split(" | ")[:2] for line in told.partition(ladder.ROWS)[2].splitlines()[2:]]
    titles = [game.text.TITLE.en for game in GAMES.values()]
    assert sorted(rows) == sorted([f"| {title}", bot] for title in titles for bot in ("search:3", "search:4"))
    assert [row[0] for row in rows] == [f"| {title}" for title in titles for _ in range(2)]


def test_a_page_that_is_no_text_is_refused_before_any_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "ratings.md"
    page.write_bytes(b"\xff\xfe")
    assert main.run([*WORDS, "--games", "10000000", "-o", str(page)]) == 2
    assert "ratings.md cannot be read: " in capsys.readouterr().err and page.read_bytes() == b"\xff\xfe"


def test_the_page_says_how_to_add_a_row() -> None:
    page = (Path(__file__).parent.parent / "docs" / "ratings.md").read_text("utf-8")
    assert page.startswith(ladder.HEAD)


BAD_WORDS = {
    "--row sensible --bots uniform": "choose --bots or --row, not both",
    "--bots sensible,nobody": "unknown bot 'nobody'",
    "--bots search:0": "the number must be 1 to",
    "--games 0": "cannot play 0 games",
    "--workers 0": "cannot play in 0 processes",
    "--games 10000000 -o /nowhere/at/all.md": "/nowhere/at/all.md cannot be written",
    "--games 10000000 --save /dev/null/kept": "cannot create the folder /dev/null/kept",
}


@pytest.mark.parametrize("words", BAD_WORDS)
def test_bad_input_is_one_sentence_before_any_game_is_played(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["ladder", *words.split()]) == 2
    said = capsys.readouterr()
    assert BAD_WORDS[words] in said.err and said.err.count("\n") == 1 and said.out == ""


def test_a_page_stays_unchanged_until_the_new_one_is_ready(tmp_path: Path) -> None:
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    old.write_text("as it was")
    for page in (old, new):
        assert main.run([*WORDS, "--workers", "0", "-o", str(page)]) == 2
    assert old.read_text() == "as it was" and not new.exists()
