"""Hints: ranked, with intervals, and from nothing but the view."""

import numpy as np
import pytest

from tests.test_review import finished
from tripot import GAMES
from tripot.coach.hint import hint, ranked
from tripot.coach.review import moments_of
from tripot.games.verrater.state import Phase
from tripot.table.choice import Choice
from tripot.table.table import Table

pytestmark = pytest.mark.native


@pytest.mark.parametrize("name", GAMES)
def test_different_cards_behind_one_view_give_the_same_hint(name: str) -> None:
    """Two whole tables that a seat cannot tell apart."""
    _, table = finished(name)
    game, layout = table.game, table.game.layout
    for moment in [moment for moment in moments_of(table) if len(moment.legal) > 1][3::45]:
        other = np.frombuffer(game.imagined(moment.view, 91).pack(), layout.state.dtype)
        view = layout.observe(other, moment.seat)
        assert hint(game, view, moment.legal, 60) == hint(game, moment.view, moment.legal, 60)


def test_every_choice_is_ranked_with_its_interval() -> None:
    table = Table(GAMES["verrater"], 4, 11)
    seat = table.waiting[0]
    found = hint(table.game, table.view(seat), table.offer(seat).legal, 240)
    assert sorted(one.actions[0] for one in found) == list(table.offer(seat).legal)
    assert all(0 <= one.low <= one.chance <= one.high <= 1 for one in found)
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    assert found[0].level


def test_a_choice_that_loses_every_time_is_not_as_good() -> None:
    best, worse = np.full(50, 60), np.zeros(50, int)
    assert not ranked((1,), worse, best, 3000, []).level and ranked((1,), best, best, 3000, []).level
    one = ranked((1,), np.array([60, 0] * 50), np.full(100, 60), 6000, [])
    assert one.chance == 0.5 and one.low == pytest.approx(0.402) and one.high == pytest.approx(0.598)


def test_what_has_several_parts_is_ranked_as_whole_choices_each_once() -> None:
    """Supply cards of Verräter may be added in any order: one group of them is one choice. [V-2.3]"""
    _, table = finished("verrater")
    supply = [one for one in moments_of(table) if int(one.view["phase"][0]) == Phase.SUPPLY and len(one.legal) > 2]
    for moment in supply[::6]:
        found = hint(table.game, moment.view, moment.legal, 60)
        for one in found:
            choice = Choice(table.game, moment.view, moment.legal)
            for action in one.actions:
                choice.add(action)
            assert choice.finished
        groups = [tuple(sorted(one.actions)) for one in found]
        assert len(groups) == len(set(groups)) > 1
    assert any(len(one.actions) > 1 for one in found)


@pytest.mark.parametrize("name", GAMES)
def test_a_reason_counts_what_the_imagined_games_hold(name: str) -> None:
    """The first choice against the second, as the same games tell it, and the second against the first."""
    _, table = finished(name)
    told = 0
    for moment in [moment for moment in moments_of(table) if len(moment.legal) > 1][2::9]:
        first, second, *_ = hint(table.game, moment.view, moment.legal, 400)
        assert [(one.when, one.quantity) for one in first.reasons] == [(r.when, r.quantity) for r in second.reasons]
        assert [(one.mine, one.other) for one in first.reasons] == [(r.other, r.mine) for r in second.reasons]
        told += len(first.reasons)
    assert told


@pytest.mark.parametrize(("lang", "as_said"), [("en", " to "), ("fr", " à ")])
def test_a_person_at_the_terminal_asks_for_a_hint(lang, as_said, tmp_path, monkeypatch, capsys):
    from tripot.cli.main import run

    monkeypatch.chdir(tmp_path)
    answers = iter(["hint" if lang == "en" else "conseil", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert run(["play", "verrater", "--seed", "7", "--lang", lang]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "%" in line and as_said in line]
    assert len(lines) >= 2
