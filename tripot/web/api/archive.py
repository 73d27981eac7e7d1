"""The archive: replays, reviews and records of finished games, and uploaded records."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import re
import secrets
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from tripot import GAMES, OLDER, find_rules
from tripot.core.options import as_json
from tripot.core.shared_seed import Seed
from tripot.store.models import BOT, PERSON, PLAYING, RECORD, StoredSeat, StoredTable, record_of
from tripot.store.store import StoreFailed, WriteConflict
from tripot.table.imagined import Imagined
from tripot.table.record import BadRecord, Record, loads, replay
from tripot.web.api.messages import MOST_SEATS, Failure, Opened, PlayOn, Replay, ReviewState, SeatToken, TableInfo
from tripot.web.api.names import cleaned
from tripot.web.live.reviews import Busy
from tripot.web.live.room import Room, storage_error
from tripot.web.live.seating import bot_seat
from tripot.web.live.shuffling import bits
from tripot.web.live.table_info import link_path, outdated, playable, table_info
from tripot.web.ops import tokens
from tripot.web.ops.context import Bearer, Context, ServerContext, seats_of
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.rate_limits import visitor_of

LONGEST_NAME = 24
NOTATION = re.compile(r"[A-Za-z0-9_:.-]{1,64}")  # of a bot

logger = logging.getLogger(__name__)
router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}, 422: {"model": Failure}})


@router.get("/tables/{table_id}/replay", response_model=Replay)
async def replay_table(
    table_id: str,
    context: Context,
    token: Bearer,
    request: Request,
    seat: Annotated[int | None, Query(ge=0, lt=MOST_SEATS)] = None,
) -> Response:
    """A finished game step by step, as one seat saw it or with everything open."""
    async with context.rooms.visit(table_id) as room:
        mine = seats_of(room, token)
        record = await finished_record(context, room)
        if not playable(room.stored):
            raise ApiError(ErrorCode.OUTDATED)
        if seat is not None and seat >= record.seats:
            raise ApiError(ErrorCode.NOT_FOUND)
        try:
            game = await context.replays.game_json(table_id, seat, record, visitor_of(request.scope))
        except BadRecord as error:
            logger.error("table %s does not replay: %s", table_id, error)
            raise ApiError(ErrorCode.DAMAGED) from None
        table = room.info(mine).model_dump_json().encode()
        body = b'{"table":%b,"seat":%b,%b}' % (table, json.dumps(seat).encode(), game)
        return Response(body, media_type="application/json")


@router.post("/tables/{table_id}/play-on", status_code=201)
async def play_on(table_id: str, given: PlayOn, context: Context, token: Bearer, request: Request) -> Opened:
    """Open a moment of a finished game as a table, against bots: all cards as they lay, or imagined anew."""
    async with context.rooms.visit(table_id) as room:
        seats_of(room, token)
        record = await finished_record(context, room)
        if not playable(room.stored):
            raise ApiError(ErrorCode.OUTDATED)
    last = len(record.decisions) - (record.result is not None)  # nobody plays on from the end
    if given.step > last or given.seat >= record.seats:
        raise ApiError(ErrorCode.NOT_FOUND)
    return await opened_at(record, given, context, visitor_of(request.scope), room.stored.watch)


async def opened_at(record: Record, given: PlayOn, context: ServerContext, visitor: str, watch: bool) -> Opened:
    """Opens the table of a moment, as private as the finished game, whose seed and first decisions it has."""
    game = find_rules(record.game, record.rules) or GAMES[record.game]
    begun = dataclasses.replace(record, decisions=record.decisions[: given.step], result=None)
    begun.imagined = [one for one in record.imagined if one.after <= given.step]
    if given.anew:
        begun.imagined.append(Imagined(given.step, given.seat, secrets.randbits(64)))
    try:
        table = await asyncio.to_thread(replay, begun, GAMES, OLDER)
    except BadRecord:
        raise ApiError(ErrorCode.DAMAGED) from None
    new_token, new_id = tokens.new_token(), tokens.new_table_id()
    name = given.name or game.text.SEATS[given.seat].en
    places: list[StoredSeat] = []
    for seat in range(record.seats):
        if seat == given.seat:
            places.append(StoredSeat(seat, PERSON, name=name, tokens=[tokens.token_hash(new_token)]))
        else:
            places.append(bot_seat(game, seat, given.level, [name, *(place.name for place in places)]))
    stored = StoredTable(
        id=new_id,
        game=record.game,
        rules=record.rules,
        **seed_columns(record.seed),
        **imagined_columns(begun),
        seats=places,
        options=record.options,
        status=PLAYING,
        watch=watch,
        pace="quick",
        waiting=bits(table.waiting),
        link=tokens.new_link(new_id),
        host=given.seat,
    )
    try:
        await context.store.create(stored, begun.decisions)
    except StoreFailed as error:
        raise storage_error(error) from error
    async with context.rooms.visit(stored.id) as room:
        room.visitors = {given.seat: visitor}
        await room.resume()
        right = SeatToken(seat=given.seat, token=new_token)
        return Opened(table=room.info([given.seat]), tokens=[right], link=link_path(stored) or "")


NOT_READY: dict[int | str, dict[str, Any]] = {503: {"model": Failure}}


@router.post("/tables/{table_id}/review", status_code=202, responses=NOT_READY)
async def start_review(table_id: str, context: Context, token: Bearer, request: Request) -> ReviewState:
    """Start the review of a finished game, or say how far it is."""
    async with context.rooms.visit(table_id) as room:
        seats_of(room, token)
        record = await finished_record(context, room)
        if record.result is None:
            raise ApiError(ErrorCode.NOT_OVER)
        if not playable(room.stored):
            raise ApiError(ErrorCode.OUTDATED)
        try:
            if await context.reviews.state(table_id) is not None:
                return await review_state(context, table_id)
            if not context.bot_pool.ready(find_rules(record.game, record.rules) or GAMES[record.game]):
                raise ApiError(ErrorCode.NOT_READY)
            await context.reviews.start(table_id, record, visitor_of(request.scope))
        except Busy:
            raise ApiError(ErrorCode.NO_ROOM) from None
        except StoreFailed as error:
            raise storage_error(error) from error
        return await review_state(context, table_id)


@router.get("/tables/{table_id}/review")
async def read_review(table_id: str, context: Context, token: Bearer) -> ReviewState:
    """How far the review of a finished game is, and the review once it is there."""
    async with context.rooms.visit(table_id) as room:
        seats_of(room, token)
        return await review_state(context, table_id)


@router.delete("/tables/{table_id}/review", status_code=204)
async def cancel_review(table_id: str, context: Context, token: Bearer) -> None:
    """Give up a review that is being computed."""
    async with context.rooms.visit(table_id) as room:
        seats_of(room, token)
        context.reviews.cancel(table_id)


async def review_state(context: ServerContext, table_id: str) -> ReviewState:
    try:
        found = await context.reviews.state(table_id)
    except StoreFailed as error:
        raise storage_error(error) from error
    if found is None:
        raise ApiError(ErrorCode.NOT_FOUND)
    return found


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
    if not room.stored.finished and not (even_outdated and outdated(room.stored)):
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
        **seed_columns(record.seed),
        **imagined_columns(record),
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


def seed_columns(seed: Seed) -> dict[str, Any]:
    """Returns the seed of a record as the columns that keep it."""
    if isinstance(seed, int):
        return {"seed": seed}
    return {"seed": 0, "secret": seed.secret, "contributions": [part and list(part) for part in seed.contributions]}


def imagined_columns(record: Record) -> dict[str, Any]:
    """Returns when hidden cards were imagined anew, as the column that keeps it."""
    return {"imagined": [[one.after, one.seat, str(one.seed)] for one in record.imagined] or None}


def player_seat(record: Record, seat: int) -> StoredSeat:
    """Returns who sat in a seat, according to the record."""
    player = record.players[seat] if seat < len(record.players) else ""
    kind, _, name = player.partition(":")
    if kind == PERSON:
        with suppress(ValueError):
            return StoredSeat(seat, PERSON, name=cleaned(name[:LONGEST_NAME]))
    bot = player if NOTATION.fullmatch(player) else None
    return StoredSeat(seat, BOT, name=GAMES[record.game].text.SEATS[seat].en, bot=bot)
