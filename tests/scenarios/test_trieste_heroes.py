"""The heroes of Trieste, each revealed and not. [T-6]"""

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
    go,
    hand,
    kind,
    legal,
    table,
    treasures,
)
from tripot.core.game import waiting_seats
from tripot.games.trieste import GAME
from tripot.games.trieste.actions import (
    DECLINE,
    DRAW_OWN,
    DRAW_TREASURE,
    FOX,
    HERO,
    PAY_TOLL,
    REVEAL,
    SMOKE,
    News,
)
from tripot.games.trieste.cards import COPPER, GOLD, MERCHANT, NAMED, SILVER, THIEF, WATCH, Hero
from tripot.games.trieste.effects import lose_infamy
from tripot.games.trieste.phases import apply, price, start_turn
from tripot.games.trieste.state import Factions, Phase, Stage

LET_GO, HIDE = Act(DECLINE), Act(DECLINE)
QUIET = (Hero.GAOLER, Hero.JACOPO, Hero.CATERINA)  # revealed, and they rarely matter


def with_hero(hero):
    """Returns a table where one faction has the hero under test and the others have quiet ones; all are revealed."""
    return tuple(hero if (hero - 1) // 3 == (other - 1) // 3 else other for other in QUIET)


def hidden(s, hero):
    """Turns a hero face down again, as if it had never been revealed."""
    faction = (hero - 1) // 3
    s.hero[faction] = hero
    s.hero_up[faction] = 0
    return s


# --- Choosing and revealing --------------------------------------------------


def test_T_6_1_heroes_are_chosen_in_secret_before_the_hands_are_dealt_in_any_order():
    s = GAME.new_state(GAME.options(heroes=1, factions=Factions.WATCH_MERCHANT_THIEF), 3, 1)
    assert s.phase == Phase.HERO and waiting_seats(s) == [W, M, T] and not any(map(any, s.hand))
    assert all(legal(s, seat) == [HERO, HERO + 1, HERO + 2] for seat in range(3))
    s.news = []
    apply(s, T, HERO + 2)
    assert waiting_seats(s) == [W, M] and told(s, News.HERO_CHOSEN) == [(THIEF, 0, 0, 0)]
    assert [item.to for item in s.news if item.what == News.YOUR_HERO] == [T]
    assert GAME.layout.observe_plain(s, W).my_hero == 0
    apply(s, W, HERO)
    apply(s, M, HERO + 1)
    assert s.hero == [Hero.ANTONIA, Hero.JACOPO, Hero.FOX] and s.hero_hidden == [1, 1, 1] and s.hero_up == [0, 0, 0]
    assert s.turn == 1 and all(sum(hand) == 4 for hand in s.hand)


def test_T_6_1_without_the_house_rule_there_are_no_heroes():
    s = GAME.new_state(GAME.options(), 3, 1)
    assert s.phase == Phase.DRAW and s.hero == [0, 0, 0] and s.hero_hidden == [0, 0, 0]


def test_T_6_2_a_hidden_hero_may_be_revealed_as_its_owners_step_begins():
    s = table(heroes=(Hero.ANTONIA, Hero.CATERINA))  # the Merchant's is hidden: Dario
    at(s, Stage.DRAW)
    assert s.phase == Phase.DRAW and waiting_seats(s) == [W]  # Antonia is up: not asked
    at(s, Stage.DRAW, MERCHANT)
    assert s.phase == Phase.REVEAL and waiting_seats(s) == [M]
    choose(s, M, Act(REVEAL))
    assert s.hero_up[MERCHANT] == Hero.DARIO and s.hero_hidden[MERCHANT] == 0
    assert told(s, News.HERO_SHOWN) == [(MERCHANT, Hero.DARIO, 0, 0)]
    assert s.phase == Phase.DRAW


def test_T_6_2_who_declines_is_asked_again_next_phase():
    s = at(table(watch=["Muster"], merchant=["Banker"], heroes=(Hero.ANTONIA, Hero.CATERINA)), Stage.DRAW, MERCHANT)
    choose(s, M, HIDE)
    assert s.phase == Phase.DRAW
    at(s, Stage.PLAY, MERCHANT)
    assert s.phase == Phase.REVEAL


def test_T_6_2_in_the_end_phase_before_the_victory_is_checked():
    """Two Burglars: 11 + 4 without Jacopo, 11 + 2 with Jacopo; 13 is enough once Jacopo is up."""
    s = table(merchant=[GOLD] * 4 + [COPPER], captured=["Burglar", "Burglar"], heroes=QUIET)
    s.hero_up[MERCHANT], s.hero_hidden[MERCHANT], s.hero[M] = 0, 1, Hero.JACOPO
    at(s, Stage.END, MERCHANT)
    assert s.phase == Phase.REVEAL and not s.over
    choose(s, M, Act(REVEAL))
    assert s.over and s.result[M]


def test_T_6_2_a_revealed_hero_stays_revealed():
    s = table(heroes=with_hero(Hero.ANTONIA))
    start_turn(s)
    assert s.hero_up[WATCH] == Hero.ANTONIA


def test_T_6_3_no_card_touches_a_hero():
    s = table(thief=["Decoy"], merchant=coppers(3), heroes=(Hero.ANTONIA, Hero.JACOPO, Hero.CATERINA))
    effects(s, watch="Search Warrant", merchant="Bodyguard", thief="Forger")
    assert s.hero_up == [Hero.ANTONIA, Hero.JACOPO, Hero.CATERINA]


# --- The Watch's -------------------------------------------------------------


@pytest.mark.parametrize(
    ("officer", "thief", "caught"),
    [
        ("Patrol Officer", "Burglar", True),
        ("Patrol Officer", "Master Thief", False),
        ("Bloodhound", "Master Thief", True),
    ],
)
def test_T_6_4_antonia_lets_officer_and_bloodhound_capture_one_level_higher(officer, thief, caught):
    s = effects(table(heroes=with_hero(Hero.ANTONIA)), watch=officer, thief=thief)
    if caught:
        choose(s, T, LET_GO)
    assert captured(s) == ([thief] if caught else [])
    s = hidden(table(heroes=with_hero(Hero.ANTONIA)), Hero.ANTONIA)
    effects(s, watch=officer, thief=thief)
    assert not captured(s) and s.phase != Phase.REACT


def test_T_6_4_antonia_helps_no_other_card():
    s = effects(table(thief=["Master Thief"], heroes=with_hero(Hero.ANTONIA)), watch="Undercover Agent")
    assert s.hand_size[WATCH] == [0, 1]  # found nobody


@pytest.mark.parametrize("card", ["Bribe", "Jailbreak"])
def test_T_6_4_the_gaoler_keeps_captured_thieves_and_the_cost_is_lost(card):
    owner = {"merchant": card} if card == "Bribe" else {"thief": card}
    s = effects(table(captured=["Forger"], heroes=with_hero(Hero.GAOLER)), **owner)
    assert captured(s) == ["Forger"] and told(s, News.NO_EFFECT) == [(NAMED[card], 0, 0, 0)]
    s = effects(hidden(table(captured=["Forger"], heroes=with_hero(Hero.GAOLER)), Hero.GAOLER), **owner)
    assert not captured(s)


def test_T_6_4_the_exciseman_draws_once_per_effect_however_much_is_given():
    half = deck_with("Tax Collector", amount=2)
    s = effects(table(merchant=coppers(6), heroes=with_hero(Hero.EXCISEMAN), options=half), watch="Tax Collector")
    choose(s, M, *coppers(3))
    assert len(treasures(s, W)) == 3 + 1
    s = hidden(table(merchant=coppers(6), heroes=with_hero(Hero.EXCISEMAN), options=half), Hero.EXCISEMAN)
    effects(s, watch="Tax Collector")
    choose(s, M, *coppers(3))
    assert len(treasures(s, W)) == 3


def test_T_6_4_the_exciseman_counts_what_the_checkpoint_gets_and_draws_nothing_for_nothing():
    s = effects(
        table(merchant=coppers(3), heroes=with_hero(Hero.EXCISEMAN)), watch="Contraband Checkpoint", merchant="Lawsuit"
    )
    choose(s, M, Act(PAY_TOLL))
    assert told(s, News.DREW_TREASURE) == [(WATCH, 1, 0, 0)]
    s = effects(table(heroes=with_hero(Hero.EXCISEMAN)), watch="Tax Collector")
    assert not treasures(s, W)
    s = effects(table(merchant=coppers(1), heroes=with_hero(Hero.EXCISEMAN)), watch="Tax Collector")
    assert len(treasures(s, W)) == 2  # one given unasked, one drawn


# --- The Merchant's ----------------------------------------------------------


def test_T_6_4_dario_draws_a_third_card_a_treasure_and_discards_any_card():
    s = at(table(merchant=["Banker"], heroes=with_hero(Hero.DARIO)), Stage.DRAW, MERCHANT)
    choose(s, M, Act(DRAW_OWN), Act(DRAW_OWN))
    assert s.phase == Phase.DROP and s.hand_size[MERCHANT] == [1, 3]
    assert kind("Banker") in cards_offered(s, M)
    choose(s, M, "Banker")
    assert discard(s, M) == ["Banker"] and waiting_seats(s) == [T]


def test_T_6_4_dario_is_not_asked_which_card_to_discard_when_all_see_that_there_is_one():
    s = at(table(treasure_deck=[GOLD], heroes=with_hero(Hero.DARIO)), Stage.DRAW, MERCHANT)
    choose(s, M, Act(DRAW_TREASURE))  # the last one; the second draw and the third bring nothing
    while s.phase == Phase.DRAW and waiting_seats(s) == [M]:
        choose(s, M, Act(DRAW_TREASURE))
    assert s.phase != Phase.DROP and s.hand_size[MERCHANT] == [0, 0]
    assert s.treasure_discard == [0, 0, 1, 0]


def test_T_6_4_darios_discarded_treasure_goes_to_the_common_pile():
    s = at(table(treasure_deck=[GOLD] * 3, heroes=with_hero(Hero.DARIO)), Stage.DRAW, MERCHANT)
    choose(s, M, Act(DRAW_TREASURE), Act(DRAW_TREASURE), GOLD)
    assert s.hand_size[MERCHANT] == [2, 0]
    assert s.treasure_discard == [0, 0, 1, 0]


def test_T_6_4_dario_hidden_draws_two():
    s = at(hidden(table(heroes=with_hero(Hero.DARIO)), Hero.DARIO), Stage.DRAW, MERCHANT)
    choose(s, M, Act(DRAW_OWN), Act(DRAW_OWN))
    assert waiting_seats(s) == [T] and s.hand_size[MERCHANT] == [0, 2]


def test_T_6_4_jacopo_counts_every_captured_thief_as_one():
    for up, won in ((True, True), (False, False)):
        s = table(merchant=[GOLD] * 4 + [COPPER], captured=["Burglar", "Burglar"], heroes=with_hero(Hero.JACOPO))  # 13
        if not up:
            hidden(s, Hero.JACOPO)
        at(s, Stage.END, MERCHANT)
        assert bool(s.over) == won


def test_T_6_4_the_guildmistress_makes_cards_cost_one_less_never_less_than_nothing():
    s = table(heroes=with_hero(Hero.GUILDMISTRESS))
    assert price(s, MERCHANT, NAMED["Banker"]) == 2 and price(s, MERCHANT, NAMED["Lawsuit"]) == 0
    assert price(s, THIEF, NAMED["Burglar"]) == 4  # nobody else's
    hidden(s, Hero.GUILDMISTRESS)
    assert price(s, MERCHANT, NAMED["Banker"]) == 3


def test_T_6_4_cannot_pay_looks_at_the_reduced_cost_and_so_does_buying_back():
    four = deck_with("Banker", amount=4)
    s = table(merchant=["Banker", COPPER, COPPER], heroes=with_hero(Hero.GUILDMISTRESS), options=four)
    at(s, Stage.PLAY, MERCHANT)
    choose(s, M, "Banker")
    assert not told(s, News.CANNOT_PAY) and len(treasures(s, M)) == 4
    s = table(merchant=[], discards=["Street Vendor"], heroes=with_hero(Hero.GUILDMISTRESS))
    choose(at(s, Stage.END, MERCHANT), M, "Street Vendor")
    assert "Street Vendor" in hand(s, M)


# --- The Thief's -------------------------------------------------------------


def test_T_6_4_nine_tails_stops_the_first_whole_loss_of_each_turn():
    s = table(infamy=5, heroes=with_hero(Hero.NINE_TAILS))
    lose_infamy(s, 3)
    assert s.infamy == 5 and told(s, News.NINE_TAILS) == [(0, 0, 0, 0)]
    lose_infamy(s, 1)
    assert s.infamy == 4
    start_turn(s)
    lose_infamy(s, 1)
    assert s.infamy == 4
    hidden(s, Hero.NINE_TAILS)
    start_turn(s)
    lose_infamy(s, 1)
    assert s.infamy == 3


def test_T_6_4_at_no_infamy_nothing_is_lost_and_nine_tails_is_not_used_up():
    s = table(infamy=0, heroes=with_hero(Hero.NINE_TAILS))
    lose_infamy(s, 1)
    assert not s.shrugged
    s.infamy = 2
    lose_infamy(s, 1)
    assert s.infamy == 2 and s.shrugged


def test_T_6_4_caterinas_street_urchin_also_takes_a_copper_from_the_watch():
    s = effects(
        table(watch=[COPPER, GOLD], merchant=coppers(3), heroes=with_hero(Hero.CATERINA)), thief="Street Urchin"
    )
    assert treasures(s, T) == coppers(3) and treasures(s, W) == [GOLD] and s.lost == 2
    s = table(watch=[COPPER], merchant=coppers(3), heroes=with_hero(Hero.CATERINA))
    effects(hidden(s, Hero.CATERINA), thief="Street Urchin")
    assert treasures(s, W) == [COPPER]


def test_T_6_4_caterinas_urchin_robs_the_watch_of_a_guarded_merchant_and_only_coppers():
    s = table(watch=[SILVER, COPPER], merchant=coppers(3), heroes=with_hero(Hero.CATERINA))
    effects(s, merchant="Bodyguard", thief="Street Urchin")
    assert treasures(s, T) == [COPPER] and treasures(s, W) == [SILVER]
    s = effects(table(watch=[SILVER], heroes=with_hero(Hero.CATERINA)), thief="Street Urchin")
    assert treasures(s, W) == [SILVER] and s.dear[WATCH] == 1


def test_T_6_4_the_fox_saves_the_revealed_character_once_and_the_thief_chooses_which_to_use():
    s = effects(
        table(thief=["Smoke Bomb"], heroes=with_hero(Hero.FOX), merchant=coppers(2)),
        watch="Patrol Officer",
        thief="Street Urchin",
    )
    assert legal(s, T) == [DECLINE, SMOKE, FOX]
    choose(s, T, Act(FOX))
    assert not captured(s) and treasures(s, T) == coppers(2) and hand(s, T)[-1] == "Smoke Bomb"
    assert s.hero_up[THIEF] == Hero.NONE
    effects(s, watch="Bloodhound", thief="Forger")
    assert legal(s, T) == [DECLINE, SMOKE]  # once a game


def test_T_6_4_the_fox_works_only_on_the_table_and_only_revealed():
    s = effects(table(thief=["Forger"], heroes=with_hero(Hero.FOX)), watch="Undercover Agent")
    choose(s, W, "Forger")
    assert legal(s, T) == [DECLINE]
    s = hidden(table(heroes=with_hero(Hero.FOX)), Hero.FOX)
    effects(s, watch="Raiding Party", thief="Forger")
    assert legal(s, T) == [DECLINE]


def test_T_6_4_what_hangs_on_the_capture_does_not_happen_but_raiding_partys_loss_does():
    s = effects(table(infamy=5, heroes=with_hero(Hero.FOX)), watch="Raiding Party", thief="Burglar")
    choose(s, T, Act(FOX))
    assert s.infamy == 5 - 1 + 2
    s = effects(table(infamy=5, heroes=with_hero(Hero.FOX)), watch="Bloodhound", thief="Burglar")
    choose(s, T, Act(FOX))
    assert s.infamy == 5 + 2


def test_T_6_2_a_hero_revealed_in_the_effect_step_works_at_once():
    s = table(merchant=coppers(2), heroes=(Hero.GAOLER, Hero.JACOPO))
    s.hero[T] = Hero.CATERINA
    s.hand[W][COPPER], s.hand_size[WATCH][0], s.treasure_deck[COPPER] = 1, 1, s.treasure_deck[COPPER] - 1
    effects(s, thief="Street Urchin")
    assert s.phase == Phase.REVEAL
    choose(s, T, Act(REVEAL))
    go(s)
    assert treasures(s, T) == coppers(3)
