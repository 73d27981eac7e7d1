"""Tripot beside other programs: what is measured is the same game, and the page tells it as it is."""

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.rivals import ours, page, speed
from bench.rivals import run as peers
from bench.rivals.ratio import CARD_GAMES, LEDUC, rows, times
from bench.rivals.speed import Played, Speed
from tests.test_leduc import needs_open_spiel
from tripot.cli.main import run
from tripot.lab import leduc
from tripot.lab.simulate import simulate

TELLING = """
import json
from bench.rivals import openspiel
loop = openspiel.compiled_loop()
found = {"python": openspiel.play_from_python("leduc_poker", 4000, 1, True)}
found["bots"] = openspiel.play_bots("leduc_poker", 4000, 1, False)
found["plain"], found["seen"] = (loop and loop("leduc_poker", 4000, 1, seen) for seen in (False, True))
found["cards"] = [loop and loop(game, 3, 1, True) for game in openspiel.GAMES]
print(json.dumps(found))
"""


@needs_open_spiel
def test_every_way_to_play_openspiels_leduc_plays_the_game_that_ours_is() -> None:
    """Random games have the same length everywhere, also in the C++ loop where there is a compiler."""
    done = subprocess.run([sys.executable, "-c", TELLING], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    found = json.loads(done.stdout)
    expected = simulate(leduc.GAME, 2, 4000, 1).decisions
    ways = ["python", "bots", *(["plain", "seen"] if shutil.which("c++") else [])]
    for way in ways:
        assert abs(found[way] - expected) < 0.04 * expected, way
    assert found["plain"] == found["seen"], "looking changed the game"
    if shutil.which("c++"):
        assert all(found["cards"])


@pytest.mark.skipif(find_spec("rlcard") is None, reason="RLCard is not installed (extra peers)")
def test_rlcard_plays_whole_games_either_way() -> None:
    from bench.rivals import rlcard

    for play in (rlcard.play_game, rlcard.play_environment):
        played = play(50)
        assert played.games == 50 and played.decisions > 75


@pytest.mark.parametrize("seen", [False, True])
def test_our_own_speed_counts_games_and_decisions(monkeypatch: pytest.MonkeyPatch, seen: bool) -> None:
    monkeypatch.setattr(speed, "SECONDS", 0.02)
    found = ours.speed(leduc.GAME, 2, seen)
    assert found.game == "leduc" and found.cores == 2 and found.seen is seen
    assert 3.8 < found.decisions / found.games < 4.4


def test_the_fastest_try_counts() -> None:
    clock = iter([0, 1, 1, 3, 3, 4, 4, 8])  # finding the count takes 1 s, the tries 2, 1 and 4
    played, seconds = speed.fastest(lambda count: Played(count, 10 * count), lambda: next(clock))
    assert seconds == 1 and played == Played(1, 10)


SPEEDS = [
    Speed("Tripot 1", "leduc", "native loop", 1, False, 4e7, 1e7),
    Speed("Tripot 1", "leduc", "native loop", 1, True, 2e7, 5e6),
    Speed("OpenSpiel 2", "leduc_poker", "C++ loop", 1, False, 4e6, 1e6),
    Speed("pgx 2", "leduc_holdem", "whole games", 1, False, 5e6, 1e6, 1024),
    Speed("pgx 2", "leduc_holdem", "whole games", 1, True, 1e6, 2e5, 1024),
    Speed("PettingZoo 1", "leduc_holdem_v4", "Python loop", 1, True, 1e4, 4e3),
    Speed("Tripot 1", "trok", "native loop", 1, False, 6e6, 1e4),
    Speed("Tripot 1", "verrater", "native loop", 1, False, 8e6, 8e4),
    Speed("OpenSpiel 2", "hearts", "C++ loop", 1, False, 2e6, 3e4),
    Speed("OpenSpiel 2", "kuhn_poker", "C++ loop", 1, False, 8e6, 3e6),
]


def test_rows_set_speeds_side_by_side_and_ratios_like_with_like() -> None:
    lines = rows(SPEEDS, LEDUC)
    assert [(row.program, row.plain, row.seen) for row in lines] == [
        ("Tripot 1", 4e7, 2e7), ("pgx 2", 5e6, 1e6), ("OpenSpiel 2", 4e6, None), ("PettingZoo 1", None, 1e4),
    ]  # fmt: skip
    assert [times(row, lines) for row in lines] == [None, 8, 10, 2000]
    assert lines[1].way == "whole games, 1,024 at once"
    cards = rows(SPEEDS, CARD_GAMES)
    assert [times(row, cards) for row in cards] == [None, None, 3]  # the slowest of ours counts
    assert [row.game for row in rows(SPEEDS)] == ["kuhn_poker"]


def test_the_page_says_what_was_reached_what_was_not_and_where_others_are_ahead() -> None:
    found = peers.Comparison(SPEEDS, ["RLCard"], {"pgx": "it broke"})
    facts = {"cores": 2, "cpu": "a machine", "python": "3", "numpy": "2", "numba": "1", "jax": "9", "load": 0.3}
    text = page.section(found, facts)
    assert (
        "2 cores, a machine, load before the run 0.3." in text
        and "Python 3, NumPy 2, Numba 1, JAX 9, OpenSpiel 2" in text
    )
    assert "OpenSpiel 2, C++ loop: 10.0 times, wanted 5: reached" in text
    assert "pgx 2, whole games, 1,024 at once: 8.0 times, wanted 20: **not reached**" in text
    assert "trok 10,000, behind hearts 30,000" in text and "verrater 80,000, behind" not in text
    assert "not measured: RLCard." in text and "pgx broke: `it broke`" in text
    assert "| Tripot 1 | leduc | native loop | 1 | 40,000,000 | 20,000,000 | 10,000,000 |  |" in text


def test_a_section_replaces_itself_and_nothing_else() -> None:
    first = page.put_section("", "peers", "one")
    assert first.startswith("# Benchmarks") and "<!-- peers -->\none\n<!-- /peers -->" in first
    both = page.put_section(first, "web", "two")
    again = page.put_section(both, "peers", "three")
    assert again == both.replace("one", "three") and "two" in again


# --- The command ---


def test_peers_that_are_not_installed_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(peers, "NEEDS", {"pgx": ("pgx", ("no_such_library",))})
    target = tmp_path / "benchmarks.md"
    assert run(["bench", "--peers", "-o", str(target)]) == 0
    assert "Not installed, and so not measured: pgx." in capsys.readouterr().out
    assert "not measured: pgx." in target.read_text("utf-8")
    assert run(["bench", "--peers", "--json", "-o", str(target)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["missing"] == ["pgx"] and found["speeds"] == [] and found["machine"]["cores"] >= 1


def test_a_peer_that_breaks_is_named_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not there breaks in its own process."""
    monkeypatch.setattr(peers, "NEEDS", {"nobody": ("Nobody", ()), "neither": ("Neither", ())})
    heard: list[str] = []
    found = peers.compare(heard.append)
    assert set(found.failed) == {"Nobody", "Neither"} and "bench.rivals.nobody" in found.failed["Nobody"]
    assert heard[0] == "Nobody on 1 core"


def test_a_page_needs_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--peers", "-o", str(tmp_path / "nowhere" / "page.md")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert run(["bench", "-o", "page.md"]) == 2
    assert "--output goes with --peers" in capsys.readouterr().err
