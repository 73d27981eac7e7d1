"""Letters: what a table sends to a seat. A letter holds only what `Table` gives that seat."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tripot.core.game import Game
from tripot.table.choice import Choice
from tripot.table.completions import Completions
from tripot.table.table import Table
from tripot.web.api.messages import Legal, Letter, Tried, Try


def letter(table: Table, who: int, heard: int, told: int) -> Letter:
    """Returns the letter to `who` with the news of all decisions after number `told`, from item `heard` on.

    `told` is below 0 before the first letter. Then `heard` is the page's own count, and can be any number.
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
        moments=table.moments(who, told + 1) if told >= 0 else [],
    )


def lasting(letter: Letter) -> tuple[object, ...]:
    """What stays the same while nothing changes for the seat: its view, and its offer if it has one."""
    return letter.view, letter.legal, letter.sequence if letter.legal else None


def legal(game: Game, view: Any, actions: list[int]) -> list[Legal]:
    """Describes each decision by the key of its sentence and the numbers in it."""
    return [described(game, view, action) for action in actions]


def described(game: Game, view: Any, action: int) -> Legal:
    key, numbers = game.text.decision(view, action)
    return Legal(action=action, key=key, numbers=[int(number) for number in numbers])


def tried(choice: Choice, said: Try) -> Tried:
    """Returns what a seat sees of a choice before it confirms the choice."""
    return Tried(
        id=said.id,
        sequence=said.sequence,
        actions=choice.decisions,
        finished=choice.finished,
        legal=legal(choice.game, choice.view, choice.legal),
        view=fields_of(choice),
    )


def gathered(choice: Choice, ways: Completions, said: Try) -> Tried:
    """Returns the same for parts named in any order: what can join them and, once complete, their order."""
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


def described_in(choice: Choice, ways: Completions, parts: list[int], action: int) -> Legal:
    """Describes a decision at the moment when it is taken: what ends a set is not what ends a turn.

    A decision that is among `parts` already is described as it is taken the next time.
    """
    way = ways.shortest([*parts, action])
    moments = [moment for moment, taken in enumerate(way) if taken == action]
    before = way[: moments[parts.count(action)]]
    for earlier in before:
        choice.add(earlier)
    found = described(choice.game, choice.view, action)
    for _ in before:
        choice.undo()
    return found


def fields_of(choice: Choice) -> dict[str, Any]:
    view = choice.view
    return {f.name: getattr(view, f.name) for f in choice.game.layout.view.fields}
