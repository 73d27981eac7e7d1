"""The luck of a game: what rules and bots roll.

In simulations, in native code and on a GPU it comes from `sfc32`, whose words lie in the record. A table may bring a
keyed generator instead (`shared_seed`). Its key is no part of the state: the record holds only how many words were
drawn, so a copy of the state has the same luck, and its bytes tell nothing of it.
"""

from typing import Any

from tripot.core.layout import HIDDEN, U32, Field
from tripot.core.sfc32 import WORD, next_word, roll_sfc32, seed_sfc32

__all__ = ["FIELDS", "WORD", "next_word", "roll", "seed_luck"]

FIELDS = [
    Field("rng_a", U32, (), HIDDEN, WORD, "generator, first word: copy the record, copy its luck", encoded=False),
    Field("rng_b", U32, (), HIDDEN, WORD, "generator, second word", encoded=False),
    Field("rng_c", U32, (), HIDDEN, WORD, "generator, third word", encoded=False),
    Field("rng_d", U32, (), HIDDEN, WORD, "generator, counter", encoded=False),
]


def seed_luck(s: Any, seed: int, stream: int) -> None:
    """Seeds the generator of `s`. A keyed one has its seed already and starts at its first word."""
    if s.luck is None:
        seed_sfc32(s, seed, stream)
    else:
        s.rng_a = s.rng_b = s.rng_c = s.rng_d = 0


def roll(s: Any, sides: int) -> int:
    """A random number from 0 to sides - 1; the bias is below sides / 2^32."""
    if s.luck is None:
        found: int = roll_sfc32(s, sides)
        return found
    found = s.luck.roll(s.rng_d, int(sides))
    s.rng_d += 1
    return found


seed_luck.native_twin = seed_sfc32  # type: ignore[attr-defined]
roll.native_twin = roll_sfc32  # type: ignore[attr-defined]
