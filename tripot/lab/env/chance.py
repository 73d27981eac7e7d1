"""A game with explicit chance: every roll and every card drawn by the rules becomes a chance node.

The interpreted rules run unchanged except for `roll` and `take_random`. When a decision needs an outcome that is not
known yet, it stops, and the position is a chance node. When the outcome is known, the decision is taken again from the
state before it, with all outcomes so far. So chance is as explicit as OpenSpiel wants it, without a second version of
the rules. A card is drawn by its kind: equal cards are one outcome, with their probability.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import cache, lru_cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot import GAMES
from tripot.core import jit
from tripot.core.game import WHOLE_WIN, Game, waiting_seats

Outcomes = tuple[tuple[int, int], ...]  # (outcome, weight) of each


class OutcomeNeeded(Exception):
    """The rules need an outcome of chance that is not known yet."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes


class Script(threading.local):
    """The known outcomes of the current decision; replaces `roll` and `take_random` in the rules."""

    def __init__(self) -> None:
        self.known: tuple[int, ...] = ()
        self.made = 0

    def roll(self, s: Any, sides: int) -> int:
        return self._outcome(tuple((side, 1) for side in range(sides)))

    def take_random(self, s: Any, bag: list[int], size: int) -> int:
        kind = self._outcome(tuple((kind, count) for kind, count in enumerate(bag) if count))
        bag[kind] -= 1
        return kind

    def _outcome(self, outcomes: Outcomes) -> int:
        if len(outcomes) == 1:
            return outcomes[0][0]
        if self.made == len(self.known):
            raise OutcomeNeeded(outcomes)
        self.made += 1
        return self.known[self.made - 1]


SCRIPT = Script()
CACHED = 1 << 16  # positions of small games
DIGEST_BITS = 64  # of what a seat observed and decided


@cache
def scripted(name: str) -> dict[str, Callable[..., Any]]:
    """The rules of a game with chance replaced by SCRIPT."""
    done: dict[Any, Any] = {}

    def unchanged(function: FunctionType) -> FunctionType:
        return function

    game, bound = GAMES[name], {"roll": SCRIPT.roll, "take_random": SCRIPT.take_random}
    rules = {"deal": game.deal, "apply": game.apply}
    if game.small is not None:
        rules["deal_small"] = game.small.deal
    return {part: jit.rebuild(rule, unchanged, bound, done) for part, rule in rules.items()}  # type: ignore[arg-type]


def _resolved(
    deal: tuple[str, Any, int, bool],
    state: bytes,
    histories: tuple[bytes, ...],
    taken: tuple[int, int] | None,
    known: tuple[int, ...],
) -> tuple[Outcomes, bytes, tuple[bytes, ...]]:
    """What comes of a decision: the outcomes of which one is needed, or the next state and what the seats know then."""
    name, options, seats, small = deal
    rules, s = scripted(name), GAMES[name].layout.state.plain()
    SCRIPT.known, SCRIPT.made = known, 0
    try:
        if taken is None:
            rules["deal_small" if small else "deal"](s, options, seats, 0)
        else:
            s.load(state)
            rules["apply"](s, *taken)
    except OutcomeNeeded as needed:
        return needed.outcomes, state, histories
    after: bytes = s.pack()
    return (), after, tuple(_grown(name, after, seat, digest, taken) for seat, digest in enumerate(histories))


def _grown(name: str, state: bytes, seat: int, digest: bytes, taken: tuple[int, int] | None) -> bytes:
    """The digest of what a seat observed and decided, with what it now sees."""
    own = b"%d" % taken[1] if taken is not None and taken[0] == seat else b""
    return _digest(digest + own + _view(name, state, seat).tobytes())


def _view(name: str, state: bytes, seat: int) -> NDArray[np.void]:
    layout = GAMES[name].layout
    return layout.observe(np.frombuffer(state, layout.state.dtype), seat)


def _digest(told: bytes) -> bytes:
    return hashlib.blake2b(told, digest_size=DIGEST_BITS // 8).digest()


class Facts(NamedTuple):
    """What is to be decided in a state."""

    over: bool
    mover: int  # the lowest seat that has a decision to take
    legal: tuple[int, ...]


def _facts(game: Game, s: Any) -> Facts:
    if s.over or not s.waiting:
        return Facts(bool(s.over), 0, ())
    mover = waiting_seats(s)[0]
    return Facts(False, mover, tuple(game.legal_actions(s, mover)))


# Whoever walks the whole tree of a small game does so again and again.
_resolved_again = lru_cache(CACHED)(_resolved)


@lru_cache(CACHED)
def _facts_again(name: str, state: bytes) -> Facts:
    s = GAMES[name].layout.state.plain()
    s.load(state)
    return _facts(GAMES[name], s)


class Position:
    """A position of a game: a decision node, a chance node, or the end.

    Chance takes the first `opening` decisions, uniformly among the legal ones, which leaves a smaller game. A `small`
    game has its own deal, and the options of that. `histories` has for each seat a digest of all that it observed and
    decided so far.
    """

    def __init__(self, name: str, options: Any, seats: int, opening: int = 0, small: bool = False) -> None:
        self.name, self.options, self.seats, self.opening, self.small = name, options, seats, opening, small
        self.histories: tuple[bytes, ...] = (b"",) * seats
        self.state = b""  # the packed state; that before the decision while it waits for chance; empty before the deal
        self.taken: tuple[int, int] | None = None  # (seat, action) of the last decision; None: the deal
        self.known: tuple[int, ...] = ()  # outcomes of chance since
        self.needed: Outcomes = ()  # those that are possible next, where the rules need one
        self._plain: Any = None
        self._facts: Facts | None = None
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
    def facts(self) -> Facts:
        if self.small and self.state:
            return _facts_again(self.name, self.state)
        if self._facts is None:
            self._facts = _facts(self.game, self.s)
        return self._facts

    @property
    def over(self) -> bool:
        return not self.needed and self.facts.over

    @property
    def chance(self) -> Outcomes:
        """The outcomes of a chance node with their weights; empty at other nodes."""
        if self.needed:
            return self.needed
        return tuple((action, 1) for action in self.legal()) if self.opening and not self.over else ()

    @property
    def mover(self) -> int:
        """The seat to move: the lowest that has a decision to take."""
        return self.facts.mover

    def legal(self) -> list[int]:
        return list(self.facts.legal)

    def view(self, seat: int) -> NDArray[np.void]:
        """The view of a seat; all zeros before the deal."""
        return _view(self.name, self.state, seat) if self.state else np.zeros(1, self.game.layout.view.dtype)

    def shares(self) -> list[float]:
        """By seat, its win share."""
        return [share / WHOLE_WIN for share in self.s.result[: self.seats]]

    # --- Changes ---

    def apply(self, action: int) -> None:
        """Applies an outcome of chance, or a decision of chance or of the seat to move."""
        if self.needed:
            self.known = (*self.known, action)
        else:
            self.taken, self.known, self.opening = (self.mover, action), (), max(0, self.opening - 1)
        self._resolve()

    def _resolve(self) -> None:
        """Takes the decision, or deals, with the known outcomes; stops at a chance node if it needs another."""
        deal = (self.name, self.options, self.seats, self.small)
        resolved = _resolved_again if self.small else _resolved
        self.needed, self.state, self.histories = resolved(deal, self.state, self.histories, self.taken, self.known)
        if not self.needed:
            self._plain = self._facts = None  # loaded again on demand, as in every copy

    def imagined(self, seat: int, seed: int) -> Position:
        """The position with all that `seat` does not see imagined anew.

        The digests of the other seats start anew too: what they saw before in the imagined game is not known.
        """
        if self.needed:
            raise ValueError("a chance node cannot be imagined: it stands between two decisions")
        other = self.__copy__()
        other.state, other._facts = self.game.imagined(self.view(seat), seed).pack(), None
        other.histories = tuple(
            digest if who == seat else _digest(b"imagined" + other.view(who).tobytes())
            for who, digest in enumerate(self.histories)
        )
        return other

    @classmethod
    def of_view(cls, name: str, view: NDArray[np.void], seed: int) -> Position:
        """A position that the seat of this view cannot tell from the real one; what was before is not known."""
        game, seats = GAMES[name], int(view["seats"][0])
        other = cls.__new__(cls)
        other.__setstate__(vars(_any_position(name, seats)))
        other.state = game.imagined(view, seed).pack()
        other.taken, other.known, other.needed = None, (), ()
        other.histories = tuple(_digest(b"imagined" + other.view(seat).tobytes()) for seat in range(seats))
        return other

    # --- Copies ---

    def __copy__(self) -> Position:
        other = object.__new__(Position)
        other.__setstate__(self.__getstate__())
        return other

    def __deepcopy__(self, _: Any) -> Position:
        return self.__copy__()  # its parts are immutable

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_plain": None}  # the one mutable part

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)


@cache
def _any_position(name: str, seats: int) -> Position:
    return Position(name, GAMES[name].options(), seats)
