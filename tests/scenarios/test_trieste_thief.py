"""The Thief's cards, one by one: the ordinary case, the empty case, and together with other cards. [T-5]"""

import pytest

from tests.scenarios.position import told
from tests.scenarios.trieste_position import (
    Act,
    M,
    T,
    W,
    at,
    captured,
    cards_offered,
    choose,
    coppers,
    deck_with,
    discard,
    effects,
    hand,
    kind,
    legal,
    table,
    treasures,
)
from tripot.core.game import DEALER, waiting_seats
from tripot.core.rng import seed_luck
from tripot.games.trieste.actions import DECLINE, ROB_FROM, SMOKE, News
from tripot.games.trieste.cards import CARDS, COPPER, DIAMOND, GOLD, MERCHANT, NAMED, SILVER, THIEF, WATCH, Hero
from tripot.games.trieste.phases import start_turn
from tripot.games.trieste.state import Phase, Stage

LET_GO = Act(DECLINE)


# --- Street Urchin -----------------------------------------------------------


@pytest.mark.parametrize(("held", "taken"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_T_5_8_street_urchin_takes_as_many_coppers_as_there_are_at_most_two(held, taken):
    s = effects(table(merchant=[SILVER, GOLD, *coppers(held)]), thief="Street Urchin")
    assert treasures(s, T) == coppers(taken)
    assert treasures(s, M) == [*coppers(held - taken), SILVER, GOLD]
    assert s.infamy == 1


def test_T_5_8_street_urchins_coppers_all_see():
    s = effects(table(merchant=coppers(3)), thief="Street Urchin")
    for seat in (W, M):
        assert s.knows[seat][THIEF][COPPER] == 2
    assert s.open[THIEF][COPPER] == 2 and told(s, News.TOOK_COPPERS) == [(MERCHANT, 2, 0, 0)]


def test_T_5_8_an_urchin_that_gets_too_few_shows_that_no_copper_is_left():
    s = effects(table(merchant=[COPPER, SILVER, GOLD]), thief="Street Urchin")
    assert s.dear[MERCHANT] == 2
    s = effects(table(merchant=[COPPER, COPPER, SILVER, GOLD]), thief="Street Urchin")
    assert s.dear[MERCHANT] == 0  # both were there: there may be more


# --- Pickpocket --------------------------------------------------------------


def test_T_5_8_pickpocket_names_a_victim_on_resolving_and_takes_two_at_random():
    s = effects(table(watch=[GOLD, GOLD, GOLD], merchant=coppers(5)), thief="Pickpocket")
    assert s.phase == Phase.VICTIM and waiting_seats(s) == [T]
    choose(s, T, Act(ROB_FROM + WATCH))
    assert treasures(s, T) == [GOLD, GOLD] and treasures(s, W) == [GOLD]
    s = effects(table(watch=[GOLD, GOLD, GOLD], merchant=coppers(5)), thief="Pickpocket")
    choose(s, T, Act(ROB_FROM + MERCHANT))
    assert treasures(s, T) == coppers(2) and s.lost == 2


def test_T_5_8_pickpocket_takes_one_where_there_is_one():
    s = effects(table(merchant=[DIAMOND]), thief="Pickpocket")
    choose(s, T, Act(ROB_FROM + MERCHANT))
    assert treasures(s, T) == [DIAMOND]


BOTH = [ROB_FROM + WATCH, ROB_FROM + MERCHANT]


def test_T_7_5_pickpocket_may_name_the_guarded_merchant_and_spare_the_watch():
    s = effects(table(watch=[GOLD, GOLD], merchant=coppers(3)), merchant="Bodyguard", thief="Pickpocket")
    assert s.phase == Phase.VICTIM and legal(s, T) == BOTH
    choose(s, T, Act(ROB_FROM + MERCHANT))
    assert treasures(s, W) == [GOLD, GOLD] and len(treasures(s, M)) == 3 + 1 and not treasures(s, T)
    assert s.infamy == 1 and s.lost == 0 and told(s, News.NO_EFFECT) == [(NAMED["Pickpocket"], 0, 0, 0)]


@pytest.mark.parametrize(("watch", "merchant", "named"), [([], [GOLD], WATCH), ([GOLD], [], MERCHANT)])
def test_T_7_5_pickpocket_may_name_a_player_without_treasure(watch, merchant, named):
    s = effects(table(watch=watch, merchant=merchant), thief="Pickpocket")
    assert legal(s, T) == BOTH
    choose(s, T, Act(ROB_FROM + named))
    assert not treasures(s, T) and s.infamy == 1 and told(s, News.VICTIM) == [(named, 0, 0, 0)]


def test_T_7_5_where_nobody_can_be_robbed_pickpocket_names_nobody():
    s = effects(table(), thief="Pickpocket")
    assert not s.waiting and told(s, News.NO_EFFECT) == [(NAMED["Pickpocket"], 0, 0, 0)] and s.infamy == 1


def test_T_5_8_what_is_taken_at_random_is_known_to_the_two_alone():
    s = effects(table(merchant=[SILVER, SILVER]), thief="Pickpocket")
    choose(s, T, Act(ROB_FROM + MERCHANT))
    assert s.knows[M][THIEF][SILVER] == 2 and s.knows[W][THIEF][SILVER] == 0


# --- Burglar and Master Thief ------------------------------------------------


@pytest.mark.parametrize(("held", "taken"), [(0, 0), (1, 1), (2, 2), (3, 2), (6, 2), (7, 3), (10, 4)])
def test_T_5_8_burglar_takes_a_third_at_least_two(held, taken):
    s = effects(table(merchant=coppers(held)), thief="Burglar")
    assert treasures(s, T) == coppers(taken) and s.infamy == 2 and s.lost == taken


@pytest.mark.parametrize(("held", "taken"), [(0, 0), (1, 1), (2, 2), (3, 2), (5, 3), (8, 4)])
def test_T_5_8_master_thief_takes_half_at_least_two_and_one_from_the_watch(held, taken):
    s = effects(table(watch=[GOLD, GOLD], merchant=coppers(held)), thief="Master Thief")
    assert treasures(s, T) == [*coppers(taken), GOLD] and s.infamy == 3
    assert s.lost == taken  # what the Watch loses is not a loss of the Merchant


def test_T_5_8_thieves_take_at_random():
    taken = set()
    for seed in range(20):
        s = table(merchant=[COPPER, SILVER, GOLD])
        seed_luck(s, seed, DEALER)
        taken.add(tuple(treasures(effects(s, thief="Burglar"), T)))
    assert taken == {(COPPER, SILVER), (COPPER, GOLD), (SILVER, GOLD)}


# --- Forger ------------------------------------------------------------------


def test_T_5_8_forger_sees_the_merchants_hand_which_loses_two_of_the_thiefs_choice():
    s = effects(table(merchant=["Banker", COPPER, SILVER, GOLD]), thief="Forger")
    assert s.knows[T][MERCHANT] == s.hand[M] and not any(s.knows[W][MERCHANT])
    assert waiting_seats(s) == [T] and cards_offered(s, T) == [SILVER, GOLD]  # high to low, two in all
    choose(s, T, GOLD, SILVER)
    assert treasures(s, M) == [COPPER] and s.treasure_discard == [0, 1, 1, 0] and not treasures(s, T)
    assert s.knows[T][MERCHANT] == s.hand[M]  # the Thief still knows the rest


def test_T_5_3_forger_with_two_or_fewer_treasures_to_choose_from_takes_them_all():
    for held in ([], [GOLD], [GOLD, SILVER]):
        s = effects(table(merchant=held), thief="Forger")
        assert not treasures(s, M) and sum(s.treasure_discard) == len(held)
        assert s.infamy == CARDS[NAMED["Forger"]].level


def test_T_5_3_forger_is_asked_even_if_all_are_alike_or_all_would_know_they_are():
    s = effects(table(merchant=coppers(3)), thief="Forger")
    assert s.phase == Phase.STRIP and cards_offered(s, T) == [COPPER]


# --- Decoy -------------------------------------------------------------------


def test_T_5_8_decoy_draws_two_treasures_and_takes_a_character_back_for_all_to_see():
    s = effects(table(discards=["Burglar", "Forger", "Fence"]), thief="Decoy")
    assert cards_offered(s, T) == [kind("Burglar"), kind("Forger")]
    choose(s, T, "Burglar")
    assert "Burglar" in hand(s, T) and len(treasures(s, T)) == 2 and s.infamy == 0
    assert s.knows[W][THIEF][kind("Burglar")] == s.knows[M][THIEF][kind("Burglar")] == 1


def test_T_5_3_decoy_with_no_character_to_take_draws_all_the_same():
    s = effects(table(discards=["Fence"]), thief="Decoy")
    assert len(hand(s, T)) == 2 and discard(s, T) == ["Decoy", "Fence"]


# --- Smoke Bomb --------------------------------------------------------------


@pytest.mark.parametrize(
    ("watch", "zones", "first"),
    [
        ("Patrol Officer", {"thief": ["Smoke Bomb"]}, None),  # from the table
        ("Undercover Agent", {"thief": ["Smoke Bomb", "Pickpocket"]}, "Pickpocket"),  # from the hand
        ("Magistrate", {"thief": ["Smoke Bomb"], "discards": ["Pickpocket"]}, "Pickpocket"),  # from the discard pile
    ],
)
def test_T_5_2_smoke_bomb_saves_a_character_wherever_it_is(watch, zones, first):
    s = effects(table(**zones), watch=watch, thief="Pickpocket")
    if first:
        choose(s, W, first)
    choose(s, T, Act(SMOKE))
    assert not captured(s) and "Smoke Bomb" in discard(s, T) and "Smoke Bomb" not in hand(s, T)


def test_T_5_2_one_bomb_saves_one_and_a_second_may_follow():
    two = deck_with("Smoke Bomb", copies=2)
    s = table(thief=["Smoke Bomb", "Smoke Bomb"], discards=["Forger", "Burglar"], options=two)
    effects(s, watch="Magistrate")
    choose(s, W, "Forger", "Burglar")
    choose(s, T, Act(SMOKE), Act(SMOKE))
    assert not captured(s) and discard(s, T).count("Smoke Bomb") == 2


def test_T_5_2_smoke_bomb_is_the_thiefs_to_keep():
    s = effects(table(thief=["Smoke Bomb"]), watch="Patrol Officer", thief="Pickpocket")
    choose(s, T, LET_GO)
    assert captured(s) == ["Pickpocket"] and hand(s, T) == ["Smoke Bomb"]


# --- Fence -------------------------------------------------------------------


def test_T_5_8_fence_discards_a_thief_card_and_draws_four():
    s = effects(table(thief=["Smoke Bomb", "Burglar", COPPER]), thief="Fence")
    assert cards_offered(s, T) == [kind("Burglar"), kind("Smoke Bomb")]  # a Smoke Bomb may go too; no treasure
    choose(s, T, "Smoke Bomb")
    assert len(treasures(s, T)) == 1 + 4 and "Burglar" in hand(s, T)
    assert discard(s, T) == ["Smoke Bomb", "Fence"]


def test_T_5_8_fence_with_no_thief_card_does_nothing():
    s = effects(table(thief=[COPPER]), thief="Fence")
    assert treasures(s, T) == [COPPER] and told(s, News.NO_EFFECT) == [(NAMED["Fence"], 0, 0, 0)]


def test_T_5_3_fence_with_one_card_discards_it_and_with_several_alike_the_thief_is_asked():
    s = effects(table(thief=["Burglar"]), thief="Fence")
    assert len(treasures(s, T)) == 4 and discard(s, T) == ["Burglar", "Fence"]
    s = effects(table(thief=["Burglar", "Burglar"]), thief="Fence")
    assert s.phase == Phase.FENCE and cards_offered(s, T) == [kind("Burglar")]


# --- Jailbreak ---------------------------------------------------------------


def test_T_5_8_jailbreak_takes_a_captured_thief_into_the_hand_for_all_to_see():
    s = effects(table(captured=["Burglar", "Forger"]), thief="Jailbreak")
    choose(s, T, "Burglar")
    assert captured(s) == ["Forger"] and hand(s, T) == ["Burglar"]
    assert s.open[THIEF][kind("Burglar")] == 1 and told(s, News.FREED) == [(NAMED["Burglar"], 0, 0, 0)]


def test_T_5_3_jailbreak_with_one_or_none():
    assert hand(effects(table(captured=["Forger"]), thief="Jailbreak"), T) == ["Forger"]
    assert not hand(effects(table(), thief="Jailbreak"), T)


def test_T_5_3_the_gaoler_lets_nobody_out():
    heroes = (Hero.GAOLER, Hero.JACOPO, Hero.CATERINA)
    s = effects(table(captured=["Forger"], heroes=heroes), thief="Jailbreak")
    assert captured(s) == ["Forger"] and not hand(s, T)


# --- Informer ----------------------------------------------------------------


def test_T_5_8_informer_draws_one_and_next_turn_the_watch_plays_face_up():
    s = effects(table(watch=["Muster", COPPER]), thief="Informer")
    assert len(treasures(s, T)) == 1 and s.informed == [0, 1]
    start_turn(s)
    at(s, Stage.PLAY)
    choose(s, W, "Muster")
    assert told(s, News.PLACED_OPEN) == [(WATCH, NAMED["Muster"], 0, 0)]
    start_turn(s)
    assert s.informed == [0, 0]


def test_T_5_8_an_informed_watch_pays_in_the_payment_phase_and_may_pass_or_play_a_treasure():
    s = table(watch=["Patrol Officer", COPPER], thief=["Decoy"], informed=[1, 0])
    at(s, Stage.PLAY)
    assert legal(s, W) == [DECLINE, 12 + COPPER, 12 + kind("Patrol Officer")]
    choose(s, W, "Patrol Officer")
    assert s.table[WATCH] == NAMED["Patrol Officer"] and not told(s, News.PAID) and not s.face_down[WATCH]
    choose(s, T, LET_GO)  # the Thief passes, and the Payment Phase comes
    assert told(s, News.PAID) == [(WATCH, 33, 0, 0)]


def test_T_5_8_the_others_play_face_down_all_the_same():
    s = table(merchant=["Banker"], informed=[1, 0])
    at(s, Stage.PLAY, MERCHANT)
    choose(s, M, "Banker")
    assert told(s, News.PLACED) == [(MERCHANT, 1, 0, 0)]


# --- Treasure ----------------------------------------------------------------


def test_T_5_1_a_treasure_played_by_the_thief_is_no_revealed_thief():
    s = effects(table(infamy=2), watch="Raiding Party", thief=COPPER)
    assert not captured(s) and s.infamy == 1 and len(treasures(s, T)) == 1
