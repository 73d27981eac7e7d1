"""Imagined states of Trök are as frequent as real ones: small positions, many deals."""

from functools import cache

import numpy as np
import pytest

from tests.scenarios.position import put
from tests.scenarios.trok import (
    ANNA,
    ARMOUR,
    BRUNO,
    CLARA,
    GLOVES,
    HAMMER,
    HELMET,
    LANTERN,
    NO_CARDS,
    PICKAXE,
    RATION,
    STONE,
    bag,
    card,
    decide,
    in_exchange,
    swap_for,
    table,
    take,
)
from tests.unbiased import compare
from tripot.core.game import DEALER
from tripot.core.rng import roll, seed_luck
from tripot.games.trok import GAME
from tripot.games.trok.actions import KEEP
from tripot.games.trok.effects import (
    deal_card,
    forget,
    give,
    part_with,
    receive,
)
from tripot.games.trok.phases import start_combining
from tripot.games.trok.state import Phase
from tripot.testing.hidden import loaded

FAR = 6.0  # standard deviations, out of reach of chance alone


def small_table(seed, deck, discard=()):
    """Returns a table with three empty hands and these few cards; everything else is out of the game."""
    s = loaded(GAME.layout, small_table_bytes(tuple(deck), tuple(discard)))
    seed_luck(s, seed, DEALER)
    return s


@cache
def small_table_bytes(deck, discard):
    s = table(3, hands=[(), (), ()], discard=discard)
    put(s, deck=bag(*deck), deck_size=len(deck), fresh=bag(*deck), phase=Phase.TAKE, turn=2, waiting=1, mover=ANNA)
    return s.pack()


def deal_to(s, *seats):
    for seat in seats:
        deal_card(s, seat)


def any_card(s, seat):
    """Draws a random card from a hand."""
    luck = roll(s, sum(s.hand[seat]))
    return [kind for kind in range(8) for _ in range(s.hand[seat][kind])][luck]


def show(s, seat, count=1):
    """A player shows random cards."""
    for _ in range(count):
        kind = any_card(s, seat)
        s.hand[seat][kind] -= 1
        s.discard[kind] += 1
        part_with(s, seat, kind, 1)


def hands_and_deck(s):
    return (*map(tuple, s.hand), *map(tuple, s.chosen), tuple(s.deck))


def dealt_from_one_deck(seed):
    s = small_table(seed, [RATION, RATION, HAMMER, STONE, STONE])
    deal_to(s, BRUNO, CLARA, BRUNO)
    return s


def dealt_over_a_reshuffle(seed):
    """An old ration and hammer go to Bruno and Clara, then each gets one of the new cards."""
    s = small_table(seed, [RATION, HAMMER], discard=[RATION, HAMMER, STONE])
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA)
    return s


def shown_over_a_reshuffle(seed):
    """As before, and Bruno shows one of two cards: an old one, or a new one?"""
    s = dealt_over_a_reshuffle(seed)
    show(s, BRUNO)
    return s


def shown_twice_over_a_reshuffle(seed):
    """Bruno and Clara hold three each, one or two of them old, and show one each."""
    s = small_table(seed, [RATION, HAMMER, HAMMER], discard=[RATION, RATION, HAMMER, STONE])
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA, BRUNO, CLARA)
    show(s, BRUNO)
    show(s, CLARA)
    return s


def mostly_shown_over_a_reshuffle(seed):
    """Both show two of their three cards: what is old with one must be new with the other."""
    s = small_table(seed, [RATION, HAMMER, HAMMER, STONE], discard=[RATION, RATION, HAMMER, STONE])
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA, BRUNO, CLARA)
    show(s, BRUNO, 2)
    show(s, CLARA, 2)
    return s


def face_down(seed):
    """Bruno has set three of four cards face down, one of which all have seen."""
    s = small_table(seed, [RATION, RATION, RATION, HAMMER, STONE])
    deal_to(s, BRUNO, BRUNO, BRUNO, CLARA)
    receive(s, BRUNO, HAMMER)
    put(s, phase=Phase.COMMIT, waiting=0b101)
    for _ in range(3):
        kind = any_card(s, BRUNO)
        s.hand[BRUNO][kind] -= 1
        s.chosen[BRUNO][kind] += 1
    return s


def given(seed):
    """Bruno, known to hold a hammer beside two dealt cards, gives Clara one of the three."""
    s = small_table(seed, [RATION, RATION, HAMMER, STONE, STONE])
    deal_to(s, BRUNO, CLARA, BRUNO)
    receive(s, BRUNO, HAMMER)
    put(s, master=BRUNO)
    give(s, BRUNO, CLARA, any_card(s, BRUNO))
    put(s, phase=Phase.COMBINE)
    return s


def shown_by_the_giver(seed):
    """Bruno shows one of the two cards left."""
    s = given(seed)
    show(s, BRUNO)
    return s


def shown_by_the_receiver(seed):
    """Clara shows one of her two cards: the one dealt, or the gift?"""
    s = given(seed)
    show(s, CLARA)
    return s


def given_over_a_reshuffle(seed):
    """Bruno and Clara hold an old card and a new one each, Bruno has shown one; he gives Clara another."""
    s = small_table(seed, [RATION, HAMMER, HAMMER], discard=[RATION, RATION, HAMMER, STONE])
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA, BRUNO)
    show(s, BRUNO)
    put(s, master=BRUNO)
    give(s, BRUNO, CLARA, any_card(s, BRUNO))
    put(s, phase=Phase.COMBINE)
    return s


def shown_by_the_receiver_over_a_reshuffle(seed):
    """Then Clara shows one of three: an old one, a new one, or the gift, itself old or new?"""
    s = given_over_a_reshuffle(seed)
    show(s, CLARA)
    return s


def shown_by_the_receiver_before_and_after(seed):
    """Clara has shown a card before the gift, which was certainly dealt to her, and shows one after it."""
    s = small_table(seed, [RATION, HAMMER, HAMMER], discard=[RATION, RATION, HAMMER])
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA)
    show(s, CLARA)
    put(s, master=BRUNO)
    give(s, BRUNO, CLARA, any_card(s, BRUNO))
    put(s, phase=Phase.COMBINE)
    show(s, CLARA)
    return s


POSITIONS = [
    dealt_from_one_deck,
    dealt_over_a_reshuffle,
    shown_over_a_reshuffle,
    shown_twice_over_a_reshuffle,
    mostly_shown_over_a_reshuffle,
    face_down,
    given,
    shown_by_the_receiver,
    given_over_a_reshuffle,
    shown_by_the_receiver_over_a_reshuffle,
    shown_by_the_receiver_before_and_after,
]


@pytest.mark.slow
@pytest.mark.parametrize("seat", [ANNA, BRUNO, CLARA])
@pytest.mark.parametrize("real", POSITIONS)
def test_hands_and_deck_are_imagined_as_they_fall(real, seat):
    assert compare(GAME, seat, real, hands_and_deck, games=7000) < FAR


@pytest.mark.slow
def test_the_comparison_can_fail():
    """Sometimes Bruno gets the hammer on purpose, which Anna's imagination does not expect: the comparison notices."""

    def crooked(seed):
        s = dealt_from_one_deck(seed)
        if seed % 2 and s.hand[CLARA][HAMMER] and s.hand[BRUNO][RATION]:
            for seat, change in ((BRUNO, 1), (CLARA, -1)):
                for row in (s.hand[seat], s.drew[seat]):
                    row[HAMMER] += change
                    row[RATION] -= change
        return s

    assert compare(GAME, ANNA, crooked, hands_and_deck, games=4000) > FAR


# --- What is known for certain ---


def imagined(s, seat, seed):
    return GAME.imagined(GAME.layout.observe(np.frombuffer(s.pack(), GAME.layout.state.dtype), seat), seed)


def imagined_hands(s, viewer, owner):
    return {tuple(imagined(s, viewer, seed).hand[owner]) for seed in range(100)}


def test_a_card_taken_swapped_or_mined_is_known_to_be_in_the_hand():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, STONE], [GLOVES] * 3, market=[HELMET, HELMET, ARMOUR])
    decide(s, take(BRUNO, STONE), KEEP)
    decide(s, take(CLARA, GLOVES), swap_for(ARMOUR))
    assert s.known[:3] == [bag(STONE), bag(ARMOUR), NO_CARDS]
    for viewer in (BRUNO, CLARA):
        assert all(hand[STONE] >= 1 for hand in imagined_hands(s, viewer, ANNA))
    assert len(imagined_hands(s, CLARA, BRUNO)) > 5  # and two that were dealt


def test_a_card_from_a_cart_is_known_until_a_card_of_its_kind_is_shown():
    s = table(3, hands=[(RATION,) * 5, (PICKAXE, PICKAXE, PICKAXE, GLOVES, GLOVES, HAMMER), (LANTERN,) * 5])
    put(s, phase=Phase.COMMIT, turn=2, waiting=0b111)
    assert all(hand[HAMMER] >= 1 for hand in imagined_hands(s, ANNA, BRUNO))
    for seat, cards in enumerate([(RATION,) * 3, (GLOVES, GLOVES, HAMMER), (LANTERN,) * 3]):
        decide(s, *map(card, cards), seat=seat)
    assert s.known[BRUNO] == NO_CARDS and s.surfaced[BRUNO] == bag(GLOVES, GLOVES)
    assert any(hand[HAMMER] == 0 for hand in imagined_hands(s, ANNA, BRUNO))


def test_a_known_card_may_be_among_those_face_down():
    s = face_down(1)
    hands = [imagined(s, ANNA, seed) for seed in range(100)]
    assert {t.chosen[BRUNO][HAMMER] > 0 for t in hands} == {True, False}
    assert all(t.hand[BRUNO][HAMMER] + t.chosen[BRUNO][HAMMER] >= 1 for t in hands)


def test_after_a_gift_the_others_are_sure_of_no_single_card_of_the_giver():
    s = given(3)
    assert s.known[BRUNO] == bag(HAMMER)
    assert {hand[HAMMER] > 0 for hand in imagined_hands(s, ANNA, BRUNO)} == {True, False}


def test_the_two_know_the_gift():
    for seed in range(20):
        s = given(seed)
        gift = s.gift[BRUNO] - 1
        assert all(hand[gift] >= 1 for hand in imagined_hands(s, BRUNO, CLARA))
        assert all(imagined(s, viewer, seed).gift[:3] == [0, 1 + gift, 1 + gift] for viewer in (BRUNO, CLARA))


def test_whoever_shows_cards_after_the_gift_contradicts_nobodys_imagination():
    for seed in range(60):
        for real in (shown_by_the_giver, shown_by_the_receiver):
            s = real(seed)
            for viewer in (ANNA, BRUNO, CLARA):
                t = imagined(s, viewer, seed)
                t.pack()
                assert [sum(row) for row in t.hand] == [sum(row) for row in s.hand]


def test_a_card_of_the_old_deck_is_not_imagined_in_the_new_one():
    """Two decks met in this deal; the stone was in the old one, so someone holds it."""
    s = small_table(1, [STONE, RATION, RATION], discard=[RATION] * 6)
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA, BRUNO, CLARA)
    for seed in range(100):
        t = imagined(s, ANNA, seed)
        assert t.deck[STONE] == 0 and t.hand[BRUNO][STONE] + t.hand[CLARA][STONE] == 1


def test_K_2_4_cards_of_both_old_decks_are_in_hands_where_two_run_out_in_one_turn():
    s = small_table(1, [STONE], discard=[HAMMER])
    deal_to(s, BRUNO, CLARA)  # the stone, and after a reshuffle the hammer
    put(s, discard=bag(RATION, RATION))
    deal_to(s, BRUNO)  # a ration, after another
    assert s.older == bag(STONE, HAMMER) and s.fresh == bag(RATION, RATION)
    for viewer in (ANNA, BRUNO, CLARA):
        for seed in range(30):
            t = imagined(s, viewer, seed)
            assert t.deck == bag(RATION) and sum(t.hand[BRUNO]) == 2 and sum(t.hand[CLARA]) == 1
            assert t.hand[BRUNO][STONE] + t.hand[CLARA][STONE] == 1
            assert t.hand[BRUNO][HAMMER] + t.hand[CLARA][HAMMER] == 1


def test_K_7_3_once_combinations_begin_players_still_know_which_deck_a_card_came_from():
    s = small_table(1, [STONE, RATION, RATION], discard=[RATION] * 6)
    deal_to(s, BRUNO, CLARA, BRUNO, CLARA, BRUNO, CLARA)
    start_combining(s)
    assert s.older == bag(STONE, RATION, RATION) and s.drawn_before[:3] == [0, 2, 1] and s.drawn[:3] == [0, 1, 2]
    for seed in range(100):
        t = imagined(s, ANNA, seed)
        assert t.deck[STONE] == 0 and t.hand[BRUNO][STONE] + t.hand[CLARA][STONE] == 1


def test_K_7_3_a_card_shown_since_the_gift_is_counted_apart():
    s = shown_by_the_receiver_before_and_after(2)
    assert sum(s.surfaced[CLARA]) == 2 and sum(s.since_gift) == 1
    forget(s)
    assert s.since_gift == NO_CARDS == s.surfaced[CLARA]
