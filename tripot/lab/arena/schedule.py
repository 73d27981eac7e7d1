"""The line-ups of a tournament: on every deal every bot plays every seat equally often.

The bots form a circle. Each deal chooses an order: one place of the circle for each seat. Rotating the circle by
every number of steps gives the line-ups of the deal, so each bot takes each seat once. The next deal has another
order, and an order repeats only after all orders have been used: by then all bots have met equally often, in all
pairs of seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import gcd, perm

GOLDEN = 0.6180339887498949
SEEDS = 1 << 64

Lineup = tuple[int, ...]  # by seat, the index of the bot


class BadLineup(ValueError):
    """The bots cannot be seated; the message says why."""


def fill_seats(bots: Sequence[str], seats: int) -> tuple[str, ...]:
    """The circle of bots. If there are fewer bots than seats, the last one named fills the remaining seats."""
    if not bots:
        raise BadLineup("name at least one bot")
    twice = sorted({bot for bot in bots if bots.count(bot) > 1})
    if len(bots) > seats and twice:
        raise BadLineup(f"{len(bots)} bots for {seats} seats: name each bot once; named twice: {', '.join(twice)}")
    return (*bots, *[bots[-1]] * (seats - len(bots)))


def lineups(circle: Sequence[int], seats: int, deal: int) -> list[Lineup]:
    """The line-ups of one deal, each once."""
    order = places(len(circle), seats, deal)
    rotated = [tuple(circle[(place + step) % len(circle)] for place in order) for step in range(len(circle))]
    return list(dict.fromkeys(rotated))


def places(size: int, seats: int, deal: int) -> list[int]:
    """The places in a circle of `size` that the seats take on a deal, before any rotation."""
    orders = cycle(size, seats)
    step = next(n for n in count(max(1, round(GOLDEN * orders))) if gcd(n, orders) == 1)
    number = deal * step % orders  # consecutive deals get very different orders
    free = list(range(1, size))
    chosen = [0]
    for _ in range(seats - 1):
        number, pick = divmod(number, len(free))
        chosen.append(free.pop(pick))
    return chosen


def cycle(size: int, seats: int) -> int:
    """The number of consecutive deals after which all bots have met equally often."""
    return perm(size - 1, seats - 1)


def schedule(circle: Sequence[int], seats: int, seed: int, games: int) -> Iterator[tuple[int, Lineup]]:
    """Yields (deal, line-up) of every game: whole deals from `seed` on, until there are at least `games`."""
    played = 0
    for number in count():
        if played >= games:
            return
        deal = (seed + number) % SEEDS
        for lineup in lineups(circle, seats, deal):
            played += 1
            yield deal, lineup
