"""What teaches a game beside its lessons, with its pictures as views, and the clauses that answer a question."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from tripot import GAMES
from tripot.core.game import Game
from tripot.core.rule_search import LONGEST_QUESTION, search
from tripot.core.teaching import Chapter, Panel, Teaching, drawn
from tripot.table.view_json import view_json
from tripot.web.api.catalogue import words
from tripot.web.api.messages import Answers, ChapterInfo, Failure, PanelInfo, TeachingInfo
from tripot.web.ops.errors import ApiError, ErrorCode

router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}})


@router.get("/teaching/{game}", response_model=TeachingInfo)
async def teaching(game: str) -> Response:
    """The game in one minute, the chapters of its rules page, and an example."""
    if game not in GAMES:
        raise ApiError(ErrorCode.NO_GAME)
    return Response(teaching_json(game), media_type="application/json")


@router.get("/rules/{game}")
async def answers(
    game: str, question: Annotated[str, Query(max_length=LONGEST_QUESTION)], lang: Literal["en", "fr"] = "en"
) -> Answers:
    """The clauses that answer a question, the best first."""
    if game not in GAMES:
        raise ApiError(ErrorCode.NO_GAME)
    return Answers(game=game, clauses=[clause.number for clause in search(GAMES[game], question, lang)])


@cache
def teaching_json(name: str) -> bytes:
    game = GAMES[name]
    found = game.teaching or Teaching()
    return (
        TeachingInfo(
            game=name,
            primer=[panel_info(game, panel) for panel in found.primer],
            chapters=[chapter_info(chapter) for chapter in found.chapters],
            example=[panel_info(game, panel) for panel in found.example],
        )
        .model_dump_json()
        .encode()
    )


def panel_info(game: Game, panel: Panel) -> PanelInfo:
    picture, table = panel.picture, drawn(game, panel.picture)
    return PanelInfo(
        title=words(panel.title),
        text=words(panel.text),
        shows=picture.shows,
        seat=picture.seat,
        view=view_json(game, game.layout.observe_plain(table.s, picture.seat)),
        news=[[0, *item[1:]] for item in table.news],
    )


def chapter_info(chapter: Chapter) -> ChapterInfo:
    return ChapterInfo(title=words(chapter.title), text=words(chapter.text))
