"""Frozen players at the tables of a run: earlier selves, so that the player does not forget how to meet them, networks
that are given, or one network at all tables, to which the player learns the best response.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from tripot.bots.network import CRITIC, NetworkWeights, check_weights, load_weights, shipped_weights
from tripot.core.game import Game
from tripot.lab.training.folding import seeing_rules
from tripot.lab.training.networks import Actor, Critic, ResidualNet

EARLIER = 4  # selves of a league, each at as many tables
RENEWED = 15.0  # seconds after which one of them is replaced by the player as it is


class Opponent:
    """A frozen network in all seats but one of its tables. It samples, or takes the most likely decision."""

    def __init__(self, net: ResidualNet, tables: torch.Tensor, sampled: bool) -> None:
        self.net, self.tables, self.sampled = net, tables, sampled

    def answer(self, rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Turned actions for these encoded rows."""
        logits, _ = self.net(rows)
        if self.sampled:
            logits = logits - torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        likeliest: torch.Tensor = logits.masked_fill(masks == 0, -1e30).argmax(1)
        return likeliest


class Opponents:
    """All frozen players of a run, and which seats are the learning player's."""

    def __init__(self, sizes: list[int], most: int, device: str) -> None:
        self.sizes = torch.tensor(sizes, device=device)
        seats = torch.arange(most, device=device)
        self.taken = seats[None, :] < self.sizes[:, None]  # by table: seats where somebody sits
        self.mine = self.taken.clone()  # … and those that the learning player plays
        self.players: list[Opponent] = []  # earlier selves first
        self.selves = self.renewals = 0

    def seat_league(self, actor: Actor, share: float, met: list[ResidualNet], meeting: float) -> None:
        """Earlier selves play all seats but one at a share of the tables, networks that are given at another share."""
        selves = [frozen_copy(actor.net) for _ in range(EARLIER if share else 0)]
        count = len(self.sizes)
        shares = [share / EARLIER] * len(selves) + [meeting / max(len(met), 1)] * len(met)
        parts = [int(part * count) for part in shares]
        tables = self._spread(sum(parts)).split(parts)
        self.selves = len(selves)
        for net, where in zip([*selves, *met], tables, strict=True):
            self.players.append(Opponent(net, where, sampled=True))

    def seat_given(self, net: ResidualNet) -> None:
        """At every table this network plays all seats but one."""
        self.players.append(Opponent(net, self._spread(len(self.sizes)), sampled=False))

    def _spread(self, count: int) -> torch.Tensor:
        """That many tables in any order, of all sizes, with one seat each for the learning player."""
        numbers = torch.arange(count, device=self.sizes.device)
        tables = numbers * len(self.sizes) // max(count, 1)
        mixed = torch.randperm(count, generator=torch.Generator().manual_seed(1)).to(self.sizes.device)
        self.mine[tables] = False
        self.mine[tables, numbers % self.sizes[tables]] = True
        return tables[mixed]

    def renew(self, actor: Actor) -> None:
        """Makes one earlier self anew: the first every second time, the next every fourth time, and so on."""
        self.renewals += 1
        number = min((self.renewals & -self.renewals).bit_length(), EARLIER) - 1
        self.players[number].net.load_state_dict(actor.net.state_dict())

    def share_ratio(self, overs: torch.Tensor, results: torch.Tensor) -> float:
        """The player's win share over its fair share in the games that ended at tables with opponents."""
        mixed = self.mine.sum(1) < self.sizes
        ended = (overs & mixed).float()
        won = ((results * self.mine).sum(2) * ended).sum()
        fair = (self.mine.sum(1) / self.sizes * ended).sum()
        return float(won / fair) if fair else float("nan")


def frozen_copy(net: ResidualNet) -> ResidualNet:
    device = net.inputs.weight.device
    shape = (net.columns, net.inputs.out_features, len(net.first), net.outcomes, net.actions)
    copy: ResidualNet = ResidualNet(*shape).to(device)
    copy.load_state_dict(net.state_dict())
    copy.requires_grad_(requires_grad=False)
    return copy


# --- Weights that are given ---


def given_weights(name: str, game: Game, as_a_start: bool = False) -> NetworkWeights:
    """The weights in a file, in the folder of a run, or `network`: those that come with the package.

    A run may start with weights of another rules version, if they see the same: it learns the present rules.
    """
    if name == "network":
        found = shipped_weights(game.name, game.rules_version)
        if found is None:
            raise ValueError(f"no network comes with the package for {game.name}")
        return found
    path = Path(name)
    found = load_weights(path / "weights.npz" if path.is_dir() else path)
    if as_a_start and found.about["game"] == game.name:
        found = NetworkWeights(found.about | {"rules": game.rules_version}, found.layers)
    check_weights(found, game)
    return found


def given_network(name: str, actor: Actor) -> ResidualNet:
    """The frozen network of weights that see what this player sees. Raises ValueError if they see something else."""
    game = actor.encoder.game
    weights = seeing_rules(given_weights(name, game), game, actor.encoder.rules)
    if weights.about["encoding"] != actor.encoder.notation:
        made = weights.about["encoding"]
        raise ValueError(f"{name} is for encoding {made}; it cannot be met by a player of {actor.encoder.notation}")
    shape = (actor.net.columns, *shape_of(weights), actor.net.outcomes, actor.net.actions)
    net: ResidualNet = ResidualNet(*shape).to(actor.net.inputs.weight.device)
    load_layers(weights, "", net)
    net.requires_grad_(requires_grad=False)
    return net


def shape_of(weights: NetworkWeights) -> tuple[int, int]:
    """The width of a network and its number of blocks."""
    return weights.layers["inputs"].shape[1], len(weights.layers["first"])


def load_networks(weights: NetworkWeights, actor: Actor, critic: Critic) -> None:
    """Puts these weights into both networks; columns that weights do not know keep the value 0."""
    load_layers(weights, "", actor.net)
    if weights.has_critic:
        load_layers(weights, CRITIC, critic.net)


def load_layers(weights: NetworkWeights, before: str, net: ResidualNet) -> None:
    """Fills a network of the same width and depth with layers that lie by input."""
    layers = {name: torch.as_tensor(layer).float() for name, layer in weights.layers.items()}
    with torch.no_grad():
        net.inputs.weight.zero_()
        known = layers[before + "inputs"].T
        net.inputs.weight[:, : known.shape[1]] = known
        net.inputs.bias.copy_(layers[before + "inputs_bias"])
        for number in range(len(net.first)):
            layers_of_block: tuple[tuple[Any, str], ...] = (
                (net.first[number], "first"),
                (net.second[number], "second"),
            )
            for part, name in layers_of_block:
                part.weight.copy_(layers[before + name][number].T)
                part.bias.copy_(layers[f"{before}{name}_bias"][number])
        for head, first in (("policy", 0), ("value", net.actions)):
            if before + head in layers:
                found = layers[before + head].T
                net.heads.weight[first : first + len(found)] = found
                net.heads.bias[first : first + len(found)] = layers[f"{before}{head}_bias"]
