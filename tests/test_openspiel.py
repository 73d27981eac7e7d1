"""The games in OpenSpiel: its own tests, explicit chance, and what information states contain."""

import copy
import pickle
import random
from types import FunctionType
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

import tripot.lab.env.openspiel as openspiel
from tests.cases import Case, every_game, real_tables
from tripot.core import jit, rng
from tripot.core.game import Game, signed, waiting_seats
from tripot.lab.env.chance import Position
from tripot.testing.hidden import scrambled

pytestmark = pytest.mark.native


def load(game: Game, **parameters: Any) -> Any:
    return pyspiel.load_game(openspiel.PREFIX + game.name, parameters)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tripot_verrater", {"players": 3, "options": "first:2;tie_break:supply"}),
        ("tripot_verrater", {"players": 4, "opening": 7}),
        ("tripot_trok", {"players": 3, "options": "goal:15"}),
        ("tripot_trieste", {"options": "heroes:1"}),
    ],
)
def test_random_simulation(name: str, parameters: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name, parameters), num_sims=1, serialize=True, verbose=False)


def test_external_sampling_solves_the_end_of_a_game() -> None:
    """Chance plays most of Verräter; one iteration solves the rest."""
    np.random.seed(0)
    solver = ExternalSamplingSolver(pyspiel.load_game("tripot_verrater", {"players": 3, "opening": 106}))
    solver.iteration()
    assert len(solver._infostates) > 100
    state = pyspiel.load_game("tripot_verrater", {"players": 3}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    chances = solver.average_policy().action_probabilities(state)
    assert sum(chances.values()) == pytest.approx(1) and set(chances) == set(state.legal_actions())


# --- Chance ---


class Recorder:
    """The rolls of the seeded rules, without those that have one outcome."""

    def __init__(self, game: Game) -> None:
        self.rolls: list[tuple[int, int]] = []
        done: dict[Any, Any] = {}

        def leave(function: FunctionType) -> FunctionType:
            return function

        self.deal = jit.rebuild(game.deal, leave, {"roll": self.roll}, done)
        self.apply = jit.rebuild(game.apply, leave, {"roll": self.roll}, done)

    def roll(self, s: Any, sides: int) -> int:
        outcome = rng.roll(s, sides)
        if sides > 1:
            self.rolls.append((sides, outcome))
        return outcome


@real_tables
def test_the_rolls_of_a_seeded_game_lead_to_the_same_states(case: Case) -> None:
    """Every roll is a chance node in the order of the rules, with as many outcomes, and nothing else is random."""
    game, recorder, luck = case.game, Recorder(case.game), random.Random(4)
    s, position = game.layout.state.plain(), Position(game.name, case.options, case.seats)
    recorder.deal(s, case.options, case.seats, signed(11))
    for _ in range(60):
        for sides, outcome in recorder.rolls:
            assert position.sides == sides and position.chance == list(range(sides))
            position.apply(outcome)
        assert not position.chance
        s.rng_a, s.rng_b, s.rng_c, s.rng_d = (getattr(position.s, f.name) for f in rng.FIELDS)
        assert position.state == s.pack()
        if s.over:
            break
        recorder.rolls.clear()
        legal = game.legal_actions(s, waiting_seats(s)[0])
        assert position.legal() == legal and position.mover == waiting_seats(s)[0]
        action = luck.choice(legal)
        rng.seed_luck(s, luck.getrandbits(60), 0)  # the words were overwritten above
        recorder.apply(s, position.mover, action)
        position.apply(action)


def test_all_sides_of_a_roll_are_equally_likely_and_named() -> None:
    state = load(tripot_game("verrater"), players=3).new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 1 / 3), (1, 1 / 3), (2, 1 / 3)]  # who is first [V-1.1]
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 2) == "roll 3 of 3"


def test_chance_takes_the_decisions_of_an_opening() -> None:
    state = load(tripot_game("verrater"), players=3, opening=2).new_initial_state()
    decided = 0
    while state.is_chance_node():
        decided += not state.position.sides
        state.apply_action(state.chance_outcomes()[0][0])
    assert decided == 2 and state.position.s.building.count(1) == 2
    assert "an estate" in state.action_to_string(state.current_player(), state.legal_actions()[0])


# --- What players know ---


def tripot_game(name: str) -> Game:
    return openspiel.GAMES[name]


def dealt(game: Game, seed: int, decisions: int, **parameters: Any) -> Any:
    """A random state some decisions into the game."""
    state, luck = load(game, **parameters).new_initial_state(), random.Random(seed)
    while decisions or state.is_chance_node():
        decisions -= not state.is_chance_node()
        state.apply_action(luck.choice(state.legal_actions()))
    return state


@every_game
def test_information_states_contain_the_view_and_nothing_else(game: Game) -> None:
    luck = random.Random(3)
    for decisions in (0, 8, 30):
        state = dealt(game, 5, decisions)
        for seat in range(state.num_players()):
            view = state.position.view(seat)
            encoded = game.layout.encode(view)[0].tolist()
            assert state.observation_tensor(seat) == encoded
            told = state.observation_string(seat), state.information_state_string(seat)
            assert told[1].endswith(told[0]) and f"seats={state.num_players()}" in told[0]
            other = state.clone()
            other.position.state = scrambled(game.layout, state.position.state, seat, luck)
            assert (other.observation_string(seat), other.information_state_string(seat)) == told


def test_information_states_remember_what_views_forget() -> None:
    """Two supply cards in either order give equal views, but the player saw which came first."""
    state = dealt(tripot_game("verrater"), 1, 0, players=3)
    while state.is_chance_node() or "Add no more cards" not in state.action_to_string(state.legal_actions()[0]):
        state.apply_action(state.legal_actions()[0])
    player, (_, first, second, *_) = state.current_player(), state.legal_actions()
    one, two = state.clone(), state.clone()
    for branch, order in ((one, (first, second)), (two, (second, first))):
        for action in order:
            branch.apply_action(action)
    for seat in range(3):
        assert one.observation_string(seat) == two.observation_string(seat)
        assert one.information_state_string(seat) != two.information_state_string(seat)
    assert one.current_player() == player


@every_game
def test_states_can_be_serialized_and_read_again(game: Game) -> None:
    for decisions in (0, 9):
        state = dealt(game, 6, decisions)
        text = pyspiel.serialize_game_and_state(state.get_game(), state)
        _, read = pyspiel.deserialize_game_and_state(text)
        assert str(read) == str(state) and read.history() == state.history()
        assert read.information_state_string(0) == state.information_state_string(0)
    assert pickle.loads(pickle.dumps(state.position)).state == state.position.state


@every_game
def test_an_imagined_state_is_one_the_player_cannot_tell_from_the_real_one(game: Game) -> None:
    luck = random.Random(4)
    for decisions in (3, 30):
        state = dealt(game, 5, decisions)
        player, seen = state.current_player(), set()
        for _ in range(6):
            other = state.resample_from_infostate(player, luck.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.legal_actions() == state.legal_actions() and other.history() == state.history()
            seen.add(other.position.state)
        assert len(seen) > 1


def test_openspiels_own_ismcts_plays_as_it_is() -> None:
    state = dealt(tripot_game("verrater"), 2, 70, players=3)
    bot = ismcts.ISMCTSBot(
        state.get_game(),
        RandomRolloutEvaluator(1, np.random.RandomState(1)),
        2,
        12,
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copy_of_a_state_is_the_same_state(copied: Any) -> None:
    state = dealt(tripot_game("verrater"), 6, 12, players=3, options="first:2")
    other = copied(state)
    assert str(other) == str(state) and other.history() == state.history()
    assert other.legal_actions() == state.legal_actions()
    other.apply_action(other.legal_actions()[0])
    assert str(other) != str(state)
    assert not state.get_game().get_type().provides_information_state_tensor


BAD = {
    "players": ({"players": 9}, "3 or 4 players, not 9"),
    "option": ({"options": "speed:1"}, "unknown option 'speed'"),
    "no value": ({"options": "first"}, "write name:value"),
    "seat": ({"players": 3, "options": "first:4"}, "3 seats"),
    "opening": ({"opening": -1}, "0 to 20000"),
}


@pytest.mark.parametrize(("parameters", "tells"), BAD.values(), ids=BAD)
def test_bad_parameters_are_refused_by_name(parameters: dict[str, Any], tells: str) -> None:
    with pytest.raises(Exception, match=tells):
        pyspiel.load_game("tripot_verrater", parameters)
