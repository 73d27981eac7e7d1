"""The guard at the door: headers that browsers obey, where requests come from, how large and how many they are."""

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
    "referrer-policy": "no-referrer",  # an invite code must not travel on
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
RETRY = {408: b"1", 429: b"30", 503: b"5"}  # seconds after which a refused request may be tried again
MOST_READ = 8 * 1024 * 1024  # of a body that is refused anyway
logger = logging.getLogger(__name__)


class SecurityMiddleware:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, settings: Settings, refused: Counter[str] | None = None) -> None:
        self.app = app
        self.settings = settings
        self.refused = Counter() if refused is None else refused  # by reason
        self.visitors = RateLimits(settings)

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
            return await send({"type": "websocket.close", "code": 1008})  # before the upgrade: answered with 403
        try:
            self.visitors.admit(scope)
            with self.visitors.connected(scope):
                await self.app(scope, receive, send)
        except ApiError as fault:  # a page cannot read what comes before the upgrade
            self._count(fault)
            said = ErrorMessage(id=None, error=fault.problem).model_dump_json()
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": said})
            await send({"type": "websocket.close", "code": CloseCode.TOO_FAST, "reason": fault.problem.reason})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["method"] not in SAFE and self._foreign(Headers(scope=scope)):
                raise ApiError(ErrorCode.WRONG_ORIGIN)
            self.visitors.admit(scope)
            if scope["method"] not in SAFE:
                receive = _once(await self._body(scope, receive), receive)
        except ApiError as fault:
            self._count(fault)
            return await _refuse(fault, send)
        await self._served(scope, receive, send)

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What nobody foresaw is noted, and answered in the form of every refusal."""
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except Exception:
            logger.exception("a request failed: %s", scope.get("route") or scope["method"])
            self._count(ApiError(ErrorCode.INTERNAL))
            if not started:
                await _refuse(ApiError(ErrorCode.INTERNAL), send)

    def _count(self, fault: ApiError) -> None:
        self.refused[fault.problem.reason] += 1

    def _foreign(self, headers: Headers) -> bool:
        """Whether the request comes from a page of another site. Programs name no origin."""
        origin = headers.get("origin")
        if origin is None:
            return False
        host = urlsplit(origin).netloc.lower()
        return host != headers.get("host", "").lower() and host not in self.settings.origins

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body, if it is not too large. One that is gets read, so that the sender hears the answer."""
        record = scope["path"] == "/api/records"
        most = self.settings.record_bytes if record else self.settings.body_bytes
        body, length, more = bytearray(), 0, True
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                while more and length < MOST_READ:
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


def _once(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read already, then whatever comes."""
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return parts.pop() if parts else await receive()

    return again


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


async def _refuse(fault: ApiError, send: Send) -> None:
    body = Failure(error=fault.problem).model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if fault.status in RETRY:
        headers.append((b"retry-after", RETRY[fault.status]))
    await send({"type": "http.response.start", "status": fault.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
