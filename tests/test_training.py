"""Training by self-play, at toy size: a run that is stopped and resumed, and weights that play."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tripot import GAMES
from tripot.bots.memory import new_memory
from tripot.bots.own import find_any_bot
from tripot.cli.main import run
from tripot.core.game import waiting_seats

torch = pytest.importorskip("torch", reason="training needs PyTorch: pip install 'tripot[train]'")
pytestmark = pytest.mark.native


def curves(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "curves.csv").read_text("utf-8").splitlines()))


def train(*words: str) -> int:
    return run(["train", *words, "--device", "cpu"])


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


BAD = {
    "an unknown game": (["whist"], "whist"),
    "a table size that there is not": (["verrater", "--seats", "9"], "is for 3 or 4 players, not 9"),
    "no time": (["verrater", "--minutes", "0"], "cannot learn for 0"),
    "no run": (["verrater", "--resume", "nowhere"], "nowhere holds no run"),
}


@pytest.mark.parametrize(("words", "why"), BAD.values(), ids=list(BAD))
def test_bad_input_is_named(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(*words) == 2
    assert why in capsys.readouterr().err
