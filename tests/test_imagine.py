"""An imagined state never contradicts its view, and it can be played."""

import random
from typing import Any

import numpy as np
import pytest

from tests.cases import LONGEST, Case, every_case, every_table, positions
from tests.conservation import CONSERVED
from tripot.core.game import waiting_seats
from tripot.core.layout import HIDDEN, OWNER


@every_case
def test_an_imagined_state_looks_the_same_from_the_seat_and_lets_it_do_the_same(case: Case) -> None:
    layout = case.game.layout
    for number, (s, _, _) in enumerate(positions(case, 41)):
        states = np.frombuffer(s.pack(), layout.state.dtype)
        for seat in range(case.seats):
            view = layout.observe(states, seat)
            imagined = case.game.imagined(view, number)
            again = layout.observe(np.frombuffer(imagined.pack(), layout.state.dtype), seat)
            assert again.tobytes() == view.tobytes(), f"seat {seat}, decision {number}"
            assert case.game.legal_actions(imagined, seat) == case.game.legal_actions(s, seat)
            for what, counted, wanted in CONSERVED[case.game.name](imagined):
                assert counted == wanted, f"seat {seat}, decision {number}: {what}"


@every_table
def test_the_same_seed_imagines_the_same_and_the_view_stays_as_it_is(case: Case) -> None:
    layout = case.game.layout
    for number, (s, _, _) in enumerate(positions(case, 42)):
        view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), number % case.seats)
        before = view.tobytes()
        assert case.game.imagined(view, number).pack() == case.game.imagined(view, number).pack()
        assert view.tobytes() == before


@every_table
def test_other_seeds_imagine_other_secrets(case: Case) -> None:
    """Not only the generator differs: for every seat, somewhere in the game, unseen cards lie elsewhere."""
    layout = case.game.layout
    luck = {f.name for f in case.game.fields if f.name.startswith("rng_")}
    secret = [f.name for f in case.game.fields if f.sight in (HIDDEN, OWNER) and f.name not in luck]
    varied = set()
    for s, _, _ in positions(case, 43):
        states = np.frombuffer(s.pack(), layout.state.dtype)
        for seat in range(case.seats):
            view = layout.observe(states, seat)
            imagined = [case.game.imagined(view, seed) for seed in range(3)]
            if len({str([getattr(i, name) for name in secret]) for i in imagined}) > 1:
                varied.add(seat)
    assert varied == set(range(case.seats))


@every_table
def test_the_imagined_generator_is_fresh(case: Case) -> None:
    """No seat learns coming random numbers: the imagined generator is neither the real one nor always the same."""
    layout = case.game.layout
    words = [f.name for f in case.game.fields if f.name.startswith("rng_")]
    for s, _, _ in positions(case, 44):
        view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), 0)
        lucks = {tuple(getattr(case.game.imagined(view, seed), word) for word in words) for seed in range(4)}
        assert len(lucks) == 4
        assert tuple(getattr(s, word) for word in words) not in lucks


STRIDE = 7  # no table has so many seats: every seat's turn comes, and every phase's


@every_table
@pytest.mark.parametrize("seed", range(45, 48))
def test_an_imagined_game_can_be_played_to_its_end(case: Case, seed: int) -> None:
    """From a few positions of each game: as many again as a game has decisions are played from every one."""
    layout = case.game.layout
    luck = random.Random(f"{case} {seed}")
    for number, (s, _, _) in enumerate(positions(case, seed)):
        if (number + seed) % STRIDE:
            continue
        seat = number % case.seats
        view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)
        play_to_the_end(case, case.game.imagined(view, number), luck)


def play_to_the_end(case: Case, s: Any, luck: random.Random) -> None:
    for _ in range(LONGEST):
        if s.over:
            return
        seat = luck.choice(waiting_seats(s))
        case.game.apply(s, seat, luck.choice(case.game.legal_actions(s, seat)))
        s.pack()
    raise AssertionError("an imagined game does not end")
