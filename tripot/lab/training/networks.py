"""The two networks of a run. The actor sees what a player sees; the critic, for training only, sees everything."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from tripot.core.encoding import Encoder

IMPOSSIBLE = -1e9  # the logit of an illegal action


def aligned(count: int) -> int:
    """Rounded up to what tensor cores take without a copy: rows of whole 128 bytes in 16-bit numbers."""
    return -(-count // 64) * 64


class ResidualNet(nn.Module):
    """Encoded rows in; logits of actions (the actor's) and of outcomes out: each slot wins, or nobody does.

    "Nobody" must be an outcome of its own. Without it a table that stalls looks as good to everyone as one that goes
    on, and self-play learns to stall (Trieste, T-4.5). Rows and heads are padded: tensor cores want whole lines.
    """

    def __init__(self, columns: int, width: int, blocks: int, outcomes: int, actions: int = 0) -> None:
        super().__init__()
        self.columns, self.actions, self.outcomes = columns, actions, outcomes
        self.inputs = nn.Linear(aligned(columns), width)
        self.first = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.second = nn.ModuleList(nn.Linear(width, width) for _ in range(blocks))
        self.heads = nn.Linear(width, aligned(actions + outcomes))
        for layer in [*self.second, self.heads]:
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        device = rows.device.type
        with torch.autocast(device, torch.bfloat16, enabled=device != "cpu"):
            hidden = functional.relu(self.inputs(rows))
            for first, second in zip(self.first, self.second, strict=True):
                hidden = functional.relu(hidden + second(functional.relu(first(hidden))))
            found = self.heads(hidden).float()
        return found[:, : self.actions], found[:, self.actions : self.actions + self.outcomes]


def padded(rows: torch.Tensor, *more: torch.Tensor) -> torch.Tensor:
    """These columns side by side, and zeros up to a whole line."""
    parts = [rows, *(part.to(rows.dtype) for part in more)]
    columns = sum(part.shape[1] for part in parts)
    return torch.cat([*parts, rows.new_zeros(len(rows), aligned(columns) - columns)], 1)


class Actor(nn.Module):
    """The player that is trained: it is given what a seat sees, and its mask."""

    def __init__(self, encoder: Encoder, width: int, blocks: int, device: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.arrays = encoder.on(torch, device=device)
        self.kind = "float32" if device == "cpu" else "bfloat16"
        actions = encoder.game.num_actions
        self.net = ResidualNet(encoder.width + actions, width, blocks, encoder.slots + 1, actions).to(device)

    def rows(self, views: torch.Tensor, frames: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Encoded views and turned masks, as the network takes them."""
        return padded(self.arrays.encode(views, frames, self.kind), masks)

    def forward(self, rows: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The log-probabilities of turned actions, and the logits of outcomes."""
        logits, outcomes = self.net(rows)
        return torch.log_softmax(logits.masked_fill(masks == 0, IMPOSSIBLE), 1), outcomes


class Critic(nn.Module):
    """Expects the outcome from a whole state.

    It must see everything: consecutive decisions belong to different seats, and what one of them sees says nothing of
    the hand that another has just improved.
    """

    def __init__(self, encoder: Encoder, width: int, blocks: int, device: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.arrays = encoder.on(torch, device=device)
        self.kind = "float32" if device == "cpu" else "bfloat16"
        self.net = ResidualNet(encoder.width + encoder.slots, width, blocks, encoder.slots + 1).to(device)
        self.slot_of = torch.as_tensor(encoder.slot_of, device=device)

    def rows(self, states: torch.Tensor, frames: torch.Tensor, strangers: torch.Tensor) -> torch.Tensor:
        """Encoded states, and by slot whether a frozen opponent plays there."""
        by_slot = strangers.gather(1, self.arrays.seating[frames])
        return padded(self.arrays.encode(states, frames, self.kind), by_slot)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The logits of outcomes: the slots, and nobody."""
        outcomes: torch.Tensor = self.net(rows)[1]
        return outcomes

    def by_seat(self, rows: torch.Tensor, frames: torch.Tensor) -> torch.Tensor:
        """Each seat's expected share; together 1 less the chance that nobody wins."""
        return torch.softmax(self(rows), 1).gather(1, self.slot_of[frames])
