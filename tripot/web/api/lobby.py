"""The lobby: games, tables, invitations."""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from tripot import GAMES, __version__, find_rules
from tripot.core.game import Game
from tripot.core.options import as_json, parse
from tripot.core.shared_seed import new_secret
from tripot.store.models import PERSON, PLAYING, StoredSeat, StoredTable
from tripot.store.store import StoreFailed
from tripot.table.table import BadTable, Table
from tripot.web.api.catalogue import catalogue, game_info
from tripot.web.api.messages import (
    LARGEST,
    Catalogue,
    Failure,
    GameList,
    GameName,
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
from tripot.web.api.names import distinct
from tripot.web.live.room import storage_error
from tripot.web.live.seating import bot_seat
from tripot.web.live.shuffling import bits
from tripot.web.live.table_info import link_path, parse_iso_time, table_info
from tripot.web.ops import tokens
from tripot.web.ops.context import Bearer, Context, ServerContext, seats_of
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.rate_limits import visitor_of

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
async def texts(
    game: str, request: Request, rules: Annotated[int | None, Query(ge=0, le=LARGEST)] = None, clauses: bool = True
) -> Response:
    """All texts of a game in both languages, also for older rules. Answers 304 if the browser has them.

    Without `clauses` the rule book is left out: half of it all, and read by few.
    """
    newest = require_game(game)
    wanted = newest if rules is None else find_rules(game, rules)
    if wanted is None:
        raise ApiError(ErrorCode.OUTDATED)
    body, tag = catalogue_json(game, wanted.rules_version, clauses)
    headers = {"cache-control": "no-cache", "etag": tag}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@cache
def catalogue_json(game: str, rules: int, clauses: bool) -> tuple[bytes, str]:
    """Returns a catalogue as JSON, and its ETag."""
    found = catalogue(find_rules(game, rules) or GAMES[game])
    body = (found if clauses else found.model_copy(update={"clauses": []})).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"'


def require_game(name: str) -> Game:
    if name not in GAMES:
        raise ApiError(ErrorCode.NO_GAME)
    return GAMES[name]


# --- Lists ---


@router.get("/tables")
async def tables(
    context: Context,
    list: Literal["open", "running", "finished"] = "open",
    game: GameName | None = None,
    before: Annotated[str | None, Query(max_length=40)] = None,
) -> TableList:
    """Tables that anyone may join, tables in play that anyone may watch, or published games, newest first."""
    try:
        if list == "open":
            found = await context.store.open_tables(context.settings.listed, context.settings.open_hours)
            found = [table for table in found if table.free_seats]  # not one that is full and about to deal
        elif list == "running":
            found = await context.store.running_tables(context.settings.listed, context.settings.open_hours)
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
        seats = [s.seat for s in table.seats if any([tokens.opens(token, s) for token in held])]
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
async def open_table(given: NewTable, context: Context, request: Request) -> Opened:
    """Open a table."""
    game = require_game(given.game)
    table_id = tokens.new_table_id()
    seats, rights = new_seats(game, given.seats)
    if given.seconds is not None and sum(seat.kind == PERSON for seat in seats) < 2:
        raise ApiError(ErrorCode.BAD_TABLE, "a time for decisions needs several people")
    stored = StoredTable(
        id=table_id,
        game=game.name,
        rules=game.rules_version,
        seed=0,
        secret=new_secret(),
        seats=seats,
        open=given.open,
        watch=given.watch,
        pace=given.pace,
        link=tokens.new_link(table_id),
        host=rights[0].seat,
        listed=given.listed and given.watch,
        seconds=given.seconds,
        hints=given.hints,
        contributions=[None] * len(seats) if given.shuffle_together else None,
    )
    try:
        options = parse(game.options, given.options)
        table = Table(game, len(seats), stored.whole_seed, options)
    except BadTable as error:
        raise ApiError(ErrorCode.BAD_TABLE, error) from None
    except (ValueError, RecursionError) as error:  # BadOption, or a huge number or nesting
        raise ApiError(ErrorCode.BAD_OPTION, str(error)[:200]) from None
    stored.options = as_json(options)
    if not stored.free_seats and stored.contributions is None:
        stored.status, stored.waiting = PLAYING, bits(table.waiting)
    try:
        await context.store.create(stored)
    except StoreFailed as error:
        raise storage_error(error) from error
    logger.info("a table is opened", extra={"table": stored.id, "game": stored.game, "status": stored.status})
    async with context.rooms.visit(stored.id) as room:
        room.visitors = {right.seat: visitor_of(request.scope) for right in rights}
        await room.resume()
        return Opened(table=room.info([right.seat for right in rights]), tokens=rights, link=link_path(stored) or "")


def new_seats(game: Game, wanted: list[NewSeat]) -> tuple[list[StoredSeat], list[SeatToken]]:
    """Returns the seats of a new table, and the tokens of the players at this browser."""
    if not any(seat.kind == "here" for seat in wanted):
        raise ApiError(ErrorCode.BAD_TABLE, "somebody must sit here")
    if len(wanted) not in game.seats:
        raise ApiError(ErrorCode.BAD_TABLE, f"{game.name} is for {' or '.join(map(str, game.seats))} players")
    seats: list[StoredSeat] = []
    rights = []
    for number, seat in enumerate(wanted):
        if seat.kind == "bot":
            seats.append(bot_seat(game, number, seat.level or "medium", [other.name for other in seats]))
        elif seat.kind == "friend":
            seats.append(StoredSeat(number, PERSON, kept_for=seat.name))
        else:
            token = tokens.new_token()
            name = distinct(seat.name or game.text.SEATS[number].en, [other.name for other in seats])
            seats.append(StoredSeat(number, PERSON, name=name, tokens=[tokens.token_hash(token)]))
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


# --- Links ---


@router.get("/invites/{code}")
async def invitation(code: str, context: Context) -> Invited:
    """The table that a link leads to. A full table that may not be watched is not shown."""
    table, seat = await require_invite(context, code)
    async with context.rooms.visit(table.id) as room:
        if not room.may_watch and not room.stored.free_seats:
            raise ApiError(ErrorCode.INVITE_USED)
        return Invited(table=room.info(), seat=seat)


@router.post("/invites/{code}", status_code=201)
async def accept(code: str, given: Join, context: Context) -> Joined:
    """Take a free seat of the table that a link leads to."""
    table, place = await require_invite(context, code)
    async with context.rooms.visit(table.id) as room:
        if not room.stored.free_seats:
            raise ApiError(ErrorCode.INVITE_USED)
        seat, token = await room.join(place if given.seat is None else given.seat, given.name)
        return Joined(table=room.info([seat]), tokens=[SeatToken(seat=seat, token=token)])


async def require_invite(context: ServerContext, code: str) -> tuple[StoredTable, int | None]:
    try:
        found = await context.store.invitation(code) if tokens.is_id(code) else None
    except StoreFailed as error:
        raise storage_error(error) from error
    if found is None:
        raise ApiError(ErrorCode.NO_INVITE)
    return found
