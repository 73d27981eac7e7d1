"""A table as lists and pages show it: public to everyone who may know that it exists."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime

from tripot import find_rules
from tripot.core.game import Game
from tripot.store.models import BOT, PLAYING, WAITING, StoredSeat, StoredTable
from tripot.web.api.messages import Invite, SeatInfo, TableInfo
from tripot.web.ops.errors import ApiError, ErrorCode


def table_info(table: StoredTable, here: Collection[int] = (), mine: Iterable[int] | None = None) -> TableInfo:
    """`here` are the seats whose persons are connected to this process; `mine` those of whoever asks."""
    return TableInfo.model_validate(
        {
            "id": table.id,
            "game": table.game,
            "rules": table.rules,
            "options": table.options,
            "status": "outdated" if outdated(table) else table.status,
            "open": table.open,
            "watch": table.watch,
            "pace": table.pace,
            "seats": [_seat(seat, here, table.elsewhere) for seat in table.seats],
            "waiting": [seat.seat for seat in table.seats if table.waiting >> seat.seat & 1],
            "created": as_text(table.created),
            "updated": as_text(table.updated),
            "result": table.result,
            "mine": None if mine is None else list(mine),
        }
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
        }
    )


def outdated(table: StoredTable) -> bool:
    """Whether an unfinished table was begun under rules that are not played here any more."""
    return table.status in (WAITING, PLAYING) and not playable(table)


def playable(table: StoredTable) -> bool:
    """Whether the rules that a table was begun under are still shipped."""
    return find_rules(table.game, table.rules) is not None


def game_of(table: StoredTable) -> Game:
    """The game of a playable table, as its rules stood when it was begun."""
    game = find_rules(table.game, table.rules)
    if game is None:
        raise ApiError(ErrorCode.OUTDATED)
    return game


def invites(table: StoredTable) -> list[Invite]:
    """The invitations that are still good."""
    return [
        Invite(seat=seat.seat, code=seat.invite, path=f"/join/{seat.invite}")
        for seat in table.free_seats
        if seat.invite is not None and not outdated(table)
    ]


def as_text(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def as_number(moment: str) -> int:
    """The reverse; raises ValueError for what is no moment."""
    found = datetime.fromisoformat(moment)
    return round(found.replace(tzinfo=found.tzinfo or UTC).timestamp() * 1000)
