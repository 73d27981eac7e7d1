"""Many games behind one step: the vector environment of a seat, self-play, and returns of games with turns."""

import copy
import pickle
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import tripot.vector
from tests.cases import every_game
from tests.test_network import weights
from tripot import GAMES
from tripot.bots.guided import GuidedBot
from tripot.bots.network import NetworkBot, shipped_weights
from tripot.core.encoding import Encoder
from tripot.core.game import Game
from tripot.lab.batch import Batch, IllegalAction
from tripot.lab.env.gymnasium import IDS, SeatEnv
from tripot.lab.vector.network_policy import NetworkPolicy
from tripot.lab.vector.returns import lambda_returns, turn_advantages
from tripot.lab.vector.seat_env import SeatVectorEnv
from tripot.lab.vector.self_play import SelfPlay
from tripot.testing.hidden import scrambled

pytestmark = pytest.mark.native


def first_legal(masks: NDArray[Any]) -> NDArray[np.int64]:
    return np.argmax(masks, 1)


def last_legal(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int64]:
    return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], 1)


# --- One seat that learns ---


@every_game
@pytest.mark.parametrize("encoding", [1, 2])
def test_a_game_of_the_vector_is_the_game_of_the_single_environment(game: Game, encoding: int) -> None:
    envs = gymnasium.make_vec(IDS[game.name], num_envs=5, opponents="sensible", seat=1, encoding=encoding)
    singles = [SeatEnv(game.name, opponents="sensible", seat=1, encoding=encoding) for _ in range(5)]
    seen, _ = envs.reset(seed=40)
    alone = [env.reset(seed=40 + i)[0] for i, env in enumerate(singles)]
    going = set(range(5))
    for _ in range(120):
        for i in going:
            assert np.array_equal(seen["observation"][i], alone[i]["observation"])
            assert np.array_equal(seen["action_mask"][i], alone[i]["action_mask"])
        actions = first_legal(seen["action_mask"])
        seen, rewards, done, truncated, infos = envs.step(actions)
        assert not truncated.any()
        for i in sorted(going):
            alone[i], reward, over, _, _ = singles[i].step(actions[i])
            assert rewards[i] == pytest.approx(reward) and done[i] == over
            if over:
                assert np.array_equal(infos["final_obs"]["observation"][i], alone[i]["observation"])
                assert infos["_final_obs"][i]
                going.discard(i)
    assert len(going) < 5


@every_game
def test_policies_play_opponents_and_see_their_own_turned_view(game: Game) -> None:
    """A policy that takes the last legal action, given as a callable, plays as if it sat at a table of its own."""
    asked: list[Any] = []

    def policy(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.int64]:
        asked.append((observations.shape, masks.dtype))
        return last_legal(observations, masks)

    others = game.usual_seats - 1
    envs = SeatVectorEnv(game, 3, opponents=[policy, *["uniform"] * (others - 1)], encoding=2)
    seen, _ = envs.reset(seed=7)
    for _ in range(60):
        seen, *_ = envs.step(first_legal(seen["action_mask"]))
        assert seen["action_mask"].any(1).all()
    width = Encoder(game, game.usual_seats).width
    assert asked and all(shape[1] == width and kind == np.bool_ for shape, kind in asked)


@pytest.mark.parametrize("opponent", ["network", "search:3"])
@every_game
def test_networks_and_searches_play_opponents_as_in_the_single_environment(game: Game, opponent: str) -> None:
    """Where a game has no network, `network` searches, in both."""
    others = [opponent, *["sensible"] * (game.usual_seats - 2)]
    if opponent == "network" and shipped_weights(game.name, game.rules_version) is None:
        others[0] = "search:2"
    envs = SeatVectorEnv(game, 3, seat=1, opponents=others, encoding=2)
    singles = [SeatEnv(game.name, seat=1, opponents=others, encoding=2) for _ in range(3)]
    seen, _ = envs.reset(seed=4)
    alone = [env.reset(seed=4 + i)[0] for i, env in enumerate(singles)]
    for _ in range(25):
        for i in range(3):
            assert np.array_equal(seen["observation"][i], alone[i]["observation"])
        actions = first_legal(seen["action_mask"])
        seen, _, done, _, _ = envs.step(actions)
        if done.any():
            break
        alone = [env.step(action)[0] for env, action in zip(singles, actions, strict=True)]


def test_a_network_that_learned_other_tables_searches_instead() -> None:
    game = GAMES["trok"]
    every, three = (NetworkBot("network", game, 2, weights=weights(game, about={"seats": n})) for n in (0, 3))
    assert NetworkPolicy.of(every, Batch("trok", 2, 4)) is not None
    assert NetworkPolicy.of(three, Batch("trok", 2, 4)) is None
    assert NetworkPolicy.of(every, Batch("trok", 2, 4, {"goal": 30})) is None
    guided = GuidedBot("guided:5", game, 5, weights=every.weights)
    assert NetworkPolicy.of(guided, Batch("trok", 2, 4)) is None


@every_game
def test_networks_and_policies_see_nothing_that_is_hidden_from_their_seat(game: Game) -> None:
    """Tables that differ only in what the mover may not see: a network decides the same, a policy gets the same."""
    batch, luck = Batch(game, 40, seeds=3, encoding=2), random.Random(5)
    policy = NetworkPolicy(weights(game), batch)
    for _ in range(3):
        for _ in range(17):
            batch.step(batch.choose("sensible"))
        tables, width = np.arange(40), batch.encoder.width
        decided, seen = policy(tables), batch.observe(np.zeros((40, width), np.float32))
        saved = batch.save()
        for table, seat in enumerate(batch.now.movers):
            other = scrambled(game.layout, saved["raw"][table].tobytes(), int(seat), luck)
            batch._raw[table] = np.frombuffer(other, np.uint8)
        assert (batch._raw != saved["raw"]).any()
        assert np.array_equal(policy(tables), decided)
        assert np.array_equal(batch.observe(np.zeros((40, width), np.float32)), seen)
        batch.restore(saved)


def test_a_policy_that_decides_what_is_illegal_is_named() -> None:
    envs = SeatVectorEnv("verrater", 2, seat=3, opponents=lambda observations, masks: masks.argmin(1))
    with pytest.raises(IllegalAction, match=r"table 0: action \d+ is illegal for seat"):
        envs.reset(seed=1)


def test_a_drawn_seat_differs_from_game_to_game() -> None:
    envs = SeatVectorEnv("verrater", 64, seat=None, opponents="uniform")
    _, infos = envs.reset(seed=3)
    assert set(infos["seat"]) == {0, 1, 2, 3}
    assert np.array_equal(envs.reset(seed=3)[1]["seat"], infos["seat"])


def test_a_drawn_seat_is_that_of_the_single_environment() -> None:
    first = 2**63 - 4  # across the sign of a 64-bit number
    seen, infos = SeatVectorEnv("verrater", 8, seat=None, opponents="sensible", encoding=2).reset(seed=first)
    single = SeatEnv("verrater", seat=None, opponents="sensible", encoding=2)
    for i in range(8):
        alone, info = single.reset(seed=first + i)
        assert info["seat"] == infos["seat"][i]
        assert np.array_equal(alone["observation"], seen["observation"][i])


def test_an_illegal_action_costs_the_seat_its_game_and_no_other() -> None:
    envs = SeatVectorEnv("verrater", 3)
    seen, _ = envs.reset(seed=1)
    actions = first_legal(seen["action_mask"])
    actions[1] = int(np.argmin(seen["action_mask"][1]))
    _, rewards, done, _, infos = envs.step(actions)
    assert list(rewards) == [0, -1, 0] and list(done) == [False, True, False]
    assert infos["final_obs"]["observation"][1].any() and not infos["final_obs"]["observation"][0].any()
    assert list(envs.batch.seeds) == [1, 5, 3]
    with pytest.raises(ValueError, match="needed are 3 integers"):
        envs.step([0, 1])


def test_spaces_are_those_of_the_single_environment() -> None:
    for encoding in (1, 2):
        envs = gymnasium.make_vec("tripot/Trok-v1", num_envs=4, encoding=encoding, seats=3)
        single = gymnasium.make("tripot/Trok-v1", encoding=encoding, seats=3)
        assert envs.single_observation_space == single.observation_space
        assert envs.single_action_space == single.action_space
        seen, _ = envs.reset(seed=2)
        assert envs.observation_space.contains(seen)


BAD = {
    "seat": ({"seat": 4}, "0 to 3"),
    "opponents": ({"opponents": ["uniform", "uniform"]}, "2 opponents: name one for all seats, or 3"),
    "bot": ({"opponents": "nobody"}, "unknown bot 'nobody'"),
    "encoding": ({"encoding": 7}, "1 or 2"),
    "device": ({"device": "tpu"}, "there is no device 'tpu': choose cpu or cuda"),
}


@pytest.mark.parametrize(("settings", "tells"), BAD.values(), ids=BAD)
def test_a_bad_seat_is_refused_by_name(settings: Any, tells: str) -> None:
    with pytest.raises(ValueError, match=tells):
        SeatVectorEnv("verrater", 2, **settings)


# --- Self-play ---


def test_a_device_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no device 'cuda:7': choose cpu or cuda"):
        SelfPlay("verrater", 2, device="cuda:7")


@every_game
def test_self_play_says_whose_turn_it_is_and_who_is_paid(game: Game) -> None:
    play = SelfPlay(game, 20, seed=4)
    turn = play.reset()
    paid = 0
    for _ in range(400):
        assert turn.observations.shape == (20, play.encoder.width) and turn.masks.any(1).all()
        before = turn
        turn = play.step(last_legal(turn.observations, turn.masks))
        assert set(turn.movers) <= set(range(play.seats)) and before is not turn
        sums = turn.rewards.sum(1)
        assert (sums[~turn.done] == 0).all()
        for row, table in enumerate(turn.finished):
            paid += 1
            for seat in range(play.seats):
                state = play.batch.final_states[table : table + 1]
                seen = play.encoder.encode(game.layout.observe(state, seat))
                assert np.array_equal(turn.last_observations[row, seat], seen[0])
    assert paid > 0


def test_rewards_can_be_read_by_slot() -> None:
    play = SelfPlay("trieste", 30, seed=4)
    turn = play.reset()
    while not turn.done.any():
        frames = turn.frames
        turn = play.step(last_legal(turn.observations, turn.masks))
    table = int(turn.finished[0])
    by_slot = turn.rewards[table][play.encoder.seating[frames[table]]]
    assert sorted(by_slot) == sorted(turn.rewards[table])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_as_the_original(copied: Any) -> None:
    play = SelfPlay("trok", 4, seed=1)
    turn = play.reset()
    for _ in range(30):
        turn = play.step(first_legal(turn.masks))
    twin = copied(play)
    one, two = play.step(first_legal(turn.masks)), twin.step(first_legal(turn.masks))
    assert np.array_equal(one.observations, two.observations)
    envs = SeatVectorEnv("trok", 4, encoding=2)
    seen, _ = envs.reset(seed=1)
    for _ in range(9):
        seen, *_ = envs.step(first_legal(seen["action_mask"]))
    there, *_ = copied(envs).step(first_legal(seen["action_mask"]))
    here, *_ = envs.step(first_legal(seen["action_mask"]))
    assert np.array_equal(here["observation"], there["observation"])


# --- Returns ---


def rollout(luck: np.random.Generator, steps: int, tables: int, seats: int) -> dict[str, Any]:
    """A random rollout in which games end here and there and pay somebody."""
    done = luck.random((steps, tables)) < 0.2
    rewards = np.zeros((steps, tables, seats))
    for t, i in zip(*np.nonzero(done), strict=True):
        rewards[t, i, luck.integers(seats)] = 1
    return {
        "movers": luck.integers(seats, size=(steps, tables)).astype(np.int8),
        "rewards": rewards,
        "done": done,
        "last_values": luck.random((tables, seats)),
    }


def slow_advantages(values: Any, given: dict[str, Any], discount: float, decay: float, counted: Any) -> Any:
    """Game by game, seat by seat: the decisions of a seat, what it was paid until its next one, and GAE as written."""
    steps, tables = values.shape
    found = np.zeros_like(values)
    for i in range(tables):
        ends = [t for t in range(steps) if given["done"][t, i]]
        starts = [0, *(t + 1 for t in ends)]
        for start, end in zip(starts, [*ends, None], strict=True):
            stop = steps if end is None else end + 1
            for seat in range(given["rewards"].shape[2]):
                mine = [t for t in range(start, stop) if given["movers"][t, i] == seat and counted[t, i]]
                for place, t in enumerate(mine):
                    total, weight = 0.0, 1.0
                    for at, following in zip(mine[place:], [*mine[place + 1 :], None], strict=True):
                        until = stop if following is None else following
                        paid = given["rewards"][at:until, i, seat].sum()
                        if following is not None:
                            ahead = values[following, i]
                        else:
                            ahead = given["last_values"][i, seat] if end is None else 0.0
                        total += weight * (paid + discount * ahead - values[at, i])
                        weight *= discount * decay
                    found[t, i] = total
    return found


@pytest.mark.parametrize("seed", range(6))
def test_turn_advantages_equal_the_slow_way(seed: int) -> None:
    luck = np.random.default_rng(seed)
    steps, tables, seats = 40, 7, 2 + seed % 3
    given, values = rollout(luck, steps, tables, seats), luck.random((steps, tables))
    everything, some = np.ones((steps, tables), bool), luck.random((steps, tables)) < 0.6
    for counted in (everything, some):
        advantages, returns = turn_advantages(
            values, **given, discount=0.97, decay=0.9, counted=None if counted is everything else counted
        )
        expected = slow_advantages(values, given, 0.97, 0.9, counted)
        assert advantages == pytest.approx(expected)
        assert returns == pytest.approx((expected + values) * counted)


@pytest.mark.parametrize("decay", [0.0, 0.8, 1.0])
def test_lambda_returns_equal_the_slow_way(decay: float) -> None:
    """The λ-return as the weighted sum of n-step returns, by definition."""
    luck = np.random.default_rng(5)
    steps, tables, seats, discount = 25, 5, 3, 0.95
    given, values = rollout(luck, steps, tables, seats), luck.random((steps, tables, seats))
    given.pop("movers")
    found = lambda_returns(values, **given, discount=discount, decay=decay)
    for i in range(tables):
        for t in range(steps):
            end = next((at + 1 for at in range(t, steps) if given["done"][at, i]), steps)
            n_step = []
            for n in range(1, end - t + 1):
                paid = sum(discount**k * given["rewards"][t + k, i] for k in range(n))
                over = t + n == end and given["done"][end - 1, i]
                ahead = given["last_values"][i] if t + n == steps else values[t + n, i]
                n_step.append(paid + (0 if over else discount**n * ahead))
            weights = [(1 - decay) * decay**k for k in range(len(n_step) - 1)] + [decay ** (len(n_step) - 1)]
            assert found[t, i] == pytest.approx(sum(w * g for w, g in zip(weights, n_step, strict=True)))


def test_forced_decisions_are_passed_over_in_lambda_returns() -> None:
    """A rollout with the forced decisions taken out has the same returns."""
    luck = np.random.default_rng(8)
    values, rewards = luck.random((6, 1, 2)), np.zeros((6, 1, 2))
    rewards[5, 0] = (1, 0)
    done, counted = np.zeros((6, 1), bool), np.array([1, 0, 1, 0, 0, 1], bool)[:, None]
    done[5] = True
    found = lambda_returns(values, rewards, done, np.zeros((1, 2)), 1.0, 0.7, counted)
    kept = counted[:, 0]
    short = lambda_returns(values[kept], rewards[kept], done[kept], np.zeros((1, 2)), 1.0, 0.7)
    assert found[kept] == pytest.approx(short) and not found[~kept].any()


def test_the_public_module_has_the_door() -> None:
    assert set(tripot.vector.__all__) <= set(dir(tripot.vector)) and GAMES
