"""What a seat cannot see but would like to know: the chances that a coach counts in imagined tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tripot.core.defaults import no_way_back
from tripot.core.speech import Phrase


@dataclass(frozen=True)
class Hidden:
    """A place where something lies out of sight: a hand, a card face down, a role."""

    label: Phrase
    names: str  # the table of `text.NAMES` with what may lie there, by number
    one: bool = False  # just one of these; otherwise a chance is that of one or more
    things: range = range(0)  # those of the table that are worth a word where they are ruled out
    of_seat: bool = True  # every seat has such a place; otherwise there is one at the table, counted as seat 0's


@dataclass(frozen=True)
class HiddenThings:
    """The hidden places of a game. The functions are written in the subset of the rules.

    `turn_back` undoes the last decision that the state still tells of, as far as it needs: the mover, its legal
    decisions and its view are as they were. It may be called until it returns NO_WAY_BACK, so that a coach can ask of
    every decision how likely it was.
    """

    places: tuple[Hidden, ...]
    most: int  # numbers in the largest table of names
    read: Callable[[Any, int, Any], None]  # (s, seat, out): out[place][other][number] = 1 for what lies out of sight
    turn_back: Callable[[Any, int], int] = no_way_back  # (s, seat): the decision as mover * num_actions + action
    weighed: bool = True  # whether chances weigh decisions: measured by `bench.chances`
