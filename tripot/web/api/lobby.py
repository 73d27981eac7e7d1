"""The lobby: games, tables, invitations."""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from typing import Annotated, Literal

import segno
from fastapi import APIRouter, Query, Request, Response

from tripot import GAMES, __version__, find_rules
from tripot.core.game import Game
from tripot.core.options import as_json, parse
from tripot.store.models import PERSON, PLAYING, StoredSeat, StoredTable
from tripot.store.store import StoreFailed
from tripot.table.table import BadTable, Table
from tripot.web.api.catalogue import catalogue, game_info
from tripot.web.api.messages import (
    LARGEST,
    Catalogue,
    Failure,
    GameList,
    Invited,
    Join,
    Joined,
    MySeats,
    NewSeat,
    NewTable,
    Opened,
    SeatToken,
    TableInfo,
    TableList,
)
from tripot.web.live.room import bits, bot_seat, storage_error, unique_name
from tripot.web.live.table_info import invites, parse_iso_time, table_info
from tripot.web.ops import tokens
from tripot.web.ops.context import Bearer, Context, ServerContext, seats_of
from tripot.web.ops.errors import ApiError, ErrorCode

LONGEST_LINK = 300
logger = logging.getLogger(__name__)

router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}, 422: {"model": Failure}})


# --- Games ---


@router.get("/games")
async def games(context: Context) -> GameList:
    """All games with their house rules and levels."""
    return GameList(
        version=__version__,
        share=context.settings.share,
        games=[game_info(game, context.bot_pool.engine[name]) for name, game in GAMES.items()],
    )


@router.get("/catalogue/{game}", response_model=Catalogue)
async def texts(game: str, request: Request, rules: Annotated[int | None, Query(ge=0, le=LARGEST)] = None) -> Response:
    """All texts of a game in both languages, also for older rules. Answers 304 if the browser has them."""
    newest = require_game(game)
    wanted = newest if rules is None else find_rules(game, rules)
    if wanted is None:
        raise ApiError(ErrorCode.OUTDATED)
    body, tag = catalogue_json(game, wanted.rules_version)
    headers = {"cache-control": "no-cache", "etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@cache
def catalogue_json(game: str, rules: int) -> tuple[bytes, str]:
    """Returns a catalogue as JSON, and its ETag."""
    body = catalogue(find_rules(game, rules) or GAMES[game]).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def require_game(name: str) -> Game:
    if name not in GAMES:
        raise ApiError(ErrorCode.NO_GAME)
    return GAMES[name]


# --- Lists ---


@router.get("/tables")
async def tables(
    context: Context,
    list: Literal["open", "finished"] = "open",
    game: Annotated[str | None, Query(max_length=32)] = None,
    before: Annotated[str | None, Query(max_length=40)] = None,
) -> TableList:
    """Tables that anyone may join, or finished games, newest first."""
    try:
        if list == "open":
            found = await context.store.open_tables(context.settings.listed, context.settings.open_hours)
        else:
            moment = None if before is None else parse_time(before)
            found = await context.store.finished_tables(context.settings.listed, moment, game)
    except StoreFailed as error:
        raise storage_error(error) from error
    return TableList(tables=[info_of(context, table) for table in found])


@router.post("/mine")
async def mine(given: MySeats, context: Context) -> TableList:
    """The tables among these whose tokens are right."""
    try:
        found = await context.store.tables([seat.table for seat in given.seats])
    except StoreFailed as error:
        raise storage_error(error) from error
    answer = []
    for table in found:
        held = [seat.token for seat in given.seats if seat.table == table.id]
        seats = [s.seat for s in table.seats if any([tokens.matches(token, s.token_hash) for token in held])]
        if seats:
            answer.append(info_of(context, table, seats))
    return TableList(tables=answer)


def info_of(context: ServerContext, table: StoredTable, mine: list[int] | None = None) -> TableInfo:
    room = context.rooms.live(table.id)
    return room.info(mine) if room is not None else table_info(table, mine=mine)


def parse_time(text: str) -> int:
    try:
        return parse_iso_time(text)
    except (ValueError, OverflowError):
        raise ApiError(ErrorCode.MALFORMED) from None


# --- One table ---


@router.post("/tables", status_code=201)
async def open_table(given: NewTable, context: Context) -> Opened:
    """Open a table."""
    game = require_game(given.game)
    table_id = tokens.new_table_id()
    seats, rights = new_seats(table_id, game, given.seats)
    stored = StoredTable(
        id=table_id,
        game=game.name,
        rules=game.rules_version,
        seed=tokens.new_seed(),
        seats=seats,
        open=given.open,
        watch=given.watch,
        pace=given.pace,
    )
    try:
        options = parse(game.options, given.options)
        table = Table(game, len(seats), stored.seed, options)
    except BadTable as error:
        raise ApiError(ErrorCode.BAD_TABLE, error) from None
    except (ValueError, RecursionError) as error:  # BadOption, or a huge number or nesting
        raise ApiError(ErrorCode.BAD_OPTION, str(error)[:200]) from None
    stored.options = as_json(options)
    if not stored.free_seats:
        stored.status, stored.waiting = PLAYING, bits(table.waiting)
    try:
        await context.store.create(stored)
    except StoreFailed as error:
        raise storage_error(error) from error
    logger.info("a table is opened", extra={"table": stored.id, "game": stored.game, "status": stored.status})
    async with context.rooms.visit(stored.id) as room:
        await room.resume()
        return Opened(table=room.info([right.seat for right in rights]), tokens=rights, invites=invites(stored))


def new_seats(table_id: str, game: Game, wanted: list[NewSeat]) -> tuple[list[StoredSeat], list[SeatToken]]:
    """Returns the seats of a new table, and the tokens of the players at this browser."""
    if not any(seat.kind == "here" for seat in wanted):
        raise ApiError(ErrorCode.BAD_TABLE, "somebody must sit here")
    if len(wanted) not in game.seats:
        raise ApiError(ErrorCode.BAD_TABLE, f"{game.name} is for {' or '.join(map(str, game.seats))} players")
    seats: list[StoredSeat] = []
    rights = []
    for number, seat in enumerate(wanted):
        if seat.kind == "bot":
            seats.append(bot_seat(game, number, seat.level or "medium"))
        elif seat.kind == "friend":
            seats.append(StoredSeat(number, PERSON, invite=tokens.new_invite(table_id)))
        else:
            token = tokens.new_token()
            name = unique_name(seat.name or game.text.SEATS[number].en, [other.name for other in seats])
            seats.append(StoredSeat(number, PERSON, name=name, token_hash=tokens.token_hash(token)))
            rights.append(SeatToken(seat=number, token=token))
    return seats, rights


@router.get("/tables/{table_id}")
async def one_table(table_id: str, context: Context, token: Bearer) -> TableInfo:
    """One table, for everyone who may see it."""
    async with context.rooms.visit(table_id) as room:
        return room.info(seats_of(room, token))


@router.post("/tables/{table_id}/join", status_code=201)
async def join(table_id: str, given: Join, context: Context) -> Joined:
    """Take a free seat at an open table."""
    async with context.rooms.visit(table_id) as room:
        if not room.stored.open:
            raise ApiError(ErrorCode.NO_TABLE)
        seat, token = await room.join(given.seat, given.name)
        return Joined(table=room.info([seat]), tokens=[SeatToken(seat=seat, token=token)])


# --- Invitations ---


@router.get("/invites/{code}")
async def invitation(code: str, context: Context) -> Invited:
    """What an invitation is for."""
    table, seat = await require_invite(context, code)
    return Invited(table=info_of(context, table), seat=seat.seat)


@router.post("/invites/{code}", status_code=201)
async def accept(code: str, given: Join, context: Context) -> Joined:
    """Take the seat of an invitation. It can be used once."""
    table, place = await require_invite(context, code)
    async with context.rooms.visit(table.id) as room:
        try:
            seat, token = await room.join(place.seat, given.name)
        except ApiError as error:
            raise ApiError(ErrorCode.INVITE_USED) if error.code is ErrorCode.SEAT_TAKEN else error from None
        return Joined(table=room.info([seat]), tokens=[SeatToken(seat=seat, token=token)])


@router.get("/invites/{code}/qr.svg", response_class=Response)
async def qr_code(code: str, context: Context, request: Request) -> Response:
    """The link of an invitation as a QR code."""
    await require_invite(context, code)
    base = context.settings.share or f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}"
    link = f"{base}/join/{code}"
    if len(link) > LONGEST_LINK:
        raise ApiError(ErrorCode.MALFORMED)
    drawing = segno.make(link, micro=False).svg_inline(scale=8, border=4, dark="#000", light="#fff", omitsize=True)
    drawing = drawing.replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1
    )  # a file of its own needs the namespace
    return Response(drawing, media_type="image/svg+xml")


async def require_invite(context: ServerContext, code: str) -> tuple[StoredTable, StoredSeat]:
    try:
        found = await context.store.invitation(code)
    except StoreFailed as error:
        raise storage_error(error) from error
    if found is None:
        raise ApiError(ErrorCode.NO_INVITE)
    return found
