"""Training by self-play, at toy size: a run that is stopped and resumed, and weights that play."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tripot import GAMES
from tripot.bots.memory import new_memory
from tripot.bots.own import find_any_bot
from tripot.cli.main import run
from tripot.core.game import waiting_seats
from tripot.lab.training.curves_page import CURVES
from tripot.lab.training.pool import POOL

torch = pytest.importorskip("torch", reason="training needs PyTorch: pip install 'tripot[train]'")
pytestmark = pytest.mark.native


def curves(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "curves.csv").read_text("utf-8").splitlines()))


def pool_rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "evaluation.csv").read_text("utf-8").splitlines()))


def train(*words: str) -> int:
    return run(["train", *words, "--device", "cpu", "--evaluated", "1"])


@pytest.mark.slow
def test_a_run_is_resumed_and_its_weights_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert train("verrater", "-o", str(folder), "--minutes", "0.01", "--tables", "32", "--width", "16") == 0
    assert train("verrater", "-o", str(folder), "--minutes", "0.01") == 2
    assert "holds a run already" in capsys.readouterr().err
    assert train("trok", "--resume", str(folder), "--minutes", "0.01") == 2
    assert "is of verrater, not of trok" in capsys.readouterr().err
    before = curves(folder)
    assert train("verrater", "--resume", str(folder), "--minutes", "0.4") == 0
    after = curves(folder)
    assert after[: len(before)] == before and int(after[-1]["decisions"]) > int(before[-1]["decisions"])
    assert {row["opponent"] for row in pool_rows(folder)} == set(POOL)
    assert all(0 <= float(row["share_ratio"]) <= 4 and row["games"] == "4" for row in pool_rows(folder))
    page = (folder / "curves.html").read_text("utf-8")
    assert page.count("<figure>") == 1 + len(CURVES) and "alone among each bot of the pool" in page
    game = GAMES["verrater"]
    bot = find_any_bot(f"network:{folder / 'weights.npz'}", game)
    for seats in game.seats:
        s, layout = game.new_state(game.options(), seats, 1), game.layout
        while not s.over:
            seat = waiting_seats(s)[0]
            legal = game.legal_actions(s, seat)
            view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)
            game.apply(s, seat, bot.decide(view, legal, new_memory(1, seat)))
        assert sum(s.result) == 60


@pytest.mark.slow
def test_two_processes_learn_one_network(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = [
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
        "-m",
        "tripot",
        "train",
        "verrater",
    ]
    words += [
        "-o",
        str(folder),
        "--minutes",
        "0.05",
        "--tables",
        "64",
        "--width",
        "16",
        "--device",
        "cpu",
        "--evaluated",
        "0",
    ]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("weights:") == 1  # one of them speaks and writes
    settings = json.loads((folder / "settings.json").read_text("utf-8"))
    assert int(curves(folder)[0]["decisions"]) == 2 * settings["steps"] * settings["tables"]
    assert find_any_bot(f"network:{folder}", GAMES["verrater"])


BAD = {
    "an unknown game": (["whist"], "whist"),
    "a table size that there is not": (["verrater", "--seats", "9"], "is for 3 or 4 players, not 9"),
    "no time": (["verrater", "--minutes", "0"], "cannot learn for 0"),
    "fewer than no deals": (["verrater", "--evaluated", "-1"], "cannot play -1 deals against the pool"),
    "no run": (["verrater", "--resume", "nowhere"], "nowhere holds no run"),
}


@pytest.mark.parametrize(("words", "why"), BAD.values(), ids=list(BAD))
def test_bad_input_is_named(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", *words, "--device", "cpu"]) == 2
    assert why in capsys.readouterr().err
