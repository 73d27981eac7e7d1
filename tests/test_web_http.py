"""Hostile HTTP, below the messages: headers, paths, slow and countless connections. Every answer is one of ours."""

import json
import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.datastructures import Headers

from tests.postgres import Postgres
from tests.served import Served, patiently
from tripot.web.ops.http_protocol import are_whole_frames, is_short_text
from tripot.web.ops.middleware import HEADERS
from tripot.web.ops.origins import Origins
from tripot.web.ops.settings import Settings

pytestmark = pytest.mark.server

UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
STRANGER = "127.0.0.2"  # another visitor than the tests' own 127.0.0.1, which is a trusted proxy


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("http") / "tables.sqlite", body_seconds=0.3) as served:
        yield served


@pytest.fixture(scope="module")
def postgres_server(postgres: Postgres) -> Iterator[Served]:
    with Served(postgres.database("http")) as served:
        yield served


@contextmanager
def connection(server: Served, visitor: str = "127.0.0.1") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), 30, source_address=(visitor, 0)) as line:
        yield line


def answer_on(line: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Reads an answer: status, headers and body."""
    received = b""
    while b"\r\n\r\n" not in received:
        part = line.recv(65536)
        if not part:
            return 0, {}, received
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (text.partition(":") for text in rest)}
    while len(body) < int(headers.get("content-length", 0)):
        part = line.recv(65536)
        if not part:
            break
        body += part
    return int(first.split()[1]), headers, body


def ask(server: Served, raw: bytes, visitor: str = "127.0.0.1") -> tuple[int, dict[str, str], bytes]:
    with connection(server, visitor) as line:
        line.sendall(raw)
        return answer_on(line)


def reason(body: bytes) -> str:
    found: str = json.loads(body)["error"]["reason"]
    return found


# --- Origin and Host ---

BAD_ORIGINS = [b"http://[", b"http://]", b"http://[::1", b"//", b"\xff\xfe", b"http://a@127.0.0.1", b"null", b"http://"]


@pytest.mark.parametrize("origin", BAD_ORIGINS)
def test_a_malformed_origin_is_a_foreign_one(server: Served, origin: bytes) -> None:
    for start in (b"POST /api/tables HTTP/1.1\r\n", b"GET /api/tables/x/socket HTTP/1.1\r\n" + UPGRADE):
        status, headers, body = ask(server, start + b"Host: localhost\r\nOrigin: " + origin + b"\r\n\r\n")
        assert (status, reason(body)) == (403, "wrong_origin")
        assert headers.items() >= HEADERS.items()


def test_foreign_requests_count_against_the_limits(tmp_path: Path) -> None:
    bad = b"Host: localhost\r\nOrigin: http://[\r\n\r\n"
    with Served(tmp_path / "t.sqlite", requests_at_once=3, reads_at_once=3, reads_per_second=0.001) as strict:
        posts = [ask(strict, b"POST /api/tables HTTP/1.1\r\n" + bad)[0] for _ in range(5)]
        assert posts == [403, 403, 403, 429, 429]
        sockets = [ask(strict, b"GET /api/tables/x/socket HTTP/1.1\r\n" + UPGRADE + bad)[0] for _ in range(5)]
        assert sockets == [403, 403, 403, 101, 101]  # a page only understands "too fast" after the upgrade


def test_what_is_not_a_request_counts_against_the_limits(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", reads_at_once=3, reads_per_second=0.001) as strict:
        found = [ask(strict, b"What is this?\r\n\r\n") for _ in range(5)]
        assert [status for status, _, _ in found] == [400, 400, 400, 429, 429]
        assert all(headers.items() >= HEADERS.items() for _, headers, _ in found)


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "foreign"),
    [
        ("http", "a.example", "http://a.example", False),
        ("http", "a.example:80", "http://a.example", False),
        ("https", "a.example", "https://a.example:443", False),
        ("wss", "a.example", "https://a.example", False),
        ("ws", "a.example:8000", "http://A.example:8000", False),
        ("https", "a.example", "http://a.example", True),  # anyone on the way can write an http page
        ("wss", "a.example", "http://a.example", True),
        ("http", "a.example", "https://a.example", False),  # a proxy ends TLS
        ("http", "a.example", "http://a.example:8000", True),
        ("http", "a.example", "http://b.example", True),
        ("http", "a.example", "https://named.example", False),
        ("https", "a.example", "http://exact.example", False),
        ("http", "a.example", "https://exact.example", True),
        ("http", "10.0.0.1:8000", "https://shared.example", False),
    ],
)
def test_the_scheme_of_an_origin_is_compared_too(scheme: str, host: str, origin: str, foreign: bool) -> None:
    origins = Origins(Settings(origins=("named.example", "http://exact.example"), share="https://shared.example"))
    assert origins.foreign(Headers({"host": host, "origin": origin}), scheme) is foreign


@pytest.mark.parametrize(
    ("host", "known"),
    [
        *[
            (host, True)
            for host in ("localhost:8000", "127.0.0.1", "192.168.1.7:8000", "[::1]:8000", "piano", "a.local")
        ],
        *[(host, True) for host in ("play.example", "PLAY.example:443", "shared.example")],
        *[
            (host, False)
            for host in ("evil.example", "play.example.evil.example", "xplay.example", "http://[", "a@b", "")
        ],
    ],
)
def test_only_known_names_of_the_server_are_answered(host: str, known: bool) -> None:
    origins = Origins(Settings(hosts=("play.example",), share="https://shared.example"))
    assert origins.known_host(Headers({"host": host})) is known


def test_a_page_under_a_strange_name_gets_nothing(server: Served) -> None:
    """DNS rebinding: a site points its own name at this machine."""
    strange = b"Host: evil.example\r\nOrigin: http://evil.example\r\n"
    for start in (b"GET / HTTP/1.1\r\n", b"POST /api/tables HTTP/1.1\r\n", b"GET /api/x HTTP/1.1\r\n" + UPGRADE):
        status, headers, body = ask(server, start + strange + b"\r\n")
        assert (status, reason(body)) == (421, "wrong_host")
        assert headers.items() >= HEADERS.items()


# --- Fuzzing ---

NAMES = [b"Origin", b"Host", b"Authorization", b"If-None-Match", b"If-Modified-Since", b"Range", b"Content-Type"]
NAMES += [b"Content-Length", b"Transfer-Encoding", b"Accept-Encoding", b"X-Forwarded-For", b"X-Forwarded-Proto"]
NAMES += [
    b"If-Range",
    b"Cookie",
    b"Expect",
    b"Upgrade",
    b"Connection",
    b"Sec-WebSocket-Key",
    b"Sec-WebSocket-Version",
    b"X",
]
PATHS = [b"/", b"/page/main.js", b"/api/tables", b"/api/tables/x", b"/api/tables/x/socket", b"/api/tables/x/replay"]
PATHS += [
    b"/api/invites/x/qr.svg",
    b"/api/catalogue/x",
    b"/api/tables?list=finished&before=",
    b"/api/openapi.json",
    b"*",
]
VALUES = [
    b"http://[",
    b"[",
    b"bytes=0-",
    b"bytes=9-1,-",
    b"Bearer \xff",
    b"chunked",
    b"-1",
    b"9" * 30,
    b"a@b:c",
    b"\x00",
]
VALUES += [b"Thu, 99 Foo 99999 99:99:99 GMT", b"application/json; charset=\xff", b"multipart/form-data", b"%00", b"h2c"]
VALUES += [
    b"websocket",
    b"Upgrade",
    b"13",
    b"AAAAAAAAAAAAAAAAAAAAAA==",
    b"gzip;q=x",
    b"100-continue",
    b"::1%eth0, [::1]:x",
]
anything = st.binary(max_size=40).map(lambda text: text.replace(b"\n", b"").replace(b"\r", b""))
headers = st.tuples(st.sampled_from(NAMES) | anything, st.sampled_from(VALUES) | anything)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from([b"GET", b"POST", b"HEAD", b"PUT", b"OPTIONS", b"CONNECT", b"TRACE"]) | anything,
    path=st.tuples(
        st.sampled_from(PATHS), st.sampled_from([b"", b"%00", b"%ff", b"\xe9", b"/../..", b"?x=%"]) | anything
    ),
    socket_header=st.booleans(),
    more=st.lists(headers, max_size=4),
)
@example(b"GET", (b"/", b""), False, [(b"Origin", b"http://[")])
@example(b"POST", (b"/api/tables", b""), False, [(b"Origin", b"http://[")])
@example(b"GET", (b"/api/tables/x/socket", b""), True, [(b"Origin", b"http://[")])
@example(b"GET", (b"/api/tables/x/socket", b"\xe9"), True, [])
@example(b"GET", (b"/", b""), True, [])
@example(b"GET", (b"/api/tables/x/socket", b""), True, [(b"X", b"x" * 9000)])
@example(b"GET", (b"/page/main.js", b""), False, [(b"Range", b"bytes=9-1,-")])
@example(b"GET", (b"/page/main.js", b""), False, [(b"If-Range", b"x"), (b"Range", b"bytes=0-1")])
def test_every_answer_to_any_request_is_one_of_ours(
    server: Served, method: bytes, path: tuple[bytes, bytes], socket_header: bool, more: list[tuple[bytes, bytes]]
) -> None:
    """No header, path or method makes the server fail, hang or answer without its headers; nothing reaches its log."""
    lines = [method + b" " + b"".join(path) + b" HTTP/1.1", b"Host: localhost", b"Connection: close"]
    raw = b"\r\n".join([*lines, *[name + b": " + value for name, value in more]]) + b"\r\n"
    with connection(server) as line:
        line.sendall(raw + (UPGRADE if socket_header else b"") + b"\r\n")
        status, found, body = answer_on(line)
    if status not in (100, 101):
        wanted = HEADERS if status >= 400 else {"x-content-type-options": "nosniff"}  # scripts have no frames
        assert 0 < status < 500 and found.items() >= wanted.items(), (status, found, body)


def test_text_that_is_none_ends_the_socket_and_fills_no_log(server: Served) -> None:
    with connection(server) as line:
        line.sendall(b"GET /api/tables/x/socket HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + b"\r\n")
        assert answer_on(line)[0] == 101
        line.sendall(bytes([0x81, 0x82, 0, 0, 0, 0]) + b"\xff\xff")
        assert line.recv(4) == bytes([0x88, 2]) + (1007).to_bytes(2, "big")


def frame(first: int, content: bytes) -> bytes:
    """A frame of a client, with a mask of zeros."""
    size = len(content)
    head = bytes([first, 0x80 | size]) if size < 126 else bytes([first, 0xFE]) + size.to_bytes(2, "big")
    return head + bytes(4) + content


def ping(number: int, padding: int = 0) -> bytes:
    return b'{"type":"ping","id":%d}' % number + b" " * padding


def test_messages_are_read_alike_however_they_arrive(server: Served) -> None:
    """Whole, several at once, cut between any two bytes, in fragments, and short again after all of that."""
    text, ready = 0x81, threading.Event()
    table = server.open_table("verrater", ["here", "here", "here"]).table.id
    cut = [frame(text, ping(3))[:2], frame(text, ping(3))[2:9], frame(text, ping(3))[9:]]
    pieces = [
        frame(text, ping(1)),
        frame(text, ping(2)) + frame(0x8A, b"pong"),
        *cut,
        frame(text, ping(4)) + frame(text, ping(5)) + frame(text, ping(6))[:7],
        frame(text, ping(6))[7:],
        frame(0x01, ping(7)[:5]),
        frame(0x80, ping(7)[5:]),
        frame(text, ping(8, padding=300)),
        frame(text, ping(9)),
    ]
    with connection(server) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.sendall(b"GET /api/tables/%s/socket HTTP/1.1\r\nHost: localhost\r\n" % table.encode() + UPGRADE + b"\r\n")
        assert answer_on(line)[0] == 101
        line.sendall(frame(text, b'{"type":"hello"}'))
        received = line.recv(65536)
        for piece in pieces:
            ready.wait(0.05)  # each piece alone, if the machine lets it; the answers are the same if not
            line.sendall(piece)
        while b'"id":9}' not in received:
            received += line.recv(65536)
    assert [int(number) for number in re.findall(rb'"pong","id":(\d+)', received)] == list(range(1, 10))


def test_a_short_text_is_told_from_everything_else() -> None:
    for size in (0, 1, 125, 126, 300):
        whole = frame(0x81, b"x" * size)
        assert is_short_text(whole) is (size < 126)
        assert are_whole_frames(whole) and are_whole_frames(whole * 2)
        assert not any(is_short_text(whole[:end]) or are_whole_frames(whole[:end]) for end in range(1, len(whole)))
    assert not any(is_short_text(frame(first, b"x")) for first in (0x01, 0x80, 0x82, 0x88, 0x89, 0x8A, 0xC1))
    assert not is_short_text(bytes([0x81, 1]) + b"xxxxxx")  # a client must mask


# --- Size, time and number ---


def test_a_header_has_a_largest_size(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", header_bytes=4096) as strict:
        start = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "
        assert ask(strict, start + b"x" * 3900 + b"\r\n\r\n")[0] == 200
        for raw in (start + b"x" * 4100 + b"\r\n\r\n", start + b"x" * 60_000, b"GET /" + b"x" * 5000):
            status, headers, body = ask(strict, raw)
            assert (status, reason(body)) == (431, "header_too_large") and headers.items() >= HEADERS.items()


TRAILER = b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: "  # a header after the body


@pytest.mark.parametrize("start", [b"", TRAILER], ids=["before a body", "after it"])
def test_an_endless_header_is_cut_off(server: Served, start: bytes) -> None:
    with connection(server) as line:
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n" + start)
        sent = 0
        with pytest.raises(OSError):
            while sent < 50_000_000:
                sent += line.send(b"x" * 65536)
    assert sent < 10_000_000
    assert server.client.games()


def test_a_header_must_arrive_in_time(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", header_seconds=0.2) as strict:
        for start in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "):
            status, headers, body = ask(strict, start)
            assert (status, reason(body)) == (408, "too_slow") and headers.items() >= HEADERS.items()
        for _ in patiently("the first request on a connection arrives in time"):
            with connection(strict) as line:  # and the second has its own time
                line.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if answer_on(line)[0] != 200:
                    continue
                line.sendall(b"GET /api/health HT")
                assert answer_on(line)[0] == 408
                break
        assert "did not arrive in time" in strict.end()


BAD_UPGRADES = [b"Content-Length: 5\r\n", b"Content-Length: 5\r\n\r\nhello", b"Transfer-Encoding: chunked\r\n"]
BAD_UPGRADES += [b"Connection: Upgrade, ;\r\n", b"Sec-WebSocket-Protocol: ,,;\r\n", b"Upgrade: websocket\r\n"]


@pytest.mark.parametrize("more", BAD_UPGRADES)
def test_an_upgrade_that_the_library_refuses_is_answered_by_us_and_counts(tmp_path: Path, more: bytes) -> None:
    raw = b"GET /api/tables/x/socket HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + more + b"\r\n"
    with Served(tmp_path / "t.sqlite", reads_at_once=2, reads_per_second=0.001) as strict:
        found = [ask(strict, raw) for _ in range(3)]
        assert [(status, reason(body)) for status, _, body in found] == [(400, "bad_request")] * 2 + [(429, "too_fast")]
        assert all(headers.items() >= HEADERS.items() for _, headers, _ in found)


def test_a_connection_is_not_held_by_a_body_that_nobody_waits_for(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", header_seconds=0.2) as strict, connection(strict) as line:
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        assert answer_on(line)[0] == 200
        line.sendall(b"x")
        assert answer_on(line)[0] == 408


def test_a_connection_that_a_browser_opened_in_advance_is_closed_without_a_warning(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", header_seconds=0.2) as server:
        assert ask(server, b"")[0] == 408
        assert server.end() == ""


@pytest.mark.parametrize("leaves", [True, False])
def test_a_client_that_does_not_take_its_answers_is_no_error(tmp_path: Path, leaves: bool) -> None:
    """Whether it goes away, or stays until the server stops."""
    with Served(tmp_path / "t.sqlite") as server, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.connect(("127.0.0.1", server.port))
        line.sendall(b"GET /page/art/preview.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300)
        assert line.recv(1)  # the answers to all the others wait for us
        if leaves:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # without a good-bye
            line.close()
            assert ask(server, b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")[0] == 200
        assert server.end() == ""


def test_one_visitor_cannot_take_all_connections(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", visitor_connections=20) as strict, ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(connection(strict, STRANGER))
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        status, headers, body = ask(strict, b"", STRANGER)
        assert (status, reason(body)) == (429, "too_many_sockets") and headers.items() >= HEADERS.items()
        assert strict.client.games()  # everybody else is served
        stack.close()
        for _ in patiently("the visitor may come again"):
            if ask(strict, b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n", STRANGER)[0] == 200:
                break
        assert strict.end().count("a visitor has 20 connections already") == 1


def test_sockets_are_connections_of_their_visitor_until_they_close(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", visitor_connections=3) as strict:
        health = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        table = strict.client.open_table("verrater", ["here"] * 4).table.id
        path = f"/api/tables/{table}/socket".encode()
        for _ in range(2):  # a socket that is counted twice, or never given back, would leave no room the second time
            with ExitStack() as stack:
                for _ in range(3):
                    line = stack.enter_context(connection(strict, STRANGER))
                    line.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + b"\r\n")
                    assert line.recv(12) == b"HTTP/1.1 101"
                assert ask(strict, health, STRANGER)[0] == 429
            for _ in patiently("the visitor may come again"):
                if ask(strict, health, STRANGER)[0] == 200:
                    break
        assert strict.end().count("a visitor has 3 connections already") == 1


def test_a_full_server_says_so_and_recovers(tmp_path: Path) -> None:
    with Served(tmp_path / "t.sqlite", connections=5, header_seconds=5) as strict, ExitStack() as stack:
        half = [stack.enter_context(connection(strict)) for _ in range(5)]
        for line in half:
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        status, headers, body = ask(strict, b"")
        assert (status, reason(body)) == (503, "no_room") and headers.items() >= HEADERS.items()
        assert [answer_on(line)[0] for line in half] == [408] * 5
        for _ in patiently("there is room again"):
            if ask(strict, b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")[0] == 200:
                break
        assert "the server is full" in strict.end()


@pytest.mark.parametrize(("method", "path", "allowed"), [("DELETE", "/api/tables", "GET, POST"), ("PUT", "/", "GET")])
def test_a_refused_method_names_those_allowed(server: Served, method: str, path: str, allowed: str) -> None:
    status, headers, _ = ask(server, f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert (status, headers.get("allow")) == (405, allowed)


# --- Ids ---


@pytest.mark.parametrize("bad", ["%00", "x%00", "%ff", "%20", "x" * 500, "%F0%9F%82%A1", "..%2F.."])
def test_what_cannot_be_an_id_never_reaches_the_database(postgres_server: Served, bad: str) -> None:
    asked = ["GET /api/tables/X", "GET /api/tables/X/replay", "GET /api/tables/X/record", "GET /api/invites/X"]
    asked += ["GET /api/invites/X/qr.svg", "GET /api/catalogue/X", "GET /api/tables?list=finished&game=X"]
    for line in asked:
        status, _, _ = ask(postgres_server, f"{line.replace('X', bad)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert status in (404, 422), (line, status)
    name = '{"name": "a\\u0000b"}'
    content = {"/api/mine": '{"seats": [{"table": "a\\u0000", "token": "%s"}]}' % ("x" * 43)}
    for path in ("/api/tables/X/join", "/api/invites/X", "/api/mine"):
        body = content.get(path, name)
        header = f"POST {path.replace('X', bad)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        raw = f"{header}Content-Length: {len(body)}\r\n\r\n{body}"
        assert ask(postgres_server, raw.encode())[0] in (404, 405, 422)
    metrics = ask(postgres_server, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")[2]
    assert b"tripot_database_failures_total 0\n" in metrics
