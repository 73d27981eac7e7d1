"""Trieste, clause by clause: components, set-up, standing rules, the turn, victory and the rulings of play."""

import random

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
    number,
    seen_by,
    table,
    treasures,
)
from tripot.core.game import WHOLE_WIN, waiting_seats
from tripot.core.news import EVERYONE
from tripot.games.trieste import GAME
from tripot.games.trieste.actions import (
    CARD,
    DECLINE,
    DRAW_OWN,
    DRAW_TREASURE,
    FOX,
    REVEAL,
    ROB_FROM,
    SMOKE,
    News,
)
from tripot.games.trieste.cards import (
    CARDS,
    COPPER,
    DIAMOND,
    GOLD,
    MERCHANT,
    NAMED,
    OWN_TITLES,
    SILVER,
    THIEF,
    TREASURE_COPIES,
    TREASURE_VALUE,
    WATCH,
    Hero,
    Type,
)
from tripot.games.trieste.phases import apply, price
from tripot.games.trieste.state import Factions, Options, Phase, Stage, draw_own, draw_treasures

NOTHING, TREASURE, OWN = Act(DECLINE), Act(DRAW_TREASURE), Act(DRAW_OWN)
GRAND_BARGAIN = "Grand Bargain"


def dealt(seed=1, **options):
    return GAME.new_state(GAME.options(**options), 3, seed)


# --- T-0 Components ----------------------------------------------------------


def test_T_0_1_each_faction_has_33_cards_and_3_heroes():
    for faction, titles in enumerate(OWN_TITLES):
        mine = [card for card in CARDS[1:] if card.faction == faction]
        assert len(mine) == titles and sum(card.copies for card in mine) == 33
    assert [hero.name for hero in Hero if hero] == [
        *("ANTONIA", "GAOLER", "EXCISEMAN"),
        *("DARIO", "JACOPO", "GUILDMISTRESS"),
        *("NINE_TAILS", "CATERINA", "FOX"),
    ]


def test_T_0_1_treasure_is_39_copper_12_silver_4_gold_1_diamond():
    assert TREASURE_COPIES == (39, 12, 4, 1)
    assert TREASURE_VALUE == (1, 2, 3, 4)


def test_T_0_2_smoke_bomb_alone_is_special_and_costs_nothing():
    special = [card for card in CARDS if card.type is Type.SPECIAL]
    assert [card.title for card in special] == ["Smoke Bomb"] and special[0].cost == 0
    assert all(card.type in (Type.CHARACTER, Type.ACTION) for card in CARDS[1:] if card not in special)
    assert all(0 <= card.level <= 3 for card in CARDS)


def test_T_0_3_a_card_that_takes_a_character_back_for_nothing_beats_the_price_of_buying_it_back():
    s = table(thief=[], discards=["Burglar"])  # bought back it would cost 4
    effects(s, thief="Decoy")
    assert hand(s, T)[-1] == "Burglar" and not told(s, News.PAID)


def test_T_0_4_all_see_how_many_cards_of_either_back_a_hand_holds_and_which_back_lies_face_down():
    s = at(table(watch=["Muster", COPPER, COPPER], thief=["Decoy", COPPER]), Stage.PLAY)
    for seat in (M, T):
        assert list(GAME.layout.observe_plain(s, seat).hand_size[WATCH]) == [2, 1]
    choose(s, W, COPPER)
    assert GAME.layout.observe_plain(s, T).face_down[WATCH] == 1  # a treasure
    assert told(s, News.PLACED)[-1][:2] == (WATCH, 0)
    choose(s, T, "Decoy")  # the Merchant holds nothing and is not asked
    assert told(s, News.PLACED)[-1][:2] == (THIEF, 1)


# --- T-1 Set-up --------------------------------------------------------------


def test_T_1_1_six_coppers_are_put_aside_and_50_treasures_make_the_deck():
    s = dealt(heroes=1)  # the hands are not dealt yet
    assert s.treasure_deck == [33, 12, 4, 1] and s.treasure_size == 50
    assert s.deck_size == [33, 33, 33] and not any(map(any, s.hand))


def test_T_1_2_factions_are_dealt_at_random():
    found = {tuple(dealt(seed).faction) for seed in range(60)}
    assert len(found) == 6
    for seed in range(5):
        s = dealt(seed)
        assert [s.faction[s.seat_of[faction]] for faction in range(3)] == [WATCH, MERCHANT, THIEF]


@pytest.mark.parametrize("order", [order for order in Factions if order])
def test_T_1_2_an_option_fixes_them(order):
    names = order.name.lower().split("_")
    wanted = [{"watch": WATCH, "merchant": MERCHANT, "thief": THIEF}[name] for name in names]
    assert all(dealt(seed, factions=order).faction == wanted for seed in range(3))


def test_T_1_3_everyone_starts_with_two_cards_and_two_coppers_that_all_know():
    s = dealt()
    assert s.deck_size == [31, 31, 31] and s.treasure_size == 50
    for seat in range(3):
        assert sum(s.hand[seat][4:]) == 2 and s.hand[seat][:4] == [2, 0, 0, 0]
        others = [faction for faction in range(3) if faction != s.faction[seat]]
        assert all(s.knows[seat][faction][COPPER] == 2 for faction in others)
        assert sum(map(sum, s.knows[seat])) == 4  # nothing else


# --- T-2 Standing rules ------------------------------------------------------


def test_T_2_1_in_every_phase_the_order_is_watch_merchant_thief():
    s = dealt(seed=3, factions=Factions.THIEF_WATCH_MERCHANT)
    luck, steps = random.Random(1), []
    while s.turn < 3 and not s.over:
        if (s.stage, s.active) not in steps[-1:]:
            steps.append((s.stage, s.active))
        seat = waiting_seats(s)[0]
        apply(s, seat, luck.choice(GAME.legal_actions(s, seat)))
    turns = [step for step in steps if step[0] in (Stage.DRAW, Stage.PLAY)]
    order = [(stage, faction) for stage in (Stage.DRAW, Stage.PLAY) for faction in (WATCH, MERCHANT, THIEF)]
    assert turns[:6] == order and turns[6:12] == order


def paying(*treasure, card="Burglar"):
    """The Thief is about to pay for a card (by default a Burglar that costs 3) with this treasure in hand."""
    s = table(thief=[*treasure, card], options=deck_with("Burglar", cost=3))
    at(s, Stage.PLAY, THIEF)
    choose(s, T, card)
    while s.stage == Stage.PLAY:
        go(s, Stage.PAYMENT)
    return s


def paid(s):
    return sorted(item[1] - number(COPPER) for item in told(s, News.PAID))


def test_T_2_2_three_is_paid_with_two_silvers_when_there_is_nothing_nearer():
    s = paying(SILVER, SILVER)
    assert paid(s) == [SILVER, SILVER] and not treasures(s, T)


def test_T_2_2_nobody_pays_one_with_two_silvers():
    s = paying(SILVER, SILVER, card="Pickpocket")
    assert paid(s) == [SILVER] and treasures(s, T) == [SILVER]


def test_T_2_2_the_smallest_total_is_paid_exactly_where_it_can_be():
    assert paid(paying(COPPER, GOLD, DIAMOND)) == [GOLD]
    assert paid(paying(COPPER, SILVER, DIAMOND)) == [COPPER, SILVER]
    assert paid(paying(COPPER, COPPER, DIAMOND)) == [DIAMOND]  # 4; 1 + 1 + 4 would be 6
    assert paid(paying(SILVER, DIAMOND, card="Pickpocket")) == [SILVER]


def test_T_2_2_the_player_chooses_which_cards_make_it():
    s = paying(COPPER, COPPER, COPPER, SILVER, GOLD)
    assert s.phase == Phase.PAY and waiting_seats(s) == [T]
    assert cards_offered(s, T) == [COPPER, SILVER, GOLD]
    choose(s, T, SILVER)  # only a copper can follow, so it does
    assert paid(s) == [COPPER, SILVER]


def test_T_2_2_every_payment_that_wastes_nothing_is_offered_once():
    """All ways to pay 4, enumerated by hand: 4, 3+1, 2+2, 2+1+1, 1+1+1+1."""
    found = []

    def explore(s):
        if s.phase != Phase.PAY:
            found.append(tuple(paid(s)))
            return
        for action in legal(s, T):
            after = s.copy()
            after.news = list(s.news)
            apply(after, T, action)
            explore(after)

    s = table(thief=[*coppers(4), SILVER, SILVER, GOLD, DIAMOND, "Burglar"], options=deck_with("Burglar", cost=4))
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Burglar")
    explore(s)
    assert sorted(found) == sorted([(3,), (0, 2), (1, 1), (0, 0, 1), (0, 0, 0, 0)])


def test_T_2_3_paid_treasure_goes_to_the_common_discard():
    s = paying(GOLD)
    assert s.treasure_discard == [0, 0, 1, 0]


def test_T_2_3_as_soon_as_the_treasure_deck_is_empty_its_discard_becomes_the_deck():
    s = table(treasure_deck=[GOLD], treasure_discard=[SILVER, SILVER])
    draw_treasures(s, WATCH, 1)
    assert treasures(s, W) == [GOLD]
    assert s.treasure_deck == [0, 2, 0, 0] and s.treasure_size == 2 and s.treasure_discard == [0] * 4


def test_T_2_3_the_treasure_deck_may_run_out_inside_an_effect():
    s = table(treasure_deck=[GOLD], treasure_discard=[SILVER] * 3)
    effects(s, merchant="Banker")  # draws four
    assert treasures(s, M) == [SILVER, SILVER, SILVER, GOLD]


def test_T_2_3_with_an_empty_discard_it_is_shuffled_at_the_next_draw_that_finds_cards_there():
    s = table(treasure_deck=[GOLD])
    draw_treasures(s, WATCH, 1)
    assert s.treasure_size == 0
    s.treasure_discard[SILVER] = 1
    s.older[W][SILVER] = s.older[M][SILVER] = s.older[T][SILVER] = 0
    draw_treasures(s, MERCHANT, 1)
    assert treasures(s, M) == [SILVER]


def test_T_2_3_a_draw_that_finds_nothing_is_lost_but_always_allowed():
    s = table(watch=["Muster"], treasure_deck=[])
    at(s, Stage.DRAW)
    assert DRAW_TREASURE in legal(s, W)
    choose(s, W, TREASURE)
    assert hand(s, W) == ["Muster"] and told(s, News.DRAW_LOST) == [(WATCH, 1, 0, 0)]
    assert s.draws == 1


def test_T_2_4_an_empty_faction_deck_stays_empty():
    s = table(discards=["Patrol Officer"])
    s.deck[WATCH][:] = [0] * 11
    s.deck_size[WATCH] = 0
    draw_own(s, WATCH, 1)
    assert not hand(s, W) and told(s, News.DECK_EMPTY) == [(WATCH, 0, 0, 0)]
    at(s, Stage.DRAW)  # both cards come from the treasure deck, unasked
    assert len(treasures(s, W)) == 2 and waiting_seats(s) == [M]


def test_T_2_4_characters_of_an_empty_deck_can_still_be_bought_back():
    s = table(watch=[COPPER], discards=["Patrol Officer"])
    s.deck[WATCH][:] = [0] * 11
    s.deck_size[WATCH] = 0
    choose(at(s, Stage.END), W, "Patrol Officer")
    assert "Patrol Officer" in hand(s, W) and not discard(s, W)


def test_T_2_5_a_deck_has_no_order_that_a_search_could_leave_behind():
    """The deck is a bag with random draws, so it is always shuffled."""
    drawn = set()
    for seed in range(40):
        s = dealt(seed, factions=Factions.WATCH_MERCHANT_THIEF)
        drawn.add(tuple(s.hand[W]))
    assert len(drawn) > 10


def test_T_2_6_a_thief_character_that_resolves_brings_infamy_equal_to_its_level():
    for title, level in (("Street Urchin", 1), ("Burglar", 2), ("Master Thief", 3)):
        s = effects(table(), thief=title)
        assert s.infamy == level


def test_T_2_6_action_cards_bring_none_and_it_stays_at_nine():
    assert effects(table(), thief="Informer").infamy == 0
    assert effects(table(infamy=8), thief="Burglar").infamy == 9


def test_T_2_6_it_counts_even_if_nothing_was_found_to_take():
    s = effects(table(merchant=[]), thief="Street Urchin")
    assert s.infamy == 1 and not hand(s, T)


def test_T_2_7_a_captured_character_goes_to_the_captured_pile_and_has_no_effect():
    s = table(merchant=coppers(2))
    effects(s, watch="Patrol Officer", thief="Street Urchin")
    choose(s, T, NOTHING)
    assert captured(s) == ["Street Urchin"] and discard(s, T) == []
    assert treasures(s, M) == coppers(2) and s.infamy == 0


def test_T_2_8_a_card_not_paid_for_can_still_be_captured():
    s = effects(table(), watch="Bloodhound", thief="Burglar", negated=[THIEF])
    choose(s, T, NOTHING)
    assert captured(s) == ["Burglar"] and s.negated == [0, 0, 0]


def test_T_2_8_otherwise_it_brings_nothing_and_is_discarded():
    s = effects(table(merchant=coppers(4)), thief="Burglar", negated=[THIEF])
    assert s.infamy == 0 and treasures(s, M) == coppers(4) and discard(s, T) == ["Burglar"]
    s = effects(table(), merchant="Banker", negated=[MERCHANT])
    assert not hand(s, M) and discard(s, M) == ["Banker"]


# --- T-3 The turn ------------------------------------------------------------


def test_T_3_1_two_cards_each_from_either_deck_the_first_seen_before_the_second_is_chosen():
    s = at(table(treasure_deck=[GOLD, GOLD]), Stage.DRAW)
    assert legal(s, W) == [DRAW_TREASURE, DRAW_OWN]
    choose(s, W, TREASURE)
    assert treasures(s, W) == [GOLD] and waiting_seats(s) == [W]
    choose(s, W, OWN)
    assert s.hand_size[WATCH] == [1, 1] and waiting_seats(s) == [M]


def test_T_3_1_only_the_drawer_sees_what_is_drawn():
    s = at(table(), Stage.DRAW)
    s.news.clear()
    choose(s, W, OWN)
    seen = [item.to for item in s.news if item.what == News.YOU_DREW]
    assert seen == [W] and told(s, News.DREW_OWN) == [(WATCH, 0, 0, 0)]


def test_T_3_2_characters_actions_coppers_and_silvers_may_be_played_or_nothing():
    s = at(table(thief=["Burglar", "Decoy", COPPER, SILVER]), Stage.PLAY, THIEF)
    assert legal(s, T) == [DECLINE, CARD + COPPER, CARD + SILVER, CARD + kind("Burglar"), CARD + kind("Decoy")]


def test_T_3_2_neither_gold_nor_diamond_nor_smoke_bomb():
    s = at(table(thief=["Smoke Bomb", GOLD, DIAMOND]), Stage.PLAY, THIEF)
    assert legal(s, T) == [DECLINE]  # asked anyway: the hand is secret


def test_T_3_2_a_card_lies_face_down_until_the_payment():
    s = at(table(watch=["Muster"], thief=["Decoy"]), Stage.PLAY)
    choose(s, W, "Muster")
    assert s.table == [0, 0, 0] and s.placed[W] == NAMED["Muster"]
    assert all(GAME.layout.observe_plain(s, seat).my_placed == 0 for seat in (M, T))
    choose(s, T, "Decoy")
    assert NAMED["Muster"] in [item[1] for item in told(s, News.SHOWN)]


def test_T_3_3_a_player_who_cannot_pay_shows_the_whole_hand_and_the_card_is_negated():
    s = table(thief=["Burglar", "Smoke Bomb", COPPER, COPPER, COPPER], merchant=coppers(6))
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Burglar")  # costs 4, the Thief has 3
    shown = {(card, count) for _, card, count, _ in told(s, News.HAND_CARD)}
    assert shown == {(NAMED["Smoke Bomb"], 1), (number(COPPER), 3)}
    assert s.knows[W][THIEF] == s.knows[M][THIEF] == s.open[THIEF] == s.hand[T]
    assert s.infamy == 0 and treasures(s, M) == coppers(6) and discard(s, T) == ["Burglar"]


def test_T_3_3_whoever_can_pay_must():
    s = table(thief=["Burglar", SILVER, GOLD])
    at(s, Stage.PLAY, THIEF)
    choose(s, T, "Burglar")  # 5 for a cost of 4
    assert not told(s, News.CANNOT_PAY) and not treasures(s, T) and s.infamy == 2


def test_T_3_3_treasure_costs_nothing():
    s = table(thief=[SILVER], treasure_deck=[COPPER] * 5)
    at(s, Stage.PLAY, THIEF)
    choose(s, T, SILVER)
    assert not told(s, News.PAID) and treasures(s, T) == coppers(2)


@pytest.mark.parametrize(("played", "drawn"), [(COPPER, 1), (SILVER, 2)])
def test_T_3_4_a_played_treasure_goes_to_the_discard_and_draws_its_value(played, drawn):
    s = effects(table(), watch=played)
    assert s.treasure_discard[played] == 1 and len(treasures(s, W)) == drawn and s.table[WATCH] == 0


def test_T_3_4_any_other_card_goes_to_its_owners_discard_pile():
    s = effects(table(), watch="Muster", merchant="Banker", thief="Informer")
    assert (discard(s, W), discard(s, M), discard(s, T)) == (["Muster"], ["Banker"], ["Informer"])
    assert s.table == [0, 0, 0]


def test_T_3_5_characters_of_the_pile_are_bought_back_at_full_cost_as_many_as_one_likes():
    pile = ["Banker", "Street Vendor", "Spice Trader", "Bribe"]
    s = table(merchant=coppers(8), discards=pile, options=deck_with("Spice Trader", cost=2))
    at(s, Stage.END, MERCHANT)
    assert cards_offered(s, M) == sorted(map(kind, ("Banker", "Street Vendor", "Spice Trader")))  # Bribe is an action
    choose(s, M, "Banker", "Street Vendor", "Spice Trader")  # 3 + 1 + 2 out of 8
    assert hand(s, M) == [COPPER, COPPER, "Street Vendor", "Spice Trader", "Banker"]
    assert discard(s, M) == ["Bribe"]


def test_T_3_5_cards_of_earlier_turns_may_be_bought_back_too():
    """An example in the sheets allows only this turn's cards; the rules and the designer allow any."""
    s = table(thief=[COPPER], discards=["Pickpocket"])
    s.turn = 30
    choose(at(s, Stage.END, THIEF), T, "Pickpocket")
    assert hand(s, T) == ["Pickpocket"]


def test_T_3_5_each_is_paid_separately():
    s = table(thief=[SILVER], discards=["Pickpocket", "Forger"])  # each costs 1, together 2
    at(s, Stage.END, THIEF)
    choose(s, T, "Pickpocket")
    assert not treasures(s, T) and discard(s, T) == ["Forger"]


def test_T_3_5_a_character_of_level_0_is_not_bought_back():
    deck = [list(row) for row in Options().deck]
    deck[NAMED["Street Urchin"] - 1][2] = 0
    s = table(thief=coppers(3), discards=["Street Urchin"], options={"deck": tuple(map(tuple, deck))})
    at(s, Stage.END, THIEF)
    assert s.phase == Phase.DRAW  # nothing to buy: the next turn has begun


def test_T_3_5_each_player_checks_then_buys_before_the_next_one_checks():
    s = table(watch=coppers(1), merchant=coppers(11), discards=["Patrol Officer"])
    at(s, Stage.END)
    assert (
        s.phase == Phase.BUY and waiting_seats(s) == [W] and not s.over
    )  # the Merchant has 11, but checks after the Watch
    choose(s, W, NOTHING)
    assert s.over and s.result[M] == WHOLE_WIN


# --- T-4 Victory -------------------------------------------------------------


def locked_up(count):
    return (["Street Urchin"] * 8 + ["Pickpocket"] * 6)[:count]


@pytest.mark.parametrize(("count", "won"), [(6, False), (7, True), (8, True)])
def test_T_4_1_the_watch_wins_with_seven_captured_thieves(count, won):
    s = at(table(captured=locked_up(count)), Stage.END)
    assert bool(s.over) == won and bool(s.result[W]) == won


@pytest.mark.parametrize(("extra", "won"), [(-1, False), (0, True), (1, True)])
def test_T_4_2_the_merchant_wins_with_eleven_and_the_levels_of_the_captured(extra, won):
    """Two Urchins (1 each) and a Burglar (2): 11 + 4 = 15 in value, not in number of cards."""
    purse = [DIAMOND, GOLD, GOLD, SILVER, SILVER, *coppers(1 + extra)]  # 15 + extra
    s = at(table(merchant=purse, captured=["Street Urchin", "Street Urchin", "Burglar"]), Stage.END)
    assert bool(s.over) == won and (s.result[M] == WHOLE_WIN) == won


@pytest.mark.parametrize(("infamy", "won"), [(8, False), (9, True)])
def test_T_4_3_the_thief_wins_with_nine_infamy(infamy, won):
    s = at(table(infamy=infamy), Stage.END)
    assert bool(s.over) == won and (s.result[T] == WHOLE_WIN) == won


def test_T_4_4_when_watch_and_thief_both_qualify_the_watch_wins():
    s = at(table(captured=locked_up(7), infamy=9), Stage.END)
    assert s.over and s.result == [WHOLE_WIN, 0, 0]
    assert told(s, News.WON) == [(W, WATCH, s.turn, 0)]


def test_T_4_4_victory_is_checked_only_in_the_players_own_end_step():
    s = table(captured=locked_up(7), infamy=9, merchant=coppers(30))
    at(s, Stage.DRAW)
    assert not s.over and waiting_seats(s) == [W]


def test_T_4_5_after_turn_60_the_game_ends_with_no_winner():
    s = table()
    s.turn = 60
    at(s, Stage.END)
    assert s.over and s.result == [0, 0, 0] and told(s, News.NOBODY_WON) == [(60, 0, 0, 0)]
    s = table()
    s.turn = 59
    at(s, Stage.END)
    assert not s.over and s.turn == 60


# --- T-7 Rulings of play -----------------------------------------------------


def test_T_7_1_a_payment_without_choice_is_made_by_itself():
    s = paying(COPPER, COPPER, COPPER)
    assert paid(s) == coppers(3)


def test_T_7_1_with_several_ways_treasures_are_put_down_from_high_to_low():
    s = paying(COPPER, COPPER, COPPER, SILVER)
    assert cards_offered(s, T) == [COPPER, SILVER]
    choose(s, T, COPPER)  # then only coppers can follow
    assert paid(s) == coppers(3)


def test_T_7_2_watch_and_thief_alone_know_whom_undercover_agent_is_about_to_capture():
    s = table(thief=["Pickpocket", "Forger", "Smoke Bomb"])
    effects(s, watch="Undercover Agent")
    choose(s, W, "Forger")
    views = [GAME.layout.observe_plain(s, seat) for seat in range(3)]
    assert [view.my_target for view in views] == [kind("Forger"), 0, kind("Forger")]
    assert {item.to for item in s.news if item.what == News.YOUR_AIM} == {W, T}
    s.news.clear()
    choose(s, T, Act(SMOKE))
    public = [item for item in s.news if item.to in (EVERYONE, M)]
    assert all(NAMED["Forger"] not in item[2:] for item in public)
    assert s.knows[W][THIEF][kind("Forger")] == 1 and s.knows[M][THIEF][kind("Forger")] == 0


def test_T_7_2_a_captured_target_is_seen_by_all():
    s = table(thief=["Pickpocket", "Forger"])
    effects(s, watch="Undercover Agent")
    choose(s, W, "Forger")
    choose(s, T, NOTHING)
    assert (NAMED["Forger"], 1, 0, 0) in told(s, News.CAPTURED)


def test_T_7_3_the_fox_turned_down_is_not_asked_about_again():
    s = table(heroes=(Hero.ANTONIA, Hero.JACOPO, Hero.FOX))
    effects(s, watch="Patrol Officer", thief="Street Urchin")
    choose(s, T, Act(FOX))
    assert s.hero_up[THIEF] == Hero.NONE and s.hero_hidden[THIEF] == 0
    at(s, Stage.DRAW, THIEF)
    assert s.phase == Phase.DRAW
    for seat in (W, M):
        assert GAME.imagined(seen_by(s, seat), 3).hero[T] == Hero.FOX  # everyone knows which card lies there


def test_T_7_4_grand_bargain_cannot_choose_a_grand_bargain_whatever_its_level():
    deck = [list(row) for row in Options().deck]
    deck[NAMED[GRAND_BARGAIN] - 1][2] = 1
    s = table(discards=[GRAND_BARGAIN, "Lawsuit"], options={"deck": tuple(map(tuple, deck))})
    effects(s, merchant=GRAND_BARGAIN)
    assert told(s, News.NO_EFFECT) == [(NAMED[GRAND_BARGAIN], 0, 0, 0)]
    assert sorted(discard(s, M)) == [GRAND_BARGAIN, GRAND_BARGAIN, "Lawsuit"]


def test_T_7_5_a_house_rule_lets_pickpocket_name_only_someone_who_can_be_robbed():
    strict = {"any_victim": 0}
    s = effects(table(watch=[COPPER], merchant=[COPPER], options=strict), thief="Pickpocket")
    assert legal(s, T) == [ROB_FROM + WATCH, ROB_FROM + MERCHANT]
    s = effects(table(watch=[], merchant=[COPPER], options=strict), thief="Pickpocket")
    assert treasures(s, T) == [COPPER] and not treasures(s, M)  # unasked
    s = effects(table(watch=[COPPER], merchant=[COPPER], options=strict), merchant="Bodyguard", thief="Pickpocket")
    assert treasures(s, T) == [COPPER] and not treasures(s, W)
    s = effects(table(options=strict), thief="Pickpocket")
    assert told(s, News.NO_EFFECT) == [(NAMED["Pickpocket"], 0, 0, 0)] and s.infamy == 1


def test_T_7_6_cards_under_an_empty_deck_are_drawn_the_first_one_first():
    s = table(watch=[COPPER], discards=["Lawsuit", "Insurance"])
    s.deck[MERCHANT][:] = [0] * 11
    s.deck[MERCHANT][kind(GRAND_BARGAIN) - 4] = 1  # for the table
    s.deck_size[MERCHANT] = 1
    effects(s, merchant=GRAND_BARGAIN)
    choose(s, M, "Insurance")
    assert s.under[:2] == [kind("Insurance"), kind("Lawsuit")] and s.deck_size[MERCHANT] == 2
    at(s, Stage.DRAW, MERCHANT)
    choose(s, M, OWN)
    assert told(s, News.DREW_BOTTOM) == [(MERCHANT, NAMED["Insurance"], 0, 0)]
    assert s.knows[W][MERCHANT][kind("Insurance")] == s.knows[T][MERCHANT][kind("Insurance")] == 1
    choose(s, M, OWN)
    assert [card for card in hand(s, M) if isinstance(card, str)] == ["Insurance", "Lawsuit"]
    assert s.deck_size[MERCHANT] == s.under_size == 0 and not any(s.under)


def test_T_7_7_of_several_threatened_thieves_the_thief_is_asked_in_the_order_of_the_list():
    s = table(thief=["Smoke Bomb"], discards=["Forger", "Street Urchin"])
    effects(s, watch="Magistrate")
    choose(s, W, "Forger", "Street Urchin")
    assert told(s, News.THREATENED) == [(NAMED["Street Urchin"], 0, 0, 0)]
    choose(s, T, NOTHING)
    assert told(s, News.THREATENED)[-1] == (NAMED["Forger"], 0, 0, 0)
    choose(s, T, Act(SMOKE))
    assert captured(s) == ["Street Urchin"]


@pytest.mark.parametrize("held", [["Smoke Bomb"], ["Decoy"]])
def test_T_7_8_having_no_smoke_bomb_and_declining_look_alike(held):
    s = table(thief=held, treasure_deck=coppers(5))
    effects(s, watch="Patrol Officer", thief="Street Urchin")
    assert s.phase == Phase.REACT and waiting_seats(s) == [T]
    assert legal(s, T) == ([DECLINE, SMOKE] if held == ["Smoke Bomb"] else [DECLINE])
    s.news.clear()
    choose(s, T, NOTHING)
    heard = [item.what for item in s.news if item.to in (EVERYONE, M)]
    assert heard[:3] == [News.NOT_SAVED, News.CAPTURED, News.DREW_TREASURE]


def test_T_7_8_what_the_others_receive_is_the_same_byte_for_byte():
    """Two games that differ only in a Smoke Bomb: views, waits and news of Watch and Merchant are equal."""
    heard = []
    for held in ("Smoke Bomb", "Decoy"):
        s = table(thief=[held], treasure_deck=coppers(5))
        effects(s, watch="Patrol Officer", thief="Street Urchin")
        said = [(s.waiting, [seen_by(s, seat).tobytes() for seat in (W, M)])]
        choose(s, T, NOTHING)
        said.append((s.waiting, [seen_by(s, seat).tobytes() for seat in (W, M)]))
        heard.append((said, [item for item in s.news if item.to in (EVERYONE, W, M)]))
    assert heard[0] == heard[1]


def test_T_7_8_the_owner_of_a_hidden_hero_is_asked_in_every_phase():
    s = table(heroes=(Hero.ANTONIA, Hero.JACOPO))  # the Thief's is hidden
    asked = []
    for stage in (Stage.DRAW, Stage.PLAY, Stage.PAYMENT, Stage.EFFECT, Stage.END):
        at(s, stage, THIEF)
        asked.append((s.phase, waiting_seats(s), legal(s, T)))
        s.waiting = 0
    assert asked == [(Phase.REVEAL, [T], [DECLINE, REVEAL])] * 5


def test_T_7_9_who_has_a_character_to_buy_and_any_treasure_is_asked():
    s = at(table(merchant=[COPPER], discards=["Banker"]), Stage.END, MERCHANT)  # costs 3
    assert s.phase == Phase.BUY and legal(s, M) == [DECLINE]
    s = at(table(merchant=[], discards=["Banker"]), Stage.END, MERCHANT)
    assert s.phase == Phase.DRAW  # everyone sees that the Merchant cannot
    s = at(table(thief=[], discards=["Street Urchin"]), Stage.END, THIEF)
    assert s.phase == Phase.BUY and cards_offered(s, T) == [kind("Street Urchin")]  # costs nothing


def test_T_7_9_prices_are_those_of_the_turn():
    s = table(curfew=[1, 0])
    assert price(s, THIEF, NAMED["Street Urchin"]) == 1
    at(s, Stage.END, THIEF)
    assert s.phase == Phase.DRAW
