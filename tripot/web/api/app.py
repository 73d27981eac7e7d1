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
from starlette.routing import Mount

from tripot import __version__
from tripot.web.api import archive, health, lobby, socket, static
from tripot.web.api.messages import Failure, details_of
from tripot.web.ops.context import get_context, open_context
from tripot.web.ops.errors import ApiError, ErrorCode
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.middleware import SecurityMiddleware
from tripot.web.ops.settings import Settings

TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".webmanifest": "application/json"}


def build(settings: Settings | None = None) -> FastAPI:
    """Returns the application. It opens the database when it starts."""
    settings, metrics = settings or Settings(), Metrics()
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
            Middleware(SecurityMiddleware, settings=settings, refused=metrics.refused),
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
    for part in (lobby, archive, socket, health, static):
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


async def not_found(_: Request, error: Exception) -> Response:
    """Answers unknown paths and methods."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return JSONResponse(Failure(error=ApiError(ErrorCode.NOT_FOUND).problem).model_dump(), status)
