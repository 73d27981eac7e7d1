"""What any game must keep to, tried on random games of every size and under every house rule."""

import dataclasses
import itertools
import random

import numpy as np
import pytest

from tests.cases import Case, cases_of, every_case, every_game, every_table, positions
from tests.conservation import CONSERVED
from tripot.core.game import STEP_KINDS, WHOLE_WIN, Game, waiting_seats
from tripot.core.layout import SPECTATOR
from tripot.core.options import as_json, as_record
from tripot.core.rulebook import option_texts, rule_book

SEEDS = (1, 2)


@every_case
@pytest.mark.parametrize("seed", SEEDS)
def test_every_state_packs_and_waits_for_those_who_can_decide(case: Case, seed: int) -> None:
    """Until the game is over somebody is waited for; whoever is can decide something, and nobody else can."""
    for s, _, _ in positions(case, seed):
        s.pack()
        assert s.seats == case.seats
        assert s.over in (0, 1) and (s.waiting == 0) == bool(s.over)
        assert 0 <= s.waiting < 1 << case.seats
        for seat in range(case.seats):
            assert bool(case.game.legal_actions(s, seat)) == (seat in waiting_seats(s)), f"seat {seat}"
        shares = s.result[: case.seats]
        assert sum(shares) == (WHOLE_WIN if s.over else 0) or (s.over and sum(shares) == 0), shares
        assert not any(s.result[case.seats :])


@every_case
def test_legal_writes_only_ones_where_there_were_zeros(case: Case) -> None:
    for s, _, _ in positions(case, 3):
        for seat in range(case.seats):
            mask = [0] * case.game.num_actions
            case.game.legal(s, seat, mask)
            assert len(mask) == case.game.num_actions and set(mask) <= {0, 1}


@every_case
def test_a_decision_and_one_thing_after_the_other_come_to_what_apply_does(case: Case) -> None:
    """`apply` is `decide`, then `settle_step` for as long as nobody is waited for; each step has a kind."""
    game, rules, kinds = case.game, case.game.functions, set()
    for s, seat, action in positions(case, 5):
        if seat < 0:
            break
        at_once, by_and_by = s.copy(), s.copy()
        game.apply(at_once, seat, action)
        rules["decide"](by_and_by, seat, action)
        while by_and_by.waiting == 0 and not by_and_by.over:
            kinds.add(rules["step_kind"](by_and_by))
            rules["settle_step"](by_and_by)
        assert by_and_by.pack() == at_once.pack()
    assert all(0 <= kind < STEP_KINDS for kind in kinds)


@every_table
def test_legal_and_observe_leave_the_state_as_it_is(case: Case) -> None:
    layout = case.game.layout
    for s, seat, action in positions(case, 4):
        if seat < 0:
            break
        after = s.copy()
        case.game.apply(after, seat, action)  # a state that nobody has looked at yet
        before = after.pack()
        record = np.frombuffer(bytearray(before), layout.state.dtype)
        for who in (*range(case.seats), SPECTATOR):
            layout.observe(record, who)
            layout.observe_plain(after, who)
            if who != SPECTATOR:
                case.game.legal_actions(after, who)
        assert after.pack() == before
        assert record.tobytes() == before


@every_table
def test_an_action_is_taken_without_looking_at_who_listens(case: Case) -> None:
    """Whether news is collected changes nothing in the game."""
    for s, seat, action in positions(case, 5):
        if seat < 0:
            break
        silent, heard = s.copy(), s.copy()
        heard.news = []
        case.game.apply(silent, seat, action)
        case.game.apply(heard, seat, action)
        assert silent.pack() == heard.pack() and silent.news is None


@every_case
def test_a_seed_deals_one_table_and_another_seed_another(case: Case) -> None:
    seeds = [0, 1, 2, 3, 2**32, 2**63, 2**64 - 1]
    dealt = [case.deal(seed).pack() for seed in seeds]
    assert dealt == [case.deal(seed).pack() for seed in seeds]
    assert len(set(dealt)) == len(seeds)


@every_table
def test_seeds_deal_differently_for_eyes_too(case: Case) -> None:
    """Not only the generator differs: what is dealt does."""
    luck = {f.name for f in case.game.fields if f.name.startswith("rng_")}
    dealt = set()
    for seed in range(20):
        s = case.deal(seed)
        dealt.add(str([getattr(s, f.name) for f in case.game.fields if f.name not in luck]))
    assert len(dealt) > 10


@every_case
def test_secret_choices_made_at_the_same_time_may_come_in_any_order(case: Case) -> None:
    """Where several seats owe a decision, one decision each leads to the same bytes in any order."""
    luck = random.Random(str(case))
    met = 0
    for s, _, _ in itertools.chain(positions(case, 6), positions(case, 7)):
        waiting = waiting_seats(s)
        if len(waiting) < 2:
            continue
        met += 1
        chosen = {seat: luck.choice(case.game.legal_actions(s, seat)) for seat in waiting}
        orders = list(itertools.permutations(waiting))
        ends = set()
        for order in luck.sample(orders, min(6, len(orders))):
            after = s.copy()
            for seat in order:
                assert chosen[seat] in case.game.legal_actions(after, seat), "another seat's choice took it away"
                case.game.apply(after, seat, chosen[seat])
            ends.add(after.pack())
        assert len(ends) == 1
    usual = case.game.name in SIMULTANEOUS and not as_json(case.options)
    expected = usual or getattr(case.options, "heroes", False)
    assert met or not expected, "no simultaneous choice came up"


SIMULTANEOUS = {"pennies", "trok"}  # games known to have such choices, besides every choice of heroes


@every_case
@pytest.mark.parametrize("seed", SEEDS)
def test_cards_are_conserved(case: Case, seed: int) -> None:
    assert case.game.name in CONSERVED, "tests/conservation.py must say what this game's cards are"
    for s, _, _ in positions(case, seed):
        for what, counted, wanted in CONSERVED[case.game.name](s):
            assert counted == wanted, what


@every_table
def test_encoded_views_are_numbers_from_0_to_1_and_every_one_has_a_meaning(case: Case) -> None:
    layout = case.game.layout
    seen = set()
    for s, _, _ in positions(case, 8):
        states = np.frombuffer(s.pack(), layout.state.dtype)
        for who in (*range(case.seats), SPECTATOR):
            encoded = layout.encode(layout.observe(states, who))
            assert encoded.shape == (1, len(layout.encoding)) and encoded.dtype == np.float32
            assert encoded.min() >= 0 and encoded.max() <= 1
            seen.add(encoded.tobytes())
    assert len(seen) > case.seats
    assert len(set(layout.encoding)) == len(layout.encoding)


@every_case
def test_the_record_of_the_options_has_the_numbers_of_the_dataclass(case: Case) -> None:
    record = as_record(case.options)
    names = [f.name for f in dataclasses.fields(case.options)]
    assert len(record) == 1 and list(record.dtype.names or ()) == (names or ["none"])
    for name in names:
        assert np.array_equal(record[name][0], np.array(getattr(case.options, name)))


@every_game
def test_every_option_has_a_clause_and_a_sentence(game: Game) -> None:
    book, texts = rule_book(game.name), option_texts(game.name)
    names = [f.name for f in dataclasses.fields(game.options)]
    assert sorted(texts) == sorted(names)
    assert sorted(o for clause in book.values() for o in clause.options) == sorted(names)
    for field in dataclasses.fields(game.options):
        clause = field.metadata["clause"]
        assert clause in book and field.name in book[clause].options
        assert texts[field.name].en.endswith(".") and texts[field.name].fr.endswith(".")


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
