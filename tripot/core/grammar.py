"""Articles and plurals of what sentences name, in French and English, so that no sentence spells them out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tripot.core.speech import Phrase

_AN = re.compile(r"[aeiou]|8|1[18](?!\d)", re.IGNORECASE)  # an axe, an 8, an 11
_ELIDED = re.compile(r"[aeiouyàâéèêëîïôûœ]", re.IGNORECASE)  # l'armure, d'or; an h counts as aspirated: le héros
_INDEFINITE = {"m": "un ", "f": "une ", "p": "des ", "": ""}
_DEFINITE = {"m": "le ", "f": "la ", "p": "les ", "": ""}
_OF = {"le ": "du ", "les ": "des "}
_TO = {"le ": "au ", "les ": "aux "}


@dataclass(frozen=True)
class Noun:
    """A thing, one and many. `gender` is m, f or p (plural) in French; empty where French puts no article before it.

    `proper` is a name that English uses without an article.
    """

    en: str
    fr: str
    gender: str = ""
    en_many: str = ""
    fr_many: str = ""
    proper: bool = False


def a(noun: Noun) -> Phrase:
    """Returns a thing with the indefinite article.

    >>> a(Noun("arcane stone", "Pierre d'arcane", "f"))
    Phrase(en='an arcane stone', fr="une Pierre d'arcane")
    """
    article = "" if noun.proper else "an " if _AN.match(noun.en) else "a "
    return Phrase(article + noun.en, _INDEFINITE[noun.gender] + noun.fr)


def the(noun: Noun) -> Phrase:
    """Returns a thing with the definite article.

    >>> the(Noun("Eagle", "Aigle", "m"))
    Phrase(en='the Eagle', fr="l'Aigle")
    """
    return Phrase(("" if noun.proper else "the ") + noun.en, _definite(noun) + noun.fr)


def of_the(noun: Noun) -> Phrase:
    """Returns *of the* with a thing: of the Watch, du Gardien."""
    article = _definite(noun)
    return Phrase(f"of {the(noun).en}", _OF.get(article, f"de {article}") + noun.fr)


def to_the(noun: Noun) -> Phrase:
    """Returns the thing as French says it after *à*: au Gardien; English says only the article."""
    article = _definite(noun)
    return Phrase(the(noun).en, _TO.get(article, f"à {article}") + noun.fr)


def many(noun: Noun) -> Phrase:
    return Phrase(noun.en_many, noun.fr_many)


def of(things: Phrase) -> Phrase:
    """Returns *of* with things: of helmets, de casques, d'armures."""
    return Phrase(f"of {things.en}", ("d'" if _ELIDED.match(things.fr) else "de ") + things.fr)


def counted(count: int, noun: Noun) -> Phrase:
    """Returns a number with its things; in French nothing is singular."""
    return Phrase(
        f"{count} {noun.en if count == 1 else noun.en_many}", f"{count} {noun.fr if count < 2 else noun.fr_many}"
    )


def _definite(noun: Noun) -> str:
    if noun.gender in ("m", "f") and _ELIDED.match(noun.fr):
        return "l'"
    return _DEFINITE[noun.gender]
