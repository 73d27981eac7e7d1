"""Luck that anyone can check, at served tables: from the hash before the deal to the record after the end."""

import json
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.served import Served, play_on
from tripot import GAMES
from tripot.core.shared_seed import SharedSeed, hash_of
from tripot.table.record import BadRecord, _seal, loads, replay
from tripot.web.api.messages import DealInfo, ErrorMessage, TableMessage
from tripot.web.client import Refused, SeatClient

pytestmark = pytest.mark.server

NAME = "verrater"
TOGETHER: dict[str, Any] = {"shuffle_together": True}


@pytest.fixture
def server(tmp_path: Path) -> Any:
    with Served(tmp_path / "tables.sqlite", shuffle_seconds=60) as served:
        yield served


def deal_of(seat: SeatClient) -> DealInfo:
    assert seat.table is not None and seat.table.deal is not None
    return seat.table.deal


def test_a_whole_game_can_be_checked_from_its_first_hash_to_its_last_draw(server: Served) -> None:
    """Two people at one screen and a bot: what was shown before the deal explains every roll after it."""
    opened = server.open_table(NAME, ["here", "here", "easy"], **TOGETHER)
    assert opened.table.status == "waiting"
    seats = server.sit_all(opened)
    before = deal_of(seats[0])
    assert len(before.hash) == 64 and before.contributions == []
    play_on(seats, random.Random(1))
    after = deal_of(seats[1])
    values = [server.client.added[opened.table.id, right.token] for right in opened.tokens]
    assert after.hash == before.hash and after.contributions == [*values, None]
    assert after.commitments == [*map(hash_of, values), None]
    record = loads(server.client.record(opened.table.id))
    assert isinstance(record.seed, SharedSeed) and record.seed.hash == before.hash
    shown = server.client.replay(opened.table.id)
    assert shown.seed is not None and shown.seed.secret == record.seed.secret
    draws = [draw for step in shown.steps for draw in step.draws]
    luck = record.seed.luck()
    assert draws == [[sides, luck.word(number) * sides >> 32] for number, (sides, _) in enumerate(draws)]
    assert len(draws) == replay(record, GAMES)._state.rng_d > 20
    again = server.client.upload(server.client.record(opened.table.id))
    assert server.client.replay(again.id).seed == shown.seed


def test_the_shuffle_survives_a_crash_between_announcement_and_deal(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", "easy"], **TOGETHER)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
        announced = deal_of(anna)
    server.end(signal.SIGKILL)
    added = server.client.added
    server.start()
    server.client.added = added
    anna = server.client.sit(opened.table.id, opened.tokens[0].token)
    assert deal_of(anna) == announced and announced.commitments[0] is not None
    joined = server.client.accept(opened.link, "Bo")
    bo = server.client.sit(opened.table.id, joined.tokens[0].token)
    server.guests += [anna, bo]
    play_on({0: anna, 1: bo}, random.Random(2), most=3)
    assert None not in deal_of(bo).contributions[:2] and deal_of(bo).commitments[0] == announced.commitments[0]


def test_a_client_that_never_shows_or_never_comes_blocks_nobody(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", shuffle_seconds=3) as server:
        wait_for_others(server)


def wait_for_others(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", "friend"], **TOGETHER)
    silent = server.client.accept(opened.link, "Silent")
    silent_client = Quiet(server.client, opened.table.id, silent.tokens[0].token)
    anna = server.client.sit(opened.table.id, opened.tokens[0].token)
    server.guests += [silent_client, anna]
    assert server.client.accept(opened.link, "Absent").table.status == "waiting"  # now time runs
    anna.await_letter()
    deal = deal_of(anna)
    assert deal.commitments[1] is not None and deal.commitments[2] is None
    assert deal.contributions[0] is not None and deal.contributions[1:] == [None, None]


class Quiet(SeatClient):
    """Announces, and never shows."""

    def _shuffle(self, message: TableMessage) -> None:
        pass


def test_what_was_not_announced_is_refused(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", "easy"], **TOGETHER)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
        anna.say({"type": "shuffle", "id": 7, "value": "00" * 32})
        error = anna.await_message(lambda message: isinstance(message, ErrorMessage))
        assert isinstance(error, ErrorMessage) and (error.id, error.error.reason) == (7, "not_announced")


def test_a_rematch_is_shuffled_anew(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "easy", "easy"], **TOGETHER)
    seat = server.sit_all(opened)[0]
    seat.await_letter()
    server.client.end_table(opened.table.id, opened.tokens[0].token)
    following = server.client.rematch(opened.table.id, opened.tokens[0].token).table
    with server.client.sit(following, opened.tokens[0].token) as again:
        again.await_letter()
        assert deal_of(again).hash != deal_of(seat).hash and deal_of(again).contributions[1] is not None


def test_without_a_shuffle_the_hash_is_shown_all_the_same(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "easy", "easy"])
    assert opened.table.status == "playing"
    seat = server.sit_all(opened)[0]
    assert deal_of(seat).commitments == [] and len(deal_of(seat).hash) == 64


def test_ten_lines_of_python_check_a_game(
    server: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of docs/fairness.md, on a game that was just played."""
    opened = server.open_table(NAME, ["here", "easy", "easy"], **TOGETHER)
    seats = server.sit_all(opened)
    shown = deal_of(seats[0]).hash
    play_on(seats, random.Random(3))
    text = server.client.record(opened.table.id)
    lines, luck = fairness_program(), SharedSeed.luck
    monkeypatch.setattr(SharedSeed, "luck", luck)  # put back at the end
    assert len([line for line in lines.splitlines() if line.strip()]) <= 10
    file = tmp_path / "game.tripot.json"
    file.write_text(text)
    run_program(lines, file)
    said = capsys.readouterr().out
    assert said == f"True hash {shown}\n"
    content = {**json.loads(text), "seed": hash_of("00" * 32)}  # a server that shows another secret afterwards
    del content["seal"]
    file.write_text(json.dumps({**content, "seal": _seal(content)}))
    with pytest.raises(BadRecord):
        run_program(lines, file)


def fairness_program() -> str:
    page = (Path(__file__).parent.parent / "docs" / "fairness.md").read_text("utf-8")
    return page.split("```python\n")[1].split("```")[0]


def run_program(lines: str, file: Path) -> None:
    exec(compile(lines.replace("game.tripot.json", str(file)), "docs/fairness.md", "exec"), {})


def test_a_token_is_rotated_and_the_old_one_opens_nothing(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", "easy"])
    old = opened.tokens[0].token
    fresh = server.client.rotate(opened.table.id, old)
    assert fresh.seat == 0 and fresh.token != old
    with pytest.raises(Refused):
        server.client.rotate(opened.table.id, old)
    assert server.client.renew_link(opened.table.id, fresh.token) != opened.link  # the host's rights go with it
