"""Sentences for people in French and English: data that the terminal, the log and the page all read.

A sentence is a template for numbers: `{seat}` names a player, `{land}` looks a number up in the game's table `land`,
and `{count|card|cards}` picks the singular or the plural. `NAMES` of the game's `text.py` holds the tables. Three need
none: `seat` (the players), `number` (as it is) and `place` (counted from 1). A table with a star, `card*`, reads a
number as a bag of things, with a count of four bits for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

LANGUAGES = ("en", "fr")
BUILT_IN = ("seat", "number", "place")
BAG = "*"  # behind the name of a table
BAG_BITS = 4  # of each kind in a bag: up to fifteen
_HOLE = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}")


class Phrase(NamedTuple):
    """A name or a fixed sentence in both languages."""

    en: str
    fr: str

    def __call__(self, lang: str) -> str:
        return self.fr if lang == "fr" else self.en


@dataclass(frozen=True)
class Sentence:
    """A sentence, its clauses, and what its numbers are: `"seat land:prize number:points"`."""

    clause: str
    args: str
    en: str
    fr: str

    @property
    def holes(self) -> list[tuple[str, str]]:
        """(name, table) of every number, in order."""
        pairs = [item.partition(":") for item in self.args.split()]
        return [(name or table, table) for table, _, name in pairs]


Names = Mapping[str, Sequence[Phrase]]


def say(sentence: Sentence, numbers: Sequence[int], names: Names, players: Sequence[str], lang: str) -> str:
    """The sentence in a language, with its numbers filled in.

    >>> drew = Sentence("V-2.13", "seat number:count", "{seat} draws {count} {count|card|cards}", "…")
    >>> say(drew, (1, 2), {}, ("North", "East"), "en")
    'East draws 2 cards'
    """
    values = dict(zip([name for name, _ in sentence.holes], numbers, strict=False))
    tables = dict(sentence.holes)

    def fill(found: re.Match[str]) -> str:
        name, one, many = found.groups()
        number = values[name]
        if one is not None:
            return one if number == 1 or (lang == "fr" and number == 0) else many
        table = tables[name]
        if table == "seat":
            return players[number]
        if table in BUILT_IN:
            return str(number + 1 if table == "place" else number)
        if table.endswith(BAG):
            return ", ".join(_things(number, names[table.removesuffix(BAG)], lang)) or "0"
        return names[table][number](lang)

    text = _HOLE.sub(fill, sentence.fr if lang == "fr" else sentence.en)
    return text[:1].upper() + text[1:]


def _things(bag: int, names: Sequence[Phrase], lang: str) -> Iterator[str]:
    for kind, name in enumerate(names):
        count = bag >> BAG_BITS * kind & (1 << BAG_BITS) - 1
        if count:
            yield name(lang) if count == 1 else f"{count} × {name(lang)}"


def outline(sentence: Sentence, known: Mapping[str, str], lang: str) -> str:
    """The sentence with only some of its places filled in; the others become an ellipsis."""

    def fill(found: re.Match[str]) -> str:
        name, _, many = found.groups()
        return many if many is not None else known.get(name, "…")

    text = _HOLE.sub(fill, sentence.fr if lang == "fr" else sentence.en)
    return text[:1].upper() + text[1:]
