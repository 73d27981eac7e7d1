"""A game with explicit chance: every random roll of the rules becomes a chance node.

The interpreted rules run unchanged except for `roll`. When a decision needs a roll that is not known yet, it stops, and
the position is a chance node. When the outcome is known, the decision is taken again from the state before it, with all
rolls so far. So chance is as explicit as OpenSpiel wants it, without a second version of the rules.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.core import jit
from tripot.core.game import WHOLE_WIN, Game, waiting_seats


class RollNeeded(Exception):
    """The rules need a roll that has no outcome yet."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


class Script(threading.local):
    """The known rolls of the current decision; replaces `roll` in the rules."""

    def __init__(self) -> None:
        self.rolls: tuple[int, ...] = ()
        self.made = 0

    def roll(self, s: Any, sides: int) -> int:
        if sides == 1:
            return 0
        if self.made == len(self.rolls):
            raise RollNeeded(sides)
        self.made += 1
        return self.rolls[self.made - 1]


SCRIPT = Script()


@cache
def scripted(name: str) -> dict[str, Callable[..., Any]]:
    """The rules of a game with `roll` replaced by SCRIPT."""
    done: dict[Any, Any] = {}

    def unchanged(function: FunctionType) -> FunctionType:
        return function

    rules = GAMES[name].functions
    return {part: jit.rebuild(rules[part], unchanged, {"roll": SCRIPT.roll}, done) for part in ("deal", "apply")}


class Position:
    """A position of a game: a decision node, a chance node, or the end.

    Chance takes the first `opening` decisions, uniformly among the legal ones, which leaves a smaller game.
    `histories` has for each seat a digest of all that it observed and decided so far.
    """

    def __init__(self, name: str, options: Any, seats: int, opening: int = 0) -> None:
        self.name, self.options, self.seats, self.opening = name, options, seats, opening
        self.histories: tuple[bytes, ...] = (b"",) * seats
        self.state = b""  # the packed state; that before the decision while it waits for rolls; empty before the deal
        self.taken: tuple[int, int] | None = None  # (seat, action) of the last decision; None: the deal
        self.rolls: tuple[int, ...] = ()
        self.sides = 0  # of the roll that is needed next; 0: none
        self._plain: Any = None
        self._resolve()

    @property
    def game(self) -> Game:
        return GAMES[self.name]

    # --- Queries ---

    @property
    def s(self) -> Any:
        """The state as a plain object; at a chance node, the state before the decision."""
        if self._plain is None:
            self._plain = self.game.layout.state.plain()
            if self.state:
                self._plain.load(self.state)
        return self._plain

    @property
    def over(self) -> bool:
        return bool(self.s.over) and not self.sides

    @property
    def chance(self) -> list[int]:
        """The outcomes of a chance node, all equally likely; empty at other nodes."""
        if self.sides:
            return list(range(self.sides))
        return self.legal() if self.opening and not self.over else []

    @property
    def mover(self) -> int:
        """The seat to move: the lowest that has a decision to take."""
        return waiting_seats(self.s)[0]

    def legal(self) -> list[int]:
        return self.game.legal_actions(self.s, self.mover)

    def view(self, seat: int) -> NDArray[np.void]:
        """The view of a seat; all zeros before the deal."""
        layout = self.game.layout
        if not self.state:
            return np.zeros(1, layout.view.dtype)
        return layout.observe(np.frombuffer(self.state, layout.state.dtype), seat)

    def shares(self) -> list[float]:
        """By seat, its win share."""
        return [share / WHOLE_WIN for share in self.s.result[: self.seats]]

    # --- Changes ---

    def apply(self, action: int) -> None:
        """Applies the outcome of a roll, or a decision of chance or of the seat to move."""
        if self.sides:
            self.rolls = (*self.rolls, action)
        else:
            self.taken, self.rolls, self.opening = (self.mover, action), (), max(0, self.opening - 1)
        self._resolve()

    def _resolve(self) -> None:
        """Takes the decision, or deals, with the known rolls; stops at a chance node if it needs another."""
        rules, s = scripted(self.name), self.game.layout.state.plain()
        SCRIPT.rolls, SCRIPT.made = self.rolls, 0
        try:
            if self.taken is None:
                rules["deal"](s, self.options, self.seats, 0)
            else:
                s.load(self.state)
                rules["apply"](s, *self.taken)
        except RollNeeded as needed:
            self.sides = needed.sides
            return
        self.sides, self.state, self._plain = 0, s.pack(), None  # loaded again on demand, as in every copy
        self._extend_histories()

    def _extend_histories(self) -> None:
        decided = self.taken
        histories = []
        for seat, before in enumerate(self.histories):
            own = b"%d" % decided[1] if decided is not None and decided[0] == seat else b""
            histories.append(hashlib.blake2b(before + own + self.view(seat).tobytes(), digest_size=8).digest())
        self.histories = tuple(histories)

    def imagined(self, seat: int, seed: int) -> Position:
        """The position with all that `seat` does not see imagined anew.

        The digests of the other seats start anew too: what they saw before in the imagined game is not known.
        """
        if self.sides:
            raise ValueError("a chance node cannot be imagined: it stands between two decisions")
        other = self.__copy__()
        other.state = self.game.imagined(self.view(seat), seed).pack()
        other.histories = tuple(
            digest if who == seat else hashlib.blake2b(b"imagined" + other.view(who).tobytes(), digest_size=8).digest()
            for who, digest in enumerate(self.histories)
        )
        return other

    # --- Copies ---

    def __copy__(self) -> Position:
        other = object.__new__(Position)
        vars(other).update(self.__getstate__())
        return other

    def __deepcopy__(self, _: Any) -> Position:
        return self.__copy__()  # its parts are immutable

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_plain": None}  # the one mutable part
