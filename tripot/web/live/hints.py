"""Hints and chances for people at a table (`coach`), computed among the searches of bots from the view of one seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripot.coach import chances as coach_chances
from tripot.coach import hint as coach
from tripot.coach.reasons import Reason, in_words
from tripot.core.game import Game
from tripot.table.choice import Choice
from tripot.table.table import Table
from tripot.web.api.messages import Chances, HiddenPlace, Hint, HintChoice, Legal, Words
from tripot.web.live.bot_pool import BotPool
from tripot.web.live.letters import named

MOST_KEPT = 500
Key = tuple[str, str, int, int]  # what is asked, a table, a seat, and the number of its offer or of the last decision


class Hints:
    """The hints of a server. Whoever asks twice gets the same one, and it is computed once."""

    def __init__(self, pool: BotPool) -> None:
        self._pool = pool
        self._kept: dict[Key, asyncio.Task[Any]] = {}  # the latest last

    async def ask(self, table: str, choice: Choice, sequence: int, visitor: str) -> Hint:
        """Ranks the choices of a seat that has decided nothing yet."""
        key = "hint", table, choice.seat, sequence
        answer: Hint = await self._once(key, visitor, partial(ranking, choice, sequence))
        return answer

    async def chances(self, table: str, played: Table, view: NDArray[np.void], visitor: str) -> Chances:
        """Counts what may lie out of sight of a seat, from its view."""
        key = "chances", table, int(view["seat"][0]), played.sequence
        answer: Chances = await self._once(key, visitor, partial(counted, played.game, view, played.sequence))
        return answer

    async def _once(self, key: Key, visitor: str, work: Callable[[], Any]) -> Any:
        found = self._kept.get(key)
        if found is None or found.cancelled() or (found.done() and found.exception() is not None):
            found = self._kept[key] = asyncio.create_task(self._pool.study(key[1], visitor, work))
            while len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return await asyncio.shield(found)

    def close(self) -> None:
        for task in self._kept.values():
            task.cancel()


def ranking(choice: Choice, sequence: int) -> Hint:
    """The hint as the page gets it."""
    game = choice.game
    choices = [
        HintChoice(
            parts=parts_of(choice, one.actions),
            chance=round(one.chance, 4),
            low=round(one.low, 4),
            high=round(one.high, 4),
            level=one.level,
            reasons=worded(game, one.reasons),
        )
        for one in coach.hint(game, choice.seen, choice.legal)
    ]
    return Hint(sequence=sequence, choices=choices)


def counted(game: Game, view: NDArray[np.void], sequence: int) -> Chances:
    """What a seat can know of hidden cards, as the page gets it."""
    places = [
        HiddenPlace(
            seat=one.seat,
            label=Words(en=one.place.label.en, fr=one.place.label.fr),
            names=one.place.names,
            one=one.place.one,
            chances=[(thing, round(chance, 4)) for thing, chance in one.ranked],
            ruled_out=one.ruled_out,
        )
        for one in coach_chances.chances(game, view)
    ]
    return Chances(sequence=sequence, weighed=game.hidden is not None and game.hidden.weighed, places=places)


def parts_of(choice: Choice, actions: tuple[int, ...]) -> list[Legal]:
    """The parts of a choice, each said from what the seat would see then."""
    said = []
    for action in actions:
        said.append(Legal.model_validate(named(choice.game, choice.view, action)))
        choice = choice.followed_by(action)
    return said


def worded(game: Game, told: list[Reason]) -> list[Words]:
    """Reasons in both languages."""
    pairs = zip(in_words(game, told, "en"), in_words(game, told, "fr"), strict=True)
    return [Words(en=en, fr=fr) for en, fr in pairs]
