"""House rules: read from text, checked, and written only where they differ from the defaults."""

import json
import re
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import CASES, Case
from tripot.core.options import (
    SEATS,
    BadOption,
    Sum,
    Table,
    as_json,
    as_record,
    check_seats,
    option,
    parse,
    parse_pairs,
)


class Mood(IntEnum):
    CALM = 0
    WILD = 2


@dataclass(frozen=True)
class Rules:
    goal: int = option(50, "X-1.1", highest=200)
    open: int = option(1, "X-1.2")
    copies: tuple[int, ...] = option((5, 5, 5), "X-1.3", highest=9)
    table: tuple[tuple[int, ...], ...] = option(((1, 2), (3, 4)), "X-1.4", highest=9)
    first: int = option(0, "X-1.5", highest=SEATS)
    mood: int = option(Mood.CALM, "X-1.6", names=Mood)


@dataclass(frozen=True)
class NoRules:
    pass


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], Rules()),
        (["goal=60"], Rules(goal=60)),
        ([" goal = 0 "], Rules(goal=0)),
        (["goal=60", "goal=70"], Rules(goal=70)),
        (["open=true"], Rules(open=1)),
        (["open=false"], Rules(open=0)),
        (["copies=[1,2,3]"], Rules(copies=(1, 2, 3))),
        (["table=[[1,0],[0,9]]"], Rules(table=((1, 0), (0, 9)))),
        (["mood=wild"], Rules(mood=Mood.WILD)),
        (["mood=WILD"], Rules(mood=Mood.WILD)),
        (["first=3", "mood=calm"], Rules(first=3)),
    ],
)
def test_options_are_read_from_name_and_value(pairs: list[str], expected: Rules) -> None:
    found = parse_pairs(Rules, pairs)
    assert found == expected
    assert all(type(number) is not bool for number in (found.open, found.goal))


@pytest.mark.parametrize(
    ("pair", "complaint"),
    [
        ("goal", "'goal' is not an option: write name=value"),
        ("gaol=3", "unknown option 'gaol': this game has goal, open, copies, table, first, mood"),
        ("=3", "unknown option '': this game has"),
        ("goal=", "option goal = : not a number"),
        ("goal=many", "option goal = many: not a number"),
        ("goal=201", "option goal: 201 is not a whole number from 0 to 200"),
        ("goal=-1", "option goal: -1 is not a whole number from 0 to 200"),
        ("goal=1.0", "option goal: 1.0 is not a whole number from 0 to 200"),
        ("goal=NaN", "option goal: NaN is not a whole number from 0 to 200"),
        ("goal=1e999", "option goal: Infinity is not a whole number from 0 to 200"),
        ("goal=null", "option goal: null is not a whole number from 0 to 200"),
        ('goal="50"', 'option goal: "50" is not a whole number from 0 to 200'),
        ("goal={}", "option goal: {} is not a whole number from 0 to 200"),
        ("goal=[1]", "option goal = [1]: must be one number"),
        ("goal=" + "9" * 5_000, "option goal = 9999999999"),
        ("goal=" + "[" * 100_000, "option goal = [[[[["),
        ("goal=" + "[" * 300 + "]" * 300, "option goal = [[[[["),
        ("open=2", "option open: 2 is not a whole number from 0 to 1"),
        ("copies=5", "option copies = 5: must be a table of 3 numbers"),
        ("copies=[1,2]", "option copies = [1, 2]: must be a table of 3 numbers"),
        ("copies=[1,2,10]", "option copies: 10 is not a whole number from 0 to 9"),
        ("copies=[1,2,[3]]", "option copies = [1, 2, [3]]: must be a table of 3 numbers"),
        ('copies=[1,2,"3"]', 'option copies: "3" is not a whole number from 0 to 9'),
        ("table=[[1,2],[3]]", "option table = [[1, 2], [3]]: must be a table of 2 by 2 numbers"),
        ("first=128", "option first: 128 is not a whole number from 0 to 127"),
        ("mood=sad", "option mood = sad: must be one of calm, wild"),
        ("mood=2", "option mood = 2: must be one of calm, wild"),
        ("mood=" + "x" * 1_000, "option mood = xxxxxxxxxx"),
        ("x" * 1_000, "'xxxxxxxxxx"),
    ],
    ids=lambda text: text[:40],
)
def test_what_is_not_an_option_is_refused_by_name(pair: str, complaint: str) -> None:
    with pytest.raises(BadOption, match="^" + re.escape(complaint)) as refused:
        parse_pairs(Rules, [pair])
    assert len(str(refused.value)) < 300


def test_a_value_nested_without_end_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(BadOption, match="option goal = …: must be one number"):
        parse(Rules, {"goal": deep})


def test_a_game_without_options_says_so() -> None:
    assert parse_pairs(NoRules, []) == NoRules()
    with pytest.raises(BadOption, match="unknown option 'goal': this game has none"):
        parse_pairs(NoRules, ["goal=1"])
    assert as_record(NoRules()).dtype.names == ("none",)


def test_a_seat_must_be_at_the_table() -> None:
    check_seats(Rules(first=3), 3)
    with pytest.raises(BadOption, match="option first = 4: this table has 3 seats"):
        check_seats(Rules(first=4), 3)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([*Rules.__dataclass_fields__, "other"]), json_values)
def test_any_value_is_read_or_refused(name: str, value: Any) -> None:
    """Any JSON value becomes numbers in range or raises BadOption, never another exception."""
    try:
        found = parse(Rules, {name: value})
    except BadOption:
        return
    assert as_record(found).dtype == as_record(Rules()).dtype
    assert parse(Rules, json.loads(json.dumps(as_json(found)))) == found


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    for pair in (text, f"goal={text}", f"table={text}", f"mood={text}"):
        try:
            assert isinstance(parse_pairs(Rules, [pair]), Rules)
        except BadOption as refused:
            assert str(refused)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_options_survive_json(case: Case) -> None:
    found = as_json(case.options)
    assert parse(type(case.options), json.loads(json.dumps(found))) == case.options
    for name, value in found.items():
        assert value != getattr(type(case.options)(), name)


def test_only_what_differs_is_written_down() -> None:
    assert as_json(Rules()) == {}
    assert as_json(Rules(goal=60, mood=Mood.WILD, copies=(1, 2, 3))) == {
        "goal": 60,
        "mood": "wild",
        "copies": (1, 2, 3),
    }


def test_the_record_for_native_code_holds_the_same_numbers() -> None:
    record = as_record(Rules(goal=60, table=((9, 8), (7, 6)), mood=Mood.WILD))
    assert record["goal"].tolist() == [60] and record["table"].tolist() == [[[9, 8], [7, 6]]]
    assert record["mood"].tolist() == [2] and record["copies"].tolist() == [[5, 5, 5]]
    assert all(record.dtype[name].base == np.dtype("i8") for name in record.dtype.names or ())


# --- Tables with names, given as files ---


TABLE = Table(
    default="usual",
    rows=("cat", "stray dog", "bird"),
    columns={"legs": (2, 8), "copies": (0, 9)},
    sums=(Sum("the copies", "copies", range(3), 9),),
)


@dataclass(frozen=True)
class Zoo:
    animals: tuple[tuple[int, ...], ...] = option(((4, 3), (4, 5), (2, 1)), "X-2.1", highest=9, table=TABLE)


def zoo(folder: Path, text: str) -> Any:
    path = folder / "zoo.toml"
    path.write_text(text, "utf-8")
    return parse_pairs(Zoo, [f"animals={path}"])


def test_a_table_is_read_from_a_file_that_says_what_differs(tmp_path: Path) -> None:
    found = zoo(tmp_path, '[cat]\ncopies = 2\n\n["stray dog"]\nlegs = 3\ncopies = 6\n')
    assert found == Zoo(animals=((4, 2), (3, 6), (2, 1)))
    assert zoo(tmp_path, "# nothing") == Zoo() == parse_pairs(Zoo, ["animals=usual"])


def test_a_table_goes_into_records_as_numbers_and_comes_back_without_its_file(tmp_path: Path) -> None:
    found = zoo(tmp_path, "[cat]\nlegs = 5\n")
    (tmp_path / "zoo.toml").unlink()
    assert parse(Zoo, json.loads(json.dumps(as_json(found)))) == found
    assert as_record(found)["animals"][0].tolist() == [[5, 3], [4, 5], [2, 1]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[cow]\nlegs = 4\n", "option animals: there is no 'cow'; the rows are cat, stray dog, bird"),
        ("[cat]\ntails = 1\n", "option animals, cat: there is no 'tails'; there are legs, copies"),
        ("cat = 3\n", 'option animals, cat: write its numbers in a section of its own, ["cat"]'),
        ("[cat]\nlegs = 1\n", "option animals, cat: legs = 1 is not a whole number from 2 to 8"),
        ("[bird]\nlegs = 9\n", "option animals, bird: legs = 9 is not a whole number from 2 to 8"),
        ("[bird]\nlegs = 2.0\n", "option animals, bird: legs = 2.0 is not a whole number from 2 to 8"),
        ("[bird]\nlegs = true\n", "option animals, bird: legs = true is not a whole number from 2 to 8"),
        ("[bird]\nlegs = 2020-01-01\n", "option animals, bird: legs = … is not a whole number from 2 to 8"),
        ("[bird]\ncopies = 2\n", "option animals: the copies must be 9, not 10"),
        ("[bird\n", "option animals = "),
    ],
)
def test_a_bad_file_is_refused_with_its_row(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(BadOption, match="^" + re.escape(complaint)):
        zoo(tmp_path, text)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="cannot read this file"):
        parse_pairs(Zoo, [f"animals={tmp_path / 'missing.toml'}"])
    with pytest.raises(BadOption, match="cannot read this file"):
        parse_pairs(Zoo, [f"animals={tmp_path}"])
    (tmp_path / "zoo.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadOption, match="not a TOML file"):
        parse_pairs(Zoo, [f"animals={tmp_path / 'zoo.toml'}"])


def test_a_table_of_numbers_is_held_to_its_columns_and_sums_too() -> None:
    with pytest.raises(BadOption, match="option animals, bird: legs = 1 is not"):
        parse(Zoo, {"animals": [[4, 3], [4, 5], [1, 1]]})
    with pytest.raises(BadOption, match="the copies must be 9, not 8"):
        parse(Zoo, {"animals": [[4, 3], [4, 5], [2, 0]]})
    with pytest.raises(BadOption, match="must be a table of 3 by 2 numbers"):
        parse(Zoo, {"animals": [[4, 3], [4, 5]]})


def test_only_a_command_line_may_name_a_file(tmp_path: Path) -> None:
    """Options from the wire or from a record reveal nothing about files of this machine."""
    (tmp_path / "zoo.toml").write_text("[cat]\nlegs = 5\n", "utf-8")
    for name in (str(tmp_path / "zoo.toml"), "/no/such/file"):
        with pytest.raises(
            BadOption, match=r"^option animals: give the numbers themselves; a file is read on a command"
        ):
            parse(Zoo, {"animals": name})
    assert parse(Zoo, {"animals": "usual"}) == Zoo()
    assert parse_pairs(Zoo, ["animals=[[4,3],[4,5],[3,1]]"]) == Zoo(animals=((4, 3), (4, 5), (3, 1)))


def test_an_option_is_declared_with_its_clause_and_its_range() -> None:
    """Made anew: those of the games were made when they were imported."""
    plain, named = option(3, "X-1.1", highest=7), option(Colour.RED, "X-1.2", names=Colour)
    assert (plain.default, dict(plain.metadata)) == (
        3,
        {"clause": "X-1.1", "highest": 7, "names": None, "table": None},
    )
    assert (named.default, named.metadata["highest"], named.metadata["names"]) == (Colour.RED, 4, Colour)
    assert option(0, "X-1.3").metadata["highest"] == 1
    table = Table("usual", ("one",), {"count": (0, 3)})
    assert option(((1,),), "X-1.4", 9, table=table).metadata["table"] is table


class Colour(IntEnum):
    RED = 1
    BLUE = 4
