"""Loops that bots and batches run natively, here interpreted: they see and encode what NumPy does."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cases import DEFAULTS, GAMES, Case, big, over, positions
from tripot.core import encode, observe
from tripot.core.encoding import Encoder

EVERY = 23  # positions between two looks, prime to every number of seats
small_tables = over([case for case in DEFAULTS if case.game in GAMES and not big(case)])


def seen(case: Case) -> list[tuple[NDArray[Any], int]]:
    """States of a random game, each with a seat that looks at it."""
    packed = [s.pack() for s, _, _ in positions(case, 41)][::EVERY]
    states = [np.frombuffer(bytearray(data), case.game.layout.state.dtype) for data in packed]
    return [(state, number % case.seats) for number, state in enumerate(states)]


@small_tables
def test_the_loops_encode_what_numpy_encodes(case: Case) -> None:
    layout, looks = case.game.layout, seen(case)
    seats = np.array([seat for _, seat in looks])
    states = np.concatenate([state for state, _ in looks])
    views = np.concatenate([layout.observe(state, seat) for state, seat in looks])
    raw, raw_states = (rows.view(np.uint8).reshape(len(looks), -1).tolist() for rows in (views, states))
    for encoder in (Encoder(case.game, case.seats), Encoder(case.game, rules=True)):
        expected = encoder.encode(views)
        for rows, tables in ((raw, encoder.native_tables), (raw_states, encoder.native_tables_of_states)):
            written = np.full(expected.shape, 7, np.float32)
            encode.encode_rows(1, len(looks), rows, seats, *tables, written)
            assert (written[0] == 7).all() and written[1:].tobytes() == expected[1:].tobytes()
            frames = np.full(len(looks), -1)
            encode.find_frames(1, len(looks), rows, seats, tables[0], frames)
            assert frames[0] == -1
            assert frames[1:].tolist() == [
                encode.find_frame(row, seat, tables[0]) for row, seat in zip(rows[1:], seats[1:], strict=True)
            ]
    full = Encoder(case.game, case.seats, full=True)
    written = np.zeros((len(looks), full.width), np.float32)
    encode.encode_rows(0, len(looks), raw_states, seats, *full.native_tables, written)
    assert written.tobytes() == full.encode(states, seats).tobytes()


@small_tables
def test_a_seat_is_observed_and_put_back_byte_by_byte(case: Case) -> None:
    layout = case.game.layout
    for state, seat in seen(case):
        observer = layout.observer(state)
        view = observe.observe_seat(state[0], seat, observer)
        expected = layout.observe(state, seat)
        assert view.tobytes() == expected.tobytes()
        assert len(observer[1]) % 8 == 0 and len(observer[1]) - expected.dtype.itemsize in range(8)
        back, raw = layout.states(1), np.full(state.nbytes, 9, np.uint8)
        layout.unobserve(expected, back)
        observe.unobserve_seat(expected.view(np.uint8), raw, seat, observer)
        assert raw.tobytes() == back.tobytes()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_encoder_names_the_table_sizes_that_there_are(game: Any) -> None:
    sizes = " or ".join(map(str, game.seats))
    with pytest.raises(ValueError, match=f"^{game.name} is for {sizes} players, not 9$"):
        Encoder(game, 9)
