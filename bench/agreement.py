"""How often the network and the heuristic would decide as a bot does: `python -m bench.agreement trieste search:3000`.

The guided bot takes the others to be like the one or like the other; this says how much truth there is in either.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass

from tripot import GAMES
from tripot.bots.bot import find_bot
from tripot.bots.memory import new_memory
from tripot.bots.network import NetworkPlayer, shipped_weights
from tripot.bots.own import find_any_bot
from tripot.table.table import Table


@dataclass
class Agreement:
    """Sums over the decisions of a bot between at least two actions."""

    decisions: int = 0
    network: int = 0  # the network's likeliest decision is the bot's
    heuristic: int = 0  # the heuristic's decision is
    nats: float = 0.0  # of cross-entropy with the network's probabilities …
    uniform: float = 0.0  # … and with equal ones


def agreement(game_name: str, bot: str, games: int, seed: int) -> Agreement:
    """Plays games of the bot in all seats, and asks the other two at each decision."""
    game = GAMES[game_name]
    weights = shipped_weights(game.name, game.rules_version)
    if weights is None:
        raise ValueError(f"no network comes with the package for {game.name}")
    player, network, heuristic = find_any_bot(bot, game), NetworkPlayer(game, weights), find_bot("sensible", game)
    found = Agreement()
    for deal in range(seed, seed + games):
        table = Table(game, game.usual_seats, deal)
        memories = [new_memory(deal, seat) for seat in range(game.usual_seats)]
        while not table.over:
            offer = table.offer(table.waiting[0])
            view = table.view(offer.seat)
            action = player.decide(view, offer.legal, memories[offer.seat])
            if len(offer.legal) > 1:
                chances = network.chances(view, offer.legal)
                found.decisions += 1
                found.network += max(offer.legal, key=lambda number: chances[number]) == action
                found.heuristic += heuristic.decide(view, offer.legal, new_memory(deal, offer.sequence)) == action
                found.nats -= chances[action]
                found.uniform += math.log(len(offer.legal))
            table.decide(offer.seat, action, offer.sequence)
    return found


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("bot")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=700_000)
    asked = parser.parse_args(words)
    found = agreement(asked.game, asked.bot, asked.games, asked.seed)
    count = found.decisions
    print(f"{count:,} decisions of {asked.bot} between several actions:")
    print(f"the network's likeliest is the same in {found.network / count:.1%}, the heuristic's in", end=" ")
    print(f"{found.heuristic / count:.1%}; cross-entropy {found.nats / count:.2f} nats with the network's", end=" ")
    print(f"probabilities, {found.uniform / count:.2f} with equal ones")


if __name__ == "__main__":
    main()
