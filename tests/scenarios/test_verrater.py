"""Verräter, clause by clause. Seats 0 to 3 are North, East, South, West; North is first unless a test says so."""

import pytest

from tests.scenarios.position import position, put, told
from tripot.core.game import WHOLE_WIN
from tripot.core.options import BadOption, check_seats, parse
from tripot.games.verrater import GAME
from tripot.games.verrater.actions import CONFLICT, DONE, DROP, ESTATE, KEEP, PLAY, TURN_OVER, News
from tripot.games.verrater.cards import (
    ALL_ROLES,
    CONFLICT_VALUE,
    EAGLE,
    LAND_POINTS,
    ROSE,
    SUPPLY_COPIES,
    SUPPLY_VALUE,
    Building,
    Land,
    Role,
)
from tripot.games.verrater.effects import (
    count_buildings,
    discard_played,
    draw_cards,
    income,
    resolve_conflict,
    resolve_draw,
    resolve_reveal,
    resolve_strategist,
    score_roles,
)
from tripot.games.verrater.phases import (
    apply,
    ask,
    ask_discard,
    end_game,
    end_round,
    go_on,
    one_house_holds_all,
    settle,
    share_victory,
    start_draft,
    start_round,
)
from tripot.games.verrater.state import Phase, Then, TieBreak

NORTH, EAST, SOUTH, WEST = range(4)
TWO, THREE, FOUR, FIVE, SIX, EIGHT = range(6)  # kinds of supply card
NO_CARDS = [0] * 6
DIPLOMAT_2, DIPLOMAT_5, TRAITOR, STRATEGIST = Role.DIPLOMAT_2, Role.DIPLOMAT_5, Role.TRAITOR, Role.STRATEGIST
BUILDER, FARMER = Role.BUILDER, Role.FARMER


def table(seats=4, options=None, **fields):
    return position(GAME, seats, {"first": 1, **(options or {})}, **fields)


def legal(s, seat):
    return GAME.legal_actions(s, seat)


def bag(*kinds):
    """Supply cards by kind: bag(FIVE, FIVE) is two fives."""
    return [kinds.count(kind) for kind in range(6)]


def at_the_river(**fields):
    """An Eagle river (5) in slot 0 against a Rose city (15) in slot 1; North and South serve the Eagle."""
    s = table(
        land=[Land.RIVER, Land.CITY],
        holder=[EAGLE, ROSE],
        contested=[0, 1],
        house=[EAGLE, ROSE, EAGLE, ROSE],
        phase=Phase.SUPPLY,
        round=1,
    )
    put(s, **fields)
    return s


def with_hands(s, *hands):
    """Gives the seats these hands and puts all other cards into the draw pile; nothing is known about them."""
    for seat, hand in enumerate(hands):
        put(s, hand=[*s.hand[:seat], hand])
        s.hand_size[seat] = sum(hand)
        s.held_over[seat] = sum(hand)
        put(s, known=[*s.known[:seat], NO_CARDS], kept_over=[*s.kept_over[:seat], hand])
    left = [SUPPLY_COPIES[kind] - sum(hand[kind] for hand in hands) for kind in range(6)]
    put(s, pile=left, fresh=left, older=[sum(hand[kind] for hand in hands) for kind in range(6)], discard=NO_CARDS)
    s.pile_size = sum(left)
    return s


# --- V-0 Components ----------------------------------------------------------


def test_V_0_1_there_are_twelve_lands_two_of_each_kind():
    s = table()
    assert sorted(s.land) == sorted(2 * [1, 2, 3, 4, 5, 6])


def test_V_0_2_conflict_values_run_from_the_moor_to_the_city():
    values = {land.name: CONFLICT_VALUE[land] for land in Land if land}
    assert values == {"MOOR": 0, "MEADOW": 3, "RIVER": 5, "FOREST": 7, "VILLAGE": 10, "CITY": 15}


def test_V_0_3_points_fall_with_the_number_of_winners():
    assert LAND_POINTS[Land.MEADOW - 1] == (4, 3, 2, 0)
    assert LAND_POINTS[Land.RIVER - 1][:2] == (5, 4)
    assert LAND_POINTS[Land.CITY - 1][2] == 4
    assert all(row[3] == 0 for row in LAND_POINTS)


def test_V_0_3_a_house_rule_may_give_another_table():
    rows = [[1, 1, 1, 1]] * 6
    s = table(options={"land_points": tuple(map(tuple, rows))})
    put(s, land=[Land.RIVER, Land.CITY], holder=[EAGLE, ROSE], contested=[0, 1], house=[EAGLE, EAGLE, EAGLE, EAGLE])
    put(s, played=[bag(EIGHT, SIX)])  # 5 + 14 against 15
    resolve_conflict(s)
    assert s.points == [1, 1, 1, 1]


def test_V_0_3_a_table_of_the_wrong_size_is_refused_by_name():
    with pytest.raises(BadOption, match=r"land_points.*6 by 4"):
        parse(GAME.options, {"land_points": "[[1, 2], [3, 4]]"})


def test_V_0_3_three_players_in_one_house_score_the_third_column_in_a_game_of_three_too():
    s = table(seats=3, land=[Land.CITY, Land.MOOR], holder=[EAGLE, ROSE], contested=[0, 1], house=[EAGLE, EAGLE, EAGLE])
    resolve_conflict(s)
    assert s.points[:3] == [1, 1, 1]  # moor, column III


def test_V_0_4_there_are_23_supply_cards():
    assert dict(zip(SUPPLY_VALUE, SUPPLY_COPIES, strict=True)) == {2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1}
    assert sum(SUPPLY_COPIES) == 23


def test_V_0_5_six_roles_and_three_buildings_a_player():
    s = table()
    assert sum(1 << role for role in (1, 2, 3, 4, 5, 6)) == ALL_ROLES
    assert s.unbuilt == [3, 3, 3, 3]
    assert s.house == [EAGLE, ROSE, EAGLE, ROSE]  # allegiance is public from the start


# --- V-1 Set-up --------------------------------------------------------------


def test_V_1_1_houses_alternate_from_the_first_players_eagle():
    assert table(options={"first": 2}).house == [ROSE, EAGLE, ROSE, EAGLE]
    assert table(options={"first": 3}, seats=3).house[:3] == [ROSE, EAGLE, EAGLE]  # South Eagle, North Rose, East Eagle


def test_V_1_1_the_first_player_is_drawn_at_random():
    firsts = [GAME.new_state(GAME.options(), 4, seed).first for seed in range(400)]
    assert {seat: firsts.count(seat) > 60 for seat in range(4)} == {0: True, 1: True, 2: True, 3: True}


def test_V_1_1_a_first_player_beyond_the_table_is_refused():
    with pytest.raises(BadOption, match=r"first = 9.*3 seats"):
        check_seats(GAME.options(first=9), 3)


def test_V_1_2_one_card_of_each_kind_shows_the_eagle_and_its_twin_the_rose():
    s = table()
    eagles = sorted(land for land, holder in zip(s.land, s.holder, strict=True) if holder == EAGLE)
    assert eagles == [1, 2, 3, 4, 5, 6]


def test_V_1_2_the_circle_is_shuffled():
    assert table(seed=1).land != table(seed=2).land


def test_V_1_3_each_player_puts_an_estate_under_a_free_land_of_either_house_from_the_first_player():
    s = table(options={"first": 2})
    for seat, slot in ((EAST, 5), (SOUTH, 6), (WEST, 7), (NORTH, 8)):
        assert s.waiting == 1 << seat
        assert len(legal(s, seat)) == 12 - (slot - 5)
        apply(s, seat, ESTATE + slot)
    assert [s.owner[slot] for slot in (5, 6, 7, 8)] == [EAST, SOUTH, WEST, NORTH]
    assert all(s.building[slot] == Building.ESTATE for slot in (5, 6, 7, 8))
    assert s.unbuilt == [2, 2, 2, 2]
    assert s.phase == Phase.CONFLICT


def test_V_1_3_a_land_with_an_estate_takes_no_other():
    s = table()
    apply(s, NORTH, ESTATE + 4)
    assert ESTATE + 4 not in legal(s, EAST)


def test_V_1_4_everyone_starts_with_three_four_five_and_the_rest_is_the_pile():
    four, three = table(), table(seats=3)
    assert four.hand == [bag(THREE, FOUR, FIVE)] * 4
    assert (four.pile_size, sum(four.pile)) == (11, 11)
    assert (three.pile_size, three.hand_size[:3]) == (14, [3, 3, 3])


def test_V_1_5_the_player_to_the_left_of_the_first_holds_the_strategy_card():
    assert table().strategy == EAST
    assert table(options={"first": 4}).strategy == NORTH


# --- V-2 The round -----------------------------------------------------------


def test_V_2_1_the_conflict_lies_between_neighbours_of_different_houses():
    s = table(holder=[EAGLE] * 6 + [ROSE] * 6, strategy=SOUTH)
    start_round(s)
    assert legal(s, SOUTH) == [CONFLICT + 5, CONFLICT + 11]  # the circle closes: slot 12 meets slot 1
    apply(s, SOUTH, CONFLICT + 11)
    assert s.contested == [0, 11]


def test_V_2_1_only_the_holder_of_the_strategy_card_chooses():
    s = table(strategy=WEST)
    start_round(s)
    assert s.waiting == 1 << WEST
    assert legal(s, NORTH) == []


def test_V_2_2_one_role_is_put_aside_and_the_first_player_is_handed_five():
    s = table()
    start_draft(s)
    assert s.handed[NORTH] == ALL_ROLES - (1 << s.set_aside)
    assert len(legal(s, NORTH)) == 5


def test_V_2_2_each_keeps_one_and_hands_the_rest_left_and_one_is_left_over():
    s = at_the_river(set_aside=FARMER, handed=[ALL_ROLES - (1 << FARMER)])
    ask(s, Phase.DRAFT, NORTH)
    for seat, role, choices in ((NORTH, TRAITOR, 5), (EAST, BUILDER, 4), (SOUTH, DIPLOMAT_5, 3), (WEST, DIPLOMAT_2, 2)):
        assert len(legal(s, seat)) == choices
        apply(s, seat, KEEP + role)
    assert s.role_kept == [TRAITOR, BUILDER, DIPLOMAT_5, DIPLOMAT_2]
    assert s.middle == 1 << STRATEGIST
    assert s.phase == Phase.SUPPLY


def test_V_2_2_the_draft_of_three_leaves_two_cards():
    s = table(seats=3, set_aside=TRAITOR, handed=[ALL_ROLES - (1 << TRAITOR)])
    ask(s, Phase.DRAFT, NORTH)
    for seat, role in ((NORTH, STRATEGIST), (EAST, BUILDER), (SOUTH, FARMER)):
        apply(s, seat, KEEP + role)
    assert s.middle == (1 << DIPLOMAT_2) + (1 << DIPLOMAT_5)


def test_V_2_2_nobody_is_told_which_role_another_keeps():
    s = table(set_aside=FARMER, handed=[ALL_ROLES - (1 << FARMER)])
    ask(s, Phase.DRAFT, NORTH)
    apply(s, NORTH, KEEP + TRAITOR)
    whispered = [item.to for item in s.news if item.what == News.YOUR_ROLE]
    assert whispered == [NORTH]
    assert told(s, News.ROLE_KEPT) == [(NORTH, 0, 0, 0)]


def test_V_2_3_each_plays_up_to_five_cards_face_up_in_order():
    s = with_hands(at_the_river(), bag(TWO, TWO, TWO, TWO, TWO, SIX), bag(THREE), bag(FOUR), bag(FIVE))
    ask(s, Phase.SUPPLY, NORTH)
    for _ in range(5):
        assert s.waiting == 1 << NORTH
        apply(s, NORTH, PLAY + TWO)
    assert s.played[NORTH] == bag(TWO, TWO, TWO, TWO, TWO)
    assert (s.hand[NORTH], s.hand_size[NORTH]) == (bag(SIX), 1)
    assert s.waiting == 1 << EAST  # five is the most


def test_V_2_3_a_player_may_add_nothing_and_one_without_cards_is_passed_over():
    s = with_hands(at_the_river(), bag(TWO), NO_CARDS, bag(FOUR), bag(FIVE))
    ask(s, Phase.SUPPLY, NORTH)
    assert legal(s, NORTH) == [DONE, PLAY + TWO]
    apply(s, NORTH, DONE)
    assert s.waiting == 1 << SOUTH


def test_V_2_3_the_order_goes_on_past_the_last_seat():
    s = with_hands(at_the_river(first=SOUTH), bag(TWO), bag(THREE), bag(FOUR), bag(FIVE))
    ask(s, Phase.SUPPLY, SOUTH)
    asked = []
    while s.phase == Phase.SUPPLY:
        seat = s.waiting.bit_length() - 1
        asked.append(seat)
        apply(s, seat, DONE)
    assert asked == [SOUTH, WEST, NORTH, EAST]


def test_V_2_3_it_is_public_how_many_and_which():
    s = with_hands(at_the_river(), bag(TWO, SIX), bag(TWO), bag(FOUR), bag(FIVE))
    ask(s, Phase.SUPPLY, NORTH)
    apply(s, NORTH, PLAY + SIX)
    seen = GAME.layout.observe_plain(s, WEST)
    assert seen.played[NORTH] == bag(SIX)
    assert seen.hand_size[NORTH] == 1


def test_V_2_4_all_roles_are_shown_and_the_traitor_changes_house_and_stays():
    s = at_the_river(role_kept=[TRAITOR, BUILDER, FARMER, STRATEGIST])
    resolve_reveal(s)
    assert s.role_shown == [TRAITOR, BUILDER, FARMER, STRATEGIST]
    assert s.house == [ROSE, ROSE, EAGLE, ROSE]
    put(s, role_kept=[FARMER, BUILDER, DIPLOMAT_5, STRATEGIST])
    resolve_reveal(s)
    assert s.house[NORTH] == ROSE  # until North is Traitor again


def test_V_2_5_strength_is_land_supply_and_diplomats_and_a_traitors_cards_count_for_the_new_house():
    s = at_the_river(role_kept=[TRAITOR, DIPLOMAT_2, DIPLOMAT_5, BUILDER])
    put(s, played=[bag(EIGHT), bag(TWO), bag(THREE, FOUR), NO_CARDS])
    resolve_reveal(s)
    resolve_conflict(s)
    assert s.strength[EAGLE] == 5 + (3 + 4) + 5  # river, South's cards, Diplomat 5
    assert s.strength[ROSE] == 15 + 8 + 2 + 2  # city, the traitor's 8, East's 2, Diplomat 2


def test_V_2_6_the_winners_score_for_the_losers_land_and_it_flips():
    s = at_the_river(played=[bag(EIGHT), NO_CARDS, bag(FIVE), NO_CARDS])  # 5 + 13 against 15
    resolve_conflict(s)
    assert s.points == [6, 0, 6, 0]  # city, two winners
    assert s.holder[:2] == [EAGLE, EAGLE]


def test_V_2_7_a_tie_moves_no_land_and_pays_no_house():
    s = at_the_river(played=[bag(FIVE, FIVE), NO_CARDS, NO_CARDS, NO_CARDS])  # 5 + 10 against 15
    resolve_conflict(s)
    assert s.holder[:2] == [EAGLE, ROSE]
    assert s.points == [0, 0, 0, 0]
    assert told(s, News.HOUSES_EVEN) == [(15, 0, 0, 0)]


@pytest.mark.parametrize("cards", [bag(FIVE, FIVE), NO_CARDS, bag(FIVE, FIVE, TWO)], ids=["draw", "lose", "win"])
def test_V_2_8_traitor_and_strategist_are_paid_win_lose_or_draw(cards):
    s = at_the_river(role_shown=[STRATEGIST, BUILDER, FARMER, TRAITOR], played=[cards])
    before = list(s.points)
    score_roles(s)
    assert [after - old for after, old in zip(s.points, before, strict=True)] == [2, 0, 0, 1]


def test_V_2_8_a_house_rule_pays_the_strategist_one():
    s = position(GAME, 4, {"first": 1, "strategist_points": 1}, role_shown=[STRATEGIST, BUILDER, FARMER, TRAITOR])
    score_roles(s)
    assert s.points == [1, 0, 0, 1]


def test_V_2_9_a_house_without_players_can_still_win_and_nobody_scores():
    s = at_the_river(house=[EAGLE, EAGLE, EAGLE, EAGLE])  # 5 against a city that nobody serves
    resolve_conflict(s)
    assert s.holder[:2] == [ROSE, ROSE]
    assert s.points == [0, 0, 0, 0]


def test_V_2_10_the_builder_puts_an_estate_turns_a_card_over_or_does_nothing():
    s = table(building=[Building.ESTATE, Building.ESTATE], owner=[NORTH, EAST], unbuilt=[2, 2, 3, 3])
    ask(s, Phase.BUILD, NORTH)
    assert legal(s, NORTH) == [DONE, *range(ESTATE + 2, ESTATE + 12), TURN_OVER]


def test_V_2_10_never_more_than_two_offices_but_three_estates_are_allowed():
    two = [Building.OFFICE, Building.OFFICE, Building.ESTATE]
    s = table(building=two, owner=[NORTH] * 3, unbuilt=[0])
    ask(s, Phase.BUILD, NORTH)
    assert legal(s, NORTH) == [DONE, TURN_OVER, TURN_OVER + 1]  # the third may not become an office
    apply(s, NORTH, TURN_OVER)
    assert count_buildings(s, NORTH, Building.ESTATE) == 2
    three = table(building=[Building.ESTATE, Building.ESTATE], owner=[NORTH] * 2, unbuilt=[1])
    ask(three, Phase.BUILD, NORTH)
    apply(three, NORTH, ESTATE + 7)
    assert count_buildings(three, NORTH, Building.ESTATE) == 3


def test_V_2_10_an_office_is_never_played_from_the_hand_and_without_cards_nothing_is_put_down():
    s = table(building=[Building.ESTATE], owner=[NORTH], unbuilt=[1])
    ask(s, Phase.BUILD, NORTH)
    apply(s, NORTH, ESTATE + 3)
    assert s.building[3] == Building.ESTATE
    spent = table(building=[Building.ESTATE], owner=[NORTH], unbuilt=[0])
    ask(spent, Phase.BUILD, NORTH)
    assert legal(spent, NORTH) == [DONE, TURN_OVER]


def test_V_2_10_without_a_builder_the_round_goes_on_by_itself():
    s = at_the_river(role_kept=[FARMER, STRATEGIST, DIPLOMAT_2, DIPLOMAT_5])
    go_on(s, Then.CONFLICT)
    settle(s)
    assert s.phase == Phase.CONFLICT and s.round == 2
    assert s.hand_size == [3 + 3, 3, 3 + 1, 3]


def test_V_2_11_the_strategist_takes_the_strategy_card_and_otherwise_its_holder_keeps_it():
    s = table(strategy=EAST, role_shown=[BUILDER, FARMER, STRATEGIST, TRAITOR])
    resolve_strategist(s)
    assert s.strategy == SOUTH
    put(s, role_shown=[BUILDER, FARMER, DIPLOMAT_2, TRAITOR])
    resolve_strategist(s)
    assert s.strategy == SOUTH


def test_V_2_12_played_cards_go_to_the_discard_pile():
    s = table(played=[bag(TWO, FIVE), bag(FIVE)])
    discard_played(s)
    assert s.discard == bag(TWO, FIVE, FIVE)
    assert s.played == [NO_CARDS] * 4


def estates_for(s, seat, *slots):
    for slot in slots:
        s.building[slot], s.owner[slot] = Building.ESTATE, seat


def test_V_2_13_farmer_first_then_estates_from_the_first_player_last_diplomat_2():
    s = table(holder=[EAGLE] * 6 + [ROSE] * 6, role_shown=[BUILDER, DIPLOMAT_2, TRAITOR, FARMER], first=SOUTH)
    put(s, house=[EAGLE, ROSE, EAGLE, ROSE])
    estates_for(s, NORTH, 0, 1)
    estates_for(s, EAST, 6)
    estates_for(s, SOUTH, 2, 7)  # one under a Rose land draws nothing
    estates_for(s, WEST, 8)
    s.news.clear()
    resolve_draw(s)
    drew = [(seat, count) for seat, count, *_ in told(s, News.DREW)]
    assert drew == [(WEST, 3), (SOUTH, 1), (NORTH, 2), (EAST, 1), (EAST, 1)]


def test_V_2_13_the_farmer_draws_nothing_for_estates_and_offices_draw_nothing():
    s = table(holder=[EAGLE] * 12, role_shown=[FARMER, BUILDER, TRAITOR, STRATEGIST], house=[EAGLE] * 4)
    estates_for(s, NORTH, 0, 1, 2)
    s.building[5], s.owner[5] = Building.OFFICE, EAST
    resolve_draw(s)
    assert s.hand_size == [3 + 3, 3, 3, 3]


def test_V_2_13_what_the_builder_did_this_round_counts_and_so_does_a_house_just_changed():
    s = table(holder=[EAGLE] * 6 + [ROSE] * 6, role_shown=[BUILDER, TRAITOR, DIPLOMAT_5, STRATEGIST])
    put(s, house=[EAGLE, EAGLE, EAGLE, ROSE])  # East has just betrayed the Rose
    estates_for(s, EAST, 3, 9)
    ask(s, Phase.BUILD, NORTH)
    apply(s, NORTH, ESTATE + 4)
    assert s.hand_size[NORTH] == 3 + 1
    assert s.hand_size[EAST] == 3 + 1  # the estate under an Eagle land
    assert income(s, EAST) == 1


def test_V_2_14_an_empty_pile_is_made_anew_only_when_a_card_is_needed():
    s = with_hands(table(), bag(TWO), bag(THREE), bag(FOUR), bag(FIVE))
    put(s, pile=bag(EIGHT), fresh=bag(EIGHT), pile_size=1, discard=bag(TWO, TWO, SIX))
    draw_cards(s, NORTH, 1)
    assert (s.pile_size, s.discard) == (0, bag(TWO, TWO, SIX))  # not yet
    draw_cards(s, NORTH, 1)
    assert (s.pile_size, s.discard) == (2, NO_CARDS)
    assert told(s, News.RESHUFFLED) == [(3, 0, 0, 0)]


def test_V_2_14_when_both_piles_are_empty_the_draw_is_lost():
    s = with_hands(table(), bag(TWO), bag(THREE), bag(FOUR), bag(FIVE))
    put(s, pile=bag(EIGHT), fresh=bag(EIGHT), pile_size=1)
    draw_cards(s, NORTH, 3)
    assert s.hand_size[NORTH] == 2
    assert told(s, News.DRAW_LOST) == [(NORTH, 2, 0, 0)]


def test_V_2_15_whoever_holds_more_than_six_discards_down_to_six_in_order():
    many = bag(TWO, TWO, TWO, TWO, TWO, THREE, THREE)
    s = with_hands(table(first=EAST), many, bag(FOUR), NO_CARDS, bag(FIVE, FIVE, FIVE, FIVE, FIVE, SIX, SIX, EIGHT))
    s.round = 1
    ask_discard(s)
    assert s.waiting == 1 << WEST  # from the first player, going left
    assert legal(s, WEST) == [DROP + FIVE, DROP + SIX, DROP + EIGHT]
    apply(s, WEST, DROP + FIVE)
    assert s.waiting == 1 << WEST  # each finishes before the next
    apply(s, WEST, DROP + FIVE)
    apply(s, NORTH, DROP + THREE)
    assert s.hand_size == [6, 1, 0, 6]
    assert s.discard == bag(FIVE, FIVE, THREE)
    assert s.phase == Phase.CONFLICT


def test_V_2_15_diplomat_2_at_the_limit_draws_first_and_discards_after():
    hand = bag(TWO, TWO, TWO, TWO, TWO, THREE)
    s = with_hands(table(), hand, NO_CARDS, NO_CARDS, NO_CARDS)
    put(s, role_shown=[DIPLOMAT_2, BUILDER, TRAITOR, STRATEGIST], round=1)
    go_on(s, Then.SUPPLY)
    settle(s)
    assert s.hand_size[NORTH] == 7
    assert s.waiting == 1 << NORTH and s.phase == Phase.DISCARD


def test_V_2_16_the_roles_go_back_and_the_first_player_card_passes_left():
    s = table(round=1, first=WEST, role_shown=[DIPLOMAT_2, BUILDER, TRAITOR, STRATEGIST], set_aside=FARMER)
    put(s, role_kept=list(s.role_shown), handed=[126] * 4, middle=8)
    end_round(s)
    assert s.first == NORTH
    assert (s.role_shown, s.role_kept, s.handed) == ([0] * 4, [0] * 4, [0] * 4)
    assert (s.set_aside, s.middle, s.round) == (0, 0, 2)


# --- V-3 End -----------------------------------------------------------------


@pytest.mark.parametrize(("seats", "last"), [(3, 9), (4, 8)])
def test_V_3_1_eight_rounds_with_four_nine_with_three(seats, last):
    s = table(seats=seats, round=last - 1)
    end_round(s)
    assert not s.over and s.round == last
    end_round(s)
    assert s.over and s.phase == Phase.OVER


def test_V_3_1_everyone_has_been_first_player_twice_with_four_and_three_times_with_three():
    for seats, times in ((3, 3), (4, 2)):
        s = table(seats=seats, round=0)
        firsts = []
        start_round(s)
        while not s.over:
            firsts.append(s.first)
            end_round(s)
        assert [firsts.count(seat) for seat in range(seats)] == [times] * seats


def test_V_3_1_the_last_round_stops_after_the_discard():
    many = bag(TWO, TWO, TWO, TWO, TWO, THREE, THREE)
    s = with_hands(table(round=8), many, NO_CARDS, NO_CARDS, NO_CARDS)
    ask_discard(s)
    assert not s.over
    apply(s, NORTH, DROP + TWO)
    assert s.over


def test_V_3_2_when_one_house_holds_all_lands_the_round_is_finished_and_then_the_game():
    s = with_hands(at_the_river(round=3), *[NO_CARDS] * 4)
    put(s, holder=[EAGLE, ROSE] + [EAGLE] * 10, land=[Land.CITY, Land.MOOR])
    put(s, role_kept=[FARMER, BUILDER, STRATEGIST, DIPLOMAT_2], house=[EAGLE, EAGLE, EAGLE, ROSE])
    go_on(s, Then.CONFLICT)
    settle(s)
    assert one_house_holds_all(s) and s.phase == Phase.BUILD  # the Builder still builds
    apply(s, EAST, DONE)
    assert s.hand_size[NORTH] == 3  # the Farmer still draws
    assert s.strategy == SOUTH  # the Strategist still takes the card
    assert s.over and told(s, News.ONE_HOUSE) == [(EAGLE, 0, 0, 0)]


def test_V_3_3_offices_times_cards_at_most_two_times_three_whoever_holds_the_land():
    s = with_hands(table(), bag(TWO, TWO, TWO, SIX), bag(TWO), NO_CARDS, bag(FIVE, FIVE))
    put(s, building=[Building.OFFICE] * 5 + [Building.ESTATE], owner=[NORTH, NORTH, EAST, EAST, SOUTH, WEST])
    put(s, holder=[EAGLE, ROSE, EAGLE, ROSE, EAGLE, ROSE])
    end_game(s)
    assert s.points == [2 * 3, 2 * 1, 1 * 0, 0 * 2]


def test_V_3_4_the_highest_total_wins_and_equals_share():
    s = table(points=[10, 12, 12, 7])
    share_victory(s)
    assert s.result == [0, WHOLE_WIN // 2, WHOLE_WIN // 2, 0]
    alone = table(points=[10, 12, 13, 7])
    share_victory(alone)
    assert alone.result == [0, 0, WHOLE_WIN, 0]


def test_V_3_4_a_house_rule_breaks_ties_by_supply_value_and_then_shares():
    by_supply = {"tie_break": TieBreak.SUPPLY}
    s = with_hands(table(options=by_supply), bag(EIGHT), bag(TWO, TWO, TWO), bag(FIVE, THREE), NO_CARDS)
    put(s, points=[9, 9, 9, 9])
    share_victory(s)
    assert s.result == [WHOLE_WIN // 2, 0, WHOLE_WIN // 2, 0]  # 8, 6, 8 and 0


def test_V_3_4_supply_never_outweighs_a_point():
    s = with_hands(
        table(options={"tie_break": TieBreak.SUPPLY}), bag(EIGHT, SIX, SIX, FIVE), NO_CARDS, NO_CARDS, NO_CARDS
    )
    put(s, points=[9, 10, 3, 0])
    share_victory(s)
    assert s.result == [0, WHOLE_WIN, 0, 0]


# --- Further cases -----------------------------------------------------------


def lone_rose(*rose_cards):
    """The third help card: one Rose (city, 15) against three Eagles (river, 5)."""
    return at_the_river(house=[EAGLE, EAGLE, EAGLE, ROSE], played=[bag(FIVE), bag(SIX), NO_CARDS, bag(*rose_cards)])


def test_third_help_card_a_lone_rose_wins_five_and_the_river_turns_rose():
    s = lone_rose(FIVE)  # 5 + 11 against 15 + 5
    resolve_conflict(s)
    assert s.points == [0, 0, 0, 5]
    assert s.holder[:2] == [ROSE, ROSE]


def test_third_help_card_three_eagles_win_four_each_and_the_city_turns_eagle():
    s = lone_rose()  # 5 + 11 against 15
    resolve_conflict(s)
    assert s.points == [4, 4, 4, 0]
    assert s.holder[:2] == [EAGLE, EAGLE]


def test_four_winners_of_one_house_score_nothing():
    s = at_the_river(house=[ROSE, ROSE, ROSE, ROSE])
    resolve_conflict(s)
    assert s.points == [0, 0, 0, 0]
    assert s.holder[:2] == [ROSE, ROSE]


def test_traitor_and_both_diplomats_in_one_conflict():
    s = at_the_river(role_kept=[DIPLOMAT_5, TRAITOR, BUILDER, DIPLOMAT_2], played=[NO_CARDS, bag(EIGHT)])
    resolve_reveal(s)
    resolve_conflict(s)
    score_roles(s)
    assert s.strength == [5 + 5 + 8, 15 + 2]  # East's 8 moves to the Eagle with East
    assert s.points == [4, 4 + 1, 4, 0]  # city, three winners, and the Traitor's own point
