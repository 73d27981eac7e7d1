"""Starting the server with `tripot serve`: its port, its file, and its error messages."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.served import PATIENCE
from tripot import GAMES
from tripot.web.client import Client
from tripot.web.ops.serve import CannotServe, listen, shown_host
from tripot.web.ops.settings import Settings, data_folder

pytestmark = pytest.mark.server

ROOT = Path(__file__).parent.parent


def start(*words: str, home: Path, browser: Path | str = "true") -> "subprocess.Popen[str]":
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "BROWSER": f"{browser} %s", "TRIPOT_CACHE": str(home)}
    command = [sys.executable, "-m", "tripot", *words]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_without_a_command_it_serves_and_opens_the_page(tmp_path: Path) -> None:
    opener = tmp_path / "opener"
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/visited\n')
    opener.chmod(0o755)
    process = start(home=tmp_path, browser=opener)
    assert process.stdout is not None
    address = process.stdout.readline().split()[1]
    while not (tmp_path / "visited").exists() or not (tmp_path / "visited").read_text():
        time.sleep(0.05)
    assert (tmp_path / "visited").read_text() == f"{address}\n"
    assert Client(address).games().games
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=PATIENCE)[1] == ""


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_from_a_file_in_the_data_folder_until_stopped(tmp_path: Path, stop: signal.Signals) -> None:
    process = start("serve", "--port", "0", "--no-browser", home=tmp_path)
    assert process.stdout is not None
    address = process.stdout.readline().split()[1]
    game = next(iter(GAMES.values()))
    opened = Client(address).open_table(game.name, ["here"] * game.seats[0])
    assert (tmp_path / "tripot" / "tables.sqlite").exists()
    process.send_signal(stop)
    _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
    assert opened.table.status == "playing"


def test_a_busy_port_that_was_asked_for_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        process = start("serve", "--port", str(busy.getsockname()[1]), "--no-browser", home=tmp_path)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert re.fullmatch(r"tripot: cannot listen on 127\.0\.0\.1, port \d+: Address already in use\n", errors)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--port", "70000"], "0 to 65535"),
        (["--port", "x"], "not a whole number"),
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
        (["--database", "nonsense"], "nonsense"),
        (["--database", "oracle://x"], "oracle"),
        (["--database", "sqlite:////proc/nowhere/x.sqlite"], "cannot be opened"),
    ],
)
def test_why_the_server_cannot_start_is_said_in_one_sentence(tmp_path: Path, words: list[str], told: str) -> None:
    process = start("serve", "--no-browser", *words, home=tmp_path)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert told in errors and errors.startswith("tripot: ") and errors.count("\n") == 1


def test_the_usual_port_gives_way_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as first:
        monkeypatch.setattr("tripot.web.ops.serve.USUAL_PORT", first.getsockname()[1])
        with listen("127.0.0.1", None) as second:
            assert 0 < second.getsockname()[1] - first.getsockname()[1] < 20
    with pytest.raises(CannotServe):
        listen("192.0.2.1", 0)


def test_the_address_shown_is_one_that_a_browser_can_open() -> None:
    assert [shown_host(host) for host in ("127.0.0.1", "0.0.0.0", "::", "::1")] == [
        "127.0.0.1",
        "localhost",
        "localhost",
        "[::1]",
    ]


def test_the_data_folder_follows_the_users_wishes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "tripot"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Settings().database_address == f"sqlite:///{tmp_path}/.local/share/tripot/tables.sqlite"
