"""Who sits where in a tournament: on every deal every bot sits in every seat equally often.

The bots stand in a circle. A deal has an order of places in that circle, one for each seat; all of them
turned by one step after the other give its line-ups. So on one deal each bot takes each seat once. The
next deal has the next order, and the orders come round only when all of them have been used: by then
everybody has met everybody equally often, in all pairs of seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import gcd, perm

GOLDEN = 0.6180339887498949
SEEDS = 1 << 64

Lineup = tuple[int, ...]  # by seat, the number of the bot


class BadLineup(ValueError):
    """Bots that cannot be seated; the message says why."""


def fill_seats(bots: Sequence[str], seats: int) -> tuple[str, ...]:
    """The circle of bots: where they are fewer than the seats, the last one named fills those left over."""
    if not bots:
        raise BadLineup("name at least one bot")
    twice = sorted({bot for bot in bots if bots.count(bot) > 1})
    if len(bots) > seats and twice:
        raise BadLineup(f"{len(bots)} bots for {seats} seats: each can be named once only, {', '.join(twice)} is not")
    return (*bots, *[bots[-1]] * (seats - len(bots)))


def lineups(circle: Sequence[int], seats: int, deal: int) -> list[Lineup]:
    """The line-ups played on one deal, each once."""
    order = places(len(circle), seats, deal)
    turned = [tuple(circle[(place + step) % len(circle)] for place in order) for step in range(len(circle))]
    return list(dict.fromkeys(turned))


def places(size: int, seats: int, deal: int) -> list[int]:
    """The places in a circle of `size` that the seats take on a deal, before the circle is turned."""
    orders = cycle(size, seats)
    step = next(n for n in count(max(1, round(GOLDEN * orders))) if gcd(n, orders) == 1)
    number = deal * step % orders  # neighbouring deals get orders that have little in common
    free = list(range(1, size))
    chosen = [0]
    for _ in range(seats - 1):
        number, pick = divmod(number, len(free))
        chosen.append(free.pop(pick))
    return chosen


def cycle(size: int, seats: int) -> int:
    """After how many deals in a row everybody has met everybody equally often."""
    return perm(size - 1, seats - 1)


def schedule(circle: Sequence[int], seats: int, seed: int, games: int) -> Iterator[tuple[int, Lineup]]:
    """(deal, line-up) of every game: whole deals from `seed` on, until there are at least `games`."""
    played = 0
    for number in count():
        if played >= games:
            return
        deal = (seed + number) % SEEDS
        for lineup in lineups(circle, seats, deal):
            played += 1
            yield deal, lineup
