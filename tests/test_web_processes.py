"""Several processes serve the same tables from one PostgreSQL: a decision made at one is seen at the others."""

import asyncio
import gc
import itertools
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asyncpg import Connection, InternalClientError
from sqlalchemy import event, text

from tests.postgres import Postgres
from tests.served import Served, ServedHere, patiently, play_on
from tests.test_store import stored
from tests.test_web_operating import measured
from tripot import GAMES
from tripot.store import schema
from tripot.store.listener import Notification, listen
from tripot.store.models import OVER, StoredTable
from tripot.store.processes import DATABASE_ERRORS
from tripot.store.store import Store, StoreFailed, WriteConflict, open_store
from tripot.web.api.messages import ErrorMessage, Letter, Spoken
from tripot.web.client import Refused, SeatClient

pytestmark = pytest.mark.server

NAME = next(iter(GAMES))
FEWEST = GAMES[NAME].seats[0]
NUMBERS = itertools.count(1)


@pytest.fixture
def address(postgres: Postgres) -> str:
    return postgres.database(f"processes_{next(NUMBERS)}")


@pytest.fixture(scope="module")
def pair(postgres: Postgres) -> Iterator[tuple[Served, Served]]:
    """Two servers, shared by all tests that do not harm them."""
    address = postgres.database("pair")
    with Served(address, beat_seconds=1) as one, Served(address, beat_seconds=1) as two:
        yield one, two  # neither takes the other for dead because the machine is busy


def end_pair(pair: tuple[Served, Served]) -> None:
    """Kills both servers, whose error output is expected."""
    for server in pair:
        server.end(signal.SIGKILL)


def log_of(postgres: Postgres, address: str) -> list[tuple[str, int, int, int]]:
    rows = postgres.psql("SELECT table_id, sequence, seat, action FROM log ORDER BY 1, 2", address.rsplit("/", 1)[1])
    return [(t, int(n), int(s), int(a)) for t, n, s, a in (row.split("|") for row in rows.splitlines())]


# --- The store ---


def test_processes_that_start_at_once_create_the_schema_once(address: str) -> None:
    async def work() -> int:
        stores = await asyncio.gather(*[open_store(address) for _ in range(6)])
        await stores[0].create(stored())
        found = await stores[5].table("t1")
        for store in stores:
            await store.close()
        return found.seed if found is not None else -1

    assert asyncio.run(work()) == stored().seed


def test_of_two_writers_of_the_same_decision_number_one_is_refused(address: str) -> None:
    async def work() -> None:
        one, two = await open_store(address), await open_store(address)
        table = stored()
        await one.create(table)
        both = [store.append(stored(), 0, [(0, 5 + n)]) for n, store in enumerate((one, two))]
        ended = await asyncio.gather(*both, return_exceptions=True)
        assert sorted(type(end) for end in ended if end is not None) == [WriteConflict]
        assert len(await one.decisions("t1")) == 1
        await one.close()
        await two.close()

    asyncio.run(work())


def test_a_decision_is_written_changes_its_table_and_is_told_in_one_statement(address: str) -> None:
    async def work() -> None:
        one, two = await open_store(address), await open_store(address)
        assert one.processes
        heard, ready = asyncio.Queue[Notification](), asyncio.Event()
        listening = asyncio.create_task(listen(two, heard.put_nowait, lambda *_: None, ready.set, 60))
        await ready.wait()
        await one.heartbeat()
        table, statements = stored(), list[str]()
        await one.create(table)
        event.listen(one.engine.sync_engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
        table.waiting = 0b10  # the bot's turn
        await one.append(table, 0, [(0, 5), (0, 6)])
        table.status, table.waiting, table.result = OVER, 0, [60, 0]
        await one.append(table, 2, [(1, 7)])
        assert len(statements) == 2
        async with asyncio.timeout(30):
            told = [await heard.get(), await heard.get()]
        assert told == [Notification("t1", 1, one.processes.name), Notification("t1", 2, None)]
        found = await two.table_with_log("t1")
        assert found is not None and found[1] == [(0, 5), (0, 6), (1, 7)]
        assert (found[0].status, found[0].waiting, found[0].result) == (OVER, 0, [60, 0])
        assert (found[0].version, found[0].updated) == (table.version, table.updated)
        with pytest.raises(WriteConflict):
            await one.append(table, 2, [(1, 8)])
        with pytest.raises(WriteConflict):
            await one.append(stored("t2"), 0, [(0, 5)])
        assert await two.decisions("t1", 2) == [(1, 7)] and heard.empty()
        listening.cancel()
        await asyncio.wait([listening])
        await one.close()
        await two.close()

    asyncio.run(work())


def test_a_process_that_freezes_in_a_transaction_holds_nobody_up(address: str) -> None:
    """The database ends its session, and with it the lock on the table."""

    async def work() -> None:
        frozen, other = await open_store(address), await open_store(address)
        await other.create(stored())
        db = await frozen.engine.connect()
        assert await db.scalar(text("SHOW idle_in_transaction_session_timeout")) == "5s"
        await db.execute(text("SET idle_in_transaction_session_timeout = 300"))  # a test has less time
        await db.execute(text("UPDATE tables SET version = version + 1"))  # and then nothing more
        await other.append(stored(), 0, [(0, 5)])
        assert await other.decisions("t1") == [(0, 5)]
        with pytest.raises(DATABASE_ERRORS):  # which one hangs on what of the end has come here by now
            await db.execute(text("SELECT 1"))
        await db.invalidate()
        await db.close()
        await frozen.close()
        await other.close()

    asyncio.run(work())


def test_a_task_cancelled_while_it_connects_leaves_nothing_behind(address: str) -> None:
    """A server that stops just then says nothing."""
    complaints: list[str] = []

    async def work() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
        store = await open_store(address)
        for turns in range(40):
            await store.engine.dispose()
            connecting = asyncio.create_task(store.heartbeat())
            for _ in range(turns):
                await asyncio.sleep(0.0001)
            connecting.cancel()
            await asyncio.wait([connecting])
        await store.close()

    asyncio.run(work())
    gc.collect()
    assert complaints == []


def test_one_process_runs_a_tables_bots_and_another_takes_over_when_it_expires(address: str) -> None:
    async def work() -> None:
        one, two, three = [await open_store(address, beat_seconds=60) for _ in range(3)]
        assert one.processes and two.processes and three.processes
        for store in (one, two, three):
            assert not await store.heartbeat()  # not registered before
            assert await store.heartbeat()
        table = stored()
        table.waiting = 0b10  # the bot's turn
        await one.create(table)
        assert await one.adopt() == ["t1"]
        assert await two.adopt() == await three.adopt() == []
        await falls_silent(one, "4 minutes")
        assert await two.adopt() == []
        await falls_silent(one, "2 minutes")  # it has missed more than five heartbeats
        await asyncio.gather(two.heartbeat(), three.heartbeat())
        adopted = await asyncio.gather(two.adopt(), three.adopt())
        assert sorted(adopted) == [[], ["t1"]]
        assert not await one.heartbeat()  # it had expired
        assert await one.adopt() == []
        for store in (one, two, three):
            await store.close()

    asyncio.run(work())


async def falls_silent(store: Store, time: str) -> None:
    """The last heartbeat of a process lies further back."""
    assert store.processes
    moved = f"UPDATE processes SET seen = seen - interval '{time}' WHERE id = '{store.processes.name}'"
    async with store.engine.begin() as db:
        await db.execute(text(moved))


def test_the_last_two_who_sit_down_at_once_start_the_game(pair: tuple[Served, Served]) -> None:
    one, two = pair
    opened = one.open_table(NAME, ["here", *["friend"] * (FEWEST - 1)])
    two.client.table(opened.table.id)  # both have the table in memory

    async def both() -> None:
        sides = [one.client, two.client]
        await asyncio.gather(
            *[asyncio.to_thread(sides[n % 2].accept, opened.link, f"Guest {n}") for n in range(FEWEST - 1)]
        )

    asyncio.run(both())
    for _ in patiently("both know that the game has started"):
        if [server.client.table(opened.table.id).status for server in pair] == ["playing", "playing"]:
            break


# --- Playing through two processes ---


def seats_of(servers: tuple[Served, Served], table: str, tokens: dict[int, str]) -> dict[int, SeatClient]:
    """Connects the seats to alternating processes."""
    seats = {seat: servers[seat % 2].client.sit(table, token) for seat, token in tokens.items()}
    for server in servers:
        server.guests += [seat for who, seat in seats.items() if servers[who % 2] is server]
    return seats


def play_apart(seats: dict[int, SeatClient], rng: random.Random, most: int = 10_000) -> int:
    """Plays random decisions, and waits after each until every seat has received it, at whatever process."""
    for count in range(most):
        if all(seat.over for seat in seats.values()):
            return count
        while not (waiting := [seat for seat in seats.values() if seat.await_letter().legal]):
            if all(seat.over for seat in seats.values()):
                return count
            hear_something(seats)
        mover = rng.choice(waiting)
        try:
            mover.decide([rng.choice(mover.await_letter().legal).action])
        except Refused as refused:
            assert refused.problem.reason in ("stale", "not_waited_for")  # the last decision had not arrived yet
            mover.await_letter()
        hear_something(seats)
    return most


def hear_something(seats: dict[int, SeatClient]) -> None:
    for seat in seats.values():
        seat.ask("ping")
    time.sleep(0.002)


def test_a_game_is_played_through_two_processes(pair: tuple[Served, Served], postgres: Postgres) -> None:
    opened = pair[0].open_table(NAME, ["here"] * FEWEST)
    seats = seats_of(pair, opened.table.id, {right.seat: right.token for right in opened.tokens})
    assert play_apart(seats, random.Random(1)) > 10
    records = [server.client.record(opened.table.id) for server in pair]
    assert records[0] == records[1]
    views = [{**seat.await_letter().view, "seat": 0} for seat in seats.values()]
    shared = [key for key in views[0] if not key.startswith("my_") and key != "guide"]  # that speaks to one seat
    assert all(view[key] == views[0][key] for view in views for key in shared)


def test_all_processes_know_who_is_present(pair: tuple[Served, Served]) -> None:
    one, two = pair
    opened = one.open_table(NAME, ["here"] * FEWEST)
    first = one.client.sit(opened.table.id, opened.tokens[0].token)
    second = two.client.sit(opened.table.id, opened.tokens[1].token)

    def both_here(seat: SeatClient, here: list[bool]) -> None:
        while seat.table is None or [place.here for place in seat.table.table.seats][:2] != here:
            seat.hear()

    both_here(first, [True, True])
    both_here(second, [True, True])
    with pytest.raises(Refused, match="not_absent"):
        first.ask("hold", seat=1, level="easy")
    with two.client.watch(opened.table.id):
        while first.table is None or first.table.watchers != 1:
            first.hear()
    second.close()
    both_here(first, [True, False])
    assert [place.here for place in two.client.table(opened.table.id).seats][:2] == [True, False]
    first.ask("hold", seat=1, level="easy")
    for _ in patiently("the other process knows of the bot"):
        if two.client.table(opened.table.id).seats[1].held == "easy":
            break
    with two.client.sit(opened.table.id, opened.tokens[1].token):  # the person is back: the bot stops at all processes
        while first.table is None or first.table.table.seats[1].held is not None:
            first.hear()
    first.close()


def test_phrases_clocks_and_the_rematch_are_the_same_at_all_processes(pair: tuple[Served, Served]) -> None:
    one, two = pair
    opened = one.open_table(NAME, ["here"] * FEWEST, seconds=3600)
    table, tokens = opened.table.id, [right.token for right in opened.tokens]
    with (
        one.client.sit(table, tokens[0]) as anna,
        two.client.sit(table, tokens[1]) as bo,
        two.client.sit(table, tokens[2]) as cy,
    ):
        for speaker, hearer, said in ((anna, bo, (0, "hello")), (bo, anna, (1, "well_played"))):
            speaker.ask("say", phrase=said[1])
            hearer.await_message(
                lambda heard, said=said: isinstance(heard, Spoken) and (heard.seat, heard.phrase) == said
            )
        with pytest.raises(Refused, match="too_fast"):  # also where the hearers are at another process
            for _ in range(1000):
                anna.ask("say", phrase="hello")
        before = on_the_clock(anna)
        assert before and before == on_the_clock(bo)
        mover = (anna, bo, cy)[int(before[0])]
        mover.decide([mover.await_turn().legal[0].action])
        for _ in patiently("both processes have wound the clocks anew"):
            if before != on_the_clock(anna) == on_the_clock(bo):
                break
        one.client.end_table(table, tokens[0])
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(server.client.rematch, table, tokens[n]) for n, server in enumerate(pair)]
            rematches = {wish.result().table for wish in asked}
        assert len(rematches) == 1  # one for all, though both wanted it at once
        for seat in (anna, bo):
            while seat.table is None or seat.table.rematch not in rematches:
                seat.hear()
    again = rematches.pop()
    assert [server.client.table(again, tokens[0]).mine for server in pair] == [[1], [1]]
    assert two.client.table(again, tokens[1]).seconds == 3600


def on_the_clock(seat: SeatClient) -> list[str]:
    """The seats that were said last to be on the clock."""
    seat.ask("ping")
    said = [json.loads(text) for text in seat.received]
    left = next(message["left"] for message in reversed(said) if message["type"] == "clock")
    assert all(0 < milliseconds <= 3_600_000 for milliseconds in left.values())
    return sorted(left)


def test_one_process_runs_a_tables_bots_and_another_takes_over_when_it_dies(pair: tuple[Served, Served]) -> None:
    one, two = pair
    before = bots_decided(two)
    opened = one.open_table(NAME, ["here", *["easy"] * (FEWEST - 1)])
    with two.client.sit(opened.table.id, opened.tokens[0].token) as seat:  # the bots run at the other process
        assert play_on({0: seat}, random.Random(2), most=4) == 4
        assert bots_decided(one) > 0 and bots_decided(two) == before
        one.end(signal.SIGKILL)
        play_on({0: seat}, random.Random(2))
        assert seat.over and bots_decided(two) > before
    one.start()


def bots_decided(server: Served) -> float:
    return measured(server.client)['tripot_decisions_total{by="bot"}']


def test_a_process_that_stops_hands_its_tables_over_at_once(address: str) -> None:
    """The others do not wait for missed heartbeats."""
    with (
        Served(address, paces={"calm": 3600}, beat_seconds=60) as one,
        Served(address, paces={"calm": 0}, beat_seconds=60) as two,
    ):
        opened = one.open_table(NAME, ["here", *["easy"] * (FEWEST - 1)], pace="calm")
        with two.client.sit(opened.table.id, opened.tokens[0].token) as seat:
            while seat.await_letter().legal:
                seat.decide([seat.await_letter().legal[0].action])
            stuck = seat.await_letter().view
            one.end()
            assert seat.await_turn().view != stuck


def test_a_lost_notification_is_covered_by_the_poll(address: str) -> None:
    """A change without a notification is found by the next poll."""
    with ServedHere(address) as server:
        opened = server.client.open_table(NAME, ["here"] * FEWEST)
        seats = {right.seat: server.client.sit(opened.table.id, right.token) for right in opened.tokens}
        mover = next(seat for seat in seats.values() if seat.await_letter().legal)
        who = next(number for number, seat in seats.items() if seat is mover)
        action = mover.await_letter().legal[0].action

        async def silently() -> None:
            store = await open_store(address)
            async with store.engine.begin() as db:
                row = {"table_id": opened.table.id, "sequence": 1, "seat": who, "action": action, "at": 0}
                await db.execute(schema.log.insert().values(**row))
                await db.execute(text("UPDATE tables SET version = version + 1"))
            await store.close()

        asyncio.run(silently())
        before = mover.await_letter()
        assert mover.await_message(lambda said: isinstance(said, Letter) and said != before)
        for seat in seats.values():
            seat.close()


def test_a_decision_that_lost_the_race_is_stale(address: str) -> None:
    """The other process wrote first, and its notification has not arrived yet."""
    with ServedHere(address, beat_seconds=3600) as server:
        opened = server.client.open_table(NAME, ["here"] * FEWEST)
        seats = {right.seat: server.client.sit(opened.table.id, right.token) for right in opened.tokens}
        who, mover = next((who, seat) for who, seat in seats.items() if seat.await_letter().legal)
        legal = [option.action for option in mover.await_letter().legal]

        async def first() -> StoredTable | None:
            store = await open_store(address)
            async with store.engine.begin() as db:
                row = {"table_id": opened.table.id, "sequence": 1, "seat": who, "action": legal[0], "at": 0}
                await db.execute(schema.log.insert().values(**row))
                await db.execute(text("UPDATE tables SET version = version + 1"))
            return await closing(store, opened.table.id)

        asyncio.run(first())
        mover.say({"type": "decide", "id": 77, "sequence": 0, "actions": [legal[-1]]})
        said = mover.await_message(lambda said: isinstance(said, ErrorMessage) and said.id == 77)
        assert isinstance(said, ErrorMessage) and said.error.reason in ("stale", "not_waited_for")
        assert log_length(server, opened.table.id) == 1
        for seat in seats.values():
            seat.close()


async def closing(store: Store, table_id: str) -> StoredTable | None:
    found = await store.table(table_id)
    await store.close()
    return found


def log_length(server: ServedHere, table_id: str) -> int:
    return len(server.run(server.context.store.decisions(table_id)))


def test_the_listener_reconnects_after_its_connection_is_cut(pair: tuple[Served, Served], postgres: Postgres) -> None:
    opened = pair[0].open_table(NAME, ["here"] * FEWEST)
    seats = seats_of(pair, opened.table.id, {right.seat: right.token for right in opened.tokens})
    play_apart(seats, random.Random(3), most=3)
    name = pair[0].settings["database"].rsplit("/", 1)[1]
    cut = postgres.psql(f"SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    before = {line.split("|")[0] for line in cut.split()}
    listening = f"SELECT pid FROM pg_stat_activity WHERE datname = '{name}' AND query LIKE 'LISTEN%'"
    for _ in patiently("both listen again"):
        if len(set(postgres.psql(listening).split()) - before) == 2:
            break
    play_apart(seats, random.Random(3), most=6)
    end_pair(pair)


def test_a_connection_cut_between_two_messages_stops_neither_listener_nor_store(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """asyncpg then raises an error that SQLAlchemy does not know; when it comes, nobody can tell beforehand."""
    whole = {name: getattr(Connection, name) for name in ("execute", "prepare")}

    def cut_once(name: str) -> None:
        async def cut(*_: Any, **__: Any) -> None:
            monkeypatch.setattr(Connection, name, whole[name])
            raise InternalClientError("cannot switch to state 15; another operation (2) is in progress")

        monkeypatch.setattr(Connection, name, cut)

    async def work() -> None:
        store = await open_store(address)
        connected = asyncio.Queue[None]()
        ignore = [lambda *_: None] * 2
        listening = asyncio.create_task(listen(store, *ignore, lambda: connected.put_nowait(None), 0.02))
        await connected.get()
        cut_once("execute")
        async with asyncio.timeout(30):
            await connected.get()
        listening.cancel()
        cut_once("prepare")
        with pytest.raises(StoreFailed, match="another operation"):
            await store.heartbeat()
        assert await store.table("t1") is None and store.failures == 2
        await store.close()

    asyncio.run(work())


def test_sqlite_loads_no_code_for_several_processes() -> None:
    """A single process on SQLite does not even import the modules for several processes."""
    heavy = ("asyncpg", "alembic", "tripot.store.processes", "tripot.store.listener")
    program = f"import sys, tripot.web.ops.serve; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
