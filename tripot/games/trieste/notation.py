"""The words of Trieste's positions, and what follows from a position that says only what matters."""

from collections.abc import Sequence
from typing import Any

from tripot.core.notation import Notation, Row, Things, always, worded, words_of
from tripot.games.trieste.cards import (
    CARDS,
    FACTIONS,
    KINDS,
    OWN_TITLES,
    THIEF,
    TREASURE_CARD,
    TREASURE_COPIES,
    TREASURES,
    Hero,
    card_at,
)
from tripot.games.trieste.state import Phase, Stage, unseen_treasures

FACTION = ("watch", "merchant", "thief")
TREASURE = ("copper", "silver", "gold", "diamond")
CARD = ("none", *(worded(card.title) for card in CARDS[1:]), *TREASURE)  # by number
KNOWLEDGE = frozenset({"knows", "shown", "open", "seen", "dear", "clean", "fresh", "older", "stock", "held", "recent"})
KNOWLEDGE |= {"passed", "stale"}


def titles(faction: int) -> tuple[str, ...]:
    """The words for a faction's own titles; some have fewer than there is room for."""
    return tuple(worded(CARDS[card_at(faction, TREASURES + title)].title) for title in range(OWN_TITLES[faction]))


def by_faction(with_treasures: bool, axis: int, by_seat: bool) -> Things:
    """The words of a bag whose row, along `axis`, belongs to a faction."""

    def words(s: Any, row: Row) -> Sequence[str]:
        faction = s.faction[row[axis]] if by_seat else row[axis]
        return (*TREASURE, *titles(faction)) if with_treasures else titles(faction)

    return words


def complete(s: Any, given: frozenset[str]) -> None:
    """Works out sizes, the decks, and what players know of hands."""
    if "seat_of" not in given:
        for seat in range(FACTIONS):
            s.seat_of[s.faction[seat]] = seat
    if "hand_size" not in given:
        for faction in range(FACTIONS):
            hand = s.hand[s.seat_of[faction]]
            s.hand_size[faction][:] = [sum(hand[:TREASURES]), sum(hand[TREASURES:])]
    if "deck" not in given:
        fill_decks(s)
    if "deck_size" not in given:
        s.deck_size[:] = [sum(s.deck[faction]) for faction in range(FACTIONS)]
        s.deck_size[1] += s.under_size
    if "treasure_deck" not in given:
        fill_treasure_deck(s)
    if "treasure_size" not in given:
        s.treasure_size = sum(s.treasure_deck)
    if "hand" in given and not KNOWLEDGE & given:
        forget(s)


def fill_decks(s: Any) -> None:
    """Puts all other cards of the factions into their decks."""
    lying = [*s.table, *s.placed, *s.bargain]
    for faction in range(FACTIONS):
        under = s.under[: s.under_size] if faction == 1 else []
        for title in range(OWN_TITLES[faction]):
            card = card_at(faction, TREASURES + title)
            used = s.hand[s.seat_of[faction]][TREASURES + title] + s.discard[faction][title] + lying.count(card)
            used += (s.captured[title] if faction == THIEF else 0) + under.count(TREASURES + title)
            s.deck[faction][title] = s.copies[card] - used


def fill_treasure_deck(s: Any) -> None:
    """Puts all other treasures into the deck."""
    lying = [*s.table, *s.placed]
    for kind in range(TREASURES):
        used = sum(hand[kind] for hand in s.hand) + s.treasure_discard[kind] + sum(aside[kind] for aside in s.aside)
        s.treasure_deck[kind] = TREASURE_COPIES[kind] - used - lying.count(TREASURE_CARD + kind)


def forget(s: Any) -> None:
    """As if the treasure deck had just been shuffled: nobody knows anything about the other hands."""
    for faction in range(FACTIONS):
        s.open[faction][:] = [0] * KINDS
        s.seen[faction][:] = [0, 0]
        s.passed[faction][:] = [0] * FACTIONS
        s.dear[faction], s.recent[faction] = 0, 0
        s.held[faction] = s.hand_size[faction][0]
    s.clean, s.stale = 0, s.aside_size
    s.stock[:] = s.treasure_deck
    for seat in range(FACTIONS):
        for faction in range(FACTIONS):
            s.knows[seat][faction][:] = s.shown[seat][faction][:] = [0] * KINDS
        s.fresh[seat][:] = s.treasure_deck
        s.older[seat][:] = [unseen_treasures(s, seat, kind) - s.treasure_deck[kind] for kind in range(TREASURES)]


TREASURE_BAGS = ("treasure_deck", "treasure_discard", "aside", "stock", "fresh", "older", "loose")
NOTATION = Notation(
    words={
        "phase": words_of(Phase),
        "stage": words_of(Stage),
        "active": FACTION,
        "faction": FACTION,
        "placed": CARD,
        "table": CARD,
        "resolving": CARD,
        "bargain": CARD,
        "hero": words_of(Hero),
        "hero_up": words_of(Hero),
    },
    bags={
        **dict.fromkeys(TREASURE_BAGS, always(TREASURE)),
        "hand": by_faction(with_treasures=True, axis=0, by_seat=True),
        "open": by_faction(with_treasures=True, axis=0, by_seat=False),
        "knows": by_faction(with_treasures=True, axis=1, by_seat=False),
        "shown": by_faction(with_treasures=True, axis=0, by_seat=True),
        "deck": by_faction(with_treasures=False, axis=0, by_seat=False),
        "discard": by_faction(with_treasures=False, axis=0, by_seat=False),
        "captured": always(titles(THIEF)),
        "prey": always(titles(THIEF)),
        "searched": always((*TREASURE, *titles(THIEF))),
    },
    rows={
        "open": [FACTION],
        "knows": [(), FACTION],
        "shown": [(), FACTION],
        "deck": [FACTION],
        "discard": [FACTION],
        "hand_size": [FACTION],
        "seen": [FACTION],
        "passed": [FACTION],
    },
    derived=KNOWLEDGE | {"seat_of", "hand_size", "deck", "deck_size", "treasure_deck", "treasure_size"},
    complete=complete,
)
