"""The words of Trök's positions, and what follows from a position that says only what matters."""

from typing import Any

from tripot.core.notation import Notation, always, words_of
from tripot.games.trok.cards import DEALT, GEAR_COPIES, GEARS, MAX_SEATS, UPGRADES, Gear, Upgrade
from tripot.games.trok.state import Phase, Run

GEAR = words_of(Gear)
GEAR_BAGS: tuple[str, ...] = (
    "market",
    "deck",
    "discard",
    "hand",
    "chosen",
    "offer",
    "stored",
    "known",
    "surfaced",
    "since_gift",
)
GEAR_BAGS += ("fresh", "older", "drew", "drew_before", "loose")
DEDUCED = frozenset(
    {"known", "fresh", "older", "drawn", "drawn_before", "surfaced", "since_gift", "drew", "drew_before"}
)
SIZES = frozenset({"hand_size", "deck", "deck_size", "queue_size", "to_come"})


def complete(s: Any, given: frozenset[str]) -> None:
    """Works out sizes, the decks, and what players know of hands."""
    if "hand_size" not in given:
        s.hand_size[:] = [sum(hand) + sum(chosen) for hand, chosen in zip(s.hand, s.chosen, strict=True)]
    if "hand" in given and not DEDUCED & given:
        forget(s)
    if "queue_size" not in given:
        s.queue_size = sum(upgrade > 0 for upgrade in s.queue)
    if not {"deck", "deck_size"} & given:
        put_rest_in_deck(s)
    if "to_come" not in given:
        count_to_come(s)
    if not {"fresh", "older"} & given:
        s.fresh[:] = [s.deck[kind] + sum(drew[kind] for drew in s.drew) for kind in range(GEARS)]


def forget(s: Any) -> None:
    """Counts the first five cards of each hand, the dearest last, as dealt, and the others as known to all."""
    for seat in range(MAX_SEATS):
        left = DEALT
        s.surfaced[seat][:] = s.drew_before[seat][:] = [0] * GEARS
        for kind in range(GEARS):
            held = s.hand[seat][kind] + s.chosen[seat][kind]
            s.drew[seat][kind] = min(held, left)
            s.known[seat][kind] = held - s.drew[seat][kind]
            left -= s.drew[seat][kind]
        s.drawn[seat], s.drawn_before[seat] = DEALT - left, 0
    s.older[:] = s.since_gift[:] = [0] * GEARS


def put_rest_in_deck(s: Any) -> None:
    """Puts all other equipment into the deck."""
    for kind in range(GEARS):
        rows = [s.market, s.discard, *s.hand, *s.chosen, *s.offer, *s.stored]
        s.deck[kind] = GEAR_COPIES[kind] - sum(row[kind] for row in rows) - (s.taken == 1 + kind)
    s.deck_size = sum(s.deck)


def count_to_come(s: Any) -> None:
    """Puts all other improvements into their deck."""
    for upgrade in range(1, UPGRADES + 1):
        used = s.queue.count(upgrade) + sum(owned[upgrade] for owned in s.owned)
        s.to_come[upgrade] = max((5 if upgrade < Upgrade.THRUD else 1) - used, 0)


NOTATION = Notation(
    words={"phase": words_of(Phase), "queue": words_of(Upgrade), "run": words_of(Run)},
    bags={**dict.fromkeys(GEAR_BAGS, always(GEAR)), **dict.fromkeys(("owned", "to_come"), always(words_of(Upgrade)))},
    derived=DEDUCED | SIZES,
    complete=complete,
)
