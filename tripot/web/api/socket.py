"""The socket of a seat: reads what a page says, one message after the other, and answers it."""

from __future__ import annotations

import asyncio
import json
import logging
import time

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from tripot.table.refusal import Refusal
from tripot.web.api.messages import (
    ClientMessage,
    Decide,
    Done,
    ErrorMessage,
    Fill,
    Hello,
    Hold,
    Malformed,
    Ping,
    Pong,
    Problem,
    Release,
    Try,
    read_client_message,
)
from tripot.web.live.connection import CloseCode, Connection
from tripot.web.live.room import Room
from tripot.web.ops.context import ServerContext, get_context
from tripot.web.ops.errors import ApiError, ErrorCode, problem_of

MOST_MALFORMED = 20
MOST_TOO_FAST = 200

router = APIRouter(prefix="/api")
logger = logging.getLogger(__name__)


@router.websocket("/tables/{table_id}/socket")
async def sit_or_watch(socket: WebSocket, table_id: str) -> None:
    """A page at a table, from its hello until it is gone."""
    context = get_context(socket)
    await socket.accept()
    hello = await greeted(socket, context)
    if hello is None:
        return
    try:
        async with context.rooms.visit(table_id) as room:
            seat = room.seat_of(hello.token) if hello.token is not None else None
            if hello.token is not None and seat is None:
                await refuse(socket, CloseCode.WRONG_TOKEN, ApiError(ErrorCode.WRONG_TOKEN).problem)
            elif seat is None and not room.stored.watch:
                await refuse(socket, CloseCode.NO_TABLE, ApiError(ErrorCode.NO_TABLE).problem)
            else:
                await attend(socket, room, Connection(socket, seat, hello.heard, context.settings))
    except ApiError as fault:
        code = CloseCode.NO_TABLE if fault.cause is ErrorCode.NO_TABLE else CloseCode.RESTART
        await refuse(socket, code, fault.problem)
    except Exception:
        logger.exception("a connection to table %s failed", table_id)
        await refuse(socket, CloseCode.INTERNAL, ApiError(ErrorCode.INTERNAL).problem)


async def greeted(socket: WebSocket, context: ServerContext) -> Hello | None:
    """The hello that must come first, and soon."""
    try:
        async with asyncio.timeout(context.settings.hello_seconds):
            said = understood(await heard(socket))
    except TimeoutError:
        await socket.close(CloseCode.SILENT, "no hello")
        return None
    except WebSocketDisconnect:
        return None
    except ApiError as fault:
        await refuse(socket, CloseCode.MALFORMED, fault.problem)
        return None
    if not isinstance(said, Hello):
        await refuse(socket, CloseCode.MALFORMED, ApiError(ErrorCode.MALFORMED).problem)
        return None
    return said


async def refuse(socket: WebSocket, code: CloseCode, problem: Problem) -> None:
    """Say why, and close."""
    get_context(socket).metrics.refused[problem.reason] += 1
    try:
        await socket.send_text(ErrorMessage(id=None, error=problem).model_dump_json())
        await socket.close(code, problem.reason)
    except (WebSocketDisconnect, RuntimeError):
        pass  # it left by itself


async def attend(socket: WebSocket, room: Room, connection: Connection) -> None:
    """Serve one page until it leaves."""
    malformed = hurried = 0
    try:
        await room.enter(connection)
        while malformed < MOST_MALFORMED and hurried < MOST_TOO_FAST:
            text = await heard(socket)
            if not connection.limit.allows():
                hurried += 1
                say_no(room, connection, id_of(text), ApiError(ErrorCode.TOO_FAST).problem)
            elif not await answered(room, connection, text):
                malformed += 1
        many = malformed >= MOST_MALFORMED
        connection.close(*((CloseCode.MALFORMED, "malformed") if many else (CloseCode.TOO_FAST, "too fast")))
    except WebSocketDisconnect:
        pass
    finally:
        room.leave(connection)
        await connection.closed()


async def answered(room: Room, connection: Connection, text: str | None) -> bool:
    """Answer one message; False if it could not be understood."""
    try:
        said = understood(text)
    except ApiError as fault:
        say_no(room, connection, id_of(text), fault.problem)
        return False
    request = 0 if isinstance(said, Hello) else said.id
    try:
        await carried_out(room, connection, said)
    except Refusal as refusal:
        say_no(room, connection, request, problem_of(refusal))
    except ApiError as fault:
        say_no(room, connection, request, fault.problem)
    except Exception:
        logger.exception("a message to table %s failed", room.stored.id)
        say_no(room, connection, request, ApiError(ErrorCode.INTERNAL).problem)
    return True


def say_no(room: Room, connection: Connection, request: int | None, problem: Problem) -> None:
    room.metrics.refused[problem.reason] += 1
    connection.send(ErrorMessage(id=request, error=problem))


async def carried_out(room: Room, connection: Connection, said: ClientMessage) -> None:
    """Do what a page asks. Raises Refusal or ApiError."""
    if isinstance(said, Ping):
        return connection.send(Pong(id=said.id))
    if isinstance(said, Hello):
        raise ApiError(ErrorCode.MALFORMED)
    if connection.seat is None:
        raise ApiError(ErrorCode.NOT_SEATED)
    if isinstance(said, Try):
        return connection.send(await room.attempt(connection.seat, said))
    if isinstance(said, Decide):
        since = time.monotonic()

        def confirm() -> None:
            connection.send(Done(id=said.id))
            room.metrics.confirmed.note(time.monotonic() - since)

        return await room.decide(connection.seat, said.actions, said.sequence, confirm)
    if isinstance(said, Fill):
        await room.fill(said.seat, said.level)
    elif isinstance(said, Hold | Release):
        await room.hold(said.seat, said.level if isinstance(said, Hold) else None)
    connection.send(Done(id=said.id))


async def heard(socket: WebSocket) -> str | None:
    """The next message as text; None for one that is no text. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    return text


def understood(text: str | None) -> ClientMessage:
    """A message as its type. Raises ApiError."""
    try:
        return read_client_message(text or "")
    except Malformed as error:
        raise ApiError(ErrorCode.MALFORMED, details=error.details) from None


def id_of(text: str | None) -> int | None:
    """The id of a message that is otherwise not understood."""
    try:
        content = json.loads(text or "")
        found = content.get("id") if isinstance(content, dict) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, int) and 0 <= found < 2**31 else None
