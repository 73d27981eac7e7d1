"""The contract of a game: all that the rest of the program may know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core import rng
from tripot.core.defaults import nothing_follows, one_kind, one_side
from tripot.core.game_text import GameText
from tripot.core.guide import Guide
from tripot.core.hidden import HiddenThings
from tripot.core.layout import I8, PUBLIC, SEAT_SET, Field, Layout, SeatAxis
from tripot.core.lesson import Lesson
from tripot.core.notation import Notation
from tripot.core.quantities import Quantities
from tripot.core.shared_seed import Draw, KeyedLuck, Seed
from tripot.core.teaching import Teaching

WHOLE_WIN = 60  # a result is a share of the victory in sixtieths: up to six can share it evenly

# The random streams of one seed.
DEALER = 0  # the game itself
IMAGINATION = 1  # filling in what a view does not show
PLAYERS = 16  # plus the seat: the player there


def standard_fields(seats: int, phases: int, idle: tuple[int, ...] = (), together: bool = True) -> list[Field]:
    """The fields that every state has, in every game.

    `idle` are phases besides the last in which nobody decides; `together`: several seats may be waited for at a time.
    """
    where = "where the game stands: the game's Phase"
    return [
        Field("seats", I8, (), PUBLIC, seats, "how many sit at the table"),
        Field("phase", I8, (), PUBLIC, phases, where, codes=True, absent=(0, *idle, phases)),
        Field(
            *("waiting", I8, (), PUBLIC, (1 << seats) - 1, "a bit for each seat that owes a decision"),
            values=SEAT_SET,
            absent=(0,),
            encoded=together,
        ),
        Field("over", I8, (), PUBLIC, 1, "1 when the game has ended", encoded=False),
        Field(
            *("result", I8, (SeatAxis(seats),), PUBLIC, WHOLE_WIN, "by seat, its share of the victory in sixtieths"),
            encoded=False,
        ),
        *rng.FIELDS,
    ]


STEP_KINDS = 96  # `Stages.step_kind` is below this


@dataclass(frozen=True)
class Stages:
    """`apply` in parts, for machines that step many tables together: a GPU warp runs the same part for all of them.

    `apply(s, seat, action)` must do what `decide` does, followed by `settle_step` for as long as nobody is waited for
    and the game is not over.
    """

    decide: Callable[[Any, int, int], None]  # (s, seat, action): the decision alone
    settle: Callable[[Any], None] = nothing_follows  # (s): all steps that follow from it
    settle_step: Callable[[Any], None] = nothing_follows  # (s): one of these steps
    step_kind: Callable[[Any], int] = one_kind  # (s): which code `settle_step` runs next, a number below STEP_KINDS


@dataclass(frozen=True)
class Evaluation:
    """Estimates each seat's win share, so that search can truncate rollouts.

    Rule functions read features off a state; a small network, fitted to games of the heuristic, turns them into logits.
    """

    features: Callable[[Any, int, Any], None]  # (s, seat, out): writes the features of a seat into `out`
    feature_count: int
    turn_of: Callable[[Any], int]  # of a state or a view: rollouts stop where a turn begins
    weights: Path  # the fitted network, an .npz file
    turns: int = 1  # that a rollout lasts, the current one included
    side_of: Callable[[Any, int], int] = one_side  # (s, seat): the side a seat plays; each side has its own weights
    sides: int = 1


@dataclass(frozen=True)
class SmallGame:
    """A deal that leaves a game small enough to be solved exactly. What is played from there are the game's rules."""

    options: type  # how small it is, a frozen dataclass with defaults
    deal: Callable[[Any, Any, int, int], None]  # (s, options, seats, seed), as that of the game


@dataclass(frozen=True)
class Game:
    """A game as data and four functions: `deal`, `legal`, `apply` and `imagine`.

    These are written in the subset of Python that the interpreter, Numba and numba-cuda share. `deal` receives a state
    of zeros and `legal` a mask of zeros. `imagine` finds in `s` what the view shows and fills in the rest. Seats and
    decisions count from 0. Everything after `text` is optional.
    """

    name: str
    seats: tuple[int, ...]  # table sizes
    rules_version: int  # grows when the same options, seed and decisions would play, or be imagined, differently
    fields: list[Field]  # the state: name, type, shape, sight, highest value, one line of meaning
    options: type  # the house rules, a frozen dataclass with defaults
    num_actions: int  # decisions are small integers
    deal: Callable[[Any, Any, int, int], None]  # (s, options, seats, seed): sets the table
    legal: Callable[[Any, int, Any], None]  # (s, seat, mask): what this seat may decide now
    apply: Callable[[Any, int, int], None]  # (s, seat, action): one decision and all that follows from it
    imagine: Callable[[Any, Any, int], None]  # (view, s, seed): a full state this view cannot tell from the real one
    text: GameText  # names and sentences, French and English
    seat_actions: tuple[tuple[int, int], ...] = ()  # actions that name a seat: the first of a block, how many a seat
    decisive: bool = False  # somebody always wins: the shares of a result add up to a whole
    small: SmallGame | None = None  # for research that needs whole game trees (`lab.env.openspiel`)
    stages: Stages | None = None  # `apply` in parts, for a GPU; without it `apply` is one part
    heuristic: Callable[[Any, Any, Any], int] | None = None  # (view, mask, memory): the `sensible` player's decision
    evaluation: Evaluation | None = None  # without it search plays every rollout to the end
    guide: Guide | None = None  # goals, hints, warnings, what a seat knows; without it nothing of the kind is said
    quantities: Quantities | None = None  # what a coach's reasons count; without it reasons are chances alone
    hidden: HiddenThings | None = None  # what a coach counts chances of; without it none are told
    notation: Notation = field(default_factory=Notation)  # the words of its positions (`core.position`)
    lessons: tuple[Lesson, ...] = ()  # for learners, in the order in which they are taught
    teaching: Teaching | None = None  # the game in one minute, what its rules page says, where questions are answered
    board: str = ""  # the module that draws the table in a terminal; without it every field is listed
    drawing: str = "plain"  # the module of `web/page/games`, or of `page`, that draws the table in a browser
    page: Path | None = None  # the folder of that module, with what it needs, in a game of another package

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.fields, max(self.seats))

    @property
    def usual_seats(self) -> int:
        """The default table size: four if the game allows it, else the largest."""
        return 4 if 4 in self.seats else max(self.seats)

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """The rule functions by name, for the compiler."""
        stages = self.stages or Stages(self.apply)
        rules = {"deal": self.deal, "legal": self.legal, "apply": self.apply, "imagine": self.imagine}
        return {**rules, **{part.name: getattr(stages, part.name) for part in fields(stages)}}

    def new_state(
        self, options: Any, seats: int, seed: Seed, news: list[Any] | None = None, draws: list[Draw] | None = None
    ) -> Any:
        """A new state as a plain object, dealt by the interpreted rules.

        `news` hears what they tell, and `draws` every roll of a shared seed, now and later.
        """
        s = self.layout.state.plain()
        s.news = news
        if isinstance(seed, int):
            self.deal(s, options, seats, signed(seed))
        else:
            s.luck = seed.luck(draws)
            self.deal(s, options, seats, 0)
        return s

    def legal_actions(self, s: Any, seat: int) -> list[int]:
        """The decisions that `seat` may take now, in ascending order."""
        mask = [0] * self.num_actions
        self.legal(s, seat, mask)
        return list(compress(range(self.num_actions), mask))

    def imagined(self, view: NDArray[np.void], seed: int) -> Any:
        """A full state, as a plain object, that the seat of `view` cannot tell from the real one."""
        return self.imagined_from(self.layout.view_of(view.tobytes()), seed)

    def imagined_from(self, view: Any, seed: int, luck: KeyedLuck | None = None) -> Any:
        """The same from a view that is a plain object. `luck` takes the place of the seed."""
        s = self.layout.unobserve_plain(view)
        s.luck = luck
        self.imagine(view, s, signed(seed))
        return s


def waiting_seats(s: Any) -> list[int]:
    """The seats that owe a decision."""
    return list(_seats_in(s.waiting, s.seats))


@cache
def _seats_in(bits: int, seats: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(seats) if bits >> seat & 1)


def signed(seed: int) -> int:
    """A 64-bit seed as the signed integer that native code uses; the luck is the same.

    >>> signed(7), signed(2**64 - 1)
    (7, -1)
    """
    seed &= (1 << 64) - 1
    return seed - (1 << 64) if seed >> 63 else seed
