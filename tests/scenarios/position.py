"""Positions set by hand: a dealt table with the fields that a clause needs overwritten."""

from typing import Any

from tripot.core.game import Game


def position(game: Game, seats: int, options: dict[str, Any] | None = None, seed: int = 1, **fields: Any) -> Any:
    """Returns a new state with the named fields overwritten; lists may be shorter than the field. It collects news."""
    s = game.new_state(game.options(**(options or {})), seats, seed)
    s.news = []
    put(s, **fields)
    return s


def put(s: Any, **fields: Any) -> None:
    """Overwrites fields of a state list by list, so that rows stay the same objects."""
    for name, value in fields.items():
        if isinstance(value, list | tuple):
            _fill(getattr(s, name), value)
        else:
            setattr(s, name, value)


def _fill(row: list[Any], values: Any) -> None:
    for i, value in enumerate(values):
        if isinstance(value, list | tuple):
            _fill(row[i], value)
        else:
            row[i] = value


def told(s: Any, kind: int) -> list[tuple[int, ...]]:
    """Returns the numbers of every piece of news of one kind, in order."""
    return [tuple(item[2:]) for item in s.news if item.what == kind]
