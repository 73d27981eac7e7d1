"""Company: one link for a table, the host's rights, seats on several devices, rematches, privacy, phrases, clocks."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.served import Served, ServedHere, bring_up_to_date, patiently, play_on
from tests.test_web_lobby import reason_of
from tripot import GAMES
from tripot.web.api.messages import Clock, Spoken, TableMessage
from tripot.web.client import Refused, SeatClient
from tripot.web.live import seating
from tripot.web.live.room import Room
from tripot.web.ops.tokens import new_words, read_words
from tripot.web.ops.word_list import WORDS

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
FRIENDS = FEWEST - 1
ME_AND_FRIENDS = [{"kind": "here", "name": "Anna"}, *[{"kind": "friend"}] * FRIENDS]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("company") / "tables.sqlite", passes_at_once=1000) as served:
        yield served


# --- Privacy: a finished game is as private as it was while being played ---


def finished(server: Served, **how: object) -> tuple[str, str]:
    """Plays a table of friends to its end. Returns its id and the host's token."""
    opened = server.open_table(NAME, ["here", *["easy"] * FRIENDS], **how)
    play_on(server.sit_all(opened), random.Random(5))
    return opened.table.id, opened.tokens[0].token


@pytest.mark.parametrize("how", [{"open": True, "watch": False}, {"open": False, "watch": False}])
def test_a_stranger_can_neither_list_nor_fetch_a_private_game(server: Served, how: dict[str, bool]) -> None:
    table, token = finished(server, **how)
    for path in ("", "/replay", "/replay?seat=0", "/record"):
        with pytest.raises(Refused) as refused:
            server.client.fetch(f"/api/tables/{table}{path}")
        assert reason_of(refused) == (404, "no_table")
        assert server.client.fetch(f"/api/tables/{table}{path}", token=token)
    with pytest.raises(Refused, match="no_table"):
        server.client.watch(table)
    for which in ("open", "running", "finished"):
        assert table not in server.client.fetch(f"/api/tables?list={which}").decode()


def test_publishing_is_the_hosts_choice_and_can_be_taken_back(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST, watch=False)
    table, host, other = opened.table.id, opened.tokens[0].token, opened.tokens[1].token
    with pytest.raises(Refused, match="not_over"):
        server.client.publish(table, host)
    play_on(server.sit_all(opened), random.Random(5))
    with pytest.raises(Refused) as refused:
        server.client.publish(table, other)
    assert reason_of(refused) == (403, "not_host")
    assert server.client.publish(table, host).published
    assert table in [found.id for found in server.client.tables("finished")]
    assert server.client.replay(table).steps
    server.client.publish(table, host, public=False)
    with pytest.raises(Refused, match="no_table"):
        server.client.replay(table)


def test_only_listed_tables_are_offered_for_watching_with_their_spectators(server: Served) -> None:
    private = server.open_table(NAME, ["here"] * FEWEST)
    hidden = server.open_table(NAME, ["here"] * FEWEST, listed=True, watch=False)
    public = server.open_table(NAME, ["here"] * FEWEST, listed=True)
    with server.client.watch(public.table.id):
        found = {table.id: table.watchers for table in server.client.tables("running")}
    assert found[public.table.id] == 1
    assert private.table.id not in found and hidden.table.id not in found


def test_a_stranger_in_the_waiting_room_leaves_when_a_game_starts_that_nobody_may_watch(server: Served) -> None:
    opened = server.open_table(NAME, ["here", *["friend"] * FRIENDS], open=True, watch=False)
    watcher = server.client.watch(opened.table.id)
    for number in range(FRIENDS):
        server.client.join(opened.table.id, f"Guest {number}")
    assert watcher.await_close()[0] == 4404
    watcher.close()
    assert all(json.loads(text)["type"] != "letter" for text in watcher.received)


def test_a_stranger_leaves_too_when_nobody_takes_part_in_the_shuffle(server: Served) -> None:
    """Then it is the last connection that deals, and not a request."""
    opened = server.open_table(NAME, ["here", *["friend"] * FRIENDS], open=True, watch=False, shuffle_together=True)
    watcher = server.client.watch(opened.table.id)
    tokens = [opened.tokens[0].token]
    tokens += [server.client.join(opened.table.id, f"Guest {n}").tokens[0].token for n in range(FRIENDS)]
    address = server.address.replace("http", "ws", 1) + f"/api/tables/{opened.table.id}/socket"
    with ExitStack() as stack:
        for token in tokens:
            stack.enter_context(connect(address)).send(json.dumps({"type": "hello", "token": token}))
        assert watcher.await_close()[0] == 4404
    watcher.close()
    assert all(json.loads(text)["type"] != "letter" for text in watcher.received)


def test_a_seat_that_is_withdrawn_while_its_device_connects_is_not_opened(tmp_path: Path) -> None:
    with ServedHere(tmp_path / "tables.sqlite") as server:
        opened = server.client.open_table(NAME, ["here", *["easy"] * FRIENDS])
        table, token = opened.table.id, opened.tokens[0].token
        room = server.context.rooms.live(table)
        assert room is not None
        server.run(room._lock.acquire())
        with connect(server.address.replace("http", "ws", 1) + f"/api/tables/{table}/socket") as line:
            line.send(json.dumps({"type": "hello", "token": token}))
            for _ in patiently("the device waits for its turn"):
                if room._lock._waiters:
                    break
            room.stored = seating.rotated(room.stored, 0, token, "n" * 43)
            server.run(release(room))
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    assert json.loads(line.recv(timeout=20))["type"] == "error"
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401


async def release(room: Room) -> None:
    room._lock.release()


# --- One link ---


def test_a_seat_is_kept_for_a_name(server: Served) -> None:
    seats = [{"kind": "here"}, {"kind": "friend", "name": "Zoé"}, *[{"kind": "friend"}] * (FEWEST - 2)]
    opened = server.open_table(NAME, seats)
    assert opened.table.seats[1].kept_for == "Zoé"
    with pytest.raises(Refused) as refused:
        server.client.accept(opened.link, "Bo", 1)
    assert reason_of(refused) == (409, "seat_kept")
    for _ in range(FEWEST - 2):
        assert server.client.accept(opened.link, "Bo").tokens[0].seat > 1
    with pytest.raises(Refused, match="seat_kept"):
        server.client.accept(opened.link, "Bo")
    assert server.client.accept(opened.link, "zoé").tokens[0].seat == 1


def test_the_host_keeps_seats_renews_the_link_and_gives_seats_back(server: Served) -> None:
    opened = server.open_table(NAME, ME_AND_FRIENDS)
    table, host = opened.table.id, opened.tokens[0].token
    guest = server.client.accept(opened.link, "Bo").tokens[0]
    for forbidden in (
        lambda: server.client.renew_link(table, guest.token),
        lambda: server.client.keep_seat(table, guest.token, FRIENDS, "Cy"),
        lambda: server.client.free_seat(table, guest.token, 0),
        lambda: server.client.end_table(table, guest.token),
    ):
        with pytest.raises(Refused) as refused:
            forbidden()
        assert reason_of(refused) == (403, "not_host")
    if FRIENDS > 1:
        assert server.client.keep_seat(table, host, FRIENDS, "Cy").seats[FRIENDS].kept_for == "Cy"
        assert server.client.keep_seat(table, host, FRIENDS, None).seats[FRIENDS].kept_for is None
    with server.client.sit(table, guest.token) as bo:
        assert server.client.free_seat(table, host, guest.seat).seats[guest.seat].name is None
        assert bo.await_close()[0] == 4401
    link = server.client.renew_link(table, host)
    with pytest.raises(Refused) as refused:
        server.client.accept(opened.link, "Bo")
    assert reason_of(refused) == (404, "no_invite")
    assert server.client.accept(link, "Bo").tokens[0].seat == 1


def test_a_seat_given_back_in_the_middle_of_a_game_is_taken_again(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", *["easy"] * (FEWEST - 2)])
    lost = server.client.accept(opened.link, "Bo").tokens[0]
    host = opened.tokens[0].token
    with server.client.sit(opened.table.id, host) as anna:
        play_on({0: anna, 1: server.client.sit(opened.table.id, lost.token)}, random.Random(1), most=4)
        before = server.client.free_seat(opened.table.id, host, 1)
        assert before.status == "playing" and before.seats[1].name is None
        anna.ask("hold", seat=1, level="easy")  # a bot plays for nobody, until somebody sits down
        again = server.client.accept(opened.link, "Bo").tokens[0]
        assert again.seat == 1 and again.token != lost.token
        with pytest.raises(Refused, match="wrong_token"):
            server.client.table(opened.table.id, lost.token)
        with server.client.sit(opened.table.id, again.token) as bo:
            play_on({0: anna, 1: bo}, random.Random(2))
            assert anna.over and bo.over


def test_links_of_single_seats_from_before_still_lead_to_their_seat(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite") as server:
        opened = server.open_table(NAME, ME_AND_FRIENDS)
        server.end()
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database, database:
            database.execute("UPDATE seats SET invite = 'old' || seat WHERE seat > 0")
        server.start()
        assert server.client.invitation(f"old{FRIENDS}").seat == FRIENDS
        assert server.client.accept(f"old{FRIENDS}", "Bo").tokens[0].seat == FRIENDS
        server.client.renew_link(opened.table.id, opened.tokens[0].token)
        with pytest.raises(Refused, match="no_invite"):
            server.client.invitation("old1")


def test_the_hosts_rights_pass_on_while_the_host_is_away_for_long(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", host_seconds=0.2) as server:
        opened = server.open_table(NAME, ME_AND_FRIENDS)
        guest = server.client.accept(opened.link, "Bo").tokens[0]
        with server.client.sit(opened.table.id, guest.token) as bo:
            with server.client.sit(opened.table.id, opened.tokens[0].token), pytest.raises(Refused, match="not_host"):
                bo.ask("fill", seat=FRIENDS)
            for _ in patiently("the rights pass on"):
                if server.client.table(opened.table.id).host == guest.seat:
                    break
            if FRIENDS > 1:
                bo.ask("fill", seat=FRIENDS)
            with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
                assert anna.table is not None and anna.table.table.host == 0


def test_leaving_and_ending_a_table(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", *["easy"] * (FEWEST - 2)])
    guest = server.client.accept(opened.link, "Bo").tokens[0]
    assert server.client.free_seat(opened.table.id, guest.token, guest.seat).seats[guest.seat].name is None
    with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
        assert server.client.end_table(opened.table.id, opened.tokens[0].token).status == "ended"
        bring_up_to_date({0: anna})
        assert anna.table is not None and anna.table.table.status == "ended"
        assert anna.await_letter().legal == []
        with pytest.raises(Refused, match="ended"):
            anna.ask("decide", sequence=0, actions=[0])
    with pytest.raises(Refused, match="ended"):
        server.client.accept(opened.link, "Bo")


# --- A seat on another device ---


@pytest.mark.parametrize("moves", [False, True])
def test_six_words_bring_a_seat_to_another_device_once(server: Served, moves: bool) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    table, token = opened.table.id, opened.tokens[1].token
    words = server.client.new_pass(table, token, moves).words
    taken = server.client.redeem("  " + words.upper().replace(" ", ", "))
    assert (taken.table.id, taken.table.mine, taken.tokens[0].seat) == (table, [1], 1)
    assert server.client.table(table, taken.tokens[0].token).mine == [1]
    if moves:
        with pytest.raises(Refused, match="wrong_token"):
            server.client.table(table, token)
    else:
        assert server.client.table(table, token).mine == [1]
    with pytest.raises(Refused) as refused:
        server.client.redeem(words)
    assert reason_of(refused) == (404, "wrong_words")


def test_words_and_devices_can_be_withdrawn(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    table, token = opened.table.id, opened.tokens[0].token
    copy = server.client.redeem(server.client.new_pass(table, token, False).words).tokens[0].token
    words = server.client.new_pass(table, token, False).words
    with server.client.sit(table, copy) as device:
        server.client.withdraw(table, token)
        assert device.await_close()[0] == 4401
    with pytest.raises(Refused, match="wrong_words"):
        server.client.redeem(words)
    assert server.client.table(table, token).mine == [0]


def test_words_are_not_valid_for_ever_and_cannot_be_guessed_fast(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", pass_hours=1e-9, passes_at_once=3, passes_per_hour=1) as server:
        opened = server.open_table(NAME, ["here"] * FEWEST)
        words = server.client.new_pass(opened.table.id, opened.tokens[0].token, True).words
        reasons = []
        for _ in range(4):
            with pytest.raises(Refused) as refused:
                server.client.redeem(words)
            reasons.append(refused.value.problem.reason)
    assert reasons == ["wrong_words"] * 3 + ["too_fast"]


def test_the_words_are_plain_and_told_apart_by_four_letters() -> None:
    assert len(set(WORDS)) == 256 and all(word.isascii() and word.islower() for word in WORDS)
    assert len({word[:4] for word in WORDS}) == 256
    words = new_words()
    assert read_words(" ".join(word[:4] for word in words.split())) == words
    assert read_words(words.rsplit(" ", 1)[0]) is None and read_words(words + " table") is None


def test_the_six_words_are_stored_nowhere(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    words = server.client.new_pass(opened.table.id, opened.tokens[0].token, True).words
    with closing(sqlite3.connect(server.database)) as database:
        assert words not in "\n".join(database.iterdump())


# --- Rematch ---


def test_a_rematch_seats_those_who_stayed_one_seat_further(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", *["hard"] * (FEWEST - 2)], watch=False, options={})
    friend = server.client.accept(opened.link, "Bo").tokens[0]
    table, host = opened.table.id, opened.tokens[0].token
    with pytest.raises(Refused, match="not_over"):
        server.client.rematch(table, host)
    anna = server.client.sit(table, host)
    with server.client.sit(table, friend.token) as bo:
        server.client.end_table(table, host)
        first = server.client.rematch(table, friend.token)
        bring_up_to_date({0: anna})
        assert anna.table is not None and anna.table.rematch == first.table
        assert server.client.rematch(table, host) == first  # one rematch for all
        assert bo.table is not None
    anna.close()
    following = server.client.table(first.table, host)
    assert following.mine == [1] and server.client.table(first.table, friend.token).mine == [2 % FEWEST]
    assert (following.status, following.watch, following.host) == ("playing", False, 2 % FEWEST)
    assert [seat.level for seat in following.seats].count("hard") == FEWEST - 2
    with pytest.raises(Refused, match="no_table"):
        server.client.table(first.table)


def test_a_rematch_keeps_the_seats_of_those_who_left(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "friend", *["easy"] * (FEWEST - 2)])
    server.client.accept(opened.link, "Bo")
    with server.client.sit(opened.table.id, opened.tokens[0].token):
        server.client.end_table(opened.table.id, opened.tokens[0].token)
        found = server.client.rematch(opened.table.id, opened.tokens[0].token)
    following = server.client.table(found.table)
    assert following.status == "waiting" and following.seats[2 % FEWEST].kept_for == "Bo"


# --- Phrases ---


def test_everyone_at_the_table_hears_a_phrase_and_nobody_can_talk_without_end(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    with (
        server.client.sit(opened.table.id, opened.tokens[1].token) as anna,
        server.client.watch(opened.table.id) as watcher,
    ):
        anna.ask("say", phrase="well_played")
        for client in (anna, watcher):
            heard = [json.loads(text) for text in client.received]
            if client is watcher:
                found = client.await_message(lambda message: isinstance(message, Spoken))
                assert isinstance(found, Spoken) and (found.seat, found.phrase) == (1, "well_played")
            else:
                assert {"type": "said", "seat": 1, "phrase": "well_played"} in heard
        with pytest.raises(Refused, match="not_seated"):
            watcher.ask("say", phrase="hello")
        with pytest.raises(Refused, match="malformed"):
            anna.ask("say", phrase="anything I like")
        with pytest.raises(Refused, match="too_fast"):
            for _ in range(1000):
                anna.ask("say", phrase="hello")


# --- Time for a decision ---


def clock_of(seat: SeatClient) -> Clock:
    found = seat.await_message(lambda message: isinstance(message, Clock))
    assert isinstance(found, Clock)
    return found


def test_a_table_of_one_person_has_no_clock(server: Served) -> None:
    with pytest.raises(Refused) as refused:
        server.open_table(NAME, ["here", *["easy"] * FRIENDS], seconds=60)
    assert reason_of(refused) == (400, "bad_table")


def test_a_bot_takes_one_decision_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tripot.web.live.room.LEAST_MILLISECONDS", 0)
    with ServedHere(tmp_path / "tables.sqlite") as here:
        opened = here.client.open_table(NAME, ["here"] * FEWEST, pace="instant", seconds=10)
        with here.client.sit(opened.table.id, opened.tokens[0].token) as anna:
            clock = clock_of(anna)
            assert clock.left and all(0 < left <= 10_000 for left in clock.left.values())
            before = anna.await_letter().sequence

            async def hurry() -> None:
                async with here.context.rooms.visit(opened.table.id) as room:
                    for seat, (sequence, _) in list(room._clocks.items()):
                        room._time_up(seat, sequence)

            here.run(hurry())
            overdue = anna.await_message(lambda message: isinstance(message, Clock) and message.overdue is not None)
            assert isinstance(overdue, Clock) and overdue.overdue in clock.left
            for _ in patiently("a bot has decided"):
                bring_up_to_date({0: anna})
                if anna.await_letter().sequence > before:
                    break
            assert anna.table is not None
            assert all(seat.held is None for seat in anna.table.table.seats)  # for this one decision only


def test_clocks_go_on_after_a_restart(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite") as server:
        opened = server.open_table(NAME, ["here"] * FEWEST, seconds=3600)
        play_on(server.sit_all(opened), random.Random(1), most=3)
        for guest in server.guests:
            guest.close()
        server.guests.clear()
        server.end()
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database, database:
            database.execute("UPDATE log SET at = at - 1800000, checksum = NULL")
            database.execute("UPDATE tables SET updated = updated - 1800000")
        server.start()
        with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
            left = clock_of(anna).left
            assert left and all(1_700_000 < milliseconds <= 1_800_000 for milliseconds in left.values())


def test_a_decision_that_was_due_while_the_server_was_down_is_taken(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite") as server:
        opened = server.open_table(NAME, ["here"] * FEWEST, seconds=3600)
        server.end()
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database, database:
            database.execute("UPDATE tables SET updated = updated - 7200000")
        server.start()
        for _ in patiently("a bot has decided, though nobody is connected"):
            with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database:
                if database.execute("SELECT count(*) FROM log").fetchone() != (0,):
                    break
        with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
            assert isinstance(anna.table, TableMessage)


# --- The page's address: installing it, previews of its links ---


def test_previews_of_links_tell_nothing_of_a_table(server: Served) -> None:
    opened = server.open_table(NAME, ME_AND_FRIENDS)
    pages = [
        server.client.fetch(path).decode() for path in ("/", opened.link, "/join/nothing", f"/tables/{opened.table.id}")
    ]
    assert len(set(pages)) == 1
    assert f'content="{server.address}/page/art/preview.jpg"' in pages[0] and "og:title" in pages[0]
    assert server.client.fetch("/page/art/preview.jpg")[:2] == b"\xff\xd8"


def test_the_page_can_be_installed(server: Served) -> None:
    manifest = json.loads(server.client.fetch("/page/manifest.webmanifest"))
    for icon in manifest["icons"]:
        assert server.client.fetch(icon["src"])
    worker = server.client.fetch("/service-worker.js").decode()
    assert (
        worker.startswith('self.page = {"version": "')
        and "/page/main.js" in worker
        and "service_worker.js" not in worker
    )
    for path in json.loads(worker.splitlines()[0].removeprefix("self.page = ").removesuffix(";"))["files"]:
        assert server.client.fetch(path)


def test_an_address_that_leads_nowhere_says_so(server: Served) -> None:
    for path in ("/nothing", "/tables", "/tables/a/b", "/rules"):
        with pytest.raises(HTTPError) as found:
            urlopen(server.address + path)
        assert found.value.code == 404 and "<tripot-app>" in found.value.read().decode()
        found.value.close()
