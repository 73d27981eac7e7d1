"""What the server tells people beside the table: guides in letters, only answers, and how a game ended."""

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.cases import every_game
from tests.served import Served
from tripot import GAMES
from tripot.core.game import Game
from tripot.core.guide import Forced
from tripot.core.layout import SPECTATOR
from tripot.table.record import loads, replay
from tripot.table.table import Table
from tripot.table.view_json import said_json, told
from tripot.web.api.messages import Letter
from tripot.web.client import Refused, SeatClient
from tripot.web.live import letters

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("guide") / "tables.sqlite") as served:
        yield served


def play(seat: SeatClient, luck: random.Random, asked: list[Letter]) -> None:
    """Plays one seat against bots to the end, and keeps the letters it had to answer."""
    while not seat.over:
        letter = seat.await_turn()
        asked.append(letter)
        if letter.legal:
            with suppress(Refused):  # a letter about a bot that chose at the same time may come first: ask again
                seat.decide([luck.choice(letter.legal).action])


@every_game
def test_a_person_alone_among_bots_is_not_asked_what_has_one_answer(server: Served, game: Game) -> None:
    """Every decision is in the record, also those that nobody was asked for."""
    seats = game.seats[0]
    asked: list[Letter] = []
    for seed in range(3):
        opened = server.open_table(game.name, ["here", *["easy"] * (seats - 1)])
        play(server.sit_all(opened)[0], random.Random(seed), asked)
        record = loads(server.client.record(opened.table.id))
        table = replay(record, GAMES)
        assert table.over
    for letter in asked:
        if len(letter.legal) == 1:
            view = game.layout.view_of(b"\0" * game.layout.view.dtype.itemsize)
            for field in game.layout.view.fields:
                setattr(view, field.name, letter.view[field.name])
            assert game.guide is not None and game.guide.forced(view, letter.legal[0].action) is Forced.ASKED


@every_game
def test_letters_say_what_the_guide_says_of_the_seats_own_view(game: Game) -> None:
    table, luck = Table(game, game.seats[0], 9), random.Random(9)
    guide = game.guide
    hints = 0
    assert guide is not None
    while not table.over:
        for who in (*range(table.seats), SPECTATOR):
            letter = Letter.model_validate(letters.letter(table, who, 0, -1))
            assert letter.view["guide"] == told(game, table.seen(who)) and letter.outcome is None
            for legal in letter.legal:
                view, offered = table.seen(who), table.offer(who).legal
                assert [said.model_dump() for said in legal.hint] == [
                    said_json(said) for said in guide.hint(view, legal.action)
                ]
                warning = guide.warning(view, legal.action, offered)
                assert (legal.warning and legal.warning.model_dump()) == (warning and said_json(warning))
                hints += len(legal.hint)
        seat = table.waiting[0]
        table.decide(seat, luck.choice(table.offer(seat).legal), table.offer(seat).sequence)
    assert hints > 20


@every_game
def test_the_end_is_in_the_last_letter_and_in_the_replay(server: Served, game: Game) -> None:
    seats = game.seats[0]
    opened = server.open_table(game.name, ["here", *["easy"] * (seats - 1)])
    guest = server.sit_all(opened)[0]
    play(guest, random.Random(2), [])
    table = replay(loads(server.client.record(opened.table.id)), GAMES)
    for outcome, who in (
        (guest.await_letter().outcome, 0),
        (server.client.replay(opened.table.id, 0).outcome, 0),
        (server.client.replay(opened.table.id).outcome, SPECTATOR),
    ):
        found = table.outcome(who)
        assert outcome is not None and found is not None
        assert [said.model_dump() for said in outcome.reached] == [said_json(said) for said in found.reached]
        assert (outcome.said and outcome.said.model_dump()) == (found.said and said_json(found.said))
        assert [(mark.clock, mark.reached) for mark in outcome.history] == [tuple(mark) for mark in found.history]


def test_moments_carry_what_the_guide_said_then() -> None:
    table = Table(GAMES["verrater"], 4, 3)
    table.keeps_moments = True
    luck = random.Random(3)
    changed = 0
    while not table.over:
        seat, before = table.waiting[0], table.sequence
        table.decide(seat, luck.choice(table.offer(seat).legal), table.offer(seat).sequence)
        now = told(table.game, table.seen(seat))
        for moment in table.moments(seat, before + 1):
            assert moment is not None
            changed += "guide" in moment
            assert moment.get("guide") != now
    assert changed > 10


def test_a_guide_is_in_the_catalogue(server: Served) -> None:
    found = server.client.catalogue("trieste").guide
    assert (
        found["cannot_pay"].clause == "T-3.3 T-2.8"
        and found["cannot_pay"].args == "the_card:card number:cost number:worth"
    )
    assert found["clock"].fr == "Tour {clock}"
