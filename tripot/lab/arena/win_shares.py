"""Win shares relative to fair shares, with intervals that are clustered by deal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
MOST_CLUSTERS = 1000  # deals are merged into at most this many clusters: as accurate, and faster
LEVEL = 95
RESAMPLE_SEED = 20260  # fixed, so that equal games give equal intervals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class WinShare:
    """How much a group won: `ratio` is its share of the wins divided by its fair share."""

    games: int
    wins: float
    ratio: float
    low: float
    high: float


def win_shares(deals: Ints, results: Floats, groups: Ints, count: int) -> list[WinShare]:
    """The win share of each group. Results and groups have a row for each game and a column for each seat.

    A group is a bot, a bot in a seat, or a side. Seats of group -1 are ignored. The interval is a cluster
    bootstrap over deals, because games on one deal are correlated.
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
    if count_deals > 1:  # a single deal has no spread: the interval is then everything possible
        most = high
        low, high = intervals(by_cluster(deals, wins), by_cluster(deals, fair))
        unseen = np.divide(rarest(count_deals), due, out=np.zeros(count), where=(due > 0) & (low == high))
        low, high = np.maximum(low - unseen, 0), np.minimum(high + unseen, most)
    return [
        WinShare(int(games[g]), float(won[g]), float(ratio[g]), float(low[g]), float(high[g])) for g in range(count)
    ]


def rarest(deals: int) -> float:
    """The expected count, over `deals` deals, of an event that is absent from all of them with probability 2.5%."""
    return float(deals * (1 - ((100 - LEVEL) / 200) ** (1 / deals)))


def by_cluster(deals: Ints, values: Floats) -> Floats:
    """Sums the rows of each deal; many deals are merged into clusters of consecutive deals."""
    _, number = np.unique(deals, return_inverse=True)
    size = int(number.max(initial=-1)) + 1
    if size > MOST_CLUSTERS:
        number = number * MOST_CLUSTERS // size
        size = MOST_CLUSTERS
    sums = np.zeros((size, values.shape[1]))
    np.add.at(sums, number, values)
    return sums


def intervals(above: Floats, below: Floats) -> tuple[Floats, Floats]:
    """95% intervals of the ratios of two sums over clusters, by a bootstrap over clusters.

    It draws one cluster fewer than there are, which corrects the bootstrap's underestimated variance.
    """
    clusters, columns = above.shape
    generator = np.random.default_rng(RESAMPLE_SEED)
    drawn = generator.multinomial(clusters - 1, np.full(clusters, 1 / clusters), RESAMPLES).astype(np.float64)
    total = drawn @ below
    ratio = np.divide(drawn @ above, total, out=np.full((RESAMPLES, columns), np.nan), where=total > 0)
    tail = (100 - LEVEL) / 2
    ratio = np.where(np.isnan(ratio).all(0), 0.0, ratio)
    low, high = np.nanpercentile(ratio, [tail, 100 - tail], axis=0)
    return low, high
