"""The Merchant's cards, one by one: the ordinary case, the empty case, and together with other cards. [T-5]"""

import pytest

from tests.scenarios.position import told
from tests.scenarios.trieste_position import (
    Act,
    M,
    T,
    W,
    at,
    bag,
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
from tripot.core.game import waiting_seats
from tripot.games.trieste.actions import DECLINE, DRAW_OWN, PAY_TOLL, ROB_FROM, SMOKE, News
from tripot.games.trieste.cards import COPPER, DIAMOND, GOLD, MERCHANT, NAMED, SILVER, THIEF, WATCH, Hero
from tripot.games.trieste.phases import start_turn
from tripot.games.trieste.state import Phase, Stage

LET_GO = Act(DECLINE)
BARGAIN = "Grand Bargain"
BUSINESS = "Business as Usual"
INSURED = deck_with("Insurance", amount=1)
VOYAGE = deck_with("Trading Voyage", amount=3)


# --- Business as Usual and Spice Trader --------------------------------------


def test_T_5_8_business_as_usual_draws_two_keeps_one_and_discards_the_other():
    s = effects(table(treasure_deck=[GOLD, COPPER], merchant=[SILVER]), merchant=BUSINESS)
    assert s.phase == Phase.SIFT and cards_offered(s, M) == [COPPER, GOLD]  # not the silver in hand
    choose(s, M, COPPER)
    assert treasures(s, M) == [SILVER, GOLD]
    assert (MERCHANT, 33 + COPPER, 0, 0) in told(s, News.DISCARDED)


def test_T_5_8_what_business_as_usual_keeps_only_the_merchant_sees():
    s = effects(table(treasure_deck=[GOLD, COPPER]), merchant=BUSINESS)
    assert {item.to for item in s.news if item.what == News.YOU_DREW} == {M}
    choose(s, M, COPPER)
    assert not any(s.knows[W][MERCHANT]) and not any(s.knows[T][MERCHANT])


def test_T_5_3_two_alike_are_asked_about_too_or_all_would_know_what_is_kept():
    s = effects(table(treasure_deck=[GOLD, GOLD]), merchant=BUSINESS)
    assert s.phase == Phase.SIFT and legal(s, M) == [12 + GOLD]


def test_T_5_8_business_as_usual_with_one_treasure_left_keeps_it_and_with_none_nothing():
    s = effects(table(treasure_deck=[GOLD]), merchant=BUSINESS)
    assert treasures(s, M) == [GOLD] and not s.aside_size
    assert told(s, News.DRAW_LOST) == [(MERCHANT, 1, 0, 0)]
    s = effects(table(treasure_deck=[]), merchant=BUSINESS)
    assert not hand(s, M) and told(s, News.DRAW_LOST) == [(MERCHANT, 2, 0, 0)]


def test_T_5_8_business_as_usual_across_the_end_of_the_treasure_deck():
    s = effects(table(treasure_deck=[GOLD], treasure_discard=[SILVER]), merchant=BUSINESS)
    assert s.aside[M] == bag([GOLD, SILVER], 4) and s.stale == 1
    choose(s, M, SILVER)
    assert treasures(s, M) == [GOLD]


def test_T_5_8_spice_trader_keeps_two_of_the_treasures_it_draws():
    three = deck_with("Spice Trader", amount=3, more=2)
    s = effects(table(treasure_deck=[GOLD, SILVER, COPPER], options=three), merchant="Spice Trader")
    choose(s, M, COPPER)
    assert treasures(s, M) == [SILVER, GOLD] and not s.aside_size


# --- Street Vendor and Banker ------------------------------------------------


VENDOR = deck_with("Street Vendor", amount=1, more=3)


def test_T_5_8_street_vendor_draws_more_after_a_capture_this_turn():
    assert len(treasures(effects(table(options=VENDOR), merchant="Street Vendor"), M)) == 1
    s = effects(table(options=VENDOR), watch="Patrol Officer", merchant="Street Vendor", thief="Street Urchin")
    choose(s, T, LET_GO)
    assert len(treasures(s, M)) == 3


def test_T_5_8_street_vendor_counts_captures_from_any_zone_but_not_one_that_failed():
    s = effects(table(discards=["Pickpocket"], options=VENDOR), watch="Magistrate", merchant="Street Vendor")
    choose(s, W, "Pickpocket")
    choose(s, T, LET_GO)
    assert len(treasures(s, M)) == 3
    s = table(thief=["Smoke Bomb"], options=VENDOR)
    effects(s, watch="Patrol Officer", merchant="Street Vendor", thief="Street Urchin")
    choose(s, T, Act(SMOKE))
    assert told(s, News.DREW_TREASURE) == [(MERCHANT, 1, 0, 0)]
    s = table(captured=["Pickpocket"], options=VENDOR)  # of an earlier turn
    assert len(treasures(effects(s, merchant="Street Vendor"), M)) == 1


@pytest.mark.parametrize("amount", [4, 6])
def test_T_5_1_banker_draws_treasures(amount):
    s = effects(table(options=deck_with("Banker", amount=amount)), merchant="Banker")
    assert len(treasures(s, M)) == amount


# --- Bodyguard ---------------------------------------------------------------


@pytest.mark.parametrize("thief", ["Street Urchin", "Burglar", "Forger", "Master Thief"])
def test_T_5_8_under_a_bodyguard_the_thief_resolves_and_gains_infamy_but_takes_and_sees_nothing(thief):
    s = effects(table(merchant=coppers(4)), merchant="Bodyguard", thief=thief)
    assert len(treasures(s, M)) == 4 + 1 and not told(s, News.LOOKED)
    assert s.infamy > 0 and not treasures(s, T)
    assert not any(s.knows[T][MERCHANT])


def test_T_5_8_master_thief_still_robs_the_watch_of_a_guarded_merchant():
    s = effects(table(watch=[GOLD], merchant=coppers(4)), merchant="Bodyguard", thief="Master Thief")
    assert treasures(s, T) == [GOLD] and s.hand_size[MERCHANT][0] == 5


def test_T_5_8_bodyguard_lasts_one_turn_and_keeps_nobody_else_off():
    s = effects(table(merchant=coppers(4)), merchant="Bodyguard")
    assert s.guarded
    start_turn(s)
    assert not s.guarded
    s = effects(table(merchant=coppers(4)), watch="Tax Collector", merchant="Bodyguard")
    assert s.phase == Phase.GIVE


# --- Smuggler ----------------------------------------------------------------


def test_T_5_8_smuggler_takes_any_treasure_and_all_see_which():
    s = effects(
        table(treasure_discard=[COPPER, GOLD, SILVER], options=deck_with("Smuggler", amount=1)), merchant="Smuggler"
    )
    assert cards_offered(s, M) == [COPPER, SILVER, GOLD]
    choose(s, M, GOLD)
    assert treasures(s, M) == [GOLD] and s.treasure_discard == [1, 1, 0, 0]
    assert s.knows[W][MERCHANT][GOLD] == s.knows[T][MERCHANT][GOLD] == s.open[MERCHANT][GOLD] == 1


def test_T_5_8_smuggler_takes_two_from_high_to_low_and_all_there_is_where_there_are_fewer():
    two = deck_with("Smuggler", amount=2)
    s = effects(table(treasure_discard=[COPPER, GOLD, SILVER], options=two), merchant="Smuggler")
    assert cards_offered(s, M) == [SILVER, GOLD]  # the copper is the lowest: it would leave nothing for the second
    choose(s, M, GOLD, COPPER)
    assert treasures(s, M) == [COPPER, GOLD] and s.treasure_discard == [0, 1, 0, 0]
    s = effects(table(treasure_discard=[SILVER], options=two), merchant="Smuggler")
    assert treasures(s, M) == [SILVER]


def test_T_5_8_smuggler_may_take_what_was_just_paid():
    s = table(merchant=["Smuggler", COPPER])
    choose(at(s, Stage.PLAY, MERCHANT), M, "Smuggler")  # the Thief has no card and is not asked
    assert treasures(s, M) == [COPPER] and told(s, News.SALVAGED) == [(33 + COPPER, 0, 0, 0)]


def test_T_5_3_smuggler_with_an_empty_discard_finds_nothing():
    s = effects(table(), merchant="Smuggler")
    assert not hand(s, M) and told(s, News.NO_EFFECT) == [(NAMED["Smuggler"], 0, 0, 0)]


# --- Grand Bargain -----------------------------------------------------------


def test_T_5_4_both_cards_are_chosen_first_each_resolves_then_both_go_under_the_deck():
    s = table(watch=[COPPER], discards=["Lawsuit", "Insurance", "Trading Voyage"], options=VOYAGE)
    effects(s, merchant=BARGAIN)
    assert cards_offered(s, M) == [kind("Insurance"), kind("Trading Voyage"), kind("Lawsuit")]
    choose(s, M, "Trading Voyage", "Lawsuit")
    assert s.voyage == 3 and treasures(s, M) == [COPPER]
    assert s.under[:3] == [kind("Trading Voyage"), kind("Lawsuit"), 0] and s.under_size == 2
    assert discard(s, M) == [BARGAIN, "Insurance"]


def test_T_5_4_two_business_as_usual_are_two_choices():
    s = effects(table(treasure_deck=[GOLD, GOLD, COPPER, COPPER], discards=[BUSINESS] * 2), merchant=BARGAIN)
    assert s.phase == Phase.SIFT and s.replayed == 1  # nothing to choose between: both are played
    choose(s, M, cards_offered(s, M)[0])
    assert s.phase == Phase.SIFT and s.replayed == 2
    choose(s, M, cards_offered(s, M)[0])
    assert len(treasures(s, M)) == 2 and s.under[:2] == [kind(BUSINESS)] * 2
    assert discard(s, M) == [BARGAIN]


def test_T_5_4_with_fewer_than_two_nothing_happens():
    for pile in ([], ["Lawsuit"], ["Lawsuit", "Banker"]):
        s = effects(table(watch=[COPPER], discards=pile), merchant=BARGAIN)
        assert not treasures(s, M) and sorted(discard(s, M)) == sorted([BARGAIN, *pile])


def test_T_5_4_it_cannot_choose_itself_nor_a_card_being_resolved():
    s = table(discards=[BARGAIN, "Lawsuit", "Lawsuit"])
    effects(s, merchant=BARGAIN)
    assert s.under[:2] == [kind("Lawsuit")] * 2 and discard(s, M) == [BARGAIN, BARGAIN]


def test_T_5_4_checkpoint_negates_the_whole():
    s = table(merchant=coppers(2), discards=["Lawsuit", "Lawsuit"], watch=[GOLD])
    effects(s, watch="Contraband Checkpoint", merchant=BARGAIN)
    choose(s, M, Act(DECLINE))
    assert treasures(s, M) == coppers(2) and discard(s, M) == [BARGAIN, "Lawsuit", "Lawsuit"]
    one = deck_with("Lawsuit", amount=1)
    s = table(merchant=coppers(2), discards=["Lawsuit", "Lawsuit"], watch=[GOLD], options=one)
    effects(s, watch="Contraband Checkpoint", merchant=BARGAIN)
    choose(s, M, Act(PAY_TOLL))
    assert len(treasures(s, M)) == 2 - 2 + 2


@pytest.mark.parametrize("gaoler", [False, True])
def test_T_5_4_a_replayed_bribe_asks_its_question_within(gaoler):
    heroes = (Hero.GAOLER, Hero.JACOPO, Hero.CATERINA) if gaoler else ()
    s = table(captured=["Forger", "Burglar"], discards=["Bribe", "Insurance"], heroes=heroes)
    effects(s, merchant=BARGAIN)
    choose(s, M, "Bribe")
    if gaoler:
        assert captured(s) == ["Burglar", "Forger"]
    else:
        assert s.phase == Phase.BRIBE and s.insured == 0  # the second card waits for it
        choose(s, M, "Burglar")
        assert captured(s) == ["Forger"] and discard(s, T) == ["Burglar"]
    assert s.under[:2] == [kind("Bribe"), kind("Insurance")]


def test_T_5_4_a_replayed_insurance_works_as_usual():
    s = table(merchant=coppers(4), discards=["Insurance", "Insurance"], options=INSURED)
    effects(s, merchant=BARGAIN, thief="Street Urchin")
    assert told(s, News.INSURANCE_PAYS) == [(2 * 2 + 2, 0, 0, 0)]  # two lost, each pays 2 + 1


def test_T_5_4_cards_under_the_deck_come_last():
    s = table(watch=[COPPER], discards=["Lawsuit", "Lawsuit"])
    effects(s, merchant=BARGAIN)
    for _ in range(s.deck_size[MERCHANT] - 2):
        at(s, Stage.DRAW, MERCHANT)
        choose(s, M, Act(DRAW_OWN))
        assert not told(s, News.DREW_BOTTOM)
    assert s.deck_size[MERCHANT] == s.under_size == 2


# --- Bribe -------------------------------------------------------------------


def test_T_5_8_bribe_puts_a_captured_thief_into_the_thiefs_discard_pile_for_all_to_see():
    s = effects(table(captured=["Forger", "Burglar"]), merchant="Bribe")
    assert cards_offered(s, M) == [kind("Burglar"), kind("Forger")]
    choose(s, M, "Forger")
    assert captured(s) == ["Burglar"] and discard(s, T) == ["Forger"]
    assert told(s, News.BRIBED) == [(NAMED["Forger"], 0, 0, 0)]


def test_T_5_3_a_choice_of_one_captured_thief_is_made_by_itself_and_of_none_skipped():
    s = effects(table(captured=["Forger", "Forger"]), merchant="Bribe")
    assert captured(s) == ["Forger"] and discard(s, T) == ["Forger"]
    s = effects(table(), merchant="Bribe")
    assert told(s, News.NO_EFFECT) == [(NAMED["Bribe"], 0, 0, 0)]


# --- Insurance ---------------------------------------------------------------


@pytest.mark.parametrize(("thief", "lost"), [("Street Urchin", 2), ("Burglar", 2), ("Master Thief", 3), (None, 0)])
def test_T_5_5_insurance_draws_what_the_thief_took_plus_one(thief, lost):
    s = effects(table(merchant=coppers(5), options=INSURED), merchant="Insurance", thief=thief)
    assert told(s, News.INSURANCE_PAYS) == [(lost + 1, 0, 0, 0)]
    assert s.hand_size[MERCHANT][0] == 5 - lost + lost + 1


def test_T_5_5_it_counts_what_the_merchant_was_made_to_discard():
    s = effects(table(merchant=coppers(4), options=INSURED), merchant="Insurance", thief="Forger")
    choose(s, T, COPPER, COPPER)
    assert told(s, News.INSURANCE_PAYS) == [(3, 0, 0, 0)]


def test_T_5_5_it_pays_its_one_even_when_the_thief_was_captured():
    s = table(merchant=coppers(4), options=INSURED)
    effects(s, watch="Patrol Officer", merchant="Insurance", thief="Street Urchin")
    choose(s, T, LET_GO)
    assert told(s, News.INSURANCE_PAYS) == [(1, 0, 0, 0)] and s.hand_size[MERCHANT][0] == 5


def test_T_5_5_it_counts_losses_to_the_thief_only():
    s = effects(table(merchant=coppers(4), options=INSURED), watch="Tax Collector", merchant="Insurance")
    while s.phase == Phase.GIVE:
        choose(s, M, COPPER)
    assert treasures(s, W)
    assert told(s, News.INSURANCE_PAYS) == [(1, 0, 0, 0)]


def test_T_5_5_it_pays_after_the_thiefs_step_before_the_end_phase_and_only_this_turn():
    s = effects(table(merchant=coppers(4), options=INSURED), merchant="Insurance", thief="Burglar")  # who takes two
    assert s.stage == Stage.END and told(s, News.INSURANCE_PAYS) == [(3, 0, 0, 0)]
    start_turn(s)
    assert s.insured == s.premium == s.lost == 0


def test_T_5_5_pickpocket_robbing_the_watch_is_no_loss():
    s = table(watch=coppers(2), merchant=coppers(2), options=INSURED)
    effects(s, merchant="Insurance", thief="Pickpocket")
    choose(s, T, Act(ROB_FROM + WATCH))
    assert told(s, News.INSURANCE_PAYS) == [(1, 0, 0, 0)]


# --- Trading Voyage ----------------------------------------------------------


def test_T_5_7_trading_voyage_pays_at_the_merchants_next_draw_step_before_the_two():
    s = effects(table(options=VOYAGE), merchant="Trading Voyage")
    assert not treasures(s, M) and s.voyage == 3
    start_turn(s)
    at(s, Stage.DRAW)
    assert not treasures(s, M) and waiting_seats(s) == [W]  # not at the Watch's
    at(s, Stage.DRAW, MERCHANT)
    assert len(treasures(s, M)) == 3 and s.draws == 2 and waiting_seats(s) == [M] and s.voyage == 0


def test_T_5_7_voyages_add():
    s = effects(table(discards=["Trading Voyage"] * 2, options=VOYAGE), merchant=BARGAIN)
    assert s.voyage == 6


# --- Lawsuit -----------------------------------------------------------------


def test_T_5_8_lawsuit_takes_treasure_at_random_from_the_watch():
    s = effects(table(watch=[GOLD]), merchant="Lawsuit")
    assert treasures(s, M) == [GOLD] and not treasures(s, W)
    assert s.knows[W][MERCHANT][GOLD] == 1 and s.knows[T][MERCHANT][GOLD] == 0
    assert {item.to for item in s.news if item.what == News.YOU_MOVED} == {W, M}


@pytest.mark.parametrize("amount", [1, 2])
def test_T_5_8_lawsuit_takes_its_amount(amount):
    s = effects(table(watch=coppers(3), options=deck_with("Lawsuit", amount=amount)), merchant="Lawsuit")
    assert treasures(s, M) == coppers(amount) and treasures(s, W) == coppers(3 - amount)


def test_T_5_3_lawsuit_against_a_watch_with_nothing_takes_nothing():
    assert not hand(effects(table(), merchant="Lawsuit"), M)


def test_T_5_8_taken_treasure_shakes_what_the_third_player_knew():
    """The Thief knew a diamond and two coppers in the Watch's hand; any of the three may be gone."""
    s = table(watch=[DIAMOND, COPPER, COPPER], options=deck_with("Lawsuit", amount=1))
    s.knows[T][WATCH][:4] = s.shown[W][THIEF][:4] = [2, 0, 0, 1]
    s.older[T][:] = [old - known for old, known in zip(s.older[T], [2, 0, 0, 1], strict=True)]
    effects(s, merchant="Lawsuit")
    assert s.knows[T][WATCH][:4] == [1, 0, 0, 0]
    assert s.older[T][:4] == [1, 0, 0, 1]  # one copper and the diamond lie with Watch or Merchant


def test_T_5_1_silver_played_by_the_merchant_draws_two():
    s = effects(table(), merchant=SILVER)
    assert len(treasures(s, M)) == 2
