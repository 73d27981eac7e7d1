"""`tripot simulate`: the engines agree, and the output."""

import json

import pytest

from tripot import GAMES
from tripot.cli.main import run

KEYS = [
    "game", "seats", "games", "decisions", "seconds", "decisions_per_s",
    "engine", "bot", "checksum", "wins", "mean_length",
]  # fmt: skip


def simulated(capsys, words: str) -> dict:
    assert run(["simulate", *words.split(), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""  # no progress bar without a terminal
    return json.loads(out)


@pytest.mark.native
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["uniform", "sensible"])
def test_python_and_native_play_the_same_games(game, bot, capsys):
    for seats in GAMES[game].seats:
        words = f"{game} --seats {seats} --games 12 --seed 18446744073709551610 --bot {bot} --engine "
        python, native = (simulated(capsys, words + engine) for engine in ("python", "native"))
        same = set(KEYS) - {"seconds", "decisions_per_s", "engine"}
        assert {key: python[key] for key in same} == {key: native[key] for key in same}


def test_json_is_one_object_with_these_keys(capsys):
    found = simulated(capsys, "verrater --seats 3 --games 8 --seed 5 --engine python")
    assert list(found) == KEYS
    assert found["seats"] == 3 and len(found["wins"]) == 3
    assert sum(found["wins"]) == pytest.approx(8, abs=0.001)
    assert found["mean_length"] == found["decisions"] / 8


def test_options_and_seeds_change_the_games(capsys):
    words = "verrater --games 8 --engine python"
    sums = {
        simulated(capsys, words + more)["checksum"]
        for more in ("", " --seed 1", " --option first=1", " --bot sensible")
    }
    assert len(sums) == 4


def test_zero_games_can_be_simulated(capsys):
    assert simulated(capsys, "verrater --games 0 --engine python")["mean_length"] == 0
    assert run(["simulate", "verrater", "--games", "0", "--engine", "python"]) == 0


def test_the_default_output_is_a_table(capsys):
    assert run(["simulate", "verrater", "--games", "8", "--seed", "5", "--engine", "python"]) == 0
    out = capsys.readouterr().out
    assert "8 games of uniform" in out and "share" in out and "%" in out
