"""Tripot beside other programs: all play the same game, and the page reports where Tripot is behind."""

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.page import put_section
from bench.rivals import ours, page, speed
from bench.rivals import run as rivals
from bench.rivals.ratio import CARD_GAMES, HEARTS, LEDUC, rows, times
from bench.rivals.speed import Played, Speed
from tests.test_leduc import needs_open_spiel
from tripot.cli.main import run
from tripot.lab import gpu, leduc
from tripot.lab.gpu import benchmark as gpu_benchmark
from tripot.lab.gpu.benchmark import GpuSpeed
from tripot.lab.simulate import simulate

pytestmark = pytest.mark.native

COUNT_DECISIONS = """
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
def test_every_loop_over_openspiels_leduc_plays_the_same_game_as_ours() -> None:
    """Random games have the same mean length in every loop; the C++ loop is checked where there is a compiler."""
    done = subprocess.run([sys.executable, "-c", COUNT_DECISIONS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    found = json.loads(done.stdout)
    expected = simulate(leduc.GAME, 2, 4000, 1).decisions
    ways = ["python", "bots", *(["plain", "seen"] if shutil.which("c++") else [])]
    for way in ways:
        assert abs(found[way] - expected) < 0.04 * expected, way
    assert found["plain"] == found["seen"], "writing observations changed the game"
    if shutil.which("c++"):
        assert all(found["cards"])


@pytest.mark.skipif(find_spec("rlcard") is None, reason="RLCard is not installed (extra peers)")
def test_rlcard_plays_whole_games_in_both_loops() -> None:
    from bench.rivals import rlcard

    for play in (rlcard.play_game, rlcard.play_environment):
        played = play(50)
        assert played.games == 50 and played.decisions > 75


@pytest.mark.parametrize("seen", [False, True])
def test_our_own_speed_counts_games_and_decisions(monkeypatch: pytest.MonkeyPatch, seen: bool) -> None:
    monkeypatch.setattr(speed, "fastest", lambda play, clock: (play(2000), 4.0))
    found = ours.speed(leduc.GAME, 2, seen)
    assert found.game == "leduc" and found.cores == 2 and found.seen is seen
    assert found.games == 1000, "two tables play 2,000 games each in four seconds"
    assert 4.0 < found.decisions / found.games < 4.2


def test_the_fastest_trial_counts() -> None:
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
    Speed("Tripot 1", "tripot_hearts", "native loop", 1, False, 9e6, 1e5),
    Speed("Tripot 1", "tripot_hearts", "native loop", 1, True, 3.8e6, 9e4),
    Speed("OpenSpiel 2", "hearts", "C++ loop", 1, False, 2e6, 3e4),
    Speed("OpenSpiel 2", "hearts", "C++ loop", 1, True, 1.9e6, 2e4),
    Speed("OpenSpiel 2", "kuhn_poker", "C++ loop", 1, False, 8e6, 3e6),
]


def test_rows_pair_speeds_and_ratios_compare_like_with_like() -> None:
    lines = rows(SPEEDS, LEDUC)
    assert [(row.program, row.plain, row.seen) for row in lines] == [
        ("Tripot 1", 4e7, 2e7), ("pgx 2", 5e6, 1e6), ("OpenSpiel 2", 4e6, None), ("PettingZoo 1", None, 1e4),
    ]  # fmt: skip
    assert [times(row, lines) for row in lines] == [None, 8, 10, 2000]
    assert lines[1].way == "whole games, 1,024 at once"
    cards = rows(SPEEDS, CARD_GAMES)
    assert [(row.program, times(row, rows(SPEEDS, HEARTS))) for row in rows(SPEEDS, HEARTS)] == [
        ("Tripot 1", None), ("OpenSpiel 2", 4.5),
    ]  # fmt: skip
    assert [times(row, cards) for row in cards] == [None, None, 3]  # the slowest of ours counts
    assert [row.game for row in rows(SPEEDS)] == ["kuhn_poker"]


def test_the_page_says_which_goals_were_reached_and_where_others_are_ahead() -> None:
    found = rivals.Comparison(SPEEDS, ["RLCard"], {"pgx": "it broke"})
    facts = {"cores": 2, "cpu": "a machine", "python": "3", "numpy": "2", "numba": "1", "jax": "9", "load": 0.3}
    text = page.section(found, facts)
    assert (
        "2 cores, a machine, load before the run 0.3." in text
        and "Python 3, NumPy 2, Numba 1, JAX 9, OpenSpiel 2" in text
    )
    assert "OpenSpiel 2, C++ loop: 10.0 times, goal 5: reached" in text
    assert "pgx 2, whole games, 1,024 at once: 8.0 times, goal 20: **not reached**" in text
    assert "Hearts, 1 core: OpenSpiel 2: 4.5 times, goal 3: reached" in text
    assert "Hearts, 1 core, with observations: OpenSpiel 2: 2.0 times, goal 3: **not reached**" in text
    assert "trok 10,000, behind hearts 30,000" in text and "verrater 80,000, behind" not in text
    assert "not measured: RLCard." in text and "pgx failed: `it broke`" in text
    assert "| Tripot 1 | leduc | native loop | 1 | 40,000,000 | 20,000,000 | 10,000,000 |  |" in text


def test_a_section_replaces_itself_and_nothing_else() -> None:
    first = put_section("", "peers", "one")
    assert first.startswith("# Benchmarks") and "<!-- peers -->\none\n<!-- /peers -->" in first
    both = put_section(first, "web", "two")
    again = put_section(both, "peers", "three")
    assert again == both.replace("one", "three") and "two" in again


# --- The command ---


def test_rivals_that_are_not_installed_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rivals, "NEEDS", {"pgx": ("pgx", ("no_such_library",))})
    target = tmp_path / "benchmarks.md"
    assert run(["bench", "--peers", "-o", str(target)]) == 0
    assert "Not installed and not measured: pgx." in capsys.readouterr().out
    assert "not measured: pgx." in target.read_text("utf-8")
    assert run(["bench", "--peers", "--json", "-o", str(target)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["missing"] == ["pgx"] and found["speeds"] == [] and found["machine"]["cores"] >= 1


def test_a_rival_that_fails_is_named_and_the_others_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that does not exist fails in its own process."""
    monkeypatch.setattr(rivals, "NEEDS", {"nobody": ("Nobody", ()), "neither": ("Neither", ())})
    heard: list[str] = []
    found = rivals.compare(heard.append)
    assert set(found.failed) == {"Nobody", "Neither"} and "bench.rivals.nobody" in found.failed["Nobody"]
    assert heard[0] == "Nobody on 1 core"


def test_a_page_needs_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--peers", "-o", str(tmp_path / "nowhere" / "page.md")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert run(["bench", "-o", "page.md"]) == 2
    assert "--output goes with --peers" in capsys.readouterr().err


# --- Without a checkout ---


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an installed package, where `bench` cannot be imported."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "bench"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "bench", None)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("words", "option"), [(["--peers"], "--peers"), (["--gpu", "-o", "page.md"], "--output")])
def test_comparing_and_writing_pages_need_a_checkout(
    words: list[str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", *words]) == 2
    said = capsys.readouterr()
    why = "needs a checkout of the repository: the installed package does not contain its folder bench"
    assert said.err == f"tripot: {option} {why}\n" and said.out == ""


GPU_SPEEDS = [GpuSpeed("leduc", 2, 38.99, 3.5, 11.86, 54.84, 78, 5.0)]


@pytest.fixture
def a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU that measures at once."""
    monkeypatch.setattr(gpu, "require_gpu", lambda: None)
    monkeypatch.setattr(gpu_benchmark, "gpu_name", lambda cuda: "NVIDIA H200")
    monkeypatch.setattr(gpu_benchmark, "copy_speed", lambda: 4.27e12)
    monkeypatch.setattr(gpu_benchmark, "measure", lambda games, report: iter(GPU_SPEEDS))


@pytest.mark.usefixtures("a_gpu", "installed")
def test_an_installed_package_measures_the_gpu_and_writes_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(["bench", "--gpu"]) == 0
    out = capsys.readouterr().out
    assert "NVIDIA H200" in out and "38.99" in out and "3.50" in out
    assert not list((tmp_path / "docs").iterdir())


@pytest.mark.usefixtures("a_gpu")
def test_in_a_checkout_the_gpu_section_says_which_goals_were_reached(tmp_path: Path) -> None:
    target = tmp_path / "benchmarks.md"
    assert run(["bench", "--gpu", "-o", str(target)]) == 0
    text = target.read_text("utf-8")
    assert "Machine: NVIDIA H200." in text and "| leduc | 2 | 38.99 | 3.50 | 11.86 | 78 | 54.84 | 5 |" in text
    assert "leduc, whole games: 38.99 billion a second, goal 4: reached" in text
    assert "leduc, vector environment: 3.50 billion a second, goal 4: **not reached**" in text


@pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed (extra dev)")
def test_the_wheel_contains_the_package_and_nothing_of_bench(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(build, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {"tripot", wheel.name.partition("-py3")[0] + ".dist-info"}
    assert not [name for name in names if "rivals" in name or "goals" in name]
    assert "tripot/lab/benchmark.py" in names and "tripot/games/verrater/RULES.md" in names
