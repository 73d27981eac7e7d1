"""Health check and metrics for operators."""

from __future__ import annotations

from collections import Counter

from fastapi import APIRouter
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tripot import __version__
from tripot.web.ops.context import Context, ServerContext
from tripot.web.ops.metrics import exposition

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz(context: Context) -> Response:
    """Returns 200 if the server can write to its database, else 503. Tries it at most once in `PROBE_SECONDS`."""
    if await context.writable():
        return JSONResponse({"ok": True, "database": "written", "version": __version__})
    return JSONResponse({"ok": False, "database": "not written"}, 503)


@router.get("/metrics")
async def metrics(context: Context) -> Response:
    """Returns the metrics of this process for Prometheus, without a query to the database."""
    kind = "text/plain; version=0.0.4; charset=utf-8"
    return PlainTextResponse(exposition(context.metrics, gauges(context), context.store.failures), media_type=kind)


def gauges(context: ServerContext) -> dict[str, tuple[str, dict[str, float]]]:
    """Returns the current gauges: by name, the meaning and the values by label."""
    rooms = context.rooms.all
    status = Counter(room.stored.status for room in rooms)
    return {
        "tables": (
            "Tables in the memory of this process, by status.",
            {f'{{status="{name}"}}': status[name] for name in ("waiting", "playing", "over", "record")},
        ),
        "seats_connected": (
            "Seats whose players are connected to this process.",
            {"": sum(room.seats_present for room in rooms)},
        ),
        "connections": (
            "Pages connected to this process, spectators included.",
            {"": sum(room.connected for room in rooms)},
        ),
        "bot_queue": ("Bot choices being computed or waiting for a thread.", {"": context.bot_pool.queued}),
        "memory_bytes": ("Peak memory of this process.", {"": memory()}),
    }


def memory() -> int:
    """Returns the peak memory in bytes, or 0 where the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
