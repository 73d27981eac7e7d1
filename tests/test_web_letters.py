"""Letters to a seat: when they are the same, and what the decisions in them are called."""

import random
from typing import Any

import pytest

from tests.cases import Case, every_table, play_on
from tripot import GAMES
from tripot.core.layout import SPECTATOR
from tripot.games.trok.actions import COLLECT, DONE, SET
from tripot.games.trok.state import Phase
from tripot.table.choice import Choice
from tripot.table.completions import Completions
from tripot.table.table import Table
from tripot.web.api.messages import Changes, Letter, Try, encode, read_server_message
from tripot.web.live import letters

OFFER = [{"action": 1, "key": "play", "numbers": [2]}, {"action": 4, "key": "pass", "numbers": []}]


def letter(**changes: object) -> dict[str, Any]:
    said = {"sequence": 3, "view": {"round": 1, "first": 2}, "legal": OFFER, "first": 0, "news": [], "outcome": None}
    return said | changes


def test_letters_with_the_same_values_are_the_same_in_whatever_order_they_are_written() -> None:
    assert letters.lasting(letter(view={"first": 2, "round": 1})) == letters.lasting(letter())


def test_news_alone_does_not_make_a_letter_last_less() -> None:
    assert letters.lasting(letter(first=7, news=[[4, 1, 0, 0, 0, 0]], moments=[{}])) == letters.lasting(letter())


@pytest.mark.parametrize("changes", [{"view": {"round": 1, "first": 1}}, {"legal": OFFER[:1]}, {"sequence": 4}])
def test_another_view_another_offer_or_a_new_offer_of_the_same_decisions_makes_another_letter(
    changes: dict[str, object],
) -> None:
    assert letters.lasting(letter(**changes)) != letters.lasting(letter())


def test_without_an_offer_the_number_of_the_letter_does_not_matter() -> None:
    assert letters.lasting(letter(legal=[], sequence=4)) == letters.lasting(letter(legal=[]))


@every_table
def test_a_page_that_is_told_only_what_changes_knows_as_much_as_one_that_gets_whole_letters(case: Case) -> None:
    table, luck = case.table(3), random.Random(f"changes at {case}")
    table.keeps_moments = True
    everyone = (*range(case.seats), SPECTATOR)
    first = {who: letters.letter(table, who, 0, -1) for who in everyone}
    known = {who: read(first[who]) for who in everyone}
    sent = {who: letters.lasting(first[who]) for who in everyone}
    smaller = 0
    while not table.over and table.sequence < 80:
        before = table.sequence
        play_on(table, luck, decisions=1)
        for who in everyone:
            heard = known[who].first + len(known[who].news)
            whole = letters.letter(table, who, heard, before)
            changes = read_server_message(encode(letters.changes(whole, sent[who])).decode())
            assert isinstance(changes, Changes)
            known[who], sent[who] = changes.applied_to(known[who]), letters.lasting(whole)
            assert known[who] == read(whole)
            smaller += len(changes.view) < len(whole["view"]) // 2
    assert smaller


def read(letter: dict[str, Any]) -> Letter:
    """The letter as a client reads it."""
    found = read_server_message(encode(letter).decode())
    assert isinstance(found, Letter)
    return found


def plans(choice: Choice, ways: Completions) -> list[int]:
    """The sets of Trök that the seat may end before all cards are in them, and go on to choose afterwards."""
    found = []
    for action in choice.legal:
        if SET <= action < COLLECT and DONE in (ways.joining([action, DONE]) or []):
            choice.add(action)
            found += [action] if choice.view.my_plan and DONE in choice.legal else []
            choice.undo()
    return found


def combining() -> tuple[Choice, Completions, int]:
    """A choice at Trök's combinations whose parts can be named in any order, all its ways, and a set as above."""
    for seed in range(200):
        table, luck = Table(GAMES["trok"], 3, seed), random.Random(seed)
        while not table.over and table.sequence < 120:
            seat = table.waiting[0]
            choice = table.choice(seat, [], table.offer(seat).sequence)
            if choice.view.phase == Phase.COMBINE and DONE in choice.legal:
                ways = Completions(choice)
                sets = plans(choice, ways) if ways.any_order else []
                if sets:
                    return choice, ways, sets[0]
            play_on(table, luck, decisions=1)
    raise AssertionError("no such position")


def test_a_decision_is_named_at_the_moment_when_it_is_taken() -> None:
    """Trök: the same decision ends a turn without a combination at first, and ends a set once that is announced."""
    choice, ways, made = combining()

    def named(*parts: int) -> dict[int, str]:
        said = Try(type="try", sequence=0, actions=list(parts), any_order=True)
        return {legal.action: legal.key for legal in letters.gathered(choice, ways, said).legal}

    assert named()[DONE] == "nothing"
    assert named(made)[DONE] == "enough"
    assert named(made, DONE)[DONE] == "nothing"  # taken twice: the first time it ends the set
    assert choice.decisions == []  # nothing of what was looked up stays in the choice
