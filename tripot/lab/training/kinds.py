"""Teaches weights to tell from what a seat sees which of the others play like the network.

The guided bot has to guess how the others will decide. Tables at which networks played look different from tables at
which heuristic players or searches did: what is built, spent, held and thrown away. So games are played by a mixture of
them, and a small network learns, from the encoded views of all seats, who of the others is a network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from tripot.bots.bot import find_bot
from tripot.bots.memory import new_memory
from tripot.bots.network import KINDS, NetworkBot, NetworkWeights, check_weights
from tripot.core.encoding import Encoder
from tripot.core.game import Game
from tripot.table.table import Table

OTHERS = ("sensible", "search:300")  # kinds that do not play like a network
ALL_ALIKE = 0.3  # share of the games at which all seats are of one kind
LOOKED_AT = 0.2  # share of the decisions whose view is learned from
HIDDEN, EPOCHS, BATCH, RATE, DECAY = 32, 12, 512, 2e-3, 0.1
HELD_OUT = 6  # one game in this many is not learned from


@dataclass(frozen=True)
class Seen:
    """Encoded views, and by slot 1 for a network, 0 for another kind, -1 for the seat that sees or nobody."""

    views: NDArray[np.float32]
    networks: NDArray[np.int8]
    deals: NDArray[np.int64]


def play(game: Game, weights: NetworkWeights, games: int, seed: int, progress: Callable[[int], None]) -> Seen:
    """Plays games of all table sizes among networks and others."""
    encoder, luck = check_weights(weights, game), np.random.default_rng(seed)
    bots = [NetworkBot("network", game, weights=weights), *(find_bot(name, game) for name in OTHERS)]
    sizes = (encoder.seats,) if encoder.seats else game.seats
    views, networks, deals = [], [], []
    for number in range(games):
        seats = sizes[number % len(sizes)]
        one = luck.integers(len(bots))
        kinds = [one] * seats if luck.random() < ALL_ALIKE else luck.choice(len(bots), seats, p=[0.5, 0.25, 0.25])
        table = Table(game, seats, seed + number)
        memories = [new_memory(seed + number, seat) for seat in range(seats)]
        while not table.over:
            offer = table.offer(table.waiting[0])
            view = table.view(offer.seat)
            if len(offer.legal) > 1 and luck.random() < LOOKED_AT:
                views.append(encoder.encode(view)[0])
                networks.append(_who_is(encoder, view, kinds))
                deals.append(number)
            action = bots[kinds[offer.seat]].decide(view, offer.legal, memories[offer.seat])
            table.decide(offer.seat, action, offer.sequence)
        progress(1)
    return Seen(np.array(views, np.float32), np.array(networks, np.int8), np.array(deals))


def _who_is(encoder: Encoder, view: NDArray[np.void], kinds: Any) -> list[int]:
    slots = encoder.slot_of[int(encoder.on_numpy.frames(view.view(np.uint8).reshape(1, -1), view["seat"])[0])]
    found = [-1] * max(encoder.game.seats)
    for seat, kind in enumerate(kinds):
        if seat != view["seat"][0]:
            found[slots[seat]] = int(kind == 0)
    return found


def taught(weights: NetworkWeights, seen: Seen, tell: Callable[[str], None]) -> NetworkWeights:
    """The same weights, with a small network that says who plays like them."""
    torch.manual_seed(1)
    held = torch.as_tensor(seen.deals % HELD_OUT == 0)
    views, networks = torch.as_tensor(seen.views), torch.as_tensor(seen.networks)
    somebody, alike = (networks >= 0).float(), (networks == 1).float()
    first, last = torch.nn.Linear(views.shape[1], HIDDEN), torch.nn.Linear(HIDDEN, networks.shape[1])
    net = torch.nn.Sequential(first, torch.nn.ReLU(), last)
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    learned = torch.where(~held)[0]
    for epoch in range(EPOCHS):
        for rows in learned[torch.randperm(len(learned))].split(BATCH):
            optimizer.zero_grad()
            _loss(net(views[rows]), alike[rows], somebody[rows]).backward()
            optimizer.step()
        with torch.no_grad():
            loss = float(_loss(net(views[held]), alike[held], somebody[held]))
            right = ((net(views[held]) > 0) == (alike[held] > 0))[somebody[held] > 0].float().mean()
        measured = f"cross-entropy {loss:.3f} on held-out games, right about {100 * float(right):.1f}% of the others"
        tell(f"epoch {epoch + 1} of {EPOCHS}: {measured}")
    parts = {"inputs": first.weight.T, "inputs_bias": first.bias, "outputs": last.weight.T, "outputs_bias": last.bias}
    layers = {KINDS + name: part.detach().numpy().astype(np.float16) for name, part in parts.items()}
    about = {"views": len(seen.views), "games": int(seen.deals[-1]) + 1, "others": list(OTHERS), "measured": measured}
    return NetworkWeights(weights.about | {"kinds": about}, {**weights.layers, **layers})


def _loss(logits: torch.Tensor, alike: torch.Tensor, somebody: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy over the seats of others, in nats."""
    lost = functional.binary_cross_entropy_with_logits(logits, alike, weight=somebody, reduction="sum")
    return lost / somebody.sum().clamp(min=1)
