"""A view as JSON takes it: its fields by name, and under `guide` what the game's guide says to the seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from tripot.core.game import Game
from tripot.core.guide import Said

GUIDE = "guide"
MOST_REMEMBERED = 4096  # sentences, of all tables


def view_json(game: Game, view: Any) -> dict[str, Any]:
    """All of a view, given as a plain object. What a house rule keeps from the screen is null."""
    fields = fields_json(game, view)
    if game.guide is not None:
        fields[GUIDE] = told(game, view)
    return fields


def fields_json(game: Game, view: Any) -> dict[str, Any]:
    """The fields of a view alone."""
    layout = game.layout.view
    fields = dict(zip(layout.names, layout.values(view), strict=True))
    for name in concealed(game, view):
        fields[name] = own_only(fields[name], view.seat)
    return fields


def concealed(game: Game, view: Any) -> tuple[str, ...]:
    """The public fields of which people see only their own entry: the game's `concealed`, if it has one."""
    found: Callable[[Any], tuple[str, ...]] | None = getattr(game.text, "concealed", None)
    return () if found is None else found(view)


def own_only(values: list[Any], seat: int) -> list[Any]:
    return [value if number == seat else None for number, value in enumerate(values)]


def told(game: Game, view: Any) -> dict[str, Any]:
    """The goals, and what the seat knows of hidden cards, as JSON takes them."""
    assert game.guide is not None
    return {"goals": all_json(game.guide.goals(view)), "knowledge": all_json(game.guide.knowledge(view))}


def said_json(said: Said) -> dict[str, Any]:
    """A sentence as JSON takes it. Only to be read: guides often say the same, and it is written once."""
    try:
        return _remembered(said)
    except TypeError:  # with a list among its numbers
        return _written(said)


def all_json(said: list[Said]) -> list[dict[str, Any]]:
    """Sentences as JSON takes them. Only to be read."""
    try:
        return [_remembered(one) for one in said]
    except TypeError:
        return [_written(one) for one in said]


def _written(said: Said) -> dict[str, Any]:
    numbers = [n if type(n) is int else plain(n) for n in said.numbers]
    return {"key": said.key, "numbers": numbers}


_remembered = lru_cache(MOST_REMEMBERED)(_written)


def plain(number: int | Sequence[int]) -> int | list[int]:
    """A number of an enumeration as an int, or a bag of things as a list of them."""
    return int(number) if isinstance(number, int) else [int(thing) for thing in number]
