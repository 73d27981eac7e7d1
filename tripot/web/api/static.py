"""The page's files: everything under /page/, and index.html for every address that the page routes itself."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tripot.web.ops.errors import ApiError, ErrorCode

FOLDER = Path(__file__).parent.parent / "page"

router = APIRouter(include_in_schema=False)


class PageFiles(StaticFiles):
    """Static files that browsers revalidate on every visit and download only when they changed."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER, check_dir=False)
        self.config_checked = True  # the API works without the page

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


@router.get("/{address:path}")
async def page(address: str) -> Response:
    """The page, which routes the address itself."""
    index = FOLDER / "index.html"
    if address.startswith(("api/", "page/")) or not index.exists():
        raise ApiError(ErrorCode.NOT_FOUND)
    return FileResponse(index, headers={"cache-control": "no-cache"})
