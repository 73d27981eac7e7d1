"""A review in the terminal: the chances round by round, the sum of each seat, the moments that mattered."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from tripot.coach import words
from tripot.coach.words import Teller

BAR = 8  # characters of a whole victory


def show_review(teller: Teller, seats: Sequence[int]) -> RenderableType:
    """The review of a game, with the decisions of these seats."""
    parts: list[RenderableType] = [chances(teller)]
    parts.append(Text(words.HOW(teller.lang)))
    return Group(*parts, *(part for seat in seats for part in seat_part(teller, seat)))


def chances(teller: Teller) -> Grid:
    """Every seat's chance where a round begins: a bar and a number."""
    review = teller.review
    grid = Grid(title=words.CHANCES(teller.lang), box=None)
    grid.add_column()
    for name in teller.names[: review.seats]:
        grid.add_column(name)
    clock = -1
    for step, decision in enumerate(review.decisions):
        if decision.clock != clock:
            clock = decision.clock
            grid.add_row(teller.clock(clock), *(bar(teller, one) for one in review.chances[step]))
    grid.add_row(words.THE_END(teller.lang), *(bar(teller, one) for one in review.chances[-1]))
    return grid


def bar(teller: Teller, units: int) -> str:
    return f"{teller.of(units):>6} {'█' * round(BAR * units / teller.review.whole)}"


def seat_part(teller: Teller, seat: int) -> list[RenderableType]:
    review, lang = teller.review, teller.lang
    account = review.account(seat)
    title = words.SEAT_TITLE(lang).format(name=teller.names[seat], words=teller.accuracy(account))
    grid = Grid(box=None, show_header=False)
    grid.add_column()
    grid.add_column(justify="right")
    for name, number in teller.sum(account):
        grid.add_row(name, number)
    moments = [Text(f"{teller.heading(step)}. {teller.moment(step, seat)}") for step in review.turning_points(seat)]
    missed = [
        Text(f"{decision.number:>4}  {teller.judged(step)}")
        for step, decision in enumerate(review.decisions)
        if decision.seat == seat and review.told_miss(decision)
    ]
    return [
        Text(f"\n{title}", style="bold"),
        grid,
        Text(teller.missed(account)),
        Text(words.MOMENTS(lang), style="bold"),
        *moments,
        Text(words.ALL_DECISIONS(lang), style="bold"),
        *missed,
    ]
