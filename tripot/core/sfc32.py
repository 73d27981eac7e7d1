"""The generator of simulations: a small random generator in plain integer arithmetic, kept in four words of the record.

A rule module: the interpreter, Numba and numba-cuda run it alike. It is Chris Doty-Humphrey's sfc32: additions, shifts
and exclusive-ors on 32-bit words, so nothing overflows 64 bits, and no two of the 2^64 seeds of a stream share a state.
Every operand is masked on loading: in Numba an unsigned word that meets a signed one would otherwise become a float.
It is fast, and no match for somebody who wants to predict it: served tables use `shared_seed`.
"""

WORD = 0xFFFFFFFF
WARM_UP = 12  # rounds until seeds that differ in one bit look unrelated


def seed_sfc32(s, seed, stream):
    """Seeds the generator of `s`. Each of the 2^64 seeds has any number of independent streams."""
    s.rng_a = seed & WORD
    s.rng_b = (seed >> 32) & WORD
    s.rng_c = stream & WORD
    s.rng_d = 1
    for _ in range(WARM_UP):
        next_word(s)


def next_word(s):
    """32 random bits."""
    a = s.rng_a & WORD
    b = s.rng_b & WORD
    c = s.rng_c & WORD
    d = s.rng_d & WORD
    word = (a + b + d) & WORD
    s.rng_a = b ^ (b >> 9)
    s.rng_b = (c + (c << 3)) & WORD
    s.rng_c = (((c << 21) | (c >> 11)) + word) & WORD
    s.rng_d = (d + 1) & WORD
    return word


def roll_sfc32(s, sides):
    """A random number from 0 to sides - 1; the bias is below sides / 2^32."""
    return (next_word(s) * sides) >> 32
