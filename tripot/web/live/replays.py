"""Replays of finished games: what a seat saw after every decision, or all cards open."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter
from typing import Any

import numpy as np

from tripot.core.layout import OWNER, SPECTATOR
from tripot.table.table import Table
from tripot.web.api.messages import Legal, Step
from tripot.web.live.letters import described


def steps(played: Table, seat: int | None) -> list[Step]:
    """Returns the steps of a game as `seat` saw them, or with all cards open (None)."""
    again = Table(played.game, played.seats, played.seed, played.options)
    shown: dict[str, Any] = {}
    found = [_step(again, seat, None, None, shown)]
    for who, action in played.decisions:
        known = seat is None or who == seat
        decision = described(again.game, _plain_view(again, who), action) if known else None
        again.decide(who, action, again.offer(who).sequence)
        found.append(_step(again, seat, who, decision, shown))
    return found


def _step(table: Table, seat: int | None, who: int | None, decision: Legal | None, shown: dict[str, Any]) -> Step:
    """Returns one step, and updates `shown`: the fields that the page has so far."""
    view = open_view(table) if seat is None else table.letter(seat, table.sequence)["view"]
    changed = {name: value for name, value in view.items() if shown.get(name) != value}
    shown.update(changed)
    return Step(seat=who, decision=decision, view=changed, news=_news(table, seat))


def _news(table: Table, seat: int | None) -> list[list[int]]:
    """Returns the news of the last decision: that of a seat, or all of it."""
    if seat is not None:
        return [[story.sequence, *story.item[1:]] for story in table.news(seat, table.sequence)]
    told = table.all_news()
    first = bisect_left(told, table.sequence, key=attrgetter("sequence"))
    return [[story.sequence, *story.item[1:]] for story in told[first:]]


def open_view(table: Table) -> dict[str, Any]:
    """Returns the public fields, and the rows of all owners under the field's own name."""
    view = table.letter(SPECTATOR, table.sequence)["view"]
    own = {f.name for f in table.game.layout.view.fields} - {f.name for f in table.game.fields} - {"seat"}
    state = np.frombuffer(table.state_bytes(), table.game.layout.state.dtype)
    rows = {f.name: state[f.name][0].tolist() for f in table.game.fields if f.sight is OWNER}
    return {name: value for name, value in view.items() if name not in own} | rows


def _plain_view(table: Table, seat: int) -> Any:
    return table.game.layout.view_of(table.view(seat).tobytes())
