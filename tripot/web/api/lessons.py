"""The lessons of a game, with an answer to every decision: nothing in them is secret."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Response

from tripot import GAMES
from tripot.core.game import Game
from tripot.core.lesson import Lesson, LessonStep, steps_of
from tripot.table.view_json import view_json
from tripot.web.api.catalogue import words
from tripot.web.api.messages import Failure, Legal, LessonChoice, LessonInfo, LessonQuestion, Lessons
from tripot.web.live.letters import named
from tripot.web.ops.errors import ApiError, ErrorCode

router = APIRouter(prefix="/api", responses={"4XX": {"model": Failure}})


@router.get("/lessons/{game}", response_model=Lessons)
async def lessons(game: str) -> Response:
    """The lessons of a game."""
    if game not in GAMES:
        raise ApiError(ErrorCode.NO_GAME)
    return Response(lessons_json(game), media_type="application/json")


@cache
def lessons_json(game: str) -> bytes:
    found = [lesson_info(GAMES[game], lesson) for lesson in GAMES[game].lessons]
    return Lessons(game=game, lessons=found).model_dump_json().encode()


def lesson_info(game: Game, lesson: Lesson) -> LessonInfo:
    steps = steps_of(game, lesson)
    return LessonInfo(
        key=lesson.key,
        title=words(lesson.title),
        idea=words(lesson.idea),
        questions=[question(game, step, step is steps[-1]) for step in steps],
    )


def question(game: Game, step: LessonStep, last: bool) -> LessonQuestion:
    view = game.layout.observe_plain(step.s, step.seat)
    choices = [
        LessonChoice(
            decision=Legal.model_validate(named(game, view, one.action)),
            right=one.right,
            clause=one.clause,
            told=words(one.told),
            after=seen(game, one.after, step.seat) if last and one.right else None,
        )
        for one in step.choices
    ]
    return LessonQuestion(seat=step.seat, view=seen(game, step.s, step.seat), choices=choices)


def seen(game: Game, s: Any, seat: int) -> dict[str, Any]:
    return view_json(game, game.layout.observe_plain(s, seat))
