"""The lobby and presence: tables, invitations, lists, who is connected, bots that play for absent people."""

import json
import random
from collections.abc import Iterator

import pytest

from tests.cases import every_game
from tests.served import Served, bring_up_to_date, play_on
from tripot import GAMES
from tripot.bots.levels import LEVELS
from tripot.core.game import Game
from tripot.core.rulebook import rule_book
from tripot.core.speech import Sentence, say
from tripot.web.api.messages import TableMessage
from tripot.web.client import Refused, SeatClient

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
ME_AND_FRIENDS = ["here", *["friend"] * (FEWEST - 1)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("lobby") / "tables.sqlite") as served:
        yield served


def reason_of(refused: pytest.ExceptionInfo[Refused]) -> tuple[int, str]:
    return refused.value.status, refused.value.problem.reason


# --- Games and catalogues ---


def test_every_game_is_offered_with_its_house_rules_and_levels(server: Served) -> None:
    games = {game.name: game for game in server.client.games().games}
    assert set(games) == set(GAMES)
    for name, game in games.items():
        assert game.seats == list(GAMES[name].seats)
        assert [level.level for level in game.levels] == list(LEVELS) == ["easy", "medium", "hard", "expert"]
        for option in game.options:
            assert option.clause in rule_book(GAMES[name])
            assert option.text.en and option.text.fr
            assert option.values is None or option.default in option.values


@every_game
def test_the_catalogue_says_what_the_terminal_says(server: Served, game: Game) -> None:
    found = server.client.catalogue(game.name)
    assert found.drawing == game.drawing
    assert found.facts == json.loads(json.dumps(game.text.FACTS))
    for ours, theirs in ((game.text.NEWS, found.news), (game.text.QUESTIONS, found.questions)):
        assert {int(kind) for kind in ours} == set(theirs)
        for kind, sentence in ours.items():
            sent = theirs[int(kind)]
            assert Sentence(sent.clause, sent.args, sent.en, sent.fr) == sentence
            assert sent.name == kind.name.lower()
    assert {key: sent.fr for key, sent in found.decisions.items()} == {
        key: sentence.fr for key, sentence in game.text.DECISIONS.items()
    }
    assert {table: [(name.en, name.fr) for name in names] for table, names in found.names.items()} == {
        table: [tuple(name) for name in names] for table, names in game.text.NAMES.items()
    }
    assert [clause.number for clause in found.clauses] == list(rule_book(game))
    assert [field.name for field in found.fields] == [field.name for field in game.layout.view.fields]


@every_game
def test_every_legal_decision_can_be_said_from_the_catalogue(server: Served, game: Game) -> None:
    found = server.client.catalogue(game.name)
    names = {table: [game.text.TITLE.__class__(n.en, n.fr) for n in row] for table, row in found.names.items()}
    opened = server.open_table(game.name, ["here"] * game.seats[0])
    seats = server.sit_all(opened)
    said = 0
    for _ in range(40):
        play_on(seats, random.Random(said), most=1)
        for seat in seats.values():
            for option in seat.await_letter().legal:
                sentence = found.decisions[option.key]
                text = Sentence(sentence.clause, sentence.args, sentence.en, sentence.fr)
                assert say(text, option.numbers, names, [f"P{i}" for i in range(8)], "fr")
                said += 1
    assert said > 40


# --- Opening a table ---


def test_a_table_starts_when_the_last_seat_is_taken(server: Served) -> None:
    opened = server.open_table(NAME, [{"kind": "here", "name": "Anna"}, *["friend"] * (FEWEST - 1)])
    assert opened.table.status == "waiting"
    with server.client.sit(opened.table.id, opened.tokens[0].token) as anna:
        for seat in range(1, FEWEST):
            assert anna.letter is None
            assert anna.table is not None and anna.table.link == opened.link
            joined = server.client.accept(opened.link, "Bo")
            assert joined.tokens[0].seat == seat and joined.table.mine == [seat]
        anna.await_letter()
        bring_up_to_date({0: anna})
        assert anna.table.table.status == "playing"
        names = [seat.name for seat in anna.table.table.seats]
        assert names == ["Anna", "Bo", *[f"Bo {n}" for n in range(2, FEWEST)]]


def test_a_link_leads_to_a_table_until_all_seats_are_taken(server: Served) -> None:
    opened = server.open_table(NAME, ME_AND_FRIENDS)
    assert server.client.invitation(opened.link).table.id == opened.table.id
    for seat in range(FEWEST - 1, 0, -1):
        assert server.client.accept(opened.link, "Bo", seat).tokens[0].seat == seat
    with pytest.raises(Refused) as refused:
        server.client.accept(opened.link, "Cy")
    assert reason_of(refused) == (409, "invite_used")
    assert server.client.invitation(opened.link).table.status == "playing"  # they may watch
    with pytest.raises(Refused) as refused:
        server.client.accept("nosuchcode", "Cy")
    assert reason_of(refused) == (404, "no_invite")


def test_strangers_take_seats_at_open_tables_only(server: Served) -> None:
    private = server.open_table(NAME, ME_AND_FRIENDS)
    public = server.open_table(NAME, ME_AND_FRIENDS, open=True)
    listed = [table.id for table in server.client.tables("open")]
    assert public.table.id in listed and private.table.id not in listed
    with pytest.raises(Refused) as refused:
        server.client.join(private.table.id, "Stranger")
    assert reason_of(refused) == (404, "no_table")
    last = FEWEST - 1
    assert server.client.join(public.table.id, "Stranger", seat=last).tokens[0].seat == last
    with pytest.raises(Refused) as refused:
        server.client.join(public.table.id, "Another", seat=last)
    assert reason_of(refused) == (409, "seat_taken")
    for number in range(FEWEST - 2):
        server.client.join(public.table.id, f"Guest {number}")
    assert public.table.id not in [table.id for table in server.client.tables("open")]
    for seat in (None, 15):
        with pytest.raises(Refused) as refused:
            server.client.join(public.table.id, "Late", seat)
        assert reason_of(refused) == (409, "seat_taken")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "no_game"),
        ({"seats": [{"kind": "here"}]}, "bad_table"),
        ({"seats": [{"kind": "friend"}] * FEWEST}, "bad_table"),
        ({"seats": [{"kind": "here"}] * 17}, "malformed"),
        ({"seats": [{"kind": "ghost"}] * FEWEST}, "malformed"),
        ({"seats": [{"kind": "here", "name": "  "}] * FEWEST}, "malformed"),
        ({"seats": [{"kind": "here", "name": "x" * 25}] * FEWEST}, "malformed"),
        ({"seats": [{"kind": "here", "name": "a\u0007b"}] * FEWEST}, "malformed"),
        ({"seats": [{"kind": "bot", "level": "divine"}] * FEWEST}, "malformed"),
        ({"options": {"no_such_rule": 1}}, "bad_option"),
        ({"options": {"x" * 70_000: 1}}, "too_large"),
        ({"pace": "never"}, "malformed"),
        ({"open": "yes"}, "malformed"),
        ({"extra": 1}, "malformed"),
    ],
)
def test_a_table_that_cannot_be_opened_says_why(server: Served, change: dict[str, object], reason: str) -> None:
    whole = {"game": NAME, "seats": [{"kind": "here"}] * FEWEST, **change}
    with pytest.raises(Refused) as refused:
        server.client.fetch("/api/tables", whole)
    assert refused.value.problem.reason == reason
    assert refused.value.problem.text.en and refused.value.problem.text.fr


@every_game
@pytest.mark.parametrize(
    "value",
    [-1, 10**30, 1.5, None, "9" * 5000, "[" * 9000, [[]], {"a": 1}, [[[1]] * 9], "Infinity"],
    ids=lambda value: str(value)[:12],
)
def test_bad_values_of_house_rules_are_refused(server: Served, game: Game, value: object) -> None:
    for option in server.client.catalogue(game.name).options:
        with pytest.raises(Refused) as refused:
            server.open_table(game.name, ["here"] * game.seats[0], options={option.name: value})
        assert refused.value.problem.reason == "bad_option"


def test_house_rules_are_in_force(server: Served) -> None:
    game = GAMES[NAME]
    option = next(option for option in server.client.catalogue(NAME).options if option.values)
    value = next(value for value in option.values or [] if value != option.default)
    opened = server.open_table(NAME, ["here"] * game.seats[0], options={option.name: value})
    assert opened.table.options == {option.name: value}
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        assert seat.await_letter().view[option.name] == (option.values or []).index(value)


# --- Lists ---


def test_my_tables_are_those_of_my_tokens(server: Served) -> None:
    one, two = (server.open_table(NAME, ["here"] * FEWEST) for _ in range(2))
    mine = [(one.table.id, one.tokens[0].token), (one.table.id, one.tokens[2].token)]
    wrong = [(two.table.id, one.tokens[1].token), ("nosuchtable", one.tokens[0].token)]
    found = server.client.mine([*mine, *wrong])
    assert [(table.id, table.mine) for table in found] == [(one.table.id, [0, 2])]
    assert found[0].waiting != []  # so that the page can say whose turn it is


def test_finished_games_are_listed_newest_first_and_paged(server: Served) -> None:
    done = []
    for _ in range(3):
        opened = server.open_table(NAME, ["here"] * FEWEST)
        play_on(server.sit_all(opened), random.Random(1))
        done.append(opened.table.id)
        assert opened.table.id not in [table.id for table in server.client.tables("finished")]
        server.client.publish(opened.table.id, opened.tokens[0].token)
    listed = server.client.tables("finished")
    assert [table.id for table in listed][:3] == done[::-1]
    assert all(table.result is not None for table in listed)
    older = server.client.tables("finished", f"&game={NAME}&before={listed[0].updated}")
    assert [table.id for table in older][:2] == done[1::-1]
    assert server.client.tables("finished", "&game=chess") == []
    with pytest.raises(Refused) as refused:
        server.client.tables("finished", "&before=yesterday")
    assert reason_of(refused) == (422, "malformed")


def test_a_table_that_may_not_be_watched_is_unknown_to_others(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST, watch=False)
    token = opened.tokens[0].token
    for ask in (server.client.table, server.client.replay, server.client.record):
        with pytest.raises(Refused) as refused:
            ask(opened.table.id)
        assert reason_of(refused) == (404, "no_table")
    with pytest.raises(Refused, match="no_table"):
        server.client.watch(opened.table.id)
    assert server.client.table(opened.table.id, token).mine == [0]
    play_on(server.sit_all(opened), random.Random(1))
    assert opened.table.id not in [table.id for table in server.client.tables("finished")]
    assert server.client.record(opened.table.id, token)


# --- Presence ---


def here(seat: SeatClient) -> list[bool]:
    assert seat.table is not None
    return [place.here for place in seat.table.table.seats]


def await_here(seat: SeatClient, wanted: list[bool]) -> None:
    while here(seat) != wanted:
        seat.hear()


def test_others_see_who_is_present_and_who_is_absent(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    away = [False] * (FEWEST - 2)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as first:
        assert here(first) == [True, False, *away]
        second = server.client.sit(opened.table.id, opened.tokens[1].token)
        await_here(first, [True, True, *away])
        with server.client.sit(opened.table.id, opened.tokens[1].token):  # a second page of the same person
            second.close()
            bring_up_to_date({0: first})
            assert here(first) == [True, True, *away]
        await_here(first, [True, False, *away])


def test_spectators_are_counted_and_can_do_nothing(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as seat:
        with server.client.watch(opened.table.id) as watcher:
            assert watcher.table is not None and watcher.table.seat is None
            assert watcher.await_letter().legal == []
            seat.await_message(watched_by(1))
            for request in (
                {"kind": "decide", "sequence": 0, "actions": [0]},
                {"kind": "try", "sequence": 0, "actions": [0]},
                {"kind": "hold", "seat": 1},
                {"kind": "release", "seat": 1},
                {"kind": "fill", "seat": 1},
            ):
                with pytest.raises(Refused) as refused:
                    watcher.ask(**request)  # type: ignore[arg-type]
                assert refused.value.problem.reason == "not_seated"
        seat.await_message(watched_by(0))


def watched_by(count: int):  # type: ignore[no-untyped-def]
    return lambda message: isinstance(message, TableMessage) and message.watchers == count


def test_a_bot_plays_for_an_absent_person_until_they_return(server: Served) -> None:
    opened = server.open_table(NAME, ["here", "here", *["easy"] * (FEWEST - 2)])
    with server.client.sit(opened.table.id, opened.tokens[0].token) as first:
        with (
            server.client.sit(opened.table.id, opened.tokens[1].token) as second,
            pytest.raises(Refused, match="not_host"),
        ):
            second.ask("hold", seat=0)
        await_here(first, [True] * FEWEST)
        await_here(first, [True, False, *[True] * (FEWEST - 2)])
        with pytest.raises(Refused, match="not_absent"):
            first.ask("hold", seat=FEWEST - 1)  # a bot's own seat
        with pytest.raises(Refused, match="not_absent"):
            first.ask("hold", seat=15)
        first.ask("hold", seat=1, level="medium")
        assert first.table is not None and first.table.table.seats[1].held == "medium"
        for _ in range(3):  # the game goes on without them
            first.decide([first.await_turn().legal[0].action])
        with server.client.sit(opened.table.id, opened.tokens[1].token) as second:
            assert second.table is not None and second.table.table.seats[1].held is None
            bring_up_to_date({0: first})
            assert first.table.table.seats[1].held is None
            play_on({0: first, 1: second}, random.Random(2))


def test_a_bot_that_plays_for_an_absent_person_can_be_released(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as first:
        first.ask("hold", seat=1, level="easy")
        first.ask("release", seat=1)
        assert first.table is not None and first.table.table.seats[1].held is None


def test_a_bot_fills_a_seat_that_stays_free(server: Served) -> None:
    opened = server.open_table(NAME, ME_AND_FRIENDS)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as first:
        for seat in range(1, FEWEST):
            first.ask("fill", seat=seat, level="hard")
        assert first.await_letter()
        assert first.table is not None
        assert [place.level for place in first.table.table.seats[1:]] == ["hard"] * (FEWEST - 1)
        with pytest.raises(Refused, match="seat_taken"):
            first.ask("fill", seat=1)
    with pytest.raises(Refused, match="invite_used"):
        server.client.accept(opened.link, "Late")


def test_a_page_that_reconnects_receives_only_what_it_missed(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seats = server.sit_all(opened)
    play_on(seats, random.Random(1), most=5)
    bring_up_to_date(seats)
    news = list(seats[0].news)
    seats[0].close()
    seats[0] = server.client.sit(opened.table.id, opened.tokens[0].token, heard=len(news))
    assert seats[0].await_letter().news == [] and seats[0].await_letter().first == len(news)
    seats[0].news = news
    play_on(seats, random.Random(2), most=5)
    bring_up_to_date(seats)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as fresh:
        assert fresh.await_letter().first == 0
        assert fresh.news == seats[0].news
    with server.client.sit(opened.table.id, opened.tokens[0].token, heard=10_000) as confused:
        confused.await_letter()
        assert confused.news == seats[0].news


def test_two_pages_of_one_seat_both_receive_everything(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seats = server.sit_all(opened)
    with server.client.sit(opened.table.id, opened.tokens[0].token) as twin:
        play_on(seats, random.Random(9), most=12)
        bring_up_to_date({**seats, 99: twin})
        assert twin.news == seats[0].news
        assert twin.await_letter().view == seats[0].await_letter().view


# --- Trying decisions ---


@every_game
def test_trying_decisions_changes_nothing_and_can_be_undone(server: Served, game: Game) -> None:
    opened = server.open_table(game.name, ["here"] * game.seats[0])
    seats = server.sit_all(opened)
    rng = random.Random(4)
    compound = 0
    for _ in range(30):
        waiting = [seat for seat in seats.values() if seat.await_letter().legal]
        if not waiting:
            break
        seat, letter = waiting[0], waiting[0].await_letter()
        plain = seat.attempt([])
        assert (plain.legal, plain.view) == (letter.legal, letter.view)
        action = rng.choice(letter.legal).action
        tried = seat.attempt([action])
        assert tried.finished == (not tried.legal)
        compound += not tried.finished
        assert seat.attempt([]) == plain.model_copy(update={"id": plain.id + 2})
        seat.decide([action])
        after = seat.await_letter()
        if not tried.finished:
            assert (after.legal, after.view) == (tried.legal, tried.view)
        bring_up_to_date(seats)
    assert compound or game.name != NAME


def test_others_are_not_told_what_a_seat_tries(server: Served) -> None:
    opened = server.open_table(NAME, ["here"] * FEWEST)
    seats = server.sit_all(opened)
    bring_up_to_date(seats)
    mover = next(seat for seat in seats.values() if seat.await_letter().legal)
    others = [seat for seat in seats.values() if seat is not mover]
    heard = [len(seat.received) for seat in others]
    mover.attempt([mover.await_letter().legal[0].action])
    bring_up_to_date(seats)
    assert [len(seat.received) for seat in others] == [count + 1 for count in heard]  # the answer to the ping
