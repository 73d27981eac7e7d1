"""Security middleware: response headers, origin checks, rate limits, body sizes, and answers to unexpected errors."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import ExitStack

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tripot.store.store import Store
from tripot.web.api.messages import ErrorMessage, Failure
from tripot.web.live.connection import CloseCode
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.origins import Origins
from tripot.web.ops.rate_limits import SAFE, RateLimits, visitor_of
from tripot.web.ops.settings import Settings

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",  # a referrer would leak invite codes
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
# What a browser heeds only on documents and workers. A page asks for some fifty scripts, styles and fonts, and these
# would be a tenth of its bytes.
OF_DOCUMENTS = (
    "content-security-policy",
    "x-frame-options",
    "referrer-policy",  # what a script or a style asks for names only that file
    "cross-origin-opener-policy",
    "permissions-policy",
)
PARTS = ("text/javascript", "text/css", "font/")
HELD = "tripot.held"  # in the scope of a socket: what is let go when it closes
RETRY = {408: b"1", 429: b"30", 503: b"5"}  # Retry-After in seconds, by status
MAX_DRAINED = 8 * 1024 * 1024  # bytes read of a body that is too large, so that the client receives the answer
logger = logging.getLogger(__name__)


class SecurityMiddleware:
    """Wraps the application: every request and socket passes through here first."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        refused: Counter[str] | None = None,
        rate_limits: RateLimits | None = None,
    ) -> None:
        self.app = app
        self.settings = settings
        self.refused = Counter() if refused is None else refused  # by reason
        self.rate_limits = rate_limits or RateLimits(settings)
        self.origins = Origins(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send, is_worker(Headers(scope=scope))))
        else:
            await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self.rate_limits.check(scope)
            self._check_origin(scope)
            _store(scope).hurry()
            await self.rate_limits.check_shared(scope, _store(scope))
            with ExitStack() as held:
                held.enter_context(self.rate_limits.open_socket(visitor_of(scope)))
                held.callback(await self.rate_limits.share_socket(visitor_of(scope), _store(scope)))
                scope[HELD] = held
                await self.app(scope, receive, _refusing(send))
        except ApiError as error:
            self._count(error)
            if error.status == 429:  # browsers hide an error before the upgrade: accept, explain, close
                text = ErrorMessage(id=None, error=error.problem).model_dump_json()
                await receive()
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.send", "text": text})
                await send({"type": "websocket.close", "code": CloseCode.TOO_FAST, "reason": error.problem.reason})
            else:
                await _send_error(error, _with_headers(_before_upgrade(send)))

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self.rate_limits.check(scope)
            self._check_origin(scope)
            _store(scope).hurry()
            await self.rate_limits.check_shared(scope, _store(scope))
            if scope["method"] not in SAFE:
                receive = _replay_body(await self._body(scope, receive), receive)
        except ApiError as error:
            self._count(error)
            return await _send_error(error, send)
        await self._run_app(scope, receive, send)

    def _check_origin(self, scope: Scope) -> None:
        """Raises ApiError if a request names another server, or if a page of another site wants to change something."""
        headers = Headers(scope=scope)
        if not self.origins.known_host(headers):
            raise ApiError(ErrorCode.WRONG_HOST)
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and self.origins.foreign(headers, scope["scheme"]):
            raise ApiError(ErrorCode.WRONG_ORIGIN)

    async def _run_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the application. Logs an unexpected exception and answers it with an `internal` error."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            logger.exception("request failed: %s", scope.get("route") or scope["method"])
            self._count(ApiError(ErrorCode.INTERNAL))
            if not started:
                await _send_error(ApiError(ErrorCode.INTERNAL), send)

    def _count(self, error: ApiError) -> None:
        self.refused[error.problem.reason] += 1

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Reads the whole body. Raises ApiError if it is too large or too slow."""
        record = scope["path"] == "/api/records"
        most = self.settings.record_bytes if record else self.settings.body_bytes
        body, length, more = bytearray(), 0, True
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                while more and length < MAX_DRAINED:
                    message = await receive()
                    part = message.get("body", b"")
                    length += len(part)
                    if length <= most:
                        body += part
                    more = message.get("more_body", False)
        except TimeoutError:
            raise ApiError(ErrorCode.TOO_SLOW) from None
        if length > most:
            raise ApiError(ErrorCode.TOO_LARGE, most)
        return bytes(body)


def _store(scope: Scope) -> Store:
    """Returns the store of the running server."""
    store: Store = scope["app"].state.context.store
    return store


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Returns a `receive` that replays a body that was read already."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return parts.pop() if parts else await receive()

    return replay


def is_worker(asked: Headers) -> bool:
    """Whether the browser will run the answer as a worker, which has a content policy of its own."""
    return "service-worker" in asked or asked.get("sec-fetch-dest", "") in ("worker", "sharedworker", "serviceworker")


def _with_headers(send: Send, worker: bool = False) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            part = headers.get("content-type", "").startswith(PARTS) and not worker
            for name, value in HEADERS.items():
                if not (part and name in OF_DOCUMENTS):
                    headers.setdefault(name, value)
            if not any(name in headers for name in ("cache-control", "etag")):
                headers["cache-control"] = "no-store"
        await send(message)

    return answer


def _refusing(send: Send) -> Send:
    """Returns a `send` that turns down a socket at an unknown address with an error of ours, before the upgrade."""
    accepted = False

    async def answer(message: Message) -> None:
        nonlocal accepted
        accepted = accepted or message["type"] == "websocket.accept"
        if message["type"] == "websocket.close" and not accepted:
            await _send_error(ApiError(ErrorCode.NOT_FOUND), _with_headers(_before_upgrade(send)))
        else:
            await send(message)

    return answer


def _before_upgrade(send: Send) -> Send:
    """Returns a `send` that answers a WebSocket's request as HTTP."""

    async def answer(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    return answer


async def _send_error(error: ApiError, send: Send) -> None:
    body = Failure(error=error.problem).model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.status in RETRY:
        headers.append((b"retry-after", RETRY[error.status]))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
