"""The outlook: what each seat can expect of a table as it stands, for search to break play-outs off at.

A play-out to the end of a long game says little about one decision: luck drowns it. So search plays on for a few
turns only, and then weighs what lies on the table. A game has *traits*, numbers that its rule module reads off a state
for each seat; a net of one hidden layer, fitted to games of common sense by `make outlook`, makes of them what the seat
is promised. A seat's share of the victory is the exponential of that, divided by those of all seats together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.bots.outlook import trieste, trok

Numbers = NDArray[np.float64]


class Net(NamedTuple):
    """What a seat's traits promise it: straight, and through cells that add them up and pass on what is above 0."""

    inner: Numbers  # by trait and cell
    bias: Numbers  # by cell
    outer: Numbers  # by side and cell
    straight: Numbers  # by side and trait
    base: Numbers  # by side
    traits: Numbers  # scratch: of the seat in hand
    cells: Numbers  # scratch


@dataclass(frozen=True)
class Outlook:
    """How search weighs a state of one game."""

    traits: Callable[[Any, int, Any], None]  # (state, seat, where to write them)
    side_of: Callable[[Any, int], int]  # (state, seat): where the seats play different sides
    turn_of: Callable[[Any], int]  # of a state or a view: play-outs end where a turn begins
    count: int  # of traits
    sides: int = 1
    turns: int = 1  # that a play-out lasts, the present one included


def no_traits(s: Any, seat: int, traits: Any) -> None:
    """For a game that is played out to its end."""


def no_side(s: Any, seat: int) -> int:
    return 0


def no_turn(s: Any) -> int:
    return 0


TO_THE_END = Outlook(no_traits, no_side, no_turn, 1)
OUTLOOKS: dict[str, Outlook] = {
    "trok": Outlook(trok.traits, no_side, trok.turn_of, trok.TRAITS, turns=1),
    "trieste": Outlook(trieste.traits, trieste.side_of, trieste.turn_of, trieste.TRAITS, trieste.SIDES, turns=3),
}
FITTED = ("inner", "bias", "outer", "straight", "base")


def weights_of(game: str) -> Path:
    """Where a game's fitted net lies."""
    return Path(__file__).with_name(f"{game}.npz")


def empty_net(outlook: Outlook, cells: int = 1) -> Net:
    """A net that promises every seat the same."""
    sides, count = outlook.sides, outlook.count
    return Net(
        np.zeros((count, cells)), np.zeros(cells), np.zeros((sides, cells)), np.zeros((sides, count)),
        np.zeros(sides), np.zeros(count), np.zeros(cells),
    )  # fmt: skip


def load_net(game: str) -> Net:
    """The fitted net of a game, with scratch of its own; an empty one where games are played out."""
    if game not in OUTLOOKS:
        return empty_net(TO_THE_END)
    with np.load(weights_of(game)) as kept:
        net = empty_net(OUTLOOKS[game], len(kept["bias"]))
        return net._replace(**{name: kept[name].astype(np.float64) for name in FITTED})
