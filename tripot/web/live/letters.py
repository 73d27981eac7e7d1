"""Letters: what a table sends to a seat. A letter holds only what `Table` gives that seat."""

from __future__ import annotations

from typing import Any, NamedTuple

from tripot.core import guide
from tripot.core.game import Game
from tripot.table.choice import Choice
from tripot.table.completions import Completions
from tripot.table.sights import changed
from tripot.table.table import Table
from tripot.table.view_json import said_json, view_json
from tripot.web.api.messages import Legal, Mark, Outcome, Said, Tried, Try


class Sent(NamedTuple):
    """What a page has from its last letter: the next one need not repeat it."""

    view: dict[str, Any]
    legal: list[dict[str, Any]]
    offer: int | None  # the number of its offer, if it has one


def letter(table: Table, who: int, heard: int, told: int, shown: int | None = None) -> dict[str, Any]:
    """Returns the letter to `who` with the news of all decisions after number `told`, from item `heard` on.

    `told` is below 0 before the first letter. Then `heard` is the page's own count, and can be any number; `shown` is
    the number of items that its person has seen, if any: the moments of the later ones come with them.
    """
    content = table.letter(who, told + 1)
    news, first = content["news"], heard
    moments = table.moments(who, told + 1) if told >= 0 or shown is not None else []
    if told < 0:
        first = heard if heard <= len(news) else 0
        news = news[first:]
        moments = [moment if place >= (shown or 0) else None for place, moment in enumerate(moments)][first:]
    end = outcome(table, who)
    return {
        "type": "letter",
        "sequence": content["sequence"],
        "view": content["view"],
        "legal": offered(table, who, content),
        "first": first,
        "news": news,
        "moments": moments,
        "outcome": end and end.model_dump(),
    }


def lasting(letter: dict[str, Any]) -> Sent:
    """What stays the same while nothing changes for the seat: its view, and its offer if it has one."""
    return Sent(letter["view"], letter["legal"], letter["sequence"] if letter["legal"] else None)


def changes(letter: dict[str, Any], before: Sent) -> dict[str, Any]:
    """Returns a letter to a page that has the one `before`: only those fields and that offer that have changed."""
    found = {**letter, "type": "changes", "view": changed(before.view, letter["view"])}
    if letter["legal"] == before.legal:
        del found["legal"]
    if letter["outcome"] is None:
        del found["outcome"]
    return found


def outcome(table: Table, who: int) -> Outcome | None:
    """Describes the end of a game to a seat, a spectator, or in a replay."""
    found = table.outcome(who)
    if found is None:
        return None
    return Outcome(
        said=found.said and said(found.said),
        reached=[said(one) for one in found.reached],
        history=[Mark(clock=mark.clock, reached=mark.reached) for mark in found.history],
    )


def said(one: guide.Said) -> Said:
    return Said.model_validate(said_json(one))


def offered(table: Table, who: int, content: dict[str, Any]) -> list[dict[str, Any]]:
    """Describes the decisions of an offer."""
    if not content["legal"]:
        return []
    return legal(Choice(table.game, table.seen(who), tuple(content["legal"])))


def legal(choice: Choice) -> list[dict[str, Any]]:
    """Describes the decisions that may come next in a choice, and says which of them end it."""
    view, actions = choice.view, choice.legal
    return [{**described(choice.game, view, action, actions), "ends": choice.ends(action)} for action in actions]


def named(game: Game, view: Any, action: int) -> dict[str, Any]:
    """A decision by its key and numbers alone."""
    key, numbers = game.text.decision(view, action)
    plain = [int(number) for number in numbers]
    return {"action": action, "key": key, "numbers": plain, "ends": False, "hint": [], "warning": None}


def described(game: Game, view: Any, action: int, actions: list[int]) -> dict[str, Any]:
    """A decision, with what the guide says of it."""
    plain = named(game, view, action)
    if game.guide is not None:
        warning = game.guide.warning(view, action, actions)
        plain["hint"] = [said_json(one) for one in game.guide.hint(view, action)]
        plain["warning"] = warning and said_json(warning)
    return plain


def tried(choice: Choice, asked: Try) -> Tried:
    """Returns what a seat sees of a choice before it confirms the choice."""
    return Tried(
        id=asked.id,
        sequence=asked.sequence,
        actions=choice.decisions,
        finished=choice.finished,
        legal=[Legal(**one) for one in legal(choice)],
        view=view_json(choice.game, choice.view),
    )


def gathered(choice: Choice, ways: Completions, asked: Try) -> Tried:
    """Returns the same for parts named in any order: what can join them and, once complete, their order."""
    order = ways.order(asked.actions)
    joining = [described_in(choice, ways, asked.actions, action) for action in ways.joining(asked.actions) or []]
    return Tried(
        id=asked.id,
        sequence=asked.sequence,
        actions=order or asked.actions,
        finished=order is not None,
        legal=[Legal(**one) for one in joining],
        view=view_json(choice.game, choice.view),
        any_order=True,
    )


def described_in(choice: Choice, ways: Completions, parts: list[int], action: int) -> dict[str, Any]:
    """Describes a decision at the moment when it is taken: what ends a set is not what ends a turn.

    A decision that is among `parts` already is described as it is taken the next time.
    """
    way = ways.shortest([*parts, action])
    moments = [moment for moment, taken in enumerate(way) if taken == action]
    before = way[: moments[parts.count(action)]]
    for earlier in before:
        choice.add(earlier)
    found = described(choice.game, choice.view, action, choice.legal)
    for _ in before:
        choice.undo()
    return {**found, "ends": ways.order([*parts, action]) is not None}
