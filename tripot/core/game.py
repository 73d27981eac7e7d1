"""The contract of a game: all that the rest of the program may know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core import rng
from tripot.core.layout import I8, PUBLIC, Field, Layout

WHOLE_WIN = 60  # a result is a share of the victory in sixtieths: up to six can share it evenly

DEALER = 0  # the streams of luck that hang on one seed: the game's own …
IMAGINATION = 1  # … the one that fills in what a view does not show …
PLAYERS = 16  # … and one for each seat's player, from here on


def standard_fields(seats: int, phases: int) -> list[Field]:
    """What every state has, in every game."""
    return [
        Field("seats", I8, (), PUBLIC, seats, "how many sit at the table"),
        Field("phase", I8, (), PUBLIC, phases, "where the game stands: the game's Phase", codes=True),
        Field("waiting", I8, (), PUBLIC, (1 << seats) - 1, "a bit for each seat that owes a decision"),
        Field("over", I8, (), PUBLIC, 1, "1 when the game has ended"),
        Field("result", I8, (seats,), PUBLIC, WHOLE_WIN, "by seat, its share of the victory in sixtieths"),
        *rng.FIELDS,
    ]


FUNCTIONS = ("deal", "legal", "apply", "take", "settle", "proceed", "errand", "imagine")
ERRANDS = 96


@dataclass(frozen=True)
class Game:
    """A game as data and eight functions.

    `deal`, `legal`, `apply` and its parts, and `imagine` are written in the subset of Python that interpreter, Numba
    and numba-cuda share. A state arrives at `deal` all zeros; a mask arrives at `legal` all zeros;
    `imagine` finds in `s` what the view shows and fills in the rest. Seats count from 0, decisions from 0.
    """

    name: str
    seats: tuple[int, ...]  # table sizes
    rules_version: int  # grows when the same options, seed and decisions would play differently
    fields: list[Field]  # the state: name, type, shape, sight, highest value, one line of meaning
    options: type  # the house rules, a frozen dataclass with defaults
    num_actions: int  # decisions are small integers
    deal: Callable[[Any, Any, int, int], None]  # (s, options, seats, seed): set the table
    legal: Callable[[Any, int, Any], None]  # (s, seat, mask): what this seat may decide now
    apply: Callable[[Any, int, int], None]  # (s, seat, action): one decision and all that follows from it
    take: Callable[[Any, int, int], None]  # the first half of `apply`: the decision alone …
    settle: Callable[[Any], None]  # … and the second, (s): what follows, until somebody is waited for or the game over
    proceed: Callable[[Any], None]  # one step of `settle`. Machines that play in step do each of these together:
    errand: Callable[[Any], int]  # (s): what `proceed` is about to do, a number below ERRANDS
    imagine: Callable[[Any, Any, int], None]  # (view, s, seed): a full state this view cannot tell from the real one
    text: ModuleType  # names and sentences, French and English
    drawing: str = "plain"  # the module of `web/page/games` that draws the table in a browser

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.fields, max(self.seats))

    @property
    def usual_seats(self) -> int:
        """The table size where none is asked for: four if the game allows it, else the largest."""
        return 4 if 4 in self.seats else max(self.seats)

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The rule functions by name, for the compiler."""
        return {name: getattr(self, name) for name in FUNCTIONS}

    def new_state(self, options: Any, seats: int, seed: int) -> Any:
        """A fresh table as a plain object, dealt by the interpreted rules."""
        s = self.layout.state.plain()
        self.deal(s, options, seats, signed(seed))
        return s

    def legal_actions(self, s: Any, seat: int) -> list[int]:
        """The decisions `seat` may take now, as numbers in order."""
        mask = [0] * self.num_actions
        self.legal(s, seat, mask)
        return [action for action, allowed in enumerate(mask) if allowed]

    def imagined(self, view: NDArray[np.void], seed: int) -> Any:
        """A full state, as a plain object, that the seat of `view` cannot tell from the real one."""
        record = self.layout.states(1)
        self.layout.unobserve(view, record)
        s = self.layout.state.plain()
        s.load(record.tobytes())
        self.imagine(self.layout.view_of(view.tobytes()), s, signed(seed))
        return s


def waiting_seats(s: Any) -> list[int]:
    """The seats that owe a decision."""
    return [seat for seat in range(s.seats) if s.waiting >> seat & 1]


def signed(seed: int) -> int:
    """A seed of 64 bits as the signed number native code holds it in; the luck is the same.

    >>> signed(7), signed(2**64 - 1)
    (7, -1)
    """
    seed &= (1 << 64) - 1
    return seed - (1 << 64) if seed >> 63 else seed
