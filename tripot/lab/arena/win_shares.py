"""Shares of victory against fair shares, with intervals that know which games were played on the same deal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
MOST_CLUSTERS = 1000  # deals are put together in this many groups at most: as good, and quicker
LEVEL = 95
LUCK = 20260  # the resamples are the same every time

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WinShare:
    """How much somebody won: `ratio` is the part of the victories over the part that would be fair."""

    games: int
    wins: float
    ratio: float
    low: float
    high: float


def win_shares(deals: Ints, results: Floats, groups: Ints, count: int) -> list[WinShare]:
    """The share of each group. Results and groups have a row for each game and a column for each seat.

    A group is whoever the question is about: a bot, a bot in a seat, a side. Seats of group -1 are left out.
    The interval comes from drawing whole deals again and again: games on one deal are alike.
    """
    seats = results.shape[1]
    wins, fair = np.zeros((len(results), count + 1)), np.zeros((len(results), count + 1))
    rows = np.arange(len(results))
    for seat in range(seats):
        np.add.at(wins, (rows, groups[:, seat]), results[:, seat])
        np.add.at(fair, (rows, groups[:, seat]), 1 / seats)
    wins, fair = wins[:, :count], fair[:, :count]
    games, won, due = (fair > 0).sum(0), wins.sum(0), fair.sum(0)
    ratio = np.divide(won, due, out=np.zeros(count), where=due > 0)
    low, high = np.zeros(count), np.divide(games, due, out=np.zeros(count), where=due > 0)
    count_deals = len(np.unique(deals))
    if count_deals > 1:  # one deal alone says nothing: all from nothing to everything is possible
        most = high
        low, high = intervals(by_cluster(deals, wins), by_cluster(deals, fair))
        unseen = np.divide(rarest(count_deals), due, out=np.zeros(count), where=(due > 0) & (low == high))
        low, high = np.maximum(low - unseen, 0), np.minimum(high + unseen, most)
    return [
        WinShare(int(games[g]), float(won[g]), float(ratio[g]), float(low[g]), float(high[g])) for g in range(count)
    ]


def rarest(deals: int) -> float:
    """On how many of so many deals something may happen and yet, one time in forty, be seen on none of them."""
    return float(deals * (1 - ((100 - LEVEL) / 200) ** (1 / deals)))


def by_cluster(deals: Ints, values: Floats) -> Floats:
    """The rows of one deal added up; many deals are put together into groups of neighbours."""
    _, number = np.unique(deals, return_inverse=True)
    size = int(number.max(initial=-1)) + 1
    if size > MOST_CLUSTERS:
        number = number * MOST_CLUSTERS // size
        size = MOST_CLUSTERS
    sums = np.zeros((size, values.shape[1]))
    np.add.at(sums, number, values)
    return sums


def intervals(above: Floats, below: Floats) -> tuple[Floats, Floats]:
    """95% intervals of the ratios of two sums over clusters, by drawing clusters with replacement.

    One fewer is drawn than there are, which makes up for what resampling underrates.
    """
    clusters, columns = above.shape
    luck = np.random.default_rng(LUCK)
    drawn = luck.multinomial(clusters - 1, np.full(clusters, 1 / clusters), RESAMPLES).astype(np.float64)
    total = drawn @ below
    ratio = np.divide(drawn @ above, total, out=np.full((RESAMPLES, columns), np.nan), where=total > 0)
    tail = (100 - LEVEL) / 2
    ratio = np.where(np.isnan(ratio).all(0), 0.0, ratio)
    low, high = np.nanpercentile(ratio, [tail, 100 - tail], axis=0)
    return low, high
