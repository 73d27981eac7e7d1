"""A view as JSON takes it: its fields by name, and under `guide` what the game's guide says to the seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tripot.core.game import Game
from tripot.core.guide import Said

GUIDE = "guide"


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
    goals, knowledge = game.guide.goals(view), game.guide.knowledge(view)
    return {"goals": [said_json(one) for one in goals], "knowledge": [said_json(one) for one in knowledge]}


def said_json(said: Said) -> dict[str, Any]:
    numbers = [n if type(n) is int else plain(n) for n in said.numbers]
    return {"key": said.key, "numbers": numbers}


def plain(number: int | Sequence[int]) -> int | list[int]:
    """A number of an enumeration as an int, or a bag of things as a list of them."""
    return int(number) if isinstance(number, int) else [int(thing) for thing in number]
