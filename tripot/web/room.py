"""A room: one live table, the pages connected to it, and its bots at work.

Everything that reads or changes the table happens under the room's lock, so that no page ever sees a decision
that is not yet written down. If writing fails, the table is built again from its log.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import random
from collections.abc import Callable
from functools import partial

from tripot import GAMES
from tripot.bots.levels import bot_of
from tripot.core.game import Game
from tripot.store.kept import BOT, OVER, PERSON, PLAYING, WAITING, KeptSeat, KeptTable
from tripot.store.store import Store, StoreFailed, TakenAlready
from tripot.table.choice import Choice
from tripot.table.refusal import Refusal
from tripot.table.replay import BadRecord, Record, replay
from tripot.table.table import Offer, Table
from tripot.table.ways import Ways
from tripot.web import letters, tokens
from tripot.web.connection import Code, Connection
from tripot.web.faults import Cause, Fault
from tripot.web.messages import Letter, TableInfo, TableMessage, Tried, Try
from tripot.web.settings import Settings
from tripot.web.summary import invites, outdated, playable, summary
from tripot.web.thinkers import Thinkers, luck_of

RETRY_SECONDS = 1.0
logger = logging.getLogger(__name__)


class Room:
    """One table and everybody at it."""

    def __init__(self, kept: KeptTable, store: Store, thinkers: Thinkers, settings: Settings) -> None:
        self.kept = kept
        self.users = 0  # requests and connections that hold this room
        self._store, self._thinkers, self._settings = store, thinkers, settings
        self._lock = asyncio.Lock()
        self._table: Table | None = None  # built from the log when first needed
        self._connections: set[Connection] = set()
        self._here: set[int] = set()
        self._thinking: dict[tuple[int, int], asyncio.Task[None]] = {}  # by seat and number of the offer
        self._later: set[asyncio.TimerHandle] = set()
        self._ways: dict[int, tuple[int, Ways]] = {}  # by seat: the number of an offer and the ways to answer it

    # --- What anyone may ask ---

    @property
    def quiet(self) -> bool:
        """Whether nothing goes on here, so that the room can be forgotten."""
        return not (self.users or self._connections or self._thinking or self._later)

    def info(self, mine: list[int] | None = None) -> TableInfo:
        return summary(self.kept, self._here, mine)

    def seat_of(self, token: str) -> int | None:
        """The seat that a token is the right to."""
        found = [seat.seat for seat in self.kept.seats if tokens.matches(token, seat.token_hash)]
        return found[0] if found else None

    # --- Coming and going ---

    async def enter(self, connection: Connection) -> None:
        """A page connects: it gets the table and its letter; a person who was away takes over from his bot."""
        async with self._lock:
            self._connections.add(connection)
            seat = connection.seat
            if seat is not None:
                self._here.add(seat)
                if self.kept.seats[seat].held is not None:
                    await self._hold(seat, None)
            table = await self._built()
            self._announce()
            if table is not None:
                self._write_to([connection], table)

    def leave(self, connection: Connection) -> None:
        """A page is gone; its person is away if no other page comes within the time of a reload."""
        self._connections.discard(connection)
        if connection.seat is None:
            self._announce()
        elif not self._connected(connection.seat):
            self._soon(self._settings.grace_seconds, partial(self._gone, connection.seat))

    def _gone(self, seat: int) -> None:
        if seat in self._here and not self._connected(seat):
            self._here.discard(seat)
            self._announce()

    def _connected(self, seat: int) -> bool:
        return any(connection.seat == seat for connection in self._connections)

    # --- Seats ---

    async def join(self, seat: int | None, name: str) -> tuple[int, str]:
        """A person takes a free seat, the first one if he names none. Returns the seat and its token."""
        async with self._lock:
            if outdated(self.kept):
                raise Fault(Cause.OUTDATED)
            free = [place.seat for place in self.kept.free_seats]
            chosen = seat if seat is not None else next(iter(free), None)
            if chosen not in free:
                raise Fault(Cause.SEAT_TAKEN)
            token = tokens.new_token()
            place = self.kept.seats[chosen]
            shown = distinct(name, [other.name for other in self.kept.seats])
            await self._sit(dataclasses.replace(place, name=shown, token_hash=tokens.token_hash(token)))
            return chosen, token

    async def fill(self, seat: int, level: str) -> None:
        """A bot takes a free seat for good."""
        async with self._lock:
            if outdated(self.kept):
                raise Fault(Cause.OUTDATED)
            if seat not in [place.seat for place in self.kept.free_seats]:
                raise Fault(Cause.SEAT_TAKEN)
            bot = bot_seat(GAMES[self.kept.game], seat, level)
            await self._sit(dataclasses.replace(bot, invite=self.kept.seats[seat].invite))

    async def _sit(self, place: KeptSeat) -> None:
        places = [place if other.seat == place.seat else other for other in self.kept.seats]
        kept = dataclasses.replace(self.kept, seats=places)
        table = None
        if not kept.free_seats:
            table = deal(kept)
            kept.status, kept.waiting = PLAYING, bits(table.waiting)
        try:
            await self._store.sit(kept, place)
        except TakenAlready:
            raise Fault(Cause.SEAT_TAKEN) from None
        except StoreFailed as error:
            raise storage_fault(error) from error
        self.kept, self._table = kept, table
        self._announce()
        if table is not None:
            self._write_to(self._connections, table)
            self._wake_bots(table)

    async def hold(self, seat: int, level: str | None) -> None:
        """A bot plays for a person who is away; None: it stops."""
        async with self._lock:
            if seat >= len(self.kept.seats) or self.kept.seats[seat].kind != PERSON or self.kept.seats[seat].free:
                raise Fault(Cause.NOT_ABSENT)
            if level is not None and seat in self._here:
                raise Fault(Cause.NOT_ABSENT)
            await self._hold(seat, level)
            self._announce()
            table = await self._built()
            if table is not None:
                self._wake_bots(table)

    async def _hold(self, seat: int, level: str | None) -> None:
        try:
            await self._store.hold(self.kept.id, seat, level)
        except StoreFailed as error:
            raise storage_fault(error) from error
        self.kept.seats[seat].held = level

    # --- Decisions ---

    async def decide(self, seat: int, actions: list[int], sequence: int, confirm: Callable[[], None]) -> None:
        """Take a person's choice; `confirm` is called once it is written down. Raises Refusal or Fault."""
        async with self._lock:
            table = await self._playing()
            await self._take(table, seat, actions, sequence)
            confirm()
            self._tell_all(table)

    async def attempt(self, seat: int, said: Try) -> Tried:
        """What would follow from decisions that a seat only tries. Raises Refusal or Fault."""
        async with self._lock:
            table = await self._playing()
            if said.any_order:
                choice = table.choice(seat, [], said.sequence)
                ways = await self._ways_of(choice, said.sequence)
                if ways.any_order and ways.joining(said.actions) is not None:
                    return letters.gathered(choice, ways, said)
            return letters.tried(table.choice(seat, said.actions, said.sequence), said)

    async def _ways_of(self, choice: Choice, sequence: int) -> Ways:
        """All the ways to complete a choice; found once for each offer, outside the event loop."""
        known = self._ways.get(choice.seat)
        if known is None or known[0] != sequence:
            known = sequence, await asyncio.to_thread(Ways, choice)
            self._ways[choice.seat] = known
        return known[1]

    async def _take(self, table: Table, seat: int, actions: list[int], sequence: int) -> None:
        before = table.sequence
        try:
            table.decide(seat, actions, sequence)
            kept = dataclasses.replace(self.kept, waiting=bits(table.waiting))
            if table.over:
                kept.status, kept.result = OVER, table.result
            await self._store.append(kept, before, table.decisions[before:])
        except Refusal:
            raise
        except BaseException as error:
            self._table = None  # it holds a decision that was not written: the log decides
            if isinstance(error, StoreFailed):
                raise storage_fault(error) from error
            raise
        self.kept = kept

    def _tell_all(self, table: Table) -> None:
        self._write_to(self._connections, table)
        if table.over:
            self._announce()
        self._wake_bots(table)

    async def _playing(self) -> Table:
        table = await self._built()
        if table is None:
            raise Fault(Cause.NOT_STARTED if self.kept.status == WAITING else Cause.OUTDATED)
        return table

    async def _built(self) -> Table | None:
        """The table, built from its log if need be; None if it has not started or cannot be played here."""
        if self._table is None and self.kept.status != WAITING and playable(self.kept):
            try:
                decisions = await self._store.decisions(self.kept.id)
                again = await self._store.table(self.kept.id)
            except StoreFailed as error:
                raise storage_fault(error) from error
            if again is not None:
                self.kept = again
            try:
                self._table = await asyncio.to_thread(replay, record_of(self.kept, decisions), GAMES)
            except BadRecord as error:
                raise Fault(Cause.BAD_RECORD, error) from None
        return self._table

    # --- Bots ---

    async def resume(self) -> None:
        """Pick up what bots owe, after a restart."""
        async with self._lock:
            table = await self._built()
            if table is not None:
                self._wake_bots(table)

    def _wake_bots(self, table: Table) -> None:
        for seat in table.waiting:
            bot = self._bot_of(seat)
            offer = table.offer(seat)
            if bot is not None and (seat, offer.sequence) not in self._thinking:
                task = asyncio.create_task(self._think(bot, table, offer))
                self._thinking[seat, offer.sequence] = task
                task.add_done_callback(partial(self._thought, seat, offer.sequence))

    def _thought(self, seat: int, sequence: int, _: asyncio.Task[None]) -> None:
        self._thinking.pop((seat, sequence), None)

    def _bot_of(self, seat: int) -> str | None:
        """The notation of the bot that plays a seat now."""
        place = self.kept.seats[seat]
        return place.bot if place.held is None else bot_of(place.held, GAMES[self.kept.game])

    async def _think(self, bot: str, table: Table, offer: Offer) -> None:
        """The bot's choice after a pause that says nothing about what it holds."""
        luck = luck_of(self.kept.seed, offer.seat, offer.sequence)
        pause = self._settings.paces.get(self.kept.pace, 0.0) * random.uniform(0.7, 1.3)
        thought = self._thinkers.choose(self.kept.game, bot, table.view(offer.seat), offer.legal, luck)
        actions, _ = await asyncio.gather(thought, asyncio.sleep(pause), return_exceptions=True)
        if isinstance(actions, BaseException):
            logger.error("the bot %s of table %s failed", bot, self.kept.id, exc_info=actions)
            actions = [random.choice(offer.legal)]
        while True:
            try:
                return await self._play(offer, actions)
            except Fault as fault:
                logger.warning("a bot of table %s waits: %s", self.kept.id, fault)
                await asyncio.sleep(RETRY_SECONDS)

    async def _play(self, offer: Offer, actions: list[int]) -> None:
        async with self._lock:
            table = await self._playing()
            if self._bot_of(offer.seat) is None or table.offer(offer.seat) != offer:
                return  # the person is back, or the game has moved on
            try:
                await self._take(table, offer.seat, actions, offer.sequence)
            except Refusal:
                await self._take(table, offer.seat, actions[:1], offer.sequence)  # what it imagined came otherwise
            self._tell_all(table)

    # --- Telling ---

    def tell_table(self) -> None:
        """Something that all pages show has changed."""
        self._announce()

    def _announce(self) -> None:
        told: dict[int | None, str] = {}
        for connection in list(self._connections):
            if connection.seat not in told:
                told[connection.seat] = self._table_message(connection.seat).model_dump_json()
            connection.send(told[connection.seat])

    def _table_message(self, seat: int | None) -> TableMessage:
        return TableMessage(
            table=self.info(None if seat is None else [seat]),
            seat=seat,
            watchers=sum(connection.seat is None for connection in self._connections),
            engine=self._thinkers.engine.get(self.kept.game, "interpreted"),
            invites=[] if seat is None else invites(self.kept),
        )

    def _write_to(self, connections: set[Connection] | list[Connection], table: Table) -> None:
        """A letter to each of these pages for which something has changed."""
        written: dict[tuple[int, int, int], tuple[Letter, str]] = {}
        for connection in list(connections):
            key = (connection.who, connection.heard, connection.told)
            if key not in written:
                letter = letters.letter(table, *key)
                written[key] = (letter, letter.model_dump_json())
            letter, text = written[key]
            connection.told = table.sequence
            content = (letter.view, letter.legal, letter.sequence if letter.legal else None)
            if letter.news or content != connection.last:
                connection.last = content
                connection.heard = letter.first + len(letter.news)
                connection.send(text)

    # --- The end ---

    def close(self) -> None:
        """The server stops."""
        for handle in self._later:
            handle.cancel()
        for task in list(self._thinking.values()):
            task.cancel()
        for connection in list(self._connections):
            connection.close(Code.RESTART, "the server stops")

    def _soon(self, seconds: float, call: Callable[[], None]) -> None:
        def run() -> None:
            self._later.discard(handle)
            call()

        handle = asyncio.get_running_loop().call_later(seconds, run)
        self._later.add(handle)


def deal(kept: KeptTable) -> Table:
    """The table of a game that is about to start."""
    return replay(record_of(kept, []), GAMES)


def record_of(kept: KeptTable, decisions: list[tuple[int, int]]) -> Record:
    """A kept table with its log as a record."""
    players = [f"person:{seat.name}" if seat.kind == PERSON else seat.bot or "" for seat in kept.seats]
    return Record(
        game=kept.game,
        rules=kept.rules,
        seats=len(kept.seats),
        seed=kept.seed,
        options=kept.options,
        players=players,
        decisions=decisions,
        result=kept.result,
    )


def bot_seat(game: Game, seat: int, level: str) -> KeptSeat:
    """A seat with a bot of this difficulty in it."""
    return KeptSeat(seat, BOT, name=game.text.SEATS[seat].en, level=level, bot=bot_of(level, game))


def distinct(name: str, taken: list[str | None]) -> str:
    """A name that nobody else at the table has."""
    number, shown = 2, name
    while shown in taken:
        shown, number = f"{name} {number}", number + 1
    return shown


def bits(seats: list[int]) -> int:
    return sum(1 << seat for seat in seats)


def storage_fault(error: StoreFailed) -> Fault:
    logger.error("the store failed: %s", error)
    return Fault(Cause.STORAGE)
