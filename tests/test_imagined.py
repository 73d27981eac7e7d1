"""Tables that play on with hidden cards imagined anew: one seat cannot tell, and their records play again exactly."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from tests.cases import CASES, Case
from tests.test_records import played
from tripot import GAMES, OLDER
from tripot.core.news import EVERYONE
from tripot.table.imagined import Imagined
from tripot.table.record import BadRecord, Record, loads, record_of, replay
from tripot.table.table import Table

SHIPPED = [case for case in CASES if case.game.name in GAMES]
RECORDS = Path(__file__).parent / "records"
NAMES = [str(case) for case in SHIPPED]


def branch(case: Case, part: float, seed: int = 5) -> tuple[Table, Table]:
    """A game when a part of it has been played, and the same with what the mover cannot see imagined anew."""
    whole = record_of(played(case))
    step = int(part * len(whole.decisions))
    record = Record(**{**vars(whole), "decisions": whole.decisions[:step], "result": None})
    before = replay(record, GAMES)
    record.imagined = [Imagined(step, whole.decisions[step][0], seed)]
    return before, replay(record, GAMES)


def play_to_the_end(table: Table) -> None:
    luck = random.Random(3)
    while not table.over:
        seat = table.waiting[0]
        offer = table.offer(seat)
        table.decide(seat, luck.choice(offer.legal), offer.sequence)


@pytest.mark.parametrize("case", SHIPPED, ids=NAMES)
def test_the_seat_sees_and_may_do_the_same_and_other_cards_lie_hidden(case: Case) -> None:
    changed = 0
    for part in (0.0, 0.3, 0.6):
        before, anew = branch(case, part)
        seat = anew.imagined[0].seat
        assert np.array_equal(anew.view(seat), before.view(seat))
        assert anew.offer(seat) == before.offer(seat)
        assert anew.letter(seat) == before.letter(seat)
        changed += anew.state_bytes() != before.state_bytes()
    assert changed == 3


@pytest.mark.parametrize("case", SHIPPED, ids=NAMES)
def test_a_record_of_such_a_table_is_read_and_plays_again_exactly(case: Case) -> None:
    _, table = branch(case, 0.4)
    play_to_the_end(table)
    record = loads(record_of(table).dumps())
    again = replay(record, GAMES)
    assert record.imagined == list(table.imagined) and again.state_bytes() == table.state_bytes()
    assert again.outcome(0) == table.outcome(0)
    assert loads(record_of(again).dumps()) == record


def test_hidden_cards_are_imagined_anew_twice_and_what_others_heard_is_forgotten() -> None:
    case = next(case for case in SHIPPED if case.game.name == "trok")
    _, table = branch(case, 0.3)
    record = record_of(table)
    record.imagined.append(Imagined(table.sequence, 1, 8))
    twice = replay(record, GAMES)
    assert twice.state_bytes() != table.state_bytes()
    first = table.imagined[0].seat
    other = next(seat for seat in range(table.seats) if seat != first)
    assert {story.item.to for story in table.news(other)} == {EVERYONE}
    assert len(table.news(first)) > len(table.news(other))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_went_on_with_imagined_cards_plays_the_same_for_ever(name: str) -> None:
    """`imagine` belongs to the rules: where it changes, the rules version grows, and the older one stays."""
    record = loads((RECORDS / f"{name}-imagined.json").read_text("utf-8"))
    assert record.imagined and replay(record, GAMES, OLDER).result == record.result


def test_a_record_without_it_is_written_as_before() -> None:
    record = record_of(played(SHIPPED[0]))
    assert json.loads(record.dumps())["format"] == "tripot record 2" and "imagined" not in json.loads(record.dumps())


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        [1],
        [{"after": 0, "seat": 0}],
        [{"after": -1, "seat": 0, "seed": "1"}],
        [{"after": 9999, "seat": 0, "seed": "1"}],
        [{"after": 0, "seat": True, "seed": "1"}],
        [{"after": 0, "seat": 0, "seed": 1}],
    ],
)
def test_a_moment_that_is_none_is_refused_with_its_name(wrong) -> None:
    _, table = branch(SHIPPED[0], 0.1)
    content = json.loads(record_of(table).dumps()) | {"imagined": wrong}
    with pytest.raises(BadRecord, match="imagined: must be a list of moments"):
        loads(json.dumps(content))


@pytest.mark.parametrize(("seat", "seed"), [(9, 1), (0, 1 << 64)])
def test_a_seat_or_a_seed_that_does_not_exist_is_refused(seat: int, seed: int) -> None:
    record = record_of(branch(SHIPPED[0], 0.1)[1])
    record.imagined = [Imagined(1, seat, seed)]
    with pytest.raises(BadRecord, match="hidden cards cannot be imagined"):
        replay(record, GAMES)
