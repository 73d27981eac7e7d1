"""A room: one live table, the pages connected to it, and its bots.

Everything that reads or changes the table holds the room's lock, so that no page sees a decision before it is stored.
If a write fails, the room builds the table again from its log. Where several processes serve the same tables, a room
that loses the race for a decision number, or is notified of a change, reads what the other process wrote and continues
from there. One process runs the bots of a table.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from tripot import GAMES, OLDER
from tripot.bots.levels import bot_of
from tripot.core.guide import Forced
from tripot.store.models import ENDED, OVER, PERSON, PLAYING, WAITING, StoredTable, now, record_of
from tripot.store.store import Damaged, Store, StoreFailed, WriteConflict
from tripot.table.choice import Choice
from tripot.table.completions import Completions
from tripot.table.record import BadRecord, replay
from tripot.table.refusal import Refusal
from tripot.table.table import Offer, Table
from tripot.web.api.messages import CHANGES, Clock, Phrase, Spoken, TableInfo, TableMessage, Tried, Try, encode
from tripot.web.live import letters, seating, shuffling
from tripot.web.live.bot_pool import BotPool, bot_seed
from tripot.web.live.connection import CloseCode, Connection
from tripot.web.live.letters import Sent
from tripot.web.live.shuffling import bits
from tripot.web.live.table_info import deal_info, game_of, link_path, playable, table_info
from tripot.web.ops import tokens
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.settings import Settings
from tripot.web.ops.token_bucket import TokenBuckets

RETRY_SECONDS = 1.0
LEAST_MILLISECONDS = 5_000  # for a person whose time ran out while the server was down
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
        self.visitors: dict[int, str] = {}  # by seat, for whom the bots of this table think
        self._store, self._bot_pool, self._settings = store, bot_pool, settings
        self._lock = asyncio.Lock()
        self._table: Table | None = None  # built from the log on first use
        self._connections: set[Connection] = set()
        self._present_seats: set[int] = set()
        self._bot_tasks: dict[tuple[int, int], asyncio.Task[None]] = {}  # by seat and sequence of the offer
        self._timers: set[asyncio.TimerHandle] = set()
        self._background: dict[str, asyncio.Task[None]] = {}  # by name: one task of each name at a time
        self._shuffle = ""  # what the deal waits for
        self._published = (0, 0)  # the presence that other processes know
        self._remote_version = 0  # the highest version announced by another process
        self._closing = False
        self._left: dict[int, float] = dict.fromkeys(range(len(stored.seats)), time.monotonic())  # when absent
        self._phrases = TokenBuckets(settings.phrases_at_once, settings.phrases_per_second)  # by seat
        self._clocks: dict[int, tuple[int, int]] = {}  # by seat: number and deadline of an offer
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
        return table_info(self.stored, self._present_seats, mine, self.host, self._watchers)

    def seat_of(self, token: str) -> int | None:
        """Returns the seat of a token, or None."""
        return next((seat.seat for seat in self.stored.seats if tokens.opens(token, seat)), None)

    @property
    def present(self) -> list[int]:
        """The seats whose persons are connected, here or to another process."""
        elsewhere = self.stored.seats_elsewhere
        return [
            seat.seat for seat in self.stored.seats if seat.seat in self._present_seats or elsewhere >> seat.seat & 1
        ]

    @property
    def host(self) -> int | None:
        """The seat that has the host's rights. They pass to another person while the host is away for long."""
        owner = self.stored.owner
        if owner is None or owner in self.present:
            return owner
        away = time.monotonic() - self._left.get(owner, time.monotonic())
        return next(iter(self.present), owner) if away > self._settings.host_seconds else owner

    def require_host(self, seat: int | None) -> None:
        """Raises ApiError unless the host sits there."""
        if seat is None:
            raise ApiError(ErrorCode.NOT_SEATED)
        if seat != self.host:
            raise ApiError(ErrorCode.NOT_HOST)

    @property
    def _watchers(self) -> int:
        return self._presence()[1] + self.stored.watchers_elsewhere

    # --- Connections ---

    async def enter(self, connection: Connection) -> None:
        """Connects a page and sends it the table and a letter. A person who returns takes over from their bot."""
        async with self._lock:
            self._check_right(connection)
            self._connections.add(connection)
            seat = connection.seat
            if seat is not None:
                self._present_seats.add(seat)
                self.visitors[seat] = connection.visitor
                if self.stored.seats[seat].held is not None:
                    await self._write(partial(seating.held, seat=seat, level=None))
                waited = self.stored.status == WAITING
                await self._write(partial(shuffling.announced, seat=seat, commitment=connection.commitment))
                if waited and self.stored.status != WAITING:
                    self._close_strangers()
                    await self._send_all()
                    return self.publish_presence()
            table = await self._load_table()
            self.send_table()
            self._watch_shuffle()
            if table is not None:
                self._send_letters([connection], table)
                await self._wind_clocks(table)
        self.publish_presence()

    def _check_right(self, connection: Connection) -> None:
        """Raises ApiError if a page has lost its seat, or may no longer watch, while it waited for the lock."""
        if connection.token is None and not self.may_watch:
            raise ApiError(ErrorCode.NO_TABLE)
        if connection.token is not None and self.seat_of(connection.token) != connection.seat:
            raise ApiError(ErrorCode.WRONG_TOKEN)

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
            self._left[seat] = time.monotonic()
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
            self._close_strangers()
            self.send_table()
            self._watch_shuffle()
        if table is not None:
            self._send_letters(self._connections, table)
            await self._start_bots(table)

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
        """Seats a person in a free seat. Returns the seat and its token."""
        token = tokens.new_token()
        await self.change(partial(seating.joined, seat=seat, name=name, token=token))
        taken = self.seat_of(token)
        if taken is None:
            raise ApiError(ErrorCode.SEAT_TAKEN)
        logger.info("a seat is taken", extra={"table": self.stored.id, "seat": taken, "status": self.stored.status})
        return taken, token

    async def hold(self, seat: int, level: str | None) -> None:
        """Lets a bot play for an absent person; None: the bot stops."""
        if level is not None and seat in self.present:
            raise ApiError(ErrorCode.NOT_ABSENT)
        await self.change(partial(seating.held, seat=seat, level=level))

    async def rematch(self, seat: int) -> str:
        """Opens the next table of this company, once. Returns its id."""
        async with self._lock:
            if self.stored.rematch is None:
                following = seating.rematch(self.stored, {*self.present, seat}, seat)
                try:
                    await self._store.create(following)
                except StoreFailed as error:
                    raise storage_error(error) from error
                # Whoever is first decides: another process may have opened one meanwhile.
                await self._write(lambda stored: replace(stored, rematch=stored.rematch or following.id))
                self.send_table()
            assert self.stored.rematch is not None
            return self.stored.rematch

    async def change(self, make: Callable[[StoredTable], StoredTable]) -> None:
        """Changes who sits where or how the table is run: see `seating`. Raises ApiError."""
        async with self._lock:
            await self._write(make)
            self._close_strangers()
            await self._send_all()

    async def _send_all(self) -> None:
        """Sends table and letters to every page, and starts what must start."""
        self.send_table()
        self._watch_shuffle()
        table = await self._load_table()
        if table is not None:
            self._send_letters(self._connections, table)
            await self._start_bots(table)

    async def _write(self, make: Callable[[StoredTable], StoredTable]) -> None:
        """Writes a change. Tries again if another process changed the table meanwhile."""
        for _ in range(MAX_CONFLICTS):
            after = make(self.stored)
            if after is self.stored:
                return  # nothing changes
            try:
                await self._store.rewrite(self.stored, after)
            except WriteConflict:
                await self._reread()
            except StoreFailed as error:
                raise storage_error(error) from error
            else:
                self.stored = after
                return
        raise ApiError(ErrorCode.STORAGE)

    async def _reread(self) -> None:
        """Reads the table again after a write conflict."""
        self._table = None
        try:
            await self._catch_up()
        except StoreFailed as error:
            raise storage_error(error) from error

    def _close_strangers(self) -> None:
        """Closes the connections of those who have lost their seat, or who may no longer watch."""
        self._present_seats -= {seat.seat for seat in self.stored.free_seats}
        for connection in list(self._connections):
            seat = None if connection.token is None else self.seat_of(connection.token)
            if connection.token is not None and seat != connection.seat:
                connection.close(CloseCode.WRONG_TOKEN, "this seat is given to somebody else")
            elif connection.token is None and not self.may_watch:
                connection.close(CloseCode.NO_TABLE, "nobody may watch")

    @property
    def may_watch(self) -> bool:
        """Whether everyone who knows the address may see this table, played or finished."""
        waits = self.stored.open and self.stored.status == WAITING
        return self.stored.watch or waits or (self.stored.published and self.stored.status == OVER)

    # --- The shuffle ---

    def _watch_shuffle(self) -> None:
        """Gives the browsers of a full table their time to announce, and then to show, what they add to the seed."""
        before, self._shuffle = self._shuffle, shuffling.phase(self.stored)
        if self._shuffle and self._shuffle != before:
            give_up = partial(self._run_in_background, "shuffle", partial(self._give_up, self._shuffle))
            self._call_later(self._settings.shuffle_seconds, give_up)

    async def _give_up(self, phase: str) -> None:
        if shuffling.phase(self.stored) == phase:
            await self.change(shuffling.given_up)

    # --- Phrases ---

    def say(self, seat: int, phrase: Phrase) -> None:
        """Sends a phrase to everyone at the table."""
        for connection in list(self._connections):
            connection.send(Spoken(seat=seat, phrase=phrase))

    async def say_everywhere(self, seat: int, phrase: Phrase) -> None:
        """Sends a phrase to everyone at the table, also through other processes. Raises ApiError."""
        if not self._phrases.allows(str(seat)):
            raise ApiError(ErrorCode.TOO_FAST)
        self.say(seat, phrase)
        try:
            await self._store.say(self.stored, seat, phrase)
        except StoreFailed as error:
            raise storage_error(error) from error

    # --- Decisions ---

    async def decide(self, seat: int, actions: list[int], sequence: int, confirm: Callable[[], None]) -> None:
        """Plays a person's choice and calls `confirm` once it is stored. Raises Refusal or ApiError."""
        async with self._lock:
            table = await self._commit_choice(seat, actions, sequence)
            self.metrics.decisions["person"] += 1
            confirm()
            await self._send_updates(table)

    async def attempt(self, seat: int, said: Try) -> Tried:
        """Returns what would follow from decisions that a seat tries out. Raises Refusal or ApiError."""
        self._store.hurry()  # the next question about this choice comes soon
        async with self._lock:
            table = await self._require_table()
            if said.any_order:
                choice = table.choice(seat, [], said.sequence)
                ways = await self._ways_of(choice, said.sequence)
                if ways.any_order and ways.joining(said.actions) is not None:
                    return letters.gathered(choice, ways, said)
            return letters.tried(table.choice(seat, said.actions, said.sequence), said)

    async def choice(self, seat: int, sequence: int) -> Choice:
        """Returns the choice of a seat before its first decision. Raises Refusal or ApiError."""
        async with self._lock:
            return (await self._require_table()).choice(seat, [], sequence)

    async def seen_by(self, seat: int) -> tuple[Table, Any]:
        """Returns the table and what a seat sees of it. Raises ApiError."""
        async with self._lock:
            table = await self._require_table()
            return table, table.view(seat)

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
                stored = self.stored.copy()
                stored.waiting = table.waiting_bits
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
                        await self._send_updates(table)
                    return
            except ApiError as error:
                if error.code is not ErrorCode.STORAGE:
                    raise

    async def _send_updates(self, table: Table) -> None:
        table = await self._take_only_answers(table)
        self._send_letters(self._connections, table)
        if table.over:
            self.send_table()
            logger.info("a game is over", extra={"table": self.stored.id, "game": self.stored.game})
        await self._start_bots(table)

    async def _take_only_answers(self, table: Table) -> Table:
        """Answers for people what has only one answer, before anybody hears of the question."""
        try:
            while not table.over and (offer := next(self._only_answers(table), None)):
                table = await self._commit_choice(offer.seat, list(offer.legal), offer.sequence)
                self.metrics.decisions["person"] += 1
        except (ApiError, Refusal) as error:
            logger.warning("table %s: an only answer is left to its player: %s", self.stored.id, error)
            table = await self._require_table()
        return table

    def _only_answers(self, table: Table) -> Iterator[Offer]:
        """The offers to people that need not be asked. With other people at the table a quick answer could tell a
        secret: then only what everyone can see to be the only answer is not asked."""
        guide = table.game.guide
        for seat in table.waiting if guide is not None else ():
            offer = table.offer(seat)
            if len(offer.legal) == 1 and guide is not None and self._bot_of(seat) is None:
                forced = guide.forced(table.seen(seat), offer.legal[0])
                people = sum(place.kind == PERSON for place in self.stored.seats)
                if forced is Forced.OPEN or (forced is Forced.SECRET and people == 1):
                    yield offer

    async def _require_table(self) -> Table:
        table = await self._load_table()
        if table is None:
            raise ApiError(ErrorCode.NOT_STARTED if self.stored.status == WAITING else ErrorCode.OUTDATED)
        if self.stored.status == ENDED:
            raise ApiError(ErrorCode.ENDED)
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
                logger.error("table %s does not replay: %s", self.stored.id, error)
                raise ApiError(ErrorCode.DAMAGED) from None
            self._table.keeps_moments = True
        return self._table

    # --- Bots ---

    async def resume(self) -> None:
        """Starts the bots that must decide, after a restart or when the process that ran them is gone."""
        async with self._lock:
            if not self._runs_bots:
                await self._catch_up()
            self._watch_shuffle()
            table = await self._load_table()
            if table is not None:
                await self._start_bots(table)

    @property
    def _runs_bots(self) -> bool:
        """Whether this process runs the bots of this table."""
        return self._store.processes is None or self.stored.bot_process == self._store.processes.name

    async def _start_bots(self, table: Table) -> None:
        """Starts the bots that must decide, and the clocks of the persons who must."""
        await self._wind_clocks(table)
        if not self._runs_bots or self._closing or self.stored.status == ENDED:
            return
        for seat in table.waiting:
            bot = self._bot_of(seat)
            if bot is not None:
                self._start_bot(bot, table, table.offer(seat))

    def _start_bot(self, bot: str, table: Table, offer: Offer, overdue: bool = False) -> None:
        key = offer.seat, offer.sequence
        if key not in self._bot_tasks:
            self._bot_tasks[key] = asyncio.create_task(self._run_bot(bot, table, offer, overdue))
            self._bot_tasks[key].add_done_callback(partial(self._bot_done, *key))

    def _bot_done(self, seat: int, sequence: int, _: asyncio.Task[None]) -> None:
        self._bot_tasks.pop((seat, sequence), None)

    def _bot_of(self, seat: int) -> str | None:
        """Returns the notation of the bot that plays a seat now, or None."""
        place = self.stored.seats[seat]
        return place.bot if place.held is None else bot_of(place.held, game_of(self.stored))

    async def _run_bot(self, bot: str, table: Table, offer: Offer, overdue: bool) -> None:
        """Plays a bot's choice; `overdue`: for a person whose time is up.

        The pause is random and does not depend on what the bot holds.
        """
        seed = bot_seed(self.stored.whole_seed, offer.seat, offer.sequence)
        pause = self._settings.paces.get(self.stored.pace, 0.0) * random.uniform(0.7, 1.3)
        who = self.stored.id, frozenset(self.visitors.values())
        choosing = self._bot_pool.choose(table.game, bot, table.view(offer.seat), offer.legal, seed, *who)
        actions, _ = await asyncio.gather(self._timed(choosing), asyncio.sleep(pause), return_exceptions=True)
        if isinstance(actions, BaseException):
            logger.error("bot %s of table %s failed, playing a random decision", bot, self.stored.id, exc_info=actions)
            actions = [random.choice(offer.legal)]
        while True:
            try:
                return await self._play_bot_choice(offer, actions, overdue)
            except ApiError as error:
                if error.code is ErrorCode.ENDED:
                    return
                logger.warning("a bot of table %s cannot play yet: %s", self.stored.id, error)
                await asyncio.sleep(RETRY_SECONDS)

    async def _timed(self, choosing: Coroutine[Any, Any, list[int]]) -> list[int]:
        since = time.monotonic()
        try:
            return await choosing
        finally:
            self.metrics.bot_seconds.observe(time.monotonic() - since)

    async def _play_bot_choice(self, offer: Offer, actions: list[int], overdue: bool) -> None:
        async with self._lock:
            table = await self._require_table()
            if not self._runs_bots or self._closing:
                return
            if (self._bot_of(offer.seat) is None and not overdue) or table.offer(offer.seat) != offer:
                return  # the person is back, or the offer is stale
            try:
                table = await self._commit_choice(offer.seat, actions, offer.sequence)
            except Refusal:
                if table.offer(offer.seat) != offer:
                    return  # another process played first
                # The rest of the choice rested on an outcome that did not come: play its first decision.
                table = await self._commit_choice(offer.seat, actions[:1], offer.sequence)
            self.metrics.decisions["bot"] += 1
            await self._send_updates(table)

    # --- Time for decisions ---

    async def _wind_clocks(self, table: Table) -> None:
        """Gives every person who must decide their time, counted from the decision that asked them."""
        if self.stored.seconds is None:
            return
        asked = {seat: table.offer(seat).sequence for seat in table.waiting} if self.stored.status == PLAYING else {}
        for seat in [seat for seat, (sequence, _) in self._clocks.items() if asked.get(seat) != sequence]:
            del self._clocks[seat]
        for seat, sequence in asked.items():
            if seat not in self._clocks and self._bot_of(seat) is None:
                since = await self._asked_at(table, sequence)
                until = max(since + self.stored.seconds * 1000, now() + LEAST_MILLISECONDS)
                self._clocks[seat] = sequence, until
                self._call_later((until - now()) / 1000, partial(self._time_up, seat, sequence))
        self._send_clock(None)

    async def _asked_at(self, table: Table, sequence: int) -> int:
        """Returns when decision number `sequence` was taken: just now, or before this process read the table."""
        if sequence == table.sequence:
            return self.stored.updated
        try:
            return await self._store.decided_at(self.stored.id, sequence) or self.stored.updated
        except StoreFailed:
            return now()

    def _time_up(self, seat: int, sequence: int) -> None:
        """Lets a bot take one decision for a person whose time is up."""
        table = self._table
        if table is None or self._clocks.get(seat, (None,))[0] != sequence or not self._runs_bots or self._closing:
            return
        offer = table.offer(seat)
        if offer.legal and offer.sequence == sequence:
            self._start_bot(bot_of("medium", game_of(self.stored)), table, offer, overdue=True)
            self._send_clock(seat)

    def _send_clock(self, overdue: int | None) -> None:
        left = {seat: max(0, until - now()) for seat, (_, until) in self._clocks.items()}
        for connection in list(self._connections):
            connection.send(Clock(left=left, overdue=overdue))

    # --- Sending ---

    def send_table(self) -> None:
        """Sends the table message to all pages."""
        written: dict[int | None, bytes] = {}
        for connection in list(self._connections):
            if connection.seat not in written:
                written[connection.seat] = self._table_message(connection.seat).model_dump_json().encode()
            connection.send(written[connection.seat])

    def _table_message(self, seat: int | None) -> TableMessage:
        return TableMessage(
            table=self.info(None if seat is None else [seat]),
            seat=seat,
            watchers=self._watchers,
            engine=self._bot_pool.engine.get(self.stored.game, "interpreted"),
            link=None if seat is None else link_path(self.stored),
            rematch=None if seat is None else self.stored.rematch,
            deal=deal_info(self.stored),
        )

    def _send_letters(self, connections: set[Connection] | list[Connection], table: Table) -> None:
        """Sends a letter to those of these pages for which something has changed."""
        written: dict[tuple[object, ...], tuple[bytes | None, Sent, int]] = {}
        for connection in list(connections):
            shown = connection.shown if connection.sent is None else None
            place = connection.viewer, connection.news_count, connection.sent_sequence
            key = *place, shown, connection.protocol >= CHANGES, id(connection.sent)
            if key not in written:
                written[key] = self._letter_to(connection, table, shown)
            text, connection.sent, connection.news_count = written[key]
            connection.sent_sequence = table.sequence
            if text is not None:
                connection.send(text)
        table.rest()

    def _letter_to(self, connection: Connection, table: Table, shown: int | None) -> tuple[bytes | None, Sent, int]:
        """Returns a letter, what its page has afterwards, and how many news. None if the page knows all of it."""
        who, before, ended = connection.viewer, connection.sent, self.stored.status == ENDED
        heard, told = connection.news_count, connection.sent_sequence
        found: dict[str, Any] | None = None
        if before is not None:
            found, sent = letters.changes(table, who, heard, told, before, ended)
            if found is None:
                return None, sent, heard
        if found is None or connection.protocol < CHANGES:
            found = letters.letter(table, who, heard, told, shown, ended)
            sent = letters.lasting(table, found)
        return encode(found), sent, found["first"] + len(found["news"])

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


def shown_state(stored: StoredTable) -> tuple[object, ...]:
    """Returns the parts of a table that its table message shows and that another process can change."""
    shown = stored.seats, stored.status, stored.link, stored.rematch, stored.published
    return *shown, stored.contributions, stored.seats_elsewhere, stored.watchers_elsewhere


def storage_error(error: StoreFailed) -> ApiError:
    logger.error("the store failed: %s", error)
    return ApiError(ErrorCode.DAMAGED if isinstance(error, Damaged) else ErrorCode.STORAGE)
