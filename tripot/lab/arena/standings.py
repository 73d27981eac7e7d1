"""The standings of a contest: win shares, ratings and time per decision of each bot."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import WHOLE_WIN, Game
from tripot.core.speech import Phrase
from tripot.lab.arena.contest import Contest, Played
from tripot.lab.arena.games_file import GamesFile
from tripot.lab.arena.ratings import Rating, Skill, rate, skills
from tripot.lab.arena.win_shares import WinShare, win_shares
from tripot.lab.balance.hooks import side_names


@dataclass(frozen=True)
class Standing:
    """One bot in the standings."""

    bot: str
    share: WinShare
    rating: Rating
    skill: Skill | None
    ms_per_decision: float
    seats: list[WinShare]
    sides: dict[str, WinShare]  # by English name; empty if the game has no sides

    def as_json(self) -> dict[str, Any]:
        found = {"bot": self.bot, **share_json(self.share)}
        found["rating"] = round(self.rating.points, 1)
        found["rating_interval"] = [round(self.rating.low, 1), round(self.rating.high, 1)]
        if self.skill is not None:
            found["openskill"] = {"mu": round(self.skill.mu, 3), "sigma": round(self.skill.sigma, 3)}
        found["ms_per_decision"] = round(self.ms_per_decision, 4)
        found["seats"] = [{"seat": seat, **share_json(share)} for seat, share in enumerate(self.seats, start=1)]
        if self.sides:
            found["sides"] = [{"side": side, **share_json(share)} for side, share in self.sides.items()]
        return found


@dataclass(frozen=True)
class Standings:
    """The standings of a whole contest, strongest bot first."""

    contest: Contest
    games: int
    deals: int
    bots: list[Standing]

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.contest.game,
            "rules": self.contest.rules,
            "seats": self.contest.seats,
            "options": json.loads(self.contest.options),
            "lineup": list(self.contest.circle),
            "games": self.games,
            "deals": self.deals,
            "bots": [standing.as_json() for standing in self.bots],
        }


def share_json(share: WinShare) -> dict[str, Any]:
    return {
        "games": share.games,
        "wins": round(share.wins, 4),
        "share_ratio": round(share.ratio, 4),
        "interval": [round(share.low, 4), round(share.high, 4)],
    }


def standings(games_file: GamesFile, game: Game) -> Standings:
    """Computes the standings from all games of a file."""
    contest, rows = games_file.contest, games_file.rows
    count, shape = len(contest.bots), (len(rows), contest.seats)
    deals = np.unique([played.deal for played in rows], return_inverse=True)[1].astype(np.int64)
    lineups = np.array([played.lineup for played in rows], np.int64).reshape(shape)
    results = np.array([played.result for played in rows], np.float64).reshape(shape) / WHOLE_WIN
    overall = win_shares(deals, results, lineups, count)
    by_seat = win_shares(deals, results, lineups * contest.seats + np.arange(contest.seats), count * contest.seats)
    by_side = _by_side(rows, deals, results, lineups, count, list(side_names(game)))
    ratings = rate(deals, _per_bot(lineups, np.ones(shape), count), _per_bot(lineups, results, count))
    openskill = skills(rows, count)
    found = [
        Standing(
            bot,
            overall[number],
            ratings[number],
            openskill[number] if openskill else None,
            _milliseconds(rows, number),
            by_seat[number * contest.seats : (number + 1) * contest.seats],
            by_side[number],
        )
        for number, bot in enumerate(contest.bots)
    ]
    found.sort(key=lambda standing: -standing.rating.points)
    return Standings(contest, len(rows), int(deals.max(initial=-1)) + 1, found)


def _per_bot(lineups: NDArray[np.int64], values: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """By game and bot, the sum over the bot's seats."""
    return np.stack([((lineups == bot) * values).sum(1) for bot in range(count)], axis=1)


def _by_side(
    rows: list[Played],
    deals: NDArray[np.int64],
    results: NDArray[np.float64],
    lineups: NDArray[np.int64],
    count: int,
    names: list[Phrase],
) -> list[dict[str, WinShare]]:
    """By bot, its win share on each side of the game."""
    if not names or not rows:
        return [{} for _ in range(count)]
    sides = np.array([played.sides for played in rows], np.int64)
    found = win_shares(deals, results, lineups * len(names) + sides, count * len(names))
    chosen = [found[bot * len(names) : (bot + 1) * len(names)] for bot in range(count)]
    return [{name.en: share for name, share in zip(names, part, strict=True) if share.games} for part in chosen]


def _milliseconds(rows: list[Played], bot: int) -> float:
    """The mean time of a decision with more than one legal action."""
    seconds, choices = 0.0, 0
    for played in rows:
        for seat, who in enumerate(played.lineup):
            if who == bot:
                seconds += played.seconds[seat]
                choices += played.choices[seat]
    return 1000 * seconds / choices if choices else 0.0
