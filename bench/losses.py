"""Measures how much bots miss by a decision, as a review counts it (`coach.review.judge`).

    python -m bench.losses --games 200 --write

lets each bot play games in every seat, and judges some decisions of each game from the view of the seat that took them.
Games are kept in a file, so a run that was stopped goes on where it was; `--minutes` stops it. `--write` puts the table
into docs/reviews.md.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from bench.page import write_section
from tripot import GAMES
from tripot.coach.playouts import player_of
from tripot.coach.review import Moment, certain_loss, moments_of
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.arena.match import Match
from tripot.table.table import Table

FIRST_SEED = 5000
DECISIONS = 12  # of each game
WORLDS = 240  # imagined tables that every choice is played on from
STRONGEST = {"verrater": "network", "trok": "network", "trieste": "search:2000"}
BOTS = ("uniform", "sensible", "search:1000")
KEPT = Path("build/losses.jsonl")
DOCS = Path(__file__).parent.parent / "docs"


@dataclass(frozen=True)
class Judged:
    """Some decisions of one game: what each missed, in shares of a victory."""

    game: str
    bot: str
    seed: int
    missed: list[float]


def bots_of(game: Game) -> list[str]:
    return [*BOTS, STRONGEST[game.name]]


def play(game: Game, bot: str, seed: int) -> Table:
    """A finished game with one bot in every seat."""
    match = Match(game, game.options(), [bot])
    match.play(seed, (0,) * game.usual_seats)
    table = Table(game, game.usual_seats, seed)
    for seat, action in match.decisions:
        table.decide(seat, action, table.offer(seat).sequence)
    return table


def judge(name: str, bot: str, seed: int) -> Judged:
    """Plays a game and judges some of its decisions."""
    game = GAMES[name]
    moments = [moment for moment in moments_of(play(game, bot, seed)) if len(moment.legal) > 1]
    looked = random.Random(f"{name} {seed}").sample(moments, min(DECISIONS, len(moments)))
    return Judged(name, bot, seed, [losses_of(game, moment, seed)[moment.action] for moment in looked])


def losses_of(game: Game, moment: Moment, seed: int) -> dict[int, float]:
    """By choice, what the best one brings more; 0 where the difference may be chance, as in a review."""
    choices = [(action,) for action in moment.legal]
    results = player_of(game).from_view(moment.view, choices, seed, WORLDS).results
    best = int(np.argmax(results.sum(axis=1)))
    whole = WHOLE_WIN * WORLDS
    return {action: certain_loss(results[best], results[row]) / whole for row, action in enumerate(moment.legal)}


def kept(path: Path) -> list[Judged]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [Judged(**json.loads(line)) for line in lines]


def run(path: Path, games: int, minutes: float, processes: int, only: str | None) -> None:
    """Plays what the file does not hold yet, until the time is over."""
    have = {(one.game, one.bot, one.seed) for one in kept(path)}
    end = time.monotonic() + 60 * minutes
    todo = [
        (name, bot, seed)
        for seed in range(FIRST_SEED, FIRST_SEED + games)
        for name, game in GAMES.items()
        for bot in bots_of(game)
        if only in (None, name) and (name, bot, seed) not in have
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes) as pool, path.open("a", encoding="utf-8") as file:
        running = [pool.submit(judge, *one) for one in todo]
        for done in as_completed(running):
            file.write(json.dumps(asdict(done.result())) + "\n")
            file.flush()
            if time.monotonic() > end:
                pool.shutdown(wait=False, cancel_futures=True)
                return


def mean_and_error(games: list[list[float]]) -> tuple[float, float]:
    """The mean loss a decision, and its standard error: decisions of one game count as one cluster."""
    means = [sum(one) / len(one) for one in games]
    mean = sum(means) / len(means)
    spread = sum((one - mean) ** 2 for one in means) / max(len(means) - 1, 1)
    return mean, math.sqrt(spread / len(means))


def rows(found: list[Judged]) -> Iterator[str]:
    yield (
        f"Each bot plays every seat; {DECISIONS} decisions of each game are judged, every choice from {WORLDS} "
        "imagined tables. *missed* is what the best choice would have brought more a decision, in hundredths of a "
        "victory, with its standard error."
    )
    yield ""
    yield "| game | bot | games | missed |"
    yield "|---|---|--:|--:|"
    for name, game in GAMES.items():
        for bot in bots_of(game):
            games = [one.missed for one in found if (one.game, one.bot) == (name, bot)]
            if games:
                mean, error = mean_and_error(games)
                yield f"| {game.text.TITLE.en} | `{bot}` | {len(games)} | {100 * mean:.2f} ± {100 * error:.2f} |"


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--games", type=int, default=200)
    wanted.add_argument("--minutes", type=float, default=600)
    wanted.add_argument("--processes", type=int, default=1)
    wanted.add_argument("--only", choices=list(GAMES), default=None)
    wanted.add_argument("--kept", type=Path, default=KEPT, help="the file of games that are done")
    wanted.add_argument("--write", action="store_true", help="put the table into docs/reviews.md")
    given = wanted.parse_args()
    run(given.kept, given.games, given.minutes, given.processes, given.only)
    text = "\n".join(rows(kept(given.kept)))
    print(text)
    if given.write:
        write_section(DOCS / "reviews.md", "losses", f"\n{text}\n")


if __name__ == "__main__":
    main()
