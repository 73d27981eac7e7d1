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
from tripot.table.view_json import GUIDE
from tripot.testing.hidden import scrambled, twin
from tripot.web.api.messages import Changes, Letter, Try, encode, read_server_message
from tripot.web.live import letters

STATE = b"a state"
OFFER = [{"action": 1, "key": "play", "numbers": [2]}, {"action": 4, "key": "pass", "numbers": []}]
BEFORE = letters.Sent(STATE, OFFER, 3)


def changes(**given: object) -> dict[str, Any]:
    return {"type": "changes", "sequence": 3, "view": {}, "first": 0, "news": [], "moments": []} | given


def test_a_letter_in_which_nothing_has_changed_says_nothing() -> None:
    assert letters.says_nothing(changes(), BEFORE)
    assert letters.lasting(changes(), STATE, BEFORE) == BEFORE


@pytest.mark.parametrize(
    "given", [{"view": {"round": 1}}, {"legal": OFFER[:1]}, {"sequence": 4}, {"news": [[4, 1, 0, 0, 0, 0]]}]
)
def test_another_view_another_offer_a_new_offer_of_the_same_decisions_or_news_says_something(
    given: dict[str, object],
) -> None:
    assert not letters.says_nothing(changes(**given), BEFORE)


def test_without_an_offer_the_number_of_the_letter_does_not_matter() -> None:
    assert letters.says_nothing(changes(sequence=4), letters.Sent(STATE, [], None))


@every_table
def test_a_page_that_is_told_only_what_changes_knows_as_much_as_one_that_gets_whole_letters(case: Case) -> None:
    """And it is told nothing that depends on what is hidden from it, neither now nor in what it had before."""
    table, luck = case.table(3), random.Random(f"changes at {case}")
    table.keeps_moments = True
    everyone = (*range(case.seats), SPECTATOR)
    first = {who: letters.letter(table, who, 0, -1) for who in everyone}
    known = {who: read(first[who]) for who in everyone}
    sent = {who: letters.lasting(first[who], table.state_bytes()) for who in everyone}
    smaller = 0
    while not table.over and table.sequence < 80:
        before = table.sequence
        play_on(table, luck, decisions=1)
        for who in everyone:
            heard = known[who].first + len(known[who].news)
            found = letters.changes(table, who, heard, before, sent[who])
            other = twin(table, scrambled(case.game.layout, table.state_bytes(), who, luck))
            had = scrambled(case.game.layout, sent[who].state, who, luck)
            assert other.changes(who, had) == found["view"] == table.changes(who, had)
            told = read_server_message(encode(found).decode())
            assert isinstance(told, Changes)
            whole = letters.letter(table, who, heard, before)
            guide = known[who].view.get(GUIDE)
            known[who] = told.applied_to(known[who])
            sent[who] = letters.lasting(found, table.state_bytes(), sent[who])
            assert known[who].model_copy(update={"moments": []}) == read(whole).model_copy(update={"moments": []})
            assert fields_of(known[who].moments) == fields_of(whole["moments"])
            assert all(moment is None or moment.get(GUIDE) == guide for moment in known[who].moments)
            assert sent[who] == letters.lasting(whole, table.state_bytes())
            smaller += len(told.view) < len(whole["view"]) // 2
        table.rest()
    assert smaller


def test_a_letter_of_a_game_that_was_ended_offers_nothing() -> None:
    table = Table(GAMES["verrater"], 3, 1)
    seat = table.waiting[0]
    whole = letters.letter(table, seat, 0, -1)
    sent = letters.lasting(whole, table.state_bytes())
    assert whole["legal"] and letters.letter(table, seat, 0, -1, ended=True)["legal"] == []
    ended = letters.changes(table, seat, 0, 0, sent, ended=True)
    assert ended["legal"] == [] and ended["view"] == {}
    after = letters.lasting(ended, table.state_bytes(), sent)
    assert letters.says_nothing(letters.changes(table, seat, 0, 0, after, ended=True), after)


def fields_of(moments: list[dict[str, Any] | None]) -> list[dict[str, Any] | None]:
    """Moments without what the guide said."""
    return [moment and {name: value for name, value in moment.items() if name != GUIDE} for moment in moments]


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
