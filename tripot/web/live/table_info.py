"""A table as lists and pages show it: public to everyone who may know of the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

from tripot import find_rules
from tripot.core.game import Game
from tripot.core.shared_seed import hash_of
from tripot.store.models import BOT, PLAYING, WAITING, StoredSeat, StoredTable
from tripot.web.api.messages import DealInfo, SeatInfo, TableInfo
from tripot.web.live import shuffling
from tripot.web.ops.errors import ApiError, ErrorCode


def table_info(
    table: StoredTable,
    here: Collection[int] = (),
    mine: Iterable[int] | None = None,
    host: int | None = None,
    watchers: int | None = None,
) -> TableInfo:
    """Returns the public part of a table.

    `here` holds the seats whose persons are connected to this process, `mine` the seats of the client that asks.
    `host` is who has the host's rights at the moment.
    """
    return TableInfo.model_validate(
        {
            "id": table.id,
            "game": table.game,
            "rules": table.rules,
            "options": table.options,
            "status": "outdated" if outdated(table) else table.status,
            "open": table.open,
            "watch": table.watch,
            "listed": table.listed,
            "published": table.published,
            "pace": table.pace,
            "seconds": table.seconds,
            "hints": table.may_ask,
            "host": table.owner if host is None else host,
            "watchers": table.watchers_elsewhere if watchers is None else watchers,
            "seats": [_seat(seat, here, table.seats_elsewhere) for seat in table.seats],
            "waiting": [seat.seat for seat in table.seats if table.waiting >> seat.seat & 1],
            "created": iso_time(table.created),
            "updated": iso_time(table.updated),
            "result": table.result,
            "mine": None if mine is None else list(mine),
        }
    )


def deal_info(table: StoredTable) -> DealInfo | None:
    """Returns what may be known of a table's seed before its end. Values are shown when nobody can change theirs."""
    if table.secret is None:
        return None
    parts = [part or (None, None) for part in table.contributions or []]
    return DealInfo(
        hash=hash_of(table.secret),
        commitments=[part[0] for part in parts],
        contributions=[] if table.status == WAITING else [part[1] for part in parts],
        show=shuffling.phase(table) == "showing",
    )


def _seat(seat: StoredSeat, here: Collection[int], elsewhere: int) -> SeatInfo:
    return SeatInfo.model_validate(
        {
            "seat": seat.seat,
            "kind": seat.kind,
            "name": seat.name,
            "level": seat.level,
            "here": seat.kind == BOT or seat.seat in here or bool(elsewhere >> seat.seat & 1),
            "held": seat.held,
            "kept_for": seat.kept_for,
        }
    )


def outdated(table: StoredTable) -> bool:
    """Whether an unfinished game started under rules that are no longer shipped."""
    return table.status in (WAITING, PLAYING) and not playable(table)


def playable(table: StoredTable) -> bool:
    """Whether the rules of a table are shipped."""
    return find_rules(table.game, table.rules) is not None


def game_of(table: StoredTable) -> Game:
    """Returns the game with the rules that a table started under. Raises ApiError if they are not shipped."""
    game = find_rules(table.game, table.rules)
    if game is None:
        raise ApiError(ErrorCode.OUTDATED)
    return game


def link_path(table: StoredTable) -> str | None:
    """Returns the path to share, or None if nobody can sit down or watch any more."""
    return None if table.link is None or table.finished or outdated(table) else f"/join/{table.link}"


def iso_time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_iso_time(moment: str) -> int:
    """The inverse of `iso_time`. Raises ValueError."""
    found = datetime.fromisoformat(moment)
    return round(found.replace(tzinfo=found.tzinfo or UTC).timestamp() * 1000)
