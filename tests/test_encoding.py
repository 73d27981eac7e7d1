"""Version 2 of the encoding: turned to the mover, the same in NumPy, native code, PyTorch and JAX."""

import importlib
import random
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cases import every_game
from tripot import GAMES
from tripot.core import jit
from tripot.core.encode import encode_rows
from tripot.core.encoding import BadView, Encoder, Kind
from tripot.core.game import Game
from tripot.core.layout import OWNER, SEAT, SEAT_OR_NOBODY, SEAT_SET, SPECTATOR, Field, SeatAxis
from tripot.lab.batch import Batch
from tripot.testing.hidden import scrambled

pytestmark = pytest.mark.native

every_size = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in GAMES.values() for seats in game.seats],
    ids=lambda v: getattr(v, "name", v),
)


def after(game: Game, seats: int, steps: int, tables: int = 40, bot: str = "sensible", **settings: Any) -> Batch:
    batch = Batch(game, tables, seats, seeds=5, encoding=2, **settings)
    for _ in range(steps):
        batch.step(batch.choose(bot))
    return batch


def views_of(batch: Batch) -> NDArray[np.void]:
    return batch.observe(np.zeros(batch.tables, batch.game.layout.view.dtype))


# --- One definition, executed everywhere ---


@every_size
def test_native_code_encodes_what_numpy_encodes(game: Game, seats: int) -> None:
    for steps in (0, 47):
        batch = after(game, seats, steps)
        views, movers = views_of(batch), batch.now.movers
        for encoder in (Encoder(game, seats), Encoder(game), Encoder(game, rules=True)):
            expected, written = encoder.encode(views), np.full((40, encoder.width), 7, np.float32)
            raw = views.view(np.uint8).reshape(40, -1)
            jit.native(encode_rows)(0, 40, raw, movers, *encoder.native_tables, written)
            assert written.tobytes() == expected.tobytes()
            states = batch.states.view(np.uint8).reshape(40, -1)
            jit.native(encode_rows)(0, 40, states, movers, *encoder.native_tables_of_states, written)
            assert written.tobytes() == expected.tobytes()
            assert (expected <= encoder.highest).all() and (expected >= 0).all()
        seen = batch.observe(batch.arrays(observations=np.float32).observations)
        assert seen.tobytes() == Encoder(game, seats).encode(views).tobytes()
        full, states = Encoder(game, seats, full=True), batch.states.view(np.uint8).reshape(40, -1)
        written = np.zeros((40, full.width), np.float32)
        jit.native(encode_rows)(0, 40, states, movers, *full.native_tables, written)
        assert written.tobytes() == full.encode(batch.states, movers).tobytes()


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
@every_game
def test_pytorch_and_jax_encode_what_numpy_encodes(game: Game, library: str) -> None:
    if find_spec(library.partition(".")[0]) is None:
        pytest.skip(f"{library} is not installed: pip install 'tripot[research]'")
    arrays = importlib.import_module(library)
    batch = after(game, game.usual_seats, 30)
    views, movers = views_of(batch), np.asarray(batch.now.movers)
    for encoder in (Encoder(game, game.usual_seats), Encoder(game)):
        on = encoder.on(arrays)
        raw = arrays.asarray(views.view(np.uint8).reshape(40, -1).copy())
        encoded = on.encode(raw, on.frames(raw, arrays.asarray(movers.astype(np.int64))))
        assert np.asarray(encoded).tobytes() == encoder.encode(views).tobytes()


def test_an_amount_is_its_value_times_one_over_its_scale() -> None:
    game = GAMES["verrater"]
    views = np.zeros(1, game.layout.view.dtype)
    views["seats"], views["seat"], views["points"] = 4, 2, [[300, 7, 20, 1]]
    encoder = Encoder(game)
    row = dict(zip(encoder.columns, encoder.encode(views)[0], strict=True))
    found = {name.split(" ")[0]: value for name, value in row.items() if name.startswith("points")}
    scale = next(f.scale for f in game.fields if f.name == "points")
    assert found == {
        f"points[+{slot}]": np.float32(points) * np.float32(1 / scale) for slot, points in enumerate((20, 1, 300, 7))
    }


def test_a_slot_where_nobody_sits_has_no_numbers() -> None:
    game = GAMES["verrater"]
    encoder, views = Encoder(game), views_of(after(game, 3, 40))
    empty = [at for at, name in enumerate(encoder.columns) if "[+3]" in name or "slot +3" in name]
    assert empty and not encoder.encode(views)[:, empty].any()


# --- Turned to the mover ---


def moved(game: Game, state: NDArray[np.void], seats: int, by: int) -> NDArray[np.void]:
    """The same table with everybody `by` seats further, from the declarations of the fields alone."""
    other = state.copy()
    places = [(seat - by) % seats if seat < seats else seat for seat in range(max(game.seats))]
    goes = [(seat + by) % seats if seat < seats else seat for seat in range(max(game.seats))]
    for f in game.layout.state.fields:
        values = state[f.name].copy()
        if f.shape and (f.sight is OWNER or isinstance(f.shape[0], SeatAxis)):
            values = values[:, places]
        other[f.name] = turned_values(f, values, goes, state[f.given] if f.given else None)
    return other


def turned_values(f: Field, values: NDArray[Any], goes: list[int], given: Any) -> NDArray[Any]:
    seat_of_side = f.name == "seat_of"
    if f.holds is SEAT or seat_of_side:
        return np.where(given == 0, values, np.array(goes)[values]) if given is not None else np.array(goes)[values]
    if f.holds is SEAT_OR_NOBODY:
        return np.array([0, *(1 + seat for seat in goes)])[values]
    if f.holds is SEAT_SET:
        return np.array([sum(1 << goes[seat] for seat in range(len(goes)) if bits >> seat & 1) for bits in values])
    return values


@every_size
def test_whoever_sits_where_sees_the_same_and_may_do_the_same(game: Game, seats: int) -> None:
    """Everybody moves on by a seat: encoded views and turned action masks stay as they were."""
    encoders = (Encoder(game), Encoder(game, seats))
    for steps in (7, 41):
        batch = after(game, seats, steps)
        for table in range(0, 40, 7):
            state, mover = batch.states[table : table + 1], int(batch.now.movers[table])
            for by in range(1, seats):
                other, there = moved(game, state, seats, by), (mover + by) % seats
                for encoder in encoders:
                    here_seen, there_seen = game.layout.observe(state, mover), game.layout.observe(other, there)
                    assert encoder.encode(here_seen).tobytes() == encoder.encode(there_seen).tobytes()
                    masks = [mask_of(game, encoder, s, seat) for s, seat in ((state, mover), (other, there))]
                    assert np.array_equal(*masks)


def mask_of(game: Game, encoder: Encoder, state: NDArray[np.void], seat: int) -> NDArray[np.int8]:
    """The action mask of a seat, turned to it."""
    s, mask = game.layout.state.plain(), np.zeros(game.num_actions, np.int8)
    s.load(state.tobytes())
    mask[game.legal_actions(s, seat)] = 1
    raw = game.layout.observe(state, seat).view(np.uint8).reshape(1, -1)
    return mask[encoder.actions[encoder.on(np).frames(raw, np.array([seat]))[0]]]


@every_game
def test_turned_actions_lead_back(game: Game) -> None:
    encoder = Encoder(game)
    for there, back in zip(encoder.actions, encoder.turned_actions, strict=True):
        assert list(there[back]) == list(range(game.num_actions))
    assert (encoder.actions != np.arange(game.num_actions)).any() == bool(game.seat_actions)


def test_slots_of_trieste_go_round_by_faction() -> None:
    encoder = Encoder(GAMES["trieste"])
    for frame in encoder.frames:
        factions = [frame.sides[seat] for seat in frame.seating]
        assert factions == [(factions[0] + slot) % 3 for slot in range(3)]
    assert len(encoder.frames) == 18


# --- What is in the columns ---


@every_game
def test_no_column_depends_on_what_the_seat_may_not_know(game: Game) -> None:
    batch, luck = after(game, game.usual_seats, 25), random.Random(8)
    seen = batch.observe(batch.arrays(observations=np.float32).observations).copy()
    for table, seat in enumerate(batch.now.movers):
        data = scrambled(game.layout, batch.states[table].tobytes(), int(seat), luck)
        batch.states[table : table + 1].view(np.uint8)[:] = np.frombuffer(data, np.uint8)
    assert batch.observe(batch.arrays(observations=np.float32).observations).tobytes() == seen.tobytes()


# Columns that some thousand games leave at 0: rare cards, rare ends; in Trök also two cards of a kind on one's carts.
RARE = {"verrater": 12, "trok": 153, "trieste": 85}


@every_game
def test_columns_that_no_game_uses_are_left_out(game: Game) -> None:
    """And what is declared absent is never seen."""
    encoder = Encoder(game)
    least, most = np.full(encoder.width, np.inf), np.full(encoder.width, -np.inf)
    rules: list[Any] = [None, {"heroes": 1}] if game.name == "trieste" else [None]
    for seats in game.seats:
        for bot in ("sensible", "uniform"):
            for house_rules in rules:
                batch = after(game, seats, 0, 200, bot, house_rules=house_rules)
                for step in range(260):
                    if step % 13 == 0:
                        assert_absent(game, views_of(batch))
                        seen = encoded_natively(encoder, batch)
                        least, most = np.minimum(least, seen.min(0)), np.maximum(most, seen.max(0))
                    batch.step(batch.choose(bot))
    constant = [name for name, low, high in zip(encoder.columns, least, most, strict=True) if low == high]
    assert len(constant) <= RARE[game.name], constant


def encoded_natively(encoder: Encoder, batch: Batch) -> NDArray[np.float32]:
    rows, tables = np.zeros((batch.tables, encoder.width), np.float32), encoder.native_tables_of_states
    raw = batch.states.view(np.uint8).reshape(batch.tables, -1)
    jit.native(encode_rows)(0, batch.tables, raw, batch.now.movers, *tables, rows)
    return rows


def assert_absent(game: Game, views: NDArray[np.void]) -> None:
    for f in game.layout.view.fields:
        if f.absent and f.encoded and f.holds.name == "NAME":
            assert not np.isin(views[f.name], f.absent).any(), f.name
        for at, absent in enumerate(f.absent_by):
            assert not np.isin(views[f.name][:, at], absent).any(), f"{f.name}[{at}]"


@every_game
def test_scales_are_those_of_real_games(game: Game) -> None:
    """Where an amount is not 0, it rarely passes 1, and sometimes comes near it."""
    encoder, rows = Encoder(game), []
    for seats in game.seats:
        batch = after(game, seats, 0, 150)
        for step in range(240):
            if step % 12 == 0:
                rows.append(encoded_natively(encoder, batch))
            batch.step(batch.choose("sensible"))
    seen = np.concatenate(rows)
    by_field: dict[str, list[Any]] = {}
    for at, (_, kind, _, f) in enumerate(encoder.numbered):
        if kind is Kind.AMOUNT and f.scale:
            by_field.setdefault(f.name, []).append(seen[:, at][seen[:, at] > 0])
    for name, parts in by_field.items():
        values = np.concatenate(parts)
        if len(values) > 1000:
            assert 0.5 <= np.quantile(values, 0.995) <= 2, name


@every_game
def test_every_axis_as_long_as_the_table_says_what_it_counts(game: Game) -> None:
    """A field by seat that does not say so would not be turned; by faction is by faction, whoever sits where."""
    by_side = {f.name for f in game.fields if any(g.sides for g in game.fields)}
    for f in game.fields:
        if f.shape and f.shape[0] == max(game.seats) and f.sight is not OWNER and f.name not in by_side:
            assert isinstance(f.shape[0], SeatAxis), f"{f.name}: use SeatAxis"


@every_game
def test_columns_have_names_and_encodings_have_notations(game: Game) -> None:
    encoder = Encoder(game, rules=True)
    assert len(set(encoder.columns)) == encoder.width == len(encoder.highest)
    assert encoder.notation == "2+rules" and Encoder(game, game.usual_seats).notation == f"2/{game.usual_seats}"
    with pytest.raises(ValueError, match="players, not 9"):
        Encoder(game, 9)


def test_a_spectators_view_cannot_be_turned() -> None:
    game = GAMES["verrater"]
    views = views_of(after(game, 4, 0))
    views["seat"] = SPECTATOR
    with pytest.raises(BadView, match="spectator"):
        Encoder(game).encode(views)
