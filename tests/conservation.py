"""Cards are conserved: for each game, the totals over all zones that hold in every state.

A function takes a state and yields (what, count, expected count). The generic test requires one for every game.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tests import pennies
from tripot.games.trieste import cards as trieste_cards
from tripot.games.trieste.state import Phase as TriestePhase
from tripot.games.trok.cards import GEAR_COPIES, GEARS, MARKET_CARDS, SITES, UPGRADES
from tripot.games.verrater.cards import LAND_KINDS, OWN_BUILDINGS, ROLES, SUPPLY_COPIES, Building
from tripot.games.verrater.state import Phase

Counts = Iterator[tuple[str, list[int], list[int]]]


def added(*bags: list[int]) -> list[int]:
    """Adds bags kind by kind."""
    return [sum(counts) for counts in zip(*bags, strict=True)]


def verrater(s: Any) -> Counts:
    yield "supply cards by kind", added(*s.hand, *s.played, s.pile, s.discard), list(SUPPLY_COPIES)
    yield "hand sizes", s.hand_size, [sum(hand) for hand in s.hand]
    yield "pile size", [s.pile_size], [sum(s.pile)]
    yield "lands by kind", [s.land.count(kind) for kind in range(LAND_KINDS + 1)], [0] + [2] * LAND_KINDS
    on_table = [
        sum(1 for slot, building in enumerate(s.building) if building != Building.NONE and s.owner[slot] == seat)
        for seat in range(s.seats)
    ]
    yield "buildings", added(s.unbuilt[: s.seats], on_table), [OWN_BUILDINGS] * s.seats
    if s.phase not in (Phase.ESTATE, Phase.CONFLICT):
        yield "roles", sorted(verrater_roles(s)), list(range(1, ROLES + 1))


def verrater_roles(s: Any) -> Iterator[int]:
    """All roles, wherever they lie between the draft and the end of the round."""
    yield s.set_aside
    in_hand = s.handed[s.waiting.bit_length() - 1] if s.phase == Phase.DRAFT else s.middle
    yield from (role for role in range(1, ROLES + 1) if in_hand >> role & 1)
    yield from (role for role in s.role_kept if role)


def trieste(s: Any) -> Counts:
    first, treasure = trieste_cards.TREASURES, trieste_cards.TREASURE_CARD
    lying = [*s.table, *s.placed, *s.bargain]
    for faction, titles in enumerate(trieste_cards.OWN_TITLES):
        cards = [trieste_cards.card_at(faction, first + title) for title in range(titles)]
        zones = [s.deck[faction][:titles], s.discard[faction][:titles], s.hand[s.seat_of[faction]][first:][:titles]]
        zones.append([lying.count(card) for card in cards])
        if faction == trieste_cards.THIEF:
            zones.append(s.captured[:titles])
        under = s.under[: s.under_size] if faction == trieste_cards.MERCHANT else []
        zones.append([under.count(first + title) for title in range(titles)])
        yield f"titles of faction {faction}", added(*zones), [s.copies[card] for card in cards]
        yield f"deck size of faction {faction}", [s.deck_size[faction]], [sum(s.deck[faction]) + len(under)]
        hand = s.hand[s.seat_of[faction]]
        yield f"hand sizes of faction {faction}", s.hand_size[faction], [sum(hand[:first]), sum(hand[first:])]
    on_table = [lying.count(treasure + kind) for kind in range(first)]
    hands = [hand[:first] for hand in s.hand]
    put_aside = [6 if s.phase == TriestePhase.HERO else 0, 0, 0, 0]
    zones = [*hands, *s.aside, s.treasure_deck, s.treasure_discard, on_table, put_aside]
    yield "treasures by kind", added(*zones), list(trieste_cards.TREASURE_COPIES)
    yield "treasure deck size", [s.treasure_size], [sum(s.treasure_deck)]
    yield "treasures aside", [s.aside_size], [sum(map(sum, s.aside))]


def trok(s: Any) -> Counts:
    taken = [int(s.taken == 1 + kind) for kind in range(GEARS)]
    zones = added(*s.hand, *s.chosen, *s.offer, *s.stored, s.market, s.deck, s.discard, taken)
    yield "equipment by kind", zones, list(GEAR_COPIES)
    yield "hand sizes", s.hand_size, [sum(row) for row in map(added, s.hand, s.chosen)]
    yield "deck and market sizes", [s.deck_size, MARKET_CARDS], [sum(s.deck), sum(s.market)]
    queued = [s.queue.count(upgrade) if upgrade else 0 for upgrade in range(UPGRADES + 1)]
    improvements = added(*s.owned, s.to_come, queued)
    yield "dwarfs", improvements[SITES + 1 :], [1] * (UPGRADES - SITES)
    yield "the queue", [int(upgrade > 0) for upgrade in s.queue], [int(i < s.queue_size) for i in range(len(s.queue))]
    yield "unseen cards", s.fresh, added(s.deck, *s.drew)
    yield "unseen cards of older decks", s.older, added(*s.drew_before)


def toy(s: Any) -> Counts:
    yield "pennies by kind", added(*s.purse, *s.laid, s.spent, s.bag), [pennies.COPIES] * pennies.KINDS


def leduc(s: Any) -> Counts:
    dealt = [card for card in (*s.card, s.open_card) if card]
    yield "cards dealt once", [len(set(dealt))], [2 + (s.open_card > 0)]


CONSERVED: dict[str, Callable[[Any], Counts]] = {
    "verrater": verrater,
    "trok": trok,
    "trieste": trieste,
    "pennies": toy,
    "leduc": leduc,
}
