"""The shuffle before the deal: everyone announces, then everyone shows, and nobody can choose or block."""

from dataclasses import replace

import pytest

from tripot import GAMES
from tripot.core.shared_seed import SharedSeed, hash_of
from tripot.store.models import BOT, PERSON, PLAYING, WAITING, StoredSeat, StoredTable, record_of
from tripot.table.record import replay
from tripot.web.live import seating, shuffling
from tripot.web.live.table_info import deal_info
from tripot.web.ops.errors import ApiError, ErrorCode

GAME = GAMES["verrater"]
VALUES = [f"{seat:064x}" for seat in range(1, 4)]
HASHES = [hash_of(value) for value in VALUES]


def table(people: int = 2, together: bool = True) -> StoredTable:
    """A full table of three, with this many people and bots for the others."""
    seats = [StoredSeat(seat, PERSON, f"P{seat}", tokens=["aa"]) for seat in range(people)]
    seats += [StoredSeat(seat, BOT, "Ada", "easy", "uniform") for seat in range(people, 3)]
    parts = [None] * 3 if together else None
    return StoredTable("t1", GAME.name, GAME.rules_version, 0, seats, secret="07" * 32, contributions=parts)


def announced(stored: StoredTable, *seats: int) -> StoredTable:
    for seat in seats:
        stored = shuffling.announced(stored, seat, HASHES[seat])
    return stored


def shown(stored: StoredTable, *seats: int) -> StoredTable:
    for seat in seats:
        stored = shuffling.shown(stored, seat, VALUES[seat])
    return stored


def refused(stored: StoredTable, seat: int, value: str) -> bool:
    with pytest.raises(ApiError) as error:
        shuffling.shown(stored, seat, value)
    return error.value.code is ErrorCode.NOT_ANNOUNCED


def test_the_deal_follows_from_everyones_part() -> None:
    full = announced(table(), 0)
    assert shuffling.phase(full) == "announcing" and shuffling.started(full) is full
    full = announced(full, 1)
    assert shuffling.phase(full) == "showing" and full.status == WAITING
    half = shown(full, 1)
    assert half.status == WAITING and half.contributions == [[HASHES[0], None], [HASHES[1], VALUES[1]], None]
    dealt = shown(half, 0)
    assert dealt.status == PLAYING and dealt.waiting and shuffling.phase(dealt) == ""
    parts = [[HASHES[0], VALUES[0]], [HASHES[1], VALUES[1]], None]
    assert dealt.contributions == parts
    assert dealt.waiting == shuffling.bits(replay(record_of(dealt, []), GAMES).waiting)
    assert isinstance(dealt.whole_seed, SharedSeed) and dealt.whole_seed.key != SharedSeed("07" * 32).key


def test_nobody_can_show_before_everyone_has_announced() -> None:
    """Otherwise whoever announces last, with the server's help, could choose the deal."""
    full = announced(table(), 0)
    assert shown(full, 0) is full
    info = deal_info(full)
    assert info is not None and not info.show and info.contributions == [] and info.commitments[0] == HASHES[0]


def test_what_was_announced_cannot_be_changed_once_others_show() -> None:
    full = announced(table(), 0, 1)
    assert shuffling.announced(full, 1, HASHES[2]) is full
    assert refused(full, 1, VALUES[2]) and refused(full, 2, VALUES[2])
    half = shown(full, 0)
    assert refused(half, 0, VALUES[1]) and shuffling.announced(half, 1, HASHES[2]) is half
    info = deal_info(half)
    assert info is not None and info.show and info.contributions == []


def test_the_last_device_of_a_seat_announces_for_it() -> None:
    stored = announced(table(), 0)
    assert shuffling.announced(stored, 0, None) is stored and announced(stored, 0) is stored
    other = shuffling.announced(stored, 0, HASHES[2])
    assert other.contributions is not None and other.contributions[0] == [HASHES[2], None]


def test_a_player_who_announces_nothing_blocks_nobody() -> None:
    full = shuffling.announced(announced(table(), 0), 1, None)
    assert full.contributions == [[HASHES[0], None], [None, None], None] and shuffling.phase(full) == "showing"
    assert shown(full, 0).status == PLAYING
    waited = shuffling.given_up(announced(table(), 0))  # the other one was never heard of
    assert waited == full


def test_a_player_who_never_shows_blocks_nobody_and_is_seen_to_have_withheld() -> None:
    late = shuffling.given_up(shown(announced(table(), 0, 1), 0))
    assert late.status == PLAYING and late.contributions == [[HASHES[0], VALUES[0]], [HASHES[1], None], None]
    assert shown(late, 1) is late  # too late: the deal stands
    assert shuffling.given_up(late) is late


def test_a_table_where_nobody_takes_part_is_dealt_at_once() -> None:
    assert shuffling.announced(table(1), 0, None).status == PLAYING
    assert shuffling.given_up(table()).status == PLAYING
    assert shuffling.started(table(together=False)).status == PLAYING
    assert shuffling.announced(table(together=False), 0, HASHES[0]).contributions is None


def test_one_person_among_bots_announces_and_shows_alone() -> None:
    full = announced(table(1), 0)
    assert shuffling.phase(full) == "showing" and shown(full, 0).status == PLAYING


def test_late_joiners_take_part_and_those_who_left_do_not() -> None:
    waiting = replace(table(3), seats=[*table(3).seats[:2], StoredSeat(2, PERSON)])
    waiting = announced(waiting, 0, 1)
    assert shuffling.phase(waiting) == "" and shown(waiting, 0) is waiting
    left = seating.freed(waiting, 1)
    assert left.contributions == [[HASHES[0], None], None, None]
    full = seating.joined(seating.joined(left, 1, "New", "t" * 43), 2, "Last", "u" * 43)
    assert full.status == WAITING and shuffling.phase(full) == "announcing"
    assert shown(announced(full, 1, 2), 0, 1, 2).status == PLAYING


def test_whoever_leaves_during_the_shuffle_does_not_undo_it() -> None:
    """What the others have shown is known: the game begins with it, and goes on without the one who left."""
    left = seating.freed(shown(announced(table(), 0, 1), 0), 1)
    assert left.status == PLAYING and left.free_seats and left.contributions is not None
    assert left.contributions[:2] == [[HASHES[0], VALUES[0]], [HASHES[1], None]]


def test_whoever_leaves_before_anything_is_shown_leaves_a_table_that_waits() -> None:
    """A deal would follow from the server's part alone, although the others have announced theirs."""
    left = seating.freed(announced(table(), 0), 1)
    assert left.status == WAITING and left.contributions == [[HASHES[0], None], None, None]
    full = seating.joined(left, 1, "New", "t" * 43)
    assert shown(announced(full, 1), 0, 1).status == PLAYING


def test_a_rematch_shuffles_anew_with_another_secret() -> None:
    over = replace(shown(announced(table(), 0, 1), 0, 1), status="over")
    again = seating.rematch(over, {0, 1}, 0)
    assert again.status == WAITING and again.contributions == [None] * 3
    assert again.secret not in (None, over.secret) and shuffling.phase(again) == "announcing"
    alone = seating.rematch(replace(over, contributions=None), {0, 1}, 0)
    assert alone.status == PLAYING and alone.contributions is None


def test_an_older_table_has_nothing_to_check() -> None:
    assert deal_info(replace(table(), secret=None)) is None
