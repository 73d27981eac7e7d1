"""Networks as bots: they play what their weights say, from the view of their seat alone, and only their game."""

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import every_game
from tripot import GAMES
from tripot.bots.bot import UnknownBot, find_bot
from tripot.bots.memory import new_memory
from tripot.bots.network import SHIPPED, BadWeights, NetworkBot, NetworkWeights, check_weights, load_weights
from tripot.bots.own import find_any_bot
from tripot.core import options
from tripot.core.encoding import encoder_of
from tripot.core.game import Game, waiting_seats
from tripot.testing.hidden import scrambled

WIDTH, BLOCKS = 24, 2

pytestmark = pytest.mark.native


def weights(game: Game, seed: int = 1, about: Any = None) -> NetworkWeights:
    """A network that has learned nothing."""
    encoder, luck = encoder_of(game), np.random.default_rng(seed)

    def layer(*shape: int) -> Any:
        return luck.normal(0, 0.3, shape).astype(np.float16)

    layers = {"inputs": layer(encoder.width + game.num_actions, WIDTH), "inputs_bias": layer(WIDTH)}
    layers |= {name: layer(BLOCKS, WIDTH, WIDTH) for name in ("first", "second")}
    layers |= {name: layer(BLOCKS, WIDTH) for name in ("first_bias", "second_bias")}
    layers |= {"policy": layer(WIDTH, game.num_actions), "policy_bias": layer(game.num_actions)}
    layers |= {"value": layer(WIDTH, encoder.slots + 1), "value_bias": layer(encoder.slots + 1)}
    known = {"game": game.name, "rules": game.rules_version, "seats": 0, "encoding": encoder.notation}
    return NetworkWeights({**known, "columns": encoder.width, **(about or {})}, layers)


def expected(kept: NetworkWeights, game: Game, view: Any, legal: list[int]) -> int:
    """The same decision by NumPy, layer by layer."""
    encoder = encoder_of(game)
    w = {name: layer.astype(np.float64) for name, layer in kept.layers.items()}
    frame = int(encoder.on(np).frames(view.view(np.uint8).reshape(1, -1), view["seat"].astype(np.int64))[0])
    mask = np.zeros(game.num_actions)
    mask[encoder.turned_actions[frame][legal]] = 1
    hidden = np.maximum(np.concatenate([encoder.encode(view)[0], mask]) @ w["inputs"] + w["inputs_bias"], 0)
    for block in range(BLOCKS):
        middle = np.maximum(hidden @ w["first"][block] + w["first_bias"][block], 0)
        hidden = np.maximum(hidden + middle @ w["second"][block] + w["second_bias"][block], 0)
    logits = np.where(mask > 0, hidden @ w["policy"] + w["policy_bias"], -np.inf)
    return int(encoder.actions[frame][np.argmax(logits)])


def moments(game: Game, seats: int, seed: int, every: int = 7) -> Any:
    """(state, seat, view, legal) at some moments of a random game where there is a choice."""
    luck, s = random.Random(seed), game.new_state(game.options(), seats, seed)
    layout = game.layout
    for number in range(400):
        if s.over:
            return
        seat = luck.choice(waiting_seats(s))
        legal = game.legal_actions(s, seat)
        if number % every == 0 and len(legal) > 1:
            yield s, seat, layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat), legal
        game.apply(s, seat, luck.choice(legal))


@every_game
def test_a_network_decides_what_its_weights_say(game: Game) -> None:
    kept = weights(game)
    bot = NetworkBot("network", game, weights=kept)
    seen = set()
    for seats in game.seats:
        for _, _, view, legal in moments(game, seats, seats):
            decision = bot.decide(view, legal, new_memory(1, 0))
            assert decision == expected(kept, game, view, legal) and decision in legal
            seen.add(decision)
    assert len(seen) > 3


@every_game
def test_a_network_decides_the_same_whatever_is_hidden(game: Game) -> None:
    bot, luck, layout = NetworkBot("network", game, weights=weights(game, 2)), random.Random(3), game.layout
    for s, seat, view, legal in moments(game, game.usual_seats, 5):
        other = scrambled(layout, s.pack(), seat, luck)
        twin = layout.observe(np.frombuffer(other, layout.state.dtype), seat)
        memory = new_memory(1, 0)
        assert bot.decide(view, legal, memory) == bot.decide(twin, legal, memory)


@every_game
def test_weights_are_saved_and_found_by_their_path(game: Game, tmp_path: Path) -> None:
    path, kept = tmp_path / "weights.npz", weights(game)
    kept.save(path)
    again = load_weights(path)
    assert {name: again.about[name] for name in kept.about} == kept.about
    assert all((again.layers[name] == layer).all() for name, layer in kept.layers.items())
    assert find_any_bot(f"network:{path}", game).name == f"network:{path}"


BAD = {
    "another game": ({"game": "whist"}, "for whist with rules version"),
    "other rules": ({"rules": 99}, "with rules version 99, not for"),
    "another encoding": ({"encoding": "1"}, r"for encoding 1 \(\d+ columns\); here"),
    "other columns": ({"columns": 7}, r"for encoding 2 \(7 columns\); here"),
}


@pytest.mark.parametrize(("about", "why"), BAD.values(), ids=list(BAD))
@every_game
def test_weights_made_for_something_else_are_refused(game: Game, about: dict[str, Any], why: str) -> None:
    with pytest.raises(BadWeights, match=why):
        check_weights(weights(game, about=about), game)


@pytest.mark.parametrize("content", [None, b"", b"not an archive", b"PK\x05\x06" + bytes(18)])
@every_game
def test_a_file_that_holds_no_weights_is_refused_in_a_sentence(
    game: Game, content: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "weights.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnknownBot, match=r"weights\.npz: no weights of a network"):
        find_any_bot(f"network:{path}", game)


# --- The networks that come with the package ---

SHIPPED_FOR = [path.stem for path in sorted(SHIPPED.glob("*.npz"))]
shipped = pytest.mark.parametrize("name", SHIPPED_FOR)


def test_shipped_weights_fit_their_games_and_are_small() -> None:
    assert SHIPPED_FOR == ["trok", "verrater"]
    for name in SHIPPED_FOR:
        about = load_weights(SHIPPED / f"{name}.npz").about
        assert check_weights(load_weights(SHIPPED / f"{name}.npz"), GAMES[name]).seats == about["seats"] == 4
        assert about["made"] and about["origin"] and about["decisions"] > 0
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 10 * 2**20


@shipped
def test_shipped_players_decide_the_same_whatever_is_hidden(name: str) -> None:
    game, luck = GAMES[name], random.Random(5)
    for s, seat, view, legal in moments(game, 4, 7, every=23):
        other = scrambled(game.layout, s.pack(), seat, luck)
        twin = game.layout.observe(np.frombuffer(other, game.layout.state.dtype), seat)
        for bot in (find_bot("network", game), find_bot("guided:30", game)):
            assert bot.decide(view, legal, new_memory(1, 0)) == bot.decide(twin, legal, new_memory(1, 0))


@shipped
def test_guided_search_weighs_visits_by_the_networks_chances(name: str) -> None:
    game = GAMES[name]
    guided, search, network = (find_bot(bot, game) for bot in ("guided:60", "search:60", "network"))
    assert isinstance(network, NetworkBot)
    decisions = set()
    for _, _, view, legal in moments(game, 4, 11, every=9):
        found = search.search(view, legal, new_memory(2, 0))
        player = network.player(view)
        assert player is not None
        chances = player.chances(view, legal)
        assert abs(sum(map(math.exp, chances.values())) - 1) < 1e-5
        weighed = {action: (found.visits[action] + 1) * math.exp(chances[action]) for action in legal}
        told = guided.decide(view, legal, new_memory(2, 0))
        assert weighed[told] >= max(weighed.values()) * (1 - 1e-6)
        decisions.add((told == found.decision, told == network.decide(view, legal, new_memory(2, 0))))
    assert len(decisions) > 1


@pytest.mark.parametrize(
    ("name", "seats", "rules"), [("verrater", 3, {}), ("trok", 4, {"goal": 40}), ("trieste", 3, {})]
)
def test_a_table_that_no_network_has_learned_is_searched(name: str, seats: int, rules: dict[str, int]) -> None:
    game = GAMES[name]
    s = game.new_state(options.parse(game.options, rules), seats, 3)
    while len(game.legal_actions(s, waiting_seats(s)[0])) == 1:
        game.apply(s, waiting_seats(s)[0], game.legal_actions(s, waiting_seats(s)[0])[0])
    seat = waiting_seats(s)[0]
    legal = game.legal_actions(s, seat)
    view = game.layout.observe(np.frombuffer(s.pack(), game.layout.state.dtype), seat)
    network, search = find_bot("network", game), find_bot("search:1000", game)
    assert isinstance(network, NetworkBot) and network.player(view) is None
    assert network.decide(view, legal, new_memory(4, 0)) == search.decide(view, legal, new_memory(4, 0))
