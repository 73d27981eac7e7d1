"""Sentences for people in French and English: data that the terminal, the log and the page all read.

A sentence is a template for numbers: `{seat}` names a player, `{land}` looks a number up in the game's table `land`,
and `{count|card|cards}` picks the singular or the plural. `NAMES` of the game's `text.py` holds the tables. Three need
none: `seat` (the players), `number` (as it is) and `place` (counted from 1). A table with a star, `card*`, reads a
number as a bag of things, with a count of four bits for each; a list of numbers is a bag too. One thing is said as
the table `a_card` has it and many as `cards` has them, where the game has these tables. `{card*count}` says as many of
one card as `count`, in the same way.
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
_HOLE = re.compile(r"\{(\w+)(?:\*(\w+))?(?:\|([^|}]*)\|([^|}]*))?\}")


class Phrase(NamedTuple):
    """A name or a fixed sentence in both languages."""

    en: str
    fr: str

    def __call__(self, lang: str) -> str:
        return self.fr if lang == "fr" else self.en


NOTHING, AND = Phrase("nothing", "rien"), Phrase(" and ", " et ")


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


Bag = int | Sequence[int]


def say(sentence: Sentence, numbers: Sequence[Bag], names: Names, players: Sequence[str], lang: str) -> str:
    """The sentence in a language, with its numbers filled in.

    >>> drew = Sentence("V-2.13", "seat number:count", "{seat} draws {count} {count|card|cards}", "…")
    >>> say(drew, (1, 2), {}, ("North", "East"), "en")
    'East draws 2 cards'
    """
    values = dict(zip([name for name, _ in sentence.holes], numbers, strict=False))
    tables = dict(sentence.holes)

    def fill(found: re.Match[str]) -> str:
        name, times, one, many = found.groups()
        number, table = values[name], tables[name]
        if table.endswith(BAG):
            return _listed(list(_things(number, table.removesuffix(BAG), names, lang)), lang)
        assert isinstance(number, int), sentence
        if times:
            count = values[times]
            assert isinstance(count, int), sentence
            return _listed(list(_things([number] * count, table, names, lang)), lang)
        if one is not None:
            return one if number == 1 or (lang == "fr" and number == 0) else many
        if table == "seat":
            return players[number]
        if table in BUILT_IN:
            return str(number + 1 if table == "place" else number)
        return names[table][number](lang)

    text = _HOLE.sub(fill, sentence.fr if lang == "fr" else sentence.en)
    return text[:1].upper() + text[1:]


def _things(bag: Bag, table: str, names: Names, lang: str) -> Iterator[str]:
    one, many = names.get(f"a_{table}", names[table]), names.get(f"{table}s")
    for kind, name in enumerate(names[table]):
        count = bag >> BAG_BITS * kind & (1 << BAG_BITS) - 1 if isinstance(bag, int) else bag.count(kind)
        if count:
            several = f"{count} {many[kind](lang)}" if many else f"{count} × {name(lang)}"
            yield one[kind](lang) if count == 1 else several


def _listed(things: list[str], lang: str) -> str:
    """One, two and three."""
    if not things:
        return NOTHING(lang)
    *first, last = things
    return f"{', '.join(first)}{AND(lang)}{last}" if first else last


def outline(sentence: Sentence, known: Mapping[str, str], lang: str) -> str:
    """The sentence with only some of its places filled in; the others become an ellipsis."""

    def fill(found: re.Match[str]) -> str:
        name, _, _, many = found.groups()
        return many if many is not None else known.get(name, "…")

    text = _HOLE.sub(fill, sentence.fr if lang == "fr" else sentence.en)
    return text[:1].upper() + text[1:]
