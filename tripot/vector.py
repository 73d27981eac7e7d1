"""Thousands of games behind one step, for learning: `SeatVectorEnv` and `SelfPlay`, and returns of games with turns.

Importing this registers the environments of Gymnasium, `gymnasium.make_vec("tripot/Verrater-v1", num_envs=4096)` among
them. See docs/learning.md.
"""

from tripot.core.encoding import Encoder
from tripot.lab.env import gymnasium as _registered  # noqa: F401
from tripot.lab.vector.returns import lambda_returns, turn_advantages
from tripot.lab.vector.seat_env import SeatVectorEnv
from tripot.lab.vector.self_play import SelfPlay, Turn

__all__ = ["Encoder", "SeatVectorEnv", "SelfPlay", "Turn", "lambda_returns", "turn_advantages"]
