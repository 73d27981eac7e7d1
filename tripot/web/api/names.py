"""Names of players: what can be seen is allowed, what cannot is refused, and no two at a table look the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

MOST_MARKS = 2  # combining marks on one character: Vietnamese and Thai need two
# Letters and symbols without ink, which Unicode counts as printable: Hangul fillers, the empty braille pattern,
# the combining grapheme joiner, Khmer vowels that are not shown, Mongolian and other selectors of variants, the
# joiner of Tifinagh, the filler of Khitan, a note without a head.
BLANK = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x2D7F, 0x3164, 0xFFA0}
BLANK |= {0x16FE4, 0x1D159, *range(0x180B, 0x1810)}
VARIANTS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}  # they choose a picture and have none of their own
# Characters that look like a Latin letter in most fonts: digits, Cyrillic, Greek, Armenian, Lisu, Cherokee.
LOOKS = {"0": "o", "1": "l", "I": "l", "|": "l", "ǀ": "l", "ı": "i", "ɑ": "a", "Ɑ": "a", "ɡ": "g", "ӏ": "l", "Ӏ": "l"}
LOOKS |= dict(zip("օոսհց", "onuhg", strict=True))
LOOKS |= dict(zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHlJKLMNOPRSTUVWXYZ", strict=True))
LOOKS |= dict(zip("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ", "ABCDEHJKLMPRSTVWZ", strict=True))
LOOKS |= dict(zip("авекмнорстухіјѕһԛԝԁ", "abekmhopctyxijshqwd", strict=True))
LOOKS |= dict(zip("АВЕКМНОРСТУХІЈЅҺԚԜԀ", "ABEKMHOPCTYXlJSHQWD", strict=True))
LOOKS |= dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχγ", "ABEZHlKMNOPTYXaeikvoptuxy", strict=True))


def cleaned(text: str) -> str:
    """Returns a name on one line, in its composed form. Raises ValueError if it has what cannot be seen."""
    shown = unicodedata.normalize("NFC", " ".join(text.split()))
    shown = "".join(character for character in shown if ord(character) not in VARIANTS).strip()
    if not shown or not shown.isprintable() or any(ord(character) in BLANK for character in shown):
        raise ValueError("a name needs characters that can be seen")
    kinds = [unicodedata.category(character) for character in f" {unicodedata.normalize('NFD', shown)}"]
    for at, kind in enumerate(kinds):
        stacked = [*kinds[at - MOST_MARKS : at], kind] == ["Mn"] * (MOST_MARKS + 1)
        if kind == "Me" or stacked or (kind in ("Mn", "Mc") and kinds[at - 1] == "Zs"):
            raise ValueError("a name has accents only on letters, and at most two on each")
    return shown


def looks(name: str) -> set[str]:
    """Returns what a name looks like at a glance. Names that share one of these look the same.

    >>> looks("Anna") & looks("Аnnа") and looks("BILL") & looks("bill") and looks("Bill") & looks("BiIl") != set()
    True
    >>> looks("Lia") & looks("Ila") | looks("Zoé") & looks("Zoe")
    set()
    """
    plain = "".join(c for c in unicodedata.normalize("NFKC", name) if not c.isspace())
    drawn = "".join(LOOKS.get(c, c) for c in unicodedata.normalize("NFD", plain)).casefold()  # accents apart
    return {plain.casefold(), drawn.replace("rn", "m").replace("vv", "w")}


def distinct(name: str, others: Iterable[str | None]) -> str:
    """Returns `name`, with a number if another player at the table looks like that."""
    taken = {form for other in others if other for form in looks(other)}
    number, shown = 2, name
    while looks(shown) & taken:
        shown, number = f"{name} {number}", number + 1
    return shown
