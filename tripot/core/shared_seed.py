"""Seeds that a server and its players make together, and the luck that follows from them.

The server commits to 256 random bits before the players' browsers show theirs. The key of the game is an HMAC over all
of them, and the luck is HMAC-SHA256 of that key in counter mode. `docs/fairness.md` says what this proves.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

SFC32, HMAC_SHA256 = "sfc32", "hmac-sha256"  # the generators, as records name them
FIRST_LINE = "tripot deal 1"  # of what the key is made from; another way to make it will have another line
WORDS = struct.Struct(">8I")  # in one block
READY_WORDS = 256  # that a ReadyLuck keeps
HEX = re.compile(r"[0-9a-f]{64}")


class BadSeed(ValueError):
    """A shared seed that does not fit together. The message says where."""


class Contribution(NamedTuple):
    """What one seat added to the shuffle. `commitment` is the hash of `value`, and was shown before any value was.

    `value` is None if it was never shown; both are None for a player whose program takes no part.
    """

    commitment: str | None
    value: str | None


def new_secret() -> str:
    """256 random bits, as 64 hexadecimal digits."""
    return secrets.token_hex(32)


def hash_of(secret: str) -> str:
    """The hash that commits to a secret.

    >>> hash_of("00" * 32)[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def is_hex(text: object) -> bool:
    """Whether this is 64 hexadecimal digits in lower case: a secret, or the hash of one."""
    return isinstance(text, str) and HEX.fullmatch(text) is not None


class Draw(NamedTuple):
    """One roll: a number from 0 to sides - 1."""

    sides: int
    outcome: int


@dataclass(frozen=True)
class SharedSeed:
    """The server's secret, and by seat what the players added; None: nobody was asked, as with a bot."""

    secret: str
    contributions: tuple[Contribution | None, ...] = ()

    @property
    def hash(self) -> str:
        """What the server shows before the deal."""
        return hash_of(self.secret)

    @cached_property
    def key(self) -> bytes:
        """The key of the game's luck."""
        values = [(part.value if part else None) or "-" for part in self.contributions]
        return hmac.digest(bytes.fromhex(self.secret), "\n".join([FIRST_LINE, *values]).encode(), "sha256")

    def luck(self, draws: list[Draw] | None = None) -> KeyedLuck:
        """The luck of a game; `draws` hears of every roll."""
        return KeyedLuck(self.key, draws)

    def check(self) -> None:
        """Raises BadSeed unless everything has its form and every value its hash."""
        if not is_hex(self.secret):
            raise BadSeed("the seed must be 64 hexadecimal digits")
        for seat, part in enumerate(self.contributions, start=1):
            if part is None:
                continue
            if not all(text is None or is_hex(text) for text in part):
                raise BadSeed(f"the contribution of seat {seat} must be 64 hexadecimal digits")
            if part.value is not None and (part.commitment is None or hash_of(part.value) != part.commitment):
                raise BadSeed(f"the contribution of seat {seat} does not have the hash that was shown for it")

    def __str__(self) -> str:
        return self.secret


Seed = int | SharedSeed  # an int seeds sfc32


def contributions_of(written: Sequence[Any]) -> tuple[Contribution | None, ...]:
    """Contributions as they stand in JSON. Raises BadSeed."""
    found: list[Contribution | None] = []
    for seat, part in enumerate(written, start=1):
        if part is not None and not (isinstance(part, list | tuple) and len(part) == 2):
            raise BadSeed(f"the contribution of seat {seat} must be [hash, value] or null")
        found.append(None if part is None else Contribution(*part))
    return tuple(found)


class KeyedLuck:
    """The luck of a key. Word number i is a part of block i // 8: the HMAC-SHA256 of that number under the key."""

    def __init__(self, key: bytes, draws: list[Draw] | None = None) -> None:
        self._key, self._draws = key, draws
        self._block = -1
        self._words: tuple[int, ...] = ()

    def word(self, number: int) -> int:
        """32 random bits: word `number` of the key, from 0."""
        block, place = divmod(number, 8)
        if block != self._block:
            self._words = WORDS.unpack(hmac.digest(self._key, block.to_bytes(8, "big"), "sha256"))
            self._block = block
        return self._words[place]

    def roll(self, number: int, sides: int) -> int:
        """A random number from 0 to sides - 1, from word `number`."""
        found = self.word(number) * sides >> 32
        if self._draws is not None:
            self._draws.append(Draw(sides, found))
        return found


class ReadyLuck(KeyedLuck):
    """The luck of a key that many states share: the first words are worked out once.

    For imagined states in which decisions are only tried out. To seed `sfc32` takes longer than all that they roll.
    """

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self._first = [KeyedLuck.word(self, number) for number in range(READY_WORDS)]

    def word(self, number: int) -> int:
        return self._first[number] if number < READY_WORDS else super().word(number)
