"""Rate limits per visitor. A visitor is an IP address; all addresses of one IPv6 /64 network are one visitor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.settings import Settings
from tripot.web.ops.token_bucket import TokenBuckets

SAFE = ("GET", "HEAD")
OPENING = ("/api/tables", "/api/records")  # a POST to these paths stores a table
COSTLY = ("/replay", "/record")  # these read or replay a whole log


class RateLimits:
    """The rate limits of all visitors of a server."""

    def __init__(self, settings: Settings) -> None:
        self._reads = TokenBuckets(settings.reads_at_once, settings.reads_per_second)
        self._replays = TokenBuckets(settings.replays_at_once, settings.replays_per_second)
        self._requests = TokenBuckets(settings.requests_at_once, settings.requests_per_second)
        self._tables = TokenBuckets(settings.tables_at_once, settings.tables_per_hour / 3600)
        self._max_sockets = settings.sockets
        self._sockets: Counter[str] = Counter()

    def check(self, scope: Scope) -> None:
        """Counts a request or a new socket. Raises ApiError if it is over a limit."""
        visitor, path = visitor_of(scope), scope["path"]
        reading = scope["type"] == "websocket" or scope["method"] in SAFE
        if not (self._reads if reading else self._requests).allows(visitor):
            raise ApiError(ErrorCode.TOO_FAST)
        if reading and path.endswith(COSTLY) and not self._replays.allows(visitor):
            raise ApiError(ErrorCode.TOO_FAST)
        if not reading and path in OPENING and not self._tables.allows(visitor):
            raise ApiError(ErrorCode.TOO_MANY_TABLES)

    @contextmanager
    def open_socket(self, scope: Scope) -> Iterator[None]:
        """Counts a socket while it is open. Raises ApiError if the visitor has too many."""
        visitor = visitor_of(scope)
        if self._sockets[visitor] >= self._max_sockets:
            raise ApiError(ErrorCode.TOO_MANY_SOCKETS, self._max_sockets)
        self._sockets[visitor] += 1
        try:
            yield
        finally:
            self._sockets[visitor] -= 1
            if not self._sockets[visitor]:
                del self._sockets[visitor]


def visitor_of(scope: Scope) -> str:
    """Returns the visitor that a request counts for.

    >>> visitor_of({"client": ("192.0.2.7", 5)}), visitor_of({"client": ("2001:db8:1:2:3:4:5:6", 5)})
    ('192.0.2.7', '2001:db8:1:2::')
    """
    host = str((scope.get("client") or ("",))[0])
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))  # one household has a whole /64
    return host
