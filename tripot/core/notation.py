"""The words of a game's positions: which words stand for the numbers of its fields, and what follows from the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Row = tuple[int, ...]  # the indices of a row of a field
Things = Callable[[Any, Row], Sequence[str]]  # (s, row): the words for the things that a bag there counts


def worded(name: str) -> str:
    """A name as one word.

    >>> worded("Patrol Officer"), worded("DIPLOMAT_2")
    ('patrol-officer', 'diplomat-2')
    """
    return name.lower().replace("_", "-").replace(" ", "-")


def words_of(names: type[IntEnum]) -> tuple[str, ...]:
    """The members of an enum as words, by their numbers."""
    members = {int(member): worded(member.name) for member in names}
    return tuple(members.get(number, str(number)) for number in range(max(members) + 1))


def always(names: Sequence[str]) -> Things:
    """The words of a bag that counts the same things in every row."""
    return lambda _, __: names


def nothing_follows(_: Any, __: frozenset[str]) -> None:
    """What follows from the rest, for a game whose positions say everything."""


@dataclass(frozen=True)
class Notation:
    """How the fields of a game are written. What is not named here is written in numbers and seats."""

    words: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by field: the word for each value, or member
    bags: Mapping[str, Things] = field(default_factory=dict)  # fields whose last axis counts things
    rows: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)  # by field and axis: words for its rows
    derived: frozenset[str] = frozenset()  # fields that `complete` works out where they are not given
    complete: Callable[[Any, frozenset[str]], None] = nothing_follows  # (s, given)
