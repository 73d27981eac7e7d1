"""Records of games are written, read and replayed; anything else is refused."""

import dataclasses
import hashlib
import json
import random
import re
import sys
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tripot
from tests import pennies
from tests.cases import CASES, WITH_TOY, Case, every_case, play_on
from tripot.core.layout import SPECTATOR
from tripot.table.record import FORMAT, KEYS, BadRecord, Record, _seal, loads, record_of, replay
from tripot.table.table import Table

GAMES = {game.name: game for game in WITH_TOY}


def played(case: Case, seed: int = 61, decisions: int = 20_000) -> Table:
    table = case.table(seed)
    play_on(table, random.Random(str(case)), decisions)
    return table


@cache
def good() -> str:
    """Returns the record of a short game with an option, as text."""
    case = Case(pennies.GAME, 2, pennies.Options(rounds=2, worth=(1, 2, 4)))
    return record_of(played(case), ["person:Zoë", "uniform"]).dumps()


def sealed(**changes: Any) -> str:
    """Returns a record with parts replaced and a valid seal."""
    content = {**json.loads(good()), **changes}
    content.pop("seal")
    return json.dumps({**content, "seal": _seal(content)})


def complaint_about(text: str) -> str:
    """Returns why a text cannot be replayed as a record; any exception but BadRecord fails the test."""
    with pytest.raises(BadRecord) as refused:
        replay(loads(text), GAMES)
    message = str(refused.value)
    assert 10 < len(message) < 400 and "\n" not in message
    return message


# --- Round trips ---


@every_case
@pytest.mark.parametrize("decisions", [0, 5, 20_000])
def test_a_game_replays_to_the_same_bytes_and_the_same_news(case: Case, decisions: int) -> None:
    """Finished or not, under any options: state, news for every seat, offers and result."""
    table = played(case, decisions=decisions)
    record = record_of(table, ["uniform"] * case.seats)
    text = record.dumps()
    assert loads(text) == loads(loads(text).dumps()) and loads(text).dumps() == text
    again = replay(loads(text), GAMES)
    assert again.state_bytes() == table.state_bytes()
    for who in (*range(case.seats), SPECTATOR):
        assert again.news(who) == table.news(who)
        assert json.dumps(again.letter(who)) == json.dumps(table.letter(who))
    assert again.result == table.result and again.over == table.over
    assert (record.result is None) != table.over


def test_a_record_is_readable_and_says_what_it_is() -> None:
    content = json.loads(good())
    assert set(content) == KEYS and content["format"] == FORMAT
    assert content["options"] == {"rounds": 2, "worth": [1, 2, 4]} and content["seed"] == "61"
    assert content["players"] == ["person:Zoë", "uniform"]
    assert good().isascii() and good().startswith('{\n  "format": "tripot record 2",\n')


@given(st.integers(0, 2**64 - 1), st.lists(st.text(max_size=8), max_size=3))
def test_any_seed_and_any_names_survive(seed: int, players: list[str]) -> None:
    record = Record("pennies", 1, 2, seed, players=players)
    assert loads(record.dumps()) == record
    assert replay(record, GAMES).seed == seed


# --- Damage ---


def test_a_record_cut_off_anywhere_is_refused() -> None:
    text = good().rstrip()
    for length in range(len(text)):
        message = complaint_about(text[:length])
        assert message.startswith("not a record")
        assert "line" in message and "column" in message
    assert "the file is cut off" in complaint_about(text[: len(text) // 2])


@given(st.data(), st.characters())
def test_a_record_altered_in_any_byte_is_refused(data: st.DataObject, character: str) -> None:
    """Only white space between the parts may change."""
    text = good()
    at = data.draw(st.integers(0, len(text) - 1))
    altered = text[:at] + character + text[at + 1 :]
    try:
        same = json.loads(altered) == json.loads(text)
    except ValueError:
        same = False
    if same:
        assert loads(altered) == loads(text)
    else:
        complaint_about(altered)


def test_every_digit_and_letter_is_under_the_seal() -> None:
    """Raises one character at a time."""
    text = good()
    for at, character in enumerate(text):
        if character.isalnum():
            complaint_about(text[:at] + chr(ord(character) + 1) + text[at + 1 :])


@given(st.text(max_size=80))
@example("")
@example("{}")
@example("[]")
@example("null")
@example("[" * 100_000)
@example('{"format":' * 20_000)
@example("9" * 10_000)
@example('{"format": ' + "9" * 10_000 + "}")
@example("NaN")
@example('"\\ud800"')
@example("\x00")
def test_anything_else_is_no_record(text: str) -> None:
    complaint_about(text)


FOREIGN = [
    {"format": "tripot record 2"},
    {"format": None, "game": "pennies"},
    {"FORMAT": FORMAT},
    [FORMAT],
    FORMAT,
    {"format": FORMAT},
    {"name": "some package", "version": "1.0.0", "dependencies": {}},
]


@pytest.mark.parametrize("content", FOREIGN, ids=lambda content: json.dumps(content)[:40])
def test_foreign_json_is_no_record(content: Any) -> None:
    assert re.match("not a record of this program|the record is damaged", complaint_about(json.dumps(content)))


def test_lost_and_foreign_parts_are_named() -> None:
    for key in sorted(KEYS - {"format"}):
        content = json.loads(good())
        del content[key]
        assert f"missing ['{key}'], unexpected nothing" in complaint_about(json.dumps(content))
    content = {**json.loads(good()), "comment": "hello"}
    assert "missing nothing, unexpected ['comment']" in complaint_about(json.dumps(content))


# --- Sealed correctly, but wrong ---

WRONG = [
    ("game", 7, "game: must be a name, not 7"),
    ("game", "chess", "game: there is no game 'chess' here, only verrater, trok, trieste"),
    ("rules", "1", 'rules: must be a number, not "1"'),
    ("rules", True, "rules: must be a number, not true"),
    ("rules", 99, "rules: the record was played by version 99 of the rules of pennies; this program knows version 1"),
    ("options", [], "options: must be options by name, not []"),
    ("options", {"rounds": 5}, "the table cannot be set: option rounds: 5 is not a whole number from 0 to 4"),
    ("options", {"goal": 5}, "the table cannot be set: unknown option 'goal'"),
    ("options", {"lucky": 3}, "the table cannot be set: option lucky = 3: this table has 2 seats"),
    ("options", {"taste": None}, "the table cannot be set: option taste = None: must be one of high, low"),
    ("seats", 2.0, "seats: must be a number, not 2.0"),
    ("seats", 4, "the table cannot be set: pennies is for 2 or 3 players, not 4"),
    ("seats", 10**300, "the table cannot be set: pennies is for 2 or 3 players, not 1000"),
    ("seed", 61, "seed: must be digits in quotes, not 61"),
    ("seed", "-1", 'seed: must be digits in quotes, not "-1"'),
    ("seed", "٣", "seed: must be digits in quotes"),
    ("seed", "1" * 29, "the table cannot be set: the seed 11111111111111111111111111111 is not"),
    ("seed", "1" * 30, "seed: must be digits in quotes"),
    ("seed", "", 'seed: must be digits in quotes, not ""'),
    ("seed", str(2**64), "the table cannot be set: the seed 18446744073709551616 is not"),
    ("players", "Ada", 'players: must be a list of names, not "Ada"'),
    ("players", [1], "players: must be a list of names, not [1]"),
    ("decisions", None, "decisions: must be a list, not null"),
    ("decisions", [[0, 0], [1]], "decisions: number 2 must be [seat, decision], not [1]"),
    ("decisions", [[0, 0.0]], "decisions: number 1 must be [seat, decision], not [0, 0.0]"),
    ("decisions", [[0, True]], "decisions: number 1 must be [seat, decision], not [0, true]"),
    ("decisions", [[0, 0], [0, 0]], "decision 2 of 2 (seat 1): It is not your turn to decide."),
    ("decisions", [[7, 0]], "decision 1 of 1 (seat 8): There is no such seat"),
    ("decisions", [[SPECTATOR, 0]], "decision 1 of 1 (seat 128): There is no such seat"),
    ("decisions", [[-1, 0]], "decision 1 of 1 (seat 0): There is no such seat"),
    ("decisions", [[0, 99]], "decision 1 of 1 (seat 1): There is no such decision"),
    ("decisions", [[0, 10**300]], "decision 1 of 1 (seat 1): There is no such decision"),
    ("decisions", [], "result: the record says [60, 0], playing it again gives None"),
    ("result", [0, 60], "result: the record says [0, 60], playing it again gives [60, 0]"),
    ("result", None, "result: the record says None, playing it again gives [60, 0]"),
    ("result", [60], "result: the record says [60], playing it again gives [60, 0]"),
    ("result", [60.0, 0], "result: must be shares by seat, or null, not [60.0, 0]"),
    ("result", 60, "result: must be shares by seat, or null, not 60"),
    ("seal", "", "the record was altered: its seal does not fit"),
]


@pytest.mark.parametrize(("key", "value", "complaint"), WRONG, ids=lambda part: str(part)[:30])
def test_an_error_is_named_with_its_place(key: str, value: Any, complaint: str) -> None:
    text = sealed(**{key: value}) if key != "seal" else json.dumps({**json.loads(good()), "seal": value})
    assert complaint_about(text).startswith(complaint)


def test_a_record_is_replayed_by_the_rules_that_it_was_played_by() -> None:
    newer = {"pennies": dataclasses.replace(pennies.GAME, rules_version=2)}
    assert replay(loads(good()), newer, {("pennies", 1): pennies.GAME}).game is pennies.GAME
    with pytest.raises(BadRecord, match="played by version 1 of the rules of pennies; this program knows version 2"):
        replay(loads(good()), newer, {("pennies", 3): pennies.GAME})


def test_a_long_value_is_quoted_by_its_beginning() -> None:
    shown = json.dumps("x" * 100)[:60]
    assert complaint_about(sealed(players="x" * 100)) == f"players: must be a list of names, not {shown}"
    pair = json.dumps([0, "x" * 100])[:60]
    expected = f"decisions: number 1 must be [seat, decision], not {pair}"
    assert complaint_about(sealed(decisions=[[0, "x" * 100]])) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"game": ', "not a record: the file is cut off (at line 1, column 10)"),
        (' {"game": 1\n', "not a record: the file is cut off (at line 2, column 1)"),
        ('{"game": no}', "not a record: not JSON (at line 1, column 10)"),
        ('{"game": no} \n', "not a record: not JSON (at line 1, column 10)"),
        ("game", "not a record: not JSON (at line 1, column 1)"),
        ("9" * 10_000, "not a record: not JSON (at its numbers)"),
        ("[" * 100_000, "not a record: nested too deeply"),
        ("[]", 'not a record of this program: its format is "list", not "tripot record 2"'),
        ('{"format": 1}', 'not a record of this program: its format is 1, not "tripot record 2"'),
    ],
    ids=["cut", "cut later", "broken", "broken, then blank", "word", "number", "deep", "list", "other format"],
)
def test_what_is_no_record_is_named(text: str, complaint: str) -> None:
    assert complaint_about(text) == complaint


def test_the_seal_is_the_same_on_every_machine() -> None:
    content = {"players": ["Zoë"], "game": "pennies"}
    assert _seal(content) == hashlib.sha256(b'{"game":"pennies","players":["Zo\\u00eb"]}').hexdigest()


def test_an_illegal_decision_is_named_with_its_clause() -> None:
    table = Table(pennies.GAME, 2, 1)
    illegal = next(a for a in range(pennies.NUM_ACTIONS) if a not in table.offer(0).legal)
    record = Record("pennies", 1, 2, 1, decisions=[(1, 0), (0, illegal)])
    assert complaint_about(record.dumps()) == (
        "decision 2 of 2 (seat 1): The rules do not allow this decision now: What do you lay? [P-1.1]"
    )


def test_decisions_after_the_end_are_refused() -> None:
    content = json.loads(good())
    message = complaint_about(sealed(decisions=[*content["decisions"], [0, 0]]))
    count = len(content["decisions"]) + 1
    assert message.startswith(f"decision {count} of {count} (seat 1): The game is over")


@pytest.mark.parametrize("key", ["options", "decisions", "players", "result", "game"])
def test_very_deep_nesting_is_refused(key: str) -> None:
    """At every depth around Python's recursion limit, and far beyond it."""
    limit = sys.getrecursionlimit()
    content = json.loads(good())
    for depth in (100, *range(limit - 150, limit + 10), 50_000):
        nest = "[" * depth + "]" * depth
        nest = '{"rounds": ' + nest + "}" if key == "options" else nest
        parts = [f'"{name}": {nest if name == key else json.dumps(value)}' for name, value in content.items()]
        complaint_about("{" + ", ".join(parts) + "}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(KEYS - {"seal", "players"})), json_values)
def test_any_other_value_under_a_good_seal_is_refused_too(key: str, value: Any) -> None:
    if value != json.loads(good())[key]:
        complaint_about(sealed(**{key: value}))


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 5)), max_size=12))
def test_any_list_of_decisions_replays_or_is_refused_where_it_goes_wrong(decisions: list[tuple[int, int]]) -> None:
    record = Record("pennies", 1, 2, 61, decisions=decisions)
    try:
        table = replay(record, GAMES)
    except BadRecord as refused:
        place = re.match(r"decision (\d+) of (\d+)", str(refused))
        if place is None:
            assert str(refused).startswith("result: the record says None, playing it again gives")
            return
        assert int(place[2]) == len(decisions)
        good_part = Record("pennies", 1, 2, 61, decisions=decisions[: int(place[1]) - 1])
        table = Table(pennies.GAME, 2, 61)
        for seat, action in good_part.decisions:
            table.decide(seat, action, table.offer(seat).sequence)
    else:
        assert table.decisions == decisions


def test_the_cases_contain_games_of_every_size() -> None:
    """The replays above cover every game."""
    assert {(case.game.name, case.seats) for case in CASES} >= {
        (game.name, seats) for game in tripot.GAMES.values() for seats in game.seats
    }
