"""A crowd of guests at many tables who keep playing whatever happens: every guest reconnects without help.

Each guest notes their decisions and whether each was confirmed, refused or left open by a lost connection. At the end
the notes are compared with the log.
"""

import asyncio
import itertools
import json
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.served import PATIENCE, Served
from tripot import GAMES

CONFIRMED, REFUSED, OPEN = "confirmed", "refused", "open"
Log = dict[str, list[tuple[int, int]]]


@dataclass
class Decision:
    """One decision that was sent: the offer it answers, and its outcome."""

    offer: int
    action: int
    outcome: str = OPEN


@dataclass
class Guest:
    """One person in one seat."""

    table: str
    seat: int
    token: str
    decisions: list[Decision] = field(default_factory=list)
    storage_errors: int = 0
    connections: int = 0
    over: bool = False

    @property
    def confirmed(self) -> int:
        return sum(decision.outcome == CONFIRMED for decision in self.decisions)


class Crowd:
    """Guests at tables. They play in a separate thread until the block ends."""

    def __init__(self, servers: list[Served], patience: float | None = None) -> None:
        """`patience`: seconds after which a guest without an answer tries another server; None: they always get one."""
        self.servers = servers
        self._patience = patience
        self._failed: BaseException | None = None
        self.guests: list[Guest] = []
        self.going = True
        self._thread = threading.Thread(target=self._run)
        self._rng = random.Random(7)

    def open(self, tables: int) -> None:
        """Opens tables of all games, each with two people and bots."""
        for number, game in zip(range(tables), itertools.cycle(GAMES.values()), strict=False):
            server = self.servers[number % len(self.servers)]
            seats = ["here", "here", *["easy"] * (game.seats[0] - 2)]
            opened = server.client.open_table(game.name, seats, pace="instant")
            self.guests += [Guest(opened.table.id, right.seat, right.token) for right in opened.tokens]

    def __enter__(self) -> "Crowd":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.going = False
        self._thread.join()
        if self._failed is not None and kind is None:
            raise self._failed

    def _run(self) -> None:
        try:
            asyncio.run(self._play_all())
        except BaseException as error:
            self._failed = error

    @property
    def tables(self) -> set[str]:
        return {guest.table for guest in self.guests}

    def standing(self) -> dict[str, int]:
        """Returns the number of confirmed decisions at each unfinished table."""
        over = {guest.table for guest in self.guests if guest.over}
        return {
            table: sum(guest.confirmed for guest in self.guests if guest.table == table)
            for table in self.tables
            if table not in over
        }

    def await_progress(self, decisions: int, seconds: float = PATIENCE) -> None:
        """Waits until `decisions` more decisions are confirmed at every table that is not over."""
        before, end = self.standing(), time.monotonic() + seconds
        while behind := [t for t, count in self.standing().items() if count < before[t] + decisions]:
            assert time.monotonic() < end, f"{len(behind)} of {len(before)} tables do not go on"
            time.sleep(0.05)

    def await_storage_errors(self, count: int, seconds: float = PATIENCE) -> None:
        """Waits until guests have received `count` storage errors."""
        end = time.monotonic() + seconds
        while sum(guest.storage_errors for guest in self.guests) < count:
            assert time.monotonic() < end, "guests received too few storage errors"
            time.sleep(0.02)

    # --- Playing ---

    async def _play_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for guest in self.guests:
                group.create_task(self._play_guest(guest))

    async def _play_guest(self, guest: Guest) -> None:
        """Plays until the game or the test is over, and reconnects whenever the connection is lost."""
        for server in itertools.cycle(self.servers[guest.seat % len(self.servers) :] + self.servers[: guest.seat]):
            if guest.over or not self.going:
                return
            try:
                address = server.address.replace("http", "ws", 1)
                where = f"{address}/api/tables/{guest.table}/socket"
                patience = self._patience or PATIENCE
                async with connect(where, open_timeout=patience, close_timeout=1, ping_interval=None) as socket:
                    await socket.send(json.dumps({"type": "hello", "token": guest.token}))
                    guest.connections += 1
                    await self._play(guest, socket)
            except (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError):  # a TimeoutError is an OSError
                await asyncio.sleep(0.1)

    async def _play(self, guest: Guest, socket: Any) -> None:
        letter: Any = None
        pending: Decision | None = None
        heard = time.monotonic()
        while not guest.over and (self.going or pending is not None):
            if letter and letter["legal"] and pending is None and self.going:
                await asyncio.sleep(self._rng.uniform(0.02, 0.3))
                pending = Decision(letter["sequence"], self._rng.choice(letter["legal"])["action"])
                guest.decisions.append(pending)
                said = {"type": "decide", "id": 1, "sequence": pending.offer, "actions": [pending.action]}
                await socket.send(json.dumps(said))
            try:
                async with asyncio.timeout(0.2 if pending is None else self._patience or PATIENCE):
                    message = json.loads(await socket.recv())
            except TimeoutError:
                if pending is None:
                    await self._check_alive(socket, time.monotonic() - heard)
                    continue
                assert self._patience is not None, "a decision was never answered"
                raise  # to another server; the decision stays open
            heard = time.monotonic()
            if message["type"] == "letter":
                letter, guest.over = message, bool(message["view"]["over"])
            elif message["type"] == "done" and pending is not None:
                pending.outcome, pending, letter = CONFIRMED, None, None
            elif message["type"] == "error" and message["id"] == 1 and pending is not None:
                letter = await self._refused(guest, pending, letter, message["error"]["reason"])
                pending = None

    async def _check_alive(self, socket: Any, silence: float) -> None:
        """A guest who may go elsewhere asks a silent server whether it lives, as the page does. Raises TimeoutError."""
        if self._patience is not None and silence > self._patience:
            await socket.send(json.dumps({"type": "ping", "id": 2}))
            if silence > 2 * self._patience:
                raise TimeoutError("the server is silent")

    async def _refused(self, guest: Guest, decision: Decision, letter: Any, reason: str) -> Any:
        """Returns the letter to use after a refusal: the same one if the write failed, else a newer one."""
        if reason == "storage":
            guest.storage_errors += 1  # not stored, or the database connection broke at that moment
            await asyncio.sleep(0.2)
            return letter
        assert reason in ("stale", "not_waited_for", "over"), reason
        decision.outcome = REFUSED
        return letter if letter is not None and letter["sequence"] != decision.offer else None

    # --- Afterwards ---

    def compare_with(self, log: Log) -> int:
        """Checks that every confirmed decision is in the log once, and nothing else. Returns the number."""
        for guest in self.guests:
            mine = [
                (n, action) for n, (seat, action) in enumerate(log.get(guest.table, []), start=1) if seat == guest.seat
            ]
            claimed: list[int] = []
            for offer, tries in itertools.groupby(guest.decisions, key=lambda decision: decision.offer):
                sent = [decision for decision in tries if decision.outcome != REFUSED]
                if not sent:
                    continue
                taken = next(((n, action) for n, action in mine if n > offer and n not in claimed), None)
                certain = [decision.action for decision in sent if decision.outcome == CONFIRMED]
                assert len(certain) <= 1, f"two answers to offer {offer} were confirmed"
                if certain:
                    assert taken is not None and taken[1] == certain[0], f"lost: {certain} after {offer}"
                    claimed.append(taken[0])
                elif taken is not None and self._answered(guest, offer, taken[0]):
                    assert taken[1] in [decision.action for decision in sent]
                    claimed.append(taken[0])
            assert claimed == [n for n, _ in mine], f"seat {guest.seat} of {guest.table}: {claimed} {mine}"
        return sum(guest.confirmed for guest in self.guests)

    @staticmethod
    def _answered(guest: Guest, offer: int, number: int) -> bool:
        """Whether decision `number` answers this offer: it came before the next offer that was answered."""
        later = [decision.offer for decision in guest.decisions if decision.offer > offer]
        return not later or number <= min(later)
