"""A room: one live table, the pages connected to it, and its bots.

Everything that reads or changes the table holds the room's lock, so that no page sees a decision before it is stored.
If a write fails, the room builds the table again from its log. Where several processes serve the same tables, a room
that loses the race for a decision number, or is notified of a change, reads what the other process wrote and continues
from there. One process runs the bots of a table.
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
from tripot.bots.bot import UnknownBot
from tripot.bots.levels import bot_of
from tripot.core.game import Game
from tripot.store.models import BOT, OVER, PERSON, PLAYING, WAITING, StoredSeat, StoredTable, record_of
from tripot.store.store import Store, StoreFailed, WriteConflict
from tripot.table.choice import Choice
from tripot.table.completions import Completions
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
MAX_CONFLICTS = 20  # write conflicts in a row before a request fails
logger = logging.getLogger(__name__)


class Room:
    """One table, its connections and its bots."""

    def __init__(
        self, stored: StoredTable, store: Store, bot_pool: BotPool, settings: Settings, metrics: Metrics
    ) -> None:
        self.stored = stored
        self.metrics = metrics
        self.users = 0  # requests and connections that hold this room
        self._store, self._bot_pool, self._settings = store, bot_pool, settings
        self._lock = asyncio.Lock()
        self._table: Table | None = None  # built from the log on first use
        self._connections: set[Connection] = set()
        self._present_seats: set[int] = set()
        self._bot_tasks: dict[tuple[int, int], asyncio.Task[None]] = {}  # by seat and sequence of the offer
        self._timers: set[asyncio.TimerHandle] = set()
        self._background: dict[str, asyncio.Task[None]] = {}  # by name: one task of each name at a time
        self._published = (0, 0)  # the presence that other processes know
        self._remote_version = 0  # the highest version announced by another process
        self._closing = False
        self._ways: dict[int, tuple[int, Completions]] = {}  # by seat: the number of an offer and the ways to answer it

    # --- Information ---

    @property
    def idle(self) -> bool:
        """Whether nothing happens here, so that the room can be unloaded."""
        busy = self.users or self._connections or self._bot_tasks or self._timers or self._background
        return not busy and not any(self._published)

    @property
    def connected(self) -> int:
        """The number of connected pages."""
        return len(self._connections)

    @property
    def seats_present(self) -> int:
        """The number of seats whose person is connected here."""
        return len(self._present_seats)

    def info(self, mine: list[int] | None = None) -> TableInfo:
        return table_info(self.stored, self._present_seats, mine)

    def seat_of(self, token: str) -> int | None:
        """Returns the seat of a token, or None."""
        found = [seat.seat for seat in self.stored.seats if tokens.matches(token, seat.token_hash)]
        return found[0] if found else None

    # --- Connections ---

    async def enter(self, connection: Connection) -> None:
        """Connects a page and sends it the table and a letter. A person who returns takes over from their bot."""
        async with self._lock:
            self._connections.add(connection)
            seat = connection.seat
            if seat is not None:
                self._present_seats.add(seat)
                if self.stored.seats[seat].held is not None:
                    await self._hold(seat, None)
            table = await self._load_table()
            self.send_table()
            if table is not None:
                self._send_letters([connection], table)
        self.publish_presence()

    def leave(self, connection: Connection) -> None:
        """Disconnects a page. Its person is absent if no page of theirs connects within `grace_seconds`."""
        self._connections.discard(connection)
        if connection.seat is None:
            self.send_table()
            self.publish_presence()
        elif not self._connected(connection.seat):
            self._call_later(self._settings.grace_seconds, partial(self._mark_absent, connection.seat))

    def _mark_absent(self, seat: int) -> None:
        if seat in self._present_seats and not self._connected(seat):
            self._present_seats.discard(seat)
            self.send_table()
            self.publish_presence()

    def _connected(self, seat: int) -> bool:
        return any(connection.seat == seat for connection in self._connections)

    # --- Several processes ---

    def publish_presence(self) -> None:
        """Tells other processes who is connected here, if that has changed."""
        if self._store.processes is not None and self._published != self._presence():
            self._run_in_background("publish", self._publish_presence)

    def republish_presence(self) -> None:
        """Publishes again who is connected, after other processes removed this one."""
        self._published = (0, 0)
        self.publish_presence()

    def _presence(self) -> tuple[int, int]:
        watchers = sum(connection.seat is None for connection in self._connections)
        return bits(sorted(self._present_seats)), watchers

    async def _publish_presence(self) -> None:
        while self._published != (present := self._presence()):
            async with self._lock:
                await self._store.publish_presence(self.stored, *present)
            self._published = present

    def on_remote_change(self, version: int) -> None:
        """Another process has announced this version of the table."""
        self._remote_version = max(self._remote_version, version)
        if self._remote_version > self.stored.version:
            self._run_in_background("follow", self._follow)

    async def _follow(self) -> None:
        while self._remote_version > self.stored.version:
            announced = self._remote_version
            async with self._lock:
                await self._catch_up()
            if self.stored.version < announced:
                self._remote_version = self.stored.version  # the table was deleted, or the notification was wrong

    async def _catch_up(self) -> None:
        """Reads what other processes wrote, and updates the pages."""
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
                self._table = None  # it may hold only some of these decisions: build it from the log
                raise
        else:
            table = await self._load_table()
        if shown_state(before) != shown_state(stored):
            self.send_table()
        if table is not None:
            self._send_letters(self._connections, table)
            self._start_bots(table)

    def _run_in_background(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Starts a background task, unless one of this name runs. The next poll repeats what failed."""

        async def done() -> None:
            try:
                await work()
            except (StoreFailed, ApiError, Refusal) as error:
                logger.warning("table %s: %s failed: %s", self.stored.id, name, error)
            finally:
                del self._background[name]

        if name not in self._background and not self._closing:
            self._background[name] = asyncio.create_task(done())

    # --- Seats ---

    async def join(self, seat: int | None, name: str) -> tuple[int, str]:
        """Seats a person in a free seat, the first one if `seat` is None. Returns the seat and its token."""
        async with self._lock:
            token = tokens.new_token()

            def person(place: StoredSeat) -> StoredSeat:
                unique = unique_name(name, [other.name for other in self.stored.seats])
                return dataclasses.replace(place, name=unique, token_hash=tokens.token_hash(token))

            return await self._sit(seat, person), token

    async def fill(self, seat: int, level: str) -> None:
        """Gives a free seat to a bot for the whole game."""
        async with self._lock:

            def bot(place: StoredSeat) -> StoredSeat:
                found = bot_seat(game_of(self.stored), place.seat, level)
                return dataclasses.replace(found, invite=place.invite)

            await self._sit(seat, bot)

    async def _sit(self, seat: int | None, who: Callable[[StoredSeat], StoredSeat]) -> int:
        """Fills a free seat. Tries again if another process changed the table meanwhile."""
        for _ in range(MAX_CONFLICTS):
            if outdated(self.stored):
                raise ApiError(ErrorCode.OUTDATED)
            free = {place.seat: place for place in self.stored.free_seats}
            chosen = seat if seat is not None else next(iter(free), -1)
            if chosen not in free:
                raise ApiError(ErrorCode.SEAT_TAKEN)
            try:
                await self._write_seat(who(free[chosen]))
                return chosen
            except WriteConflict:
                await self._reread()
            except StoreFailed as error:
                raise storage_error(error) from error
        raise ApiError(ErrorCode.STORAGE)

    async def _reread(self) -> None:
        """Reads the table again after a write conflict."""
        self._table = None
        try:
            await self._catch_up()
        except StoreFailed as error:
            raise storage_error(error) from error

    async def _write_seat(self, place: StoredSeat) -> None:
        places = [place if other.seat == place.seat else other for other in self.stored.seats]
        stored = dataclasses.replace(self.stored, seats=places)
        table = None
        if not stored.free_seats:
            table = deal(stored)
            stored.status, stored.waiting = PLAYING, bits(table.waiting)
        await self._store.sit(stored, place)
        self.stored, self._table = stored, table
        logger.info("a seat is taken", extra={"table": stored.id, "seat": place.seat, "status": stored.status})
        self.send_table()
        if table is not None:
            self._send_letters(self._connections, table)
            self._start_bots(table)

    async def hold(self, seat: int, level: str | None) -> None:
        """Lets a bot play for an absent person; None: the bot stops."""
        async with self._lock:
            if seat >= len(self.stored.seats) or self.stored.seats[seat].kind != PERSON or self.stored.seats[seat].free:
                raise ApiError(ErrorCode.NOT_ABSENT)
            if level is not None and (seat in self._present_seats or self.stored.seats_elsewhere >> seat & 1):
                raise ApiError(ErrorCode.NOT_ABSENT)
            if level is not None:
                bot_of_level(game_of(self.stored), level)
            await self._hold(seat, level)
            self.send_table()
            table = await self._load_table()
            if table is not None:
                self._start_bots(table)

    async def _hold(self, seat: int, level: str | None) -> None:
        try:
            await self._store.hold(self.stored, seat, level)
        except StoreFailed as error:
            raise storage_error(error) from error

    # --- Decisions ---

    async def decide(self, seat: int, actions: list[int], sequence: int, confirm: Callable[[], None]) -> None:
        """Plays a person's choice and calls `confirm` once it is stored. Raises Refusal or ApiError."""
        async with self._lock:
            table = await self._commit_choice(seat, actions, sequence)
            self.metrics.decisions["person"] += 1
            confirm()
            self._send_updates(table)

    async def attempt(self, seat: int, said: Try) -> Tried:
        """Returns what would follow from decisions that a seat tries out. Raises Refusal or ApiError."""
        async with self._lock:
            table = await self._require_table()
            if said.any_order:
                choice = table.choice(seat, [], said.sequence)
                ways = await self._ways_of(choice, said.sequence)
                if ways.any_order and ways.joining(said.actions) is not None:
                    return letters.gathered(choice, ways, said)
            return letters.tried(table.choice(seat, said.actions, said.sequence), said)

    async def _ways_of(self, choice: Choice, sequence: int) -> Completions:
        """Returns all ways to complete a choice. Computes them once for each offer, outside the event loop."""
        known = self._ways.get(choice.seat)
        if known is None or known[0] != sequence:
            known = sequence, await asyncio.to_thread(Completions, choice)
            self._ways[choice.seat] = known
        return known[1]

    async def _commit_choice(self, seat: int, actions: list[int], sequence: int) -> Table:
        """Plays a choice and stores it. After a write conflict, checks it again on the newest table."""
        for _ in range(MAX_CONFLICTS):
            table = await self._require_table()
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
                self._table = None  # its last decision may not be stored: build it from the log
                self._run_in_background("recover", self._recover)
                if isinstance(error, StoreFailed):
                    raise storage_error(error) from error
                raise
            self.stored = stored
            return table
        raise ApiError(ErrorCode.STORAGE)

    async def _recover(self) -> None:
        """After a failed write: sends the stored state to all pages as soon as the log can be read."""
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                async with self._lock:
                    table = await self._load_table()
                    if table is not None:
                        self._send_updates(table)
                    return
            except ApiError as error:
                if error.code is not ErrorCode.STORAGE:
                    raise

    def _send_updates(self, table: Table) -> None:
        self._send_letters(self._connections, table)
        if table.over:
            self.send_table()
            logger.info("a game is over", extra={"table": self.stored.id, "game": self.stored.game})
        self._start_bots(table)

    async def _require_table(self) -> Table:
        table = await self._load_table()
        if table is None:
            raise ApiError(ErrorCode.NOT_STARTED if self.stored.status == WAITING else ErrorCode.OUTDATED)
        return table

    async def _load_table(self) -> Table | None:
        """Returns the table, built from its log on first use. None if it has not started or is not playable here."""
        if self._table is None and self.stored.status != WAITING and playable(self.stored):
            try:
                found = await self._store.table_with_log(self.stored.id)
            except StoreFailed as error:
                raise storage_error(error) from error
            if found is None:
                raise ApiError(ErrorCode.NO_TABLE)
            self.stored, decisions = found
            try:
                self._table = await asyncio.to_thread(replay, record_of(self.stored, decisions), GAMES, OLDER)
            except BadRecord as error:
                raise ApiError(ErrorCode.BAD_RECORD, error) from None
            self._table.keeps_moments = True
        return self._table

    # --- Bots ---

    async def resume(self) -> None:
        """Starts the bots that must decide, after a restart or when the process that ran them is gone."""
        async with self._lock:
            if not self._runs_bots:
                await self._catch_up()
            table = await self._load_table()
            if table is not None:
                self._start_bots(table)

    @property
    def _runs_bots(self) -> bool:
        """Whether this process runs the bots of this table."""
        return self._store.processes is None or self.stored.bot_process == self._store.processes.name

    def _start_bots(self, table: Table) -> None:
        if not self._runs_bots or self._closing:
            return
        for seat in table.waiting:
            bot = self._bot_of(seat)
            offer = table.offer(seat)
            if bot is not None and (seat, offer.sequence) not in self._bot_tasks:
                task = asyncio.create_task(self._run_bot(bot, table, offer))
                self._bot_tasks[seat, offer.sequence] = task
                task.add_done_callback(partial(self._bot_done, seat, offer.sequence))

    def _bot_done(self, seat: int, sequence: int, _: asyncio.Task[None]) -> None:
        self._bot_tasks.pop((seat, sequence), None)

    def _bot_of(self, seat: int) -> str | None:
        """Returns the notation of the bot that plays a seat now, or None."""
        place = self.stored.seats[seat]
        return place.bot if place.held is None else bot_of(place.held, game_of(self.stored))

    async def _run_bot(self, bot: str, table: Table, offer: Offer) -> None:
        """Plays a bot's choice. The pause is random and does not depend on what the bot holds."""
        seed = bot_seed(self.stored.seed, offer.seat, offer.sequence)
        pause = self._settings.paces.get(self.stored.pace, 0.0) * random.uniform(0.7, 1.3)
        choosing = self._bot_pool.choose(table.game, bot, table.view(offer.seat), offer.legal, seed)
        actions, _ = await asyncio.gather(self._timed(choosing), asyncio.sleep(pause), return_exceptions=True)
        if isinstance(actions, BaseException):
            logger.error("bot %s of table %s failed, playing a random decision", bot, self.stored.id, exc_info=actions)
            actions = [random.choice(offer.legal)]
        while True:
            try:
                return await self._play_bot_choice(offer, actions)
            except ApiError as error:
                logger.warning("a bot of table %s cannot play yet: %s", self.stored.id, error)
                await asyncio.sleep(RETRY_SECONDS)

    async def _timed(self, choosing: Coroutine[Any, Any, list[int]]) -> list[int]:
        since = time.monotonic()
        try:
            return await choosing
        finally:
            self.metrics.bot_seconds.observe(time.monotonic() - since)

    async def _play_bot_choice(self, offer: Offer, actions: list[int]) -> None:
        async with self._lock:
            table = await self._require_table()
            if not self._runs_bots or self._closing:
                return
            if self._bot_of(offer.seat) is None or table.offer(offer.seat) != offer:
                return  # the person is back, or the offer is stale
            try:
                table = await self._commit_choice(offer.seat, actions, offer.sequence)
            except Refusal:
                if table.offer(offer.seat) != offer:
                    return  # another process played first
                # The rest of the choice rested on an outcome that did not come: play its first decision.
                table = await self._commit_choice(offer.seat, actions[:1], offer.sequence)
            self.metrics.decisions["bot"] += 1
            self._send_updates(table)

    # --- Sending ---

    def send_table(self) -> None:
        """Sends the table message to all pages."""
        written: dict[int | None, str] = {}
        for connection in list(self._connections):
            if connection.seat not in written:
                written[connection.seat] = self._table_message(connection.seat).model_dump_json()
            connection.send(written[connection.seat])

    def _table_message(self, seat: int | None) -> TableMessage:
        return TableMessage(
            table=self.info(None if seat is None else [seat]),
            seat=seat,
            watchers=self._presence()[1] + self.stored.watchers_elsewhere,
            engine=self._bot_pool.engine.get(self.stored.game, "interpreted"),
            invites=[] if seat is None else invites(self.stored),
        )

    def _send_letters(self, connections: set[Connection] | list[Connection], table: Table) -> None:
        """Sends a letter to those of these pages for which something has changed."""
        written: dict[tuple[int, int, int], tuple[Letter, str]] = {}
        for connection in list(connections):
            key = (connection.viewer, connection.news_count, connection.sent_sequence)
            if key not in written:
                letter = letters.letter(table, *key)
                written[key] = (letter, letter.model_dump_json())
            letter, text = written[key]
            connection.sent_sequence = table.sequence
            content = letters.lasting(letter)
            if letter.news or content != connection.last_content:
                connection.last_content = content
                connection.news_count = letter.first + len(letter.news)
                connection.send(text)

    # --- Closing ---

    async def close(self) -> None:
        """Finishes a write in progress, starts nothing new, and closes all connections."""
        self._closing = True
        for handle in self._timers:
            handle.cancel()
        async with self._lock:
            tasks = [*self._bot_tasks.values(), *self._background.values()]
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self._connections):
            connection.close(CloseCode.RESTART, "the server stops")

    def _call_later(self, seconds: float, call: Callable[[], None]) -> None:
        def run() -> None:
            self._timers.discard(handle)
            call()

        handle = asyncio.get_running_loop().call_later(seconds, run)
        self._timers.add(handle)


def deal(stored: StoredTable) -> Table:
    """Returns the table of a game that starts now."""
    table = replay(record_of(stored, []), GAMES, OLDER)
    table.keeps_moments = True
    return table


def bot_seat(game: Game, seat: int, level: str) -> StoredSeat:
    """Returns a seat with a bot of this level. Raises ApiError if the game has no such level."""
    return StoredSeat(seat, BOT, name=game.text.SEATS[seat].en, level=level, bot=bot_of_level(game, level))


def bot_of_level(game: Game, level: str) -> str:
    """Returns the notation of the bot that plays a level. Raises ApiError if the game has no such level."""
    try:
        return bot_of(level, game)
    except UnknownBot as error:
        raise ApiError(ErrorCode.UNKNOWN_BOT, error) from None


def unique_name(name: str, taken: list[str | None]) -> str:
    """Returns `name`, with a number if another player at the table has it."""
    number, shown = 2, name
    while shown in taken:
        shown, number = f"{name} {number}", number + 1
    return shown


def shown_state(stored: StoredTable) -> tuple[object, ...]:
    """Returns the parts of a table that its table message shows and that another process can change."""
    return stored.seats, stored.status, stored.seats_elsewhere, stored.watchers_elsewhere


def bits(seats: list[int]) -> int:
    return sum(1 << seat for seat in seats)


def storage_error(error: StoreFailed) -> ApiError:
    logger.error("the store failed: %s", error)
    return ApiError(ErrorCode.STORAGE)
