"""Checks reviews against what happens: are chances calibrated, how long do reviews, hints and chances take?

    python -m bench.review --calibration 1000 --timing 3 --write

prints the reliability of the predicted chances of each game, and the time of reviews, hints and chances of hidden cards
in some games. `--write` puts both into docs/reviews.md. What bots miss is measured by `bench.losses`.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from bench.page import write_section
from tripot import GAMES
from tripot.bots.playouts import AS_THE_HEURISTIC
from tripot.coach.chances import chances
from tripot.coach.hint import hint
from tripot.coach.playouts import player_of
from tripot.coach.review import moments_of, review
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.arena.match import Match
from tripot.table.record import record_of
from tripot.table.table import Table

BINS = 10
MOMENTS = 4  # of each game whose chances are compared with its result
FIRST_SEED = 1000


@dataclass(frozen=True)
class Timing:
    """Seconds of processor time: of whole reviews, and of every hint and every chance in the same games."""

    game: Game
    wall: list[float]  # seconds of a review on the clock
    reviews: list[float]
    hints: list[float]
    chances: list[float]


def timing(game: Game, count: int, threads: int) -> Timing:
    """Reviews some `sensible` games, and asks for a hint and for chances at each of their decisions."""
    found, match = Timing(game, [], [], [], []), Match(game, game.options(), ["sensible"])
    for seed in range(FIRST_SEED, FIRST_SEED + 1 + count):  # the first game only loads the native code
        table = played(game, match, seed)
        start, clock = time.process_time(), time.perf_counter()
        review(record_of(table), table, threads=threads)
        found.reviews.append(time.process_time() - start)
        found.wall.append(time.perf_counter() - clock)
        for moment in [one for one in moments_of(table) if len(one.legal) > 1]:
            found.hints.append(seconds(partial(hint, game, moment.view, moment.legal)))
            found.chances.append(seconds(partial(chances, game, moment.view)))
        if seed == FIRST_SEED:
            for times in (found.wall, found.reviews, found.hints, found.chances):
                times.clear()
    return found


def played(game: Game, match: Match, seed: int) -> Table:
    """A finished game with the first bot of the match in every seat."""
    match.play(seed, (0,) * game.usual_seats)
    table = Table(game, game.usual_seats, seed)
    for seat, action in match.decisions:
        table.decide(seat, action, table.offer(seat).sequence)
    return table


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def table_of_times(found: Sequence[Timing], threads: int) -> str:
    lines = [
        f"Seconds of processor time; a review on {threads} threads, also on the clock (*wall*). Hints and chances at "
        "every decision of the same games.",
        "",
        "| game | reviews | review, worst | wall, worst | hint, median | worst | chances, median | worst |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for one in found:
        cells = [max(one.reviews), max(one.wall), median(one.hints), max(one.hints), median(one.chances)]
        told = " | ".join(f"{cell:.2f}" for cell in [*cells, max(one.chances)])
        lines.append(f"| {one.game.text.TITLE.en} | {len(one.reviews)} | {told} |")
    return "\n".join(lines)


@dataclass(frozen=True)
class Reliability:
    """Predicted chances of one game against results, by tenths: how many, their sum, and the sum of results."""

    game: Game
    games: int
    bins: list[tuple[int, float, float]]

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return sum(abs(predicted - came) for _, predicted, came in self.bins) / sum(count for count, _, _ in self.bins)

    @property
    def points(self) -> list[tuple[int, float, float]]:
        """By bin that is not empty: how many, the mean prediction, the mean result."""
        return [(count, predicted / count, came / count) for count, predicted, came in self.bins if count]


def reliability(game: Game, count: int, playouts: int) -> Reliability:
    """Compares chances at some moments of `sensible` games with how these games ended."""
    luck, player = random.Random(game.name), player_of(game)
    match, seats = Match(game, game.options(), ["sensible"]), game.usual_seats
    bins = [(0, 0.0, 0.0)] * BINS
    for deal in range(FIRST_SEED, FIRST_SEED + count):
        match.play(deal, (0,) * seats)
        looked = luck.sample(range(len(match.decisions)), MOMENTS)
        s, moments = game.new_state(game.options(), seats, deal), []
        for step, (seat, action) in enumerate(match.decisions):
            if step in looked:
                moments.append((s.pack(), seat))
            game.apply(s, seat, action)
        for state, seat in moments:
            chances = player.from_state(state, seat, AS_THE_HEURISTIC, luck.getrandbits(40), playouts).totals
            for other in range(seats):
                chance = chances[other] / (WHOLE_WIN * playouts)
                n = min(int(chance * BINS), BINS - 1)
                number, predicted, came = bins[n]
                bins[n] = number + 1, predicted + chance, came + s.result[other] / WHOLE_WIN
    return Reliability(game, count, bins)


def table_of(found: Sequence[Reliability], playouts: int) -> str:
    """The reliability as tables of a document."""
    lines = [
        f"Chances at {MOMENTS} moments of each game, every seat's, counted in {playouts} games played on; `sensible` "
        "players in every seat. If chances are right, *came true* is what was *predicted*.",
        "",
        "| game | games | chances | expected calibration error |",
        "|---|--:|--:|--:|",
    ]
    for one in found:
        total = sum(count for count, _, _ in one.bins)
        lines.append(f"| {one.game.text.TITLE.en} | {one.games:,} | {total:,} | {one.error:.3f} |")
    for one in found:
        lines += ["", f"{one.game.text.TITLE.en}:", "", "| chances | predicted | came true |", "|--:|--:|--:|"]
        lines += [f"| {n:,} | {100 * predicted:.1f} % | {100 * came:.1f} % |" for n, predicted, came in one.points]
    return "\n".join(lines)


SIZE, EDGE = 420, 46
LOOKS = (("#8c2f39", ""), ("#1d5c63", "8 4"), ("#8a6d1f", "2 4"), ("#4a4e8f", "10 3 2 3"))


def curve(found: Sequence[Reliability]) -> str:
    """The reliability curve as a picture; the diagonal is where every chance is right."""

    def at(x: float, y: float) -> str:
        inside = SIZE - 2 * EDGE
        return f"{EDGE + x * inside:.1f},{SIZE - EDGE - y * inside:.1f}"

    parts = [f'<polyline points="{at(0, 0)} {at(1, 1)}" fill="none" stroke="#b9ab8d"/>']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        (x, bottom), (left, y) = at(share, 0).split(","), at(0, share).split(",")
        parts.append(f'<text x="{x}" y="{float(bottom) + 20:.0f}" text-anchor="middle">{share:.0%}</text>')
        parts.append(f'<text x="{float(left) - 8:.0f}" y="{float(y) + 5:.0f}" text-anchor="end">{share:.0%}</text>')
    for row, (one, (colour, dash)) in enumerate(zip(found, LOOKS, strict=False)):
        points = " ".join(at(predicted, came) for _, predicted, came in one.points)
        look = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{points}" fill="none" {look}/>')
        parts.append(f'<path d="M{EDGE + 12} {EDGE + 12 + 20 * row}h26" {look}/>')
        parts.append(f'<text x="{EDGE + 46}" y="{EDGE + 17 + 20 * row}">{one.game.text.TITLE.en}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="Georgia, serif" '
        f'font-size="14"><title>Predicted chance (across) and share of games won (up)</title>'
        f'<rect width="{SIZE}" height="{SIZE}" fill="#faf6ec"/>{"".join(parts)}</svg>\n'
    )


DOCS = Path(__file__).parent.parent / "docs"


def write(found: Sequence[Reliability], playouts: int) -> None:
    """Puts the tables and the curve into the documentation."""
    picture = "![Predicted chance and share of games won: the curves lie on the diagonal](pictures/reliability.svg)"
    write_section(DOCS / "reviews.md", "reliability", f"\n{picture}\n\n{table_of(found, playouts)}\n")
    (DOCS / "pictures" / "reliability.svg").write_text(curve(found), "utf-8")


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--calibration", type=int, default=1000, help="games whose chances are compared with results")
    wanted.add_argument("--playouts", type=int, default=120)
    wanted.add_argument("--timing", type=int, default=3, help="games that are reviewed for the time it takes")
    wanted.add_argument("--threads", type=int, default=2)
    wanted.add_argument("--only", choices=list(GAMES), default=None)
    wanted.add_argument("--write", action="store_true", help="put what is measured into docs/reviews.md")
    given = wanted.parse_args()
    chosen = [game for game in GAMES.values() if given.only in (None, game.name)]
    if given.calibration:
        found = [reliability(game, given.calibration, given.playouts) for game in chosen]
        print(table_of(found, given.playouts), flush=True)
        if given.write:
            write(found, given.playouts)
    if given.timing:
        times = table_of_times([timing(game, given.timing, given.threads) for game in chosen], given.threads)
        print(times, flush=True)
        if given.write:
            write_section(DOCS / "reviews.md", "times", f"\n{times}\n")


if __name__ == "__main__":
    main()
