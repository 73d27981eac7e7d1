"""Secrets on the wire: compares every byte that a seat, a spectator or the lobby receives with what it may know."""

import hashlib
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import every_game
from tests.served import Served, ServedHere, bring_up_to_date, play_on
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.layout import SPECTATOR
from tripot.core.news import EVERYONE, Item
from tripot.core.shared_seed import SharedSeed
from tripot.table.record import loads, replay
from tripot.table.table import Table
from tripot.table.view_json import GUIDE, view_json
from tripot.testing.hidden import scrambled, twin
from tripot.web.api.messages import ErrorMessage, Opened
from tripot.web.client import Refused, SeatClient
from tripot.web.live.room import Room

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("secrets") / "tables.sqlite") as served:
        yield served


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHere]:
    path = tmp_path_factory.mktemp("here") / "tables.sqlite"
    with ServedHere(path, grace_seconds=3600) as served:  # nobody becomes absent: presence is not secret
        yield served


# --- Hidden things do not change a byte ---


@every_game
def test_two_tables_that_differ_only_in_hidden_things_send_the_same_bytes(here: ServedHere, game: Game) -> None:
    rng = random.Random(f"wire {game.name}")
    opened = here.client.open_table(game.name, ["here"] * game.seats[-1], pace="instant")
    for _ in range(6):
        play_a_little(here, opened, rng)
        table = table_of(here, opened.table.id)
        if table.over:
            break
        for who in (*range(table.seats), SPECTATOR):
            real = everything_sent(here, opened, who)
            other = twin(table, scrambled(game.layout, table.state_bytes(), who, rng))
            assert other.state_bytes() != table.state_bytes()
            put_table(here, opened.table.id, other)
            assert everything_sent(here, opened, who) == real
            put_table(here, opened.table.id, table)


@every_game
def test_the_comparison_would_notice_what_a_seat_may_know(here: ServedHere, game: Game) -> None:
    opened, other = until_seats_know_different_things(here, game, random.Random(f"own {game.name}"))
    real = everything_sent(here, opened, 0, tries=False)
    put_table(here, opened.table.id, other)
    assert everything_sent(here, opened, 0, tries=False) != real


def until_seats_know_different_things(here: ServedHere, game: Game, rng: random.Random) -> tuple[Opened, Table]:
    """Plays on, and in other games, until seat 0 sees what seat 1 does not. Returns also a table with that changed."""
    for _ in range(5):
        opened = here.client.open_table(game.name, ["here"] * game.seats[-1], pace="instant")
        for _ in range(20):
            play_a_little(here, opened, rng)
            table = table_of(here, opened.table.id)
            if table.over:
                break
            other = otherwise_for(table, 0, by=1)
            if other is not None:
                return opened, twin(table, other)
    raise AssertionError("in five games nobody knew what others did not")


def otherwise_for(table: Table, seat: int, by: int) -> bytes | None:
    """A possible state that is the same to the seat `by`, and not to `seat`; None if a hundred of them are."""
    layout = table.game.layout
    for number in range(100):
        state: bytes = table.game.imagined(table.view(by), number).pack()
        if layout.observe(np.frombuffer(state, layout.state.dtype), seat).tobytes() != table.view(seat).tobytes():
            return state
    return None


def play_a_little(here: ServedHere, opened: Opened, rng: random.Random) -> None:
    seats = {right.seat: here.client.sit(opened.table.id, right.token) for right in opened.tokens}
    play_on(seats, rng, most=6)
    for seat in seats.values():
        seat.close()


async def room_of(here: ServedHere, table: str) -> Room:
    async with here.context.rooms.visit(table) as room:
        return room


def table_of(here: ServedHere, table: str) -> Table:
    found = here.run(room_of(here, table))._table
    assert found is not None
    return found


def put_table(here: ServedHere, table: str, other: Table) -> None:
    here.run(room_of(here, table))._table = other


def everything_sent(here: ServedHere, opened: Opened, who: int, tries: bool = True) -> list[str]:
    """Returns all that a seat or a spectator receives when it connects, reconnects, tries decisions and asks."""
    table, token = opened.table.id, None if who == SPECTATOR else opened.tokens[who].token
    sent = []
    for heard in (0, 2):
        seat = here.client.watch(table, heard) if token is None else here.client.sit(table, token, heard)
        letter = seat.await_letter()
        options = [[option.action] for option in letter.legal]
        for actions in [[], *options, [0], [GAMES[opened.table.game].num_actions - 1]] if tries else []:
            sent.append(answer_to(seat, {"type": "try", "id": 1, "sequence": letter.sequence, "actions": actions}))
        sent += [text for text in seat.received if '"type":"letter"' in text]
        seat.close()
    for path in (f"/api/tables/{table}", f"/api/tables/{table}/replay?seat=0", f"/api/tables/{table}/record"):
        sent.append(asked(here, path, token))
    return sent


def answer_to(seat: SeatClient, message: dict[str, Any]) -> str:
    seat.say(message)
    seat.await_message(lambda found: getattr(found, "id", None) == message["id"])
    return seat.received[-1]


def asked(server: ServedHere | Served, path: str, token: str | None = None) -> str:
    try:
        return server.client.fetch(path, token=token).decode()
    except Refused as refused:
        return refused.problem.model_dump_json()


# --- The server sends what the table gives that seat, and nothing else ---


@every_game
def test_every_letter_of_a_game_is_the_tables_own(server: Served, game: Game) -> None:
    opened = server.open_table(game.name, ["here"] * game.seats[-1])
    seats = server.sit_all(opened)
    watcher, older = server.client.watch(opened.table.id), server.client.watch(opened.table.id, protocol=1)
    server.guests += [watcher, older]
    play_on({**seats, SPECTATOR: watcher, SPECTATOR - 1: older}, random.Random(11))  # whoever never reads has to go
    everyone = [*seats.items(), (SPECTATOR, watcher), (SPECTATOR, older)]
    for _, seat in everyone:
        seat.ask("ping")
    assert older.news == watcher.news
    last_letters = [one.await_letter().model_copy(update={"moments": []}) for one in (older, watcher)]
    assert last_letters[0] == last_letters[1]  # but for what the guide said at the moments of its news
    played = replay(loads(server.client.record(opened.table.id)), GAMES)
    known, seen = letters_by_step(played), views_by_news(played)
    for who, seat in everyone:
        step, heard, last, passing, whole = 0, [], None, 0, {}
        for text in seat.received:
            message = json.loads(text)
            if message["type"] not in ("letter", "changes"):
                assert set(message) <= OTHERS | TRIED
                continue
            assert set(message) <= {"type", "sequence", "view", "legal", "first", "news", "moments", "outcome"}
            assert (message["type"] == "changes") == (bool(whole) and seat is not older)
            guided = message["type"] == "letter"  # else the guide speaks after the news
            if message["type"] == "changes":  # not a byte that the seat has already
                assert all(whole["view"][name] != value for name, value in message["view"].items())
                message["view"] = {**whole["view"], **message["view"]}
            whole = message = {**whole, **message}
            assert (message["outcome"] is not None) == bool(message["view"]["over"])  # the end is no secret
            assert message["news"] or (message["view"], message["legal"]) != last, "a letter that says nothing new"
            last = (message["view"], message["legal"])
            step = next(n for n in range(step, len(known[who])) if message["view"] == known[who][n]["view"])
            assert [option["action"] for option in message["legal"]] == known[who][step]["legal"]
            heard[message["first"] :] = message["news"]
            assert heard == known[who][step]["news"]
            assert len(message["moments"]) in (0, len(message["news"]))
            for place, moment in enumerate(message["moments"], message["first"]):
                if moment is not None:  # too many pieces of news at once: the first moments are forgotten
                    then = {**message["view"], **moment}
                    assert guided or GUIDE not in moment
                    assert {**then, GUIDE: None} == {**seen[who][place], GUIDE: None}, heard[place]
                    assert not guided or then == seen[who][place], heard[place]
                    passing += bool(moment)
        assert step == len(known[who]) - 1 and passing
        assert len([text for text in seat.received if '"moments":' in text]) > 5


OTHERS = {"type", "table", "seat", "watchers", "engine", "link", "rematch", "deal", "id", "protocol"}
TRIED = {"sequence", "actions", "finished", "legal", "view", "any_order"}


def letters_by_step(table: Table) -> dict[int, list[dict[str, Any]]]:
    """Returns by seat what the table gives it after every decision."""
    again = Table(table.game, table.seats, table.seed, table.options)
    everyone = (*range(table.seats), SPECTATOR)
    found = {who: [again.letter(who)] for who in everyone}
    for seat, action in table.decisions:
        again.decide(seat, action, again.offer(seat).sequence)
        for who in everyone:
            found[who].append(again.letter(who))
    return found


def views_by_news(table: Table) -> dict[int, list[dict[str, Any]]]:
    """By seat, its view at the moment of every piece of news it was told, by playing the game again without a table."""
    game, layout = table.game, table.game.layout
    found: dict[int, list[dict[str, Any]]] = {who: [] for who in (*range(table.seats), SPECTATOR)}

    class Seen(list[Item]):
        def append(self, item: Item) -> None:
            for who in [item.to] if item.to != EVERYONE else found:
                record = np.frombuffer(layout.state.packing.pack(*layout.state.flatten(s)), layout.state.dtype)
                view = layout.view_of(layout.observe(record, who).tobytes())
                found[who].append(view_json(game, view))

    s = layout.state.plain()
    s.news = Seen()
    assert not isinstance(table.seed, int)
    s.luck = table.seed.luck()
    game.deal(s, table.options, table.seats, 0)
    for seat, action in table.decisions:
        game.apply(s, seat, action)
    return found


# --- Tokens, seeds and invitations ---


def secrets_of(server: Served, opened: Opened) -> list[str]:
    """Returns what must appear nowhere: tokens, their hashes, and the seed in any notation."""
    with sqlite3.connect(server.database) as database:
        ((seed,),) = database.execute("SELECT secret FROM tables WHERE id = ?", [opened.table.id]).fetchall()
    database.close()
    tokens = [right.token for right in opened.tokens]
    hashes = [hashlib.sha256(token.encode()).hexdigest() for token in tokens]
    return [*tokens, *hashes, seed, str(int(seed, 16)), SharedSeed(seed).key.hex()]


@every_game
def test_tokens_and_seeds_are_in_no_message_and_no_answer(server: Served, game: Game) -> None:
    opened = server.open_table(game.name, ["here", "friend", *["easy"] * (game.seats[0] - 2)], open=True)
    watcher = server.client.watch(opened.table.id)
    anna = server.client.sit(opened.table.id, opened.tokens[0].token)
    joined = server.client.accept(opened.link, "Bo")
    bo = server.client.sit(opened.table.id, joined.tokens[0].token)
    server.guests += [watcher, anna, bo]
    opened = Opened(table=opened.table, tokens=[*opened.tokens, *joined.tokens], link=opened.link)
    secrets = secrets_of(server, opened)
    play_on({0: anna, 1: bo}, random.Random(3), most=8)
    again = server.client.sit(opened.table.id, joined.tokens[0].token)
    server.guests.append(again)
    again.await_letter()
    bring_up_to_date({0: anna, 1: bo, 2: watcher, 3: again})
    assert not anna.over
    paths = ["", "/replay", "/replay?seat=0", "/replay?seat=1", "/record"]
    answers = [asked(server, f"/api/tables/{opened.table.id}{path}") for path in paths]
    answers += [asked(server, f"/api/tables/{opened.table.id}{path}", opened.tokens[0].token) for path in paths]
    answers += [asked(server, f"/api/tables?list={which}") for which in ("open", "finished")]
    answers += [
        server.client.fetch("/api/mine", {"seats": [{"table": opened.table.id, "token": right.token}]}).decode()
        for right in opened.tokens
    ]
    received = [text for seat in (anna, bo, watcher, again) for text in seat.received]
    assert len(received) > 20
    for text in [*received, *answers]:
        for secret in secrets:
            assert secret not in text


def test_only_players_at_the_table_receive_invitations(server: Served) -> None:
    opened = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)], open=True)
    with (
        server.client.sit(opened.table.id, opened.tokens[0].token) as anna,
        server.client.watch(opened.table.id) as watcher,
    ):
        code = opened.link.removeprefix("/join/")
        assert code in anna.received[0]
        bring_up_to_date({0: anna, 1: watcher})
        others = [
            *watcher.received,
            asked(server, "/api/tables?list=open"),
            asked(server, f"/api/tables/{opened.table.id}"),
        ]
        assert opened.table.id in others[-1]
        for text in others:
            assert code not in text


def test_nothing_is_known_of_the_deal_before_the_game_starts(server: Served) -> None:
    opened = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)])
    with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
        bring_up_to_date({0: anna})
        assert [json.loads(text)["type"] for text in anna.received] == ["table", "pong"]
        assert anna.table is not None and anna.table.table.waiting == []


@pytest.mark.parametrize("what", ["replay", "record"])
def test_what_shows_secrets_is_refused_until_the_game_is_over(server: Served, what: str) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seats = server.sit_all(opened)
    for _ in range(5):
        play_on(seats, random.Random(1), most=2)
        for token in (None, opened.tokens[0].token):
            with pytest.raises(Refused) as refused:
                server.client.fetch(f"/api/tables/{opened.table.id}/{what}", token=token)
            assert (refused.value.status, refused.value.problem.reason) == (403, "not_over")
    play_on(seats, random.Random(1))
    assert server.client.fetch(f"/api/tables/{opened.table.id}/{what}")


def test_the_log_of_the_server_holds_no_secrets(tmp_path: Path) -> None:
    with Served(tmp_path / "tables.sqlite") as server:
        opened = server.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)])
        with pytest.raises(Refused):
            server.client.sit(opened.table.id, "x" * 43)
        with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            seat.say("nonsense " + opened.tokens[0].token)
            seat.await_message(lambda message: isinstance(message, ErrorMessage))
        assert server.client.invitation(opened.link)
        assert server.end() == ""  # its only output was its address
