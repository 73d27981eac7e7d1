"""Golden games: each one replays unchanged, and every game has some."""

import difflib
import re

import pytest

import tripot
from tests.cases import every_game
from tests.playthrough import FOLDER, GOLDEN, REQUIRED, Playthrough, Teller, digest, render
from tripot.core.game import Game
from tripot.core.options import parse
from tripot.core.speech import LANGUAGES
from tripot.table.table import Table
from tripot.testing.hidden import loaded


@pytest.mark.parametrize("golden", GOLDEN, ids=str)
def test_a_golden_game_is_unchanged(golden: Playthrough) -> None:
    assert golden.path.exists(), f"there is no {golden.path.name}: run python -m tests.regen, and read it"
    kept, now = golden.path.read_text("utf-8"), render(golden)
    if kept != now:
        lines = list(difflib.unified_diff(kept.splitlines(), now.splitlines(), "kept", "now", n=3, lineterm=""))
        raise AssertionError(f"{golden.path.name} differs:\n" + "\n".join(lines[:40]))


@pytest.mark.parametrize("golden", GOLDEN, ids=str)
def test_a_table_accepts_the_decisions_of_a_golden_game(golden: Playthrough) -> None:
    """The printed decisions lead a table to the state with the printed digest."""
    text = golden.path.read_text("utf-8")
    game = tripot.GAMES[golden.game]
    table = Table(game, golden.seats, golden.seed, parse(game.options, golden.options))
    for action in re.findall(r"^  > (\d+) ", text, re.MULTILINE):
        offer = table.offer(table.waiting[0])
        table.decide(offer.seat, int(action), offer.sequence)
    assert table.over
    assert f"  sha256 {digest(game, loaded(game.layout, table.state_bytes()))}\n" in text
    assert f"  result {' '.join(map(str, table.result))}\n" in text


@every_game
def test_every_game_has_golden_games_in_both_languages(game: Game) -> None:
    mine = [golden for golden in GOLDEN if golden.game == game.name]
    assert {golden.lang for golden in mine} == set(LANGUAGES)
    assert {min(game.seats), max(game.seats)} <= {golden.seats for golden in mine}


def test_the_required_golden_games_exist() -> None:
    wanted = {
        "verrater-3-en",
        "verrater-4-fr",
        "trok-2-en",
        "trok-4-fr",
        "trok-6-en",
        "trieste-3-en",
        "trieste-3-heroes-fr",
    }
    assert {str(golden) for golden in REQUIRED} == wanted
    present = {name for name in wanted if name.split("-")[0] in tripot.GAMES}
    assert {path.stem for path in FOLDER.glob("*.txt")} == present


@pytest.mark.parametrize("golden", GOLDEN, ids=str)
def test_golden_games_tell_of_whispers_clauses_and_every_phase(golden: Playthrough) -> None:
    """The golden games contain what a reviewer looks for."""
    text = golden.path.read_text("utf-8")
    assert re.search(r"^  - \(\w+\) .+ \[[A-Z]-", text, re.MULTILINE), "no whisper"
    lines = [line for line in text.splitlines() if line.startswith(("  - ", "  > "))]
    assert all(re.search(r" \[[A-Z]-\d+\.\d+( [A-Z]-\d+\.\d+)*\]$", line) for line in lines if line[2] == "-")
    phases = set(re.findall(r"^\d+ · (\w+) · ", text, re.MULTILINE))
    asked = {phase.name.lower() for phase in Teller(golden).phases} - {"none", "over"}
    assert phases <= asked and len(phases) > len(asked) // 2
