"""News as sentences: one line for each piece of news, with the clauses behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from tripot.core.game import Game
from tripot.core.news import EVERYONE, Item
from tripot.core.shared_seed import SharedSeed
from tripot.core.speech import say
from tripot.table.record import Record
from tripot.table.table import Story, Table
from tripot.terminal import text
from tripot.terminal.players import is_person


def sentence(game: Game, item: Item, players: Sequence[str], lang: str) -> tuple[str, str]:
    """Returns a piece of news as a sentence, and the clauses behind it."""
    known = game.text.NEWS[item.what]
    return say(known, item[2:], game.text.NAMES, players, lang), known.clause


def tell(game: Game, stories: Iterable[Story], players: Sequence[str], lang: str, reader: int | None) -> list[Text]:
    """Returns the news as lines. News for one seat names that seat, unless it is the `reader`."""
    names = re.compile(r"\b(?:" + "|".join(map(re.escape, players)) + r")\b")
    lines = []
    for story in stories:
        words, clause = sentence(game, story.item, players, lang)
        line = Text(words)
        line.highlight_regex(names, "bold")
        if story.item.to not in (EVERYONE, reader):
            line.append(f" ({text.FOR_ONE(lang).format(player=players[story.item.to])})", "italic dim")
        lines.append(line.append(f"  [{clause}]", "dim"))
    return lines


def heard(table: Table, seat: int | None) -> list[Story]:
    """Returns the news that `seat` was told, or all news if `seat` is None."""
    return table.all_news() if seat is None else table.news(seat)


def retell(record: Record, table: Table, names: Sequence[str], lang: str, seat: int | None) -> RenderableType:
    """Returns the news of a verified record, from the deal to its last decision."""
    title = table.game.text.TITLE(lang)
    head = text.VERIFIED(lang).format(title=title, seats=table.seats, seed=table.seed, count=table.sequence)
    lines = [Text(head, "bold")]
    if record.options:
        given = ", ".join(f"{name}={value}" for name, value in record.options.items())
        lines.append(Text(text.HOUSE_RULES(lang).format(options=given)))
    for name, notation in zip(names, record.players, strict=False):
        who = text.A_PERSON(lang) if is_person(notation) else notation
        lines.append(Text(text.SITS(lang).format(name=name, who=who), "dim"))
    if seat is not None:
        lines.append(Text(text.AS_SEEN(lang).format(name=names[seat]), "bold"))
    lines += tell(table.game, heard(table, seat), names, lang, seat)
    if not table.over:
        lines.append(Text(text.GOES_ON(lang), "bold"))
    return Group(*lines)


def fair_deal(seed: SharedSeed, draws: int, names: Sequence[str], lang: str) -> RenderableType:
    """Returns what was checked of the luck of a game: the hash, the contributions, the draws."""
    lines = [Text(text.FAIR(lang).format(hash=seed.hash, draws=draws), "bold")]
    for name, part in zip(names, seed.contributions, strict=False):
        if part is None or part.commitment is None:
            said = text.ADDED_NOTHING(lang).format(name=name)
        elif part.value is None:
            said = text.WITHHELD(lang).format(name=name, hash=part.commitment)
        else:
            said = text.ADDED(lang).format(name=name, value=part.value, hash=part.commitment)
        lines.append(Text(said))
    return Group(*lines)


def as_json(record: Record, table: Table, names: Sequence[str], lang: str, seat: int | None) -> dict[str, Any]:
    """Returns the same as one JSON object; `to` is the only seat that was told, counted from 1, or None."""
    news = []
    for story in heard(table, seat):
        words, clause = sentence(table.game, story.item, names, lang)
        to = None if story.item.to == EVERYONE else story.item.to + 1
        news.append({"decision": story.sequence, "to": to, "text": words, "clauses": clause.split()})
    return {
        "game": record.game,
        "rules": record.rules,
        "seats": record.seats,
        "seed": str(record.seed),
        "options": record.options,
        "players": record.players,
        "decisions": len(record.decisions),
        "result": record.result,
        "news": news,
    }
