"""The City Watch's cards, one by one: the ordinary case, the empty case, and together with other cards. [T-5]"""

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
    of_faction,
    table,
    treasures,
)
from tripot.core.game import DEALER, waiting_seats
from tripot.core.rng import seed_luck
from tripot.games.trieste.actions import DECLINE, PAY_TOLL, SMOKE, News
from tripot.games.trieste.cards import COPPER, DIAMOND, GOLD, MERCHANT, NAMED, SILVER, THIEF, WATCH, Hero, Type
from tripot.games.trieste.phases import price, start_turn
from tripot.games.trieste.state import Phase, Stage

LET_GO, BOMB = Act(DECLINE), Act(SMOKE)
GIVE, REFUSE = Act(PAY_TOLL), Act(DECLINE)
THIEVES = {card.title: card.level for card in of_faction(THIEF) if card.type is Type.CHARACTER}


def watch_plays(card, against=None, reaction=LET_GO, **zones):
    """Plays the Watch's card against the Thief's, with the Thief's reaction if there is a question."""
    s = effects(table(**zones), watch=card, thief=against)
    if s.phase == Phase.REACT:
        choose(s, T, reaction)
    return s


# --- Patrol Officer ----------------------------------------------------------


@pytest.mark.parametrize(("thief", "level"), THIEVES.items())
def test_T_5_1_patrol_officer_captures_the_revealed_thief_up_to_level_1_and_draws(thief, level):
    s = watch_plays("Patrol Officer", thief, options=deck_with("Patrol Officer", amount=2))
    assert captured(s) == ([thief] if level <= 1 else [])
    assert len(treasures(s, W)) == (2 if level <= 1 else 0)
    assert discard(s, W) == ["Patrol Officer"]


def test_T_5_1_patrol_officer_finds_no_thief_behind_an_action_a_treasure_or_nothing():
    for nobody in ("Decoy", COPPER, None):
        s = watch_plays("Patrol Officer", nobody)
        assert not captured(s) and not treasures(s, W) and not told(s, News.THREATENED)


def test_T_5_2_smoke_bomb_against_patrol_officer_no_treasure_is_drawn_and_the_thief_resolves():
    s = watch_plays("Patrol Officer", "Street Urchin", BOMB, thief=["Smoke Bomb"], merchant=coppers(2))
    assert not captured(s) and not treasures(s, W)
    assert treasures(s, T) == coppers(2) and s.infamy == 1
    assert discard(s, T) == ["Street Urchin", "Smoke Bomb"]


# --- Bloodhound --------------------------------------------------------------


@pytest.mark.parametrize(("thief", "level"), THIEVES.items())
def test_T_5_1_bloodhound_captures_up_to_level_2_and_the_thief_loses_1_infamy(thief, level):
    s = watch_plays("Bloodhound", thief, infamy=4)
    if level <= 2:
        assert captured(s) == [thief] and s.infamy == 3
    else:
        assert not captured(s) and s.infamy == 4 + level


def test_T_5_2_smoke_bomb_against_bloodhound_no_infamy_is_lost():
    s = watch_plays("Bloodhound", "Burglar", BOMB, thief=["Smoke Bomb"], infamy=4)
    assert not captured(s) and s.infamy == 4 + 2


def test_T_5_1_bloodhound_with_nobody_on_the_table_costs_nothing():
    assert watch_plays("Bloodhound", infamy=4).infamy == 4
    assert watch_plays("Bloodhound", "Street Urchin", infamy=0).infamy == 0  # captured, but nothing to lose


# --- Raiding Party -----------------------------------------------------------


@pytest.mark.parametrize("thief", THIEVES)
def test_T_5_1_raiding_party_captures_whatever_the_level(thief):
    s = watch_plays("Raiding Party", thief, infamy=5)
    assert captured(s) == [thief] and s.infamy == 4


def test_T_5_8_raiding_party_costs_infamy_even_with_no_thief_on_the_table():
    assert watch_plays("Raiding Party", infamy=5).infamy == 4
    assert watch_plays("Raiding Party", "Decoy", infamy=5).infamy == 4


def test_T_5_2_smoke_bomb_against_raiding_party_the_infamy_is_lost_all_the_same():
    s = watch_plays("Raiding Party", "Burglar", BOMB, thief=["Smoke Bomb"], infamy=5)
    assert not captured(s) and s.infamy == 5 - 1 + 2


# --- Undercover Agent --------------------------------------------------------


def test_T_5_8_undercover_agent_sees_the_hand_before_choosing_and_captures_one_of_level_2_or_lower():
    s = table(thief=["Burglar", "Master Thief", "Decoy", COPPER, GOLD], infamy=3)
    effects(s, watch="Undercover Agent")
    assert s.knows[W][THIEF] == s.hand[T] and not any(s.knows[M][THIEF])
    assert {item.to for item in s.news if item.what == News.YOU_SAW} == {W}
    assert cards_offered(s, W) == [kind("Burglar")]  # asked anyway: skipping the question would reveal the hand
    choose(s, W, "Burglar")
    choose(s, T, LET_GO)
    assert captured(s) == ["Burglar"] and s.infamy == 2
    assert hand(s, T) == [COPPER, GOLD, "Decoy", "Master Thief"]


def test_T_5_8_undercover_agent_finds_nobody_and_draws_a_watch_card():
    s = table(thief=["Master Thief", "Decoy", "Smoke Bomb", COPPER], infamy=3)
    effects(s, watch="Undercover Agent")
    assert not captured(s) and s.infamy == 3 and s.hand_size[WATCH] == [0, 1]
    s = effects(table(), watch="Undercover Agent")  # an empty hand
    assert s.hand_size[WATCH] == [0, 1]


def test_T_5_8_a_target_saved_from_undercover_agent_was_there_so_nothing_is_drawn():
    s = table(thief=["Forger", "Smoke Bomb"], infamy=3)
    effects(s, watch="Undercover Agent")
    choose(s, W, "Forger")
    choose(s, T, BOMB)
    assert not captured(s) and s.infamy == 3 and s.hand_size[WATCH] == [0, 0]
    assert hand(s, T) == ["Forger"] and discard(s, T) == ["Smoke Bomb"]


def test_T_5_8_when_undercover_agent_found_nobody_all_can_tell():
    s = table(thief=["Decoy", "Smoke Bomb"])
    effects(s, watch="Undercover Agent")
    assert s.clean == 2  # the Merchant too knows that none of these two can be captured
    choose(at(s, Stage.PLAY, THIEF), T, "Decoy")
    assert s.clean == 1


# --- Tax Collector -----------------------------------------------------------


HALF = deck_with("Tax Collector", amount=2)


@pytest.mark.parametrize(
    ("part", "held", "given"),
    [
        *((2, 0, 0), (2, 1, 1), (2, 2, 1), (2, 3, 2), (2, 5, 3), (2, 6, 3)),
        *((4, 0, 0), (4, 1, 1), (4, 4, 1), (4, 5, 2), (4, 8, 2), (4, 9, 3)),
    ],
)
def test_T_5_8_tax_collector_gets_its_part_rounded_up(part, held, given):
    s = effects(table(merchant=coppers(held), options=deck_with("Tax Collector", amount=part)), watch="Tax Collector")
    for _ in range(given if held > 1 else 0):
        choose(s, M, COPPER)
    assert treasures(s, W) == coppers(given) and treasures(s, M) == coppers(held - given)
    assert s.phase != Phase.GIVE


def test_T_5_8_the_merchant_chooses_what_to_give_from_high_to_low():
    s = effects(table(merchant=[COPPER, COPPER, SILVER, GOLD], options=HALF), watch="Tax Collector")
    assert waiting_seats(s) == [M] and cards_offered(s, M) == [COPPER, SILVER, GOLD]
    choose(s, M, SILVER)
    assert cards_offered(s, M) == [COPPER]
    choose(s, M, COPPER)
    assert treasures(s, W) == [COPPER, SILVER] and treasures(s, M) == [COPPER, GOLD]


def test_T_5_8_what_is_given_is_known_to_giver_and_taker_only():
    s = effects(table(merchant=[SILVER, GOLD, DIAMOND], options=HALF), watch="Tax Collector")
    choose(s, M, GOLD, SILVER)
    assert s.knows[M][WATCH][:4] == [0, 1, 1, 0] and not any(s.knows[T][WATCH]) and not any(s.open[WATCH])
    assert {item.to for item in s.news if item.what == News.YOU_MOVED} == {W, M}
    assert s.top[T] == 0 or s.top[T] == 14  # the Thief does not learn it from the next question either


# --- Magistrate --------------------------------------------------------------


def test_T_5_8_magistrate_captures_up_to_two_of_level_2_or_lower_from_the_discard_pile():
    s = table(discards=["Burglar", "Street Urchin", "Street Urchin", "Master Thief", "Decoy"])
    effects(s, watch="Magistrate")
    assert legal(s, W)[0] == DECLINE and cards_offered(s, W) == [kind("Street Urchin"), kind("Burglar")]
    choose(s, W, "Burglar", "Street Urchin")
    choose(s, T, LET_GO, LET_GO)
    assert sorted(captured(s)) == ["Burglar", "Street Urchin"]
    assert sorted(discard(s, T)) == ["Decoy", "Master Thief", "Street Urchin"]


def test_T_5_8_magistrate_may_pick_one_or_none():
    s = effects(table(discards=["Burglar", "Pickpocket"]), watch="Magistrate")
    choose(s, W, "Burglar", Act(DECLINE))
    choose(s, T, LET_GO)
    assert captured(s) == ["Burglar"]
    s = effects(table(discards=["Burglar"]), watch="Magistrate")
    choose(s, W, Act(DECLINE))
    assert not captured(s)


def test_T_5_8_magistrate_with_nobody_to_try_is_not_asked():
    s = effects(table(discards=["Master Thief", "Decoy"]), watch="Magistrate")
    assert not captured(s) and s.stage == Stage.END


def test_T_5_2_smoke_bomb_leaves_a_character_in_the_discard_pile():
    s = effects(table(thief=["Smoke Bomb"], discards=["Forger", "Forger"]), watch="Magistrate")
    choose(s, W, "Forger", "Forger")
    choose(s, T, BOMB, LET_GO)  # one reaction for each capture
    assert captured(s) == ["Forger"] and sorted(discard(s, T)) == ["Forger", "Smoke Bomb"]


# --- Search Warrant ----------------------------------------------------------


def test_T_5_8_search_warrant_captures_thieves_and_draws_for_every_other_card():
    s = effects(table(thief=["Pickpocket", COPPER]), watch="Search Warrant")
    choose(s, T, LET_GO)
    assert captured(s) == ["Pickpocket"] and s.hand_size[WATCH] == [0, 1]
    s = effects(table(thief=["Master Thief", "Smoke Bomb"]), watch="Search Warrant")
    assert not captured(s) and s.hand_size[WATCH] == [0, 2]


def test_T_5_8_search_warrant_on_no_card_and_on_one():
    s = effects(table(), watch="Search Warrant")
    assert s.hand_size[WATCH] == [0, 0] and s.stage == Stage.END
    s = effects(table(thief=["Burglar"]), watch="Search Warrant")
    choose(s, T, LET_GO)
    assert captured(s) == ["Burglar"] and s.hand_size[WATCH] == [0, 0]
    s = effects(table(thief=["Decoy"]), watch="Search Warrant")
    assert s.hand_size[WATCH] == [0, 1]


def test_T_5_8_search_warrant_two_of_a_kind_are_two_captures_with_two_reactions():
    s = effects(table(thief=["Forger", "Forger"]), watch="Search Warrant")
    assert told(s, News.SEARCHED) == [(NAMED["Forger"], 2, 0, 0)]
    choose(s, T, LET_GO, LET_GO)
    assert captured(s) == ["Forger", "Forger"] and s.hand_size[WATCH] == [0, 0]


def test_T_5_8_a_revealed_smoke_bomb_may_still_react_and_still_counts_as_other():
    s = effects(table(thief=["Forger", "Smoke Bomb"]), watch="Search Warrant")
    choose(s, T, BOMB)
    assert not captured(s) and hand(s, T) == ["Forger"]
    assert s.hand_size[WATCH] == [0, 1]  # for the bomb; the saved character draws nothing


def test_T_5_8_what_search_warrant_shows_all_know_while_it_stays():
    s = effects(table(thief=["Decoy", GOLD]), watch="Search Warrant")
    for seat in (W, M):
        assert s.knows[seat][THIEF][kind("Decoy")] == 1 and s.knows[seat][THIEF][GOLD] == 1
    assert s.open[THIEF] == s.hand[T] and not any(s.searched)


def test_T_5_8_search_warrant_picks_at_random_and_shows_no_third_card():
    seen = set()
    for seed in range(30):
        s = table(thief=["Decoy", "Fence", "Informer", "Jailbreak"])
        seed_luck(s, seed, DEALER)
        effects(s, watch="Search Warrant")
        assert sum(s.open[THIEF]) == 2 and s.hand_size[THIEF] == [0, 4]
        seen.add(tuple(s.open[THIEF]))
    assert len(seen) == 6  # all pairs


# --- Contraband Checkpoint ---------------------------------------------------


@pytest.mark.parametrize("held", [1, 2, 7])
def test_T_5_8_checkpoint_the_merchant_gives_all_and_the_card_goes_through(held):
    s = table(merchant=coppers(held), treasure_deck=[GOLD] * 4, options=deck_with("Banker", amount=4))
    effects(s, watch="Contraband Checkpoint", merchant="Banker")
    assert s.phase == Phase.TOLL and legal(s, M) == [DECLINE, PAY_TOLL]
    choose(s, M, GIVE)  # there is no question which cards
    assert treasures(s, W) == coppers(held)
    assert treasures(s, M) == [GOLD] * 4


def test_T_5_8_checkpoint_the_merchant_may_choose_to_be_negated():
    s = effects(table(merchant=coppers(3)), watch="Contraband Checkpoint", merchant="Banker")
    choose(s, M, REFUSE)
    assert treasures(s, M) == coppers(3) and not treasures(s, W) and discard(s, M) == ["Banker"]


def test_T_5_6_a_merchant_with_no_treasure_has_the_card_negated():
    s = effects(table(), watch="Contraband Checkpoint", merchant="Banker")
    assert not treasures(s, M) and told(s, News.TOLL_REFUSED) == [(NAMED["Banker"], 0, 0, 0)]


@pytest.mark.parametrize("revealed", [COPPER, None])
def test_T_5_6_a_treasure_or_no_card_counts_as_nothing_revealed(revealed):
    s = effects(table(merchant=coppers(3)), watch="Contraband Checkpoint", merchant=revealed)
    assert len(treasures(s, W)) == 6 and not told(s, News.MOVED)


def test_T_5_6_a_card_not_paid_for_counts_as_nothing_revealed():
    s = effects(table(merchant=coppers(1)), watch="Contraband Checkpoint", merchant="Banker", negated=[MERCHANT])
    assert len(treasures(s, W)) == 6


# --- Bounty ------------------------------------------------------------------


def test_T_5_7_bounty_draws_three_and_for_two_turns_every_capture_draws_three():
    s = effects(table(), watch="Bounty")
    assert len(treasures(s, W)) == 3
    bonuses = []
    for _ in range(3):
        start_turn(s)
        caught = watch_plays("Raiding Party", "Burglar", bounty=list(s.bounty))
        bonuses.append(len(treasures(caught, W)))
    assert bonuses == [3, 3, 0]


def test_T_5_7_bounties_add_and_every_capture_from_any_zone_counts():
    s = table(bounty=[0, 3, 3], discards=["Forger", "Pickpocket"])
    effects(s, watch="Magistrate")
    choose(s, W, "Forger", "Pickpocket")
    choose(s, T, LET_GO, LET_GO)
    assert len(treasures(s, W)) == 2 * (3 + 3)


def test_T_5_7_bounty_pays_nothing_for_a_capture_that_does_not_happen():
    s = watch_plays("Patrol Officer", "Street Urchin", BOMB, thief=["Smoke Bomb"], bounty=[0, 3, 0])
    assert not treasures(s, W)


# --- Curfew ------------------------------------------------------------------


def test_T_5_7_curfew_draws_three_and_next_turn_the_thiefs_cards_cost_two_more():
    s = effects(table(thief=["Street Urchin", COPPER, COPPER], merchant=coppers(2)), watch="Curfew")
    assert len(treasures(s, W)) == 3 and price(s, THIEF, NAMED["Street Urchin"]) == 0
    start_turn(s)
    assert price(s, THIEF, NAMED["Street Urchin"]) == 2
    choose(at(s, Stage.PLAY, THIEF), T, "Street Urchin")
    assert told(s, News.PAID) == [(THIEF, 33, 0, 0)] * 2  # two coppers for a card that costs nothing
    start_turn(s)
    assert price(s, THIEF, NAMED["Street Urchin"]) == 0


def test_T_5_7_curfew_holds_for_buying_back_too_and_copies_add():
    s = table(thief=coppers(3), discards=["Street Urchin"], curfew=[4, 0])
    at(s, Stage.END, THIEF)
    assert legal(s, T) == [DECLINE]
    s = table(thief=coppers(4), discards=["Street Urchin"], curfew=[4, 0])
    choose(at(s, Stage.END, THIEF), T, "Street Urchin")
    assert told(s, News.PAID) == [(THIEF, 33, 0, 0)] * 4


def test_T_5_7_curfew_touches_nobody_else():
    s = table(merchant=coppers(1), discards=["Street Vendor"], curfew=[2, 0])
    at(s, Stage.END, MERCHANT)
    assert cards_offered(s, M) == [kind("Street Vendor")]


# --- Muster ------------------------------------------------------------------


def test_T_5_1_muster_draws_two_watch_cards_and_three_treasures():
    s = effects(table(), watch="Muster")
    assert s.hand_size[WATCH] == [3, 2] and discard(s, W) == ["Muster"]
    assert {item.to for item in s.news if item.what == News.YOU_DREW} == {W}


def test_T_5_1_muster_draws_what_there_is():
    s = table(treasure_deck=[GOLD])
    s.deck[WATCH][:] = [0] * 11
    s.deck[WATCH][kind("Muster") - 4] = 2
    s.deck_size[WATCH] = 2
    effects(s, watch="Muster")
    assert hand(s, W) == [GOLD, "Muster"]


# --- The cards and the heroes ------------------------------------------------


def test_T_5_1_a_capture_counts_the_printed_level_whatever_it_cost():
    s = table(captured=["Burglar"], merchant=[DIAMOND, GOLD, GOLD, SILVER, COPPER])  # 13 = 11 + 2
    at(s, Stage.END)
    assert s.over and s.result[M]


def test_T_5_2_nine_tails_keeps_the_infamy_but_not_the_thief():
    s = table(infamy=4, heroes=(Hero.GAOLER, Hero.JACOPO, Hero.NINE_TAILS))
    effects(s, watch="Bloodhound", thief="Burglar")
    choose(s, T, LET_GO)
    assert captured(s) == ["Burglar"] and s.infamy == 4
