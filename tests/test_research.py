"""Learning libraries, used as their own tutorials write it, at small sizes (extra `research`)."""

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import tripot.vector  # registers the environments  # noqa: F401
from tripot.lab.env import verrater_v1

pytestmark = [
    pytest.mark.native,
    pytest.mark.filterwarnings("default"),  # what these libraries warn of is theirs
]


def needs(*libraries: str) -> Any:
    missing = [library for library in libraries if find_spec(library) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)} (extra 'research')")


@needs("stable_baselines3")
def test_stable_baselines3_learns_from_make_vec_env() -> None:
    """As in its quickstart, with the policy for dictionaries."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env("tripot/Verrater-v1", n_envs=2, env_kwargs={"opponents": "uniform", "encoding": 2})
    model = PPO("MultiInputPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, verbose=0)
    model.learn(total_timesteps=64)
    seen = envs.reset()
    action, _ = model.predict(seen)
    _, _, done, _ = envs.step(action)
    assert action.shape == done.shape == (2,)


@needs("stable_baselines3", "sb3_contrib")
def test_maskable_ppo_plays_only_legal_actions() -> None:
    """As in SB3 Contrib's page on MaskablePPO: the environment has `action_masks`."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env("tripot/Trok-v1", n_envs=2, env_kwargs={"seats": 2, "encoding": 2, "opponents": "uniform"})
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=64, batch_size=64, n_epochs=1, gamma=1.0, seed=1)
    model.learn(total_timesteps=128)
    env = gymnasium.make("tripot/Trok-v1", seats=2, encoding=2)
    seen, info = env.reset(seed=1)
    for _ in range(40):
        action, _ = model.predict(seen, action_masks=get_action_masks(env))
        assert info["action_mask"][action]
        seen, _, over, _, info = env.step(int(action))
        if over:
            break


@needs("stable_baselines3", "sb3_contrib")
def test_pettingzoos_tutorial_for_action_masks(tmp_path: Path) -> None:
    """PettingZoo's "SB3: Action Masked PPO": an AEC environment as one for self-play, wrapped as the tutorial does."""
    from pettingzoo.utils import BaseWrapper
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from sb3_contrib.common.wrappers import ActionMasker

    class SB3ActionMaskWrapper(BaseWrapper, gymnasium.Env):  # type: ignore[misc, type-arg]
        def reset(self, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed, options)
            self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
            self.action_space = super().action_space(self.possible_agents[0])
            return self.observe(self.agent_selection), {}

        def step(self, action: Any) -> Any:
            current_agent = self.agent_selection
            super().step(action)
            next_agent = self.agent_selection
            return (
                self.observe(next_agent),
                self._cumulative_rewards[current_agent],
                self.terminations[current_agent],
                self.truncations[current_agent],
                self.infos[current_agent],
            )

        def observe(self, agent: str) -> Any:
            return super().observe(agent)["observation"]

        def action_mask(self) -> Any:
            return super().observe(self.agent_selection)["action_mask"]

    env: Any = SB3ActionMaskWrapper(verrater_v1.env(encoding=2))
    env.reset(seed=1)
    env = ActionMasker(env, lambda wrapped: wrapped.action_mask())
    model = MaskablePPO(MaskableActorCriticPolicy, env, n_steps=64, batch_size=64, n_epochs=1, verbose=0)
    model.set_random_seed(1)
    model.learn(total_timesteps=128)
    model.save(tmp_path / "verrater")
    assert MaskablePPO.load(tmp_path / "verrater").action_space.n == 55


@needs("torch")
def test_a_file_in_the_style_of_cleanrl_learns() -> None:
    """examples/ppo.py: vector environment, masks, GAE; it ends with a better policy loss than nonsense."""
    module = importlib.import_module("examples.ppo")
    history = module.train(num_envs=8, num_steps=16, updates=2, opponents="uniform")
    assert len(history) == 2 and all(np.isfinite(list(row.values())).all() for row in history)


@needs("tianshou")
def test_tianshou_steps_the_environments() -> None:
    """Its vector environments over Gymnasium and its wrapper of PettingZoo, set up as in its tutorials."""
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    single = DummyVectorEnv([lambda: gymnasium.make("tripot/Verrater-v1", opponents="uniform") for _ in range(2)])
    seen, _ = single.reset()
    masks = np.stack([row["action_mask"] for row in seen])
    _, rewards, *_ = single.step(masks.argmax(1))
    assert rewards.shape == (2,)
    table = PettingZooEnv(verrater_v1.env())
    seen, _ = table.reset()
    for _ in range(5):
        seen, rewards, over, *_ = table.step(int(np.flatnonzero(seen["mask"])[0]))
    assert len(rewards) == 4 and not over


@needs("torch", "pyspiel", "tree")
def test_deep_cfr_runs_on_a_small_game() -> None:
    """OpenSpiel's own, as its example writes it."""
    import pyspiel
    from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

    import tripot.lab.env.openspiel  # registers the games  # noqa: F401

    game = pyspiel.load_game("tripot_trok_small", {"options": "rations:6;hammers:1"})
    solver = DeepCFRSolver(
        game,
        policy_network_layers=(16,),
        advantage_network_layers=(16,),
        num_iterations=2,
        num_traversals=3,
        memory_capacity=500,
        batch_size_advantage=8,  # without, OpenSpiel 2.0.2 learns from memory never written, of its own games too
        batch_size_strategy=8,
    )
    _, _, loss = solver.solve()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    chances = solver.action_probabilities(state)
    assert np.isfinite(loss) and set(chances) == set(state.legal_actions())
    assert all(0 < chance <= 1 for chance in chances.values())


@needs("torch", "pyspiel", "tree")
@pytest.mark.parametrize("name", ["tripot_verrater_small", "tripot_verrater"])
def test_nfsp_runs(name: str) -> None:
    """OpenSpiel's own, as its example writes it; on the whole game it gets observations, for their tensors forget."""
    import pyspiel
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch.nfsp import NFSP

    import tripot.lab.env.openspiel  # registers the games  # noqa: F401

    game = pyspiel.load_game(name, {"players": 3})
    env = rl_environment.Environment(game)
    width, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    agents = [
        NFSP(seat, width, actions, [16], 100, 0.5, batch_size=8, min_buffer_size_to_learn=8, learn_every=8)
        for seat in range(3)
    ]
    time_step, games = env.reset(), 0
    for _ in range(60):
        seat = time_step.observations["current_player"]
        chosen = agents[seat].step(time_step).action
        assert chosen in time_step.observations["legal_actions"][seat]
        time_step = env.step([chosen])
        if time_step.last():
            for agent in agents:
                agent.step(time_step)
            assert sum(time_step.rewards) == pytest.approx(1)
            time_step, games = env.reset(), games + 1
    assert (games > 10) == (name == "tripot_verrater_small")  # of four or five decisions each


@needs("pyarrow", "polars")
def test_a_dataset_is_read_back_by_polars_and_arrow(tmp_path: Path) -> None:
    import json

    import polars
    from pyarrow import parquet

    from tripot import GAMES
    from tripot.lab.export import Export, export

    game = GAMES["trok"]
    asked = Export(game, 3, game.options(), ("sensible", "uniform", "uniform"), seed=5)
    rows = export(asked, 6, tmp_path / "trok.parquet")
    frame = polars.read_parquet(tmp_path / "trok.parquet")
    assert frame.height == rows and frame["deal"].n_unique() == 6
    seen, masks = (np.stack(frame[name].to_numpy()) for name in ("observation", "mask"))
    assert seen.shape == (rows, asked.encoder.width) and masks[np.arange(rows), frame["action"].to_numpy()].all()
    shares = frame.group_by("deal", "seat").agg(polars.col("outcome").first())
    assert shares["outcome"].sum() == pytest.approx(6)
    facts = json.loads(parquet.read_schema(tmp_path / "trok.parquet").metadata[b"tripot"])
    assert facts["encoding"] == "2/3" and facts["bots"] == ["sensible", "uniform", "uniform"]
    card = (tmp_path / "trok.md").read_text("utf-8")
    assert f"{rows:,} decisions of 6 games" in card and "| `visits` |" in card
    searched = Export(GAMES["verrater"], 3, GAMES["verrater"].options(), ("search:20", "uniform", "uniform"))
    export(searched, 1, tmp_path / "searched.parquet")
    visits = np.stack(polars.read_parquet(tmp_path / "searched.parquet")["visits"].to_numpy())
    assert (visits.sum(1) > 0).any()
