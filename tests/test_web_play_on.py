"""Playing on from a moment of a finished game: the same cards, one person, bots in the other seats."""

import random
from pathlib import Path

import pytest

from tests.cases import CASES
from tests.served import Served, play_on
from tests.test_records import played
from tripot import GAMES
from tripot.table.record import loads, record_of, replay
from tripot.web.api.messages import Opened
from tripot.web.client import Refused

pytestmark = pytest.mark.server


def test_a_moment_of_a_finished_game_is_played_on_against_bots(tmp_path: Path) -> None:
    table = played(next(case for case in CASES if case.game.name == "verrater"))
    record = record_of(table)
    step = len(record.decisions) // 2
    seat = record.decisions[step][0]
    begun = replay(record_of_first(record, step), GAMES)
    with Served(tmp_path / "tables.sqlite", paces={}) as server:  # bots do not pretend to think
        finished = server.client.upload(record.dumps())
        path = f"/api/tables/{finished.id}/play-on"
        opened = Opened.model_validate_json(
            server.client.fetch(path, {"step": step, "seat": seat, "name": "Anna", "level": "easy"})
        )
        kinds = [place.kind for place in opened.table.seats]
        assert kinds == ["person" if n == seat else "bot" for n in range(record.seats)]
        here = server.sit_all(opened)
        letter = here[seat].await_letter()
        assert letter.sequence == step and [one.action for one in letter.legal] == list(begun.offer(seat).legal)
        assert letter.view["points"] == begun.letter(seat)["view"]["points"]
        play_on(here, random.Random(5))
        again = loads(
            server.client.fetch(f"/api/tables/{opened.table.id}/record", token=opened.tokens[0].token).decode()
        )
        assert again.decisions[:step] == record.decisions[:step] and again.seed == record.seed
        assert again.result is not None
        for wrong in ({"step": len(record.decisions), "seat": seat}, {"step": step, "seat": record.seats}):
            with pytest.raises(Refused) as refused:
                server.client.fetch(path, wrong)
            assert refused.value.problem.reason == "not_found"
        unfinished = server.open_table("verrater", ["here", *["friend"] * (record.seats - 1)])
        with pytest.raises(Refused) as refused:
            server.client.fetch(f"/api/tables/{unfinished.table.id}/play-on", {"step": 0, "seat": 0})
        assert refused.value.problem.reason == "not_over"


def test_a_moment_of_a_private_game_is_as_private(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite") as server:
        opened = server.open_table("verrater", ["here", "easy", "easy"], watch=False)
        token = opened.tokens[0].token
        server.client.end_table(opened.table.id, token)
        path = f"/api/tables/{opened.table.id}/play-on"
        again = Opened.model_validate_json(server.client.fetch(path, {"step": 0, "seat": 0, "level": "easy"}, token))
        assert not again.table.watch
        with pytest.raises(Refused, match="no_table"):
            server.client.table(again.table.id)


def test_hidden_cards_are_imagined_anew_where_that_is_wished(tmp_path: Path) -> None:
    record = record_of(played(next(case for case in CASES if case.game.name == "trok")))
    step = len(record.decisions) // 2
    seat = record.decisions[step][0]
    begun = replay(record_of_first(record, step), GAMES)
    with Served(tmp_path / "tables.sqlite", paces={}) as server:  # bots do not pretend to think
        finished = server.client.upload(record.dumps())
        wish = {"step": step, "seat": seat, "level": "easy", "anew": True}
        path = f"/api/tables/{finished.id}/play-on"
        opened = Opened.model_validate_json(server.client.fetch(path, wish))
        here = server.sit_all(opened)
        letter = here[seat].await_letter()
        assert letter.view["my_hand"] == begun.letter(seat)["view"]["my_hand"]
        assert [one.action for one in letter.legal] == list(begun.offer(seat).legal)
        play_on(here, random.Random(5))
        again = loads(
            server.client.fetch(f"/api/tables/{opened.table.id}/record", token=opened.tokens[0].token).decode()
        )
        assert [(one.after, one.seat) for one in again.imagined] == [(step, seat)]
        assert replay(again, GAMES).result == again.result
        earlier = server.client.fetch(
            f"/api/tables/{opened.table.id}/play-on", {"step": 2, "seat": 0}, token=opened.tokens[0].token
        )
        assert Opened.model_validate_json(earlier).table.status == "playing"


def record_of_first(record, step):
    """The record as it was after some decisions."""
    return record.__class__(**{**vars(record), "decisions": record.decisions[:step], "result": None})
