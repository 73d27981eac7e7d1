"""Checks reviews against what happens: are chances calibrated, and do stronger players miss less?

    python -m bench.review --games 200 --calibration 1000 --write

prints, for each game, the mean loss a decision of tables where every seat is played by one bot, the number of seats for
which the parts of the sum do not add up (it must be 0), and the reliability of the predicted chances. `--write` puts
the reliability into docs/reviews.md, as a table and as a curve.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tripot import GAMES
from tripot.bots.playouts import AS_THE_HEURISTIC
from tripot.coach.playouts import player_of
from tripot.coach.review import review
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.arena.match import Match
from tripot.table.record import record_of
from tripot.table.table import Table

BINS = 10
MOMENTS = 4  # of each game whose chances are compared with its result
FIRST_SEED = 1000


def games(game: Game, bot: str, count: int) -> Iterator[Table]:
    """Finished games with one bot in every seat."""
    match = Match(game, game.options(), [bot])
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        match.play(seed, (0,) * game.usual_seats)
        table = Table(game, game.usual_seats, seed)
        for seat, action in match.decisions:
            table.decide(seat, action, table.offer(seat).sequence)
        yield table


def losses(game: Game, bot: str, count: int, playouts: int) -> str:
    """Mean loss a decision and accuracy of one bot."""
    missed = decisions = wrong = 0
    accuracies, cards = list[int](), list[float]()
    start = time.perf_counter()
    for table in games(game, bot, count):
        found = review(record_of(table), table, playouts=playouts, threads=os.cpu_count() or 1)
        for seat in range(table.seats):
            account = found.account(seat)
            missed, decisions = missed + account.missed, decisions + account.counted
            wrong += account.start + account.decisions + account.cards + account.others != account.result
            cards.append(account.cards / found.whole)
            if account.accuracy is not None:
                accuracies.append(account.accuracy)
    loss = 100 * missed / decisions / (WHOLE_WIN * playouts)
    mean = sum(accuracies) / len(accuracies)
    luck = 100 * sum(cards) / len(cards)
    seconds = (time.perf_counter() - start) / count
    return f"| {game.name} | {bot} | {count} | {loss:.2f} % | {mean:.0f} | {luck:+.1f} % | {wrong} | {seconds:.1f} s |"


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
BEGIN, END = "<!-- reliability, written by bench.review -->", "<!-- end of reliability -->"


def write(found: Sequence[Reliability], playouts: int) -> None:
    """Puts the tables and the curve into the documentation."""
    page = DOCS / "reviews.md"
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    picture = "![Predicted chance and share of games won: the curves lie on the diagonal](pictures/reliability.svg)"
    page.write_text(f"{before}{BEGIN}\n\n{picture}\n\n{table_of(found, playouts)}\n\n{END}{after}", "utf-8")
    (DOCS / "pictures" / "reliability.svg").write_text(curve(found), "utf-8")


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--games", type=int, default=200)
    wanted.add_argument("--calibration", type=int, default=1000)
    wanted.add_argument("--playouts", type=int, default=120)
    wanted.add_argument("--bots", default="uniform,sensible,search:1000,search:2000")
    wanted.add_argument("--only", choices=list(GAMES), default=None)
    wanted.add_argument("--write", action="store_true", help="put the reliability into docs/reviews.md")
    given = wanted.parse_args()
    found = []
    for game in GAMES.values():
        if given.only in (None, game.name):
            for bot in given.bots.split(",") if given.games else []:
                print(losses(game, bot, given.games, given.playouts), flush=True)
            if given.calibration:
                found.append(reliability(game, given.calibration, given.playouts))
                print(f"{game.name}: expected calibration error {found[-1].error:.3f}", flush=True)
    print(table_of(found, given.playouts))
    if given.write:
        write(found, given.playouts)


if __name__ == "__main__":
    main()
