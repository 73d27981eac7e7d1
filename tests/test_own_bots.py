"""Bots of one's own, `module:factory`: in the arena, as opponents, and never over a wire."""

import linecache
import shutil
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from typer.testing import CliRunner

from tripot import GAMES
from tripot.bots.bot import UnknownBot, find_bot
from tripot.bots.network import SHIPPED
from tripot.bots.own import BadDecision, find_any_bot
from tripot.cli import lab, main  # noqa: F401  # lab adds its commands
from tripot.lab.arena.contest import new_contest
from tripot.lab.env.gymnasium import IDS
from tripot.lab.vector.seat_env import SeatVectorEnv

pytestmark = pytest.mark.native
VERRATER = GAMES["verrater"]

SOURCE = """
class Last:
    def decide(self, view, legal, memory):
        return legal[-1]

def last(game):
    assert game.name
    return Last()

def wild(game):
    return lambda view, legal, memory: 999

def nothing(game):
    return 7

def policy(game):
    return lambda observations, masks: masks.argmax(1)

def outside(game):
    return lambda observations, masks: [999]
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "bots_of_mine.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("bots_of_mine", None)


def test_a_bot_of_ones_own_meets_others_in_the_arena() -> None:
    asked = ["arena", "verrater", "--bots", "bots_of_mine:last,uniform", "--games", "4", "--workers", "1", "--json"]
    done = CliRunner().invoke(main.app, asked, catch_exceptions=False)
    assert done.exit_code == 0 and "bots_of_mine:last" in done.stdout


def test_it_plays_opponents_of_gymnasium() -> None:
    env = gymnasium.make(IDS["verrater"], opponents=["bots_of_mine:last", "uniform", "uniform"])
    _, info = env.reset(seed=3)
    table = env.unwrapped.table
    env.step(int(info["action_mask"].argmax()))
    decided = [action for seat, action in table.decisions if seat == 1]
    assert decided and set(decided) != {0}
    for opponent in ("bots_of_mine:policy", "bots_of_mine:last"):
        env = gymnasium.make(IDS["trok"], opponents=opponent, encoding=2)
        envs = SeatVectorEnv("trok", 2, opponents=opponent, encoding=2)
        alone, seen = env.reset(seed=1)[0], envs.reset(seed=1)[0]
        for _ in range(40):
            assert np.array_equal(seen["observation"][0], alone["observation"])
            actions = seen["action_mask"].argmax(1)
            seen, alone = envs.step(actions)[0], env.step(int(actions[0]))[0]


def test_a_policy_enters_the_arena() -> None:
    """It sees version 2 of the encoding, and its actions are turned."""
    asked = ["arena", "trok", "--bots", "bots_of_mine:policy,uniform", "--games", "4", "--workers", "1", "--json"]
    assert CliRunner().invoke(main.app, asked, catch_exceptions=False).exit_code == 0
    bot, trok = find_any_bot("bots_of_mine:policy", GAMES["trok"]), GAMES["trok"]
    s = trok.new_state(trok.options(), 4, 3)
    for seat in range(4):
        legal, view = (
            trok.legal_actions(s, seat),
            trok.layout.observe(np.frombuffer(s.pack(), trok.layout.state.dtype), seat),
        )
        assert bot.decide(view, legal, None) == legal[0]  # none of these names a seat


def test_a_games_file_knows_the_code_of_a_bot(tmp_path: Path) -> None:
    trok = GAMES["trok"]
    before = new_contest(trok, 4, trok.options(), ["bots_of_mine:last", "uniform"])
    assert before == new_contest(trok, 4, trok.options(), before.circle)
    assert before.program != new_contest(trok, 4, trok.options(), ["uniform"]).program
    (tmp_path / "bots_of_mine.py").write_text(SOURCE + "\nBETTER = 1\n")
    linecache.checkcache()
    assert before.program != new_contest(trok, 4, trok.options(), ["bots_of_mine:last", "uniform"]).program
    for missing, tells in (("not_there:bot", "No module"), ("network:nowhere.npz", "cannot be read: No such file")):
        with pytest.raises(UnknownBot, match=tells):
            new_contest(trok, 4, trok.options(), [missing])


def test_weights_are_named_by_their_file_or_the_folder_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    shutil.copy(SHIPPED / "trok.npz", tmp_path / "run" / "weights.npz")
    for notation in ("network:run", "network:run/weights.npz", f"network:{tmp_path}/run"):
        assert find_any_bot(notation, GAMES["trok"]).name == notation
    with pytest.raises(UnknownBot, match="these weights are for trok"):
        find_any_bot("network:run", VERRATER)


BAD = {
    "no module": ("not_there:bot", UnknownBot, "No module named 'not_there'"),
    "no factory": ("bots_of_mine:genius", UnknownBot, "genius"),
    "no player": ("bots_of_mine:nothing", UnknownBot, "can neither `decide` nor be called"),
}


@pytest.mark.parametrize(("notation", "error", "tells"), BAD.values(), ids=BAD)
def test_a_bot_that_cannot_be_had_is_named(notation: str, error: Any, tells: str) -> None:
    with pytest.raises(error, match=tells):
        find_any_bot(notation, VERRATER)


def test_an_illegal_decision_is_named() -> None:
    state = np.frombuffer(VERRATER.new_state(VERRATER.options(), 4, 0).pack(), VERRATER.layout.state.dtype)
    for name in ("wild", "outside"):
        bot = find_any_bot(f"bots_of_mine:{name}", VERRATER)
        with pytest.raises(BadDecision, match="999 is not legal; legal are 1, 2"):
            bot.decide(VERRATER.layout.observe(state, 0), [1, 2], None)


def test_what_comes_over_a_wire_imports_nothing() -> None:
    with pytest.raises(UnknownBot, match="unknown bot 'bots_of_mine:last'"):
        find_bot("bots_of_mine:last", VERRATER)
    assert "bots_of_mine" not in sys.modules
