"""Token buckets: a rate limit with a burst and a steady rate."""

from __future__ import annotations

import time

MAX_VISITORS = 10_000


class TokenBucket:
    """Allows a burst of `at_once` requests, and `per_second` on average."""

    def __init__(self, at_once: float, per_second: float) -> None:
        self._at_once, self._per_second = at_once, per_second
        self._left, self._since = at_once, time.monotonic()

    def allows(self) -> bool:
        """Takes a token and returns True, or returns False if none is left."""
        now = time.monotonic()
        self._left = min(self._at_once, self._left + (now - self._since) * self._per_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class TokenBuckets:
    """One bucket for each visitor. Forgets the least recent visitor when there are more than MAX_VISITORS."""

    def __init__(self, at_once: float, per_second: float) -> None:
        self._rate = (at_once, per_second)
        self._known: dict[str, TokenBucket] = {}

    def allows(self, visitor: str) -> bool:
        bucket = self._known.pop(visitor, None) or TokenBucket(*self._rate)
        self._known[visitor] = bucket  # the most recent is last
        if len(self._known) > MAX_VISITORS:
            del self._known[next(iter(self._known))]
        return bucket.allows()
