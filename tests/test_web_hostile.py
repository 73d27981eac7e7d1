"""Hostile and clumsy clients: every bad message is answered with an error, and nothing is lost."""

import json
import random
import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.served import Served, bring_up_to_date, play_on
from tripot import GAMES
from tripot.web.api.messages import ErrorMessage, Malformed, Opened, read_client_message
from tripot.web.client import Client, Refused, SeatClient
from tripot.web.ops.errors import ApiError
from tripot.web.ops.middleware import HEADERS, OF_DOCUMENTS
from tripot.web.ops.rate_limits import RateLimits
from tripot.web.ops.settings import Settings

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
SMALL = 4096  # bytes that are kept for a page that never reads: then hundreds of messages tell that it does not


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("hostile") / "tables.sqlite") as served:
        yield served


@pytest.fixture
def opened(server: Served) -> Opened:
    return server.open_table(NAME, ["here"] * FEWEST)


def error_after(seat: SeatClient, message: object) -> ErrorMessage:
    """Returns the error that answers a message."""
    seat.say(message if isinstance(message, str | bytes) else json.dumps(message))
    answer = seat.await_message(lambda found: isinstance(found, ErrorMessage))
    assert isinstance(answer, ErrorMessage)
    return answer


def request(
    server: Served, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Sends a request with any headers; underscores in their names become dashes."""
    connection = HTTPConnection(urlsplit(server.address).netloc, timeout=30)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, named)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


# --- Messages ---

MALFORMED = [
    "",
    "hello",
    "[]",
    "null",
    "{}",
    "[" * 10_000,
    "\x00",
    '{"type": "decide"',
    {"type": "cheat"},
    {"type": "decide"},
    {"type": "decide", "id": 5, "sequence": 0},
    {"type": "decide", "id": 5, "sequence": 0, "actions": 3},
    {"type": "decide", "id": 5, "sequence": 0, "actions": ["3"]},
    {"type": "decide", "id": 5, "sequence": 0, "actions": [1.5]},
    {"type": "decide", "id": 5, "sequence": 0, "actions": [True]},
    {"type": "decide", "id": 5, "sequence": 0, "actions": [-1]},
    {"type": "decide", "id": 5, "sequence": 0, "actions": [10**30]},
    {"type": "decide", "id": 5, "sequence": 0, "actions": [0] * 1000},
    {"type": "decide", "id": 5, "sequence": -1, "actions": [0]},
    {"type": "decide", "id": 5, "sequence": 0, "actions": [0], "seat": 1},
    {"type": "try", "id": 5, "sequence": None, "actions": []},
    {"type": "hold", "id": 5, "seat": 16},
    {"type": "hold", "id": 5, "seat": 0, "level": "divine"},
    {"type": "hello", "token": "short"},
    {"type": "hello"},
    b"\xff\x00bytes",
]


@pytest.mark.parametrize("message", MALFORMED, ids=lambda message: str(message)[:40])
def test_a_malformed_message_is_answered_and_the_connection_stays_open(
    server: Served, opened: Opened, message: object
) -> None:
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        answer = error_after(seat, message)
        assert answer.error.reason == "malformed"
        if isinstance(message, dict) and "id" in message:
            assert answer.id == 5
        seat.ask("ping")


def test_too_many_malformed_messages_close_the_connection(server: Served, opened: Opened) -> None:
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        for _ in range(20):
            seat.say("nonsense")
        assert seat.await_close() == (4400, "malformed")
        assert sum('"malformed"' in text for text in seat.received) == 20
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        assert seat.await_letter()


def test_an_oversized_message_closes_the_connection_with_a_reason(server: Served, opened: Opened) -> None:
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        seat.say(json.dumps({"type": "ping", "id": 1, "padding": "x" * 20_000}))
        assert seat.await_close()[0] == 1009
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        assert seat.await_letter()


def bare(server: Served, table: str) -> connect:
    """Opens a connection that has sent nothing yet."""
    return connect(server.address.replace("http", "ws", 1) + f"/api/tables/{table}/socket")


@pytest.mark.parametrize("first", ["nonsense", '{"type": "ping"}', '{"type": "decide", "sequence": 0, "actions": [0]}'])
def test_the_first_message_must_be_a_hello(server: Served, opened: Opened, first: str) -> None:
    with bare(server, opened.table.id) as line:
        line.send(first)
        assert json.loads(line.recv(30))["error"]["reason"] == "malformed"
        with pytest.raises(ConnectionClosed):
            line.recv(30)
        assert line.close_code == 4400


def test_a_client_that_sends_nothing_is_disconnected(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", hello_seconds=0.1) as impatient:
        table = impatient.open_table(NAME, ["here"] * FEWEST).table.id
        with bare(impatient, table) as line:
            with pytest.raises(ConnectionClosed):
                line.recv(30)
            assert line.close_code == 4408


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_accepted_or_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read_client_message(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
)
KINDS = st.sampled_from(["hello", "try", "decide", "hold", "release", "fill", "ping", "pong"])
NAMES = st.sampled_from(["id", "sequence", "actions", "seat", "level", "token", "heard", "x"])


@given(KINDS, st.dictionaries(NAMES, JSON, max_size=5))
def test_any_message_of_a_known_type_is_accepted_or_malformed(kind: str, content: dict[str, object]) -> None:
    try:
        assert read_client_message(json.dumps({**content, "type": kind})).type == kind
    except Malformed as error:
        assert error.details


# --- Decisions ---


def refusal(seat: SeatClient, sequence: int, actions: list[int], kind: str = "decide") -> str:
    with pytest.raises(Refused) as refused:
        seat.ask(kind, sequence=sequence, actions=actions)
    problem = refused.value.problem
    assert problem.clause is not None and problem.text.en != problem.text.fr
    return problem.reason


def test_stale_illegal_and_unknown_decisions_are_refused_and_change_nothing(server: Served, opened: Opened) -> None:
    seats = server.sit_all(opened)
    play_on(seats, random.Random(1), most=4)
    bring_up_to_date(seats)
    before = {who: seat.await_letter() for who, seat in seats.items()}
    mover = next(seat for seat in seats.values() if seat.await_letter().legal)
    idle = next(seat for seat in seats.values() if not seat.await_letter().legal)
    sequence = mover.await_letter().sequence
    legal = [option.action for option in mover.await_letter().legal]
    illegal = next(action for action in range(GAMES[NAME].num_actions) if action not in legal)
    assert refusal(mover, sequence - 1, legal[:1]) == "stale"
    assert refusal(mover, sequence + 1, legal[:1]) == "stale"
    assert refusal(mover, sequence, [illegal]) == "illegal"
    assert refusal(mover, sequence, [legal[0], illegal]) in ("illegal", "not_waited_for", "stale")
    assert refusal(mover, sequence, [GAMES[NAME].num_actions]) == "unknown"
    assert refusal(mover, sequence, []) == "nothing"
    assert refusal(mover, sequence - 1, legal[:1], "try") == "stale"
    assert refusal(mover, sequence, [illegal], "try") == "illegal"
    assert refusal(idle, sequence, legal[:1]) == "not_waited_for"
    assert refusal(idle, sequence, legal[:1], "try") == "not_waited_for"
    bring_up_to_date(seats)
    assert {who: seat.await_letter() for who, seat in seats.items()} == before
    mover.decide(legal[:1])


def test_a_decision_sent_twice_is_played_once(server: Served, opened: Opened) -> None:
    seats = server.sit_all(opened)
    mover = next(seat for seat in seats.values() if seat.await_letter().legal)
    letter = mover.await_letter()
    twice = {"type": "decide", "sequence": letter.sequence, "actions": [letter.legal[0].action]}
    mover.say({**twice, "id": 101})
    mover.say({**twice, "id": 102})
    second = mover.await_message(lambda message: isinstance(message, ErrorMessage))
    assert isinstance(second, ErrorMessage) and second.id == 102
    assert second.error.reason in ("stale", "not_waited_for")
    bring_up_to_date(seats)
    assert {story[0] for seat in seats.values() for story in seat.news} <= {0, 1}


def test_a_finished_game_accepts_no_decision(server: Served, opened: Opened) -> None:
    seats = server.sit_all(opened)
    play_on(seats, random.Random(1))
    assert refusal(seats[0], seats[0].await_letter().sequence, [0]) == "over"


def test_nothing_is_decided_before_the_game_starts(server: Served) -> None:
    waiting = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)])
    with server.client.sit(waiting.table.id, waiting.tokens[0].token) as seat, pytest.raises(Refused) as refused:
        seat.ask("decide", sequence=0, actions=[0])
    assert refused.value.problem.reason == "not_started"


# --- Tokens ---


def test_tokens_of_another_table_are_refused(server: Served, opened: Opened) -> None:
    other = server.open_table(NAME, ["here"] * FEWEST)
    for wrong in (other.tokens[0].token, "x" * 43, opened.tokens[0].token[:-2] + "xx"):
        with pytest.raises(Refused, match="wrong_token"):
            server.client.sit(opened.table.id, wrong)
        with pytest.raises(Refused) as refused:
            server.client.table(opened.table.id, wrong)
        assert (refused.value.status, refused.value.problem.reason) == (401, "wrong_token")


def test_a_token_opens_its_own_seat_only(server: Served, opened: Opened) -> None:
    for right in opened.tokens:
        with server.client.sit(opened.table.id, right.token) as seat:
            assert seat.await_letter().view["seat"] == right.seat


def test_unknown_tables_are_refused(server: Served) -> None:
    for name in ("nosuchtable", "%00", "..%2F..", "x" * 500):
        with pytest.raises(Refused) as refused:
            server.client.table(name)
        assert refused.value.status == 404
    with pytest.raises(Refused, match="no_table"):
        server.client.watch("nosuchtable")


def test_only_hashes_of_tokens_are_stored(server: Served, opened: Opened) -> None:
    play_on(server.sit_all(opened), random.Random(1), most=3)
    kept = b"".join(path.read_bytes() for path in server.database.parent.iterdir())
    assert opened.table.id.encode() in kept
    for right in opened.tokens:
        assert right.token.encode() not in kept


# --- Origins ---


def test_pages_of_other_sites_are_refused(server: Served, opened: Opened) -> None:
    foreign = Client(server.address, origin="https://evil.example")
    with pytest.raises(Refused) as refused:
        foreign.open_table(NAME, ["here"] * FEWEST)
    assert (refused.value.status, refused.value.problem.reason) == (403, "wrong_origin")
    for origin in ("https://evil.example", "null", server.address + ".evil.example", server.address + "1", ""):
        with pytest.raises(InvalidStatus) as status:
            Client(server.address, origin=origin or " ").watch(opened.table.id)
        assert status.value.response.status_code == 403


def test_our_own_page_and_named_origins_are_accepted(server: Served, opened: Opened, tmp_path: Path) -> None:
    own = Client(server.address, origin=server.address)
    own.open_table(NAME, ["here"] * FEWEST)
    own.watch(opened.table.id).close()
    with Served(tmp_path / "tables.sqlite", origins=["friend.example"]) as other:
        Client(other.address, origin="https://friend.example").open_table(NAME, ["here"] * FEWEST)


# --- Headers ---


@pytest.mark.parametrize(
    "path", ["/", "/tables/x", "/join/x", "/api/games", "/api/nothing", "/page/nothing.js", "/api/tables/x"]
)
def test_every_answer_carries_a_strict_policy(server: Served, path: str) -> None:
    _, headers, _ = request(server, "GET", path)
    assert headers.items() >= HEADERS.items()
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy


def test_scripts_carry_what_browsers_heed_on_scripts_and_workers_a_policy_of_their_own(server: Served) -> None:
    _, headers, _ = request(server, "GET", "/page/main.js")
    assert not set(OF_DOCUMENTS) & set(headers)
    kept = {name: value for name, value in HEADERS.items() if name not in OF_DOCUMENTS}
    assert kept and headers.items() >= kept.items()
    _, headers, _ = request(server, "GET", "/page/main.js", service_worker="script")
    assert headers.items() >= HEADERS.items()
    _, headers, _ = request(server, "GET", "/page/art/pot.svg")  # can be opened as a document
    assert headers.items() >= HEADERS.items()


def test_a_catalogue_can_be_had_without_its_rule_book(server: Served) -> None:
    whole, less = (
        json.loads(request(server, "GET", f"/api/catalogue/{NAME}{more}")[2]) for more in ("", "?clauses=false")
    )
    assert whole["clauses"] and less == whole | {"clauses": []}


def test_a_catalogue_is_sent_once(server: Served) -> None:
    status, headers, body = request(server, "GET", f"/api/catalogue/{NAME}")
    assert status == 200 and body
    status, _, body = request(server, "GET", f"/api/catalogue/{NAME}", if_none_match=headers["etag"])
    assert (status, body) == (304, b"")
    assert request(server, "GET", f"/api/catalogue/{NAME}", if_none_match='"other"')[0] == 200


def test_errors_carry_a_strict_policy_too(server: Served) -> None:
    for headers in ({"origin": "https://evil.example"}, {}):
        status, found, body = request(server, "POST", "/api/tables", b"{}", **headers)
        assert status in (403, 422) and found.items() >= HEADERS.items()
        assert json.loads(body)["error"]["reason"] in ("wrong_origin", "malformed")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused_with_an_error_body(server: Served, method: str) -> None:
    status, _, body = request(server, method, "/api/tables")
    assert status == 405 and json.loads(body)["error"]["reason"] == "not_found"


# --- Size and number ---


@pytest.mark.parametrize("headers", [{}, {"transfer_encoding": "chunked"}])
def test_large_bodies_are_refused(server: Served, headers: dict[str, str]) -> None:
    body = b" " * 70_000
    if headers:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    status, _, answer = request(server, "POST", "/api/tables", body, content_type="application/json", **headers)
    assert status == 413 and json.loads(answer)["error"]["reason"] == "too_large"


def test_large_records_are_refused(server: Served) -> None:
    with pytest.raises(Refused) as refused:
        server.client.upload(" " * 1_100_000)
    assert refused.value.problem.reason == "too_large"


@pytest.mark.parametrize("options", [{"\ud800": 1}, {"tie_break": "\ud800"}], ids=["name", "value"])
def test_half_a_character_in_a_house_rule_is_a_bad_option(server: Served, options: dict[str, object]) -> None:
    with pytest.raises(Refused) as refused:
        server.open_table("verrater", ["here", "easy", "easy"], options=options)
    assert (refused.value.status, refused.value.problem.reason) == (400, "bad_option")
    assert "\\ud800" in refused.value.problem.text.en


def test_too_many_requests_are_refused_for_a_while(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", requests_at_once=5, requests_per_second=0.001) as strict:
        for _ in range(5):
            strict.open_table(NAME, ["here"] * FEWEST)
        with pytest.raises(Refused) as refused:
            strict.open_table(NAME, ["here"] * FEWEST)
        assert (refused.value.status, refused.value.problem.reason) == (429, "too_fast")
        assert strict.client.games()  # reads are still allowed


def test_too_many_reads_are_refused_for_a_while(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", reads_at_once=5, reads_per_second=0.001) as strict:
        table = strict.open_table(NAME, ["here"] * FEWEST)  # writes have their own limit
        for path in ("/api/games", "/", "/page/main.js", "/api/nothing", f"/api/tables/{table.table.id}"):
            assert request(strict, "GET", path)[0] in (200, 404)
        for path in ("/api/games", "/", "/page/main.js", "/api/openapi.json", "/api/tables/x/replay"):
            status, headers, body = request(strict, "GET", path)
            assert (status, json.loads(body)["error"]["reason"]) == (429, "too_fast")
            assert int(headers["retry-after"]) > 0 and headers.items() >= HEADERS.items()
        with pytest.raises(Refused, match="too_fast"):
            strict.client.sit(table.table.id, table.tokens[0].token)


def test_replays_have_their_own_rate_limit(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", replays_at_once=2, replays_per_second=0.001) as strict:
        opened = strict.open_table(NAME, ["here"] * FEWEST)
        reasons = []
        for _ in range(3):
            with pytest.raises(Refused) as refused:
                strict.client.replay(opened.table.id)
            reasons.append(refused.value.problem.reason)
        assert reasons == ["not_over", "not_over", "too_fast"]
        assert strict.client.table(opened.table.id)


def test_the_number_of_tables_a_visitor_opens_is_limited(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", tables_at_once=3, tables_per_hour=0.001) as strict:
        opened = [strict.open_table(NAME, ["here"] * FEWEST) for _ in range(3)]
        for again in (lambda: strict.open_table(NAME, ["here"] * FEWEST), lambda: strict.client.upload("{}")):
            with pytest.raises(Refused) as refused:
                again()
            assert (refused.value.status, refused.value.problem.reason) == (429, "too_many_tables")
        play_on(strict.sit_all(opened[0]), random.Random(1), most=2)  # open tables go on


def test_the_number_of_sockets_a_visitor_holds_is_limited(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", sockets=2) as strict:
        opened = strict.open_table(NAME, ["here"] * FEWEST)
        table, right = opened.table.id, opened.tokens[0].token
        first, second = strict.client.sit(table, right), strict.client.watch(table)
        with pytest.raises(Refused, match="too_many_sockets: You are connected 2 times"):
            strict.client.watch(table)
        with bare(strict, table) as line:
            line.recv(30)
            with pytest.raises(ConnectionClosed):
                line.recv(30)
            assert (line.close_code, line.close_reason) == (4429, "too_many_sockets")
        second.close()
        assert first.table is not None
        while first.table.watchers:
            first.hear()
        third = None
        while third is None:  # the server may still be closing the last one
            try:
                third = strict.client.watch(table)
            except Refused as refused:
                assert refused.problem.reason == "too_many_sockets"
        third.close()
        first.close()


def test_a_body_that_does_not_arrive_is_refused(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", body_seconds=0.1) as strict:
        with socket.create_connection(("127.0.0.1", strict.port), 30) as line:
            line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            answer = b""
            while b"too_slow" not in answer:
                part = line.recv(4096)
                assert part, answer
                answer += part
        assert answer.startswith(b"HTTP/1.1 408")
        assert strict.client.games()


def test_all_addresses_of_a_household_are_one_visitor() -> None:
    limits = RateLimits(Settings(reads_at_once=2, reads_per_second=0))

    def admitted(host: str) -> bool:
        try:
            limits.check({"type": "http", "method": "GET", "path": "/", "client": (host, 1)})
        except ApiError:
            return False
        return True

    assert [admitted(f"2001:db8:0:7::{last}") for last in (1, 2, 3)] == [True, True, False]
    assert admitted("2001:db8:0:8::1") and admitted("192.0.2.1") and admitted("::ffff:192.0.2.2")


def test_too_many_messages_are_refused_and_far_too_many_close_the_socket(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", messages_at_once=5, messages_per_second=0.001) as strict:
        opened = strict.open_table(NAME, ["here"] * FEWEST)
        with strict.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            for _ in range(5):
                seat.ask("ping")
            assert error_after(seat, {"type": "ping", "id": 7}).error.reason == "too_fast"
            for _ in range(200):
                seat.say({"type": "ping"})
            assert seat.await_close()[0] == 4429


def test_a_page_that_never_reads_is_disconnected_and_nobody_waits_for_it(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite", send_buffer=SMALL, outbox=20) as server:
        opened = server.open_table(NAME, ["here"] * FEWEST)
        seats = server.sit_all(opened)
        mover = next(who for who, seat in seats.items() if seat.await_letter().legal)
        other = seats[(mover + 1) % FEWEST]
        seats[mover].close()
        deaf = deaf_page(server, opened.table.id, opened.tokens[mover].token)
        question = frame({"type": "try", "sequence": seats[mover].await_letter().sequence, "actions": []})
        try:
            for _ in range(20_000):
                deaf.sendall(question)
        except OSError:
            pass  # it was disconnected
        assert other.table is not None
        while other.table.table.seats[mover].here:
            other.hear()
        deaf.close()
        with server.client.sit(opened.table.id, opened.tokens[mover].token) as again:
            again.decide([again.await_letter().legal[0].action])


def deaf_page(server: Served, table: str, token: str) -> socket.socket:
    """Opens a raw socket with a small receive buffer that never reads."""
    address = urlsplit(server.address)
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    deaf.settimeout(30)
    deaf.connect((address.hostname, address.port))
    upgrade = f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {address.netloc}\r\nUpgrade: websocket\r\n"
    key = "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    deaf.sendall((upgrade + key).encode())
    assert deaf.recv(12) == b"HTTP/1.1 101"
    deaf.sendall(frame({"type": "hello", "token": token}))
    return deaf


def frame(message: dict[str, object]) -> bytes:
    """Returns a message as a masked WebSocket frame."""
    text = json.dumps(message).encode()
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


# --- OpenAPI ---


def test_the_description_of_all_requests_is_complete(server: Served) -> None:
    document = json.loads(server.client.fetch("/api/openapi.json"))
    assert document["openapi"].startswith("3.1")
    text = Path(__file__).parent.parent.joinpath("docs/protocol.md").read_text("utf-8")
    for path in document["paths"]:
        shown = path.replace("{table_id}", "ID").replace("{code}", "CODE").replace("{game}", "GAME")
        assert shown in text, f"{shown} is not in docs/protocol.md"
    references = [line.split('"')[3] for line in json.dumps(document, indent=1).splitlines() if '"$ref"' in line]
    assert references
    for reference in references:
        place = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
    for operations in document["paths"].values():
        for operation in operations.values():
            assert operation["summary"] and operation["responses"]
            assert "HTTPValidationError" not in json.dumps(operation)
