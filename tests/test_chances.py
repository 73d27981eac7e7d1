"""Chances of what lies hidden: from nothing but the view, true where they are certain, and weighed by decisions."""

from functools import cache

import numpy as np
import pytest

from tests.test_review import finished
from tripot import GAMES
from tripot.coach.chances import chances, counter_of
from tripot.coach.review import moments_of
from tripot.core.defaults import NO_WAY_BACK
from tripot.core.game import waiting_seats
from tripot.games.verrater.hidden import ROLE

pytestmark = pytest.mark.native


@cache
def views(name: str, start: int = 3, every: int = 17) -> list[tuple[bytes, np.ndarray, int]]:
    """States of a game with what a seat that does not decide sees of them."""
    _, table = finished(name)
    found = []
    for number, moment in enumerate(moments_of(table)[start::every]):
        seat = (moment.seat + number) % table.seats
        state = np.frombuffer(moment.state, table.game.layout.state.dtype)
        found.append((moment.state, table.game.layout.observe(state, seat), seat))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_different_cards_behind_one_view_give_the_same_chances(name: str) -> None:
    game = GAMES[name]
    told = 0
    for state, view, seat in views(name):
        other = game.imagined(view, 91).pack()
        again = game.layout.observe(np.frombuffer(other, game.layout.state.dtype), seat)
        found = chances(game, view, 200)
        assert found == chances(game, again, 200)
        told += len(found) if other != state else 0
    assert told


@pytest.mark.parametrize("name", GAMES)
def test_what_lies_there_is_never_ruled_out_and_what_is_certain_is_there(name: str) -> None:
    game = GAMES[name]
    scored = 0
    for state, view, seat in views(name):
        s = game.layout.state.plain()
        s.load(state)
        truth = np.zeros(counter_of(game).shape, np.int64)
        game.hidden.read(s, seat, truth)
        plain, weighed = counter_of(game).count(view, 2000)
        asked = plain.any(axis=2)[..., None]
        assert not (asked & (plain == 0) & (truth == 1)).any()
        assert not ((plain == 1) & (truth == 0)).any()
        assert ((plain > 0) == (weighed > 0)).all()
        scored += int(asked.sum())
    assert scored


@pytest.mark.parametrize("name", ["verrater", "trieste"])
def test_one_thing_lies_in_a_place_for_one(name: str) -> None:
    game = GAMES[name]
    sums = [
        sum(one.of.values()) for _, view, _ in views(name, every=5) for one in chances(game, view, 300) if one.place.one
    ]
    assert sums and sums == pytest.approx([1.0] * len(sums))


@pytest.mark.parametrize("name", GAMES)
def test_turning_back_finds_decisions_that_were_legal(name: str) -> None:
    """What is undone was decided so: from the state before it, the same decision leads to the same cards."""
    game = GAMES[name]
    undone = 0
    for _, view, seat in views(name, every=7):
        s = game.imagined(view, 5)
        while (decision := game.hidden.turn_back(s, seat)) != NO_WAY_BACK:
            mover, action = divmod(decision, game.num_actions)
            assert waiting_seats(s) == [mover]
            assert action in game.legal_actions(s, mover)
            undone += 1
    assert undone


def test_tables_count_by_how_the_others_decided() -> None:
    """At some moment of a game of Verräter the draft and the cards added tell of the roles. [V-2.2 V-2.3]"""
    pairs = [counter_of(GAMES["verrater"]).count(view, 500) for _, view, _ in views("verrater")]
    assert max(np.abs(plain - weighed)[ROLE].max() for plain, weighed in pairs) > 0.1
    alike = [counter_of(GAMES["verrater"]).count(view, 500, 1.0) for _, view, _ in views("verrater")]
    assert max(np.abs(plain - weighed)[ROLE].max() for plain, weighed in alike) < 0.1


def test_a_game_that_counts_alike_says_so() -> None:
    assert [game.name for game in GAMES.values() if not game.hidden.weighed] == ["trok"]
    game = GAMES["trok"]
    view = views("trok")[0][1]
    plain, _ = counter_of(game).count(view, 300)
    for one in chances(game, view, 300):
        row = plain[game.hidden.places.index(one.place)][one.seat]
        assert one.of == {thing: row[thing] for thing in one.of}


@pytest.mark.parametrize(("lang", "word", "hidden"), [("en", "chances", "in hand"), ("fr", "probabilités", "en main")])
def test_a_person_at_the_terminal_asks_what_may_lie_hidden(lang, word, hidden, tmp_path, monkeypatch, capsys):
    from tripot.cli.main import run

    monkeypatch.chdir(tmp_path)
    answers = iter([word, "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert run(["play", "trok", "--seed", "7", "--lang", lang]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "%" in line and hidden in line]
    assert len(lines) == 3
