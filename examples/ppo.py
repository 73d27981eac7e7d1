"""PPO in one file, in the style of CleanRL: one seat of Verräter learns among bots. Needs PyTorch and `tripot[env]`.

    python examples/ppo.py

Masked actions, encoding 2, games dealt again in the same step: the return of a game's last decision is its reward.
"""

from __future__ import annotations

import gymnasium
import torch
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self, columns: int, actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(columns, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = self.body(seen)
        return Categorical(logits=self.actor(hidden).masked_fill(~masks, -1e9)), self.critic(hidden)[:, 0]


def tensors(seen: dict) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.tensor(seen["observation"]), torch.tensor(seen["action_mask"]).bool()


def train(
    game: str = "tripot/Verrater-v1", num_envs: int = 256, num_steps: int = 64, updates: int = 50,
    opponents: str = "sensible", rate: float = 1e-3, decay: float = 0.95, clip: float = 0.2, entropy: float = 0.01,
) -> list[dict[str, float]]:  # fmt: skip
    """Returns a row for each update: games, win share, loss."""
    torch.manual_seed(1)
    envs = gymnasium.make_vec(game, num_envs=num_envs, seat=None, opponents=opponents, encoding=2)
    columns = envs.single_observation_space["observation"].shape[0]
    agent = Agent(columns, envs.single_action_space.n)
    optimizer = torch.optim.Adam(agent.parameters(), lr=rate, eps=1e-5)
    seen, _ = envs.reset(seed=1)
    history = []
    for update in range(updates):
        rows, games, won = [], 0, 0.0
        for _ in range(num_steps):
            observations, masks = tensors(seen)
            with torch.no_grad():
                policy, value = agent(observations, masks)
            action = policy.sample()
            seen, reward, done, _, _ = envs.step(action.numpy())
            paid, over = torch.tensor(reward).float(), torch.tensor(done).float()
            rows.append((observations, masks, action, policy.log_prob(action), value, paid, over))
            games, won = games + int(done.sum()), won + float(reward.sum())
        with torch.no_grad():
            ahead = agent(*tensors(seen))[1]
        advantages, last = [], torch.zeros(num_envs)
        for *_, value, paid, over in reversed(rows):
            last = paid + ahead * (1 - over) - value + decay * (1 - over) * last
            advantages.insert(0, last)
            ahead = value
        loss = improve(agent, optimizer, rows, torch.stack(advantages), clip, entropy)
        history.append({"games": games, "share": won / max(games, 1), "loss": loss})
        print(f"update {update + 1}: {games} games, {won / max(games, 1):.3f} of them won, loss {loss:.4f}")
    return history


def improve(agent, optimizer, rows, advantages, clip, entropy, batch=2048, epochs=2) -> float:
    """One round of clipped updates over everything collected."""
    seen, masks, actions, old, values = (torch.cat([row[i] for row in rows]) for i in range(5))
    advantages = advantages.flatten()
    returns, loss = advantages + values, torch.tensor(0.0)
    scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(epochs):
        for part in torch.randperm(len(actions)).split(batch):
            policy, value = agent(seen[part], masks[part])
            ratio = (policy.log_prob(actions[part]) - old[part]).exp()
            gain = torch.minimum(ratio * scaled[part], ratio.clamp(1 - clip, 1 + clip) * scaled[part]).mean()
            loss = -gain + 0.5 * (value - returns[part]).square().mean() - entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()
    return float(loss.detach())


if __name__ == "__main__":
    train()
