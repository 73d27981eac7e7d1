"""Whole games over the wire, for every game, with the client that Tripot ships."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cases import every_game
from tests.served import Served, ServedHere, bring_up_to_date, play_on
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.layout import SPECTATOR
from tripot.table.record import loads, replay
from tripot.table.table import Table
from tripot.web.client import Refused

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("games") / "tables.sqlite") as served:
        yield served


def played_again(server: Served, table: str) -> Table:
    """Returns the finished table, replayed from its record."""
    return replay(loads(server.client.record(table)), GAMES)


@every_game
def test_a_whole_game_of_people(server: Served, game: Game) -> None:
    for size in (game.seats[0], game.seats[-1]):
        opened = server.open_table(game.name, [{"kind": "here", "name": f"P{seat}"} for seat in range(size)])
        seats = server.sit_all(opened)
        watching = server.client.watch(opened.table.id)
        play_on({**seats, SPECTATOR: watching}, random.Random(size))  # a page that never reads is disconnected
        bring_up_to_date({**seats, SPECTATOR: watching})
        table = played_again(server, opened.table.id)
        for who, seat in {**seats, SPECTATOR: watching}.items():
            letter = seat.await_letter()
            assert letter.view == table.letter(who)["view"]
            assert seat.news == table.letter(who)["news"]
            assert seat.table is not None and seat.table.table.status == "over"
            seat.close()
        assert server.client.table(opened.table.id).result == table.result


def test_a_replay_is_computed_once(tmp_path: Path) -> None:
    game = next(iter(GAMES.values()))
    with ServedHere(tmp_path / "tables.sqlite") as here:
        opened = here.client.open_table(game.name, ["here", *["easy"] * (game.seats[0] - 1)], pace="instant")
        with here.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            play_on({0: seat}, random.Random(1))
        token = opened.tokens[0].token
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(here.client.replay, opened.table.id, seat=0, token=token) for _ in range(16)]
            found = [one.result() for one in asked]
        games = [replayed.model_copy(update={"table": None}) for replayed in found]  # which says who is there by now
        assert all(game == games[0] for game in games) and len(found[0].steps) > 10
        assert here.context.replays.computed == 1
        assert here.client.replay(opened.table.id, token=token).seat is None
        assert here.context.replays.computed == 2


@every_game
def test_a_whole_game_against_bots(server: Served, game: Game) -> None:
    size = game.seats[-1]
    levels = (["easy", "medium", "hard"] * size)[: size - 1]
    opened = server.open_table(game.name, ["here", *levels])
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        play_on({0: seat}, random.Random(1))
        table = played_again(server, opened.table.id)
        assert seat.await_letter().view == table.letter(0)["view"]
        assert seat.news == table.letter(0)["news"]
    assert {who for who, _ in table.decisions} == set(range(size))


@every_game
def test_a_replay_from_a_seat_is_what_the_seat_saw(server: Served, game: Game) -> None:
    opened = server.open_table(game.name, ["here"] * game.seats[0])
    seats = server.sit_all(opened)
    play_on(seats, random.Random(5))
    table = played_again(server, opened.table.id)
    for seat in range(game.seats[0]):
        steps = server.client.replay(opened.table.id, seat).steps
        again = Table(game, table.seats, table.seed, table.options)
        view: dict[str, object] = {}
        assert len(steps) == len(table.decisions) + 1
        for number, step in enumerate(steps):
            if number:
                who, action = table.decisions[number - 1]
                assert step.seat == who
                assert (step.decision is None) == (who != seat)
                again.decide(who, action, again.offer(who).sequence)
            view |= step.view
            assert view == again.letter(seat)["view"]
            assert step.news == again.letter(seat, number)["news"]


@every_game
def test_an_open_replay_shows_every_hand(server: Served, game: Game) -> None:
    opened = server.open_table(game.name, ["here"] * game.seats[0])
    play_on(server.sit_all(opened), random.Random(6))
    table = played_again(server, opened.table.id)
    view: dict[str, object] = {}
    again = Table(game, table.seats, table.seed, table.options)
    for number, step in enumerate(server.client.replay(opened.table.id).steps):
        if number:
            who, action = table.decisions[number - 1]
            assert step.decision is not None and step.decision.action == action
            again.decide(who, action, again.offer(who).sequence)
        view |= step.view
        assert step.news == [[number, *story.item[1:]] for story in again.all_news() if story.sequence == number]
        for seat in range(table.seats):
            own = {name: value for name, value in again.letter(seat)["view"].items() if name.startswith("my_")}
            assert {name: view[name.removeprefix("my_")][seat] for name in own} == own  # type: ignore[index]


def test_a_record_can_be_downloaded_and_uploaded(server: Served) -> None:
    name = next(iter(GAMES))
    opened = server.open_table(name, [{"kind": "here", "name": "Zoë"}] * GAMES[name].seats[0])
    play_on(server.sit_all(opened), random.Random(7))
    text = server.client.record(opened.table.id)
    kept = server.client.upload(text)
    assert kept.status == "record" and kept.id != opened.table.id
    assert kept.seats[0].name == "Zoë"
    assert server.client.upload(text).id == kept.id
    assert server.client.record(kept.id) == text
    assert server.client.replay(kept.id).steps == server.client.replay(opened.table.id).steps
    assert kept.id not in [table.id for table in server.client.tables("finished")]


@pytest.mark.parametrize("damage", ["", "{", "[]", "\x00", '{"format": "tripot record 1"}', "[" * 100_000])
def test_a_damaged_record_is_refused_with_a_reason(server: Served, damage: str) -> None:
    with pytest.raises(Refused) as refused:
        server.client.upload(damage or " ")
    assert refused.value.problem.reason == "bad_record"


def test_an_altered_record_is_refused(server: Served, tmp_path: Path) -> None:
    name = next(iter(GAMES))
    opened = server.open_table(name, ["here"] * GAMES[name].seats[0])
    play_on(server.sit_all(opened), random.Random(8))
    text = server.client.record(opened.table.id)
    with pytest.raises(Refused, match="altered"):
        server.client.upload(text.replace('"rules": 1', '"rules": 2'))
