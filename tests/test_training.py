"""Training by self-play, at toy size: a run that is stopped and resumed, and weights that play."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tripot import GAMES
from tripot.bots.memory import new_memory
from tripot.bots.network import KINDS, load_weights
from tripot.bots.own import find_any_bot
from tripot.cli.main import run
from tripot.core.encoding import encoder_of
from tripot.core.game import waiting_seats
from tripot.lab.balance.outcomes import load_outcomes
from tripot.lab.training.curves_page import CURVES
from tripot.lab.training.pool import POOL

torch = pytest.importorskip("torch", reason="training needs PyTorch: pip install 'tripot[train]'")
pytestmark = pytest.mark.native

from tripot.lab.training.kinds import Seen, taught  # noqa: E402 (they import PyTorch)
from tripot.lab.training.opponents import given_weights  # noqa: E402
from tripot.lab.training.ppo import Learner  # noqa: E402
from tripot.lab.training.run import weights_of  # noqa: E402
from tripot.lab.training.settings import settings_for  # noqa: E402


def curves(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "curves.csv").read_text("utf-8").splitlines()))


def pool_rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "evaluation.csv").read_text("utf-8").splitlines()))


def train(*words: str) -> int:
    return run(["train", *words, "--device", "cpu", "--evaluated", "1"])


def test_weights_are_taught_to_tell_who_plays_like_them(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "telling.npz"
    assert run(["kinds", "verrater", "network", "-o", str(file), "--games", "14"]) == 0
    told = load_weights(file)
    assert told.about["kinds"]["games"] == 14 and f"{KINDS}outputs" in told.layers
    assert find_any_bot(f"network:{file}", GAMES["verrater"]) is not None
    capsys.readouterr()
    assert run(["kinds", "verrater", "network", "-o", str(file), "--games", "2"]) == 2
    assert "2 games are too few" in capsys.readouterr().err
    assert run(["kinds", "trok", str(file), "-o", str(tmp_path / "none.npz")]) == 2
    assert "for verrater" in capsys.readouterr().err


def test_who_plays_like_a_network_is_learned_where_the_view_shows_it() -> None:
    luck, game = np.random.default_rng(2), GAMES["verrater"]
    views = luck.integers(0, 2, (12_000, encoder_of(game).width)).astype(np.float32)
    networks = views[:, :4].astype(np.int8)  # the first columns say it
    networks[:, 0] = -1
    lines: list[str] = []
    given = given_weights("network", game)
    found = taught(given, Seen(views, networks, np.arange(12_000) // 20), lines.append)
    hidden = np.maximum(views @ found.layers[f"{KINDS}inputs"] + found.layers[f"{KINDS}inputs_bias"], 0)
    right = (hidden @ found.layers[f"{KINDS}outputs"] + found.layers[f"{KINDS}outputs_bias"] > 0) == (networks == 1)
    assert right[:, 1:].mean() > 0.95 and "of the others" in lines[-1]


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
def test_a_best_response_begins_with_the_network_it_meets(tmp_path: Path) -> None:
    first, response = tmp_path / "first", tmp_path / "response"
    small = ("--tables", "48", "--width", "16", "--minutes", "0.01")
    assert train("verrater", "-o", str(first), *small, "--league", "0.5", "--discount", "0.99") == 0
    assert float(curves(first)[0]["share"]) >= 0
    given = load_weights(first / "weights.npz")
    learner = Learner(settings_for("verrater", "cpu", against=str(first), tables=48, seats=4), GAMES["verrater"])
    again = weights_of(learner.actor, learner.critic, GAMES["verrater"], {})
    assert all((again.layers[name] == layer).all() for name, layer in given.layers.items())
    mine = learner.opponents.mine
    assert mine.sum(1).tolist() == [1] * 48 and mine.sum(0).tolist() == [12] * 4  # alone, in every seat as often
    learner.prepare()
    frozen = learner.opponents.players[0].net.state_dict()
    assert all((frozen[name] == layer).all() for name, layer in first_state(first).items())
    assert 0 < float(learner.rollout.mine.mean()) < 0.5
    assert train("verrater", "-o", str(response), "--against", str(first), *small) == 0
    assert "share" in curves(response)[0]


def first_state(folder: Path) -> dict[str, Any]:
    """The actor of a run, as its 16-bit weights have it."""
    kept = torch.load(folder / "checkpoint.pt", weights_only=True)["actor"]
    return {
        name.removeprefix("net."): layer.half().float() for name, layer in kept.items() if "inputs.weight" not in name
    }


def test_earlier_selves_are_made_anew_one_after_the_other() -> None:
    settings = settings_for("verrater", "cpu", league=0.5, tables=64, width=8)
    learner = Learner(settings, GAMES["verrater"])
    opponents, made = learner.opponents, []
    assert [len(player.tables) for player in opponents.players] == [8, 8, 8, 8]
    assert int((opponents.mine.sum(1) == 1).sum()) == 32  # the others are its own in every seat
    assert {int(size) for player in opponents.players for size in opponents.sizes[player.tables]} == {3, 4}
    for number in range(1, 17):
        with torch.no_grad():
            learner.actor.net.inputs.bias.fill_(number)
        learner.renew_earlier_selves()
        made.append([int(player.net.inputs.bias[0]) for player in opponents.players])
    assert made[-1] == [15, 14, 12, 16] and made[6] == [7, 6, 4, 0]


def test_earlier_selves_and_given_networks_sit_at_tables_of_their_own(tmp_path: Path) -> None:
    game = GAMES["verrater"]
    other = Learner(settings_for("verrater", "cpu", tables=8, width=16), game)
    weights_of(other.actor, None, game, {}).save(tmp_path / "other.npz")
    settings = settings_for(
        "verrater", "cpu", tables=80, width=8, league=0.2, meet=f"{tmp_path}/other.npz", meeting=0.4
    )
    learner = Learner(settings, game)
    opponents = learner.opponents
    assert [len(player.tables) for player in opponents.players] == [4, 4, 4, 4, 32]
    tables = torch.cat([player.tables for player in opponents.players])
    assert len(tables.unique()) == len(tables) == int((opponents.mine.sum(1) == 1).sum())
    met = opponents.players[-1]
    assert met.sampled and {int(size) for size in opponents.sizes[met.tables]} == {3, 4}
    assert {int(seat) for seat in opponents.mine[met.tables].int().argmax(1)} == {0, 1, 2, 3}
    given = load_weights(tmp_path / "other.npz").layers["first"][0].astype(np.float32)
    assert (met.net.first[0].weight.T.numpy() == given).all()
    for _ in range(8):
        learner.renew_earlier_selves()
    assert (met.net.first[0].weight.T.numpy() == given).all()  # it stays as it was given


def test_weights_of_another_rules_version_may_start_a_run_and_nothing_else(tmp_path: Path) -> None:
    game = GAMES["verrater"]
    learner = Learner(settings_for("verrater", "cpu", tables=8, width=16), game)
    kept = weights_of(learner.actor, learner.critic, game, {})
    kept.about["rules"] = game.rules_version + 1
    kept.save(tmp_path / "later.npz")
    begun = Learner(settings_for("verrater", "cpu", tables=8, start=str(tmp_path / "later.npz")), game)
    assert (begun.actor.net.first[0].weight.half() == learner.actor.net.first[0].weight.half()).all()
    for how in ({"against": str(tmp_path / "later.npz")}, {"meet": str(tmp_path / "later.npz"), "meeting": 0.5}):
        with pytest.raises(ValueError, match="not for verrater with rules version"):
            Learner(settings_for("verrater", "cpu", tables=8, width=16, **how), game)


def test_a_clone_decides_as_the_bot_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyarrow", reason="datasets need pyarrow: pip install 'tripot[data]'")
    files = [tmp_path / f"{seats}.parquet" for seats in (3, 4)]
    for seats, file in zip((3, 4), files, strict=True):
        words = ["export", "verrater", "--bots", "sensible", "--games", "60", "--seats", str(seats), "--wide"]
        assert run([*words, "-o", str(file)]) == 0
        assert "--wide" in file.with_suffix(".md").read_text("utf-8")
    given = [str(file) for file in files]
    folder = tmp_path / "clone"
    assert (
        run(["imitate", "verrater", *given, "-o", str(folder), "--device", "cpu", "--width", "32", "--epochs", "6"])
        == 0
    )
    rows = list(csv.DictReader((folder / "imitation.csv").read_text("utf-8").splitlines()))
    assert len(rows) == 6 and float(rows[-1]["held_out_loss"]) < float(rows[0]["held_out_loss"])
    assert float(rows[-1]["agreement"]) > 0.5  # by chance it would be one in five
    about = load_weights(folder / "weights.npz").about
    assert about["encoding"] == "2" and about["imitation"]["datasets"] == ["3.parquet", "4.parquet"]
    assert find_any_bot(f"network:{folder}", GAMES["verrater"]) is not None
    narrow = tmp_path / "narrow.parquet"
    assert run(["export", "verrater", "--games", "2", "-o", str(narrow)]) == 0
    capsys.readouterr()
    for words, why in (
        ([*given, str(narrow)], "datasets of different encodings: 2, 2/4"),
        ([str(folder / "imitation.csv")], "no dataset"),
        ([*given, "--epochs", "0"], "cannot go through the datasets 0 times"),
    ):
        assert run(["imitate", "verrater", *words, "-o", str(tmp_path / "none"), "--device", "cpu"]) == 2
        assert why in capsys.readouterr().err
    assert run(["imitate", "trok", *given, "-o", str(tmp_path / "none"), "--device", "cpu"]) == 2
    assert "no decisions of trok" in capsys.readouterr().err


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
    "more than all tables": (["verrater", "--league", "2"], "2.0 is no share of the tables"),
    "no discount": (["verrater", "--discount", "1.5"], "1.5 is no discount"),
    "no learning rate": (["verrater", "--rate", "0"], "0.0 is no learning rate"),
    "two ways to begin": (
        ["verrater", "--against", "network", "--start", "network"],
        "leave --league, --meet and --start out",
    ),
    "no weights": (["verrater", "--against", "nowhere.npz"], "nowhere.npz: no weights of a network"),
    "no run": (["verrater", "--resume", "nowhere"], "nowhere holds no run"),
    "no ranges": (["trieste", "--vary", "nowhere.toml"], "cannot read the ranges of house rules"),
    "bad ranges": (["trieste", "--vary", "pyproject.toml"], "unknown option 'build-system'"),
}


@pytest.mark.parametrize(("words", "why"), BAD.values(), ids=list(BAD))
def test_bad_input_is_named(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", *words, "--device", "cpu"]) == 2
    assert why in capsys.readouterr().err


# --- House rules that vary ---

TRIESTE_RANGES = Path(__file__).parent.parent / "bench" / "trieste_ranges.toml"
RANGES = '[deck."Smoke Bomb"]\ncopies = [1, 3]\n[deck."Street Urchin"]\ncopies = [6, 10]\namount = [1, 3]\n'


def test_the_outcomes_of_varied_house_rules_are_those_of_the_games() -> None:
    ranges = TRIESTE_RANGES.read_text("utf-8")
    settings = settings_for("trieste", "cpu", vary=ranges, tables=96, width=8, sets=5, league=0.5)
    learner = Learner(settings, GAMES["trieste"])
    assert learner.varied is not None and learner.actor.encoder.rules and learner.critic.encoder.rules
    batch, step, expected = learner.tables._batches[0][1], learner.tables.step, np.zeros((5, 5), np.int64)
    copies = [[row[0] for row in rules.deck] for rules in learner.varied.sets]
    assert learner.varied.learned["copies"] == ([0, *np.min(copies, 0)], [0, *np.max(copies, 0)])
    decks = [[number for row in rules.deck for number in row] for rules in learner.varied.sets]

    def watched(actions: Any) -> None:
        step(actions)
        for table in np.flatnonzero(batch.now.done & learner.alone.numpy()):
            last = batch.final_states[table]
            deck = np.stack([last[name][1:] for name in ("copies", "cost", "level", "reach", "amount", "more")], 1)
            row = expected[decks.index(deck.flatten().tolist())]
            row[:2] += 1, last["turn"]
            for seat in range(3):
                row[2 + last["faction"][seat]] += last["result"][seat]

    learner.tables.step = watched
    for _ in range(6):
        learner.play()
    assert expected[:, 0].sum() > 0 and (expected[:, 0] > 0).sum() > 3
    assert (learner.varied._counts.numpy() == expected).all()


@pytest.mark.slow
def test_a_run_with_varied_house_rules_is_resumed_folded_and_goes_on_with_fixed_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ranges.toml").write_text(RANGES, "utf-8")
    (tmp_path / "deck.toml").write_text('["Smoke Bomb"]\ncopies = 2\n["Street Urchin"]\ncopies = 7\n', "utf-8")
    varied, folded, fixed = tmp_path / "varied", tmp_path / "folded.npz", tmp_path / "fixed"
    quick = ["--device", "cpu", "--evaluated", "0", "--minutes"]
    small = ["--tables", "48", "--width", "16", *quick, "0.01"]
    assert run(["train", "trieste", "-o", str(varied), "--vary", str(tmp_path / "ranges.toml"), *small]) == 0
    assert run(["train", "trieste", "--resume", str(varied), *quick, "0.05"]) == 0
    outcomes = load_outcomes(varied)
    assert len(outcomes.parts) == 2 and len(outcomes.rows) == 251 and outcomes.last(2)[:, 0].sum() > 0
    assert outcomes.ended[0] < outcomes.ended[1]
    about = load_weights(varied / "weights.npz").about
    assert about["encoding"] == "2+rules" and about["house_rules"]["heroes"] == [0, 0]
    deck = f"deck={tmp_path / 'deck.toml'}"
    assert run(["fold", "trieste", str(varied), "--option", deck, "-o", str(folded)]) == 0
    assert load_weights(folded).about["encoding"] == "2"
    assert run(["train", "trieste", "-o", str(fixed), "--start", str(folded), *small]) == 0
    assert "house_rules" not in load_weights(fixed / "weights.npz").about
    capsys.readouterr()
    assert run(["train", "trieste", "-o", str(tmp_path / "none"), "--start", str(varied), *small]) == 2
    assert "tripot fold" in capsys.readouterr().err
    assert run(["fold", "trieste", str(fixed), "-o", str(tmp_path / "none.npz")]) == 2
    assert "nothing to fold" in capsys.readouterr().err
