"""All completions of a choice, for people who name its parts in any order.

Rules take a group of cards one card at a time and in one order only, so that every group is reached in exactly one way.
Someone who clicks on cards does not know that order. Completions are found from the seat's own view, like everything
that a Choice tries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tripot.table.choice import Choice

MAX_STEPS = 1_500  # decisions tried while looking for completions; a larger choice is taken in the rules' order


class Completions:
    """The complete choices by their parts. `any_order` is False if the order matters, or if there are too many."""

    def __init__(self, choice: Choice) -> None:
        self._orders: dict[tuple[int, ...], list[int]] = {}
        self._steps = 0
        self.any_order = self._explore(choice) and any(len(parts) > 1 for parts in self._orders)

    def _explore(self, choice: Choice) -> bool:
        """Explores every continuation; returns False if the order matters or there are too many."""
        for action in choice.legal:
            self._steps += 1
            if self._steps > MAX_STEPS:
                return False
            choice.add(action)
            useful = self._note(choice) if choice.finished else self._explore(choice)
            choice.undo()
            if not useful:
                return False
        return True

    def _note(self, choice: Choice) -> bool:
        parts = tuple(sorted(choice.decisions))
        if parts in self._orders:
            return False  # the same parts in two orders: they differ, or the rules take any order
        self._orders[parts] = list(choice.decisions)
        return True

    def order(self, parts: Sequence[int]) -> list[int] | None:
        """The order in which the rules take these parts, if they make a complete choice."""
        return self._orders.get(tuple(sorted(parts)))

    def joining(self, parts: Sequence[int]) -> list[int] | None:
        """The decisions that can join these parts; None if no complete choice holds them all."""
        wanted = Counter(parts)
        found = [Counter(way) - wanted for way in self._orders if Counter(way) >= wanted]
        return sorted(set().union(*found)) if found else None

    def shortest(self, parts: Sequence[int]) -> list[int]:
        """The shortest complete choice that holds these parts, in its order; empty if there is none."""
        wanted = Counter(parts)
        return min((order for way, order in self._orders.items() if Counter(way) >= wanted), key=len, default=[])
