"""Measures how much bots miss by a decision, as a review counts it (`coach.review.weigh`).

    python -m bench.losses --games 200 --write

At some moments of each game every bot is asked what it would decide from the view of the seat that is to move; a review
judges all choices of the moment. So all bots are compared at the same moments. Games are kept in a file, so a run that
was stopped goes on where it was; `--minutes` stops it. `--write` puts the table into docs/reviews.md.
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
from functools import cache
from pathlib import Path

import numpy as np

from bench.page import write_section
from tripot import GAMES
from tripot.bots.bot import PolicyBot, SearchBot, find_bot
from tripot.bots.memory import new_memory
from tripot.coach.playouts import WEIGHED
from tripot.coach.review import Moment, weigh
from tripot.core.game import WHOLE_WIN, Game
from tripot.lab.arena.match import Match

FIRST_SEED = 5000
PLAYED = ("sensible", "network")  # who plays the games, in turn round the table
MOMENTS = 4  # of each game
LOOKED_AT = 12 * MOMENTS  # decisions to choose them from: where there is no choice nothing can be missed
BOTS = ("uniform", "sensible", "search:1000", "network")  # from the weakest to the strongest
KEPT = Path("build/losses.jsonl")
DOCS = Path(__file__).parent.parent / "docs"


@dataclass(frozen=True)
class Judged:
    """Some moments of one game: what each bot misses there, in shares of a victory."""

    game: str
    seed: int
    missed: dict[str, list[float]]


@cache
def match_of(name: str) -> Match:
    return Match(GAMES[name], GAMES[name].options(), PLAYED)


@cache
def bot_of(name: str, bot: str) -> PolicyBot | SearchBot:
    return find_bot(bot, GAMES[name])


def some_moments(game: Game, seed: int) -> list[Moment]:
    """Some moments of a game where there is a choice. The bots sit in turn round the table."""
    match, luck, seats = match_of(game.name), random.Random(f"{game.name} {seed}"), game.usual_seats
    match.play(seed, tuple((seat + seed) % len(PLAYED) for seat in range(seats)))
    steps = luck.sample(range(len(match.decisions)), min(LOOKED_AT, len(match.decisions)))
    s, found = game.new_state(game.options(), seats, seed), {}
    for step, (seat, action) in enumerate(match.decisions):
        if step in steps and len(legal := game.legal_actions(s, seat)) > 1:
            state = s.pack()
            view = game.layout.observe(np.frombuffer(state, game.layout.state.dtype), seat)
            found[step] = Moment(state, view, tuple(legal), seat, action, 0, drew=False)
        game.apply(s, seat, action)
    return [found[step] for step in steps if step in found][:MOMENTS]


def judge(name: str, seed: int) -> Judged:
    """Plays a game and asks all bots at some of its moments."""
    game = GAMES[name]
    found = [losses_of(game, moment, seed) for moment in some_moments(game, seed)]
    return Judged(name, seed, {bot: [losses[bot] for losses in found] for bot in BOTS})


def losses_of(game: Game, moment: Moment, seed: int) -> dict[str, float]:
    """By bot, what the best choice brings more than its own; for `uniform` what it misses on average."""
    losses = [loss / (WHOLE_WIN * WEIGHED) for loss in weigh(game, moment, WEIGHED, seed).losses]
    found = {"uniform": sum(losses) / len(losses)}
    for bot in BOTS[1:]:
        decision = bot_of(game.name, bot).decide(moment.view, moment.legal, new_memory(seed, moment.seat))
        found[bot] = losses[moment.legal.index(decision)]
    return found


def kept(path: Path) -> list[Judged]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [Judged(**json.loads(line)) for line in lines]


def run(path: Path, games: int, minutes: float, processes: int, only: str | None) -> None:
    """Plays what the file does not hold yet, until the time is over."""
    have = {(one.game, one.seed) for one in kept(path)}
    end = time.monotonic() + 60 * minutes
    todo = [
        (name, seed)
        for seed in range(FIRST_SEED, FIRST_SEED + games)
        for name in GAMES
        if only in (None, name) and (name, seed) not in have
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
    players = " and ".join(f"`{bot}`" for bot in PLAYED)
    yield (
        f"{MOMENTS} moments of each game between {players} are judged as in a review. "
        "*missed* is what the best choice would have brought more than the bot's, in hundredths of a victory a "
        "decision, with its standard error; *less* is how much less that is than the bot before it misses at the same "
        "moments."
    )
    yield ""
    yield "| game | bot | games | decisions | missed | less |"
    yield "|---|---|--:|--:|--:|--:|"
    for name, game in GAMES.items():
        games = [one.missed for one in found if one.game == name]
        for before, bot in zip((None, *BOTS), BOTS, strict=False):
            if games:
                lost = [one[bot] for one in games]
                cells = [f"{len(games)} | {sum(map(len, lost)):,}", in_hundredths(lost)]
                pairs = [[a - b for a, b in zip(one[before], one[bot], strict=True)] for one in games if before]
                cells.append(in_hundredths(pairs) if pairs else "")
                yield f"| {game.text.TITLE.en} | `{bot}` | {' | '.join(cells)} |"


def in_hundredths(games: list[list[float]]) -> str:
    mean, error = mean_and_error(games)
    return f"{100 * mean:.2f} ± {100 * error:.2f}"


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
