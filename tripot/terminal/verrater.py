"""Verräter in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from tripot.core.news import Item
from tripot.games.verrater import text
from tripot.games.verrater.actions import KEEP, PLAY
from tripot.games.verrater.cards import SUPPLY_VALUE


def draw(view: Any, players: Sequence[str], lang: str, width: int) -> RenderableType:
    lands = [f"{text.NAMES['land'][land](lang)} {view.holder[slot]}" for slot, land in enumerate(view.land)]
    return Text(" ".join(lands))


def hand(view: Any, players: Sequence[str], lang: str) -> RenderableType:
    cards = [str(value) for kind, value in enumerate(SUPPLY_VALUE) for _ in range(view.my_hand[kind])]
    return Text(" ".join(cards))


def hint(view: Any, action: int, lang: str) -> str:
    return text.ROLE_HINTS[action - KEEP](lang) if KEEP < action < PLAY else ""


def score(view: Any, news: Sequence[Item], players: Sequence[str], lang: str) -> RenderableType:
    return Text(" ".join(map(str, view.points)))
