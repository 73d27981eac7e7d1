"""Hints: a seat that is to decide asks which choices are good, and why; any seat asks what it can know."""

from __future__ import annotations

from fastapi import APIRouter, Request

from tripot.table.refusal import Refusal
from tripot.web.api.messages import AskHint, Chances, Failure, Hint
from tripot.web.ops.context import Bearer, Context, require_seat
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.rate_limits import visitor_of

router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}, 422: {"model": Failure}})


@router.post("/tables/{table_id}/hint", responses={503: {"model": Failure}})
async def ask_hint(table_id: str, given: AskHint, context: Context, token: Bearer, request: Request) -> Hint:
    """The choices of one's own seat, ranked by the chance to win as far as the seat can see."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        if not room.stored.may_ask:
            raise ApiError(ErrorCode.NO_HINTS)
        try:
            choice = await room.choice(seat, given.sequence)
        except Refusal:
            raise ApiError(ErrorCode.NOT_ASKED) from None
        if not context.bot_pool.ready(choice.game):
            raise ApiError(ErrorCode.NOT_READY)
        return await context.hints.ask(table_id, choice, given.sequence, visitor_of(request.scope))


@router.post("/tables/{table_id}/chances", responses={503: {"model": Failure}})
async def ask_chances(table_id: str, context: Context, token: Bearer, request: Request) -> Chances:
    """The chances of what lies hidden, as far as one's own seat can know."""
    async with context.rooms.visit(table_id) as room:
        seat = require_seat(room, token)
        if not room.stored.may_ask:
            raise ApiError(ErrorCode.NO_HINTS)
        table, view = await room.seen_by(seat)
        if not context.bot_pool.ready(table.game):
            raise ApiError(ErrorCode.NOT_READY)
        return await context.hints.chances(table_id, table, view, visitor_of(request.scope))
