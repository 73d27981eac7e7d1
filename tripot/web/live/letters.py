"""Letters: what the table tells a seat, as it goes over the wire. Nothing in them but what `Table` gives that seat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tripot.core.game import Game
from tripot.table.choice import Choice
from tripot.table.completions import Ways
from tripot.table.table import Table
from tripot.web.api.messages import Legal, Letter, Tried, Try


def letter(table: Table, who: int, heard: int, told: int) -> Letter:
    """The letter to `who`, with the news of all decisions after number `told`: from item `heard` on.

    Nothing was told yet where `told` is below 0; then `heard` is what a page says it has, and may be anything.
    """
    content = table.letter(who, told + 1)
    news, first = content["news"], heard
    if told < 0:
        first = heard if heard <= len(news) else 0
        news = news[first:]
    return Letter(
        sequence=content["sequence"],
        view=content["view"],
        legal=legal(table.game, SimpleNamespace(**content["view"]), content["legal"]),
        first=first,
        news=news,
    )


def lasting(text: str) -> str:
    """The part of a written letter that stays while nothing changes for its seat: the view and the legal decisions."""
    return text[text.index('"view"') : text.rindex('"first"')]


def legal(game: Game, view: Any, actions: list[int]) -> list[Legal]:
    """Decisions with the sentence and the numbers that say what they are."""
    return [described(game, view, action) for action in actions]


def described(game: Game, view: Any, action: int) -> Legal:
    key, numbers = game.text.decision(view, action)
    return Legal(action=action, key=key, numbers=[int(number) for number in numbers])


def tried(choice: Choice, said: Try) -> Tried:
    """What a seat sees of a choice it is making up."""
    return Tried(
        id=said.id,
        sequence=said.sequence,
        actions=choice.decisions,
        finished=choice.finished,
        legal=legal(choice.game, choice.view, choice.legal),
        view=fields_of(choice),
    )


def gathered(choice: Choice, ways: Ways, said: Try) -> Tried:
    """The same where the parts were named in any order: what can join them, and, once complete, their order."""
    order = ways.order(said.actions)
    joining = [described_in(choice, ways, said.actions, action) for action in ways.joining(said.actions) or []]
    return Tried(
        id=said.id,
        sequence=said.sequence,
        actions=order or said.actions,
        finished=order is not None,
        legal=joining,
        view=fields_of(choice),
        any_order=True,
    )


def described_in(choice: Choice, ways: Ways, parts: list[int], action: int) -> Legal:
    """A decision as it would be called where it is taken: what ends a set is not what ends a turn."""
    way = ways.shortest([*parts, action])
    last = len(way) - 1 - way[::-1].index(action)
    for earlier in way[:last]:
        choice.add(earlier)
    found = described(choice.game, choice.view, action)
    for _ in way[:last]:
        choice.undo()
    return found


def fields_of(choice: Choice) -> dict[str, Any]:
    view = choice.view
    return {f.name: getattr(view, f.name) for f in choice.game.layout.view.fields}
