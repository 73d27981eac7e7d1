"""Networks as bots: they play what their weights say, from the view of their seat alone, and only their game."""

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import every_game
from tripot import GAMES
from tripot.bots import guided
from tripot.bots.bot import UnknownBot, find_bot
from tripot.bots.guided import ITERATIONS_A_TRY, SURELY, WEIGHED, Budget, GuidedBot, LookAhead, Plan, often_as_likely
from tripot.bots.lookahead import FINE, REPLIES, WHO
from tripot.bots.memory import BOT_MEMORY, new_memory
from tripot.bots.network import (
    CRITIC,
    KINDS,
    SHIPPED,
    BadWeights,
    NetworkBot,
    NetworkPlayer,
    NetworkWeights,
    check_weights,
    load_weights,
)
from tripot.bots.own import find_any_bot
from tripot.bots.search import Searcher
from tripot.core import options, rng
from tripot.core.encoding import encoder_of
from tripot.core.game import WHOLE_WIN, Game, waiting_seats
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
    critic = {**layers, "inputs": layer(encoder_of(game, full=True).width, WIDTH)}
    layers |= {CRITIC + name: kept for name, kept in critic.items() if "policy" not in name}
    known = {"game": game.name, "rules": game.rules_version, "seats": 0, "encoding": encoder.notation}
    return NetworkWeights({**known, "columns": encoder.width, **(about or {})}, layers)


def chances(kept: NetworkWeights, game: Game, view: Any, legal: list[int]) -> dict[int, float]:
    """What the network says of the legal decisions, by NumPy, layer by layer."""
    encoder = encoder_of(game)
    frame = int(encoder.on(np).frames(view.view(np.uint8).reshape(1, -1), view["seat"].astype(np.int64))[0])
    mask = np.zeros(game.num_actions)
    mask[encoder.turned_actions[frame][legal]] = 1
    hidden = hidden_of(kept, np.concatenate([encoder.encode(view)[0], mask]))
    policy, bias = kept.layers["policy"].astype(np.float64), kept.layers["policy_bias"]
    logits = (hidden @ policy + bias)[encoder.turned_actions[frame][legal]]
    weighs = np.exp(logits - logits.max())
    return dict(zip(legal, weighs / weighs.sum(), strict=True))


def expected(kept: NetworkWeights, game: Game, view: Any, legal: list[int]) -> int:
    """The likeliest decision."""
    found = chances(kept, game, view, legal)
    return max(legal, key=lambda action: found[action])


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
        for _, _, view, legal in moments(game, seats, seats + 4):
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


# --- Look-ahead ---

SURE = 500.0  # a policy whose logits are multiplied by this always takes its best decision


def hidden_of(kept: NetworkWeights, row: Any, before: str = "") -> Any:
    w = {name: layer.astype(np.float64) for name, layer in kept.layers.items()}
    hidden = np.maximum(row @ w[before + "inputs"] + w[before + "inputs_bias"], 0)
    for block in range(BLOCKS):
        middle = np.maximum(hidden @ w[before + "first"][block] + w[before + "first_bias"][block], 0)
        hidden = np.maximum(hidden + middle @ w[before + "second"][block] + w[before + "second_bias"][block], 0)
    return hidden


def mover_of(s: Any, seat: int) -> int:
    return seat if s.waiting >> seat & 1 else waiting_seats(s)[0]


def looked_ahead(
    kept: NetworkWeights, game: Game, view: Any, action: int, seed: int, depth: int, alike: int = 1
) -> float:
    """What one try of a decision is worth to the seat, with the interpreted rules and NumPy.

    The others decide as the network, or as the heuristic.
    """
    seat, layout, full = int(view["seat"][0]), game.layout, encoder_of(game, full=True)
    s, luck = game.imagined(view, seed), BOT_MEMORY.plain()
    rng.seed_luck(luck, seed, REPLIES)
    game.apply(s, seat, action)
    while not s.over and depth:
        mover = mover_of(s, seat)
        legal = game.legal_actions(s, mover)
        decision = legal[0]
        if len(legal) > 1:
            depth -= 1
            seen = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), mover)
            if alike or mover == seat:
                rng.roll(luck, FINE)  # a sure network draws without effect
                decision = expected(kept, game, seen, legal)
            else:
                decision = advised(game, seen, legal, luck)
        game.apply(s, mover, decision)
    if s.over:
        return float(s.result[seat] / WHOLE_WIN)
    state, movers = np.frombuffer(s.pack(), layout.state.dtype), np.array([mover_of(s, seat)])
    hidden = hidden_of(kept, full.encode(state, movers)[0], CRITIC)
    logits = hidden @ kept.layers[CRITIC + "value"].astype(np.float64) + kept.layers[CRITIC + "value_bias"]
    frame = int(full.on_numpy.frames(state.view(np.uint8).reshape(1, -1), movers)[0])
    chances = np.exp(logits - logits.max())
    return float(chances[full.slot_of[frame][seat]] / chances.sum())


def advised(game: Game, view: Any, legal: list[int], luck: Any) -> int:
    """What the heuristic decides, drawing on this luck."""
    assert game.heuristic is not None
    mask = [int(action in legal) for action in range(game.num_actions)]
    return int(game.heuristic(game.layout.view_of(view.tobytes()), mask, luck))


def likelihood(kept: NetworkWeights, game: Game, view: Any, seed: int, plan: Plan) -> Any:
    """By seat and kind: how likely the decisions in an imagined state were, with the interpreted rules and NumPy."""
    seat, layout = int(view["seat"][0]), game.layout
    told = np.ones((max(game.seats), 2)) * [plan.alike, 1 - plan.alike]
    told[seat] = 1, 0
    s, luck = game.imagined(view, seed), BOT_MEMORY.plain()
    rng.seed_luck(luck, seed, WHO)
    assert game.hidden is not None
    while (decision := game.hidden.turn_back(s, seat)) >= 0:
        mover, action = divmod(decision, game.num_actions)
        legal = game.legal_actions(s, mover)
        if mover != seat and len(legal) > 1 and action in legal:
            seen = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), mover)
            as_advised = advised(game, seen, legal, luck) == action
            same = np.array([chances(kept, game, seen, legal)[action], as_advised])
            doubts = np.array(plan.doubts)
            told[mover] *= (1 - doubts) * same + doubts / len(legal)
    return told


@pytest.mark.parametrize("depth", [0, 3])
@every_game
def test_a_look_ahead_is_worth_what_rules_and_network_say(game: Game, depth: int) -> None:
    kept = weights(game, 4)
    kept = NetworkWeights(kept.about, {**kept.layers, "policy": kept.layers["policy"] * np.float16(SURE)})
    ahead = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(depth=depth, alike=0.6, doubts=(0.4, 0.2)))
    worlds = np.array([[3, 0], [4, 0]])
    alike = np.array([[1.0], [0.0]]).repeat(max(game.seats), axis=1)
    seen = set()
    for seats in game.seats:
        for _, _, view, legal in moments(game, seats, seats + 7, every=29):
            choices = [[action] for action in legal[:2]]
            alike[:, view["seat"][0]] = 1
            found = ahead.try_choices(view, 77, worlds, alike, choices, REPLIES, ahead.plan)
            for world, kind, shares in zip((3, 4), (1, 0), found, strict=True):
                told = [looked_ahead(kept, game, view, action, 77 + world, depth, kind) for action in legal[:2]]
                assert shares.tolist() == pytest.approx(told, abs=2e-4)
            alike[:] = [[1.0], [0.0]]
            likely = np.array([likelihood(kept, game, view, 77 + world, ahead.plan) for world in (3, 4)])
            assert ahead.weigh_worlds(view, 77, range(3, 5), ahead.alike(view)) == pytest.approx(likely, abs=2e-4)
            seen.add(likely.tobytes())
    assert len(seen) > 1


@every_game
def test_tries_side_by_side_come_to_what_each_comes_to_alone(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = weights(game, 4)
    together = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(depth=3))
    monkeypatch.setattr(guided, "LANES", 0)  # past decisions do not fit side by side either
    alone = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(depth=3, candidates=0))
    worlds = np.array([[0, 0], [1, 0], [1, 1], [3, 0]])
    alike = np.full((4, max(game.seats)), 0.6)
    for _, _, view, legal in moments(game, game.usual_seats, 5, every=31):
        choices = [[action] for action in legal[:3]]
        found = together.try_choices(view, 77, worlds, alike, choices, REPLIES, together.plan)
        for place, shares in np.ndenumerate(found):
            world, choice = worlds[place[0] : place[0] + 1], choices[place[1] : place[1] + 1]
            single = alone.try_choices(view, 77, world, alike[:1], choice, REPLIES, alone.plan)
            assert shares == pytest.approx(single[0, 0])
        kinds = alone.alike(view)
        told = np.array([alone.weigh_worlds(view, 77, range(world, world + 1), kinds)[0] for world in range(9)])
        assert together.weigh_worlds(view, 77, range(9), kinds) == pytest.approx(told, rel=1e-12)


@every_game
def test_a_state_that_is_tried_once_more_has_other_luck_and_the_same_cards(game: Game) -> None:
    kept = weights(game, 4)
    ahead, at_once = (LookAhead(game, kept, NetworkPlayer(game, kept), Plan(depth=depth)) for depth in (12, 0))
    again, other, differing = np.array([[5, 0], [5, 1], [5, 2]]), np.array([[5, 0], [6, 0], [7, 0]]), 0
    alike = np.full((3, max(game.seats)), 0.5)
    for _, _, view, legal in moments(game, game.usual_seats, 7, every=23):
        found = ahead.try_choices(view, 77, again, alike, [legal[:1]], REPLIES, ahead.plan)[:, 0]
        assert np.array_equal(found, ahead.try_choices(view, 77, again, alike, [legal[:1]], REPLIES, ahead.plan)[:, 0])
        differing += len(set(found.tolist())) > 1
    assert differing > 3
    luckless, hidden = 0, 0
    for _, _, view, legal in moments(game, game.usual_seats, 7, every=23):
        same, others = (
            at_once.try_choices(view, 77, w, alike, [legal[:1]], REPLIES, at_once.plan) for w in (again, other)
        )
        luckless += len(set(same[:, 0].tolist())) == 1
        hidden += len(set(others[:, 0].tolist())) > 1
    assert luckless and hidden


@every_game
def test_likely_states_are_tried_more_often(game: Game) -> None:
    kept = weights(game, 4)
    ahead = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(depth=0))
    told = 0
    for _, _, view, legal in moments(game, game.usual_seats, 7, every=23):
        worlds = range(8, 8 + 4 * WEIGHED)
        kinds = ahead.weigh_worlds(view, 77, worlds, ahead.alike(view))
        likely = kinds.sum(axis=2).prod(axis=1)
        tried = often_as_likely(likely, 4)
        alike = kinds[tried[:, 0], :, 0] / kinds[tried[:, 0]].sum(axis=2)
        tried[:, 0] += worlds.start
        shares = ahead.try_choices(view, 77, tried, alike, [legal[:1]], REPLIES, ahead.plan)[:, 0]
        sums = likely.mean() * np.array([shares.sum(), (shares**2).sum(), 4])
        assert ahead.try_worlds(view, 77, worlds, ahead.alike(view), legal[:1])[0] == pytest.approx(sums)
        told += len(set(likely.tolist())) > 1
    assert told


@every_game
def test_who_plays_like_the_network_is_told_from_the_view_by_slot(game: Game) -> None:
    kept, luck = weights(game, 4), np.random.default_rng(8)
    encoder, seats = encoder_of(game), max(game.seats)
    shapes = {"inputs": (encoder.width, 8), "inputs_bias": (8,), "outputs": (8, seats), "outputs_bias": (seats,)}
    layers = {name: luck.normal(0, 0.5, shape) for name, shape in shapes.items()}
    telling = NetworkWeights(kept.about, {**kept.layers, **{KINDS + name: layer for name, layer in layers.items()}})
    ahead = LookAhead(game, telling, NetworkPlayer(game, telling), Plan(alike=0.7))
    silent = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(alike=0.7))
    for _, seat, view, _ in moments(game, game.usual_seats, 7, every=23):
        hidden = np.maximum(encoder.encode(view)[0] @ layers["inputs"] + layers["inputs_bias"], 0)
        frame = int(encoder.on_numpy.frames(view.view(np.uint8).reshape(1, -1), view["seat"])[0])
        told = 1 / (1 + np.exp(-(hidden @ layers["outputs"] + layers["outputs_bias"])))
        others = [other for other in range(game.usual_seats) if other != seat]
        expected_of = [np.clip(told[encoder.slot_of[frame][other]], SURELY, 1 - SURELY) for other in others]
        assert ahead.alike(view)[others].tolist() == pytest.approx(expected_of, abs=1e-4)
        assert silent.alike(view)[others].tolist() == [0.7] * len(others)
        assert ahead.alike(view)[seat] == silent.alike(view)[seat] == 1


def test_without_a_heuristic_all_are_taken_to_decide_as_the_network() -> None:
    game = replace(GAMES["verrater"], heuristic=None)
    kept = weights(game)
    ahead = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(depth=1))
    for _, _, view, _ in moments(game, 4, 3):
        assert ahead.alike(view).tolist() == [1.0] * 4


def test_places_are_picked_as_often_as_they_weigh() -> None:
    luck = np.random.default_rng(3)
    for _ in range(200):
        weights = luck.random(luck.integers(1, 30)) * (luck.random() < 0.9) + 1e-9
        count = int(luck.integers(1, 20))
        picked = often_as_likely(weights, count)
        often = np.bincount(picked[:, 0], minlength=len(weights))
        assert np.all(np.abs(often - weights / weights.sum() * count) < 1)
        for place in set(picked[:, 0].tolist()):
            assert picked[picked[:, 0] == place, 1].tolist() == list(range(often[place]))


@every_game
def test_guided_bots_decide_the_same_whatever_is_hidden_and_every_time(game: Game) -> None:
    bot, luck = GuidedBot("guided:60", game, 60, weights=weights(game, 2)), random.Random(5)
    decisions = set()
    for s, seat, view, legal in moments(game, game.usual_seats, 7, every=23):
        twin = game.layout.observe(
            np.frombuffer(scrambled(game.layout, s.pack(), seat, luck), game.layout.state.dtype), seat
        )
        found = bot.search(view, legal, new_memory(1, 0))
        assert found == bot.search(twin, legal, new_memory(1, 0)) and found.decision in legal
        assert found.iterations == sum(found.visits.values()) >= 30 or len(set(found.visits.values())) == 1
        decisions.add(found.decision)
    assert len(decisions) > 1


@every_game
def test_half_of_a_guided_budget_is_a_tree_search_whose_visits_count(game: Game) -> None:
    """The rest are tries of the look-ahead; a decision that the tree search never visits needs a better one."""
    kept = weights(game, 2)
    ahead = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(searched=0.5, trust=1.0))
    agreed, free = 0, 0
    for _, _, view, legal in moments(game, game.usual_seats, 7, every=23):
        result = ahead.search(view, legal, 5, Budget(200, 0))
        if sum(result.visits.values()) == 0:
            continue
        free += 1
        assert 100 <= result.iterations < 200
        searched = Searcher(game, 500).search(view, legal, 5)
        visits = searched.visits
        assert ahead._searched_visits(view, legal, 5, Budget(200, 0), None) == visits
        told = {action: ahead.trusted(visits, action) for action in legal}
        assert sum(map(math.exp, told.values())) == pytest.approx(1)
        assert max(told, key=lambda action: told[action]) == max(visits, key=lambda action: visits[action])
        trusting = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(searched=0.5, trust=1e6))
        tried = {action for action, count in result.visits.items() if count}
        agreed += trusting.search(view, legal, 5, Budget(200, 0)).decision == max(tried, key=lambda a: visits[a])
    assert free > 1 and agreed == free


@every_game
def test_a_guided_bot_tries_what_the_tree_search_prefers_though_the_network_does_not(game: Game) -> None:
    kept = weights(game, 2)
    ahead = LookAhead(game, kept, NetworkPlayer(game, kept), Plan(candidates=1))
    tried = 0
    for _, _, view, legal in moments(game, game.usual_seats, 7, every=23):
        result = ahead.search(view, legal, 5, Budget(60, 0))
        visits = ahead._searched_visits(view, legal, 5, Budget(60, 0), None)
        likeliest, favourite = expected(kept, game, view, legal), max(visits, key=lambda a: visits[a])
        wanted = {likeliest, favourite} if likeliest != favourite else set()  # one candidate needs no trying
        assert {action for action, count in result.visits.items() if count} == wanted
        tried += len(wanted)
    assert tried > 2


def test_a_guided_bot_takes_what_wins_though_the_network_doubts_it() -> None:
    """The score of a decision: its mean win share, and how likely the network finds it."""
    game = GAMES["verrater"]
    kept = weights(game)
    score = LookAhead(game, kept, NetworkPlayer(game, kept), Plan()).score
    tries = np.array([10.0, 3.0, 2.0, 5.0])
    assert score(tries, math.log(0.2)) > score(tries * [1, 0.9, 1, 1], math.log(0.5))
    assert score(tries, math.log(0.2)) == score(tries * [1, 2, 2, 2], math.log(0.2))  # weights compare, no more
    assert score(tries, math.log(0.2)) < score(tries, math.log(0.5))
    assert score(np.zeros(4), math.log(0.5)) == pytest.approx(math.log(0.5))


@pytest.mark.timeout(120)
@pytest.mark.parametrize("notation", ["guided:1", "guided:1ms"])
def test_the_smallest_budget_of_a_guided_bot_is_enough_for_a_decision(notation: str) -> None:
    game = GAMES["verrater"]
    milliseconds = int(notation.endswith("ms"))
    bot = GuidedBot(notation, game, 1 - milliseconds, milliseconds, weights=weights(game, 2))
    for _, _, view, legal in moments(game, 4, 3, every=40):
        assert bot.decide(view, legal, new_memory(1, 0)) in legal


@every_game
def test_a_network_without_a_critic_searches_where_it_should_look_ahead(game: Game) -> None:
    kept = weights(game, 2)
    alone = NetworkWeights(kept.about, {name: each for name, each in kept.layers.items() if CRITIC not in name})
    bot, search = GuidedBot("guided:40", game, 40, weights=alone), find_bot(f"search:{40 * ITERATIONS_A_TRY}", game)
    for _, _, view, legal in moments(game, game.usual_seats, 3, every=60):
        assert bot.search(view, legal, new_memory(1, 0)) == search.search(view, legal, new_memory(1, 0))


# --- The networks that come with the package ---

SHIPPED_FOR = [path.stem for path in sorted(SHIPPED.glob("*.npz"))]
shipped = pytest.mark.parametrize("name", SHIPPED_FOR)


@shipped
def test_shipped_players_decide_the_same_whatever_is_hidden(name: str) -> None:
    game, luck = GAMES[name], random.Random(5)
    for s, seat, view, legal in moments(game, game.usual_seats, 7, every=23):
        other = scrambled(game.layout, s.pack(), seat, luck)
        twin = game.layout.observe(np.frombuffer(other, game.layout.state.dtype), seat)
        for bot in (find_bot("network", game), find_bot("guided:30", game)):
            assert bot.decide(view, legal, new_memory(1, 0)) == bot.decide(twin, legal, new_memory(1, 0))


@shipped
def test_the_chances_of_a_network_add_up(name: str) -> None:
    game = GAMES[name]
    network = find_bot("network", game)
    assert isinstance(network, NetworkBot)
    for _, _, view, legal in moments(game, game.usual_seats, 11, every=9):
        player = network.player(view)
        assert player is not None
        chances = player.chances(view, legal)
        assert abs(sum(map(math.exp, chances.values())) - 1) < 1e-5
        assert max(chances, key=lambda action: chances[action]) == network.decide(view, legal, new_memory(2, 0))


@pytest.mark.parametrize(
    ("name", "rules"), [("verrater", {"strategist_points": 1}), ("trok", {"goal": 40}), ("trieste", {"any_victim": 0})]
)
def test_a_table_that_no_network_has_learned_is_searched(name: str, rules: dict[str, int]) -> None:
    game = GAMES[name]
    seats = game.usual_seats
    s = game.new_state(options.parse(game.options, rules), seats, 3)
    while len(game.legal_actions(s, waiting_seats(s)[0])) == 1:
        game.apply(s, waiting_seats(s)[0], game.legal_actions(s, waiting_seats(s)[0])[0])
    seat = waiting_seats(s)[0]
    legal = game.legal_actions(s, seat)
    view = game.layout.observe(np.frombuffer(s.pack(), game.layout.state.dtype), seat)
    network, search = find_bot("network", game), find_bot("search:1000", game)
    assert isinstance(network, NetworkBot) and network.player(view) is None
    assert network.decide(view, legal, new_memory(4, 0)) == search.decide(view, legal, new_memory(4, 0))
