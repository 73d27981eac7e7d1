"""Records with sight: fields, ranges, bytes, views and their encoding."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import WITH_TOY
from tripot import GAMES
from tripot.core.defaults import nothing_follows
from tripot.core.game import Game, standard_fields
from tripot.core.layout import (
    HIDDEN,
    I8,
    I16,
    I32,
    OWNER,
    PUBLIC,
    SET,
    SPECTATOR,
    U32,
    Field,
    Layout,
    OutOfRange,
    RecordLayout,
    SeatAxis,
    Sight,
    byte_map,
    view_fields,
)
from tripot.games.trok.state import Phase as TrokPhase

SEATS = 3
FIELDS = [
    Field("turn", I8, (), PUBLIC, 9, "the turn"),
    Field("purse", I32, (SEATS,), OWNER, 100_000, "money"),
    Field("hand", I8, (SEATS, 2, 3), OWNER, 5, "cards"),
    Field("deck", I16, (4,), HIDDEN, 300, "what is left"),
    Field("board", I8, (2, 2), PUBLIC, 3, "what lies there", codes=True),
    Field("luck", U32, (), HIDDEN, 2**32 - 1, "luck"),
    Field("mood", I8, (SEATS,), OWNER, 2, "how it feels", codes=True),
]
LAYOUT = Layout(FIELDS, SEATS)


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Any value a field can hold, as nested lists."""
    value: st.SearchStrategy[Any] = st.integers(0, field.highest)
    for length in reversed(field.shape):
        value = st.lists(value, min_size=length, max_size=length)
    return value


states = st.fixed_dictionaries({f.name: values_of(f) for f in FIELDS})


def plain(values: dict[str, Any]) -> Any:
    s = LAYOUT.state.plain()
    for name, value in values.items():
        setattr(s, name, value)
    return s


def record(values: dict[str, Any]) -> np.ndarray:
    """The same by NumPy, field by field: what is public lies first, what is hidden last."""
    fields = [f for sight in (PUBLIC, OWNER, HIDDEN) for f in FIELDS if f.sight is sight]
    found = np.zeros(1, np.dtype([(f.name, f.type, f.shape) for f in fields], align=True))
    for name, value in values.items():
        found[name] = value
    return found


# --- Fields ---


@pytest.mark.parametrize(("kind", "highest"), [(I8, 128), (I16, 2**15), (I32, 2**31), (U32, 2**32), (I8, 0), (I8, -1)])
def test_a_field_refuses_a_highest_value_that_its_type_cannot_hold(kind: str, highest: int) -> None:
    with pytest.raises(ValueError, match=rf"field gold: highest value {highest} does not fit {kind}"):
        Field("gold", kind, (), PUBLIC, highest, "gold")


@pytest.mark.parametrize(("kind", "highest"), [(I8, 127), (I16, 2**15 - 1), (I32, 2**31 - 1), (U32, 2**32 - 1)])
def test_a_field_takes_the_highest_value_of_its_type(kind: str, highest: int) -> None:
    assert Field("gold", kind, (2, 3), PUBLIC, highest, "gold").size == 6


def test_a_set_of_more_members_than_encoders_read_is_refused() -> None:
    with pytest.raises(ValueError, match="field seen: a set has at most 7 members"):
        Field("seen", I16, (), PUBLIC, 255, "the set of cards seen", values=SET)
    Field("seen", I16, (), PUBLIC, 127, "the set of cards seen", values=SET)


def test_an_owner_field_needs_a_row_for_each_seat() -> None:
    with pytest.raises(ValueError, match="field role: an OWNER field needs a row for each seat"):
        Field("role", I8, (), OWNER, 3, "a role")
    with pytest.raises(ValueError, match="field role: 2 rows for 3 seats"):
        Layout([Field("role", I8, (2,), OWNER, 3, "a role")], 3)


def test_a_field_stands_once() -> None:
    twice = Field("role", I8, (), PUBLIC, 3, "a role")
    with pytest.raises(ValueError, match="fields declared twice: role"):
        Layout([twice, twice], 3)


def test_there_are_three_sights() -> None:
    assert set(Sight) == {PUBLIC, OWNER, HIDDEN}


# --- Plain states ---


@given(states)
def test_a_plain_state_packs_into_the_bytes_numpy_would_write(values: dict[str, Any]) -> None:
    packed = plain(values).pack()
    assert packed == record(values).tobytes()
    again = LAYOUT.state.plain()
    again.load(packed)
    assert {name: getattr(again, name) for name in values} == values
    assert again.pack() == packed


@given(states)
def test_a_copy_shares_nothing(values: dict[str, Any]) -> None:
    s = plain(values)
    s.news = []
    packed, other = s.pack(), s.copy()
    assert other.pack() == packed and other.news is None
    other.hand[0][1][2] = (other.hand[0][1][2] + 1) % 6
    other.board[1][0] = (other.board[1][0] + 1) % 4
    other.turn = (other.turn + 1) % 10
    assert s.pack() == packed != other.pack()


def test_a_fresh_state_is_all_zeros_and_nobody_listens() -> None:
    s = LAYOUT.state.plain()
    assert not any(s.pack()) and s.news is None
    assert s.hand == [[[0, 0, 0], [0, 0, 0]]] * 3
    s.hand[0][0][0] = 1
    assert s.hand[0][1] == s.hand[1][0] == [0, 0, 0]


def test_a_plain_state_has_no_fields_but_its_own() -> None:
    with pytest.raises(AttributeError):
        LAYOUT.state.plain().trun = 1


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda s: setattr(s, "turn", 10), "turn = 10: must be 0 to 9"),
        (lambda s: setattr(s, "turn", -1), "turn = -1: must be 0 to 9"),
        (lambda s: s.purse.__setitem__(2, 100_001), "purse[2] = 100001: must be 0 to 100000"),
        (lambda s: s.hand[1][0].__setitem__(2, 6), "hand[1][0][2] = 6: must be 0 to 5"),
        (lambda s: s.hand[2][1].__setitem__(0, -3), "hand[2][1][0] = -3: must be 0 to 5"),
        (lambda s: s.board[1].__setitem__(1, 4), "board[1][1] = 4: must be 0 to 3"),
        (lambda s: setattr(s, "luck", 2**32), "luck = 4294967296: must be 0 to 4294967295"),
    ],
)
def test_a_value_out_of_range_is_named_with_its_place(change: Any, complaint: str) -> None:
    s = LAYOUT.state.plain()
    change(s)
    with pytest.raises(OutOfRange, match=f"^{re.escape(complaint)}$"):
        s.pack()


@given(st.data())
def test_every_single_value_is_checked_at_both_ends(data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(FIELDS))
    index = tuple(data.draw(st.integers(0, length - 1)) for length in field.shape)
    value = data.draw(st.sampled_from([-1, field.highest + 1]))
    s = LAYOUT.state.plain()
    row: Any = s
    if not index:
        setattr(s, field.name, value)
    else:
        row = getattr(s, field.name)
        for i in index[:-1]:
            row = row[i]
        row[index[-1]] = value
    place = field.name + "".join(f"[{i}]" for i in index)
    with pytest.raises(OutOfRange, match=re.escape(f"{place} = {value}: must be 0 to {field.highest}")):
        s.pack()


@pytest.mark.parametrize("game", WITH_TOY, ids=lambda game: game.name)
def test_games_pack_as_numpy_writes(game: Game) -> None:
    """The layout of bytes, gaps included, is NumPy's own for every game."""
    for form in (game.layout.state, game.layout.view):
        highest = form.plain()
        form.fill(highest, form.highest)
        expected = np.zeros(1, form.dtype)
        for f in form.fields:
            expected[f.name] = f.highest
        assert highest.pack() == expected.tobytes()
        assert form.packing.size == form.dtype.itemsize
        assert len(list(form.elements())) == len(form.highest)


# --- Views ---


def slow_view(values: dict[str, Any], who: int) -> np.ndarray:
    """What `who` may see, written field by field from the declarations: the reference."""
    shown = [(f.name, f.type, f.shape) for f in FIELDS if f.sight is PUBLIC]
    shown += [("my_" + f.name, f.type, f.shape[1:]) for f in FIELDS if f.sight is OWNER]
    shown += [("seat", I8, ())]
    view = np.zeros(1, np.dtype(shown, align=True))
    view["seat"] = who
    for f in FIELDS:
        if f.sight is PUBLIC:
            view[f.name] = values[f.name]
        elif f.sight is OWNER and who != SPECTATOR:
            view["my_" + f.name] = values[f.name][who]
    return view


@given(st.lists(states, min_size=1, max_size=3), st.sampled_from([0, 1, 2, SPECTATOR]))
def test_observe_copies_what_is_allowed_and_nothing_else(tables: list[dict[str, Any]], who: int) -> None:
    views = LAYOUT.observe(np.concatenate([record(values) for values in tables]), who)
    assert views.dtype == slow_view(tables[0], who).dtype
    for view, values in zip(views, tables, strict=True):
        assert view.tobytes() == slow_view(values, who).tobytes()
        seen = LAYOUT.observe_plain(plain(values), who)
        assert seen.pack() == view.tobytes()
        assert LAYOUT.share_plain(plain(values), who).pack() == view.tobytes()


@given(states, states, st.sampled_from([f.name for f in FIELDS]), st.sampled_from([0, 1, 2, SPECTATOR]))
def test_what_changes_for_a_seat_is_what_differs_in_its_views(
    values: dict[str, Any], others: dict[str, Any], name: str, who: int
) -> None:
    data, view = plain(values).pack(), LAYOUT.observe_plain(plain(values), who)
    for other in (values, {**values, name: others[name]}, others):
        packed, seen = plain(other).pack(), LAYOUT.observe_plain(plain(other), who)
        names = [f for f in LAYOUT.view.names if getattr(view, f) != getattr(seen, f)]
        changes = LAYOUT.changes(data, packed)
        found = {**changes.public, **changes.own.get(who, {})}
        assert found == {name: getattr(view, name) for name in names}


@given(states, st.sampled_from([0, 1, 2, SPECTATOR]))
def test_the_places_of_a_view_hold_what_it_shows(values: dict[str, Any], who: int) -> None:
    state = np.frombuffer(bytearray(b"\xff" * LAYOUT.state.dtype.itemsize), np.uint8).copy()
    packed = np.frombuffer(plain(values).pack(), np.uint8)
    for place in LAYOUT.places(None, who):
        state[place] = packed[place]
    assert LAYOUT.observe(state.view(LAYOUT.state.dtype), who).tobytes() == slow_view(values, who).tobytes()
    assert LAYOUT.places(["no such field"], who) == []


@given(states, st.sampled_from([0, 1, 2, SPECTATOR]))
def test_unobserve_puts_back_what_a_view_shows_and_zeros_elsewhere(values: dict[str, Any], who: int) -> None:
    view = LAYOUT.observe(record(values), who)
    back = np.frombuffer(bytearray(b"\xff" * LAYOUT.state.dtype.itemsize), LAYOUT.state.dtype)
    LAYOUT.unobserve(view, back)
    assert LAYOUT.observe(back, who).tobytes() == view.tobytes()
    expected = np.zeros(1, LAYOUT.state.dtype)
    for f in FIELDS:
        if f.sight is PUBLIC:
            expected[f.name] = values[f.name]
        elif f.sight is OWNER and who != SPECTATOR:
            expected[f.name][0, who] = values[f.name][who]
    assert back.tobytes() == expected.tobytes()
    assert LAYOUT.unobserve_plain(LAYOUT.observe_plain(plain(values), who)).pack() == expected.tobytes()


def test_the_map_of_bytes_reaches_every_byte_a_view_may_have_once() -> None:
    source, target, shown = byte_map(FIELDS, SEATS)
    assert source.shape == (SEATS, len(target)) and len(set(target.tolist())) == len(target)
    assert (source[0, :shown] == source[1, :shown]).all()
    own = [set(row[shown:].tolist()) for row in source]
    assert not own[0] & own[1] and not own[0] & own[2] and not own[1] & own[2]


# --- Encoding ---


def test_the_encoding_says_what_every_column_means() -> None:
    layout = Layout(
        [
            Field("turn", I8, (), PUBLIC, 4, "the turn"),
            Field("face", I8, (2,), PUBLIC, 2, "what shows", codes=True),
            Field("coins", I8, (2, 2), OWNER, 8, "money"),
        ],
        2,
    )
    assert layout.encoding == [
        "turn / 4: the turn",
        "face[0] is 0: what shows",
        "face[0] is 1: what shows",
        "face[0] is 2: what shows",
        "face[1] is 0: what shows",
        "face[1] is 1: what shows",
        "face[1] is 2: what shows",
        "my_coins[0] / 8: money",
        "my_coins[1] / 8: money",
        "seat / 127: whose view this is; 127 for a spectator",
    ]
    s = layout.state.plain()
    s.turn, s.face, s.coins = 3, [2, 0], [[1, 2], [8, 4]]
    views = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), 1)
    encoded = layout.encode(views)
    wanted = [0.75, 0, 0, 1, 1, 0, 0, 1, 0.5, 1 / 127]
    assert np.allclose(encoded, [wanted]) and encoded.dtype == np.float32


@given(st.lists(states, min_size=1, max_size=3), st.integers(0, 2))
def test_encoded_views_lie_between_0_and_1(tables: list[dict[str, Any]], seat: int) -> None:
    encoded = LAYOUT.encode(LAYOUT.observe(np.concatenate([record(values) for values in tables]), seat))
    assert encoded.shape == (len(tables), len(LAYOUT.encoding))
    assert encoded.min() >= 0 and encoded.max() <= 1
    codes = sum(f.size for f in LAYOUT.view.fields if f.codes)
    columns = [i for i, meaning in enumerate(LAYOUT.encoding) if re.match(r"[\w\[\]]+ is \d", meaning)]
    assert (encoded[:, columns].sum(axis=1) == codes).all()


def test_a_form_of_one_kind_of_field() -> None:
    form = RecordLayout([Field("row", I16, (3,), PUBLIC, 1000, "a row")])
    s = form.plain()
    s.row[1] = 513
    assert s.pack() == bytes([0, 0, 1, 2, 0, 0])


def test_every_state_begins_with_the_same_fields() -> None:
    """Made anew: those of the games were made when they were imported."""
    for game, more in (
        (GAMES["verrater"], {"together": False}),
        (GAMES["trok"], {"idle": (TrokPhase.INCOME,)}),
        (GAMES["trieste"], {}),
    ):
        phases = next(f.highest for f in game.fields if f.name == "phase")
        made = standard_fields(max(game.seats), phases, **more)  # type: ignore[arg-type]
        assert made == game.fields[: len(made)]
        assert [f.name for f in made] == [
            *("seats", "phase", "waiting", "over", "result"),
            *("rng_a", "rng_b", "rng_c", "rng_d"),
        ]
        assert isinstance(made[4].shape[0], SeatAxis)
    assert standard_fields(3, 5)[1].absent == (0, 5) and standard_fields(3, 5, (2, 4))[1].absent == (0, 2, 4, 5)
    assert [f.encoded for f in standard_fields(3, 5)[:5]] == [True, True, True, False, False]


def test_the_parts_of_a_game_have_their_names_and_their_defaults() -> None:
    game = GAMES["verrater"]
    plain = replace(game, stages=None, guide=None)
    assert plain.functions["decide"] is game.apply and plain.functions["settle"] is nothing_follows
    assert list(game.functions)[:4] == ["deal", "legal", "apply", "imagine"]
    assert [game.functions[name] for name in ("deal", "legal", "imagine")] == [game.deal, game.legal, game.imagine]
    stages = GAMES["trieste"].stages
    assert stages is not None and GAMES["trieste"].functions["settle_step"] is stages.settle_step
    assert [one.usual_seats for one in GAMES.values()] == [4, 4, 3]


def test_a_plain_state_is_called_a_state() -> None:
    assert RecordLayout(FIELDS).plain.__name__ == "State"


def test_whose_view_it_is_has_no_column() -> None:
    whose = view_fields(FIELDS, SEATS)[-1]
    assert whose == Field("seat", I8, (), PUBLIC, 127, "whose view this is; 127 for a spectator", encoded=False)


def test_a_record_of_one_field_has_one_value() -> None:
    s = RecordLayout(FIELDS[:1]).plain()
    s.turn = 4
    assert RecordLayout(FIELDS[:1]).values(s) == (4,)


def test_what_is_put_back_into_a_state_is_the_states_own() -> None:
    layout = Layout(FIELDS, SEATS)
    view = layout.view.plain()
    view.seat = 1
    s = layout.unobserve_plain(view)
    s.hand[1][0][2], s.board[1][0], s.purse[1] = 5, 3, 7
    assert view.my_hand == [[0] * 3, [0] * 3] and view.board == [[0, 0], [0, 0]] and view.my_purse == 0


def test_fields_declared_twice_are_named() -> None:
    with pytest.raises(ValueError, match=r"^fields declared twice: hand, turn$"):
        Layout([*FIELDS, FIELDS[0], FIELDS[2]], SEATS)


def test_a_copy_shares_nothing_however_deep_a_field_is() -> None:
    s = RecordLayout(FIELDS).plain()
    other = s.copy()
    other.hand[1][0][2], other.board[1][0], other.purse[0], other.turn = 5, 3, 7, 9
    assert s.pack() == RecordLayout(FIELDS).plain().pack() != other.pack()
