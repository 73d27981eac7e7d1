"""A game whose luck comes from outside: every roll that the rules make becomes a question to chance.

The interpreted rules run as they stand, with `roll` alone replaced. Where the next roll is not known yet, the decision
stops there; once it is, the decision is taken again from the state before it, with all rolls so far. So chance is as
explicit as in the rules: no seed, no draw hidden in a decision, and nothing written twice.
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


class Unrolled(Exception):
    """The rules want a roll that nobody has made yet."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


class Script(threading.local):
    """The rolls of the decision being taken, one after the other."""

    def __init__(self) -> None:
        self.rolls: tuple[int, ...] = ()
        self.made = 0

    def roll(self, s: Any, sides: int) -> int:
        if sides == 1:
            return 0
        if self.made == len(self.rolls):
            raise Unrolled(sides)
        self.made += 1
        return self.rolls[self.made - 1]


SCRIPT = Script()


@cache
def scripted(name: str) -> dict[str, Callable[..., Any]]:
    """The rules of a game, rolling by SCRIPT and telling no news."""
    done: dict[Any, Any] = {}

    def leave(function: FunctionType) -> FunctionType:
        return function

    rules = GAMES[name].functions
    return {part: jit.rebuild(rules[part], leave, {"roll": SCRIPT.roll}, done) for part in ("deal", "apply")}


class Position:
    """Where a game stands: a decision is open, or a roll, or it is over.

    Chance takes the first `opening` decisions, all that are legal being equally likely: what is left is a small game.
    `memory` has for each seat a digest of all it saw and decided so far.
    """

    def __init__(self, name: str, house_rules: Any, seats: int, opening: int = 0) -> None:
        self.name, self.house_rules, self.seats, self.opening = name, house_rules, seats, opening
        self.memory: tuple[bytes, ...] = (b"",) * seats
        self.state = b""  # the packed state once dealt; before a decision that waits for rolls
        self.taken: tuple[int, int] | None = None  # seat and action of the decision that waits; None: the deal
        self.rolls: tuple[int, ...] = ()
        self.sides = 0  # of the roll that is waited for; 0: none
        self._live: Any = None
        self._resolve()

    @property
    def game(self) -> Game:
        return GAMES[self.name]

    # --- What there is to ask ---

    @property
    def s(self) -> Any:
        """The state as the rules see it; while a roll is open, that before the decision."""
        if self._live is None:
            self._live = self.game.layout.state.plain()
            if self.state:
                self._live.load(self.state)
        return self._live

    @property
    def over(self) -> bool:
        return bool(self.s.over) and not self.sides

    @property
    def chance(self) -> list[int]:
        """What chance may come up with, all of it equally likely; nothing where a seat decides."""
        if self.sides:
            return list(range(self.sides))
        return self.legal() if self.opening and not self.over else []

    @property
    def mover(self) -> int:
        """The lowest seat that owes a decision."""
        return waiting_seats(self.s)[0]

    def legal(self) -> list[int]:
        return self.game.legal_actions(self.s, self.mover)

    def view(self, seat: int) -> NDArray[np.void]:
        """What the seat sees: of a game not yet dealt, nothing."""
        layout = self.game.layout
        if not self.state:
            return np.zeros(1, layout.view.dtype)
        return layout.observe(np.frombuffer(self.state, layout.state.dtype), seat)

    def shares(self) -> list[float]:
        """By seat, its share of the victory."""
        return [share / WHOLE_WIN for share in self.s.result[: self.seats]]

    # --- What happens ---

    def go_on(self, action: int) -> None:
        """A roll, if one is open; else a decision, of chance or of the seat to move."""
        if self.sides:
            self.rolls = (*self.rolls, action)
        else:
            self.taken, self.rolls, self.opening = (self.mover, action), (), max(0, self.opening - 1)
        self._resolve()

    def _resolve(self) -> None:
        """Take the decision, or deal, with the rolls there are; if they do not suffice, wait for the next."""
        rules, s = scripted(self.name), self.game.layout.state.plain()
        SCRIPT.rolls, SCRIPT.made = self.rolls, 0
        try:
            if self.taken is None:
                rules["deal"](s, self.house_rules, self.seats, 0)
            else:
                s.load(self.state)
                rules["apply"](s, *self.taken)
        except Unrolled as unrolled:
            self.sides = unrolled.sides
            return
        self.sides, self.state, self._live = 0, s.pack(), None  # read again as plain numbers, as in every copy
        self._remember()

    def _remember(self) -> None:
        decided = self.taken
        memory = []
        for seat, before in enumerate(self.memory):
            own = b"%d" % decided[1] if decided is not None and decided[0] == seat else b""
            memory.append(hashlib.blake2b(before + own + self.view(seat).tobytes(), digest_size=8).digest())
        self.memory = tuple(memory)

    # --- Copies ---

    def __copy__(self) -> Position:
        other = object.__new__(Position)
        vars(other).update(self.__getstate__())
        return other

    def __deepcopy__(self, _: Any) -> Position:
        return self.__copy__()  # its parts never change

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_live": None}  # which the rules would change
