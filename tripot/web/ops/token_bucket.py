"""A limit on how much comes in: a bucket of permits that fills up again with time."""

from __future__ import annotations

import time

MOST_VISITORS = 10_000


class TokenBucket:
    """Allows `at_once` requests in a burst and `per_second` in the long run."""

    def __init__(self, at_once: float, per_second: float) -> None:
        self._at_once, self._per_second = at_once, per_second
        self._left, self._since = at_once, time.monotonic()

    def allows(self) -> bool:
        """Whether one more may come in now; takes a permit if so."""
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._since) * self._per_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class TokenBuckets:
    """One limit for each visitor; the one seen longest ago is forgotten when there are too many."""

    def __init__(self, at_once: float, per_second: float) -> None:
        self._rate = (at_once, per_second)
        self._known: dict[str, TokenBucket] = {}

    def allows(self, visitor: str) -> bool:
        limit = self._known.pop(visitor, None) or TokenBucket(*self._rate)
        self._known[visitor] = limit  # last in the order
        if len(self._known) > MOST_VISITORS:
            del self._known[next(iter(self._known))]
        return limit.allows()
