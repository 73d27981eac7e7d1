"""The outlook: what search expects of a table is a share for each seat, fitted to games and better than a guess."""

import math
import random

import numpy as np
import pytest

from tests.cases import play_on
from tripot import GAMES
from tripot.bots import ismcts
from tripot.bots.outlook import FITTED, OUTLOOKS, Net, empty_net, load_net
from tripot.bots.search import Searcher
from tripot.core import jit
from tripot.core.game import Game
from tripot.lab.training import fit_evaluation
from tripot.lab.training.fit_evaluation import Sample, expected, fit, slopes, surprise, take_sample
from tripot.table.table import Table

pytestmark = pytest.mark.native

every_outlook = pytest.mark.parametrize("game", [GAMES[name] for name in OUTLOOKS], ids=list(OUTLOOKS))


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


def shares(game: Game, table: Table, net: Net) -> list[float]:
    """What native code expects of a table."""
    outlook = OUTLOOKS[game.name]
    bound = {"traits": outlook.traits, "side_of": outlook.side_of, "turn_of": outlook.turn_of}
    state = np.frombuffer(table.state_bytes(), game.layout.state.dtype).copy()
    found = np.zeros(max(game.seats))
    jit.native(ismcts.weigh, f"{game.name}-weigh", **bound)(state[0], net, found)
    return found[: table.seats].tolist()


@every_outlook
def test_an_outlook_shares_out_one_victory(game: Game) -> None:
    net = load_net(game.name)
    for table in tables(game, 1):
        expected_shares = shares(game, table, net)
        assert math.isclose(sum(expected_shares), 1) and all(0 < share < 1 for share in expected_shares)
        assert len({round(share, 6) for share in expected_shares}) > 1 or table.seats == 1


@every_outlook
def test_a_net_that_knows_nothing_expects_the_same_for_all(game: Game) -> None:
    for table in tables(game, 2, 6):
        assert np.allclose(shares(game, table, empty_net(OUTLOOKS[game.name])), 1 / table.seats)


@every_outlook
def test_native_code_expects_what_the_fit_does(game: Game) -> None:
    """The loop that search runs and the arrays of the fit are two ways of writing the same net."""
    net, outlook = load_net(game.name), OUTLOOKS[game.name]
    for table in tables(game, 3):
        s = game.layout.state.plain()
        s.load(table.state_bytes())
        traits = np.zeros((1, table.seats, outlook.count))
        for seat in range(table.seats):
            outlook.traits(s, seat, traits[0][seat])
        sides = np.array([[outlook.side_of(s, seat) for seat in range(table.seats)]])
        by_the_fit, _ = expected(net, Sample(traits, sides, np.zeros((1, table.seats))))
        assert np.allclose(by_the_fit[0], shares(game, table, net))


@every_outlook
def test_the_kept_net_foresees_games_that_it_was_not_fitted_to(game: Game) -> None:
    sample = take_sample(game, game.usual_seats, 60, 5, 7_000_000)
    blind = surprise(empty_net(OUTLOOKS[game.name]), [sample])
    assert math.isclose(blind, math.log(game.usual_seats), rel_tol=1e-6)
    assert surprise(load_net(game.name), [sample]) < 0.9 * blind


@every_outlook
def test_slopes_say_how_the_surprise_changes(game: Game) -> None:
    sample = take_sample(game, game.usual_seats, 4, 0, 8_000_000)
    kept = load_net(game.name)
    net = Net(*(array.copy() for array in kept))
    luck = np.random.default_rng(5)
    for name, slope in zip(FITTED, slopes(net, sample), strict=True):
        weights = getattr(net, name)
        for place in luck.integers(0, weights.size, 3):
            at = np.unravel_index(place, weights.shape)
            kept_weight = weights[at]
            weights[at] = kept_weight + 1e-5
            above = surprise(net, [sample])
            weights[at] = kept_weight - 1e-5
            below = surprise(net, [sample])
            weights[at] = kept_weight
            assert math.isclose((above - below) / 2e-5, slope[at], rel_tol=1e-3, abs_tol=1e-6), (name, at)


def test_fitting_lowers_the_surprise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_evaluation, "BATCH", 256)
    game = GAMES["trok"]
    outlook, samples = OUTLOOKS["trok"], [take_sample(game, 4, 60, 0, 9_000_000)]
    start, few = fit(outlook, samples, epochs=0), fit(outlook, samples, epochs=80)
    assert surprise(few, samples) < 0.8 * surprise(start, samples)


@every_outlook
def test_a_search_stops_where_the_next_turn_begins_and_not_before(game: Game) -> None:
    """Thinking for one turn and for very many differ, and both are thoughts about the same decisions."""
    table = next(t for t in tables(game, 4) if len(t.offer(t.waiting[0]).legal) > 1)
    seat = table.waiting[0]
    view, legal = table.view(seat), table.offer(seat).legal
    short, long = (Searcher(game, 60, turns=turns).think(view, legal, 3) for turns in (1, 1000))
    assert short.visits.keys() == long.visits.keys() and sum(short.visits.values()) == sum(long.visits.values())
    assert short.expected != long.expected
