"""Letters: what a table sends to a seat. A letter holds only what `Table` gives that seat."""

from __future__ import annotations

from typing import Any, NamedTuple

from tripot.core import guide
from tripot.core.game import Game
from tripot.table.choice import Choice
from tripot.table.completions import Completions
from tripot.table.table import Table
from tripot.table.view_json import all_json, said_json, view_json
from tripot.web.api.messages import Legal, Mark, Outcome, Said, Tried, Try, encode, written

NO_DECISIONS = encode([])


class Sent(NamedTuple):
    """What a page has from its last letter: the next one need not repeat it."""

    state: bytes  # the whole state of which it has its view: to compare with, never to be sent
    legal: bytes  # the decisions of its offer, as JSON
    offer: int | None  # the number of its offer, if it has one


def letter(
    table: Table, who: int, heard: int, told: int, shown: int | None = None, ended: bool = False
) -> dict[str, Any]:
    """Returns the letter to `who` with the news of all decisions after number `told`, from item `heard` on.

    `told` is below 0 before the first letter. Then `heard` is the page's own count, and can be any number; `shown` is
    the number of items that its person has seen, if any: the moments of the later ones come with them. `ended`: the
    host has ended the game, and nothing can be decided any more.
    """
    content = table.letter(who, told + 1)
    news, first = content["news"], heard
    moments = table.moments(who, told + 1) if told >= 0 or shown is not None else []
    if told < 0:
        first = heard if heard <= len(news) else 0
        news = news[first:]
        moments = [moment if place >= (shown or 0) else None for place, moment in enumerate(moments)][first:]
    return {
        "type": "letter",
        "sequence": content["sequence"],
        "view": content["view"],
        "legal": [] if ended else offered(table, who),
        "first": first,
        "news": news,
        "moments": moments,
        "outcome": outcome_json(table, who),
    }


def changes(
    table: Table, who: int, heard: int, told: int, before: Sent, ended: bool = False
) -> tuple[dict[str, Any] | None, Sent]:
    """Returns the letter to a page that has the one `before`: only those fields and that offer that have changed.

    Returns None in its place if the page knows all that it would say, and with it what the page has then. What the
    guide says changes after the news: at their moments the page goes on showing what it said before.
    """
    (_, sequence, actions), (view, news, moments) = table.offer(who), table.update(who, told + 1, before.state)
    number = sequence if actions and not ended else None
    if number is None:
        legal = NO_DECISIONS
    else:  # what is said of the decisions follows from the view
        legal = before.legal if not view and number == before.offer else encode(offered(table, who))
    sent = Sent(table.state_bytes(), legal, number)
    if not view and not news and legal == before.legal and number == before.offer:
        return None, sent
    found = {
        "type": "changes",
        "sequence": sequence,
        "view": view,
        "first": heard,
        "news": news,
        "moments": moments,
    }
    if legal != before.legal:
        found["legal"] = written(legal)
    if table.over:
        found["outcome"] = outcome_json(table, who)
    return found, sent


def lasting(table: Table, letter: dict[str, Any]) -> Sent:
    """What a page has after a whole letter."""
    legal = letter["legal"]
    return Sent(table.state_bytes(), encode(legal), letter["sequence"] if legal else None)


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


def outcome_json(table: Table, who: int) -> dict[str, Any] | None:
    found = outcome(table, who)
    return None if found is None else found.model_dump()


def said(one: guide.Said) -> Said:
    return Said.model_validate(said_json(one))


def offered(table: Table, who: int) -> list[dict[str, Any]]:
    """Describes the decisions of an offer."""
    offer = table.offer(who)
    return legal(Choice(table.game, table.seen(who), offer.legal)) if offer.legal else []


def legal(choice: Choice) -> list[dict[str, Any]]:
    """Describes the decisions that may come next in a choice, and says which of them end it."""
    game, view, actions = choice.game, choice.view, choice.legal
    return [described(game, view, action, actions, choice.ends(action)) for action in actions]


def named(game: Game, view: Any, action: int) -> dict[str, Any]:
    """A decision by its key and numbers alone."""
    key, numbers = game.text.decision(view, action)
    return {"action": action, "key": key, "numbers": [*map(int, numbers)], "ends": False, "hint": [], "warning": None}


def described(game: Game, view: Any, action: int, actions: list[int], ends: bool) -> dict[str, Any]:
    """A decision, with what the guide says of it."""
    found, guide = named(game, view, action), game.guide
    found["ends"] = ends
    if guide is not None:
        found["hint"] = all_json(guide.hint(view, action))
        warning = guide.warning(view, action, actions)
        if warning is not None:
            found["warning"] = said_json(warning)
    return found


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
    ends = ways.order([*parts, action]) is not None
    found = described(choice.game, choice.view, action, choice.legal, ends)
    for _ in before:
        choice.undo()
    return found
