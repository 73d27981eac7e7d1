"""Ratings: the fit recovers known strengths, and 95% intervals contain the truth 95% of the time."""

import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from tripot.lab.arena.contest import Played
from tripot.lab.arena.ratings import MEAN, POINTS, fit, rate, skills
from tripot.lab.arena.schedule import schedule
from tripot.lab.arena.win_shares import MOST_CLUSTERS, by_cluster, win_shares

TRUE = np.array([-1.4, -0.5, 0.0, 0.7, 1.2])  # log strengths; their mean is 0
BOTS, SEATS = len(TRUE), 4

Games = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def world(seed: int, games: int, swing: float = 0.0) -> Games:
    """Random games won in proportion to strength; with `swing`, each deal favours some of its seats."""
    random = np.random.default_rng(seed)
    names = list(schedule(range(BOTS), SEATS, 0, games))
    deals, lineups = np.array([deal for deal, _ in names]), np.array([lineup for _, lineup in names])
    favour = random.normal(0, swing, (deals.max() + 1, SEATS))[deals] if swing else 0.0
    winners = (TRUE[lineups] + favour + random.gumbel(size=lineups.shape)).argmax(1)
    return deals, lineups, np.eye(SEATS)[winners]


def by_bot(games: Games) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    deals, lineups, results = games
    seated = np.stack([(lineups == bot).sum(1) for bot in range(BOTS)], 1).astype(float)
    return deals, seated, np.stack([((lineups == bot) * results).sum(1) for bot in range(BOTS)], 1)


def test_the_fit_recovers_known_strengths() -> None:
    games = world(2, 20_000)
    found = rate(*by_bot(games))
    for rating, true in zip(found, MEAN + POINTS * TRUE, strict=True):
        assert abs(rating.points - true) < 20 and rating.low < true < rating.high
    assert sum(rating.points for rating in found) == pytest.approx(BOTS * MEAN)


def test_several_seats_of_one_bot_count_as_one_player_each() -> None:
    """One bot against three seats of another wins half the games, so it is three times as strong as each."""
    seated, won = np.array([[1.0, 3.0]] * 1000), np.array([[1.0, 0.0], [0.0, 1.0]] * 500)
    strong, weak = fit(seated, won)
    assert strong - weak == pytest.approx(np.log(3), abs=0.01)


def test_games_that_nobody_won_change_no_rating() -> None:
    deals, seated, won = by_bot(world(3, 600))
    none = np.zeros((60, BOTS))
    for rating in rate(np.arange(60), seated[:60], none):  # all of them
        assert rating.points == MEAN and rating.low < MEAN - 200
    found = rate(
        np.concatenate([deals, deals[:60]]), np.concatenate([seated, seated[:60]]), np.concatenate([won, none])
    )
    assert found == rate(deals, seated, won)


def test_a_bot_that_never_won_is_far_below_with_a_wide_interval() -> None:
    seated, won = np.ones((40, 2)), np.array([[1.0, 0.0]] * 40)
    best, worst = rate(np.arange(40), seated, won)
    assert best.points - worst.points > 400
    assert worst.low < worst.points - 150


@pytest.mark.parametrize("swing", [0.0, 1.0])
def test_intervals_contain_the_truth_nineteen_times_out_of_twenty(swing: float) -> None:
    """Checked on many small worlds, with and without correlated games on one deal."""
    truth = world(0, 150_000, swing)
    _, seated, won = by_bot(truth)
    strengths, ratios = fit(seated, won), won.sum(0) / (seated.sum(0) / SEATS)
    rated, shared, worlds = 0, 0, 80
    for seed in range(1, worlds + 1):
        games = world(seed, 300, swing)
        found = rate(*by_bot(games))
        rated += sum(r.low <= MEAN + POINTS * s <= r.high for r, s in zip(found, strengths, strict=True))
        parts = win_shares(games[0], games[2], games[1], BOTS)
        shared += sum(part.low <= ratio <= part.high for part, ratio in zip(parts, ratios, strict=True))
    assert 0.92 <= rated / (worlds * BOTS) <= 0.99
    assert 0.92 <= shared / (worlds * BOTS) <= 0.98


def test_deals_that_decide_the_game_widen_the_interval() -> None:
    """A thousand games on ten deals carry no more information than ten games."""
    results = np.repeat(np.eye(2)[[0, 1, 0, 0, 1, 0, 1, 0, 0, 1]], 100, axis=0)
    groups = np.tile([0, 1], (1000, 1))
    few = win_shares(np.repeat(np.arange(10), 100), results, groups, 2)[0]
    many = win_shares(np.arange(1000), results, groups, 2)[0]
    assert few.ratio == many.ratio == pytest.approx(1.2)
    assert few.high - few.low > 6 * (many.high - many.low)


def test_the_interval_of_a_bot_without_wins_is_not_zero() -> None:
    """After 30 deals without a win, the upper bound is 11.6% of them; after 3,000 deals it is 0.123%."""
    for deals, ratio in ((30, 4 * 0.116), (3000, 4 * 0.00123)):
        results, groups = np.tile([1.0, 0, 0, 0], (deals, 1)), np.tile([0, 1, 1, 2], (deals, 1))
        best, middling, worst = win_shares(np.arange(deals), results, groups, 3)
        assert (worst.ratio, worst.low) == (0, 0) and worst.high == pytest.approx(ratio, rel=0.01)
        assert (best.ratio, best.high) == (4, 4) and best.low == pytest.approx(4 - ratio, rel=0.01)
        assert middling.high == pytest.approx(ratio / 2, rel=0.01)


def test_many_deals_are_merged_into_clusters_with_the_same_sums() -> None:
    deals, values = np.arange(25_000), np.ones((25_000, 3))
    sums = by_cluster(deals, values)
    assert len(sums) == MOST_CLUSTERS and sums.sum() == 75_000 and sums.max() == 25


# --- openskill ---


def rows(games: Games) -> list[Played]:
    deals, lineups, results = games
    return [
        Played(int(deal), tuple(lineup.tolist()), tuple((60 * result).astype(int).tolist()), (), (1,) * 4, (0.0,) * 4)
        for deal, lineup, result in zip(deals, lineups, results, strict=True)
    ]


def test_openskill_agrees_with_the_true_strengths() -> None:
    found = skills(rows(world(3, 4000)), BOTS)
    assert found is not None
    scale = 25 / 6 * np.sqrt(2)  # one unit of log strength between two players, on openskill's scale
    mean = sum(skill.mu for skill in found) / BOTS
    for skill, true in zip(found, TRUE, strict=True):
        assert abs((skill.mu - mean) / scale - true) < 1.96 * skill.sigma / scale + 0.1
    assert [skill.mu for skill in found] == sorted(skill.mu for skill in found)


def test_a_shared_win_is_not_a_win_over_the_other_winner() -> None:
    tie = Played(0, (0, 1, 2), (30, 30, 0), (), (1, 1, 1), (0.0, 0.0, 0.0))
    found = skills([tie], 3)
    assert found is not None and found[0].mu > found[2].mu and found[1].mu > found[2].mu


def test_ratings_work_without_openskill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    assert skills(rows(world(3, 10)), BOTS) is None
