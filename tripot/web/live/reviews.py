"""Reviews of finished games (`coach.review`), computed piece by piece among the searches of bots.

A review takes some seconds of a thread. Pieces run at the low priority of searches and in turn with those of all other
visitors, so that nobody who plays waits for them. A review is kept with its game: a finished game never changes.
"""

from __future__ import annotations

import asyncio
import logging
import zlib
from dataclasses import dataclass
from functools import partial
from typing import Any

from tripot import GAMES, OLDER
from tripot.coach.review import PLAYOUTS, REVIEW_SEED, Looked, Moment, Review, look_at, moments_of, summed
from tripot.coach.words import grade_of
from tripot.store.store import Store, StoreFailed
from tripot.table.record import BadRecord, Record, replay
from tripot.table.table import Table
from tripot.web.api.messages import Account, Judged, Legal, MomentReasons, ReviewContent, ReviewState, Valued, Words
from tripot.web.live.bot_pool import BotPool
from tripot.web.live.hints import worded
from tripot.web.live.letters import named

MOST_RUNNING = 16  # reviews at a time
MOST_REMEMBERED = 50
FORM = 2  # of a kept review: grows when its content or the counting changes
logger = logging.getLogger(__name__)


class Busy(RuntimeError):
    """Too many reviews are being computed."""


@dataclass
class Running:
    """A review that is being computed."""

    done: int = 0
    of: int = 0
    task: asyncio.Task[None] | None = None


class Reviews:
    """The reviews of a server."""

    def __init__(self, pool: BotPool, store: Store) -> None:
        self._pool, self._store = pool, store
        self._latest: dict[str, ReviewContent] = {}  # by table: read often while they are new, and if none can be kept
        self._running: dict[str, Running] = {}

    async def state(self, table: str) -> ReviewState | None:
        """How far a review is; None if nobody asked for it, or it was cancelled. Raises StoreFailed."""
        running = self._running.get(table)
        if running is not None:
            return ReviewState(done=running.done, of=running.of)
        found = await self._found(table)
        return ReviewState(done=1, of=1, review=found) if found else None

    async def _found(self, table: str) -> ReviewContent | None:
        """The review of a game, if it has been computed: by this process or by another, today or long ago."""
        if table not in self._latest:
            kept = await self._store.review(table, FORM)
            if kept is None:
                return self._latest.get(table)
            self._remember(table, await asyncio.to_thread(unpacked, kept))
        return self._latest[table]

    def _remember(self, table: str, review: ReviewContent) -> None:
        self._latest[table] = review
        while len(self._latest) > MOST_REMEMBERED:
            del self._latest[next(iter(self._latest))]

    async def start(self, table: str, record: Record, visitor: str) -> None:
        """Starts a review unless it is there or on its way. Raises Busy or StoreFailed."""
        if table in self._running or await self._found(table) or table in self._running:
            return
        if len(self._running) >= MOST_RUNNING:
            raise Busy
        running = self._running[table] = Running(of=len(record.decisions))
        running.task = asyncio.create_task(self._compute(table, record, visitor, running))

    def cancel(self, table: str) -> None:
        """Gives up a review that is being computed."""
        running = self._running.get(table)
        if running is not None and running.task is not None:
            running.task.cancel()

    async def _compute(self, table: str, record: Record, visitor: str, running: Running) -> None:
        try:
            played, moments = await self._pool.study(table, visitor, partial(prepared, record))

            async def one(step: int) -> None:
                judged = len(moments[step].legal) > 1
                work = partial(look_at, played.game, moments[step], step, PLAYOUTS, REVIEW_SEED, judged)
                found[step] = await self._pool.study(table, visitor, work)
                running.done += 1

            found: dict[int, Looked] = {}
            await asyncio.gather(*map(one, range(len(moments))))
            steps = [found[step] for step in range(len(moments))]
            review = summed(played, steps, PLAYOUTS, REVIEW_SEED)
            told = await self._pool.study(table, visitor, partial(content, review, moments))
            self._remember(table, told)
            await self._store.keep_review(table, FORM, await asyncio.to_thread(packed, told))
        except BadRecord as error:
            logger.error("table %s cannot be reviewed: %s", table, error)
        except StoreFailed as error:
            logger.warning("the review of table %s cannot be kept: %s", table, error)
        finally:
            del self._running[table]

    def close(self) -> None:
        for table in list(self._running):
            self.cancel(table)


def packed(review: ReviewContent) -> bytes:
    return zlib.compress(review.model_dump_json().encode())


def unpacked(kept: bytes) -> ReviewContent:
    return ReviewContent.model_validate_json(zlib.decompress(kept))


def prepared(record: Record) -> tuple[Table, list[Moment]]:
    played = replay(record, GAMES, OLDER)
    return played, moments_of(played)


def reasons_of(review: Review, step: int, seat: int) -> MomentReasons:
    """Why a step mattered: its own seat's reasons as the seat could see them, another's as it came out."""
    decision, causes = review.decisions[step], review.causes[step][seat]
    told = decision.reasons if decision.seat == seat else causes.decision
    return MomentReasons(decision=worded(review.game, told), cards=worded(review.game, causes.cards))


def account_of(review: Review, seat: int) -> Account:
    account = review.account(seat)
    grade = None if account.accuracy is None else grade_of(account.accuracy)
    return Account(**vars(account), grade=Words(en=grade.en, fr=grade.fr) if grade else None)


def content(review: Review, moments: list[Moment]) -> ReviewContent:
    """A review as the page gets it."""
    judged = []
    for decision, moment in zip(review.decisions, moments, strict=True):
        view = review.game.layout.view_of(moment.view.tobytes())

        def legal(action: int, view: Any = view) -> Legal:
            return Legal.model_validate(named(review.game, view, action))

        choices = [Valued(decision=legal(one.action), value=one.value) for one in decision.choices]
        judged.append(
            Judged(
                seat=decision.seat,
                clock=decision.clock,
                chosen=legal(decision.action),
                choices=choices,
                missed=review.told_miss(decision),
            )
        )
    seats = range(review.seats)
    changes = [[[one.decision, one.cards, one.others] for one in row] for row in review.changes]
    return ReviewContent(
        whole=review.whole,
        playouts=review.playouts,
        chances=review.chances,
        decisions=judged,
        changes=changes,
        accounts=[account_of(review, seat) for seat in seats],
        moments=[review.turning_points(seat) for seat in seats],
        reasons=[[reasons_of(review, step, seat) for step in review.turning_points(seat)] for seat in seats],
    )
