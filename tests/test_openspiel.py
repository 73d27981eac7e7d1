"""The games in OpenSpiel: its own tests, explicit chance, and what information states contain."""

import copy
import pickle
import random
from types import FunctionType
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, ismcts
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.policy import UniformRandomPolicy

import tripot.lab.env.openspiel as openspiel
from tests.cases import Case, every_game, real_tables
from tripot.bots.bot import UnknownBot
from tripot.bots.memory import new_memory
from tripot.bots.own import find_any_bot
from tripot.core import jit, pile, rng
from tripot.core.encoding import encoder_of
from tripot.core.game import WHOLE_WIN, Game, signed, waiting_seats
from tripot.games.trok.cards import GEAR_COPIES
from tripot.lab.env.chance import Position
from tripot.testing.hidden import scrambled

pytestmark = pytest.mark.native
SUM = pyspiel.GameType.Utility


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
    """The rolls and draws of the seeded rules, without those that have one outcome."""

    def __init__(self, game: Game) -> None:
        self.made: list[tuple[list[tuple[int, int]], int]] = []  # outcomes with their weights, and which it was
        done: dict[Any, Any] = {}

        def leave(function: FunctionType) -> FunctionType:
            return function

        bound = {"roll": self.roll, "take_random": self.take_random}
        self.deal = jit.rebuild(game.deal, leave, bound, done)
        self.apply = jit.rebuild(game.apply, leave, bound, done)

    def roll(self, s: Any, sides: int) -> int:
        outcome = rng.roll(s, sides)
        if sides > 1:
            self.made.append(([(side, 1) for side in range(sides)], outcome))
        return outcome

    def take_random(self, s: Any, bag: Any, size: int) -> int:
        kinds = [(kind, count) for kind, count in enumerate(bag) if count]
        assert sum(count for _, count in kinds) == size
        kind = pile.take_random(s, bag, size)
        if len(kinds) > 1:
            self.made.append((kinds, kind))
        return kind


@real_tables
def test_the_rolls_of_a_seeded_game_lead_to_the_same_states(case: Case) -> None:
    """Every roll and draw is a chance node in the order of the rules, with its outcomes; nothing else is random."""
    game, recorder, luck = case.game, Recorder(case.game), random.Random(4)
    s, position = game.layout.state.plain(), Position(game.name, case.options, case.seats)
    recorder.deal(s, case.options, case.seats, signed(11))
    for _ in range(60):
        for outcomes, outcome in recorder.made:
            assert list(position.needed) == outcomes == list(position.chance)
            position.apply(outcome)
        assert not position.chance
        s.rng_a, s.rng_b, s.rng_c, s.rng_d = (getattr(position.s, f.name) for f in rng.FIELDS)
        assert position.state == s.pack()
        if s.over:
            break
        recorder.made.clear()
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
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 2) == "outcome 2 of 0, 1, 2"


def test_equal_cards_are_one_outcome_with_their_probability() -> None:
    """The first card of Trök's market: of 58 cards, 11 are pickaxes and 2 are stones. [K-0.1]"""
    state = load(tripot_game("trok"), options="youngest:1").new_initial_state()
    assert state.chance_outcomes() == [(kind, copies / 58) for kind, copies in enumerate(GEAR_COPIES)]


def test_chance_takes_the_decisions_of_an_opening() -> None:
    state = load(tripot_game("verrater"), players=3, opening=2).new_initial_state()
    decided = 0
    while state.is_chance_node():
        decided += not state.position.needed
        state.apply_action(state.chance_outcomes()[0][0])
    assert decided == 2 and state.position.s.building.count(1) == 2
    assert "an estate" in state.action_to_string(state.current_player(), state.legal_actions()[0])


# --- What players know ---


def tripot_game(name: str) -> Game:
    return openspiel.GAMES[name]


def dealt(game: Game, seed: int, decisions: int, **parameters: Any) -> Any:
    """A random state some decisions into the game; of another seed if the game is over before."""
    state, luck, left = load(game, **parameters).new_initial_state(), random.Random(seed), decisions
    while left or state.is_chance_node():
        left -= not state.is_chance_node()
        state.apply_action(luck.choice(state.legal_actions()))
        if state.is_terminal():
            return dealt(game, seed + 1000, decisions, **parameters)
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
            turned = load(game, encoding=2).deserialize_state(state.serialize())
            second = encoder_of(game, state.num_players()).encode(view)[0].tolist()
            assert turned.observation_tensor(seat) == second
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


@pytest.mark.parametrize("budget", ["3", "1ms"])
def test_openspiels_ismcts_is_a_bot_that_knows_its_seats_view_alone(budget: str) -> None:
    game = tripot_game("verrater")
    bot, state = find_any_bot(f"bench.rivals.ismcts:ismcts_{budget}", game), dealt(game, 2, 70, players=3)
    seat, legal = state.current_player(), state.legal_actions()
    other = np.frombuffer(scrambled(game.layout, state.position.state, seat, random.Random(1)), game.layout.state.dtype)
    decided = [
        bot.decide(view, legal, new_memory(3, seat))
        for view in (state.position.view(seat), game.layout.observe(other, seat))
    ]
    assert set(decided) <= set(legal)
    if budget == "3":  # with a time the clock decides, too
        assert decided[0] == decided[1]
    with pytest.raises(UnknownBot, match="no bot ismcts_0: write ismcts_100ms"):
        find_any_bot("bench.rivals.ismcts:ismcts_0", game)


def test_openspiels_ismcts_stops_in_time_where_its_tree_reaches_the_end_of_the_game() -> None:
    """Then it never asks for a rollout."""
    state, luck = dealt(tripot_game("verrater"), 2, 70, players=3), random.Random(4)
    while not state.is_terminal():
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            last = state.clone()
        state.apply_action(luck.choice(state.legal_actions()))
    seat, legal = last.current_player(), last.legal_actions()
    bot = find_any_bot("bench.rivals.ismcts:ismcts_1ms", tripot_game("verrater"))
    assert bot.decide(last.position.view(seat), legal, new_memory(3, seat)) in legal


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copy_of_a_state_is_the_same_state(copied: Any) -> None:
    state = dealt(tripot_game("verrater"), 6, 12, players=3, options="first:2")
    other = copied(state)
    assert str(other) == str(state) and other.history() == state.history()
    assert other.legal_actions() == state.legal_actions()
    other.apply_action(other.legal_actions()[0])
    assert str(other) != str(state)
    assert not state.get_game().get_type().provides_information_state_tensor


@every_game
def test_whether_somebody_always_wins_is_said_as_it_is(game: Game) -> None:
    """Trieste may end without a winner [T-4.5]; who sums up its rewards should know."""
    kind, last = load(game).get_type(), load(game, **({} if game.decisive else {"opening": 1})).utility_sum()
    assert game.decisive == (game.name != "trieste")
    assert kind.utility == (SUM.CONSTANT_SUM if game.decisive else SUM.GENERAL_SUM)
    assert last == (1 if game.decisive else None)


# --- Small games ---

SMALL = {
    "verrater": {},
    "trok": {"options": "rations:6;hammers:1"},
    "trieste": {},
}


def small(game: Game) -> Any:
    return pyspiel.load_game(f"tripot_{game.name}_small", SMALL[game.name])


@every_game
def test_tabular_cfr_nears_an_equilibrium_of_the_small_game(game: Game) -> None:
    """Its average policy can be exploited by less and less: measured exactly, over the whole tree."""
    tree = small(game)
    solver = cfr.CFRSolver(tree)
    left = [nash_conv(tree, UniformRandomPolicy(tree))]
    for iterations in (2, 4):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        left.append(nash_conv(tree, solver.average_policy()))
    assert left[0] > 0.2 and left[1] < 0.8 * left[0] and left[2] < 0.6 * left[1]


@every_game
def test_small_games_have_hidden_information_and_tensors_with_perfect_recall(game: Game) -> None:
    """Every information state is one tensor and one string, and some hold several states."""
    states: dict[str, set[bytes]] = {}
    tensors: dict[str, set[bytes]] = {}

    def walk(state: Any) -> None:
        if not state.is_chance_node() and not state.is_terminal():
            told = state.information_state_string()
            states.setdefault(told, set()).add(state.position.state)
            tensors.setdefault(told, set()).add(np.array(state.information_state_tensor(), np.float32).tobytes())
        for action in state.legal_actions():
            walk(state.child(action))

    walk(small(game).new_initial_state())
    assert all(len(found) == 1 for found in tensors.values())
    assert len({*map(tuple, tensors.values())}) == len(states) and max(map(len, states.values())) > 1


@every_game
def test_a_small_game_plays_by_the_rules_of_the_game(game: Game) -> None:
    """A state of it, put on a table of the game, has the same decisions and ends in the same way."""
    pyspiel.random_sim_test(small(game), num_sims=2, serialize=True, verbose=False)
    state, luck = small(game).new_initial_state(), random.Random(2)
    while not state.is_terminal():
        if not state.is_chance_node():
            s = game.layout.state.plain()
            s.load(state.position.state)
            assert state.legal_actions() == game.legal_actions(s, state.current_player())
            other = state.resample_from_infostate(state.current_player(), luck.random)
            assert other.information_state_string() == state.information_state_string()
        state.apply_action(luck.choice(state.legal_actions()))
    assert sum(state.returns()) == sum(state.position.s.result) / WHOLE_WIN


def test_how_small_a_game_is_are_options_with_limits() -> None:
    tree = pyspiel.load_game("tripot_verrater_small", {"options": "rounds:2;cards:3", "players": 4})
    state = tree.new_initial_state()
    assert state.position.s.round == 7 and state.position.s.hand_size == [3, 3, 3, 3]
    assert sum(map(sum, state.position.s.hand)) == 12 and state.position.s.pile_size == 0
    with pytest.raises(Exception, match="cards: 4 is not a whole number from 0 to 3"):
        pyspiel.load_game("tripot_verrater_small", {"options": "cards:4"})


BAD = {
    "players": ({"players": 9}, "3 or 4 players, not 9"),
    "option": ({"options": "speed:1"}, "unknown option 'speed'"),
    "no value": ({"options": "first"}, "write name:value"),
    "seat": ({"players": 3, "options": "first:4"}, "3 seats"),
    "opening": ({"opening": -1}, "0 to 20000"),
    "encoding": ({"encoding": 3}, "choose 1 or 2"),
}


@pytest.mark.parametrize(("parameters", "tells"), BAD.values(), ids=BAD)
def test_bad_parameters_are_refused_by_name(parameters: dict[str, Any], tells: str) -> None:
    with pytest.raises(Exception, match=tells):
        pyspiel.load_game("tripot_verrater", parameters)
