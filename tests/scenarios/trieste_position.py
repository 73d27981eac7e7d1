"""Positions of Trieste set by hand: seats 0, 1, 2 are Watch, Merchant and Thief, and no card is missing.

A hand or a pile is a list of titles and treasures: `["Muster", COPPER, COPPER]`. Cards that are not named lie in
their decks. Nobody knows anything about the other hands.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.scenarios.position import position
from tripot.core.game import waiting_seats
from tripot.games.trieste import GAME
from tripot.games.trieste.actions import CARD
from tripot.games.trieste.cards import (
    CARDS,
    COPPER,
    FACTIONS,
    KINDS,
    MERCHANT,
    NAMED,
    OWN_TITLES,
    THIEF,
    TREASURE_CARD,
    TREASURES,
    WATCH,
    Card,
    Hero,
    card_at,
    kind_of,
)
from tripot.games.trieste.notation import complete, forget
from tripot.games.trieste.phases import apply, settle_step
from tripot.games.trieste.state import COLUMNS, HOUSE_DECK, Factions, Stage, Then

W, M, T = WATCH, MERCHANT, THIEF
FOUR_TURNS = 4  # positions are in the middle of a game
Pile = list[Any]  # titles and kinds of treasure


def kind(card: Any) -> int:
    """Returns the kind of a card in a hand, from its title or treasure."""
    return card if isinstance(card, int) else kind_of(CARDS[NAMED[card]].faction, NAMED[card])


def number(card: Any) -> int:
    """Returns the number of a card: the row of a title or of a treasure."""
    return TREASURE_CARD + card if isinstance(card, int) else NAMED[card]


def bag(cards: Pile, size: int = KINDS, first: int = 0) -> list[int]:
    kinds = [kind(card) - first for card in cards]
    return [kinds.count(k) for k in range(size)]


def table(
    watch: Pile = (),
    merchant: Pile = (),
    thief: Pile = (),
    *,
    discards: Pile = (),
    captured: Pile = (),
    treasure_deck: Pile | None = None,
    treasure_discard: Pile = (),
    heroes: tuple[int, ...] = (),
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """Returns a table in turn 4 with these hands and piles. The named `heroes` are revealed, the others hidden.
    With a `treasure_deck` all other treasure leaves the game, so that draws are certain."""
    given = {"factions": Factions.WATCH_MERCHANT_THIEF, "heroes": int(bool(heroes)), **(options or {})}
    s = position(GAME, 3, given)
    s.turn, s.stage, s.phase, s.waiting = FOUR_TURNS, Stage.DRAW, Then.STEP, 0
    for faction, hand in enumerate((watch, merchant, thief)):
        s.hand[faction][:] = bag(hand)
        own = [card for card in discards if not isinstance(card, int) and CARDS[NAMED[card]].faction == faction]
        s.discard[faction][: OWN_TITLES[faction]] = bag(own, OWN_TITLES[faction], TREASURES)
    s.captured[: OWN_TITLES[THIEF]] = bag(captured, OWN_TITLES[THIEF], TREASURES)
    s.treasure_discard[:] = bag(treasure_discard, TREASURES)
    for hero in heroes:
        s.hero_up[(hero - 1) // 3] = hero
    for faction in range(FACTIONS) if heroes else ():
        s.hero[faction] = s.hero_up[faction] or 1 + 3 * faction
        s.hero_hidden[faction] = int(s.hero_up[faction] == Hero.NONE)
    fill_decks(s, treasure_deck)
    for name, value in fields.items():
        if isinstance(value, list | tuple):
            getattr(s, name)[: len(value)] = list(value)
        else:
            setattr(s, name, value)
    return s


def deck_with(title: str, **numbers: int) -> dict[str, Any]:
    """Returns options with these numbers for one title and the house deck otherwise; its faction keeps 33 cards."""
    deck = [dict(zip(COLUMNS, row, strict=True)) for row in HOUSE_DECK]
    row = deck[NAMED[title] - 1]
    others = [deck[NAMED[card.title] - 1] for card in of_faction(CARDS[NAMED[title]].faction) if card.title != title]
    most = max(others, key=lambda other: other["copies"])
    most["copies"] -= numbers.get("copies", row["copies"]) - row["copies"]
    row |= numbers
    return {"deck": tuple(tuple(row.values()) for row in deck)}


def of_faction(faction: int) -> list[Card]:
    return [card for card in CARDS[1:] if card.faction == faction]


def fill_decks(s: Any, treasure_deck: Pile | None = None) -> None:
    """Puts all other cards into the decks, sets the sizes and clears what seats know."""
    complete(s, frozenset({"hand", "treasure_deck"}) if treasure_deck is not None else frozenset({"hand"}))
    if treasure_deck is not None:
        s.treasure_deck[:] = bag(treasure_deck, TREASURES)
        s.treasure_size = sum(s.treasure_deck)
        forget(s)


def on_table(s: Any, watch: Any = None, merchant: Any = None, thief: Any = None, negated: Pile = ()) -> Any:
    """Takes cards from the decks and lays them face up and paid, as the Effect Phase begins."""
    for faction, card in enumerate((watch, merchant, thief)):
        if card is not None:
            s.table[faction] = number(card)
            if isinstance(card, int):
                s.treasure_deck[card] -= 1
                s.treasure_size -= 1
                for seat in range(3):
                    s.fresh[seat][card] -= 1
            else:
                s.deck[faction][kind(card) - TREASURES] -= 1
                s.deck_size[faction] -= 1
    for faction in negated:
        s.negated[faction] = 1
    s.stage, s.active, s.phase, s.waiting = Stage.EFFECT, WATCH, Then.STEP, 0
    return s


def effects(s: Any, watch: Any = None, merchant: Any = None, thief: Any = None, **more: Any) -> Any:
    """Runs the Effect Phase up to the first question."""
    on_table(s, watch, merchant, thief, **more)
    return go(s)


def go(s: Any, until: int = Stage.END) -> Any:
    """Runs the rules up to a question or to this phase of the turn."""
    while not s.waiting and not s.over and s.stage < until:
        settle_step(s)
    return s


def at(s: Any, stage: int, active: int = WATCH) -> Any:
    """Begins a player's step and runs it to the first question."""
    s.stage, s.active, s.phase, s.waiting = stage, active, Then.STEP, 0
    while not s.waiting and not s.over:
        settle_step(s)
    return s


def legal(s: Any, seat: int) -> list[int]:
    return GAME.legal_actions(s, seat)


def cards_offered(s: Any, seat: int) -> list[int]:
    """Returns the kinds of card that a seat may choose."""
    return [action - CARD for action in legal(s, seat) if action >= CARD]


def choose(s: Any, seat: int, *answers: Any) -> Any:
    """Lets a seat answer one or more questions with a title, a kind of treasure, or any action as `Act(number)`."""
    for answer in answers:
        action = answer.action if isinstance(answer, Act) else CARD + kind(answer)
        assert waiting_seats(s) == [seat], f"seat {seat} is not the one waited for: {waiting_seats(s)}"
        assert action in legal(s, seat), f"{answer} is not legal: {legal(s, seat)}"
        apply(s, seat, action)
    return s


class Act:
    """An action by its number, if it is not a card."""

    def __init__(self, action: int) -> None:
        self.action = action

    def __repr__(self) -> str:
        return f"decision {self.action}"


def hand(s: Any, faction: int) -> Pile:
    """Returns a hand as a list, treasures first."""
    return named(faction, s.hand[faction])


def named(faction: int, counts: list[int]) -> Pile:
    found: Pile = []
    for k, count in enumerate(counts):
        if count:
            found += [k if k < TREASURES else CARDS[card_at(faction, k)].title] * count
    return found


def seen_by(s: Any, seat: int) -> NDArray[np.void]:
    """The view of a seat."""
    return GAME.layout.observe(np.frombuffer(s.pack(), GAME.layout.state.dtype), seat)


def treasures(s: Any, faction: int) -> list[int]:
    return [card for card in hand(s, faction) if isinstance(card, int)]


def discard(s: Any, faction: int) -> list[str]:
    return [card for card in named(faction, [0] * TREASURES + s.discard[faction]) if isinstance(card, str)]


def captured(s: Any) -> list[str]:
    return [card for card in named(THIEF, [0] * TREASURES + s.captured) if isinstance(card, str)]


def coppers(count: int) -> Pile:
    return [COPPER] * count
