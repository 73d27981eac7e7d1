"""Matches a typed answer to a decision: by number, or by words that only one decision contains."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_WORD = re.compile(r"\w+")
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})


def fold(text: str) -> str:
    """Returns the text without case and accents.

    >>> fold("Élève-BŒUF")
    'eleve-boeuf'
    """
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_LIGATURES))
    return "".join(c for c in plain if not unicodedata.combining(c))


def is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdecimal() and len(typed) < 6


def matching(typed: str, labels: Sequence[str]) -> list[int]:
    """Returns the indices of labels with every typed word; if there are none, of labels with words that start so.

    >>> matching("place 1", ["Moor, place 1", "City, place 10"])
    [0]
    >>> matching("dip", ["Keep Diplomat 2", "Keep Diplomat 5", "Keep Farmer"])
    [0, 1]
    """
    wanted = _WORD.findall(fold(typed))
    if not wanted:
        return []
    words = [_WORD.findall(fold(label)) for label in labels]
    whole = [i for i, have in enumerate(words) if all(word in have for word in wanted)]
    if whole:
        return whole
    return [i for i, have in enumerate(words) if all(any(w.startswith(word) for w in have) for word in wanted)]
