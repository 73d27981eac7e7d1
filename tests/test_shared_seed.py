"""Luck that anyone can check: seeds made together, and games that follow from them to the last card."""

import hashlib
import hmac
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import pennies
from tests.cases import CASES, Case, every_case, play_on
from tripot.core.rng import FIELDS
from tripot.core.shared_seed import (
    READY_WORDS,
    BadSeed,
    Contribution,
    Draw,
    KeyedLuck,
    ReadyLuck,
    SharedSeed,
    hash_of,
    is_hex,
    new_secret,
)
from tripot.table.record import BadRecord, loads, record_of, replay
from tripot.table.refusal import Refusal
from tripot.table.table import BadTable, Table
from tripot.web.live.bot_pool import bot_seed

SECRETS = st.binary(min_size=32, max_size=32).map(bytes.hex)
GAMES = {case.game.name: case.game for case in CASES} | {"pennies": pennies.GAME}


def added(value: str) -> Contribution:
    return Contribution(hash_of(value), value)


def seed_of(number: int, contributions: tuple[Contribution | None, ...] = ()) -> SharedSeed:
    return SharedSeed(f"{number:064x}", contributions)


def test_the_words_of_a_key_never_change() -> None:
    """Saved games depend on them. The expected ones were computed with OpenSSL's command line."""
    part = added("11" * 32)
    seed = SharedSeed("00" * 32, (part, None, Contribution(hash_of("22" * 32), None)))
    assert seed.hash == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    assert seed.key.hex() == "09b9d64d8eec632d3d61b09eba097c42a984606009af23c2799b9ab312cb8e18"
    luck = seed.luck()
    assert [luck.word(number) for number in (0, 1, 7, 8, 9)] == [
        1644506983,
        3079969499,
        2471572484,
        2423540697,
        3125572278,
    ]


@given(SECRETS, st.integers(0, 2**32 - 1))
def test_a_word_is_a_part_of_a_block_in_any_order(key: str, number: int) -> None:
    block = hmac.new(bytes.fromhex(key), (number // 8).to_bytes(8, "big"), hashlib.sha256).digest()
    expected = int.from_bytes(block[number % 8 * 4 :][:4], "big")
    luck = KeyedLuck(bytes.fromhex(key))
    luck.word(number ^ 8)
    assert luck.word(number) == expected and luck.roll(number, 6) == expected * 6 >> 32


@given(SECRETS, st.lists(SECRETS, min_size=3, max_size=3), st.integers(0, 2))
def test_every_contribution_changes_the_key(secret: str, values: list[str], seat: int) -> None:
    parts = [added(value) for value in values]
    other: list[Contribution | None] = [*parts]
    other[seat] = added(hash_of(values[seat]))
    without: list[Contribution | None] = [*parts]
    without[seat] = Contribution(parts[seat].commitment, None)
    keys = {SharedSeed(secret, tuple(some)).key for some in (parts, other, without)}
    assert len(keys | {SharedSeed(hash_of(secret), tuple(parts)).key}) == 4


def test_a_secret_is_256_random_bits_and_new_each_time() -> None:
    found = {new_secret() for _ in range(100)}
    assert len(found) == 100 and all(map(is_hex, found))


@pytest.mark.parametrize(
    ("seed", "said"),
    [
        (SharedSeed("ab"), "64 hexadecimal digits"),
        (SharedSeed("AB" * 32), "64 hexadecimal digits"),
        (SharedSeed("00" * 32, (Contribution("x", None),)), "seat 1 must be 64"),
        (SharedSeed("00" * 32, (None, Contribution("00" * 32, "00" * 32))), "seat 2 does not have the hash"),
        (SharedSeed("00" * 32, (Contribution(None, "00" * 32),)), "seat 1 does not have the hash"),
    ],
)
def test_a_seed_that_does_not_fit_together_is_refused(seed: SharedSeed, said: str) -> None:
    with pytest.raises(BadSeed, match=said):
        seed.check()
    with pytest.raises(BadTable):
        Table(pennies.GAME, 2, seed)


def test_contributions_are_for_the_seats_of_the_table() -> None:
    with pytest.raises(BadTable, match="3 contributions to the shuffle for 2 seats"):
        Table(pennies.GAME, 2, seed_of(1, (None, None, None)))


# --- Games ---


def played(case: Case, seed: SharedSeed, decisions: int = 20_000) -> Table:
    table = Table(case.game, case.seats, seed, case.options)
    play_on(table, random.Random(str(case)), decisions)
    return table


@every_case
def test_a_game_replays_to_the_same_bytes(case: Case) -> None:
    parts = tuple(added(f"{seat:064x}") if seat else None for seat in range(case.seats))
    table = played(case, seed_of(5, parts), 40)
    record = loads(record_of(table).dumps())
    assert record.seed == table.seed and replay(record, GAMES).state_bytes() == table.state_bytes()
    dealt = [Table(case.game, case.seats, seed, case.options) for seed in (seed_of(5, parts), seed_of(5))]
    rolled = dealt[0]._state.rng_d > 0  # a toy of no rounds is over before anything is rolled
    assert (dealt[0].state_bytes() != dealt[1].state_bytes()) == rolled


@every_case
def test_every_roll_follows_from_the_key(case: Case) -> None:
    """Draws the words of the key by hand: the state counts them, and nothing else of the state knows the luck."""
    seed, draws = seed_of(7), list[Draw]()
    table = played(case, seed, 60)
    again = replay(record_of(table), GAMES, draws=draws)
    assert all(draw == (draw.sides, seed.luck().word(number) * draw.sides >> 32) for number, draw in enumerate(draws))
    s = again._state
    assert [getattr(s, word.name) for word in FIELDS] == [0, 0, 0, len(draws)]


def test_two_lucks_that_agree_so_far_have_the_same_state() -> None:
    """So no seat, no bot and no database page can learn from a state what will be rolled next."""
    table = Table(pennies.GAME, 3, seed_of(9))

    class Changed(KeyedLuck):
        def word(self, number: int) -> int:
            return super().word(number) if number < drawn else 0

    drawn = table._state.rng_d
    other = Table(pennies.GAME, 3, seed_of(9))
    other._state.luck = Changed(seed_of(9).key)
    assert other.state_bytes() == table.state_bytes() and drawn > 0
    assert [other.view(seat).tobytes() for seat in range(3)] == [table.view(seat).tobytes() for seat in range(3)]
    play_on(table, random.Random(1), 40)
    play_on(other, random.Random(1), 40)
    assert other.state_bytes() != table.state_bytes()


def test_a_refused_choice_draws_nothing() -> None:
    table = Table(pennies.GAME, 2, seed_of(3))
    before = table.state_bytes()
    offer = table.offer(table.waiting[0])
    with pytest.raises(Refusal):
        table.decide(offer.seat, [*offer.legal[:1], 999], offer.sequence)
    assert table.state_bytes() == before and table._state.luck is not None
    play_on(table, random.Random(2), 20_000)
    assert replay(record_of(table), GAMES).state_bytes() == table.state_bytes()


def test_what_a_seat_imagines_has_luck_of_its_own() -> None:
    table = Table(pennies.GAME, 2, seed_of(3))
    s = pennies.GAME.imagined(table.view(0), 5)
    assert s.luck is None and [s.rng_a, s.rng_b, s.rng_c] != [0, 0, 0]
    assert table._state.copy().luck is table._state.luck


def test_a_bots_seed_tells_nothing_of_the_luck() -> None:
    """It is a hash of the whole seed: another for each decision, and none of them is a word of the key."""
    seed = seed_of(4)
    found = {bot_seed(seed, seat, sequence) for seat in range(4) for sequence in range(50)}
    assert len(found) == 200 and not {part for one in found for part in (one >> 32, one & 0xFFFFFFFF)} & {
        seed.luck().word(number) for number in range(1000)
    }


# --- Records ---


def content(**changes: Any) -> str:
    from tests.test_records import _seal

    table = Table(pennies.GAME, 2, seed_of(3, (added("12" * 32), None)))
    found = {**json.loads(record_of(table).dumps()), **changes}
    found.pop("seal")
    return json.dumps({**found, "seal": _seal(found)})


def test_a_record_names_its_generator() -> None:
    assert json.loads(content())["generator"] == "hmac-sha256"
    assert json.loads(content())["contributions"] == [list(added("12" * 32)), None]
    assert json.loads(record_of(Table(pennies.GAME, 2, 3)).dumps())["generator"] == "sfc32"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"generator": "dice"}, "generator: must be sfc32 or hmac-sha256"),
        ({"generator": "sfc32"}, "seed: must be digits in quotes"),
        ({"generator": "sfc32", "seed": "7"}, "contributions: must be"),
        ({"seed": "7"}, "64 hexadecimal digits"),
        ({"seed": 7}, "64 hexadecimal digits"),
        ({"contributions": {}}, "contributions: must be a list by seat"),
        ({"contributions": [None]}, "1 contributions to the shuffle for 2 seats"),
        ({"contributions": [["00" * 32, "00" * 32], None]}, "seat 1 does not have the hash"),
        ({"contributions": [None, 5]}, "seat 2 must be"),
    ],
)
def test_a_record_with_other_luck_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        replay(loads(content(**changes)), GAMES)


def test_luck_that_many_states_share_is_the_luck_of_its_key() -> None:
    ready, plain = ReadyLuck(bytes(32)), KeyedLuck(bytes(32))
    numbers = [0, 1, 7, 8, READY_WORDS - 1, READY_WORDS, READY_WORDS + 9, 3]
    assert [ready.word(number) for number in numbers] == [plain.word(number) for number in numbers]
    assert [ready.roll(number, 6) for number in numbers] == [plain.roll(number, 6) for number in numbers]
