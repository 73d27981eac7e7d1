"""Standard interfaces, checked by their own conformance tests: PettingZoo and Gymnasium."""

import copy
import importlib
import pickle
import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from tests.cases import Case, every_game, real_tables
from tripot import GAMES
from tripot.bots.bot import UnknownBot, find_bot
from tripot.bots.memory import new_memory
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.options import BadOption
from tripot.lab.env import verrater_v1
from tripot.lab.env.gymnasium import IDS, SeatEnv
from tripot.lab.env.observation import page
from tripot.table.refusal import Refusal
from tripot.table.table import BadTable, Table
from tripot.testing.hidden import scrambled, twin

pytestmark = pytest.mark.native

# PettingZoo gives these warnings for every environment with a mask that is not one of its own.
for_masks = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]


def module_of(game: Game) -> Any:
    return importlib.import_module(f"tripot.lab.env.{game.name}_v{game.rules_version}")


class TestPettingZoo:
    pytestmark = for_masks

    @real_tables
    def test_api(self, case: Case) -> None:
        api_test(module_of(case.game).env(seats=case.seats))

    @every_game
    def test_seeds(self, game: Game) -> None:
        seed_test(module_of(game).env)

    @every_game
    def test_rendering(self, game: Game, capsys: pytest.CaptureFixture[str]) -> None:
        render_test(module_of(game).env)
        assert game.text.SEATS[0].en in capsys.readouterr().out


def play(env: Any, luck: random.Random) -> list[tuple[str, Any, float, bool]]:
    """A whole random game: what every agent observed, in order."""
    told = []
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        told.append((agent, seen, reward, over))
        env.step(None if over else luck.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return told


@every_game
def test_an_environment_plays_the_game_of_its_seed(game: Game) -> None:
    env = module_of(game).env()
    assert env.metadata["name"] == f"{game.name}_v{game.rules_version}"
    env.reset(seed=5)
    raw = env.unwrapped
    assert raw.table.state_bytes() == game.new_state(game.options(), game.usual_seats, 5).pack()
    told = play(env, random.Random(1))
    ends = {agent: reward for agent, _, reward, over in told if over}
    assert list(ends) == raw.possible_agents and not env.agents
    assert [share * WHOLE_WIN for share in ends.values()] == pytest.approx(raw.table.result)
    env.reset(seed=5)
    again = play(env, random.Random(1))
    assert [(a, r, o) for a, _, r, o in again] == [(a, r, o) for a, _, r, o in told]
    env.reset()
    assert raw.table.seed != 5


@every_game
def test_an_agent_sees_nothing_it_may_not_know(game: Game) -> None:
    env, luck = module_of(game).raw_env(), random.Random(2)
    env.reset(seed=9)
    for _ in range(25):
        agent, real = env.agent_selection, env.table
        seat = env.possible_agents.index(agent)
        seen, text = env.observe(agent), page(real, seat, 0)
        assert np.array_equal(seen["observation"], game.layout.encode(real.view(seat))[0])
        assert np.flatnonzero(seen["action_mask"]).tolist() == list(real.offer(seat).legal)
        env.table = twin(real, scrambled(game.layout, real.state_bytes(), seat, luck))
        assert all(np.array_equal(seen[part], other) for part, other in env.observe(agent).items())
        assert page(env.table, seat, 0) == text
        env.table = real
        env.step(luck.choice(np.flatnonzero(seen["action_mask"]).tolist()))


def test_an_illegal_decision_ends_the_game_with_minus_one_for_the_agent_that_took_it() -> None:
    raw = verrater_v1.raw_env(seats=3)
    raw.reset(seed=1)
    with pytest.raises(Refusal):
        raw.step(0)
    env = verrater_v1.env(seats=3)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(0)
    assert all(env.terminations.values()) and env.rewards[agent] == -1 and sum(env.rewards.values()) == -1


def test_environments_take_house_rules_and_can_be_sent_to_other_processes() -> None:
    env = verrater_v1.raw_env(seats=3, options={"first": 2, "tie_break": "supply"}, render_mode="ansi", lang="fr")
    env.reset(seed=4)
    assert env.agent_selection == "player_1" and env.possible_agents == ["player_0", "player_1", "player_2"]
    other = pickle.loads(pickle.dumps(env))
    other.reset(seed=4)
    assert other.table.state_bytes() == env.table.state_bytes()
    assert "Où" in env.render() or "?" in env.render()


BAD = {
    "seats": ({"seats": 9}, BadTable, "3 or 4 players"),
    "option": ({"options": {"speed": 1}}, BadOption, "unknown option 'speed'"),
    "value": ({"options": {"first": 99}}, BadOption, "first"),
    "encoding": ({"encoding": 3}, ValueError, "1 or 2"),
}


@pytest.mark.parametrize(("settings", "error", "tells"), BAD.values(), ids=BAD)
def test_bad_settings_are_refused_by_name(settings: Any, error: Any, tells: str) -> None:
    with pytest.raises(error, match=tells):
        verrater_v1.env(**settings)


# --- Gymnasium ---


@pytest.mark.parametrize("opponents", ["sensible", "uniform"])
@every_game
def test_gymnasiums_checker_accepts_the_environments(game: Game, opponents: str) -> None:
    check_env(gymnasium.make(IDS[game.name], opponents=opponents).unwrapped)


@real_tables
def test_a_seat_plays_the_game_of_its_seed_against_bots(case: Case) -> None:
    """The same game as at a table with the same bots, where the seat always takes its first legal decision."""
    game, seat = case.game, case.seats - 1
    env = gymnasium.make(IDS[game.name], seats=case.seats, seat=seat, opponents="sensible")
    seen, info = env.reset(seed=21)
    table = Table(game, case.seats, 21)
    memories, sensible = [new_memory(21, at) for at in range(case.seats)], find_bot("sensible", game)
    over, reward = False, 0.0
    while not over:
        while seat not in table.waiting:
            offer = table.offer(table.waiting[0])
            action = sensible.decide(table.view(offer.seat), offer.legal, memories[offer.seat])
            table.decide(offer.seat, action, offer.sequence)
        offer = table.offer(seat)
        assert np.array_equal(seen["observation"], game.layout.encode(table.view(seat))[0])
        assert np.flatnonzero(info["action_mask"]).tolist() == list(offer.legal)
        seen, reward, over, _, info = env.step(offer.legal[0])
        table.decide(seat, offer.legal[0], offer.sequence)
    while not table.over:
        offer = table.offer(table.waiting[0])
        action = sensible.decide(table.view(offer.seat), offer.legal, memories[offer.seat])
        table.decide(offer.seat, action, offer.sequence)
    assert reward * WHOLE_WIN == pytest.approx(table.result[seat])


def test_a_seat_can_be_drawn_and_opponents_named_one_by_one() -> None:
    env = gymnasium.make(IDS["verrater"], seats=3, seat=None, opponents=["uniform", "sensible"])
    seats = [env.reset(seed=3)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(20))]
    assert set(seats) == {0, 1, 2}
    assert [env.reset(seed=3)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(20))] == seats


def test_an_illegal_decision_costs_the_seat_its_game() -> None:
    env = gymnasium.make(IDS["verrater"])
    _, info = env.reset(seed=3)
    *_, reward, over, _, _ = env.step(int(np.argmin(info["action_mask"])))
    assert reward == -1 and over
    with pytest.raises(ValueError, match="reset"):
        env.unwrapped.step(0)


def test_a_seat_can_render_its_table() -> None:
    env = gymnasium.make(IDS["trok"], render_mode="ansi", lang="fr")
    env.reset(seed=1)
    text = env.render()
    assert GAMES["trok"].text.SEATS[0].fr in text and "my_hand" in text


BAD_SEATS = {
    "seat": ({"seat": 4}, ValueError, "0 to 3"),
    "opponents": ({"opponents": ["uniform"]}, ValueError, "1 opponents: name one for all seats, or 3"),
    "bot": ({"opponents": "genius"}, UnknownBot, "genius"),
    "encoding": ({"encoding": 3}, ValueError, "1 or 2"),
}


@pytest.mark.parametrize(("settings", "error", "tells"), BAD_SEATS.values(), ids=BAD_SEATS)
def test_a_bad_seat_is_refused_by_name(settings: Any, error: Any, tells: str) -> None:
    with pytest.raises(error, match=tells):
        SeatEnv("verrater", **settings)


# --- Render modes, copies, the second encoding ---


@pytest.mark.parametrize("make", [verrater_v1.raw_env, lambda **settings: SeatEnv("verrater", **settings)])
def test_an_unknown_render_mode_warns_and_shows_nothing(make: Any) -> None:
    with pytest.warns(UserWarning, match="no render mode 'hologram'.*ansi, human, rgb_array"):
        env = make(render_mode="hologram")
    assert env.render_mode is None


def test_a_table_is_drawn_with_a_size_that_never_changes() -> None:
    env = SeatEnv("trok", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    env.step(int(np.argmax(env.action_masks())))
    then = env.render()
    assert first.shape == then.shape and first.dtype == np.uint8 and first.shape[2] == 3
    assert (first != then).any() and len(np.unique(first.reshape(-1, 3), axis=0)) == 3  # paper, ink and questions


@every_game
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_a_seat_plays_on_as_the_original(game: Game, copied: Any) -> None:
    env = gymnasium.make(IDS[game.name], opponents="sensible", seat=None)
    _, info = env.reset(seed=5)
    for _ in range(5):
        _, _, _, _, info = env.step(int(np.argmax(info["action_mask"])))
    twin, over = copied(env), False
    while not over:
        action = int(np.argmax(info["action_mask"]))
        seen, reward, over, _, info = env.step(action)
        other, its_reward, its_end, _, _ = twin.step(action)
        assert np.array_equal(seen["observation"], other["observation"]) and (reward, over) == (its_reward, its_end)
    assert np.array_equal(env.reset()[0]["observation"], twin.reset()[0]["observation"])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_a_table_stands_where_the_original_stands(copied: Any) -> None:
    env = verrater_v1.raw_env(encoding=2)
    env.reset(seed=2)
    for _ in range(15):
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    twin = copied(env)
    for _ in range(10):
        (seen, *rest), (other, *others) = env.last(), twin.last()
        assert env.agent_selection == twin.agent_selection and rest[0] == others[0]
        assert np.array_equal(seen["observation"], other["observation"])
        env.step(int(np.argmax(seen["action_mask"])))
        twin.step(int(np.argmax(seen["action_mask"])))


def test_with_the_second_encoding_actions_are_turned() -> None:
    """In Trök some actions name seats; the mask and what is decided must agree for every agent."""
    env = importlib.import_module("tripot.lab.env.trok_v1").raw_env(seats=3, encoding=2)
    env.reset(seed=6)
    turned, luck = 0, random.Random(1)
    while not env.table.over:
        seat, seen = env.table.waiting[0], env.last()[0]
        action = luck.choice(list(np.flatnonzero(seen["action_mask"])))
        before = len(env.table.decisions)
        env.step(int(action))
        decided = env.table.decisions[before]
        assert decided[0] == seat
        turned += decided[1] != action
    assert turned > 0


# --- Without the extra ---


def test_without_the_extra_only_the_environments_are_missing() -> None:
    """In a process of its own, where the three libraries cannot be imported."""
    code = """
import sys, importlib
for name in ("pettingzoo", "gymnasium", "pyspiel"):
    sys.modules[name] = None
import tripot.lab, tripot.lab.batch, tripot.lab.env
for name in ("verrater_v1", "gymnasium", "openspiel"):
    try:
        importlib.import_module("tripot.lab.env." + name)
    except ModuleNotFoundError as missing:
        print(missing)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["gymnasium", "gymnasium", "pyspiel"]
    assert all("extra 'env'" in line for line in lines)
