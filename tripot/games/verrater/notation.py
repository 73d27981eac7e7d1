"""The words of Verräter's positions, and what follows from a position that says only what matters."""

from typing import Any

from tripot.core.notation import Notation, always, words_of
from tripot.games.verrater.cards import (
    ALL_ROLES,
    LAND_KINDS,
    OWN_BUILDINGS,
    SUPPLY_COPIES,
    SUPPLY_KINDS,
    SUPPLY_VALUE,
    Building,
    Land,
    Role,
)
from tripot.games.verrater.effects import seat_at
from tripot.games.verrater.state import Phase

HOUSES = ("eagle", "rose")
SUPPLY = always(tuple(map(str, SUPPLY_VALUE)))
SUPPLY_BAGS = ("hand", "played", "pile", "discard", "known", "fresh", "older", "surfaced", "drew", "kept_over", "loose")
DEDUCED = frozenset({"known", "fresh", "older", "drawn", "held_over", "surfaced", "drew", "kept_over"})


def complete(s: Any, given: frozenset[str]) -> None:
    """Works out sizes, the draw pile, buildings in reserve, the roles left over, and what players know of hands."""
    if "unbuilt" not in given:
        for seat in range(s.seats):
            placed = [slot for slot, kind in enumerate(s.building) if kind and s.owner[slot] == seat]
            s.unbuilt[seat] = max(OWN_BUILDINGS - len(placed), 0)
    if "hand_size" not in given:
        s.hand_size[:] = [sum(hand) for hand in s.hand]
    if "pile" not in given:
        for kind in range(SUPPLY_KINDS):
            rows = [*s.hand, *s.played, s.discard]
            s.pile[kind] = SUPPLY_COPIES[kind] - sum(row[kind] for row in rows)
    if "pile_size" not in given:
        s.pile_size = sum(s.pile)
    if "hand" in given and not DEDUCED & given:
        forget(s)
    if s.set_aside and "handed" not in given:
        hand_on(s, given)


def hand_on(s: Any, given: frozenset[str]) -> None:
    """The roles that each seat was handed, from the one put aside and those kept. [V-2.2]"""
    rest = ALL_ROLES - (1 << s.set_aside)
    for order in range(s.seats):
        seat = seat_at(s, order)
        s.handed[seat] = rest
        if s.phase == Phase.DRAFT and s.waiting >> seat & 1:
            return
        rest &= ~(1 << s.role_kept[seat])
    if "middle" not in given:
        s.middle = rest


def forget(s: Any) -> None:
    """As if the draw pile had just been formed: all know what lies in it, and nobody who holds which of the others."""
    for seat in range(len(s.hand)):
        s.known[seat][:] = s.drew[seat][:] = s.surfaced[seat][:] = [0] * SUPPLY_KINDS
        s.kept_over[seat][:] = s.hand[seat]
        s.held_over[seat], s.drawn[seat] = s.hand_size[seat], 0
    s.fresh[:] = s.pile
    s.older[:] = [sum(hand[kind] for hand in s.hand) for kind in range(SUPPLY_KINDS)]


NOTATION = Notation(
    words={
        "phase": words_of(Phase),
        "land": words_of(Land),
        "holder": HOUSES,
        "house": HOUSES,
        "building": words_of(Building),
        "handed": words_of(Role),
        "role_kept": words_of(Role),
        "role_shown": words_of(Role),
        "set_aside": words_of(Role),
        "middle": words_of(Role),
    },
    bags=dict.fromkeys(SUPPLY_BAGS, SUPPLY),
    rows={"land_points": [words_of(Land)[1 : LAND_KINDS + 1]]},
    derived=DEDUCED | {"unbuilt", "hand_size", "pile", "pile_size", "middle", "handed"},
    complete=complete,
)
