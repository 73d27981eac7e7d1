"""A room: one live table, the pages connected to it, and its bots at work.

Everything that reads or changes the table happens under the room's lock, so that no page ever sees a decision
that is not yet written down. If writing fails, the table is built again from its log. Where several processes serve
the same tables, one that loses the race for a decision's number, or hears that another has changed the table, reads
what was written and goes on from there; the bots of a table think in the process that keeps it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import random
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from tripot import GAMES, OLDER
from tripot.bots.levels import bot_of
from tripot.core.game import Game
from tripot.store.models import BOT, OVER, PERSON, PLAYING, WAITING, StoredSeat, StoredTable, record_of
from tripot.store.store import Store, StoreFailed, WriteConflict
from tripot.table.choice import Choice
from tripot.table.completions import Ways
from tripot.table.record import BadRecord, replay
from tripot.table.refusal import Refusal
from tripot.table.table import Offer, Table
from tripot.web.api.messages import Letter, TableInfo, TableMessage, Tried, Try
from tripot.web.live import letters
from tripot.web.live.bot_pool import BotPool, bot_seed
from tripot.web.live.connection import CloseCode, Connection
from tripot.web.live.table_info import game_of, invites, outdated, playable, table_info
from tripot.web.ops import tokens
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings

RETRY_SECONDS = 1.0
RACES = 20  # lost in a row for the next decision's number, before we give up
logger = logging.getLogger(__name__)


class Room:
    """One table and everybody at it."""

    def __init__(
        self, stored: StoredTable, store: Store, bot_pool: BotPool, settings: Settings, metrics: Metrics
    ) -> None:
        self.stored = stored
        self.metrics = metrics
        self.users = 0  # requests and connections that hold this room
        self._store, self._bot_pool, self._settings = store, bot_pool, settings
        self._lock = asyncio.Lock()
        self._table: Table | None = None  # built from the log when first needed
        self._connections: set[Connection] = set()
        self._here: set[int] = set()
        self._thinking: dict[tuple[int, int], asyncio.Task[None]] = {}  # by seat and number of the offer
        self._later: set[asyncio.TimerHandle] = set()
        self._chores: dict[str, asyncio.Task[None]] = {}  # by name: each goes on once at a time
        self._published = (0, 0)  # who is here and how many watch, as other processes know it
        self._rumour = 0  # the highest version that another process is said to have made
        self._closing = False
        self._ways: dict[int, tuple[int, Ways]] = {}  # by seat: the number of an offer and the ways to answer it

    # --- What anyone may ask ---

    @property
    def quiet(self) -> bool:
        """Whether nothing goes on here, so that the room can be forgotten."""
        busy = self.users or self._connections or self._thinking or self._later or self._chores
        return not busy and not any(self._published)

    @property
    def connected(self) -> int:
        """How many pages are connected."""
        return len(self._connections)

    @property
    def seats_here(self) -> int:
        """How many seats have their person here."""
        return len(self._here)

    def info(self, mine: list[int] | None = None) -> TableInfo:
        return table_info(self.stored, self._here, mine)

    def seat_of(self, token: str) -> int | None:
        """The seat that a token is the right to."""
        found = [seat.seat for seat in self.stored.seats if tokens.matches(token, seat.token_hash)]
        return found[0] if found else None

    # --- Coming and going ---

    async def enter(self, connection: Connection) -> None:
        """A page connects: it gets the table and its letter; a person who was away takes over from his bot."""
        async with self._lock:
            self._connections.add(connection)
            seat = connection.seat
            if seat is not None:
                self._here.add(seat)
                if self.stored.seats[seat].held is not None:
                    await self._hold(seat, None)
            table = await self._built()
            self._announce()
            if table is not None:
                self._write_to([connection], table)
        self.publish()

    def leave(self, connection: Connection) -> None:
        """A page is gone; its person is away if no other page comes within the time of a reload."""
        self._connections.discard(connection)
        if connection.seat is None:
            self._announce()
            self.publish()
        elif not self._connected(connection.seat):
            self._soon(self._settings.grace_seconds, partial(self._gone, connection.seat))

    def _gone(self, seat: int) -> None:
        if seat in self._here and not self._connected(seat):
            self._here.discard(seat)
            self._announce()
            self.publish()

    def _connected(self, seat: int) -> bool:
        return any(connection.seat == seat for connection in self._connections)

    # --- Among several processes ---

    def publish(self) -> None:
        """Let other processes know who is here, if that has changed."""
        if self._store.processes is not None and self._published != self._present():
            self._chore("publish", self._publish)

    def unpublished(self) -> None:
        """Other processes have forgotten who is here."""
        self._published = (0, 0)
        self.publish()

    def _present(self) -> tuple[int, int]:
        watchers = sum(connection.seat is None for connection in self._connections)
        return bits(sorted(self._here)), watchers

    async def _publish(self) -> None:
        while self._published != (present := self._present()):
            async with self._lock:
                await self._store.attend(self.stored, *present)
            self._published = present

    def rumour(self, version: int) -> None:
        """Another process is said to have changed this table."""
        self._rumour = max(self._rumour, version)
        if self._rumour > self.stored.version:
            self._chore("follow", self._follow)

    async def _follow(self) -> None:
        while self._rumour > self.stored.version:
            heard = self._rumour
            async with self._lock:
                await self._catch_up()
            if self.stored.version < heard:
                self._rumour = self.stored.version  # the table is gone, or somebody lied

    async def _catch_up(self) -> None:
        """Read what others have written, and tell our pages."""
        stored = await self._store.table(self.stored.id)
        if stored is None or stored.version == self.stored.version:
            return
        before, self.stored = self.stored, stored
        table = self._table
        if table is not None:
            try:
                for seat, action in await self._store.decisions(stored.id, table.sequence):
                    table.decide(seat, action, table.offer(seat).sequence)
            except BaseException:
                self._table = None  # half of what was written, or less: the log decides
                raise
        else:
            table = await self._built()
        if shown(before) != shown(stored):
            self._announce()
        if table is not None:
            self._write_to(self._connections, table)
            self._wake_bots(table)

    def _chore(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something in the background, unless it is being done; what fails is left to the next poll."""

        async def done() -> None:
            try:
                await work()
            except (StoreFailed, ApiError, Refusal) as error:
                logger.warning("table %s: %s failed: %s", self.stored.id, name, error)
            finally:
                del self._chores[name]

        if name not in self._chores and not self._closing:
            self._chores[name] = asyncio.create_task(done())

    # --- Seats ---

    async def join(self, seat: int | None, name: str) -> tuple[int, str]:
        """A person takes a free seat, the first one if he names none. Returns the seat and its token."""
        async with self._lock:
            token = tokens.new_token()

            def person(place: StoredSeat) -> StoredSeat:
                called = distinct(name, [other.name for other in self.stored.seats])
                return dataclasses.replace(place, name=called, token_hash=tokens.token_hash(token))

            return await self._sit(seat, person), token

    async def fill(self, seat: int, level: str) -> None:
        """A bot takes a free seat for good."""
        async with self._lock:

            def bot(place: StoredSeat) -> StoredSeat:
                found = bot_seat(game_of(self.stored), place.seat, level)
                return dataclasses.replace(found, invite=place.invite)

            await self._sit(seat, bot)

    async def _sit(self, seat: int | None, who: Callable[[StoredSeat], StoredSeat]) -> int:
        """Put somebody into a free seat; again if another process has changed the table meanwhile."""
        for _ in range(RACES):
            if outdated(self.stored):
                raise ApiError(ErrorCode.OUTDATED)
            free = {place.seat: place for place in self.stored.free_seats}
            chosen = seat if seat is not None else next(iter(free), -1)
            if chosen not in free:
                raise ApiError(ErrorCode.SEAT_TAKEN)
            try:
                await self._seat(who(free[chosen]))
                return chosen
            except WriteConflict:
                await self._reread()
            except StoreFailed as error:
                raise storage_error(error) from error
        raise ApiError(ErrorCode.STORAGE)

    async def _reread(self) -> None:
        """Somebody was faster: see what he wrote."""
        self._table = None
        try:
            await self._catch_up()
        except StoreFailed as error:
            raise storage_error(error) from error

    async def _seat(self, place: StoredSeat) -> None:
        places = [place if other.seat == place.seat else other for other in self.stored.seats]
        stored = dataclasses.replace(self.stored, seats=places)
        table = None
        if not stored.free_seats:
            table = deal(stored)
            stored.status, stored.waiting = PLAYING, bits(table.waiting)
        await self._store.sit(stored, place)
        self.stored, self._table = stored, table
        logger.info("a seat is taken", extra={"table": stored.id, "seat": place.seat, "status": stored.status})
        self._announce()
        if table is not None:
            self._write_to(self._connections, table)
            self._wake_bots(table)

    async def hold(self, seat: int, level: str | None) -> None:
        """A bot plays for a person who is away; None: it stops."""
        async with self._lock:
            if seat >= len(self.stored.seats) or self.stored.seats[seat].kind != PERSON or self.stored.seats[seat].free:
                raise ApiError(ErrorCode.NOT_ABSENT)
            if level is not None and (seat in self._here or self.stored.elsewhere >> seat & 1):
                raise ApiError(ErrorCode.NOT_ABSENT)
            await self._hold(seat, level)
            self._announce()
            table = await self._built()
            if table is not None:
                self._wake_bots(table)

    async def _hold(self, seat: int, level: str | None) -> None:
        try:
            await self._store.hold(self.stored, seat, level)
        except StoreFailed as error:
            raise storage_error(error) from error

    # --- Decisions ---

    async def decide(self, seat: int, actions: list[int], sequence: int, confirm: Callable[[], None]) -> None:
        """Take a person's choice; `confirm` is called once it is written down. Raises Refusal or ApiError."""
        async with self._lock:
            table = await self._commit_choice(seat, actions, sequence)
            self.metrics.decisions["person"] += 1
            confirm()
            self._tell_all(table)

    async def attempt(self, seat: int, said: Try) -> Tried:
        """What would follow from decisions that a seat only tries. Raises Refusal or ApiError."""
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

    async def _commit_choice(self, seat: int, actions: list[int], sequence: int) -> Table:
        """Take a choice and write it down. Whoever loses the race for its number sees whether it is stale now."""
        for _ in range(RACES):
            table = await self._playing()
            before = table.sequence
            try:
                table.decide(seat, actions, sequence)
                stored = dataclasses.replace(self.stored, waiting=bits(table.waiting))
                if table.over:
                    stored.status, stored.result = OVER, table.result
                await self._store.append(stored, before, table.decisions[before:])
            except Refusal:
                raise
            except WriteConflict:
                await self._reread()
                continue
            except BaseException as error:
                self._table = None  # it holds a decision that was not written, or may not be: the log decides
                self._chore("recover", self._recover)
                if isinstance(error, StoreFailed):
                    raise storage_error(error) from error
                raise
            self.stored = stored
            return table
        raise ApiError(ErrorCode.STORAGE)

    async def _recover(self) -> None:
        """After a write that failed: as soon as the log can be read, everybody hears what is in it."""
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                async with self._lock:
                    table = await self._built()
                    if table is not None:
                        self._tell_all(table)
                    return
            except ApiError as fault:
                if fault.cause is not ErrorCode.STORAGE:
                    raise

    def _tell_all(self, table: Table) -> None:
        self._write_to(self._connections, table)
        if table.over:
            self._announce()
            logger.info("a game is over", extra={"table": self.stored.id, "game": self.stored.game})
        self._wake_bots(table)

    async def _playing(self) -> Table:
        table = await self._built()
        if table is None:
            raise ApiError(ErrorCode.NOT_STARTED if self.stored.status == WAITING else ErrorCode.OUTDATED)
        return table

    async def _built(self) -> Table | None:
        """The table, built from its log if need be; None if it has not started or cannot be played here."""
        if self._table is None and self.stored.status != WAITING and playable(self.stored):
            try:
                found = await self._store.game(self.stored.id)
            except StoreFailed as error:
                raise storage_error(error) from error
            if found is None:
                raise ApiError(ErrorCode.NO_TABLE)
            self.stored, decisions = found
            try:
                self._table = await asyncio.to_thread(replay, record_of(self.stored, decisions), GAMES, OLDER)
            except BadRecord as error:
                raise ApiError(ErrorCode.BAD_RECORD, error) from None
        return self._table

    # --- Bots ---

    async def resume(self) -> None:
        """Pick up what bots owe, after a restart or when their process is gone."""
        async with self._lock:
            if not self._keeping:
                await self._catch_up()
            table = await self._built()
            if table is not None:
                self._wake_bots(table)

    @property
    def _keeping(self) -> bool:
        """Whether the bots of this table think here."""
        return self._store.processes is None or self.stored.keeper == self._store.processes.name

    def _wake_bots(self, table: Table) -> None:
        if not self._keeping or self._closing:
            return
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
        place = self.stored.seats[seat]
        return place.bot if place.held is None else bot_of(place.held, game_of(self.stored))

    async def _think(self, bot: str, table: Table, offer: Offer) -> None:
        """The bot's choice after a pause that says nothing about what it holds."""
        luck = bot_seed(self.stored.seed, offer.seat, offer.sequence)
        pause = self._settings.paces.get(self.stored.pace, 0.0) * random.uniform(0.7, 1.3)
        thought = self._bot_pool.choose(table.game, bot, table.view(offer.seat), offer.legal, luck)
        actions, _ = await asyncio.gather(self._timed(thought), asyncio.sleep(pause), return_exceptions=True)
        if isinstance(actions, BaseException):
            logger.error("the bot %s of table %s failed", bot, self.stored.id, exc_info=actions)
            actions = [random.choice(offer.legal)]
        while True:
            try:
                return await self._play(offer, actions)
            except ApiError as fault:
                logger.warning("a bot of table %s waits: %s", self.stored.id, fault)
                await asyncio.sleep(RETRY_SECONDS)

    async def _timed(self, thought: Coroutine[Any, Any, list[int]]) -> list[int]:
        since = time.monotonic()
        try:
            return await thought
        finally:
            self.metrics.thought.note(time.monotonic() - since)

    async def _play(self, offer: Offer, actions: list[int]) -> None:
        async with self._lock:
            table = await self._playing()
            if not self._keeping or self._closing:
                return
            if self._bot_of(offer.seat) is None or table.offer(offer.seat) != offer:
                return  # the person is back, or the game has moved on
            try:
                table = await self._commit_choice(offer.seat, actions, offer.sequence)
            except Refusal:
                if table.offer(offer.seat) != offer:
                    return  # another process was faster
                table = await self._commit_choice(
                    offer.seat, actions[:1], offer.sequence
                )  # what it imagined came otherwise
            self.metrics.decisions["bot"] += 1
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
            watchers=self._present()[1] + self.stored.watching,
            engine=self._bot_pool.engine.get(self.stored.game, "interpreted"),
            invites=[] if seat is None else invites(self.stored),
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
            content = (letters.lasting(text), letter.sequence if letter.legal else None)
            if letter.news or content != connection.last:
                connection.last = content
                connection.heard = letter.first + len(letter.news)
                connection.send(text)

    # --- The end ---

    async def close(self) -> None:
        """The server stops: what is being written is finished, nothing new begun, everybody told."""
        self._closing = True
        for handle in self._later:
            handle.cancel()
        async with self._lock:
            tasks = [*self._thinking.values(), *self._chores.values()]
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self._connections):
            connection.close(CloseCode.RESTART, "the server stops")

    def _soon(self, seconds: float, call: Callable[[], None]) -> None:
        def run() -> None:
            self._later.discard(handle)
            call()

        handle = asyncio.get_running_loop().call_later(seconds, run)
        self._later.add(handle)


def deal(stored: StoredTable) -> Table:
    """The table of a game that is about to start."""
    return replay(record_of(stored, []), GAMES, OLDER)


def bot_seat(game: Game, seat: int, level: str) -> StoredSeat:
    """A seat with a bot of this difficulty in it."""
    return StoredSeat(seat, BOT, name=game.text.SEATS[seat].en, level=level, bot=bot_of(level, game))


def distinct(name: str, taken: list[str | None]) -> str:
    """A name that nobody else at the table has."""
    number, shown = 2, name
    while shown in taken:
        shown, number = f"{name} {number}", number + 1
    return shown


def shown(stored: StoredTable) -> tuple[object, ...]:
    """What pages show of a table beside the game itself."""
    return stored.seats, stored.status, stored.elsewhere, stored.watching


def bits(seats: list[int]) -> int:
    return sum(1 << seat for seat in seats)


def storage_error(error: StoreFailed) -> ApiError:
    logger.error("the store failed: %s", error)
    return ApiError(ErrorCode.STORAGE)
