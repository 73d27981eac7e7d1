"""What a game tells a player beside the table itself: goals, knowledge, hints, warnings and how the game went.

A guide speaks in the sentences of its game, by key and numbers, so that the terminal and the page say the same.
Everything but `outcome` is read from a seat's own view: a guide cannot tell what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from tripot.core.speech import Phrase, Sentence


class Said(NamedTuple):
    """A sentence of the guide: its key, and its numbers. Of a table with a star, a list of things is a number too."""

    key: str
    numbers: tuple[int | Sequence[int], ...] = ()


class Forced(IntEnum):
    """How a seat learns of a question that has only one answer."""

    ASKED = 0  # the moment matters: the seat is told, and goes on when it has read it
    SECRET = 1  # it need not be asked, but how fast it answers would tell others what it holds
    OPEN = 2  # everyone sees that there is only one answer


def nothing_said(_: Any) -> list[Said]:
    return []


def no_hint(_: Any, __: int) -> list[Said]:
    return []


def no_warning(_: Any, __: int, ___: Sequence[int]) -> Said | None:
    return None


def always_asked(_: Any, __: int) -> Forced:
    return Forced.ASKED


@dataclass(frozen=True)
class Guide:
    """The guide of a game. All functions but `outcome` get the view of a seat or of a spectator, as a plain object."""

    sentences: Mapping[str, Sentence]  # by key; `clock` names a round by its number
    goals: Callable[[Any], list[Said]]  # (view): how the game ends and is won, and how far it is
    outcome: Callable[[Any, int], Said]  # (s, seat): the end of a game, said to one seat, from the whole state
    reached: Callable[[Any, int], Said]  # (s, seat): what a seat has reached at the end
    knowledge: Callable[[Any], list[Said]] = nothing_said  # (view): what the seat knows of hidden cards
    hint: Callable[[Any, int], list[Said]] = no_hint  # (view, action): what a decision costs and does
    warning: Callable[[Any, int, Sequence[int]], Said | None] = no_warning  # (view, action, legal): before a mistake
    forced: Callable[[Any, int], Forced] = always_asked  # (view, action): of the only legal decision
    ends: Callable[[Any, int], bool] | None = None  # (view, action): whether it completes a choice; None: it is tried
    advice: Mapping[int, Phrase] = field(default_factory=dict)  # by phase, for beginners: what its question decides
    # The fields of a view that these read: as long as they stay the same, nobody asks again. None: any field.
    goals_read: frozenset[str] | None = None
    knowledge_reads: frozenset[str] | None = None


class Place(NamedTuple):
    """Where a seat ended among all, by its result and its total."""

    place: int  # 0 for the first
    behind: int  # how much the winner has more; of the only winner, how much the next has less
    sharing: int  # winners, if it is one of them
    first: int  # a seat that won


def place_of(result: Sequence[int], totals: Sequence[int], seat: int) -> Place:
    """The place of a seat: winners before all others, then by total; equals share a place.

    >>> place_of([0, 60, 0], [7, 9, 4], 1)
    Place(place=0, behind=2, sharing=1, first=1)
    >>> place_of([0, 60, 0], [7, 9, 4], 2)
    Place(place=2, behind=5, sharing=0, first=1)
    """
    winners = [other for other, share in enumerate(result) if share]
    ranks = [(bool(share), total) for share, total in zip(result, totals, strict=True)]
    place = sum(rank > ranks[seat] for rank in ranks)
    if seat not in winners:
        return Place(place, totals[winners[0]] - totals[seat] if winners else 0, 0, winners[0] if winners else seat)
    others = [total for other, total in enumerate(totals) if other not in winners]
    return Place(0, totals[seat] - max(others, default=0), len(winners), seat)


# For sentences such as "Second of four": tables of `NAMES` in games that end with a ranking.
RANKS = (
    Phrase("first", "premier"),
    Phrase("second", "deuxième"),
    Phrase("third", "troisième"),
    Phrase("fourth", "quatrième"),
    Phrase("fifth", "cinquième"),
    Phrase("sixth", "sixième"),
)
COUNTS = (
    Phrase("none", "zéro"),
    Phrase("one", "un"),
    Phrase("two", "deux"),
    Phrase("three", "trois"),
    Phrase("four", "quatre"),
    Phrase("five", "cinq"),
    Phrase("six", "six"),
)
