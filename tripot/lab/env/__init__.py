"""The games behind interfaces that other people's programs know: PettingZoo, Gymnasium, OpenSpiel (extra `env`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(library: str) -> Iterator[None]:
    """Imports that need a library of the extra `env`; without it, say so."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != library:
            raise
        text = f"{library} is not installed: this part of tripot needs the extra 'env' (pip install 'tripot[env]')"
        raise ModuleNotFoundError(text, name=library) from None
