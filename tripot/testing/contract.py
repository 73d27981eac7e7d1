"""What any game keeps to: it waits for those who can decide, conserves its cards, deals by its seed, and ends."""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tripot.core.game import STEP_KINDS, WHOLE_WIN, waiting_seats
from tripot.core.layout import SPECTATOR
from tripot.testing.cases import Case, positions

# (s): what is counted, how many there are and how many there should be
Conserved = Callable[[Any], Iterator[tuple[str, list[int], list[int]]]]
MOST_STEPS = 10_000  # that may follow from a decision
ORDERS = 6  # in which the choices of several seats are tried


def waits_for_those_who_can_decide(case: Case, seed: int) -> None:
    """Until the game is over somebody is waited for; whoever is can decide something, and nobody else can."""
    for number, (s, _, _) in enumerate(positions(case, seed)):
        at = f"{case}, seed {seed}, decision {number}"
        s.pack()
        assert s.seats == case.seats, f"{at}: 'seats' is {s.seats} at a table of {case.seats}"
        assert s.over in (0, 1), f"{at}: 'over' is {s.over} instead of 0 or 1"
        assert (s.waiting == 0) == bool(s.over), f"{at}: 'waiting' is {s.waiting} while 'over' is {s.over}"
        assert 0 <= s.waiting < 1 << case.seats, f"{at}: 'waiting' names a seat that the table has not"
        for seat in range(case.seats):
            legal, asked = case.game.legal_actions(s, seat), seat in waiting_seats(s)
            assert bool(legal) == asked, f"{at}: seat {seat} is {'' if asked else 'not '}asked, and may decide {legal}"
        _check_result(s, case.seats, at)


def _check_result(s: Any, seats: int, at: str) -> None:
    """Shares add up to the whole victory at the end, or to nothing if nobody wins; before that they are zero."""
    total = sum(s.result[:seats])
    allowed = (WHOLE_WIN, 0) if s.over else (0,)
    assert total in allowed, f"{at}: the shares of 'result' are {s.result[:seats]}, which add up to {total}"
    assert not any(s.result[seats:]), f"{at}: 'result' has a share for a seat that the table has not"


def legal_writes_ones(case: Case, seed: int = 3) -> None:
    """`legal` writes only ones where there were zeros."""
    for number, (s, _, _) in enumerate(positions(case, seed)):
        for seat in range(case.seats):
            mask = [0] * case.game.num_actions
            case.game.legal(s, seat, mask)
            wrong = set(mask) - {0, 1}
            assert not wrong, f"{case}, seed {seed}, decision {number}: 'legal' writes {wrong} into the mask"
            assert len(mask) == case.game.num_actions, f"{case}: 'legal' changes the length of the mask"


def stages_come_to_apply(case: Case, seed: int = 5) -> None:
    """`apply` is `decide`, then `settle_step` for as long as nobody is waited for; each step has a kind."""
    game, rules = case.game, case.game.functions
    for number, (s, seat, action) in enumerate(positions(case, seed)):
        if seat < 0:
            return
        at = f"{case}, seed {seed}, decision {number}"
        at_once, by_and_by = s.copy(), s.copy()
        game.apply(at_once, seat, action)
        rules["decide"](by_and_by, seat, action)
        steps = 0
        while by_and_by.waiting == 0 and not by_and_by.over:
            kind, steps = rules["step_kind"](by_and_by), steps + 1
            assert 0 <= kind < STEP_KINDS, f"{at}: 'step_kind' is {kind}, not below {STEP_KINDS}"
            assert steps < MOST_STEPS, f"{at}: 'settle_step' waits for nobody after {MOST_STEPS} steps"
            rules["settle_step"](by_and_by)
        assert by_and_by.pack() == at_once.pack(), f"{at}: 'decide' and 'settle_step' do not come to what 'apply' does"


def looking_changes_nothing(case: Case, seed: int = 4) -> None:
    """`legal` and views leave the state as it is."""
    layout = case.game.layout
    for number, (s, seat, action) in enumerate(positions(case, seed)):
        if seat < 0:
            return
        after = s.copy()
        case.game.apply(after, seat, action)  # a state that nobody has looked at yet
        before = after.pack()
        record = np.frombuffer(bytearray(before), layout.state.dtype)
        for who in (*range(case.seats), SPECTATOR):
            layout.observe(record, who)
            layout.observe_plain(after, who)
            if who != SPECTATOR:
                case.game.legal_actions(after, who)
        assert after.pack() == before, f"{case}, seed {seed}, decision {number}: 'legal' changes the state"
        assert record.tobytes() == before, f"{case}, seed {seed}, decision {number}: looking changes the state"


def listening_changes_nothing(case: Case, seed: int = 5) -> None:
    """Whether news is collected changes nothing in the game."""
    for number, (s, seat, action) in enumerate(positions(case, seed)):
        if seat < 0:
            return
        silent, heard = s.copy(), s.copy()
        heard.news = []
        case.game.apply(silent, seat, action)
        case.game.apply(heard, seat, action)
        same = silent.pack() == heard.pack() and silent.news is None
        assert same, f"{case}, seed {seed}, decision {number}: 'apply' does something else where news is collected"


def seeds_deal(case: Case) -> None:
    """A seed deals one table and another seed another, for eyes too and not only in the generator."""
    seeds = [0, 1, 2, 3, 2**32, 2**63, 2**64 - 1]
    dealt = [case.deal(seed).pack() for seed in seeds]
    assert dealt == [case.deal(seed).pack() for seed in seeds], f"{case}: the same seed deals two tables"
    assert len(set(dealt)) == len(seeds), f"{case}: several seeds deal the same table: call rng.seed_luck in 'deal'"


def seeds_deal_differently_for_eyes(case: Case) -> None:
    """Not only the generator differs: what is dealt does."""
    luck = {f.name for f in case.game.fields if f.name.startswith("rng_")}
    dealt = set()
    for seed in range(20):
        s = case.deal(seed)
        dealt.add(str([getattr(s, f.name) for f in case.game.fields if f.name not in luck]))
    assert len(dealt) > 10, f"{case}: twenty seeds deal only {len(dealt)} different tables"


def orders_do_not_matter(case: Case) -> int:
    """Where several seats owe a decision, one decision each leads to the same bytes in any order.

    Returns how often that came up.
    """
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
        for order in luck.sample(orders, min(ORDERS, len(orders))):
            after = s.copy()
            for seat in order:
                legal = chosen[seat] in case.game.legal_actions(after, seat)
                assert legal, f"{case}: seats {waiting} decide together, but the choice of one forbids that of {seat}"
                case.game.apply(after, seat, chosen[seat])
            ends.add(after.pack())
        assert len(ends) == 1, f"{case}: seats {waiting} decide together, but it matters who decides first: {chosen}"
    return met


def cards_are_conserved(case: Case, seed: int, conserved: Conserved) -> None:
    """In every position there are as many cards of every kind as there should be."""
    for number, (s, _, _) in enumerate(positions(case, seed)):
        holds(conserved, s, f"{case}, seed {seed}, decision {number}")


def holds(conserved: Conserved, s: Any, at: str) -> None:
    """Raises if a state does not have what it should."""
    for what, counted, wanted in conserved(s):
        assert counted == wanted, f"{at}: {what} are {counted} instead of {wanted}"


def encoded_views_are_features(case: Case, seed: int = 8) -> None:
    """Encoded views are numbers from 0 to 1, and every one has a meaning of its own."""
    layout = case.game.layout
    seen = set()
    for s, _, _ in positions(case, seed):
        states = np.frombuffer(s.pack(), layout.state.dtype)
        for who in (*range(case.seats), SPECTATOR):
            encoded = layout.encode(layout.observe(states, who))
            assert encoded.shape == (1, len(layout.encoding)) and encoded.dtype == np.float32
            low, high = encoded.min(), encoded.max()
            assert low >= 0 and high <= 1, f"{case}: an encoded view has numbers from {low} to {high}"
            seen.add(encoded.tobytes())
    assert len(seen) > case.seats, f"{case}: encoded views of a whole game are all alike"
    assert len(set(layout.encoding)) == len(layout.encoding), f"{case}: two columns of the encoding have one name"
