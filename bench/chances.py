"""Compares the chances of hidden cards with what lay there: tables counted alike, and weighed by likelihood.

    python -m bench.chances --games 1000 --write

At some moments of games between two kinds of bots, the chances of everything that a seat cannot see are counted from
its view (`coach.chances`) and compared with the real table. What all imagined tables agree on is not scored, but must
be true. `--doubt` tries other shares of doubt; `--write` puts the tables into docs/reviews.md.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.page import write_section
from tripot import GAMES
from tripot.coach.chances import DOUBT, counter_of
from tripot.core.game import Game
from tripot.lab.arena.match import Match

DOCS = Path(__file__).parent.parent / "docs"
BOTS = ("sensible", "network")  # who play, as many of each as there are seats for
TABLES = 500  # imagined at each moment: the coach imagines more
MOMENTS = 6  # of each game
FIRST_SEED = 20_000
BINS = 10
Truth = NDArray[np.int64]
Shares = NDArray[np.float64]


@dataclass
class Score:
    """How good some chances were: sums over all of them."""

    count: int = 0
    log_loss: float = 0.0
    brier: float = 0.0
    bins: list[tuple[int, float, int]] = field(default_factory=lambda: [(0, 0.0, 0)] * BINS)

    def add(self, chance: float, true: int) -> None:
        least = 0.5 / TABLES  # a chance that is counted can be no surer than this
        self.log_loss -= math.log(min(max(chance if true else 1 - chance, least), 1.0))
        self.brier += (chance - true) ** 2
        n = min(int(chance * BINS), BINS - 1)
        number, predicted, came = self.bins[n]
        self.bins[n] = number + 1, predicted + chance, came + true
        self.count += 1

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return sum(abs(predicted - came) for _, predicted, came in self.bins) / max(self.count, 1)


@dataclass
class Measured:
    """One game: the scores of its hidden places, counted alike and weighed."""

    game: Game
    games: int
    alike: list[Score]
    weighed: list[Score]
    untrue: int = 0  # of what all imagined tables agreed on

    def compare(self, plain: Shares, weighed: Shares, truth: Truth) -> None:
        for place, seat, number in np.argwhere((plain > 0) & (plain < 1)):
            true = int(truth[place][seat][number])
            self.alike[place].add(float(plain[place][seat][number]), true)
            self.weighed[place].add(float(weighed[place][seat][number]), true)
        rows = plain.sum(axis=2) > 0  # places that hold something as far as the seat can know
        self.untrue += int((rows[..., None] & ((plain == 0) | (plain == 1)) & (plain != truth)).sum())


def moments(game: Game, deal: int, match: Match) -> Iterator[tuple[Any, int]]:
    """Some moments of a game: the state, and a seat that looks at it."""
    luck, seats = random.Random(f"{game.name} {deal}"), game.usual_seats
    lineup = [seat % 2 for seat in range(seats)]
    luck.shuffle(lineup)
    match.play(deal, tuple(lineup))
    looked = set(luck.sample(range(len(match.decisions)), MOMENTS))
    s = game.new_state(game.options(), seats, deal)
    for step, (seat, action) in enumerate(match.decisions):
        if step in looked:
            yield s.copy(), luck.choice([seat, luck.randrange(seats)])
        game.apply(s, seat, action)


def measure(game: Game, games: int, first: int, doubt: float) -> Measured:
    assert game.hidden is not None
    places = len(game.hidden.places)
    found = Measured(game, games, [Score() for _ in range(places)], [Score() for _ in range(places)])
    match, counter = Match(game, game.options(), BOTS), counter_of(game)
    for deal in range(first, first + games):
        for s, seat in moments(game, deal, match):
            view = game.layout.observe(np.frombuffer(s.pack(), game.layout.state.dtype), seat)
            truth = np.zeros(counter.shape, np.int64)
            game.hidden.read(s, seat, truth)
            found.compare(*counter.count(view, TABLES, doubt), truth)
    return found


def summed(scores: Sequence[Score]) -> Score:
    total = Score()
    for one in scores:
        total.count += one.count
        total.log_loss += one.log_loss
        total.brier += one.brier
        pairs = zip(total.bins, one.bins, strict=True)
        total.bins = [(a + d, b + e, c + f) for (a, b, c), (d, e, f) in pairs]
    return total


def row(title: str, alike: Score, weighed: Score) -> str:
    cells = [f"{title} | {alike.count:,}"]
    for score in (alike, weighed):
        count = max(score.count, 1)
        cells.append(f"{score.log_loss / count:.4f} | {score.brier / count:.4f} | {score.error:.3f}")
    return f"| {' | '.join(cells)} |"


def report(found: Sequence[Measured]) -> str:
    """The comparison as tables of a document."""
    bots = " and ".join(f"`{bot}`" for bot in BOTS)
    lines = [
        f"{MOMENTS} moments of each of {found[0].games:,} games between {bots}, {TABLES:,} "
        "imagined tables each. Lower is better. *alike*: every table counts the same; *weighed*: by how likely "
        "the others' decisions were; *calibration*: the expected calibration error.",
        "",
        "| hidden | chances | alike: log-loss | Brier | calibration | weighed: log-loss | Brier | calibration |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in found:
        assert one.game.hidden is not None
        title = one.game.text.TITLE.en
        for place, alike, weighed in zip(one.game.hidden.places, one.alike, one.weighed, strict=True):
            if alike.count:
                lines.append(row(f"{title}: {place.label.en}", alike, weighed))
        lines.append(row(f"**{title}**", summed(one.alike), summed(one.weighed)))
    for one in found:
        score = summed(one.weighed if one.game.hidden and one.game.hidden.weighed else one.alike)
        how = "weighed" if one.game.hidden and one.game.hidden.weighed else "alike"
        lines += ["", f"{one.game.text.TITLE.en} shows tables counted {how}; {one.untrue} certainties were untrue:", ""]
        lines += ["| chances | predicted | came true |", "|--:|--:|--:|"]
        for count, predicted, came in score.bins:
            if count:
                lines.append(f"| {count:,} | {100 * predicted / count:.1f} % | {100 * came / count:.1f} % |")
    return "\n".join(lines)


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--games", type=int, default=1000)
    wanted.add_argument("--first", type=int, default=FIRST_SEED, help="the first deal")
    wanted.add_argument("--doubt", type=float, default=DOUBT)
    wanted.add_argument("--only", choices=list(GAMES), default=None)
    wanted.add_argument("--write", action="store_true", help="put the tables into docs/reviews.md")
    given = wanted.parse_args()
    chosen = [game for game in GAMES.values() if given.only in (None, game.name)]
    found = [measure(game, given.games, given.first, given.doubt) for game in chosen]
    text = report(found)
    print(text)
    if given.write:
        write_section(DOCS / "reviews.md", "chances", f"\n{text}\n")


if __name__ == "__main__":
    main()
