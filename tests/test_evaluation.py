"""The evaluation: a win share for each seat, fitted to games and better than a guess."""

import math
import random

import numpy as np
import pytest

from tests.cases import play_on
from tripot import GAMES
from tripot.bots import ismcts
from tripot.bots.evaluation import WEIGHTS, EvaluationNet, empty_net, load_net
from tripot.bots.search import Searcher, evaluation_names
from tripot.core import jit
from tripot.core.game import Game
from tripot.lab.training import fit_evaluation
from tripot.lab.training.fit_evaluation import Sample, cross_entropy, expected, fit, gradients, take_sample
from tripot.table.table import Table

pytestmark = pytest.mark.native

EVALUATED = {game.name: game for game in GAMES.values() if game.evaluation is not None}
every_evaluation = pytest.mark.parametrize("game", EVALUATED.values(), ids=list(EVALUATED))


def tables(game: Game, seed: int, count: int = 12) -> list[Table]:
    """Moments of random games, of every number of seats."""
    luck, found = random.Random(seed), []
    for number in range(count):
        table = Table(game, game.seats[number % len(game.seats)], seed + number)
        play_on(table, luck, luck.randrange(120))
        if not table.over:
            found.append(table)
    assert found
    return found


def shares(game: Game, table: Table, net: EvaluationNet) -> list[float]:
    """What native code expects of a table."""
    state = np.frombuffer(table.state_bytes(), game.layout.state.dtype).copy()
    found = np.zeros(max(game.seats))
    jit.native(ismcts.evaluate, **evaluation_names(game))(state[0], net, found)
    return found[: table.seats].tolist()


@every_evaluation
def test_win_shares_add_up_to_one_victory(game: Game) -> None:
    net = load_net(game)
    for table in tables(game, 1):
        expected_shares = shares(game, table, net)
        assert math.isclose(sum(expected_shares), 1) and all(0 < share < 1 for share in expected_shares)
        assert len({round(share, 6) for share in expected_shares}) > 1 or table.seats == 1


@every_evaluation
def test_an_empty_network_expects_the_same_for_all_seats(game: Game) -> None:
    for table in tables(game, 2, 6):
        assert np.allclose(shares(game, table, empty_net(game.evaluation)), 1 / table.seats)


@every_evaluation
def test_native_code_expects_what_the_fit_does(game: Game) -> None:
    """The loop that search runs and the arrays of the fit are two ways of writing the same net."""
    net, evaluation = load_net(game), game.evaluation
    assert evaluation is not None
    for table in tables(game, 3):
        s = game.layout.state.plain()
        s.load(table.state_bytes())
        features = np.zeros((1, table.seats, evaluation.feature_count))
        for seat in range(table.seats):
            evaluation.features(s, seat, features[0][seat])
        sides = np.array([[evaluation.side_of(s, seat) for seat in range(table.seats)]])
        by_the_fit, _ = expected(net, Sample(features, sides, np.zeros((1, table.seats))))
        assert np.allclose(by_the_fit[0], shares(game, table, net))


@every_evaluation
def test_the_shipped_network_predicts_games_that_it_was_not_fitted_to(game: Game) -> None:
    sample = take_sample(game, game.usual_seats, 500, 5, 7_000_000)  # sixty vary by a tenth from seed to seed
    blind = cross_entropy(empty_net(game.evaluation), [sample])
    assert math.isclose(blind, math.log(game.usual_seats), rel_tol=1e-6)
    assert cross_entropy(load_net(game), [sample]) < 0.9 * blind


@every_evaluation
def test_gradients_agree_with_finite_differences(game: Game) -> None:
    sample = take_sample(game, game.usual_seats, 4, 0, 8_000_000)
    kept = load_net(game)
    net = EvaluationNet(*(array.copy() for array in kept))
    luck = np.random.default_rng(5)
    for name, gradient in zip(WEIGHTS, gradients(net, sample), strict=True):
        weights = getattr(net, name)
        for place in luck.integers(0, weights.size, 3):
            at = np.unravel_index(place, weights.shape)
            kept_weight = weights[at]
            weights[at] = kept_weight + 1e-5
            above = cross_entropy(net, [sample])
            weights[at] = kept_weight - 1e-5
            below = cross_entropy(net, [sample])
            weights[at] = kept_weight
            assert math.isclose((above - below) / 2e-5, gradient[at], rel_tol=1e-3, abs_tol=1e-6), (name, at)


def test_fitting_lowers_the_cross_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_evaluation, "BATCH", 256)
    game = GAMES["trok"]
    evaluation, samples = game.evaluation, [take_sample(game, 4, 60, 0, 9_000_000)]
    start, few = fit(evaluation, samples, epochs=0), fit(evaluation, samples, epochs=80)
    assert cross_entropy(few, samples) < 0.8 * cross_entropy(start, samples)


@every_evaluation
def test_a_search_stops_where_the_next_turn_begins_and_not_before(game: Game) -> None:
    """Thinking for one turn and for very many differ, and both are thoughts about the same decisions."""
    table = next(t for t in tables(game, 4) if len(t.offer(t.waiting[0]).legal) > 1)
    seat = table.waiting[0]
    view, legal = table.view(seat), table.offer(seat).legal
    short, long = (Searcher(game, 60, turns=turns).search(view, legal, 3) for turns in (1, 1000))
    assert short.visits.keys() == long.visits.keys() and sum(short.visits.values()) == sum(long.visits.values())
    assert short.expected != long.expected
