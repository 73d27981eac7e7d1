"""The socket of a table: reads the messages of one page in order and answers them."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import ExitStack
from functools import partial

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from tripot.table.refusal import Refusal
from tripot.web.api.messages import (
    ClientMessage,
    Decide,
    ErrorMessage,
    Fill,
    Hello,
    Hold,
    Malformed,
    Ping,
    Pong,
    Problem,
    Release,
    Say,
    Shuffle,
    Try,
    done,
    read_client_message,
)
from tripot.web.live import seating, shuffling
from tripot.web.live.connection import CloseCode, Connection
from tripot.web.live.room import Room
from tripot.web.ops.context import ServerContext, get_context
from tripot.web.ops.errors import ApiError, ErrorCode, problem_of
from tripot.web.ops.middleware import HELD

FOR_GOOD = {  # to connect again would not help
    ErrorCode.NO_TABLE: CloseCode.NO_TABLE,
    ErrorCode.DAMAGED: CloseCode.NO_TABLE,
    ErrorCode.WRONG_TOKEN: CloseCode.WRONG_TOKEN,
}
MAX_MALFORMED = 20  # messages of one connection before it is closed
MAX_TOO_FAST = 200
MOST_UNREAD = 8  # messages of one page that wait to be answered before the server stops reading

router = APIRouter(prefix="/api")
logger = logging.getLogger(__name__)


@router.websocket("/tables/{table_id}/socket")
async def table_socket(socket: WebSocket, table_id: str) -> None:
    """Connects a page to a table, as a player or a spectator."""
    context = get_context(socket)
    await socket.accept()
    hello = await read_hello(socket, context)
    if hello is None:
        return
    try:
        async with context.rooms.visit(table_id) as room:
            seat = room.seat_of(hello.token) if hello.token is not None else None
            if hello.token is not None and seat is None:
                await refuse(socket, CloseCode.WRONG_TOKEN, ApiError(ErrorCode.WRONG_TOKEN).problem)
            elif seat is None and not room.may_watch:
                await refuse(socket, CloseCode.NO_TABLE, ApiError(ErrorCode.NO_TABLE).problem)
            else:
                await open_page(socket, room, Connection(socket, seat, hello, context.settings))
    except ApiError as error:
        await refuse(socket, FOR_GOOD.get(error.code, CloseCode.RESTART), error.problem)
    except Exception:
        logger.exception("a connection to table %s failed", table_id)
        await refuse(socket, CloseCode.INTERNAL, ApiError(ErrorCode.INTERNAL).problem)


async def read_hello(socket: WebSocket, context: ServerContext) -> Hello | None:
    """Returns the hello, which must be the first message and come within `hello_seconds`. Else closes the socket."""
    try:
        async with asyncio.timeout(context.settings.hello_seconds):
            message = parse_message(await receive_text(socket))
    except TimeoutError:
        await socket.close(CloseCode.SILENT, "no hello")
        return None
    except WebSocketDisconnect:
        return None
    except ApiError as error:
        await refuse(socket, CloseCode.MALFORMED, error.problem)
        return None
    if not isinstance(message, Hello):
        await refuse(socket, CloseCode.MALFORMED, ApiError(ErrorCode.MALFORMED).problem)
        return None
    return message


async def refuse(socket: WebSocket, code: CloseCode, problem: Problem) -> None:
    """Sends an error and closes the socket."""
    get_context(socket).metrics.refused[problem.reason] += 1
    try:
        await socket.send_text(ErrorMessage(id=None, error=problem).model_dump_json())
        await socket.close(code, problem.reason)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the client has already disconnected


async def open_page(socket: WebSocket, room: Room, connection: Connection) -> None:
    """Lets a page enter a room. It stays there after this request, until it disconnects."""
    try:
        await room.enter(connection)
    except BaseException:
        room.leave(connection)
        raise
    held: ExitStack = socket.scope[HELD]
    connection.wire.attach(Page(room, connection, held.pop_all()))


class Page:
    """A page in a room: its messages are answered one after the other."""

    __slots__ = ("_connection", "_held", "_malformed", "_room", "_task", "_too_fast", "_unread")

    def __init__(self, room: Room, connection: Connection, held: ExitStack) -> None:
        self._room, self._connection, self._held = room, connection, held
        self._unread: list[str | None] = []
        self._task: asyncio.Task[None] | None = None
        self._malformed = self._too_fast = 0
        room.users += 1

    def heard(self, text: str | None) -> None:
        self._unread.append(text)
        if self._task is None:
            self._task = asyncio.create_task(self._answer())
        elif len(self._unread) == MOST_UNREAD:
            self._connection.wire.pause()

    def gone(self) -> None:
        self._room.users -= 1
        self._room.leave(self._connection)
        self._held.close()

    async def _answer(self) -> None:
        """Answers what has come."""
        while self._unread:
            unread, self._unread = self._unread, []
            for text in unread:
                await self._answer_one(text)
            if len(unread) >= MOST_UNREAD:
                self._connection.wire.resume()
        self._task = None

    async def _answer_one(self, text: str | None) -> None:
        room, connection = self._room, self._connection
        if not connection.rate_limit.allows():
            self._too_fast += 1
            send_error(room, connection, id_of(text), ApiError(ErrorCode.TOO_FAST).problem)
        elif not await answer(room, connection, text):
            self._malformed += 1
        if self._malformed >= MAX_MALFORMED:
            connection.close(CloseCode.MALFORMED, "malformed")
        elif self._too_fast >= MAX_TOO_FAST:
            connection.close(CloseCode.TOO_FAST, "too fast")


async def answer(room: Room, connection: Connection, text: str | None) -> bool:
    """Answers one message. Returns False if it is malformed."""
    try:
        message = parse_message(text)
    except ApiError as error:
        send_error(room, connection, id_of(text), error.problem)
        return False
    request = 0 if isinstance(message, Hello) else message.id
    try:
        await carry_out(room, connection, message)
    except Refusal as refusal:
        send_error(room, connection, request, problem_of(refusal))
    except ApiError as error:
        send_error(room, connection, request, error.problem)
    except Exception:
        logger.exception("a message to table %s failed", room.stored.id)
        send_error(room, connection, request, ApiError(ErrorCode.INTERNAL).problem)
    return True


def send_error(room: Room, connection: Connection, request: int | None, problem: Problem) -> None:
    room.metrics.refused[problem.reason] += 1
    connection.send(ErrorMessage(id=request, error=problem))


async def carry_out(room: Room, connection: Connection, message: ClientMessage) -> None:
    """Carries out a message and confirms it. Raises Refusal or ApiError."""
    if isinstance(message, Ping):
        return connection.send(Pong(id=message.id))
    if isinstance(message, Hello):
        raise ApiError(ErrorCode.MALFORMED)
    if connection.seat is None:
        raise ApiError(ErrorCode.NOT_SEATED)
    if isinstance(message, Shuffle):
        await room.change(partial(shuffling.shown, seat=connection.seat, value=message.value))
        return connection.send(done(message.id))
    if isinstance(message, Try):
        return connection.send(await room.attempt(connection.seat, message))
    if isinstance(message, Decide):
        since = time.monotonic()

        def confirm() -> None:
            connection.hold(done(message.id))
            room.metrics.decision_seconds.observe(time.monotonic() - since)

        try:
            return await room.decide(connection.seat, message.actions, message.sequence, confirm)
        finally:
            connection.flush()
    if isinstance(message, Say):
        await room.say_everywhere(connection.seat, message.phrase)
        return connection.send(done(message.id))
    room.require_host(connection.seat)
    if isinstance(message, Fill):
        await room.change(partial(seating.filled, seat=message.seat, level=message.level))
    elif isinstance(message, Hold | Release):
        await room.hold(message.seat, message.level if isinstance(message, Hold) else None)
    connection.send(done(message.id))


async def receive_text(socket: WebSocket) -> str | None:
    """Returns the next message, or None if it is binary. Raises WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1005))
    text: str | None = message.get("text")
    return text


def parse_message(text: str | None) -> ClientMessage:
    """Returns a message as its type. Raises ApiError."""
    try:
        return read_client_message(text or "")
    except Malformed as error:
        raise ApiError(ErrorCode.MALFORMED, details=error.details) from None


def id_of(text: str | None) -> int | None:
    """Returns the id of a malformed message, if it has one."""
    try:
        content = json.loads(text or "")
        found = content.get("id") if isinstance(content, dict) else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, int) and 0 <= found < 2**31 else None
