"""News: what happened, and who may hear it.

Rules `tell` everyone and `whisper` to one seat. Interpreted tables collect the news; native code and the GPU leave it
out (the silent twins below), since nobody reads it in a batch. The game's `text.py` holds the clause behind each kind
of news and its sentences in French and English.
"""

from typing import Any, NamedTuple

EVERYONE = 127


class Item(NamedTuple):
    """One piece of news: its audience, its kind, and up to four small numbers."""

    to: int
    what: int
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0


def tell(s: Any, what: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    if s.news is not None:
        s.news.append(Item(EVERYONE, int(what), int(a), int(b), int(c), int(d)))


def whisper(s: Any, seat: int, what: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
    if s.news is not None:
        s.news.append(Item(int(seat), int(what), int(a), int(b), int(c), int(d)))


def tell_nobody(s, what, a=0, b=0, c=0, d=0):  # type: ignore[no-untyped-def]
    pass


def whisper_nobody(s, seat, what, a=0, b=0, c=0, d=0):  # type: ignore[no-untyped-def]
    pass


tell.native_twin = tell_nobody  # type: ignore[attr-defined]
whisper.native_twin = whisper_nobody  # type: ignore[attr-defined]
