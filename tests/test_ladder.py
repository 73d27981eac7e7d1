"""The ladder's command: one page for all games, saved games are resumed, bad input is refused before any game."""

from pathlib import Path

import pytest

from tripot import GAMES
from tripot.cli import main

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


BAD_WORDS = {
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
