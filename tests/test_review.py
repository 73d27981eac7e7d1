"""Reviews: the parts add up to the last digit, one seed gives one review, and decisions are judged from views alone."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tripot import GAMES
from tripot.cli.main import run
from tripot.coach.report import report
from tripot.coach.review import (
    LEAST_TOLD,
    Cancelled,
    NotFinished,
    Review,
    certain_loss,
    judge,
    moments_of,
    review,
    worlds_for,
)
from tripot.coach.words import GRADES, Teller, grade_of
from tripot.table.record import Record, record_of
from tripot.table.table import Table

pytestmark = pytest.mark.native

SHORT = {"verrater": 54, "trok": 22, "trieste": 2}  # deals of short games: a review's work grows as their square


def finished(name: str, seed: int | None = None) -> tuple[Record, Table]:
    """A game that players of two kinds have played to its end."""
    from tripot.lab.arena.match import Match

    game = GAMES[name]
    match = Match(game, game.options(), ["sensible", "uniform"])
    seed = SHORT[name] if seed is None else seed
    match.play(seed, tuple(seat % 2 for seat in range(game.usual_seats)))
    table = Table(game, game.usual_seats, seed)
    for seat, action in match.decisions:
        table.decide(seat, action, table.offer(seat).sequence)
    return record_of(table), table


@pytest.fixture(scope="module", params=GAMES)
def reviewed(request) -> tuple[Record, Table, Review]:
    record, table = finished(request.param)
    return record, table, review(record, table, playouts=8, threads=2)


def test_result_less_starting_chance_is_decisions_cards_and_others_to_the_last_digit(reviewed):
    record, table, found = reviewed
    for seat in range(table.seats):
        account = found.account(seat)
        assert account.start + account.decisions + account.cards + account.others == account.result
        assert account.result == record.result[seat] * found.playouts
        for step, change in enumerate(found.changes):
            parts = change[seat]
            assert (
                parts.decision + parts.cards + parts.others == found.chances[step + 1][seat] - found.chances[step][seat]
            )
            assert (parts.others == 0) if found.decisions[step].seat == seat else (parts.decision == 0)


def test_the_chances_of_all_seats_are_one_victory_at_every_moment(reviewed):
    _, _, found = reviewed
    assert {sum(chances) for chances in found.chances} <= {found.whole, 0}


def test_two_runs_with_one_seed_agree_and_another_seed_differs(reviewed):
    record, table, found = reviewed
    again = review(record, table, playouts=8, threads=1)
    assert (again.chances, again.decisions, again.changes) == (found.chances, found.decisions, found.changes)
    assert review(record, table, [], playouts=8, seed=99).chances != found.chances


def test_where_no_card_is_drawn_the_cards_change_nothing_for_those_who_look_on(reviewed):
    _, table, found = reviewed
    quiet = [step for step, moment in enumerate(moments_of(table)) if not moment.drew][:-1]
    assert quiet
    for step in quiet:
        others = [seat for seat in range(table.seats) if seat != found.decisions[step].seat]
        assert all(found.changes[step][seat].cards == 0 for seat in others)


def test_a_decision_is_judged_the_same_whatever_lies_behind_the_view(reviewed):
    """Two tables that differ only in what the seat cannot see."""
    _, table, found = reviewed
    game = table.game
    moments = [moment for moment in moments_of(table) if len(moment.legal) > 1]
    for moment in moments[5::40]:
        other = replace(moment, state=game.imagined(moment.view, 77).pack())
        plain = next(one for one in found.decisions if one.seat == moment.seat)
        assert judge(game, moment, plain, 8, 5) == judge(game, other, plain, 8, 5)


def test_the_choices_are_the_legal_ones_with_the_best_first(reviewed):
    _, table, found = reviewed
    for moment, decision in zip(moments_of(table), found.decisions, strict=True):
        assert sorted(one.action for one in decision.choices) == (list(moment.legal) if len(moment.legal) > 1 else [])
        values = [one.value for one in decision.choices]
        assert values == sorted(values, reverse=True)
        assert decision.missed >= 0 and decision.risked >= 0


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_page_tells_every_decision_of_its_seats_and_nothing_runs_in_it(reviewed, lang):
    _, table, found = reviewed
    names = [f"<{seat}>" for seat in range(table.seats)]
    page = report(Teller(found, moments_of(table), names, lang), [0])
    assert page.count('<tr><td class="n">') == sum(one.seat == 0 and bool(one.choices) for one in found.decisions)
    assert "<script" not in page and "<0>" not in page and "&lt;0&gt;" in page
    assert 1 <= page.split("<ol>")[1].split("</ol>")[0].count("<li>") <= 3


def test_an_unfinished_game_is_not_reviewed_and_a_review_can_be_given_up():
    from threading import Event

    record, table = finished("verrater")
    with pytest.raises(NotFinished):
        review(replace(record, result=None), table)
    given_up = Event()
    given_up.set()
    with pytest.raises(Cancelled):
        review(record, table, cancelled=given_up)


def test_progress_counts_every_decision():
    record, table = finished("verrater")
    told = []
    review(record, table, [], playouts=1, progress=lambda done, of: told.append((done, of)))
    assert told == [(n, len(record.decisions)) for n in range(1, len(record.decisions) + 1)]


def test_choices_that_chance_could_tell_apart_cost_nothing():
    best, worse = np.array([60, 60, 60, 60, 60, 0, 60, 60]), np.zeros(8, int)
    assert certain_loss(best, worse) == 7 * 60
    assert certain_loss(np.array([60, 0, 60, 0]), np.array([0, 60, 0, 0])) == 0
    assert certain_loss(best, best) == 0


def test_what_costs_next_to_nothing_is_not_worth_a_word(reviewed):
    _, _, found = reviewed
    least = found.whole // LEAST_TOLD
    missed = [replace(found.decisions[0], missed=units) for units in (0, least - 1, found.whole // 100)]
    assert [found.told_miss(one) for one in missed] == [0, 0, found.whole // 100]


def test_the_playouts_of_a_choice_divide_those_of_a_moment():
    assert [worlds_for(choices, 480) for choices in (2, 8, 9, 20, 100)] == [480, 480, 240, 160, 120]
    assert worlds_for(50, 8) == 8


def test_every_accuracy_has_words():
    assert [least for least, _ in GRADES] == sorted((least for least, _ in GRADES), reverse=True) and GRADES[-1][0] == 0
    assert grade_of(100) is GRADES[0][1] and grade_of(74) is GRADES[2][1] and grade_of(0) is GRADES[-1][1]


def test_the_command_writes_a_page_prints_and_gives_json(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    record, table = finished("verrater")
    Path("game.tripot.json").write_text(record.dumps())
    quick = ["review", "game.tripot.json", "--playouts", "4", "--lang", "fr"]
    assert run([*quick, "--seat", "2", "-o", "review.html"]) == 0
    assert "Chances de gagner" in Path("review.html").read_text("utf-8")
    capsys.readouterr()
    assert run([*quick, "--seat", "2"]) == 0
    assert "Trois moments décisifs" in capsys.readouterr().out
    assert run([*quick, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["whole"] == 240 and len(told["accounts"]) == table.seats
