"""For those who run a server: whether it is well, and what it counts."""

from __future__ import annotations

from collections import Counter

from fastapi import APIRouter
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tripot import __version__
from tripot.store.store import StoreFailed
from tripot.web.ops.context import Context, ServerContext
from tripot.web.ops.metrics import exposition

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz(context: Context) -> Response:
    """200 if the server can read its database, else 503."""
    try:
        await context.store.ping()
    except StoreFailed:
        return JSONResponse({"ok": False, "database": "not reached"}, 503)
    return JSONResponse({"ok": True, "database": "reached", "version": __version__})


@router.get("/metrics")
async def metrics(context: Context) -> Response:
    """What this process counts, for Prometheus. It asks the database nothing."""
    kind = "text/plain; version=0.0.4; charset=utf-8"
    return PlainTextResponse(exposition(context.metrics, gauges(context), context.store.failures), media_type=kind)


def gauges(context: ServerContext) -> dict[str, tuple[str, dict[str, float]]]:
    """How things stand now: by name, what it means and the values by label."""
    rooms = context.rooms.all
    status = Counter(room.stored.status for room in rooms)
    return {
        "tables": (
            "Tables in the memory of this process, by status.",
            {f'{{status="{name}"}}': status[name] for name in ("waiting", "playing", "over", "record")},
        ),
        "seats_connected": ("Seats whose persons are connected here.", {"": sum(room.seats_here for room in rooms)}),
        "connections": ("Pages connected here, spectators too.", {"": sum(room.connected for room in rooms)}),
        "bot_queue": ("Choices that bots are thinking about or waiting to.", {"": context.bot_pool.queued}),
        "memory_bytes": ("The most memory that this process has held.", {"": memory()}),
    }


def memory() -> int:
    """In bytes; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
