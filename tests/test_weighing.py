"""The judge of reviews and hints: the network where there is one, as rules and weights say; elsewhere `sensible`."""

from typing import Any

import numpy as np
import pytest

from tests.cases import every_game
from tests.test_network import SURE, expected, hidden_of, looked_ahead, mover_of, weights
from tests.test_network import moments as random_moments
from tripot import GAMES
from tripot.bots.network import CRITIC, NetworkWeights
from tripot.bots.playouts import FUTURE
from tripot.bots.weighing import AS_THE_NETWORK
from tripot.coach.playouts import DEPTH, FINE, Player, Weigher, in_whole_numbers
from tripot.core.encoding import encoder_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.core.rng import seed_luck

pytestmark = pytest.mark.native


def sure_weights(game: Game) -> NetworkWeights:
    """A network that has learned nothing and always takes the decision that it finds best."""
    kept = weights(game, 4)
    return NetworkWeights(kept.about, {**kept.layers, "policy": kept.layers["policy"] * np.float16(SURE)})


def shares_of(kept: NetworkWeights, game: Game, s: Any, depth: int) -> list[float]:
    """What every seat can expect of a state, with the interpreted rules and NumPy."""
    layout, full = game.layout, encoder_of(game, full=True)
    while not s.over and depth:
        mover = mover_of(s, 0)
        legal = game.legal_actions(s, mover)
        seen = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), mover)
        depth -= len(legal) > 1
        game.apply(s, mover, legal[0] if len(legal) == 1 else expected(kept, game, seen, legal))
    if s.over:
        return [share / WHOLE_WIN for share in s.result[: s.seats]]
    state, movers = np.frombuffer(s.pack(), layout.state.dtype), np.array([mover_of(s, 0)])
    critic = {name: kept.layers[CRITIC + name].astype(np.float64) for name in ("value", "value_bias")}
    logits = hidden_of(kept, full.encode(state, movers)[0], CRITIC) @ critic["value"] + critic["value_bias"]
    chances = np.exp(logits - logits.max())
    frame = int(full.on_numpy.frames(state.view(np.uint8).reshape(1, -1), movers)[0])
    return [float(chances[full.slot_of[frame][seat]] / chances.sum()) for seat in range(s.seats)]


@every_game
def test_a_choice_is_worth_what_rules_and_network_say(game: Game) -> None:
    kept = sure_weights(game)
    weigher, seats, judged = Weigher(game, kept), game.usual_seats, 0
    for _, _, view, legal in random_moments(game, seats, seats, every=29):
        own = expected(kept, game, view, legal)
        found = weigher.results(view, [(legal[0],), (AS_THE_NETWORK,)], 77, 2) / FINE
        for world in range(2):
            assert found[0][world] == pytest.approx(
                looked_ahead(kept, game, view, legal[0], 77 + world, DEPTH), abs=2e-4
            )
            told = looked_ahead(kept, game, view, own, 77 + world, DEPTH - 1)
            assert found[1][world] == pytest.approx(told, abs=2e-4)
            judged += 1
    assert judged > 4


@every_game
def test_the_chances_of_a_moment_are_what_rules_and_network_say_for_every_seat(game: Game) -> None:
    kept = sure_weights(game)
    weigher, seats, judged = Weigher(game, kept), game.usual_seats, 0
    for s, _, view, _ in random_moments(game, seats, seats, every=29):
        start = np.frombuffer(s.pack(), np.uint8)
        played = s.copy()
        seed_luck(played, 5, FUTURE)
        told = shares_of(kept, game, played, DEPTH)
        found = weigher.totals(start, view, AS_THE_NETWORK, 5, 1)[:seats] / WHOLE_WIN
        assert found.tolist() == pytest.approx(told, abs=1.01 / WHOLE_WIN)
        judged += 1
    assert judged > 2


def test_whole_numbers_have_the_sum_of_the_shares() -> None:
    for shares in ([1 / 3] * 3, [0.5, 0.25, 0.125, 0.125], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]):
        found = in_whole_numbers(np.array(shares), 480)
        assert found.sum() == round(480 * sum(shares)) and (abs(found - 480 * np.array(shares)) < 1).all()


@pytest.mark.parametrize("name", GAMES)
def test_the_network_judges_usual_tables_and_sensible_players_those_with_house_rules(name: str) -> None:
    game = GAMES[name]
    player = Player(game)
    s = game.new_state(game.options(), game.usual_seats, 1)
    view = game.layout.observe(np.frombuffer(s.pack(), game.layout.state.dtype), 0)
    rule = next(f for f in game.fields if f.house_rule and f.shape == ())
    other = view.copy()
    other[rule.name] += 1
    assert player.weigher(view) is not None and player.weigher(other) is None
