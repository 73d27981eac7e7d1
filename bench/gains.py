"""Measures what guided bots gain by a decision: `python -m bench.gains trieste --bot guided:100ms`.

Games between networks (or heuristics) are stopped at some decisions. Each bot says from its seat's view what it would
do there. Wherever that is not what the network finds likeliest, both decisions are played on from the real table, with
cards still to come drawn anew, to the end of the game: the mover as the network, the others as those who played. So
nothing that a bot imagines enters into its judgement. Games tell bots apart by whole victories; this does it with a
tenth of the time. `--bot` may be given several times. `guided:100ms,depth=12` has one number of its plan changed,
`guided:100ms,weights=FILE` other weights.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.bots.bot import find_bot
from tripot.bots.guided import GuidedBot, LookAhead
from tripot.bots.lookahead import AGAIN, REPLIES, play_on
from tripot.bots.memory import new_memory
from tripot.bots.network import NetworkBot, NetworkPlayer, load_weights
from tripot.bots.search import bound_names
from tripot.core import jit
from tripot.core.game import WHOLE_WIN, signed
from tripot.core.rng import seed_luck
from tripot.lab.arena.match import Match

FIRST_SEED = 40_000
MOMENTS = 4  # of each game
LEAST_CHANCE = 0.005  # a moment is looked at where the network gives a second decision at least this
PLAYED_ON = 96  # times for each decision, with the same luck for all of a moment
TO_THE_END = 1 << 30  # decisions
SURELY = 1000.0  # the power of probabilities with which the likeliest decision is taken
OTHERS = ("network", "sensible")

apply = None  # bound by `core.jit`


def judge(work, lanes, policy, start, seat, seed, alike, choices, counts, totals):  # type: ignore[no-untyped-def]
    """Plays every choice on from a whole state, `counts` times; adds what the seat wins to `totals`.

    Other luck each time, and the same for all choices; what is hidden stays as it is.
    """
    for n in range(counts):
        for lane in range(len(choices)):
            raw = lanes.raw[lane]
            for byte in range(len(raw)):
                raw[byte] = start[byte]
            s = lanes.states[lane]
            seed_luck(s, seed + n, AGAIN)
            seed_luck(lanes.memory[lane], seed + n, REPLIES)
            for other in range(len(alike)):
                lanes.alike[lane][other] = alike[other]
            apply(s, seat, choices[lane])  # type: ignore[misc]
        play_on(work, lanes, policy, len(choices), TO_THE_END, SURELY)
        for lane in range(len(choices)):
            totals[lane] += lanes.states[lane].result[seat] / WHOLE_WIN


@dataclass(frozen=True)
class Contest:
    """Who is asked, and among whom."""

    game: str
    others: str
    bots: tuple[str, ...]  # `guided:100ms`, or with numbers of a plan behind it: `guided:100ms,depth=12`


@dataclass(frozen=True)
class Judged:
    """Some moments of one game: what each bot gains there over the network, in shares of a victory."""

    seed: int
    gained: dict[str, list[float]]
    other: dict[str, int]  # how often it decides otherwise than the network
    tries: dict[str, float]  # a decision, in the mean
    free: int  # decisions of the game at which a second one was likely enough


@cache
def match_of(game: str, others: str) -> Match:
    return Match(GAMES[game], GAMES[game].options(), [others])


@cache
def network_of(game: str) -> NetworkBot:
    bot = find_bot("network", GAMES[game])
    assert isinstance(bot, NetworkBot)
    return bot


@cache
def bot_of(game: str, notation: str) -> GuidedBot:
    name, *changes = notation.split(",")
    bot = find_bot(name, GAMES[game])
    if not isinstance(bot, GuidedBot):
        raise ValueError(f"{name} is no guided bot")
    told = dict(change.partition("=")[::2] for change in changes)
    if "weights" in told:
        bot = replace(bot, weights=load_weights(Path(told.pop("weights"))))
    numbers = {field.name for field in fields(bot.plan) if isinstance(getattr(bot.plan, field.name), int | float)}
    if unknown := set(told) - numbers:
        raise ValueError(f"a plan has no number {min(unknown)}: {', '.join(sorted(numbers))}")
    return replace(bot, plan=replace(bot.plan, **{key: type(getattr(bot.plan, key))(told[key]) for key in told}))


@cache
def judge_of(game_name: str) -> tuple[LookAhead, Any]:
    """The arrays of a look-ahead, and the judge that plays in them."""
    game, weights = GAMES[game_name], network_of(game_name).weights
    assert weights is not None
    return LookAhead(game, weights, NetworkPlayer(game, weights)), jit.native(judge, **bound_names(game))


def moments(contest: Contest, seed: int) -> Iterator[tuple[NDArray[np.void], NDArray[np.void], int, list[int]]]:
    """(state, view, seat, legal actions) at every decision where the network is not sure."""
    game, match = GAMES[contest.game], match_of(contest.game, contest.others)
    match.play(seed, (0,) * game.usual_seats)
    s = game.new_state(game.options(), game.usual_seats, seed)
    for seat, action in match.decisions:
        legal = game.legal_actions(s, seat)
        if len(legal) > 1:
            state = np.frombuffer(s.pack(), game.layout.state.dtype).copy()
            view = game.layout.observe(state, seat).copy()
            player = network_of(contest.game).player(view)
            assert player is not None
            if sorted(player.chances(view, legal).values())[-2] >= math.log(LEAST_CHANCE):
                yield state, view, seat, list(legal)
        game.apply(s, seat, action)


def measure(contest: Contest, seed: int) -> Judged:
    """Asks all bots at some moments of a game."""
    found = list(moments(contest, seed))
    luck = random.Random(f"{contest.game} {seed}")
    judged = Judged(
        seed,
        {b: [] for b in contest.bots},
        dict.fromkeys(contest.bots, 0),
        dict.fromkeys(contest.bots, 0.0),
        len(found),
    )
    some = luck.sample(found, min(MOMENTS, len(found)))
    for number, (state, view, seat, legal) in enumerate(some):
        player = network_of(contest.game).player(view)
        assert player is not None
        usual = player.decide(view, legal)
        said = {}
        for bot in contest.bots:
            result = bot_of(contest.game, bot).search(view, legal, new_memory(seed, number))
            said[bot] = result.decision
            judged.tries[bot] += result.iterations / len(some)
        worth = play_all_on(contest, state, seat, seed * 64 + number, usual, set(said.values()))
        for bot, decision in said.items():
            judged.gained[bot].append(worth[decision])
            judged.other[bot] += decision != usual
    return judged


def play_all_on(
    contest: Contest, state: NDArray[np.void], seat: int, seed: int, usual: int, said: set[int]
) -> dict[int, float]:
    """What each decision gains over the usual one."""
    choices = np.array([usual, *sorted(said - {usual})], np.int64)
    totals = np.zeros(len(choices))
    if len(choices) > 1:
        ahead, play = judge_of(contest.game)
        alike = np.full(ahead.lanes.alike.shape[1], contest.others == "network", np.int8)
        alike[seat] = 1
        start = state.view(np.uint8).reshape(-1)
        play(ahead.work, ahead.lanes, ahead.policy, start, seat, signed(seed << 20), alike, choices, PLAYED_ON, totals)
    worth = (totals - totals[0]) / PLAYED_ON
    return dict(zip(choices.tolist(), worth.tolist(), strict=True))


def run(contest: Contest, path: Path, games: int, minutes: float, processes: int) -> list[Judged]:
    """Asks about one game after the other, and goes on where the file ends."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    found = [Judged(**json.loads(line)) for line in lines]
    if found and set(found[0].gained) != set(contest.bots):
        raise SystemExit(f"{path} is about {', '.join(found[0].gained)}: name another file")
    have = {one.seed for one in found}
    todo = [seed for seed in range(FIRST_SEED, FIRST_SEED + games) if seed not in have]
    end = time.monotonic() + 60 * minutes
    path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes) as pool, path.open("a", encoding="utf-8") as file:
        for done in as_completed([pool.submit(measure, contest, seed) for seed in todo]):
            found.append(done.result())
            print(json.dumps(asdict(found[-1])), file=file, flush=True)
            print(f"{len(found)} games", end="\r", file=sys.stderr, flush=True)
            if time.monotonic() > end:
                pool.shutdown(cancel_futures=True)
                break
    return found


def mean_and_error(games: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The mean a decision, and its standard error: decisions of one game count as one cluster."""
    count = sum(map(len, games))
    mean = sum(map(sum, games)) / count
    spread = sum((sum(one) - mean * len(one)) ** 2 for one in games)
    return 100 * mean, 100 * math.sqrt(spread) / count


def page(found: Sequence[Judged], bots: Sequence[str]) -> str:
    """A table with what each bot gains, and how much that is above the first one."""
    lines = [
        f"{len(found)} games, {sum(one.free for one in found) / len(found):.1f} moments a game.\n",
        "| bot | moments | gained, hundredths | above the first | decides otherwise | tries |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for bot in bots:
        gained = [one.gained[bot] for one in found]
        above = [[a - b for a, b in zip(one.gained[bot], one.gained[bots[0]], strict=True)] for one in found]
        count = sum(map(len, gained))
        other = sum(one.other[bot] for one in found) / count
        tries = sum(one.tries[bot] for one in found) / len(found)
        lines.append(f"| {bot} | {count} | {interval(gained)} | {interval(above)} | {other:.1%} | {tries:.0f} |")
    return "\n".join(lines)


def interval(games: Sequence[Sequence[float]]) -> str:
    mean, error = mean_and_error(games)
    return f"{mean:.2f} ± {1.96 * error:.2f}"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--bot", action="append", required=True, help="guided:100ms, or guided:100ms,depth=12")
    parser.add_argument("--others", choices=OTHERS, default="network", help="who plays in the other seats")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--minutes", type=float, default=5.0, help="no game is begun after that")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, required=True, help="file with a line for each game; a run goes on there")
    asked = parser.parse_args(words)
    contest = Contest(asked.game, asked.others, tuple(asked.bot))
    try:
        check(contest)
    except ValueError as error:
        parser.error(str(error))
    print(page(run(contest, asked.keep, asked.games, asked.minutes, asked.processes), contest.bots))


def check(contest: Contest) -> None:
    """Raises ValueError for a bot that cannot be asked."""
    for bot in contest.bots:
        bot_of(contest.game, bot)


if __name__ == "__main__":
    main()
