"""The archive: replays and records of finished games, and uploaded records."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from tripot import GAMES, OLDER
from tripot.core.options import as_json
from tripot.store.models import BOT, OVER, PERSON, RECORD, StoredSeat, StoredTable, record_of
from tripot.store.store import StoreFailed, WriteConflict
from tripot.table.record import BadRecord, Record, loads, replay
from tripot.web.api.messages import MOST_SEATS, Failure, Replay, TableInfo
from tripot.web.live.replays import steps
from tripot.web.live.room import Room, storage_error
from tripot.web.live.table_info import outdated, playable, table_info
from tripot.web.ops import tokens
from tripot.web.ops.context import Bearer, Context, ServerContext, seats_of
from tripot.web.ops.errors import ApiError, ErrorCode

router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}, 422: {"model": Failure}})


@router.get("/tables/{table_id}/replay")
async def replay_table(
    table_id: str,
    context: Context,
    token: Bearer,
    seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None,
) -> Replay:
    """A finished game step by step, as one seat saw it or with everything open."""
    async with context.rooms.visit(table_id) as room:
        mine = seats_of(room, token)
        record = await finished_record(context, room)
        if not playable(room.stored):
            raise ApiError(ErrorCode.OUTDATED)
        if seat is not None and seat >= record.seats:
            raise ApiError(ErrorCode.NOT_FOUND)
        played = await asyncio.to_thread(replay, record, GAMES, OLDER)
        return Replay(table=room.info(mine), seat=seat, steps=await asyncio.to_thread(steps, played, seat))


@router.get("/tables/{table_id}/record", response_class=Response)
async def download(table_id: str, context: Context, token: Bearer) -> Response:
    """The record of a finished game as a file. Players may also download a game whose rules are no longer shipped."""
    async with context.rooms.visit(table_id) as room:
        mine = seats_of(room, token)
        record = await finished_record(context, room, even_outdated=mine is not None)
        name = f"{record.game}-{table_id}.tripot.json"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(record.dumps(), media_type="application/json", headers=headers)


async def finished_record(context: ServerContext, room: Room, even_outdated: bool = False) -> Record:
    """Returns the record of a game whose secrets no longer matter. Raises ApiError if the game is not over."""
    if room.stored.status not in (OVER, RECORD) and not (even_outdated and outdated(room.stored)):
        raise ApiError(ErrorCode.NOT_OVER)
    try:
        return record_of(room.stored, await context.store.decisions(room.stored.id))
    except StoreFailed as error:
        raise storage_error(error) from error


RECORD_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}}


@router.post("/records", status_code=201, openapi_extra=RECORD_BODY)
async def upload(request: Request, context: Context) -> TableInfo:
    """Store a record so that it can be replayed. The same record is stored once."""
    try:
        text = (await request.body()).decode()
        record = loads(text)
        table = await asyncio.to_thread(replay, record, GAMES, OLDER)
    except UnicodeDecodeError:
        raise ApiError(ErrorCode.BAD_RECORD, "not text") from None
    except BadRecord as error:
        raise ApiError(ErrorCode.BAD_RECORD, error) from None
    seal = json.loads(text)["seal"]
    stored = StoredTable(
        id=tokens.record_id(seal),
        game=record.game,
        rules=record.rules,
        seed=record.seed,
        seats=[player_seat(record, seat) for seat in range(record.seats)],
        options=as_json(table.options),
        status=RECORD,
        result=record.result,
        seal=seal,
    )
    try:
        await context.store.create(stored, record.decisions)
    except WriteConflict:
        again = await context.store.record_with_seal(stored.seal or "")
        return table_info(again or stored)
    except StoreFailed as error:
        raise storage_error(error) from error
    return table_info(stored)


def player_seat(record: Record, seat: int) -> StoredSeat:
    """Returns who sat in a seat, according to the record."""
    player = record.players[seat] if seat < len(record.players) else ""
    kind, _, name = player.partition(":")
    shown = " ".join(name.split())[:24] if kind == PERSON else ""
    if shown and shown.isprintable():
        return StoredSeat(seat, PERSON, name=shown)
    return StoredSeat(seat, BOT, name=GAMES[record.game].text.SEATS[seat].en, bot=player[:64] or None)
