"""A server is stopped and started, or killed, in the middle of games: no confirmed decision is lost."""

import random
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import every_game
from tests.served import Served, bring_up_to_date, patiently, play_on, whole_choice
from tests.test_web_operating import measured
from tripot import GAMES
from tripot.core.game import Game
from tripot.web.api.messages import Letter, Opened
from tripot.web.client import Refused, SeatClient

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
BOTH_WAYS = pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "tables.sqlite") as served:
        yield served


def restart(server: Served, how: signal.Signals) -> None:
    errors = server.end(how)
    assert errors == ""
    server.start()


def return_all(server: Served, opened: Opened, before: dict[int, SeatClient]) -> dict[int, SeatClient]:
    """Reconnects every seat with the number of news items it already has."""
    found = {}
    for right in opened.tokens:
        old = before[right.seat]
        found[right.seat] = server.client.sit(opened.table.id, right.token, heard=len(old.news))
        found[right.seat].news = old.news
    return found


@BOTH_WAYS
@every_game
def test_a_game_goes_on_after_a_restart_as_if_nothing_had_happened(
    server: Served, how: signal.Signals, game: Game
) -> None:
    rng = random.Random(3)
    opened = server.open_table(game.name, ["here"] * game.seats[-1])
    seats = server.sit_all(opened)
    for _ in range(3):
        play_on(seats, rng, most=7)
        bring_up_to_date(seats)
        before = {who: seat.await_letter() for who, seat in seats.items()}
        restart(server, how)
        seats = return_all(server, opened, seats)
        for who, seat in seats.items():
            letter = seat.await_letter()
            assert (letter.view, letter.legal, letter.news) == (before[who].view, before[who].legal, [])
            if letter.legal:
                assert letter.sequence == before[who].sequence
    play_on(seats, rng)
    assert server.client.table(opened.table.id).status == "over"
    assert server.client.record(opened.table.id)


@BOTH_WAYS
def test_every_confirmed_decision_is_in_the_log_at_once(server: Served, how: signal.Signals) -> None:
    rng = random.Random(4)
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seats = server.sit_all(opened)
    confirmed = []
    for _ in range(10):
        who, seat = next((who, seat) for who, seat in seats.items() if seat.await_letter().legal)
        actions = whole_choice(seat, seat.await_letter(), rng)
        seat.decide(actions)
        confirmed += [(who, action) for action in actions]
        bring_up_to_date(seats)
    server.end(how)
    with sqlite3.connect(server.database) as database:
        log = database.execute("SELECT seat, action FROM log ORDER BY sequence").fetchall()
    database.close()
    assert log == confirmed
    server.start()


@BOTH_WAYS
def test_bots_resume_their_turns_after_a_restart(tmp_path: Path, how: signal.Signals) -> None:
    slow = {"instant": 0, "quick": 0, "calm": 3600}
    with Served(tmp_path / "tables.sqlite", paces=slow) as server:
        opened = server.open_table(NAME, ["here", *["easy"] * (FEWEST - 1)], pace="calm")
        with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            while seat.await_letter().legal:
                seat.decide([seat.await_letter().legal[0].action])
            stuck = seat.await_letter().view
        server.end(how)
        server.settings["paces"] = {"calm": 0}
        server.start()
        with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            assert seat.await_turn().view != stuck


def test_a_bot_still_plays_for_an_absent_person_after_a_restart(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    first = server.client.sit(opened.table.id, opened.tokens[0].token)
    for seat in range(1, FEWEST):
        first.ask("hold", seat=seat, level="easy")
    restart(server, signal.SIGKILL)
    assert [seat.held for seat in server.client.table(opened.table.id).seats] == [None, *["easy"] * (FEWEST - 1)]
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        play_on({0: seat}, random.Random(1))
    assert server.client.table(opened.table.id).status == "over"


def test_people_are_told_that_the_server_stops(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seat = server.client.sit(opened.table.id, opened.tokens[0].token)
    server.end()
    assert seat.await_close()[0] == 1012
    server.start()


def test_free_seats_and_invitations_survive(server: Served) -> None:
    opened = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)])
    restart(server, signal.SIGKILL)
    for number in range(FEWEST - 1):
        assert server.client.invitation(opened.link).table.id == opened.table.id
        server.client.accept(opened.link, f"Guest {number}")
        restart(server, signal.SIGKILL)
    assert server.client.table(opened.table.id).status == "playing"


def test_a_game_of_other_rules_is_shown_but_not_continued(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    play_on(server.sit_all(opened), random.Random(2), most=3)
    server.end()
    with sqlite3.connect(server.database) as database:
        database.execute("UPDATE tables SET rules = rules + 1, checksum = NULL")
    database.close()
    server.start()
    assert server.client.table(opened.table.id).status == "outdated"
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        with pytest.raises(Refused) as refused:
            seat.ask("decide", sequence=0, actions=[0])
        assert refused.value.problem.reason == "outdated"
        assert seat.letter is None


def test_a_finished_game_of_other_rules_keeps_its_record(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    play_on(server.sit_all(opened), random.Random(2))
    record = server.client.record(opened.table.id)
    server.end()
    with sqlite3.connect(server.database) as database:
        database.execute("UPDATE tables SET rules = rules + 1, checksum = NULL")
    database.close()
    server.start()
    assert server.client.table(opened.table.id).status == "over"
    assert server.client.record(opened.table.id) != record  # the record names its rules
    with pytest.raises(Refused) as refused:
        server.client.replay(opened.table.id)
    assert refused.value.problem.reason == "outdated"


def test_a_decision_that_cannot_be_stored_does_not_count(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seats = server.sit_all(opened)
    before = {who: seat.await_letter() for who, seat in seats.items()}
    mover = next(seat for seat in seats.values() if seat.await_letter().legal)
    offered = mover.await_letter()
    decision = {"sequence": offered.sequence, "actions": [offered.legal[0].action]}
    blocker = sqlite3.connect(server.database, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Refused) as refused:
        mover.ask("decide", **decision)
    blocker.execute("ROLLBACK")
    blocker.close()
    assert refused.value.problem.reason == "storage"
    bring_up_to_date(seats)
    assert {who: seat.await_letter() for who, seat in seats.items()} == before
    mover.ask("decide", **decision)
    assert mover.await_message(lambda message: isinstance(message, Letter))
    assert "database is locked" in server.end()
    server.start()


def await_presence(seat: SeatClient, other: int, here: bool) -> None:
    """Waits until a seat sees another one as present or absent."""
    while seat.table is None or seat.table.table.seats[other].here != here:
        seat.hear()


HOST = 0  # the seat of whoever opened the table


def test_a_bot_tries_again_when_its_decision_could_not_be_stored(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", paces={"calm": 1.0}) as server:
        mover = HOST
        while mover == HOST:  # whose right it is to give an absent player's seat to a bot
            seats = server.sit_all(server.open_table(NAME, ["here"] * FEWEST, pace="calm"))
            mover = next(who for who, seat in seats.items() if seat.await_letter().legal)
        other = seats[HOST]
        await_presence(other, mover, here=True)
        seats[mover].close()
        await_presence(other, mover, here=False)
        other.ask("hold", seat=mover, level="easy")
        blocker = sqlite3.connect(server.database, isolation_level=None)
        blocker.execute("BEGIN EXCLUSIVE")
        for _ in patiently("the bot has tried, and its decision could not be stored", 90):
            if measured(server.client)["tripot_database_failures_total"]:
                break
        blocker.execute("ROLLBACK")
        blocker.close()
        assert other.await_message(lambda message: isinstance(message, Letter))
        assert "database is locked" in server.end()


def test_a_damaged_table_says_so_and_the_others_go_on(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", paces={"calm": 3600}) as server:
        tables = [server.open_table(NAME, ["here", *["easy"] * (FEWEST - 1)], pace="calm") for _ in range(2)]
        stuck = {}
        for opened in tables:
            with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
                while seat.await_letter().legal:
                    seat.decide([seat.await_letter().legal[0].action])
                stuck[opened.table.id] = seat.await_letter().view
        server.end()
        damaged = min(tables, key=lambda opened: opened.table.id)  # the first to be resumed
        whole = max(tables, key=lambda opened: opened.table.id)
        with sqlite3.connect(server.database) as database:
            database.execute("INSERT OR REPLACE INTO log VALUES (?, 1, 0, 9999, 0, NULL)", [damaged.table.id])
        database.close()
        server.settings["paces"] = {"calm": 0}
        server.start()
        with server.client.sit(whole.table.id, whole.tokens[0].token) as seat:
            assert seat.await_turn().view != stuck[whole.table.id]
        with pytest.raises(Refused, match="damaged"):
            server.client.sit(damaged.table.id, damaged.tokens[0].token)
        assert "cannot resume table" in server.end()
