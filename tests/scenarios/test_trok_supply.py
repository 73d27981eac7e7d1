"""Trök, K-0 to K-2: the contents of the box, the set-up and the supply of cards."""

import random

import pytest

from tests.scenarios.position import position, put, told
from tests.scenarios.trok import (
    ANNA,
    BRUNO,
    CLARA,
    GLOVES,
    HAMMER,
    HELMET,
    NO_CARDS,
    PICKAXE,
    RATION,
    bag,
    combining,
    decide,
    put_rest_in_deck,
    set_of,
    table,
)
from tripot.core.game import DEALER
from tripot.core.layout import SPECTATOR
from tripot.core.options import BadOption, check_seats, parse
from tripot.core.rng import roll, seed_luck
from tripot.games.trok import GAME
from tripot.games.trok.actions import News
from tripot.games.trok.cards import COLOUR, GEAR_COPIES, GREEN, RED, UPGRADES, Gear, Upgrade
from tripot.games.trok.effects import (
    bag_code,
    draw_card,
    lay_market,
    resolve_supply,
)
from tripot.games.trok.phases import start_turn
from tripot.table.table import Table

# --- K-0 Components ----------------------------------------------------------


def test_K_0_1_there_are_58_equipment_cards():
    copies = {gear.name: GEAR_COPIES[gear] for gear in Gear}
    assert copies == {
        "PICKAXE": 11, "RATION": 10, "GLOVES": 9, "LANTERN": 8, "ARMOUR": 7, "HELMET": 6, "HAMMER": 5, "STONE": 2
    }  # fmt: skip
    assert sum(GEAR_COPIES) == 58


def test_K_0_1_rations_gloves_and_lanterns_are_green_armours_helmets_and_hammers_red():
    assert [COLOUR[kind] for kind in range(8)] == [0, GREEN, GREEN, GREEN, RED, RED, RED, 0]


def test_K_0_2_there_are_27_improvements_five_mines_veins_and_carts_and_each_dwarf_once():
    s = position(GAME, 4)
    copies = [s.to_come[upgrade] + s.queue.count(upgrade) for upgrade in range(1, UPGRADES + 1)]
    assert copies == [5, 5, 5] + [1] * 12
    assert sum(copies) == 27


def test_K_0_2_a_house_rule_may_split_the_fifteen_otherwise():
    s = position(GAME, 4, {"improvement_copies": (7, 2, 6)})
    assert [s.to_come[upgrade] + s.queue.count(upgrade) for upgrade in range(1, 4)] == [7, 2, 6]


def test_K_0_2_a_split_of_the_wrong_size_is_refused_by_name():
    with pytest.raises(BadOption, match=r"improvement_copies.*3 numbers"):
        parse(GAME.options, {"improvement_copies": "[5, 5]"})


def test_K_0_3_nobody_has_to_give_money_back():
    s = combining(HAMMER, HAMMER, HAMMER, aare=[49, 240])
    decide(s, set_of(HAMMER))
    assert s.aare[:2] == [56, 240]  # 296 Aare are out, of 250 in the box


def test_K_0_3_closed_purses_change_nothing_but_what_is_shown():
    opened, closed = (position(GAME, 4, {"open_purses": value}) for value in (1, 0))
    assert (opened.open_purses, closed.open_purses) == (1, 0)
    closed.open_purses = 1
    assert opened.pack() == closed.pack()


def test_K_0_3_closed_purses_leave_the_letters_and_moments_until_the_end():
    for options, hidden in (({}, False), ({"open_purses": 0}, True)):
        played = Table(GAME, 3, 5, parse(GAME.options, options))
        played.keeps_moments = True
        rng, since = random.Random(1), 0
        while not played.over:
            for who in (0, 2, SPECTATOR):
                views = [played.letter(who)["view"], *[moment or {} for moment in played.moments(who, since)]]
                for view in (view for view in views if "aare" in view):
                    known = [number for number, value in enumerate(view["aare"]) if value is not None]
                    assert known == ([seat for seat in (0, 2) if seat == who] if hidden else list(range(6)))
            since = played.sequence + 1
            seat = played.waiting[0]
            played.decide(seat, rng.choice(played.offer(seat).legal), played.offer(seat).sequence)
        assert None not in played.letter(SPECTATOR)["view"]["aare"]


def test_K_0_4_six_players_with_all_mines_and_carts_hold_43_of_the_58_cards():
    s = table(6, owned=[[Upgrade.MINE] * 5 + [Upgrade.CART] * 5], stored=[bag(*[PICKAXE] * 5)])
    put_rest_in_deck(s)
    resolve_supply(s)
    assert sum(s.hand_size) + sum(s.market) == 43
    assert s.deck_size == 15 and not told(s, News.DRAW_LOST)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_K_0_4_two_to_six_can_play(seats):
    s = position(GAME, seats)
    assert s.hand_size[:seats] == [5] * seats and sum(s.hand_size) == 5 * seats


# --- K-1 Set-up --------------------------------------------------------------


def test_K_1_1_three_cards_of_the_shuffled_deck_make_the_market():
    markets = {tuple(position(GAME, 4, seed=seed).market) for seed in range(30)}
    assert len(markets) > 20 and all(sum(market) == 3 for market in markets)


def test_K_1_2_seven_improvements_lie_in_the_queue_and_nobody_owns_anything():
    s = position(GAME, 6)
    assert s.queue_size == 7 and all(s.queue)
    assert sum(s.to_come) == 27 - 7
    assert not any(s.aare) and not any(map(any, s.owned))


# --- K-2 Supply --------------------------------------------------------------


def test_K_2_1_everyone_is_dealt_five_cards_one_at_a_time_from_the_first_seat():
    assert position(GAME, 3).hand_size[:3] == [5, 5, 5]
    s = table(3)
    put(s, deck=bag(*[RATION] * 7), deck_size=7, fresh=bag(*[RATION] * 7))
    resolve_supply(s)
    assert s.hand_size[:3] == [3, 2, 2]  # as far as seven cards go


def test_K_2_1_later_the_deal_starts_with_the_trade_master():
    s = table(3, discard=[HAMMER], master=BRUNO)
    put(s, deck=bag(RATION), deck_size=1, fresh=bag(RATION))
    resolve_supply(s)
    assert s.hand[:3] == [NO_CARDS, bag(RATION), bag(HAMMER)]  # Bruno, Clara; Anna's draw is lost


def test_K_2_1_dealt_cards_are_told_to_their_owner_alone():
    s = position(GAME, 2)
    s.news.clear()
    put(s, hand=[NO_CARDS, NO_CARDS], hand_size=[0, 0])
    start_turn(s)
    cards = [(item.to, item.b) for item in s.news if item.what == News.YOUR_CARDS]
    assert cards == [(ANNA, bag_code(s.hand[ANNA])), (BRUNO, bag_code(s.hand[BRUNO]))]
    assert told(s, News.DEALT) == [(5, 0, 0, 0)]


def test_K_2_2_each_mine_brings_an_open_card():
    s = table(3, owned=[[Upgrade.MINE, Upgrade.MINE], [], [Upgrade.MINE]])
    resolve_supply(s)
    assert s.hand_size[:3] == [7, 5, 6]
    assert [sum(row) for row in s.known[:3]] == [2, 0, 1]
    assert [seat for seat, *_ in told(s, News.MINED)] == [ANNA, ANNA, CLARA]


def test_K_2_2_mines_come_after_the_deal_in_the_same_order():
    s = table(3, owned=[[Upgrade.MINE], [Upgrade.MINE]], master=BRUNO)
    sixteen = bag(*[PICKAXE] * 8, *[RATION] * 8)
    put(s, deck=sixteen, deck_size=16, fresh=sixteen)
    resolve_supply(s)
    assert s.hand_size[:3] == [5, 6, 5]  # Bruno's mine took the last card, Anna's finds none
    assert told(s, News.DRAW_LOST) == [(ANNA, 0, 0, 0)]


def test_K_2_3_what_was_stored_in_carts_joins_the_hand_and_all_know_it():
    s = table(2, owned=[[Upgrade.CART, Upgrade.CART]], stored=[bag(HAMMER, GLOVES)])
    put_rest_in_deck(s)
    resolve_supply(s)
    assert s.stored[ANNA] == NO_CARDS
    assert s.hand_size[ANNA] == 7 and s.known[ANNA] == bag(HAMMER, GLOVES)
    assert s.hand[ANNA][HAMMER] >= 1 and s.hand[ANNA][GLOVES] >= 1


def test_K_2_4_the_discard_pile_becomes_the_deck_when_a_card_must_be_drawn_and_there_is_none():
    s = table(2, discard=[HAMMER, HAMMER])
    put(s, deck=bag(RATION), deck_size=1, fresh=bag(RATION))
    assert draw_card(s) == 1 + RATION
    assert s.deck_size == 0 and s.discard == bag(HAMMER, HAMMER)  # not before a card is needed
    assert draw_card(s) == 1 + HAMMER
    assert s.deck == bag(HAMMER) and s.discard == NO_CARDS
    assert told(s, News.RESHUFFLED) == [(2, 0, 0, 0)]


def test_K_2_4_if_both_are_empty_the_draw_is_lost():
    s = table(2)
    put(s, deck=NO_CARDS, deck_size=0, fresh=NO_CARDS)
    assert draw_card(s) == 0
    resolve_supply(s)
    assert s.hand_size[:2] == [0, 0]
    assert told(s, News.DRAW_LOST) == [(ANNA, 0, 0, 0), (BRUNO, 0, 0, 0)] * 5


def test_K_2_4_the_deck_runs_out_in_the_middle_of_a_deal():
    """Three pickaxes are left for two players: Anna gets two of them, Bruno one, and hammers follow."""
    s = table(2, discard=[HAMMER] * 5 + [HELMET] * 6)
    put(s, deck=bag(*[PICKAXE] * 3), deck_size=3, fresh=bag(*[PICKAXE] * 3))
    resolve_supply(s)
    assert [s.hand[seat][PICKAXE] for seat in (ANNA, BRUNO)] == [2, 1]
    assert s.hand_size[:2] == [5, 5] and s.deck_size == 4
    assert (s.drawn_before[:2], s.drawn[:2]) == ([2, 1], [3, 4])  # what everyone can work out
    assert s.older == bag(*[PICKAXE] * 3) and s.fresh == bag(*[HAMMER] * 5, *[HELMET] * 6)


def test_K_3_4_the_youngest_is_the_very_first_luck_of_the_game():
    for seed in range(20):
        s = position(GAME, 6, seed=seed)
        luck = GAME.layout.state.plain()
        seed_luck(luck, seed, DEALER)
        assert s.youngest == roll(luck, 6)


def test_K_3_4_a_house_rule_names_the_youngest():
    assert position(GAME, 6, {"youngest": 5}).youngest == 4
    with pytest.raises(BadOption, match="youngest"):
        check_seats(GAME.options(youngest=5), 4)


def test_the_market_can_be_laid_even_if_only_the_cards_just_discarded_are_left():
    s = table(2, discard=[HAMMER] * 3)
    put(s, deck=NO_CARDS, deck_size=0, fresh=NO_CARDS, market=NO_CARDS)
    lay_market(s)
    assert s.market == bag(HAMMER, HAMMER, HAMMER)
