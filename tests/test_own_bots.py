"""Bots of one's own, `module:factory`: in the arena, as opponents, and never over a wire."""

import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from typer.testing import CliRunner

from tripot import GAMES
from tripot.bots.bot import UnknownBot, find_bot
from tripot.bots.own import BadDecision, find_any_bot
from tripot.cli import lab, main  # noqa: F401  # lab adds its commands
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
    envs = SeatVectorEnv("verrater", 3, opponents="bots_of_mine:policy")
    seen, _ = envs.reset(seed=1)
    assert seen["action_mask"].any(1).all()


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
    bot = find_any_bot("bots_of_mine:wild", VERRATER)
    with pytest.raises(BadDecision, match="999 is not legal; legal are 1, 2"):
        bot.decide(VERRATER.layout.observe(VERRATER.layout.states(1), 0), [1, 2], None)


def test_what_comes_over_a_wire_imports_nothing() -> None:
    with pytest.raises(UnknownBot, match="unknown bot 'bots_of_mine:last'"):
        find_bot("bots_of_mine:last", VERRATER)
    assert "bots_of_mine" not in sys.modules
