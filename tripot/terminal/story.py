"""What happened, told in sentences: a line for each piece of news, with the clauses behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from tripot.core.game import Game
from tripot.core.news import EVERYONE, Item
from tripot.core.speech import Phrase, say
from tripot.table.table import Story

FOR_ONE = Phrase("for {player} alone", "pour {player} seul")


def sentence(game: Game, item: Item, players: Sequence[str], lang: str) -> tuple[str, str]:
    """A piece of news as a sentence, and the clauses behind it."""
    known = game.text.NEWS[item.what]
    return say(known, item[2:], game.text.NAMES, players, lang), known.clause


def tell(game: Game, stories: Iterable[Story], players: Sequence[str], lang: str, reader: int | None) -> list[Text]:
    """The news as lines. What was whispered says to whom, except to the `reader` himself."""
    lines = []
    for story in stories:
        text, clause = sentence(game, story.item, players, lang)
        line = Text(text)
        if story.item.to not in (EVERYONE, reader):
            line.append(f" ({FOR_ONE(lang).format(player=players[story.item.to])})", "italic dim")
        line.append(f"  [{clause}]", "dim")
        lines.append(line)
    return lines
