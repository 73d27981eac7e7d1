"""Trök, K-5 to K-7: carts, income, the end of the turn and of the game, and the rulings of play."""

import pytest

from tests.scenarios.position import put, told
from tests.scenarios.trok import (
    ANNA,
    ARMOUR,
    BRUNO,
    CLARA,
    DARIO,
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
    collect,
    combining,
    decide,
    improve,
    legal,
    set_of,
    table,
)
from tripot.core.game import WHOLE_WIN
from tripot.games.trok import GAME
from tripot.games.trok.actions import DONE, News
from tripot.games.trok.cards import Upgrade
from tripot.games.trok.effects import (
    bag_code,
    resolve_income,
)
from tripot.games.trok.phases import settle, start_turn
from tripot.games.trok.state import Phase, Run

CART, MINE, VEIN, IDUNN = Upgrade.CART, Upgrade.MINE, Upgrade.VEIN, Upgrade.IDUNN


def storing(*hands, owned=(), master=ANNA, **more):
    """Returns a table after all combinations, with these cards left."""
    s = table(len(hands), hands=hands, owned=owned, **more)
    put(s, phase=Phase.STORE, master=master, mover=master, waiting=0, turn=2)
    settle(s)
    return s


# --- K-5 End of the turn -----------------------------------------------------


def test_K_5_1_without_carts_all_hands_are_discarded_face_up():
    s = storing((HAMMER, STONE), (RATION, RATION), market=[GLOVES] * 3)
    assert s.turn == 3
    assert told(s, News.DISCARDED) == [
        (ANNA, bag_code(bag(HAMMER, STONE)), 0, 0),
        (BRUNO, bag_code(bag(RATION, RATION)), 0, 0),
    ]
    assert s.discard == bag(HAMMER, STONE, RATION, RATION)


def test_K_5_1_one_card_may_stay_on_each_cart():
    s = storing((HAMMER, HAMMER, RATION), owned=[[CART, CART]])
    assert legal(s) == [DONE, card(RATION), card(HAMMER)]
    decide(s, card(RATION))
    assert legal(s) == [DONE, card(HAMMER)]
    decide(s, card(HAMMER))
    assert told(s, News.STORED) == [(ANNA, bag_code(bag(RATION, HAMMER)), 0, 0)]
    assert s.discard == bag(HAMMER) and s.known[ANNA] == bag(RATION, HAMMER)  # in hand again since K-2.3


def test_K_5_1_or_none_or_fewer():
    s = storing((HAMMER, HAMMER), owned=[[CART, CART]])
    decide(s, card(HAMMER), DONE)
    assert s.discard == bag(HAMMER) and s.hand_size[ANNA] == 6
    s = storing((HAMMER, HAMMER), owned=[[CART, CART]])
    decide(s, DONE)
    assert s.discard == bag(HAMMER, HAMMER) and s.hand_size[ANNA] == 5


def test_K_5_1_never_a_stone():
    s = storing((HAMMER, STONE), owned=[[CART]])
    assert legal(s) == [DONE, card(HAMMER)]
    assert storing((STONE, STONE), owned=[[CART]]).turn == 3  # nothing to decide


def test_K_5_1_a_pickaxe_is_never_a_stone_here():
    s = storing((PICKAXE,), owned=[[CART, VEIN]])
    assert legal(s) == [DONE, card(PICKAXE)]


def test_K_5_1_from_the_trade_master_clockwise():
    s = storing((HAMMER,), (RATION,), (GLOVES,), owned=[[CART], [CART], [CART]], master=BRUNO)
    order = []
    while s.phase == Phase.STORE:
        order.append(s.mover)
        decide(s, DONE)
    assert order == [BRUNO, CLARA, ANNA]


def test_K_5_1_what_one_player_stores_is_seen_by_those_who_follow():
    s = storing((HAMMER, RATION), (RATION,), owned=[[CART], [CART]])
    decide(s, card(HAMMER))
    view = GAME.layout.observe_plain(s, BRUNO)
    assert view.stored[ANNA] == bag(HAMMER) and view.discard == bag(RATION)


def earned(market, *upgrades):
    s = table(2, market=market, owned=[upgrades])
    resolve_income(s)
    return s.aare[ANNA]


PLAIN = (PICKAXE, RATION, STONE)


def test_K_5_2_grid_pays_1():
    assert earned(PLAIN, Upgrade.GRID) == 1


def test_K_5_2_mother_dwerg_pays_1_for_each_dwarf_herself_included():
    assert earned(PLAIN, Upgrade.MOTHER) == 1
    assert earned(PLAIN, Upgrade.MOTHER, Upgrade.SKAA, Upgrade.IDUNN, MINE, VEIN) == 3


def test_K_5_2_father_dwerg_pays_1_for_each_mine_vein_and_cart():
    assert earned(PLAIN, Upgrade.FATHER) == 0
    assert earned(PLAIN, Upgrade.FATHER, MINE, MINE, VEIN, CART, Upgrade.SKAA) == 4


def test_K_5_2_zoral_pays_1_for_each_pickaxe_in_the_market():
    assert earned((PICKAXE, PICKAXE, STONE), Upgrade.ZORAL) == 2


def test_K_5_2_astrid_pays_2_for_each_green_card_in_the_market():
    assert earned((RATION, LANTERN, HELMET), Upgrade.ASTRID) == 4


def test_K_5_2_ylud_pays_3_for_each_red_card_in_the_market():
    assert earned((ARMOUR, HAMMER, GLOVES), Upgrade.YLUD) == 6


def test_K_5_2_a_stone_in_the_market_counts_for_none():
    assert earned((STONE, STONE, STONE), Upgrade.ZORAL, Upgrade.ASTRID, Upgrade.YLUD) == 0


def test_K_5_2_the_others_pay_nothing_then():
    paying = {Upgrade.GRID, Upgrade.MOTHER, Upgrade.FATHER, Upgrade.ZORAL, Upgrade.ASTRID, Upgrade.YLUD}
    for upgrade in set(Upgrade) - paying - {Upgrade.NONE}:
        assert earned((PICKAXE, RATION, HAMMER), upgrade) == 0


def test_K_5_3_the_queue_is_filled_up_to_seven_at_the_right_hand_end():
    s = storing((), (), queue=[MINE, VEIN, CART])
    assert s.queue[:3] == [MINE, VEIN, CART] and s.queue_size == 7 and all(s.queue)
    assert [numbers[1] for numbers in told(s, News.QUEUED)] == [3, 4, 5, 6]


def test_K_5_3_or_as_far_as_the_deck_goes():
    s = table(2, hands=[(), ()], queue=[MINE])
    put(s, to_come=[0] * 16, phase=Phase.STORE, master=ANNA, mover=ANNA, waiting=0, turn=2)
    s.to_come[Upgrade.SKAA] = 1
    settle(s)
    assert s.queue == [MINE, Upgrade.SKAA, 0, 0, 0, 0, 0] and s.queue_size == 2


def test_K_5_3_everybody_stores_and_discards_then_income_then_the_queue_also_in_the_last_turn():
    s = storing((HAMMER,), (RATION,), owned=[[Upgrade.GRID], [CART]], queue=[MINE], aare=[49, 0])
    assert not told(s, News.INCOME) and not told(s, News.QUEUED)
    decide(s, card(RATION))
    order = [item.what for item in s.news if item.what in (News.STORED, News.INCOME, News.QUEUED, News.WON)]
    assert order == [News.STORED, News.INCOME, *[News.QUEUED] * 6, News.WON]
    assert s.over and s.queue_size == 7


# --- K-6 End of the game -----------------------------------------------------


def ending(aare, perfect=0, turn=2, **more):
    """Returns a table at the end of a turn, before the winner is decided."""
    s = table(len(aare), hands=[()] * len(aare), **more)
    put(s, aare=list(aare), perfect=perfect, turn=turn, phase=Phase.STORE, master=ANNA, mover=ANNA, waiting=0)
    settle(s)
    return s


def test_K_6_1_the_perfect_combination_wins_whatever_the_others_own():
    s = ending([3, 60, 49], perfect=1 << ANNA)
    assert s.over and s.result[:3] == [WHOLE_WIN, 0, 0]


def test_K_6_1_if_several_showed_it_the_richest_of_them_wins():
    s = ending([3, 60, 9], perfect=1 << ANNA | 1 << CLARA)
    assert s.result[:3] == [0, 0, WHOLE_WIN]


def test_K_6_1_of_several_equally_rich_each_has_a_share():
    s = ending([9, 60, 9], perfect=1 << ANNA | 1 << CLARA)
    assert s.result[:3] == [WHOLE_WIN // 2, 0, WHOLE_WIN // 2]


def test_K_6_2_with_50_aare_or_more_the_richest_wins():
    assert ending([49, 48, 3]).over == 0
    s = ending([50, 55, 3])
    assert s.over and s.result[:3] == [0, WHOLE_WIN, 0]


def test_K_6_2_the_income_of_the_turn_counts():
    s = ending([49, 3], owned=[[Upgrade.GRID]])
    assert s.over and s.result[:2] == [WHOLE_WIN, 0]


def test_K_6_3_equal_riches_share_the_victory():
    s = ending([52, 52, 50, 52])
    assert s.result[:4] == [20, 20, 0, 20]
    assert told(s, News.WON) == [(ANNA, 52, 3, 0), (BRUNO, 52, 3, 0), (DARIO, 52, 3, 0)]


def test_K_6_3_a_house_rule_sets_the_goal():
    assert ending([20, 3], options={"goal": 20}).over
    assert not ending([60, 3], options={"goal": 61}).over


def test_K_6_4_after_turn_60_the_richest_wins():
    assert not ending([7, 9], turn=59).over
    s = ending([7, 9], turn=60)
    assert s.over and s.result[:2] == [0, WHOLE_WIN] and s.waiting == 0


def test_K_6_4_even_with_nothing_at_all():
    assert ending([0, 0, 0], turn=60).result[:3] == [20, 20, 20]


# --- K-7 Rulings of play -----------------------------------------------------


def test_K_7_1_a_player_with_fewer_than_three_cards_sets_all_of_them():
    s = table(3, hands=[(HAMMER, RATION), (), (GLOVES, GLOVES, GLOVES, RATION)], owned=[[], [Upgrade.GRID]])
    put(s, phase=Phase.COMMIT, turn=2, master=CLARA, mover=CLARA, waiting=0b101)
    decide(s, card(RATION), card(HAMMER), seat=ANNA)
    assert s.waiting == 1 << CLARA
    decide(s, card(GLOVES), card(GLOVES), card(GLOVES), seat=CLARA)
    assert s.bid[:3] == [9, 3, 9] and s.master == ANNA
    assert s.offer[:2] == [bag(HAMMER, RATION), NO_CARDS]


def test_K_7_1_one_without_cards_is_not_waited_for():
    s = table(2, owned=[[MINE]])
    put(s, deck=bag(HAMMER), deck_size=1, fresh=bag(HAMMER), discard=NO_CARDS, waiting=0)
    start_turn(s)
    assert s.hand_size[:2] == [1, 0] and s.waiting == 1 << ANNA


@pytest.mark.parametrize("take_second", [True, False])
def test_K_7_2_a_run_by_jokers_need_not_be_one(take_second):
    s = combining(RATION, GLOVES, LANTERN, ARMOUR, STONE, owned=[IDUNN], queue=[MINE, VEIN, CART])
    decide(s, collect(5), improve(0))
    assert s.run == Run.JOKERS and legal(s) == [DONE, improve(0), improve(1)]
    decide(s, improve(1) if take_second else DONE)
    assert s.queue[:2] == ([VEIN, 0] if take_second else [VEIN, CART])


def test_K_7_2_a_run_without_jokers_takes_two():
    s = combining(RATION, GLOVES, LANTERN, ARMOUR, HELMET, owned=[IDUNN], queue=[MINE, VEIN, CART])
    decide(s, collect(5), improve(0))
    assert s.run == Run.PLAIN and legal(s) == [improve(0), improve(1)]


@pytest.mark.parametrize(("second", "veins_used"), [(improve(0), 1), (DONE, 0)])
def test_K_7_2_a_pickaxe_uses_a_vein_only_if_the_run_needs_it(second, veins_used):
    """3 4 5 6 and a pickaxe, which is a joker for the run and itself without it."""
    cards = (PICKAXE, GLOVES, LANTERN, ARMOUR, HELMET, RATION, RATION, PICKAXE)
    s = combining(*cards, owned=[IDUNN, VEIN], queue=[MINE, MINE, CART])
    decide(s, collect(5), card(PICKAXE), card(GLOVES), improve(0))
    assert s.run == Run.VEIN and s.veins_used == 0
    decide(s, second)
    assert s.veins_used == veins_used
    assert (set_of(RATION) in legal(s)) == (veins_used == 0)  # two rations and the other pickaxe


def test_K_7_2_a_pickaxe_that_fits_the_run_uses_none():
    s = combining(PICKAXE, RATION, GLOVES, LANTERN, ARMOUR, owned=[IDUNN, VEIN])
    decide(s, collect(5), improve(0))
    assert s.run == Run.PLAIN and s.veins_used == 0


def test_K_7_2_veins_used_up_make_no_run():
    cards = (PICKAXE, GLOVES, LANTERN, ARMOUR, HELMET, RATION, RATION, PICKAXE)
    s = combining(*cards, owned=[IDUNN, VEIN])
    decide(s, set_of(RATION), collect(5), improve(0))
    assert s.mover == BRUNO and s.run == Run.NONE  # both made, and no second
