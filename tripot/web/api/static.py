"""The page's files: everything under /page/, the service worker, and index.html for the addresses of the page."""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tripot import GAMES
from tripot.web.ops.context import Context
from tripot.web.ops.errors import ApiError, ErrorCode

FOLDER = Path(__file__).parent.parent / "page"
# The addresses that the page knows; it says at others that nothing is there. See ROUTES in page/main.js.
KNOWN = re.compile(r"(|mine|seat|join/[^/]+|tables/[^/]+|rules/[^/]+|learn/[^/]+)/?")
CACHED = (".js", ".css", ".svg", ".woff2")  # what the service worker keeps for a time without a network
FRESH = {"cache-control": "no-cache"}

router = APIRouter(include_in_schema=False)


OUTSIDE_FILES = re.compile(r"games/outside/([a-z0-9_]+)/(.+)")  # of games of other packages
SIGN = re.compile(r"art/([a-z0-9_]+)-sign\.svg")  # the picture of a game in the lobby
OWN_SIGN, NO_SIGN = "sign.svg", "art/pot.svg"  # in the folder of a game of another package; for one that has none


class PageFiles(StaticFiles):
    """Static files that browsers revalidate on every visit and download only when they changed."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER, check_dir=False)
        self.config_checked = True  # the API works without the page

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        if found := OUTSIDE_FILES.fullmatch(path):
            return self.lookup_outside(found[1], found[2])
        there, stat = super().lookup_path(path)
        sign = SIGN.fullmatch(path) if stat is None else None
        if sign is None or sign[1] not in GAMES:
            return there, stat
        own = self.lookup_outside(sign[1], OWN_SIGN)
        return own if own[1] is not None else super().lookup_path(NO_SIGN)

    def lookup_outside(self, name: str, path: str) -> tuple[str, os.stat_result | None]:
        """A file in the folder of a game of another package, and nothing outside that folder."""
        game = GAMES.get(name)
        if game is None or game.page is None:
            return "", None
        return StaticFiles(directory=game.page).lookup_path(path)

    async def get_response(self, path: str, scope: Scope) -> Response:
        # Files are sent whole. To compare a condition on a part, Starlette needs the header that is taken away below.
        scope["headers"] = [header for header in scope["headers"] if header[0] not in (b"range", b"if-range")]
        response = await super().get_response(path, scope)
        response.headers.update(FRESH)
        for name in ("last-modified", "accept-ranges"):  # the etag says when a file has changed
            del response.headers[name]
        return response


@router.get("/service-worker.js")
async def service_worker() -> Response:
    """The service worker, at the root, so that it serves the whole page."""
    if not (FOLDER / "service_worker.js").exists():
        raise ApiError(ErrorCode.NOT_FOUND)
    return Response(service_worker_text(), media_type="text/javascript", headers=FRESH)


@cache
def service_worker_text() -> str:
    """Returns the service worker with the version and the files of the page."""
    files = sorted(path for path in FOLDER.rglob("*") if path.suffix in CACHED)
    digest = hashlib.sha256()
    for path in [*files, FOLDER / "index.html"]:
        digest.update(path.read_bytes())
    names = [f"/page/{path.relative_to(FOLDER).as_posix()}" for path in files if path.name != "service_worker.js"]
    worker = (FOLDER / "service_worker.js").read_text("utf-8")
    return f"self.page = {json.dumps({'version': digest.hexdigest()[:16], 'files': names})};\n{worker}"


@router.get("/{address:path}")
async def page(address: str, request: Request, context: Context) -> Response:
    """The page, which routes the address itself. Previews of links need the whole address of their picture."""
    if address.startswith(("api/", "page/")) or not (FOLDER / "index.html").exists():
        raise ApiError(ErrorCode.NOT_FOUND)
    base = context.settings.share or f"{request.url.scheme}://{request.headers.get('host', '')}"
    return HTMLResponse(index(base), 200 if KNOWN.fullmatch(address) else 404, headers=FRESH)


def index(base: str) -> str:
    """Returns index.html for a server at the address `base`. It is the same for every table, real or not."""
    return index_text().replace("{base}", escape(base))


@cache
def index_text() -> str:
    return (FOLDER / "index.html").read_text("utf-8")
