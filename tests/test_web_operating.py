"""Operating a server: health, metrics, logs without secrets, settings from the environment, an orderly shutdown."""

import gc
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Postgres
from tests.served import PATIENCE, Served, ServedHere, patiently, play_on
from tests.test_web_serve import start
from tripot import GAMES
from tripot.web.client import Client, Refused
from tripot.web.ops.logs import JsonFormatter
from tripot.web.ops.metrics import Histogram
from tripot.web.ops.settings import BadSetting, Settings

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
PAGE = Path(__file__).parent.parent / "docs" / "operating.md"
SAMPLE = re.compile(r'tripot_[a-z_]+(\{[a-z]+="[^"{}]*"\})? [0-9.e+]+')


def measured(client: Client) -> dict[str, float]:
    """Returns the metrics by name and label, and checks the Prometheus format of every line."""
    found: dict[str, float] = {}
    described: set[str] = set()
    for line in client.fetch("/metrics").decode().splitlines():
        if line.startswith("#"):
            word, name = line.split(" ")[1:3]
            assert word in ("HELP", "TYPE") and name.startswith("tripot_")
            described.add(name)
        else:
            assert SAMPLE.fullmatch(line), line
            name, value = line.rsplit(" ", 1)
            assert re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) in described
            found[name] = float(value)
    return found


# --- Metrics and health ---


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("tables") / "tables.sqlite") as served:
        yield served


def test_metrics_count_what_happens(server: Served) -> None:
    before = measured(server.client)
    opened = server.open_table(NAME, ["here", *["easy"] * (FEWEST - 1)])
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat, server.client.watch(opened.table.id):
        play_on({0: seat}, random.Random(1), most=3)
        with pytest.raises(Refused):
            seat.ask("decide", sequence=10**6, actions=[0])
        now = measured(server.client)
    grown = {name: now[name] - before.get(name, 0) for name in now}
    assert grown['tripot_tables{status="playing"}'] == 1
    assert (grown["tripot_seats_connected"], grown["tripot_connections"]) == (1, 2)
    assert grown['tripot_decisions_total{by="person"}'] == grown["tripot_decision_seconds_count"] == 3
    assert grown['tripot_decision_seconds_bucket{le="+Inf"}'] == 3
    assert grown['tripot_decisions_total{by="bot"}'] >= 1
    assert grown["tripot_thought_seconds_count"] >= 1
    assert sum(count for name, count in grown.items() if name.startswith("tripot_refused_total")) == 1
    assert now["tripot_database_failures_total"] == 0 and now["tripot_memory_bytes"] > 10**7
    assert now["tripot_bot_queue"] >= 0


def test_whatever_is_refused_is_counted_by_its_reason(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    foreign = Client(server.address, origin="https://evil.example")

    def refused(reason: str) -> float:
        return measured(server.client).get(f'tripot_refused_total{{reason="{reason}"}}', 0)

    attempts: list[tuple[str, Any]] = [
        ("wrong_origin", lambda: foreign.fetch("/api/tables", {})),
        ("too_large", lambda: server.client.fetch("/api/tables", "x" * 100_000)),
        ("malformed", lambda: server.client.fetch("/api/tables", {})),
        ("no_game", lambda: server.client.catalogue("chess")),
        ("wrong_token", lambda: server.client.sit(opened.table.id, "A" * 30)),
    ]
    for reason, attempt in attempts:
        before = refused(reason)
        with pytest.raises(Refused):
            attempt()
        assert refused(reason) == before + 1, reason


def test_the_page_about_operating_names_every_metric(server: Served) -> None:
    text = PAGE.read_text("utf-8")
    names = {re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) for name in measured(server.client)}
    assert [name for name in sorted(names | {"tripot_refused_total"}) if f"`{name}`" not in text] == []


def test_a_histogram_counts_into_every_bucket_that_is_wide_enough() -> None:
    histogram = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        histogram.observe(seconds)
    lines = list(histogram.lines("x"))
    assert lines == [
        'x_bucket{le="0.1"} 2',
        'x_bucket{le="1.0"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 7.650000",
        "x_count 4",
    ]


def test_health_is_bad_while_the_database_is_unreachable(postgres: Postgres) -> None:
    address = postgres.database("health")
    with ServedHere(address) as server:
        assert json.loads(server.client.fetch("/healthz"))["ok"] is True
        postgres.stop("immediate")
        for _ in patiently("the health check fails"):
            if not healthy(server.client):
                break
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{server.address}/healthz", timeout=30)
        with refused.value as answer:
            assert answer.code == 503 and json.loads(answer.read()) == {"ok": False, "database": "not written"}
        assert measured(server.client)["tripot_database_failures_total"] >= 1  # it still answers
        postgres.start()
        while not healthy(server.client):
            time.sleep(0.1)


def healthy(client: Client) -> bool:
    try:
        return bool(client.fetch("/healthz"))
    except Exception:
        return False


def test_whoever_asks_for_anything_but_a_decision_does_not_wait_for_long_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a page loads, or tries out before it decides, takes several steps, each of which would wait."""
    with ServedHere(tmp_path / "tables.sqlite") as server, ExitStack() as stack:
        opened = server.client.open_table(NAME, ["here"] * FEWEST)
        seats = [stack.enter_context(server.client.sit(opened.table.id, right.token)) for right in opened.tokens]
        mover = next(seat for seat in seats if seat.await_letter().legal)
        asked: list[None] = []
        monkeypatch.setattr(server.context.store, "hurry", lambda: asked.append(None))
        mover.ask("ping")
        action = mover.await_letter().legal[0].action
        assert len(asked) == 0
        mover.attempt([action])
        assert len(asked) == 1
        mover.decide([action])
        assert len(asked) == 1
        server.client.fetch("/healthz")
        assert len(asked) == 2


# --- Logs ---


def test_logs_are_a_json_object_a_line_and_hold_no_secrets(postgres: Postgres) -> None:
    """Uses every part of a server whose database has a password, with many errors."""
    postgres.database("logs")
    postgres.psql("CREATE ROLE careful LOGIN SUPERUSER PASSWORD 'hush-hush'")
    address = postgres.address("logs").replace("postgres@", "careful:hush-hush@")
    with Served(address, log="json") as server:
        opened = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)], open=True)
        secrets = [right.token for right in opened.tokens] + [opened.link.removeprefix("/join/")]
        for _ in range(FEWEST - 1):
            secrets += [right.token for right in server.client.accept(opened.link, "Guest").tokens]
        with server.client.sit(opened.table.id, secrets[0]) as seat:
            seat.await_letter()
            seat.say("nonsense")
            seat.say({"type": "hello", "token": secrets[0]})
            with pytest.raises(Refused):
                server.client.table(opened.table.id, "wrong" * 10)
            with pytest.raises(Refused):
                server.client.accept(opened.link, "Late")
            postgres.psql("ALTER TABLE log RENAME TO away", "logs")
            postgres.psql("ALTER TABLE seats RENAME TO off", "logs")
            with pytest.raises(Refused):
                seat.ask("decide", sequence=seat.await_letter().sequence, actions=[0])
            with pytest.raises(Refused):
                server.client.invitation(opened.link)
            postgres.psql("ALTER TABLE away RENAME TO log", "logs")
            postgres.psql("ALTER TABLE off RENAME TO seats", "logs")
        hashes = postgres.psql("SELECT tokens ->> 0 FROM seats WHERE json_array_length(tokens) > 0", "logs").split()
        seeds = postgres.psql("SELECT secret FROM tables", "logs").split()
        written = server.end()
    lines = [json.loads(line) for line in written.splitlines()]
    assert {"serving", "a table is opened", "a seat is taken"} <= {line["message"] for line in lines}
    assert any(line["level"] == "error" and "the store failed" in line["message"] for line in lines)
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    assert any(line.get("table") == opened.table.id for line in lines)
    for secret in [*secrets, *hashes, *seeds, "hush-hush", "Guest"]:
        assert secret not in written


def test_an_exception_is_one_line_too() -> None:
    import logging

    try:
        raise ValueError("two\nlines")
    except ValueError:
        record = logging.makeLogRecord(
            {"name": "x", "levelname": "ERROR", "msg": "it broke", "exc_info": sys.exc_info()}
        )
    text = JsonFormatter().format(record)
    assert "\n" not in text and "ValueError" in json.loads(text)["exception"]


# --- Settings ---


def test_every_option_of_serve_has_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"HOST": "127.0.0.2", "PORT": "0", "BROWSER": "0", "LOG": "json", "SHARE": "https://play.example/"}
    for name, value in {**given, "DATABASE": f"sqlite:///{tmp_path}/mine.sqlite", "OPEN_HOURS": "1"}.items():
        monkeypatch.setenv(f"TRIPOT_{name}", value)
    process = start(home=tmp_path, browser="false")
    assert process.stdout is not None
    address = process.stdout.readline().split()[1]
    assert "127.0.0.2" in address and Client(address).games().share == "https://play.example"
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert [json.loads(line)["message"] for line in errors.splitlines()] == ["serving", "stopped"]
    assert (tmp_path / "mine.sqlite").exists()


def test_settings_are_read_from_the_environment_and_what_is_wrong_is_named() -> None:
    read = Settings.from_environment
    found = read({"TRIPOT_NATIVE": "no", "TRIPOT_ORIGINS": "a.example, b.example:81", "TRIPOT_OUTBOX": "7"})
    assert (found.native, found.origins, found.outbox) == (False, ("a.example", "b.example:81"), 7)
    assert read({"TRIPOT_LOG": "json"}, log="text").log == "text" and read({}, database="") == Settings()
    wrong: Any
    for wrong in ({"TRIPOT_OUTBOX": "many"}, {"TRIPOT_GRACE_SECONDS": "-1"}, {"TRIPOT_NATIVE": "perhaps"}):
        with pytest.raises(BadSetting, match=next(iter(wrong))):
            read(wrong)


def test_a_bad_variable_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPOT_OUTBOX", "many")
    process = start("serve", "--no-browser", home=tmp_path)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (2, "tripot: TRIPOT_OUTBOX is 'many': write a number above 0\n")


def test_the_page_about_operating_names_every_variable() -> None:
    text = PAGE.read_text("utf-8")
    names = {f"TRIPOT_{setting.name.upper()}" for setting in fields(Settings) if setting.name != "paces"}
    assert [name for name in sorted(names | {"TRIPOT_HOST", "TRIPOT_PORT", "TRIPOT_BROWSER"}) if name not in text] == []


# --- Shutdown ---


def test_a_write_in_progress_finishes_when_the_server_stops(tmp_path: Path) -> None:
    with ServedHere(tmp_path / "tables.sqlite") as server, ExitStack() as stack:
        opened = server.client.open_table(NAME, ["here"] * FEWEST)
        tokens = {right.seat: right.token for right in opened.tokens}
        seats = {seat: stack.enter_context(server.client.sit(opened.table.id, tokens[seat])) for seat in tokens}
        room = server.context.rooms.live(opened.table.id)
        assert room is not None
        who, mover = next((who, seat) for who, seat in seats.items() if seat.await_letter().legal)
        action = mover.await_letter().legal[0].action
        with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as blocker:
            blocker.execute("BEGIN EXCLUSIVE")
            mover.say({"type": "decide", "id": 1, "sequence": mover.await_letter().sequence, "actions": [action]})
            for _ in patiently("the write waits for the database"):
                if room._lock.locked():
                    break
            ending = threading.Thread(target=server.__exit__)
            ending.start()
            assert mover.await_close()[0] == 1012  # people are told at once
            blocker.execute("ROLLBACK")
            ending.join()
            assert blocker.execute("SELECT seat, action FROM log").fetchall() == [(who, action)]


def test_the_unit_for_systemd_starts_a_command_that_exists() -> None:
    [command] = re.findall(r"^ExecStart=.*/(tripot .*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    words = [sys.executable, "-m", *command.split(), "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0 and "TRIPOT_DATABASE" in done.stdout


def test_a_connection_that_ends_leaves_nothing_in_memory(tmp_path: Path) -> None:
    """Without the garbage collector: cycles of dead connections would wait for it, and there are thousands."""
    with ServedHere(tmp_path / "tables.sqlite", grace_seconds=0.01) as server:
        opened = server.client.open_table(NAME, ["here"] * GAMES[NAME].seats[0])
        room = server.context.rooms.live(opened.table.id)
        assert room is not None
        gc.collect()
        gc.disable()
        try:
            for leave in (lambda seat: seat.close(), lambda seat: seat.say("x" * 20_000)):
                with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
                    seat.ask("ping")
                    known = [weakref.ref(connection) for connection in room._connections]
                    assert len(known) == 1
                    leave(seat)
                    for _ in patiently("the connection is forgotten"):
                        if known[0]() is None:
                            break
        finally:
            gc.enable()
