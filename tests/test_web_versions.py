"""Rules change: a game is finished under the rules it started with, or says clearly that it cannot go on."""

import dataclasses
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import tripot
from tests.served import ServedHere, play_on
from tripot import GAMES, OLDER
from tripot.table.record import loads, replay
from tripot.web.api.messages import Opened
from tripot.web.client import Refused

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
NEWEST = GAMES[NAME]
FEWEST = NEWEST.seats[0]


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Makes the current rules an older version: new games use a newer one."""
    newer = dataclasses.replace(NEWEST, rules_version=NEWEST.rules_version + 1)
    monkeypatch.setitem(GAMES, NAME, newer)
    monkeypatch.setitem(OLDER, (NAME, NEWEST.rules_version), NEWEST)
    yield NEWEST.rules_version


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Does the same, but the older rules are not shipped."""
    monkeypatch.setitem(GAMES, NAME, dataclasses.replace(NEWEST, rules_version=NEWEST.rules_version + 1))


def begun(path: Path) -> Opened:
    """Opens a game and plays some decisions."""
    with ServedHere(path) as server:
        opened = server.client.open_table(NAME, ["here", *["easy"] * (FEWEST - 1)], pace="instant")
        with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            play_on({0: seat}, random.Random(1), most=2)
        return opened


def test_rules_are_found_by_name_and_version(older: int) -> None:
    assert tripot.find_rules(NAME, older) is NEWEST
    assert tripot.find_rules(NAME, older + 1) is GAMES[NAME]
    assert tripot.find_rules(NAME, older + 2) is tripot.find_rules("chess", 1) is None


@pytest.mark.parametrize("rules", [1, 2, 3, 4])
def test_games_of_trieste_started_under_older_rules_are_played_to_their_end(rules: int) -> None:
    """A record of those rules still replays, card for card: the first decks, and a Pickpocket without a choice."""
    record = loads((Path(__file__).parent / "records" / f"trieste-rules-{rules}.json").read_text("utf-8"))
    table = replay(record, GAMES, OLDER)
    assert table.over and table.result == record.result
    assert table.game.rules_version == record.rules == rules < GAMES["trieste"].rules_version


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


@pytest.fixture
def table(path: Path) -> Opened:
    return begun(path)


def test_an_unfinished_game_plays_on_under_its_own_rules(path: Path, table: Opened, older: int) -> None:
    with ServedHere(path) as server:
        newest = server.client.open_table(NAME, ["here"] * FEWEST).table
        assert newest.rules == older + 1
        found = server.client.table(table.table.id)
        assert (found.rules, found.status) == (older, "playing")
        with server.client.sit(table.table.id, table.tokens[0].token) as seat:
            play_on({0: seat}, random.Random(1))
            assert seat.over
        record = loads(server.client.record(table.table.id))
        assert record.rules == older
        assert replay(record, GAMES, OLDER).game is NEWEST
        assert server.client.replay(table.table.id).steps
        texts = json.loads(server.client.fetch(f"/api/catalogue/{NAME}?rules={older}"))
        assert texts["rules"] == older
        assert server.client.catalogue(NAME).rules == older + 1
        assert server.client.upload(record.dumps()).rules == older


def test_a_game_whose_rules_are_gone_says_so_and_gives_its_record(path: Path, table: Opened, forgotten: None) -> None:
    with closing(sqlite3.connect(path)) as database:
        log = database.execute("SELECT seat, action FROM log ORDER BY sequence").fetchall()
    with ServedHere(path) as server:
        found = server.client.table(table.table.id)
        assert found.status == "outdated"
        with server.client.sit(table.table.id, table.tokens[0].token) as seat:
            with pytest.raises(Refused, match="no longer plays"):
                seat.ask("decide", sequence=0, actions=[0])
            assert seat.letter is None
        record = loads(server.client.record(table.table.id, table.tokens[0].token))
        assert (record.rules, record.decisions, record.result) == (NEWEST.rules_version, log, None)
        with pytest.raises(Refused, match="when the game is over"):
            server.client.record(table.table.id)  # not for spectators: it holds secrets
        with pytest.raises(Refused, match="no longer plays"):
            server.client.fetch(f"/api/catalogue/{NAME}?rules={NEWEST.rules_version}")


def test_nobody_gets_the_record_of_a_game_in_progress(path: Path, table: Opened) -> None:
    with ServedHere(path) as server, pytest.raises(Refused, match="when the game is over"):
        server.client.record(table.table.id, table.tokens[0].token)
