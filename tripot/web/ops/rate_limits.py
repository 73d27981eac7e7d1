"""Rate limits per visitor. A visitor is an IP address; all addresses of one IPv6 /64 network are one visitor."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

from tripot.store.store import Store, StoreFailed
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.settings import Settings
from tripot.web.ops.token_bucket import MAX_VISITORS, TokenBuckets

SAFE = ("GET", "HEAD")
OPENING = ("/api/tables", "/api/records")  # a POST to these paths stores a table
REDEEMING = "/api/passes"  # a POST to this path tries six words
READS_AT_A_TIME = 25  # tokens of the shared bucket that a process takes for a visitor who reads
COSTLY = ("/replay", "/record")  # these read or replay a whole log
STUDIES = ("/review", "/hint", "/chances")  # a POST to these paths lets games be played on or tables be imagined


def limits_of(scope: Scope) -> list[str]:
    """Returns the names of the limits that a request or a new socket counts against.

    >>> limits_of({"type": "http", "method": "POST", "path": "/api/passes"})
    ['requests', 'passes']
    """
    path = scope["path"]
    if scope["type"] == "websocket" or scope["method"] in SAFE:
        return ["reads", "replays"] if path.endswith(COSTLY) else ["reads"]
    if path in OPENING or path.endswith(("/rematch", "/play-on")):
        return ["requests", "tables"]
    if path.endswith(STUDIES) and scope["method"] == "POST":
        return ["requests", "replays"]
    return ["requests", "passes"] if path == REDEEMING else ["requests"]


class RateLimits:
    """The rate limits of all visitors of a server."""

    def __init__(self, settings: Settings) -> None:
        self._rates: dict[str, tuple[float, float]] = {  # at once, per second
            "reads": (settings.reads_at_once, settings.reads_per_second),
            "replays": (settings.replays_at_once, settings.replays_per_second),
            "requests": (settings.requests_at_once, settings.requests_per_second),
            "tables": (settings.tables_at_once, settings.tables_per_hour / 3600),
            "passes": (settings.passes_at_once, settings.passes_per_hour / 3600),
        }
        self._buckets = {name: TokenBuckets(*rate) for name, rate in self._rates.items()}
        self._dropping: set[asyncio.Task[None]] = set()
        self._reserved: dict[str, int] = {}  # by visitor, reads taken from the shared bucket and not used yet
        self._max_sockets = settings.sockets
        self._sockets: Counter[str] = Counter()

    def check(self, scope: Scope) -> None:
        """Counts a request or a new socket. Raises ApiError if it is over a limit."""
        visitor = visitor_of(scope)
        for name in limits_of(scope):
            if not self._buckets[name].allows(visitor):
                raise ApiError(ErrorCode.TOO_MANY_TABLES if name == "tables" else ErrorCode.TOO_FAST)

    async def check_shared(self, scope: Scope, store: Store) -> None:
        """Counts it for all processes of a shared database too. Raises ApiError if together it is over a limit.

        While the database fails, the limits of this process are what is left.
        """
        if store.processes is None:
            return
        visitor = visitor_of(scope)
        for name in limits_of(scope):
            if not await self._take(store, name, visitor):
                raise ApiError(ErrorCode.TOO_MANY_TABLES if name == "tables" else ErrorCode.TOO_FAST)

    async def _take(self, store: Store, name: str, visitor: str) -> bool:
        """Takes a token; reads, which are many and cheap, are taken by the dozen."""
        most, rate = self._rates[name]
        if name == "reads" and self._reserved.get(visitor, 0):
            self._reserved[visitor] -= 1
            return True
        dozen = min(READS_AT_A_TIME, int(most)) if name == "reads" else 1
        try:
            taken = await store.take_tokens(f"{name} {visitor}", most, rate, dozen)
        except StoreFailed:
            return True
        if taken and dozen > 1:
            self._reserved[visitor] = dozen - 1
            while len(self._reserved) > MAX_VISITORS:
                del self._reserved[next(iter(self._reserved))]
        return taken

    async def share_socket(self, visitor: str, store: Store) -> Callable[[], None]:
        """Counts a socket for all processes. Raises ApiError if the visitor has too many. Returns what to call when it
        is closed."""
        try:
            free = await store.add_socket(visitor, self._max_sockets)
        except StoreFailed:
            free = True
        if not free:
            raise ApiError(ErrorCode.TOO_MANY_SOCKETS, self._max_sockets)

        async def drop() -> None:
            with suppress(StoreFailed):
                await store.drop_socket(visitor)

        def closed() -> None:
            if store.processes is not None:
                task = asyncio.create_task(drop())
                self._dropping.add(task)
                task.add_done_callback(self._dropping.discard)

        return closed

    @contextmanager
    def open_socket(self, visitor: str) -> Iterator[None]:
        """Counts a socket while it is open. Raises ApiError if the visitor has too many."""
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
