"""Trök, K-3: three cards each, the trade master, the exchange, the card owed."""

import itertools
import random

import pytest

from tests.scenarios.position import position, put, told
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
    decide,
    in_exchange,
    legal,
    swap_for,
    table,
    take,
)
from tripot.games.trok import GAME
from tripot.games.trok.actions import DONE, KEEP, NAME, News
from tripot.games.trok.cards import Upgrade
from tripot.games.trok.effects import (
    bag_code,
)
from tripot.games.trok.state import Phase


def committing(*hands, turn=2, master=ANNA, **more):
    """Returns a table where everyone holds these cards and must set three of them face down."""
    s = table(len(hands), hands=hands, **more)
    put(s, phase=Phase.COMMIT, turn=turn, master=master, mover=master, waiting=(1 << len(hands)) - 1)
    return s


def commit(s, seat, *cards):
    decide(s, *map(card, sorted(cards)), seat=seat)


LOW = (PICKAXE, PICKAXE, PICKAXE, RATION, RATION)  # bids 3 with its pickaxes
MIDDLE = (LANTERN, LANTERN, LANTERN, RATION, RATION)  # bids 12 with its lanterns
HIGH = (HELMET, HELMET, HELMET, GLOVES, GLOVES)  # bids 18 with its helmets


# --- K-3.1 to K-3.4 Offers and the trade master ------------------------------


def test_K_3_1_three_cards_of_the_hand_are_set_face_down_in_secret():
    s = committing(LOW, HIGH)
    commit(s, BRUNO, HELMET, HELMET, GLOVES)
    assert s.waiting == 1 << ANNA  # that Bruno has committed is public
    view = GAME.layout.observe_plain(s, ANNA)
    assert view.hand_size[BRUNO] == 5 and view.offer[BRUNO] == NO_CARDS
    assert GAME.layout.observe_plain(s, BRUNO).my_chosen == bag(HELMET, HELMET, GLOVES)


def test_K_3_1_all_are_shown_at_once_when_the_last_has_committed():
    s = committing(LOW, HIGH)
    commit(s, BRUNO, HELMET, HELMET, GLOVES)
    commit(s, ANNA, PICKAXE, RATION, RATION)
    assert s.offer[:2] == [bag(PICKAXE, RATION, RATION), bag(HELMET, HELMET, GLOVES)]
    assert s.hand[:2] == [bag(PICKAXE, PICKAXE), bag(HELMET, GLOVES)]
    assert [numbers[:2] for numbers in told(s, News.OFFERED)] == [
        (seat, bag_code(s.offer[seat])) for seat in (ANNA, BRUNO)
    ]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_K_3_1_players_may_commit_in_any_order_card_by_card(order):
    cards = {ANNA: (PICKAXE, PICKAXE, RATION), BRUNO: (RATION, LANTERN, LANTERN), CLARA: (GLOVES, HELMET, HELMET)}
    s = committing(LOW, MIDDLE, HIGH)
    for number in range(3):
        for seat in order:
            decide(s, card(cards[seat][number]), seat=seat)
    straight = committing(LOW, MIDDLE, HIGH)
    for seat in range(3):
        commit(straight, seat, *cards[seat])
    assert s.pack() == straight.pack()


def test_K_3_1_nobody_learns_anything_before_the_last_has_committed():
    """Anna's view, decisions and news do not depend on what Bruno sets face down."""
    seen = set()
    for cards in itertools.combinations(HIGH, 3):
        s = committing(LOW, HIGH, MIDDLE)
        commit(s, BRUNO, *cards)
        heard = [tuple(item) for item in s.news if item.to != BRUNO]
        view = GAME.layout.observe_plain(s, ANNA)
        seen.add((view.pack(), tuple(legal(s, ANNA)), tuple(heard)))
    assert len(seen) == 1


def test_K_3_1_a_group_of_three_is_reached_in_one_way_and_identical_cards_are_one_choice():
    """Five cards of three kinds hold six different threes: pppr, as a path of choices, exactly once each."""
    groups = []

    def follow(s):
        if not s.waiting & 1:
            groups.append(tuple(s.chosen[ANNA]))
            return
        for action in legal(s, ANNA):
            after = s.copy()
            GAME.apply(after, ANNA, action)
            follow(after)

    follow(committing((PICKAXE, PICKAXE, RATION, RATION, STONE), HIGH))
    wanted = {tuple(bag(*cards)) for cards in itertools.combinations((PICKAXE, PICKAXE, RATION, RATION, STONE), 3)}
    assert sorted(groups) == sorted(wanted) and len(groups) == 5


def test_K_3_1_the_number_of_decisions_tells_nothing():
    """Three cards from a hand without a choice are still three decisions."""
    s = committing((HAMMER,) * 5, LOW)
    for _ in range(3):
        assert legal(s, ANNA) == [card(HAMMER)]
        decide(s, card(HAMMER), seat=ANNA)
    assert s.waiting == 1 << BRUNO


def test_K_3_2_the_bid_is_the_sum_of_the_three_cards_a_stone_counting_10():
    s = committing((PICKAXE, RATION, STONE, STONE, HAMMER), LOW)
    commit(s, ANNA, HAMMER, STONE, STONE)
    commit(s, BRUNO, PICKAXE, RATION, RATION)
    assert s.bid[:2] == [7 + 10 + 10, 1 + 2 + 2]


def test_K_3_2_grid_adds_3():
    s = committing(LOW, LOW, owned=[[], [Upgrade.GRID]])
    commit(s, ANNA, PICKAXE, RATION, RATION)
    commit(s, BRUNO, PICKAXE, PICKAXE, PICKAXE)
    assert s.bid[:2] == [5, 3 + 3]
    assert s.master == BRUNO


def test_K_3_3_the_highest_bid_makes_the_trade_master():
    s = committing(LOW, MIDDLE, HIGH)
    for seat, cards in enumerate((LOW, MIDDLE, HIGH)):
        commit(s, seat, *cards[:3])
    assert s.master == CLARA and s.mover == CLARA and s.phase == Phase.TAKE
    assert told(s, News.MASTER) == [(CLARA, 18, 0, 0)]


def tied(*hands, **more):
    s = committing(*hands, **more)
    for seat, cards in enumerate(hands):
        commit(s, seat, *cards[:3])
    return s


def test_K_3_3_on_a_tie_the_previous_master_names_one_of_the_tied():
    s = tied(LOW, MIDDLE, LOW, MIDDLE, master=CLARA)
    assert s.phase == Phase.NAME and s.waiting == 1 << CLARA
    assert legal(s, CLARA) == [NAME + BRUNO, NAME + DARIO]
    decide(s, NAME + DARIO)
    assert s.master == DARIO and s.mover == DARIO


def test_K_3_3_the_trade_master_never_names_their_own_seat():
    gloves = (GLOVES, GLOVES, GLOVES, HAMMER)
    s = tied(gloves, gloves, gloves, LOW, master=ANNA, market=[STONE, LANTERN, LANTERN])
    assert s.bid[:4] == [9, 9, 9, 3]
    assert legal(s, ANNA) == [NAME + BRUNO, NAME + CLARA]


def test_K_3_3_tied_with_one_other_the_trade_master_gives_way_to_them():
    s = tied(MIDDLE, LOW, MIDDLE, master=ANNA)
    assert s.master == CLARA and s.phase == Phase.TAKE
    assert not told(s, News.NAMED)


def test_K_3_4_in_the_first_turn_the_youngest_of_the_tied_becomes_master():
    s = tied(MIDDLE, LOW, MIDDLE, turn=1, youngest=CLARA)
    assert s.master == CLARA


def test_K_3_4_if_the_youngest_is_not_tied_the_first_tied_seat_clockwise_from_there_does():
    hands = (MIDDLE, LOW, LOW, MIDDLE)
    assert tied(*hands, turn=1, youngest=BRUNO).master == DARIO
    assert tied(*hands, turn=1, youngest=DARIO).master == DARIO
    hands = (LOW, MIDDLE, MIDDLE, LOW)
    assert tied(*hands, turn=1, youngest=DARIO).master == BRUNO  # round the table


# --- K-3.5 to K-3.9 The exchange ---------------------------------------------


def test_the_sheets_example_zelia_bids_18_against_9_and_takes_the_armour_in_two_ways():
    zelia, alex = ANNA, BRUNO
    hands = [(HELMET, HELMET, HELMET, RATION, RATION), (PICKAXE, GLOVES, ARMOUR, RATION, RATION)]
    s = committing(*hands, master=alex, market=[HAMMER, PICKAXE, LANTERN])
    commit(s, alex, PICKAXE, GLOVES, ARMOUR)
    commit(s, zelia, HELMET, HELMET, HELMET)
    assert s.bid[:2] == [18, 9] and s.master == zelia
    decide(s, take(alex, ARMOUR))
    assert legal(s) == [KEEP, swap_for(PICKAXE), swap_for(LANTERN), swap_for(HAMMER)]
    kept, swapped = s.copy(), s
    decide(kept, KEEP)
    assert kept.hand[zelia] == bag(RATION, RATION, ARMOUR) and kept.market == bag(HAMMER, PICKAXE, LANTERN)
    decide(swapped, swap_for(HAMMER))
    assert swapped.hand[zelia] == bag(RATION, RATION, HAMMER) and swapped.market == bag(ARMOUR, PICKAXE, LANTERN)
    assert kept.mover == swapped.mover == alex


def test_K_3_5_the_master_takes_an_open_card_before_another_player():
    s = in_exchange([HAMMER, HAMMER, STONE], [PICKAXE, RATION, RATION], [GLOVES, GLOVES, GLOVES], market=[HELMET] * 3)
    assert legal(s) == [take(BRUNO, PICKAXE), take(BRUNO, RATION), take(CLARA, GLOVES)]  # equal cards are one choice


def test_K_3_5_not_one_of_the_same_kind_as_the_card_put_into_the_market():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, RATION], market=[LANTERN, LANTERN, STONE])
    decide(s, take(BRUNO, LANTERN))
    assert legal(s) == [KEEP, swap_for(STONE)]


def test_K_3_5_a_market_of_that_kind_alone_leaves_nothing_to_decide():
    s = in_exchange([HAMMER, HAMMER, HELMET], [LANTERN, RATION, RATION], market=[LANTERN] * 3)
    decide(s, take(BRUNO, LANTERN))
    assert s.mover == BRUNO and s.phase == Phase.TAKE and s.hand[ANNA] == bag(RATION, RATION, LANTERN)


def test_K_3_6_then_the_player_whose_card_was_taken_moves():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, RATION], [GLOVES] * 3, market=[HELMET, HELMET, STONE])
    decide(s, take(CLARA, GLOVES), KEEP)
    assert s.waiting == 1 << CLARA
    assert legal(s) == [take(ANNA, HAMMER), take(BRUNO, RATION), take(BRUNO, LANTERN)]


def test_K_3_6_two_players_exchange_to_the_end():
    """Six cards are taken in turn; the last one comes from the trade master, so nothing is owed."""
    s = in_exchange([HAMMER, HELMET, STONE], [PICKAXE, RATION, GLOVES], market=[LANTERN, LANTERN, ARMOUR])
    for seat, kind in ((BRUNO, PICKAXE), (ANNA, STONE), (BRUNO, GLOVES), (ANNA, HAMMER)):
        decide(s, take(seat, kind), KEEP)
    assert s.phase == Phase.PLACE and s.taken == 1 + RATION  # Bruno's last card, and Anna has no choice
    decide(s, swap_for(ARMOUR))
    assert s.phase == Phase.PLACE and s.taken == 1 + HELMET
    decide(s, KEEP)
    assert s.hand[:2] == [bag(RATION, RATION, PICKAXE, GLOVES, ARMOUR), bag(RATION, RATION, STONE, HAMMER, HELMET)]
    assert s.phase == Phase.COMBINE and not told(s, News.GAVE)


def test_K_3_7_three_identical_cards_in_the_market_are_renewed_and_pay_3():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, RATION], market=[LANTERN, LANTERN, STONE], aare=[5, 5])
    before = s.deck_size
    decide(s, take(BRUNO, LANTERN), swap_for(STONE))
    assert s.aare[:2] == [5 + 3, 5]
    assert s.discard == bag(LANTERN, LANTERN, LANTERN) and s.deck_size == before - 3 and sum(s.market) == 3
    assert s.hand[ANNA] == bag(RATION, RATION, STONE)


def test_K_3_7_stones_are_not_jokers_in_the_market():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, RATION], market=[LANTERN, STONE, HELMET])
    decide(s, take(BRUNO, LANTERN), swap_for(HELMET))
    assert s.market == bag(LANTERN, LANTERN, STONE) and s.aare[ANNA] == 0


def test_K_3_7_three_new_cards_that_happen_to_be_identical_do_nothing():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, RATION], market=[LANTERN, LANTERN, STONE])
    put(s, deck=bag(*[PICKAXE] * 9), deck_size=9, fresh=bag(*[PICKAXE] * 9, *[RATION] * 4))
    decide(s, take(BRUNO, LANTERN), swap_for(STONE))
    assert s.market == bag(PICKAXE, PICKAXE, PICKAXE) and s.aare[ANNA] == 3
    assert len(told(s, News.RENEWED)) == 1


def test_K_3_8_thrud_pays_2_to_the_owner_whoever_renewed_the_market():
    s = in_exchange(
        [HAMMER] * 3, [LANTERN, RATION, RATION], market=[LANTERN, LANTERN, STONE], owned=[[], [Upgrade.THRUD]]
    )
    decide(s, take(BRUNO, LANTERN), swap_for(STONE))
    assert s.aare[:2] == [3, 2]


def test_K_3_8_thrud_and_an_own_swap_make_5():
    s = in_exchange([HAMMER] * 3, [LANTERN, RATION, RATION], market=[LANTERN, LANTERN, STONE], owned=[[Upgrade.THRUD]])
    decide(s, take(BRUNO, LANTERN), swap_for(STONE))
    assert s.aare[ANNA] == 5


def only_own_left(master):
    """Clara has a hammer and a helmet left, and Anna, who has none, took her third card."""
    s = in_exchange([], [], [HAMMER, HELMET, RATION], master=ANNA, market=[GLOVES, GLOVES, PICKAXE])
    put(s, master=master)
    decide(s, take(CLARA, RATION), KEEP)
    return s


def test_K_3_9_with_only_ones_own_cards_left_each_is_taken_back_or_swapped():
    s = only_own_left(master=ANNA)
    assert s.phase == Phase.OWN and s.mover == CLARA
    assert legal(s) == [DONE, take(CLARA, HELMET), take(CLARA, HAMMER)]
    decide(s, take(CLARA, HELMET))
    assert legal(s) == [swap_for(PICKAXE), swap_for(GLOVES)]
    decide(s, swap_for(GLOVES))
    assert s.market == bag(GLOVES, PICKAXE, HELMET)
    assert legal(s) == [DONE, take(CLARA, HAMMER)]  # the other one is decided after that
    decide(s, DONE)
    assert s.hand[CLARA] == bag(RATION, RATION, GLOVES, HAMMER) and s.offer[CLARA] == NO_CARDS


def test_K_3_9_three_identical_cards_pay_there_too():
    s = in_exchange([], [GLOVES, HELMET, RATION], market=[GLOVES, GLOVES, PICKAXE])
    decide(s, take(BRUNO, RATION), KEEP, take(BRUNO, GLOVES))  # only a pickaxe to swap it for: no choice
    assert s.aare[BRUNO] == 3 and s.hand[BRUNO] == bag(RATION, RATION, PICKAXE)
    assert s.discard == bag(GLOVES, GLOVES, GLOVES)


def test_K_3_9_a_card_of_the_only_kind_in_the_market_can_only_come_back():
    s = in_exchange([], [GLOVES, GLOVES, RATION], market=[GLOVES] * 3, hands=[(RATION,), (RATION,)])
    decide(s, take(BRUNO, RATION), KEEP)
    assert s.phase == Phase.GIVE and s.hand[BRUNO] == bag(RATION, GLOVES, GLOVES)


def test_K_3_9_while_others_have_open_cards_a_player_must_take_one_of_theirs():
    s = in_exchange([], [], [HAMMER, HELMET, RATION], market=[GLOVES, GLOVES, PICKAXE])
    assert s.mover == ANNA
    assert legal(s) == [take(CLARA, RATION), take(CLARA, HELMET), take(CLARA, HAMMER)]


def test_K_3_9_if_the_last_player_is_the_trade_master_nothing_is_owed():
    s = only_own_left(master=CLARA)
    decide(s, DONE)
    assert s.phase == Phase.COMBINE and s.mover == CLARA


def test_K_3_9_any_other_last_player_is_owed_a_card_by_the_trade_master():
    s = only_own_left(master=ANNA)
    decide(s, DONE)
    assert s.phase == Phase.GIVE and s.waiting == 1 << ANNA


# --- K-3.10 The card owed ----------------------------------------------------


def owing():
    """Bruno's last card has been taken by Anna, the trade master, who now holds three."""
    s = in_exchange([], [PICKAXE], hands=[(HAMMER, STONE), (RATION, RATION)], market=[GLOVES, GLOVES, HELMET])
    decide(s, KEEP)
    return s


def test_K_3_10_the_master_gives_the_last_player_robbed_any_card_of_the_whole_hand():
    s = owing()
    assert s.phase == Phase.GIVE and legal(s, ANNA) == [card(PICKAXE), card(HAMMER), card(STONE)]
    decide(s, card(STONE))
    assert s.hand[:2] == [bag(HAMMER, PICKAXE), bag(RATION, RATION, STONE)]
    assert s.hand_size[:2] == [2, 3]


def test_K_3_10_only_those_two_know_which():
    s = owing()
    s.news.clear()
    decide(s, card(STONE))
    heard = [(item.to, *item[2:5]) for item in s.news if item.what == News.YOUR_GIFT]
    assert heard == [(ANNA, ANNA, BRUNO, STONE), (BRUNO, ANNA, BRUNO, STONE)]
    assert told(s, News.GAVE) == [(ANNA, BRUNO, 0, 0)]
    assert [GAME.layout.observe_plain(s, seat).my_gift for seat in (ANNA, BRUNO)] == [1 + STONE] * 2


def test_K_3_10_the_master_is_asked_even_if_all_cards_in_hand_are_alike():
    s = in_exchange([], [RATION], hands=[(RATION, RATION), ()], market=[GLOVES, GLOVES, HELMET])
    decide(s, KEEP)
    assert legal(s, ANNA) == [card(RATION)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_K_3_10_after_it_everyone_holds_as_many_cards_as_before_the_exchange(seats):
    luck = random.Random(seats)
    gifts = 0
    for seed in range(60):
        s = position(GAME, seats, seed=seed)
        while s.phase != Phase.COMBINE:
            seat = luck.choice([seat for seat in range(seats) if s.waiting >> seat & 1])
            GAME.apply(s, seat, luck.choice(legal(s, seat)))
        assert s.hand_size[:seats] == [5] * seats
        gifts += s.receiver > 0
    assert (gifts > 0) == (seats > 2)  # two players never owe each other a card
