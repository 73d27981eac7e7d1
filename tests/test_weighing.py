"""The judge of reviews and hints: the network where there is one, as rules and weights say; elsewhere `sensible`."""

import numpy as np
import pytest

from tests.cases import every_game
from tests.test_network import SURE, expected, looked_ahead, weights
from tests.test_network import moments as random_moments
from tripot import GAMES
from tripot.bots.lookahead import AS_THE_NETWORK
from tripot.bots.network import NetworkWeights
from tripot.coach.playouts import DEPTH, FINE, Player, Weigher
from tripot.core.game import Game

pytestmark = pytest.mark.native


def sure_weights(game: Game) -> NetworkWeights:
    """A network that has learned nothing and always takes the decision that it finds best."""
    kept = weights(game, 4)
    return NetworkWeights(kept.about, {**kept.layers, "policy": kept.layers["policy"] * np.float16(SURE)})


@every_game
def test_a_choice_is_worth_what_rules_and_network_say(game: Game) -> None:
    kept = sure_weights(game)
    weigher, seats, judged = Weigher(game, kept), game.usual_seats, 0
    for _, _, view, legal in random_moments(game, seats, seats + 11, every=29):
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
