"""One letter per player, for places where a whole name does not fit."""

from __future__ import annotations

from collections.abc import Sequence


def initials(players: Sequence[str]) -> list[str]:
    """Returns one unique sign per player: a letter of the name, or the number of the seat.

    >>> initials(["North", "East", "South", "Sam"])
    ['N', 'E', 'S', 'A']
    """
    taken: list[str] = []
    for seat, name in enumerate(players, start=1):
        letters = [c.upper() for c in name if c.isalpha() and len(c.upper()) == 1]
        taken.append(next((c for c in letters if c not in taken), str(seat)))
    return taken
