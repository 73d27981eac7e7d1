"""Letters to a seat: when they are the same, and what the decisions in them are called."""

import random
from typing import Any

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


def opened() -> tuple[Table, int, letters.Sent]:
    """A table, a seat that is to decide, and what its page has after its first letter."""
    table = Table(GAMES["verrater"], 3, 1)
    seat = table.waiting[0]
    return table, seat, letters.lasting(table, letters.letter(table, seat, 0, -1))


def test_a_letter_in_which_nothing_has_changed_says_nothing() -> None:
    table, seat, before = opened()
    assert letters.changes(table, seat, 0, 0, before) == (None, before)


def test_another_view_another_offer_a_new_offer_of_the_same_decisions_or_news_says_something() -> None:
    table, seat, before = opened()
    later = Table(GAMES["verrater"], 3, 1)
    play_on(later, random.Random(1), decisions=1)
    assert letters.changes(table, seat, 0, 0, before._replace(state=later.state_bytes()))[0]
    assert letters.changes(table, seat, 0, 0, before._replace(legal=b"[{}]", offer=7))[0]
    assert letters.changes(table, seat, 0, 0, before._replace(offer=7))[0]
    assert letters.changes(table, seat, 0, -1, before)[0]


def test_without_an_offer_the_number_of_the_letter_does_not_matter() -> None:
    table, seat, _ = opened()
    other = next(who for who in range(3) if who != seat)
    before = letters.lasting(table, {**letters.letter(table, other, 0, -1), "sequence": 4})
    assert before.offer is None and letters.changes(table, other, 0, 0, before) == (None, before)


@every_table
def test_a_page_that_is_told_only_what_changes_knows_as_much_as_one_that_gets_whole_letters(case: Case) -> None:
    """And it is told nothing that depends on what is hidden from it, neither now nor in what it had before."""
    table, luck = case.table(3), random.Random(f"changes at {case}")
    table.keeps_moments = True
    everyone = (*range(case.seats), SPECTATOR)
    first = {who: letters.letter(table, who, 0, -1) for who in everyone}
    known = {who: read(first[who]) for who in everyone}
    sent = {who: letters.lasting(table, first[who]) for who in everyone}
    smaller = 0
    while not table.over and table.sequence < 80:
        before = table.sequence
        play_on(table, luck, decisions=1)
        for who in everyone:
            heard = known[who].first + len(known[who].news)
            found, after = letters.changes(table, who, heard, before, sent[who])
            other = twin(table, scrambled(case.game.layout, table.state_bytes(), who, luck))
            had = scrambled(case.game.layout, sent[who].state, who, luck)
            view = table.update(who, before + 1, had).view
            assert other.update(who, before + 1, had).view == (found["view"] if found else {}) == view
            whole, sent[who] = letters.letter(table, who, heard, before), after
            assert after == letters.lasting(table, whole)
            if found is None:  # the page knows all of it
                same = {"sequence": whole["sequence"], "first": heard, "news": [], "moments": []}
                assert known[who].model_copy(update=same) == read(whole)
                continue
            told = read_server_message(encode(found).decode())
            assert isinstance(told, Changes)
            guide = known[who].view.get(GUIDE)
            known[who] = told.applied_to(known[who])
            assert known[who].model_copy(update={"moments": []}) == read(whole).model_copy(update={"moments": []})
            assert fields_of(known[who].moments) == fields_of(whole["moments"])
            assert all(moment is None or moment.get(GUIDE) == guide for moment in known[who].moments)
            smaller += len(told.view) < len(whole["view"]) // 2
        table.rest()
    assert smaller


def test_a_letter_of_a_game_that_was_ended_offers_nothing() -> None:
    table, seat, before = opened()
    assert before.legal != letters.NO_DECISIONS
    assert letters.letter(table, seat, 0, -1, ended=True)["legal"] == []
    ended, after = letters.changes(table, seat, 0, 0, before, ended=True)
    assert ended is not None and ended["view"] == {}
    told = read_server_message(encode(ended).decode())
    assert isinstance(told, Changes) and told.legal == []
    assert letters.changes(table, seat, 0, 0, after, ended=True) == (None, after)


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
