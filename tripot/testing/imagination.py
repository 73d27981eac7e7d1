"""An imagined state never contradicts its view, and it can be played."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.core.game import waiting_seats
from tripot.core.layout import HIDDEN, OWNER
from tripot.testing.cases import LONGEST, Case, big, positions
from tripot.testing.contract import Conserved, holds

STRIDE = 7  # no table has that many seats: every seat's turn comes, and every phase's


def seats_at(case: Case, number: int) -> list[int]:
    """Which seats look at position `number` of a game: all, and at a big table one after the other."""
    seats = range(case.seats)
    return [number % STRIDE] * (number % STRIDE in seats) if big(case) else list(seats)


def seen_by(case: Case, s: Any, seat: int) -> NDArray[np.void]:
    """The view of a seat."""
    layout = case.game.layout
    return layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)


def fits_the_view(case: Case, conserved: Conserved | None, seed: int = 41) -> None:
    """An imagined state looks the same from the seat, and lets it do the same."""
    for number, (s, _, _) in enumerate(positions(case, seed)):
        for seat in seats_at(case, number):
            at = f"{case}, seed {seed}, decision {number}, imagined by seat {seat}"
            view = seen_by(case, s, seat)
            imagined = case.game.imagined(view, number)
            again = seen_by(case, imagined, seat)
            if again.tobytes() != view.tobytes():
                assert view.dtype.names is not None
                changed = [name for name in view.dtype.names if not np.array_equal(view[name], again[name])]
                raise AssertionError(f"{at}: what the seat sees has changed: {', '.join(changed)}")
            legal, imaginary = case.game.legal_actions(s, seat), case.game.legal_actions(imagined, seat)
            assert imaginary == legal, f"{at}: legal are {imaginary} instead of {legal}"
            if conserved is not None:
                holds(conserved, imagined, at)


def follows_its_seed(case: Case, seed: int = 42) -> None:
    """The same seed imagines the same, and the view stays as it is."""
    for number, (s, _, _) in enumerate(positions(case, seed)):
        view = seen_by(case, s, number % case.seats)
        before = view.tobytes()
        twice = [case.game.imagined(view, number).pack() for _ in range(2)]
        assert twice[0] == twice[1], f"{case}, decision {number}: the same view and seed are imagined in two ways"
        assert view.tobytes() == before, f"{case}, decision {number}: 'imagine' writes into the view"


def varies_secrets(case: Case, seed: int = 43) -> None:
    """Not only the generator differs: for every seat, somewhere in the game, unseen cards lie elsewhere."""
    luck = {f.name for f in case.game.fields if f.name.startswith("rng_")}
    secret = [f.name for f in case.game.fields if f.sight in (HIDDEN, OWNER) and f.name not in luck]
    varied: set[int] = set()
    for s, _, _ in positions(case, seed):
        for seat in set(range(case.seats)) - varied:
            view = seen_by(case, s, seat)
            imagined = [case.game.imagined(view, number) for number in range(3)]
            if len({str([getattr(i, name) for name in secret]) for i in imagined}) > 1:
                varied.add(seat)
    never = sorted(set(range(case.seats)) - varied)
    assert not never, f"{case}: other seeds never let seat {never[0]} imagine other secrets"


def draws_its_own_luck(case: Case, seed: int = 44) -> None:
    """No seat learns coming random numbers: the imagined generator is neither the real one nor always the same."""
    words = [f.name for f in case.game.fields if f.name.startswith("rng_")]
    for number, (s, _, _) in enumerate(positions(case, seed)):
        view = seen_by(case, s, 0)
        two = (number, number + 1 + number % 3)
        lucks = {tuple(getattr(case.game.imagined(view, seed), word) for word in words) for seed in two}
        at = f"{case}, decision {number}"
        assert len(lucks) == 2, f"{at}: seeds imagine the same generator: call rng.seed_luck in 'imagine'"
        assert tuple(getattr(s, word) for word in words) not in lucks, f"{at}: the imagined generator is the real one"


def can_be_played_to_the_end(case: Case, seed: int = 45) -> None:
    """From a few positions of a game: as many again as a game has decisions are played from every one."""
    luck = random.Random(f"{case} {seed}")
    for number, (s, _, _) in enumerate(positions(case, seed)):
        if (number + seed) % STRIDE == 0:
            view = seen_by(case, s, number % case.seats)
            at = f"{case}, seed {seed}, decision {number}, imagined by seat {number % case.seats}"
            _play_to_the_end(case, case.game.imagined(view, number), luck, at)


def _play_to_the_end(case: Case, s: Any, luck: random.Random, at: str) -> None:
    for _ in range(LONGEST):
        if s.over:
            return
        waiting = waiting_seats(s)
        assert waiting, f"{at}: nobody is asked and the game is not over"
        seat = luck.choice(waiting)
        legal = case.game.legal_actions(s, seat)
        assert legal, f"{at}: seat {seat} is asked, but nothing is legal"
        case.game.apply(s, seat, luck.choice(legal))
        s.pack()
    raise AssertionError(f"{at}: the game does not end")
