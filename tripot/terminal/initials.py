"""A letter for each player, to put where a whole name has no room."""

from __future__ import annotations

from collections.abc import Sequence


def initials(players: Sequence[str]) -> list[str]:
    """One sign a player, no two alike: a letter of his name, or else his seat's number.

    >>> initials(["North", "East", "South", "Sam"])
    ['N', 'E', 'S', 'A']
    """
    taken: list[str] = []
    for seat, name in enumerate(players, start=1):
        letters = [c.upper() for c in name if c.isalpha() and len(c.upper()) == 1]
        taken.append(next((c for c in letters if c not in taken), str(seat)))
    return taken
