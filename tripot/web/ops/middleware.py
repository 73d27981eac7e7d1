"""Security middleware: response headers, origin checks, rate limits, body sizes, and answers to unexpected errors."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tripot.web.api.messages import ErrorMessage, Failure
from tripot.web.live.connection import CloseCode
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.rate_limits import SAFE, RateLimits
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
RETRY = {408: b"1", 429: b"30", 503: b"5"}  # Retry-After in seconds, by status
MAX_DRAINED = 8 * 1024 * 1024  # bytes read of a body that is too large, so that the client receives the answer
logger = logging.getLogger(__name__)


class SecurityMiddleware:
    """Wraps the application: every request and socket passes through here first."""

    def __init__(self, app: ASGIApp, settings: Settings, refused: Counter[str] | None = None) -> None:
        self.app = app
        self.settings = settings
        self.refused = Counter() if refused is None else refused  # by reason
        self.rate_limits = RateLimits(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))
        else:
            await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._foreign(Headers(scope=scope)):
            self._count(ApiError(ErrorCode.WRONG_ORIGIN))
            return await send({"type": "websocket.close", "code": 1008})  # before the upgrade, this becomes a 403
        try:
            self.rate_limits.check(scope)
            with self.rate_limits.open_socket(scope):
                await self.app(scope, receive, send)
        except ApiError as error:  # browsers hide an error before the upgrade: accept, explain, close
            self._count(error)
            text = ErrorMessage(id=None, error=error.problem).model_dump_json()
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": text})
            await send({"type": "websocket.close", "code": CloseCode.TOO_FAST, "reason": error.problem.reason})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["method"] not in SAFE and self._foreign(Headers(scope=scope)):
                raise ApiError(ErrorCode.WRONG_ORIGIN)
            self.rate_limits.check(scope)
            if scope["method"] not in SAFE:
                receive = _replay_body(await self._body(scope, receive), receive)
        except ApiError as error:
            self._count(error)
            return await _send_error(error, send)
        await self._run_app(scope, receive, send)

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

    def _foreign(self, headers: Headers) -> bool:
        """Whether the request comes from a page of another site. Programs send no origin."""
        origin = headers.get("origin")
        if origin is None:
            return False
        host = urlsplit(origin).netloc.lower()
        return host != headers.get("host", "").lower() and host not in self.settings.origins

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


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Returns a `receive` that replays a body that was read already."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return parts.pop() if parts else await receive()

    return replay


def _with_headers(send: Send) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if not any(name in headers for name in ("cache-control", "etag")):
                headers["cache-control"] = "no-store"
        await send(message)

    return answer


async def _send_error(error: ApiError, send: Send) -> None:
    body = Failure(error=error.problem).model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.status in RETRY:
        headers.append((b"retry-after", RETRY[error.status]))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
