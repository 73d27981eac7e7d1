"""A choice in progress: small decisions tried out before they are final.

Rules take compound choices one small decision at a time. For people these belong together and can be undone until the
last. A Choice applies them to a state imagined from the seat's own view, so trying things out reveals nothing that the
seat does not know.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import Game
from tripot.core.rng import FIELDS as LUCK
from tripot.core.shared_seed import ReadyLuck

IMAGINED_LUCK = ReadyLuck(b"choices")  # any will do: a choice ends where luck begins
same_question = attrgetter("phase", "waiting", *[word.name for word in LUCK])


class Choice:
    """The unfinished choice of one seat, from its view and its legal decisions."""

    def __init__(self, game: Game, view: Any, legal: tuple[int, ...]) -> None:
        """The view is an array of one record, or a plain object."""
        self.game = game
        given = view if isinstance(view, np.ndarray) else None
        self._first: Any = view if given is None else game.layout.view_of(given.tobytes())
        self.seat: int = self._first.seat
        self.decisions: list[int] = []
        self._imagined: list[Any] = []  # the table before the first decision and after each; none until it is asked for
        self._legal = [list(legal)]
        self._views: list[NDArray[np.void] | None] = [given]  # None until it is asked for

    @property
    def _states(self) -> list[Any]:
        if not self._imagined:
            self._imagined.append(self.game.imagined_from(self._first, 0, IMAGINED_LUCK))
        return self._imagined

    @property
    def finished(self) -> bool:
        """Whether the choice is complete: another question, another seat or luck follows."""
        return not self._legal[-1]

    @property
    def legal(self) -> list[int]:
        """The decisions that may come next."""
        return self._legal[-1]

    @property
    def view(self) -> Any:
        """The seat's view after the decisions so far, as a plain object."""
        return self.game.layout.view_of(self.seen.tobytes()) if self.decisions else self._first

    @property
    def seen(self) -> NDArray[np.void]:
        """The same view as an array of one record."""
        found = self._views[-1]
        if found is None:
            found = self._views[-1] = self._view_of(self._states[-1])
        return found

    @property
    def outcome(self) -> bytes:
        """The imagined table after the decisions so far: what is the same in two orders leads to the same one."""
        packed: bytes = self._states[-1].pack()
        return packed

    def add(self, action: int) -> None:
        """Adds a decision; it must be one of `legal`."""
        if action not in self.legal:
            raise ValueError(f"decision {action} is not among the {len(self.legal)} legal ones")
        before = self._states[-1]
        after = before.copy()
        self.game.apply(after, self.seat, action)
        more = goes_on(before, after)
        self._views.append(None if more else self.seen)
        self.decisions.append(action)
        self._states.append(after)
        self._legal.append(self.game.legal_actions(after, self.seat) if more else [])

    def ends(self, action: int) -> bool:
        """Whether the choice is complete with this decision, one of `legal`."""
        guide = self.game.guide
        if guide is not None and guide.ends is not None and not self.decisions:
            return guide.ends(self._first, action)
        before = self._states[-1]
        after = before.copy()
        self.game.apply(after, self.seat, action)
        return not (goes_on(before, after) and self.game.legal_actions(after, self.seat))

    def followed_by(self, action: int) -> Choice:
        """The same choice with one more decision; this one stays as it is."""
        after = Choice.__new__(Choice)
        after.game, after.seat, after._first = self.game, self.seat, self._first
        after.decisions, after._imagined = list(self.decisions), list(self._states)
        after._legal, after._views = list(self._legal), list(self._views)
        after.add(action)
        return after

    def undo(self) -> bool:
        """Undoes the last decision; returns False if there is none."""
        if not self.decisions:
            return False
        for trail in (self.decisions, self._states, self._legal, self._views):
            trail.pop()
        return True

    def _view_of(self, s: Any) -> NDArray[np.void]:
        layout = self.game.layout
        return layout.observe(np.frombuffer(s.pack(), layout.state.dtype), self.seat)


def goes_on(before: Any, after: Any) -> bool:
    """Whether a choice is still the same one: the same question to the same seats, and no luck in between."""
    same: bool = same_question(before) == same_question(after)
    return same
