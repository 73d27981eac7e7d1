"""The FastAPI application."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Mount, Route

from tripot import __version__
from tripot.web.api import archive, health, hints, lessons, lobby, seats, socket, static, teaching
from tripot.web.api.messages import Failure, details_of
from tripot.web.ops.context import get_context, open_context
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.middleware import SecurityMiddleware
from tripot.web.ops.rate_limits import RateLimits
from tripot.web.ops.settings import Settings

TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".webmanifest": "application/json"}
PARTS = (lobby, seats, archive, hints, lessons, teaching, socket, health, static)


def build(
    settings: Settings | None = None, given: Metrics | None = None, rate_limits: RateLimits | None = None
) -> FastAPI:
    """Returns the application. It opens the database when it starts."""
    settings, metrics = settings or Settings(), given or Metrics()
    for ending, kind in TYPES.items():
        mimetypes.add_type(kind, ending)  # some systems register wrong types

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_context(settings, metrics) as context:
            app.state.context = context
            yield

    app = FastAPI(
        title="Tripot",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityMiddleware, settings=settings, refused=metrics.refused, rate_limits=rate_limits),
            Middleware(GZipMiddleware, minimum_size=500),
        ],
        exception_handlers={
            ApiError: refused,
            RequestValidationError: malformed,
            HTTPException: not_found,
        },
        routes=[Mount("/page", static.PageFiles(), name="page")],
    )
    app.get("/api/health")(answers)
    for part in PARTS:
        app.include_router(part.router)
    return app


async def answers() -> dict[str, bool]:
    """Returns 200 while the server answers."""
    return {"ok": True}


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    get_context(request).metrics.refused[error.problem.reason] += 1
    return JSONResponse(Failure(error=error.problem).model_dump(), error.status)


async def malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    failure = ApiError(ErrorCode.MALFORMED, details=details_of(error.errors()))
    get_context(request).metrics.refused[failure.problem.reason] += 1
    return JSONResponse(Failure(error=failure.problem).model_dump(), failure.status)


async def not_found(request: Request, error: Exception) -> Response:
    """Answers unknown paths and methods."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    headers = {"allow": ", ".join(sorted(allowed_methods(request)))} if status == 405 else None
    return JSONResponse(Failure(error=ApiError(ErrorCode.NOT_FOUND).problem).model_dump(), status, headers)


def allowed_methods(request: Request) -> set[str]:
    """Returns the methods of a path. The page's own route matches every path and counts where no other does."""
    routes = [*request.app.routes, *[route for part in PARTS for route in part.router.routes]]
    found = [
        route.methods or set()
        for route in routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    return set().union(*(found[:-1] or found))
