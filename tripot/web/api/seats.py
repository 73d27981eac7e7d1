"""Requests of the host and of those who sit at a table: the link, seats, devices, a rematch, the end."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter

from tripot.store.models import now
from tripot.store.store import StoreFailed
from tripot.web.api.messages import (
    Failure,
    Joined,
    Keep,
    NewLink,
    NewPass,
    OneSeat,
    Pass,
    Publish,
    Rematch,
    SeatToken,
    TableInfo,
    TypedWords,
)
from tripot.web.live import seating
from tripot.web.live.room import storage_error
from tripot.web.live.table_info import iso_time, link_path
from tripot.web.ops import tokens
from tripot.web.ops.context import Bearer, Context, require_seat
from tripot.web.ops.errors import ApiError, ErrorCode

router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}, 422: {"model": Failure}})

# --- The host ---


@router.post("/tables/{table_id}/link", status_code=201)
async def renew_link(table_id: str, context: Context, token: Bearer) -> NewLink:
    """Give the table a new link. The old one leads nowhere."""
    async with context.rooms.visit(table_id) as room:
        room.require_host(require_seat(room, token))
        await room.change(seating.renewed)
        return NewLink(link=link_path(room.stored) or "")


@router.post("/tables/{table_id}/keep")
async def keep_seat(table_id: str, given: Keep, context: Context, token: Bearer) -> TableInfo:
    """Keep a free seat for a name, or for nobody."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        room.require_host(seat)
        await room.change(partial(seating.kept, seat=given.seat, name=given.name))
        return room.info([seat])


@router.post("/tables/{table_id}/free")
async def free_seat(table_id: str, given: OneSeat, context: Context, token: Bearer) -> TableInfo:
    """Leave one's own seat, or give back that of another as the host. Whoever has the link may take it."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        if given.seat != seat:
            room.require_host(seat)
        await room.change(partial(seating.freed, seat=given.seat))
        return room.info([] if given.seat == seat else [seat])


@router.post("/tables/{table_id}/end")
async def end_table(table_id: str, context: Context, token: Bearer) -> TableInfo:
    """End a game that nobody wants to go on with."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        room.require_host(seat)
        await room.change(seating.ended)
        return room.info([seat])


@router.post("/tables/{table_id}/publish")
async def publish(table_id: str, given: Publish, context: Context, token: Bearer) -> TableInfo:
    """List a finished game for everyone, or hide it again."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        room.require_host(seat)
        await room.change(partial(seating.published, public=given.public))
        return room.info([seat])


# --- Those who sit ---


@router.post("/tables/{table_id}/rematch", status_code=201)
async def rematch(table_id: str, context: Context, token: Bearer) -> Rematch:
    """Play again with the same people, seats turned by one. Whoever asks second comes to the same table."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        following = await room.rematch(seat)
        count = len(room.stored.seats)
    async with context.rooms.visit(following) as next_room:
        await next_room.resume()
    return Rematch(table=following, seats=count)


@router.post("/tables/{table_id}/pass", status_code=201)
async def new_pass(table_id: str, given: NewPass, context: Context, token: Bearer) -> Pass:
    """Get six words that bring one's seat to another device. Earlier words are no longer valid."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        words, until = tokens.new_words(), now() + round(context.settings.pass_hours * 3_600_000)
        await room.change(partial(seating.passed, seat=seat, words=words, moves=given.moves, until=until))
        return Pass(words=words, until=iso_time(until))


@router.post("/tables/{table_id}/withdraw")
async def withdraw(table_id: str, context: Context, token: Bearer) -> TableInfo:
    """Withdraw the six words, and take the seat away from all other devices."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        await room.change(partial(seating.withdrawn, seat=seat, token=token or ""))
        return room.info([seat])


@router.post("/tables/{table_id}/rotate", status_code=201)
async def rotate(table_id: str, context: Context, token: Bearer) -> SeatToken:
    """Get another token for one's seat, and with it the host's rights where it has them. The old one is withdrawn."""
    async with context.rooms.visit(table_id) as room:
        seat, fresh = require_seat(room, token), tokens.new_token()
        await room.change(partial(seating.rotated, seat=seat, token=token or "", new=fresh))
        return SeatToken(seat=seat, token=fresh)


@router.post("/passes", status_code=201)
async def redeem(given: TypedWords, context: Context) -> Joined:
    """Take a seat with the six words that another device shows."""
    words = tokens.read_words(given.words)
    if words is None:
        raise ApiError(ErrorCode.WRONG_WORDS)
    try:
        found = await context.store.passed_seat(tokens.token_hash(words))
    except StoreFailed as error:
        raise storage_error(error) from error
    if found is None:
        raise ApiError(ErrorCode.WRONG_WORDS)
    table, place = found
    token = tokens.new_token()
    async with context.rooms.visit(table.id) as room:
        await room.change(partial(seating.redeemed, seat=place.seat, words=words, token=token))
        return Joined(table=room.info([place.seat]), tokens=[SeatToken(seat=place.seat, token=token)])
