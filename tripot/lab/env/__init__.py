"""The games behind standard interfaces: PettingZoo, Gymnasium and OpenSpiel (extra `env`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(library: str) -> Iterator[None]:
    """Wraps imports of a library of the extra `env`; if it is missing, the error says what to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != library:
            raise
        text = f"{library} is not installed: this part of tripot needs the extra 'env' (pip install 'tripot[env]')"
        raise ModuleNotFoundError(text, name=library) from None
