"""What any game must keep to, tried on random games of every size and under every house rule."""

import dataclasses

import numpy as np
import pytest

import tripot
from tests.cases import Case, cases_of, every_case, every_game, every_table
from tests.conservation import CONSERVED
from tripot.core.game import Game, Stages
from tripot.core.options import as_json, as_record
from tripot.testing import contract, texts

SEEDS = (1, 2)


@every_case
@pytest.mark.parametrize("seed", SEEDS)
def test_every_state_packs_and_waits_for_those_who_can_decide(case: Case, seed: int) -> None:
    """Until the game is over somebody is waited for; whoever is can decide something, and nobody else can."""
    contract.waits_for_those_who_can_decide(case, seed)


@every_case
def test_legal_writes_only_ones_where_there_were_zeros(case: Case) -> None:
    contract.legal_writes_ones(case)


@every_case
def test_a_decision_and_one_thing_after_the_other_come_to_what_apply_does(case: Case) -> None:
    """`apply` is `decide`, then `settle_step` for as long as nobody is waited for; each step has a kind."""
    contract.stages_come_to_apply(case)


@every_table
def test_legal_and_observe_leave_the_state_as_it_is(case: Case) -> None:
    contract.looking_changes_nothing(case)


@every_table
def test_an_action_is_taken_without_looking_at_who_listens(case: Case) -> None:
    """Whether news is collected changes nothing in the game."""
    contract.listening_changes_nothing(case)


@every_case
def test_a_seed_deals_one_table_and_another_seed_another(case: Case) -> None:
    contract.seeds_deal(case)


@every_table
def test_seeds_deal_differently_for_eyes_too(case: Case) -> None:
    """Not only the generator differs: what is dealt does."""
    contract.seeds_deal_differently_for_eyes(case)


@every_case
def test_secret_choices_made_at_the_same_time_may_come_in_any_order(case: Case) -> None:
    """Where several seats owe a decision, one decision each leads to the same bytes in any order."""
    met = contract.orders_do_not_matter(case)
    usual = case.game.name in SIMULTANEOUS and not as_json(case.options)
    expected = usual or getattr(case.options, "heroes", False)
    assert met or not expected, "no simultaneous choice came up"


SIMULTANEOUS = {"pennies", "trok"}  # games known to have such choices, besides every choice of heroes


@every_case
@pytest.mark.parametrize("seed", SEEDS)
def test_cards_are_conserved(case: Case, seed: int) -> None:
    assert case.game.name in CONSERVED, "tests/conservation.py must say what this game's cards are"
    contract.cards_are_conserved(case, seed, CONSERVED[case.game.name])


@every_table
def test_encoded_views_are_numbers_from_0_to_1_and_every_one_has_a_meaning(case: Case) -> None:
    contract.encoded_views_are_features(case)


@every_case
def test_the_record_of_the_options_has_the_numbers_of_the_dataclass(case: Case) -> None:
    record = as_record(case.options)
    names = [f.name for f in dataclasses.fields(case.options)]
    assert len(record) == 1 and list(record.dtype.names or ()) == (names or ["none"])
    for name in names:
        assert np.array_equal(record[name][0], np.array(getattr(case.options, name)))


@every_game
def test_every_option_has_a_clause_and_a_sentence(game: Game) -> None:
    texts.every_option_has_a_clause(game)


@every_game
def test_the_option_cases_try_every_option(game: Game) -> None:
    """The tests above would say nothing about an option that no case sets."""
    names = {f.name for f in dataclasses.fields(game.options)}
    for seats in game.seats:
        default, *others = cases_of(game, seats)
        changed = {n for case in others for n in names if getattr(case.options, n) != getattr(default.options, n)}
        assert changed == names


@every_game
def test_a_game_declares_itself(game: Game) -> None:
    assert game.name.isascii() and game.name.islower()
    assert game.seats and list(game.seats) == sorted(set(game.seats))
    assert game.rules_version >= 1 and game.num_actions >= 1
    assert all(f.meaning for f in game.fields)


def test_the_usual_table_has_four_seats_or_the_most_there_are() -> None:
    game = next(iter(tripot.GAMES.values()))
    sizes = {(3, 4): 4, (2, 3, 4, 5, 6): 4, (2, 3): 3, (5, 6): 6, (2,): 2}
    assert {seats: dataclasses.replace(game, seats=seats).usual_seats for seats in sizes} == sizes


@every_game
def test_the_compiler_is_given_every_rule_function_by_its_name(game: Game) -> None:
    stages = {part.name for part in dataclasses.fields(Stages)}
    assert set(game.functions) == {"deal", "legal", "apply", "imagine"} | stages
    assert all(game.functions[name] is getattr(game, name) for name in ("deal", "legal", "apply", "imagine"))
    assert all(game.functions[name] is getattr(game.stages or Stages(game.apply), name) for name in stages)


@every_game
def test_every_field_says_what_it_means(game: Game) -> None:
    assert all(field.meaning.strip() for field in game.fields)
