"""Loops that bots and batches run natively, here interpreted: they see and encode what NumPy does."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cases import DEFAULTS, GAMES, Case, big, every_game, over, positions
from tripot.core import encode, observe
from tripot.core.encoding import BadView, Encoder, _starts, encoder_of
from tripot.core.game import Game
from tripot.core.layout import SPECTATOR

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


@every_game
def test_an_encoder_is_made_once(game: Game) -> None:
    size = game.seats[0]
    made = [encoder_of(game), encoder_of(game, size), encoder_of(game, rules=True), encoder_of(game, full=True)]
    assert [one.notation for one in made] == ["2", f"2/{size}", "2+rules", "2+full"]
    again = [encoder_of(game), encoder_of(game, size), encoder_of(game, rules=True), encoder_of(game, full=True)]
    assert all(one is other for one, other in zip(made, again, strict=True))
    assert all(one.game is game for one in made)


# --- Arrays of other libraries, in the way that they differ from NumPy's ---


class Updated:
    """`array.at[index].set(values)` of JAX: a new array."""

    def __init__(self, array: Any, index: Any = None) -> None:
        self.array, self.index = array, index

    def __getitem__(self, index: Any) -> Any:
        return Updated(self.array, index)

    def set(self, values: Any) -> Any:
        found = self.array.copy()
        found[self.index] = values
        return found


class JaxArray(np.ndarray):
    """Is never written to."""

    @property
    def at(self) -> Updated:
        return Updated(self)

    def __setitem__(self, index: Any, values: Any) -> None:
        assert not isinstance(self, JaxArray) or self.base is None, "JAX writes to no array"
        super().__setitem__(index, values)


class TorchArray(np.ndarray):
    """Is cast with `to`, and lives on a device."""

    device = "somewhere"

    def to(self, dtype: Any) -> Any:
        return np.ndarray.astype(self, dtype)

    def astype(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("PyTorch has no astype")


def library(name: str, kind: type[np.ndarray]) -> Any:
    """NumPy under another name, with arrays of another kind."""
    asked: list[dict[str, Any]] = []

    def asarray(values: Any, **where: Any) -> Any:
        asked.append(where)
        return np.asarray(values).view(kind)

    def arange(count: int, **where: Any) -> Any:
        assert where == ({"device": "somewhere"} if name == "torch" else {})
        return np.arange(count).view(kind)

    names = ("concatenate", "zeros_like", "int16", "float32", "float16")
    return SimpleNamespace(
        __name__=name, asarray=asarray, arange=arange, asked=asked, **{one: getattr(np, one) for one in names}
    )


@pytest.mark.parametrize(("name", "kind"), [("jax.numpy", JaxArray), ("torch", TorchArray)])
@small_tables
def test_arrays_of_other_libraries_are_encoded_alike(case: Case, name: str, kind: type[np.ndarray]) -> None:
    looks = seen(case)
    views = np.concatenate([case.game.layout.observe(state, seat) for state, seat in looks])
    encoder, arrays = encoder_of(case.game, case.seats), library(name, kind)
    on = encoder.on(arrays, device="there")
    assert arrays.asked == [{"device": "there"}] * 10
    raw = views.view(np.uint8).reshape(len(looks), -1).view(kind)
    frames = on.frames(raw, np.array([seat for _, seat in looks]).view(kind))
    expected = encoder.encode(views)
    encoded = on.encode(raw, frames)
    assert encoded.dtype == np.float32 and np.asarray(encoded).tobytes() == expected.tobytes()
    half = on.encode(raw, frames, "float16")
    assert half.dtype == np.float16 and np.asarray(half).tobytes() == expected.astype(np.float16).tobytes()


def test_a_spectators_view_is_refused_in_a_sentence() -> None:
    state, _ = seen(Case(GAMES[0], GAMES[0].seats[0], GAMES[0].options()))[0]
    with pytest.raises(BadView, match=r"^a spectator's view has no seat to turn to$"):
        Encoder(GAMES[0]).encode(GAMES[0].layout.observe(state, SPECTATOR))


def test_tables_may_be_empty() -> None:
    empty = _starts([])
    assert empty.dtype == np.uint32 and empty.shape == (0,)
    assert _starts([3, 2, 4]).tolist() == [0, 3, 5]
