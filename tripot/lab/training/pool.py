"""How strong the weights of a run are against a fixed pool of bots, measured beside the training in another process."""

from __future__ import annotations

import csv
import math
import multiprocessing
from pathlib import Path
from typing import Any

from tripot import GAMES
from tripot.core.game import WHOLE_WIN
from tripot.lab.arena.match import Match

POOL = ("uniform", "sensible", "search:100")
EVALUATION = "evaluation.csv"
DEALS, FIRST_DEAL = 25, 4 * 10**9  # each deal is played once in every seat; training deals from 10^15 on


def measure(game_name: str, weights: Path, opponent: str, deals: int = DEALS) -> dict[str, Any]:
    """One network among bots of the pool: its win share over its fair share, with the half width of a 95% interval."""
    game = GAMES[game_name]
    seats = game.usual_seats
    match = Match(game, game.options(), [f"network:{weights}", opponent])
    shares, nobody, decisions = [], 0, 0
    for deal in range(FIRST_DEAL, FIRST_DEAL + deals):
        games = [match.play(deal, tuple(int(seat != mine) for seat in range(seats))) for mine in range(seats)]
        shares.append(sum(game.result[mine] for mine, game in enumerate(games)) / WHOLE_WIN)
        nobody += sum(not any(game.result) for game in games)
        decisions += sum(sum(game.choices) for game in games)
    mean = sum(shares) / deals
    spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(deals - 1, 1))
    return {
        "opponent": opponent,
        "seats": seats,
        "games": deals * seats,
        "share_ratio": round(mean, 3),
        "interval": round(1.96 * spread / math.sqrt(deals), 3),
        "nobody": round(nobody / (deals * seats), 4),
        "choices": round(decisions / (deals * seats), 1),
    }


def measure_all(game_name: str, weights: Path, known: dict[str, Any], deals: int) -> None:
    """Adds a row for each bot of the pool to `evaluation.csv` beside the weights."""
    path = weights.parent / EVALUATION
    for opponent in POOL:
        if opponent == "sensible" and GAMES[game_name].heuristic is None:
            continue
        row = {"weights": weights.name, **known, **measure(game_name, weights, opponent, deals)}
        new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(row))
            if new:
                writer.writeheader()
            writer.writerow(row)


class PoolMatches:
    """Evaluations that run while the training goes on, one at a time; a new one waits for nothing."""

    def __init__(self, game_name: str, deals: int = DEALS) -> None:
        self._game, self._deals = game_name, deals
        self._running: Any = None

    def begin(self, weights: Path, known: dict[str, Any]) -> bool:
        """Starts an evaluation, unless the one before is still running. Returns whether it did."""
        if self._running is not None and self._running.is_alive():
            return False
        spawned = multiprocessing.get_context("spawn")  # a forked process cannot use CUDA's threads
        self._running = spawned.Process(target=measure_all, args=(self._game, weights, known, self._deals))
        self._running.start()
        return True

    def finish(self) -> None:
        if self._running is not None:
            self._running.join()
