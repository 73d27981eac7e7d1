"""Replays of finished games: what a seat saw after every decision, or all cards open.

A replay takes a few tenths of a second, and a finished game never changes: replays are computed one at a time, in turn
for every visitor and at a low priority, and the latest are kept.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from tripot import GAMES, OLDER
from tripot.core.layout import OWNER, SPECTATOR
from tripot.core.shared_seed import HMAC_SHA256, Draw
from tripot.core.staging import Staging
from tripot.table.record import Record, replay
from tripot.table.table import Table
from tripot.table.view_json import concealed, view_json
from tripot.web.api.messages import Legal, SeedInfo, Step, Still
from tripot.web.live.fair_queue import FairQueue
from tripot.web.live.letters import named, outcome

KEPT_BYTES = 32 * 1024 * 1024
NICENESS = 10  # people who play come first
Key = tuple[str, int | None]  # a table and a seat, or None for all cards open


class Replays:
    """The replays of a server."""

    def __init__(self) -> None:
        self.computed = 0  # since the start
        self._queue = FairQueue("replay", 1, 1, NICENESS)
        self._kept: dict[Key, bytes] = {}  # the most recently used last
        self._running: dict[Key, asyncio.Task[bytes]] = {}

    async def game_json(self, table: str, seat: int | None, record: Record, visitor: str) -> bytes:
        """Returns the steps and the outcome of a game, as fields of a JSON object. Raises BadRecord."""
        key = (table, seat)
        if key in self._kept:
            self._kept[key] = self._kept.pop(key)
            return self._kept[key]
        if key not in self._running:  # forty who ask at once wait for one
            self._running[key] = asyncio.create_task(self._compute(key, record, visitor))
        return await asyncio.shield(self._running[key])

    async def _compute(self, key: Key, record: Record, visitor: str) -> bytes:
        try:
            found = await self._queue.run(frozenset({visitor}), key[0], partial(game_json, record, key[1]))
            self.computed += 1
            self._kept[key] = found
            while sum(map(len, self._kept.values())) > KEPT_BYTES:
                del self._kept[next(iter(self._kept))]
            return found
        finally:
            del self._running[key]

    def close(self) -> None:
        self._queue.close()


def game_json(record: Record, seat: int | None) -> bytes:
    played = replay(record, GAMES, OLDER)
    found = b",".join(step.model_dump_json().encode() for step in steps(played, seat))
    end = outcome(played, SPECTATOR if seat is None else seat)
    seed = seed_info(played)
    return b'"steps":[%b],"outcome":%b,"seed":%b' % (
        found,
        b"null" if end is None else end.model_dump_json().encode(),
        b"null" if seed is None else seed.model_dump_json().encode(),
    )


def seed_info(played: Table) -> SeedInfo | None:
    """Returns what the luck of a game follows from, where that can be checked."""
    if isinstance(played.seed, int):
        return None
    parts = [part and list(part) for part in played.seed.contributions]
    return SeedInfo(generator=HMAC_SHA256, secret=played.seed.secret, contributions=parts)


def steps(played: Table, seat: int | None) -> list[Step]:
    """Returns the steps of a game as `seat` saw them, or with all cards open (None)."""
    draws: list[Draw] = []
    again = played.anew(draws)
    again.keeps_moments = True
    shown: dict[str, Any] = {}
    found = [_step(again, seat, None, None, shown, draws)]
    for who, action in played.decisions:
        known = seat is None or who == seat
        decision = Legal(**named(again.game, again.seen(who), action)) if known else None
        draws.clear()
        again.decide(who, action, again.offer(who).sequence)
        found.append(_step(again, seat, who, decision, shown, draws))
    return found


def _step(
    table: Table,
    seat: int | None,
    who: int | None,
    decision: Legal | None,
    shown: dict[str, Any],
    draws: list[Draw],
) -> Step:
    """Returns one step, and updates `shown`: the fields that the page has so far."""
    view = view_of(table, seat, table.state_bytes())
    changed = {name: value for name, value in view.items() if shown.get(name) != value}
    shown.update(changed)
    news = _news(table, seat)
    stills = _stills(table, seat, news, view)
    rolled = [list(draw) for draw in draws]
    return Step(seat=who, decision=decision, view=changed, news=news, stills=stills, draws=rolled)


def _stills(table: Table, seat: int | None, news: list[list[int]], after: dict[str, Any]) -> list[Still]:
    """Returns the set pieces of the last decision, each with the table as it was at its last piece of news."""
    runs = getattr(table.game.text, "STAGING", Staging()).runs([kind for _, kind, *_ in news])
    states = table.states_told(seat, table.sequence) if runs else []
    found = []
    for run in runs:
        state = states[run.end - 1]
        if state is not None:
            view = view_of(table, seat, state)
            changed = {name: value for name, value in view.items() if after[name] != value}
            found.append(Still(piece=run.piece, first=run.first, end=run.end, view=changed))
    return found


def _news(table: Table, seat: int | None) -> list[list[int]]:
    """Returns the news of the last decision: that of a seat, or all of it."""
    if seat is not None:
        return [[story.sequence, *story.item[1:]] for story in table.news(seat, table.sequence)]
    told = table.all_news()
    first = bisect_left(told, table.sequence, key=attrgetter("sequence"))
    return [[story.sequence, *story.item[1:]] for story in told[first:]]


def view_of(table: Table, seat: int | None, state: bytes) -> dict[str, Any]:
    """Returns what a seat sees of a state; for None all but the hidden fields."""
    layout = table.game.layout
    record = np.frombuffer(state, layout.state.dtype)
    seen = layout.view_of(layout.observe(record, SPECTATOR if seat is None else seat).tobytes())
    view = view_json(table.game, seen)
    if seat is not None:
        return view
    own = {f.name for f in layout.view.fields} - {f.name for f in table.game.fields} - {"seat"}
    rows = {f.name: record[f.name][0].tolist() for f in table.game.fields if f.sight is OWNER}
    rows |= {name: record[name][0].tolist() for name in concealed(table.game, seen)}
    return {name: value for name, value in view.items() if name not in own} | rows
