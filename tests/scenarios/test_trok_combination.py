"""Trök, K-4: sets, collections, jokers, improvements and the perfect combination."""

import itertools

import pytest

from tests.scenarios.position import told
from tests.scenarios.trok import (
    ANNA,
    ARMOUR,
    BRUNO,
    CLARA,
    GLOVES,
    HAMMER,
    HELMET,
    LANTERN,
    PICKAXE,
    RATION,
    STONE,
    bag,
    card,
    collect,
    combining,
    decide,
    improve,
    legal,
    set_of,
)
from tripot.core.game import WHOLE_WIN
from tripot.games.trok import GAME
from tripot.games.trok.actions import DONE, PERFECT, News
from tripot.games.trok.cards import UPGRADES, Upgrade
from tripot.games.trok.effects import (
    bag_code,
    set_value,
)
from tripot.games.trok.state import Phase, Run

MINE, VEIN, CART, SKAA, IDUNN = Upgrade.MINE, Upgrade.VEIN, Upgrade.CART, Upgrade.SKAA, Upgrade.IDUNN
RATIONS = (RATION, RATION, RATION)
ONE_OF_EACH = (PICKAXE, RATION, GLOVES, LANTERN, ARMOUR, HELMET, HAMMER)


def shown(s):
    """Returns the discard pile: the cards used."""
    return s.discard


def outcomes(s):
    """Returns all outcomes of the next combination: (discards, Aare, jokers used, queue), once for each path."""
    seat, found = s.mover, []

    def follow(state, begun):
        if state.phase != Phase.COMBINE or state.mover != seat or (begun and state.plan[seat] == 0):
            found.append((tuple(state.discard), state.aare[seat], state.veins_used, state.perfect))
            return
        for action in legal(state):
            if action != DONE or state.plan[seat]:
                after = state.copy()
                GAME.apply(after, seat, action)
                follow(after, True)

    follow(s, False)
    return found


# --- K-4.1 Who combines, and how much ----------------------------------------


def test_K_4_1_from_the_trade_master_clockwise():
    hand = (HAMMER, RATION, RATION)
    s = combining(*hand, others=[hand, hand], seat=BRUNO)
    order = []
    while s.phase == Phase.COMBINE:
        order.append(s.mover)
        decide(s, DONE)
    assert order == [BRUNO, CLARA, ANNA]


def test_K_4_1_at_most_one_set_and_one_collection_in_either_order():
    cards = (HAMMER, HAMMER, HAMMER, PICKAXE, RATION, GLOVES)
    s = combining(*cards)
    assert legal(s) == [DONE, set_of(HAMMER), collect(3), collect(4)]
    first_set, first_collection = s.copy(), s
    decide(first_set, set_of(HAMMER))
    assert legal(first_set) == [DONE, collect(3)]
    decide(first_set, collect(3), improve(1))
    decide(first_collection, collect(3), card(PICKAXE), card(RATION), card(GLOVES), improve(1))
    assert legal(first_collection) == [DONE, set_of(HAMMER)]
    decide(first_collection, set_of(HAMMER))
    assert first_set.aare == first_collection.aare and first_set.discard == first_collection.discard
    assert first_set.made == first_collection.made == 0 and first_set.mover != ANNA  # the next player's turn


def test_K_4_1_no_card_serves_in_both():
    s = combining(HAMMER, HAMMER, HAMMER, RATION, GLOVES)
    decide(s, set_of(HAMMER))
    assert (s.hand[ANNA] == bag(RATION, GLOVES) and s.mover == BRUNO) or s.phase != Phase.COMBINE


def test_K_4_1_whether_a_hand_allows_anything_is_a_secret():
    s = combining(HAMMER, HAMMER, RATION, RATION)
    assert s.phase == Phase.COMBINE and legal(s) == [DONE]


def test_K_4_1_who_holds_less_than_three_cards_is_not_asked():
    s = combining(HAMMER, HAMMER, others=[RATIONS])
    assert s.mover == BRUNO and legal(s) == [DONE, set_of(RATION)]


def test_K_4_1_what_is_being_put_together_does_not_show_before_it_is_complete():
    s = combining(HAMMER, HAMMER, HAMMER, HAMMER, STONE, others=[RATIONS])
    before = GAME.layout.observe_plain(s, BRUNO).pack()
    s.news.clear()
    decide(s, set_of(HAMMER))
    assert GAME.layout.observe_plain(s, BRUNO).pack() == before and not s.news
    decide(s, card(STONE))
    assert GAME.layout.observe_plain(s, BRUNO).pack() != before and s.news


# --- K-4.2 K-4.3 Sets --------------------------------------------------------


@pytest.mark.parametrize("kind", ONE_OF_EACH)
def test_K_4_2_three_identical_cards_pay_their_value(kind):
    s = combining(kind, kind, kind)
    decide(s, set_of(kind))
    assert s.aare[ANNA] == 1 + kind
    assert shown(s) == bag(kind, kind, kind)


@pytest.mark.parametrize(("size", "aare"), [(3, 2), (4, 5), (5, 8), (6, 11), (7, 14)])
def test_K_4_2_every_card_beyond_the_third_pays_3(size, aare):
    s = combining(*[RATION] * 7)
    decide(s, set_of(RATION), *[card(RATION)] * (size - 3), *[DONE] * (size < 7))
    assert s.aare[ANNA] == aare
    assert shown(s) == bag(*[RATION] * size) and s.hand[ANNA][RATION] == 7 - size


def test_K_4_2_two_cards_are_no_set():
    assert legal(combining(HAMMER, HAMMER, RATION)) == [DONE]


def value(kind, size, *dwarfs):
    return set_value(kind, size, [int(upgrade in dwarfs) for upgrade in range(UPGRADES + 1)])


def test_K_4_3_aegur_pays_5_for_cards_beyond_the_third():
    assert value(GLOVES, 5) == 3 + 2 * 3
    assert value(GLOVES, 5, Upgrade.AEGUR) == 3 + 2 * 5


def test_K_4_3_dagda_pays_7_for_three_green_cards():
    assert [value(kind, 3, Upgrade.DAGDA) for kind in ONE_OF_EACH] == [1, 7, 7, 7, 5, 6, 7]


def test_K_4_3_kraal_pays_10_for_three_red_cards():
    assert [value(kind, 3, Upgrade.KRAAL) for kind in ONE_OF_EACH] == [1, 2, 3, 4, 10, 10, 10]


def test_K_4_3_with_either_further_cards_pay_3_or_5_with_aegur_too():
    assert value(RATION, 5, Upgrade.DAGDA) == 7 + 2 * 3
    assert value(HAMMER, 5, Upgrade.KRAAL) == 10 + 2 * 3
    assert value(RATION, 5, Upgrade.DAGDA, Upgrade.AEGUR) == 7 + 2 * 5
    assert value(HAMMER, 5, Upgrade.KRAAL, Upgrade.AEGUR) == 10 + 2 * 5


# --- K-4.4 K-4.5 Collections -------------------------------------------------


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_K_4_4_with_x_cards_one_improvement_among_the_first_x(size):
    s = combining(*ONE_OF_EACH[:size], queue=[MINE, VEIN, CART, MINE, VEIN, CART, MINE])
    decide(s, collect(size))
    assert legal(s) == [
        improve(place) for place in range(size)
    ]  # taking one is compulsory; equal ones are different choices
    assert shown(s) == bag(*ONE_OF_EACH[:size])


def test_K_4_4_which_cards_is_the_players_choice():
    s = combining(PICKAXE, RATION, GLOVES, HAMMER)
    decide(s, collect(3), card(RATION))
    assert s.phase == Phase.IMPROVE and shown(s) == bag(RATION, GLOVES, HAMMER)
    cards = {discards for discards, *_ in outcomes(combining(PICKAXE, RATION, GLOVES, HAMMER))}
    threes = {tuple(bag(*three)) for three in itertools.combinations((PICKAXE, RATION, GLOVES, HAMMER), 3)}
    assert cards == threes | {tuple(bag(PICKAXE, RATION, GLOVES, HAMMER))}


def test_K_4_4_never_more_than_seven_cards():
    s = combining(*ONE_OF_EACH, STONE, STONE)
    assert collect(7) in legal(s) and len([a for a in legal(s) if collect(3) <= a <= collect(7)]) == 5


def test_K_4_4_a_shorter_queue_leaves_the_choice_among_all_that_is_left():
    s = combining(*ONE_OF_EACH[:5], queue=[MINE, VEIN])
    decide(s, collect(5))
    assert legal(s) == [improve(0), improve(1)]


def test_K_4_4_the_last_improvement_is_taken_without_a_choice():
    s = combining(*ONE_OF_EACH[:5], queue=[VEIN])
    decide(s, collect(5))
    assert s.owned[ANNA][VEIN] == 1 and s.queue_size == 0


def test_K_4_4_with_an_empty_queue_no_collection_may_be_made():
    assert legal(combining(*ONE_OF_EACH, queue=[])) == [DONE]


def test_K_4_5_skaa_reaches_the_whole_queue_with_three_cards_or_more():
    for size in (3, 4):
        s = combining(*ONE_OF_EACH[:4], owned=[SKAA])
        decide(s, collect(size), *([card(RATION)] if size == 3 else []))
        assert legal(s) == [improve(place) for place in range(7)]


FIVE = (RATION, GLOVES, LANTERN, ARMOUR, HELMET)  # 2 3 4 5 6


def test_K_4_5_with_idunn_a_run_of_five_takes_two_of_the_first_five():
    s = combining(*FIVE, owned=[IDUNN], queue=[MINE, VEIN, CART, MINE, VEIN, CART, Upgrade.GRID])
    decide(s, collect(5))
    assert legal(s) == [improve(place) for place in range(5)]
    decide(s, improve(2))
    assert s.phase == Phase.SECOND and legal(s) == [improve(place) for place in range(4)]  # what remains of those five
    decide(s, improve(3))
    assert s.owned[ANNA][CART] == 1 and s.owned[ANNA][VEIN] == 1
    assert s.queue[:5] == [MINE, VEIN, MINE, CART, Upgrade.GRID] and s.queue_size == 5


def test_K_4_5_five_cards_that_are_no_run_or_another_size_take_one():
    broken = (PICKAXE, GLOVES, LANTERN, ARMOUR, HELMET)
    six = (PICKAXE, *FIVE)
    for cards in (broken, six, FIVE[:4]):
        s = combining(*cards, owned=[IDUNN])
        decide(s, collect(len(cards)), improve(0))
        assert s.phase != Phase.SECOND


def test_K_4_5_without_idunn_a_run_takes_one():
    s = combining(*FIVE)
    decide(s, collect(5), improve(0))
    assert s.phase != Phase.SECOND


def test_K_4_5_jokers_may_fill_a_run():
    s = combining(RATION, GLOVES, ARMOUR, HELMET, STONE, owned=[IDUNN])
    decide(s, collect(5), improve(0))
    assert s.phase == Phase.SECOND and s.run == Run.JOKERS


def test_K_4_5_idunn_with_a_queue_of_4():
    s = combining(*FIVE, owned=[IDUNN], queue=[MINE, VEIN, CART, MINE])
    decide(s, collect(5))
    assert legal(s) == [improve(place) for place in range(4)]
    decide(s, improve(0))
    assert legal(s) == [improve(place) for place in range(3)]


def test_K_4_5_idunn_with_a_queue_of_1_takes_one():
    s = combining(*FIVE, owned=[IDUNN], queue=[CART])
    decide(s, collect(5))
    assert s.owned[ANNA][CART] == 1 and s.phase != Phase.SECOND


def test_K_4_5_idunn_with_a_queue_of_2_leaves_no_choice_for_the_second():
    s = combining(*FIVE, owned=[IDUNN], queue=[CART, MINE])
    decide(s, collect(5), improve(1))
    assert s.owned[ANNA][CART] == 1 and s.owned[ANNA][MINE] == 1 and s.queue_size == 0


def test_K_4_5_with_skaa_too_a_first_from_beyond_the_fifth_place_leaves_no_second():
    s = combining(*FIVE, owned=[IDUNN, SKAA])
    decide(s, collect(5), improve(5))
    assert s.phase != Phase.SECOND
    s = combining(*FIVE, owned=[IDUNN, SKAA])
    decide(s, collect(5), improve(4))
    assert legal(s) == [improve(place) for place in range(4)]  # the second never from beyond


# --- K-4.6 Jokers ------------------------------------------------------------


def test_K_4_6_a_stone_stands_for_any_equipment():
    s = combining(HAMMER, HAMMER, STONE)
    decide(s, set_of(HAMMER))
    assert s.aare[ANNA] == 7 and shown(s) == bag(HAMMER, HAMMER, STONE)


def test_K_4_6_a_joker_counts_as_what_it_stands_for():
    """One hammer and two stones are hammers for Kraal."""
    s = combining(HAMMER, STONE, STONE, owned=[Upgrade.KRAAL])
    decide(s, set_of(HAMMER))
    assert s.aare[ANNA] == 10


def test_K_4_6_which_cards_and_which_jokers_is_the_players_choice():
    """Three hammers, a stone and a pickaxe by vein: every group of three or more is offered once."""
    s = combining(HAMMER, HAMMER, HAMMER, STONE, PICKAXE, owned=[VEIN], queue=[])
    groups = [discards for discards, *_ in outcomes(s)]
    wanted = {
        tuple(bag(*group))
        for size in (3, 4, 5)
        for group in itertools.combinations((HAMMER, HAMMER, HAMMER, STONE, PICKAXE), size)
    }
    assert sorted(groups) == sorted(wanted)


def test_K_4_6_each_vein_makes_one_pickaxe_a_turn_a_stone():
    assert set_of(HAMMER) not in legal(combining(HAMMER, PICKAXE, PICKAXE, owned=[VEIN]))
    s = combining(HAMMER, PICKAXE, PICKAXE, owned=[VEIN, VEIN])
    decide(s, set_of(HAMMER))
    assert (s.aare[ANNA] == 7 and s.veins_used == 0 and s.mover == BRUNO) or s.phase != Phase.COMBINE


def test_K_4_6_over_both_combinations_together():
    cards = (HAMMER, HAMMER, PICKAXE, PICKAXE, PICKAXE, RATION, GLOVES)
    s = combining(*cards, owned=[VEIN])
    decide(s, set_of(HAMMER))
    assert s.veins_used == 1
    assert legal(s) == [DONE, collect(3)]  # pickaxe, ration, gloves; the other pickaxe stays one
    s = combining(*cards, owned=[VEIN])
    decide(s, collect(4), card(PICKAXE), card(RATION), card(GLOVES))  # two pickaxes, of which one is a joker
    assert s.veins_used == 1
    decide(s, improve(0))
    assert legal(s) == [DONE]  # two hammers and no joker left


def test_K_4_6_one_pickaxe_of_a_collection_is_itself():
    s = combining(PICKAXE, PICKAXE, PICKAXE, RATION, owned=[VEIN, VEIN])
    decide(s, collect(4))
    assert s.phase == Phase.IMPROVE and s.veins_used == 2


def test_K_4_6_a_set_of_pickaxes_needs_no_vein():
    s = combining(PICKAXE, PICKAXE, PICKAXE, owned=[VEIN])
    decide(s, set_of(PICKAXE))
    assert s.aare[ANNA] == 1 and shown(s) == bag(PICKAXE, PICKAXE, PICKAXE)


def test_K_4_6_a_combination_may_be_all_jokers():
    s = combining(STONE, STONE, PICKAXE, owned=[VEIN])
    assert legal(s) == [DONE, *[set_of(kind) for kind in ONE_OF_EACH], collect(3)]
    decide(s, set_of(HAMMER))
    assert s.aare[ANNA] == 7 and shown(s) == bag(STONE, STONE, PICKAXE)


def test_K_4_6_a_set_is_never_of_stones():
    assert legal(combining(STONE, STONE, RATION)) == [DONE, set_of(RATION), collect(3)]


def test_K_4_6_jokers_alone_that_pay_the_same_are_one_choice():
    """With Dagda lanterns, gloves and rations pay alike, and as much as hammers without Kraal."""
    s = combining(STONE, STONE, PICKAXE, owned=[VEIN, Upgrade.DAGDA])
    assert legal(s)[:-1] == [DONE, set_of(PICKAXE), set_of(ARMOUR), set_of(HELMET), set_of(HAMMER)]


@pytest.mark.parametrize("dwarfs", [(), (Upgrade.DAGDA,), (Upgrade.KRAAL,), (Upgrade.DAGDA, Upgrade.KRAAL)])
def test_K_4_6_no_two_ways_of_choosing_mean_the_same(dwarfs):
    cards = (STONE, STONE, PICKAXE, PICKAXE, PICKAXE, RATION, LANTERN, HELMET, HELMET)
    found = outcomes(combining(*cards, owned=[VEIN, VEIN, *dwarfs]))
    assert len(found) > 100 and len(set(found)) == len(found)


# --- K-4.7 K-4.8 The improvement ---------------------------------------------


def test_K_4_7_the_queue_closes_up_to_the_left_and_is_not_refilled_yet():
    s = combining(PICKAXE, RATION, GLOVES, queue=[MINE, VEIN, CART, SKAA, IDUNN])
    decide(s, collect(3), improve(1))
    assert s.owned[ANNA][VEIN] == 1
    assert s.queue == [MINE, CART, SKAA, IDUNN, 0, 0, 0] and s.queue_size == 4


def test_K_4_7_a_vein_taken_now_helps_a_set_made_next():
    cards = (HAMMER, HAMMER, PICKAXE, PICKAXE, RATION, GLOVES)
    s = combining(*cards, queue=[MINE, VEIN, CART])
    assert set_of(HAMMER) not in legal(s)
    decide(s, collect(3), card(PICKAXE), card(RATION), card(GLOVES), improve(1))
    assert legal(s) == [DONE, set_of(HAMMER)]
    decide(s, set_of(HAMMER))
    assert s.aare[ANNA] == 7 and shown(s) == bag(*cards)


def test_K_4_7_it_changes_nothing_for_the_collection_that_took_it():
    s = combining(*FIVE, queue=[IDUNN, MINE, MINE])
    decide(s, collect(5), improve(0))
    assert s.owned[ANNA][IDUNN] == 1 and s.phase != Phase.SECOND
    s = combining(PICKAXE, PICKAXE, GLOVES, LANTERN, ARMOUR, HELMET, owned=[IDUNN], queue=[VEIN, MINE, MINE])
    decide(s, collect(5), improve(0))  # 1 3 4 5 6: no run, and the new vein makes it none
    assert s.phase == Phase.COMBINE


def test_K_4_7_a_cart_taken_now_stores_this_turn():
    s = combining(PICKAXE, RATION, GLOVES, HAMMER, HAMMER, queue=[CART, MINE, MINE], others=[()])
    decide(s, collect(3), card(PICKAXE), card(RATION), card(GLOVES), improve(0))
    assert s.phase == Phase.STORE and legal(s) == [DONE, card(HAMMER)]
    decide(s, card(HAMMER))
    assert told(s, News.STORED) == [(ANNA, bag_code(bag(HAMMER)), 0, 0)]


def test_K_4_7_income_counts_this_turn_and_a_mine_deals_from_the_next():
    s = combining(PICKAXE, RATION, GLOVES, queue=[Upgrade.GRID, MINE, MINE], others=[()])
    decide(s, collect(3), improve(0))
    assert s.turn == 3 and s.aare[ANNA] == 1
    s = combining(PICKAXE, RATION, GLOVES, queue=[MINE, VEIN, VEIN], others=[()])
    decide(s, collect(3), improve(0))
    assert s.turn == 3 and s.hand_size[:2] == [6, 5]


def test_K_4_8_cards_used_are_discarded_face_up():
    s = combining(HAMMER, HAMMER, HAMMER, PICKAXE, RATION, GLOVES, others=[RATIONS])
    decide(s, set_of(HAMMER), collect(3))
    assert s.discard == bag(HAMMER, HAMMER, HAMMER, PICKAXE, RATION, GLOVES)
    assert GAME.layout.observe_plain(s, BRUNO).discard == s.discard


# --- K-4.9 The perfect combination -------------------------------------------


def test_the_sheets_example_of_a_perfect_combination():
    """The armour is the first stone; the gloves are a pickaxe by vein."""
    cards = (PICKAXE, RATION, PICKAXE, LANTERN, STONE, HELMET, HAMMER, STONE)
    assert PERFECT not in legal(combining(*cards))
    s = combining(*cards, owned=[VEIN], others=[RATIONS])
    decide(s, PERFECT)
    assert s.perfect == 1 << ANNA and shown(s) == bag(*cards)
    assert told(s, News.PERFECT_SHOWN) == [(ANNA, bag_code(bag(*cards)), 0, 0)]


def test_K_4_9_eight_cards_stand_for_one_of_each_equipment_and_a_stone():
    s = combining(*ONE_OF_EACH, STONE, others=[()])
    assert PERFECT in legal(s)
    decide(s, PERFECT)
    assert s.over and s.result[:2] == [WHOLE_WIN, 0]


@pytest.mark.parametrize(
    ("cards", "veins", "perfect"),
    [
        (ONE_OF_EACH, 0, False),  # no stone
        ((*ONE_OF_EACH, PICKAXE), 1, True),  # a pickaxe for the stone
        ((*ONE_OF_EACH, RATION, RATION), 5, False),
        ((*ONE_OF_EACH[1:], STONE, STONE), 0, True),  # a stone for the pickaxe
        ((*ONE_OF_EACH[2:], STONE, STONE), 0, False),
        ((*ONE_OF_EACH[2:], STONE, STONE, PICKAXE), 0, True),  # a stone for the ration
        ((PICKAXE,) * 8, 5, False),
        ((*[PICKAXE] * 6, RATION, GLOVES), 5, True),
        ((*[PICKAXE] * 6, RATION, GLOVES), 4, False),
    ],
)
def test_K_4_9_jokers_may_stand_for_any_of_the_eight(cards, veins, perfect):
    assert (PERFECT in legal(combining(*cards, owned=[VEIN] * veins))) == perfect


def test_K_4_9_it_is_shown_instead_of_any_set_or_collection():
    cards = (*ONE_OF_EACH, STONE, HAMMER, HAMMER, HAMMER)
    s = combining(*cards)
    decide(s, set_of(HAMMER), card(HAMMER), DONE)
    assert s.phase == Phase.COMBINE and s.made and PERFECT not in legal(s)  # not after one …
    s = combining(*cards, others=[RATIONS])
    decide(s, PERFECT)
    assert s.mover == BRUNO and s.hand[ANNA] == bag(HAMMER, HAMMER, HAMMER)  # … nor before one


def test_K_4_9_the_other_players_still_take_their_turns():
    s = combining(*ONE_OF_EACH, STONE, others=[RATIONS], aare=[0, 40])
    decide(s, PERFECT)
    assert not s.over and s.mover == BRUNO
    decide(s, set_of(RATION))
    assert s.over and s.aare[:2] == [0, 42] and s.result[:2] == [WHOLE_WIN, 0]
