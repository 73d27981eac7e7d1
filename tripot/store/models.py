"""A stored table: its game, rules, options and seed, and who sits where."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tripot.core.shared_seed import Seed, SharedSeed, contributions_of
from tripot.table.imagined import Imagined
from tripot.table.record import Record

WAITING, PLAYING, OVER, ENDED, RECORD = "waiting", "playing", "over", "ended", "record"
PERSON, BOT = "person", "bot"


@dataclass
class StoredSeat:
    """A seat at a table. A free seat has no name; a bot has a notation; tokens are stored only as hashes."""

    seat: int
    kind: str
    name: str | None = None
    level: str | None = None
    bot: str | None = None
    held: str | None = None  # the level of the bot that plays for an absent person
    tokens: list[str] = field(default_factory=list)  # hashes: one for each device that holds the seat
    invite: str | None = None  # of a table from before there was one link for a table
    kept_for: str | None = None  # the name of the person for whom a free seat is kept
    pass_hash: str | None = None  # of the six words that bring the seat to another device
    pass_moves: bool = False  # whether the other devices lose it then
    pass_until: int | None = None

    @property
    def free(self) -> bool:
        return self.kind == PERSON and self.name is None


@dataclass
class StoredTable:
    """A table without its decisions, which are in the log."""

    id: str
    game: str
    rules: int
    seed: int  # of sfc32: of tables from before there was a secret, and of uploaded records
    seats: list[StoredSeat]
    options: dict[str, Any] = field(default_factory=dict)
    status: str = WAITING
    open: bool = False
    watch: bool = True
    pace: str = "calm"
    waiting: int = 0
    result: list[int] | None = None
    seal: str | None = None
    created: int = 0
    updated: int = 0
    version: int = 0  # grows with every change
    link: str | None = None  # the code of the link that invites to this table
    host: int | None = None  # the seat of the person who opened the table
    listed: bool = False  # everyone may find it in the list and watch it
    published: bool = False  # everyone may find the finished game in the list
    seconds: int | None = None  # the time for a decision, after which a bot takes it
    rematch: str | None = None  # the id of the table where they play again
    secret: str | None = None  # the server's part of the seed, 256 bits in hexadecimal; None: `seed` is the seed
    contributions: list[list[str | None] | None] | None = None  # by seat, (hash, value); None: players are not asked
    imagined: list[list[int | str]] | None = None  # (after, seat, seed as digits): hidden cards were imagined anew
    hints: bool = False  # players may ask for hints among other people; alone against bots they always may
    bot_process: str | None = None  # the process that runs this table's bots; None on SQLite
    seats_elsewhere: int = 0  # a bit for each seat whose person is connected to another process
    watchers_elsewhere: int = 0  # spectators connected to other processes

    def copy(self) -> StoredTable:
        """Returns a copy of the table, to be changed. (`copy.copy` does the same and takes several times as long.)"""
        other = object.__new__(StoredTable)
        other.__dict__.update(self.__dict__)
        return other

    @property
    def whole_seed(self) -> Seed:
        """What the deal and all later luck follow from."""
        if self.secret is None:
            return self.seed
        return SharedSeed(self.secret, contributions_of(self.contributions or []))

    @property
    def imaginings(self) -> list[Imagined]:
        """When what a seat cannot see was imagined anew."""
        return [Imagined(*map(int, one)) for one in self.imagined or []]

    @property
    def awaits_bot(self) -> bool:
        """Whether a bot must decide, now or when the time for a decision is over."""
        waited = [seat for seat in self.seats if self.waiting >> seat.seat & 1]
        timed = self.seconds is not None
        return self.status == PLAYING and any(timed or seat.kind == BOT or seat.held is not None for seat in waited)

    @property
    def may_ask(self) -> bool:
        """Whether its players may ask for hints: alone against bots, or where the table allows it."""
        return self.hints or sum(seat.kind == PERSON for seat in self.seats) == 1

    @property
    def finished(self) -> bool:
        """Whether nothing can be decided here any more."""
        return self.status in (OVER, ENDED, RECORD)

    @property
    def owner(self) -> int | None:
        """The seat of the host. If the host has left, the first person at the table."""
        persons = [seat.seat for seat in self.seats if seat.kind == PERSON and not seat.free]
        return self.host if self.host in persons else next(iter(persons), None)

    @property
    def free_seats(self) -> list[StoredSeat]:
        return [seat for seat in self.seats if seat.free]


def record_of(stored: StoredTable, decisions: list[tuple[int, int]]) -> Record:
    """Returns a stored table and its log as a record."""
    players = [f"person:{seat.name or ''}" if seat.kind == PERSON else seat.bot or "" for seat in stored.seats]
    return Record(
        game=stored.game,
        rules=stored.rules,
        seats=len(stored.seats),
        seed=stored.whole_seed,
        options=stored.options,
        players=players,
        decisions=decisions,
        result=stored.result,
        imagined=stored.imaginings,
    )


def now() -> int:
    """Returns the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
