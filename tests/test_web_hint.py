"""Hints on a server: for the seat that is asked, where it may ask, once native code is there."""

from pathlib import Path

import pytest

from tests.served import ServedHere
from tests.test_web_review import asked_as
from tripot.coach.chances import chances
from tripot.coach.hint import hint
from tripot.web.api.messages import Chances, Hint

pytestmark = [pytest.mark.server, pytest.mark.native]


def test_a_seat_that_is_asked_gets_its_choices_ranked(tmp_path: Path) -> None:
    with ServedHere(tmp_path / "tables.sqlite") as server:
        alone = server.client.open_table("verrater", ["here", "easy", "easy", "easy"], pace="instant")
        path, right = f"tables/{alone.table.id}/hint", alone.tokens[0]
        assert alone.table.hints
        seat = server.client.sit(alone.table.id, right.token)
        letter = seat.await_letter()
        while not letter.legal:
            seat.ask("ping")
            letter = seat.await_letter()
        question = {"sequence": letter.sequence}
        assert asked_as(server, path, None, question) == (401, "wrong_token")
        assert asked_as(server, path, right.token, {"sequence": letter.sequence + 1}) == (409, "not_asked")
        assert asked_as(server, path, right.token, {"sequence": "x"})[0] == 422
        assert asked_as(server, path, right.token, question) == (503, "not_ready")
        server.context.bot_pool.engine["verrater"] = "native"
        status, told = asked_as(server, path, right.token, question)
        assert status == 200 and asked_as(server, path, right.token, question) == (200, told)
        seat.close()
        room = server.context.rooms.live(alone.table.id)
        assert room is not None
        choice = server.run(room.choice(right.seat, letter.sequence))
    found = Hint.model_validate(told)
    expected = hint(choice.game, choice.seen, choice.legal)
    assert [[part.action for part in one.parts] for one in found.choices] == [list(one.actions) for one in expected]
    assert [one.chance for one in found.choices] == [round(one.chance, 4) for one in expected]
    assert all(one.low <= one.chance <= one.high for one in found.choices)


def test_among_other_people_hints_are_for_tables_that_allow_them(tmp_path: Path) -> None:
    with ServedHere(tmp_path / "tables.sqlite") as server:
        shut = server.client.open_table("verrater", ["here", "here", "easy"], pace="instant")
        free = server.client.open_table("verrater", ["here", "here", "easy"], pace="instant", hints=True)
        told = [
            asked_as(server, f"tables/{one.table.id}/hint", one.tokens[0].token, {"sequence": 10**6})
            for one in (shut, free)
        ]
        assert told == [(403, "no_hints"), (409, "not_asked")]
        assert (shut.table.hints, free.table.hints) == (False, True)


def test_a_seat_learns_what_may_lie_hidden_from_its_view_alone(tmp_path: Path) -> None:
    with ServedHere(tmp_path / "tables.sqlite") as server:
        alone = server.client.open_table("trok", ["here", "easy", "easy"], pace="instant")
        path, right = f"tables/{alone.table.id}/chances", alone.tokens[0]
        assert asked_as(server, path, None, {}) == (401, "wrong_token")
        assert asked_as(server, path, right.token, {}) == (503, "not_ready")
        server.context.bot_pool.engine["trok"] = "native"
        status, told = asked_as(server, path, right.token, {})
        room = server.context.rooms.live(alone.table.id)
        assert status == 200 and room is not None
        table, view = server.run(room.seen_by(right.seat))
        shut = server.client.open_table("trok", ["here", "here", "easy"], pace="instant")
        assert asked_as(server, f"tables/{shut.table.id}/chances", shut.tokens[0].token, {}) == (403, "no_hints")
    found = Chances.model_validate(told)
    expected = chances(table.game, view)
    assert [(one.seat, one.names) for one in found.places] == [(one.seat, one.place.names) for one in expected]
    assert [[thing for thing, _ in one.chances] for one in found.places] == [
        [thing for thing, _ in one.ranked] for one in expected
    ]
    assert {one.seat for one in found.places} == {1, 2} and not found.weighed
