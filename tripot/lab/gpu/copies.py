"""Words moved between global and shared memory by a whole block or warp, for `kernels` and `sorted_kernels`.

Memory answers after half a thousand cycles, and Numba's loops ask for one word and wait. So a thread asks for many and
only then puts down what has come. Indices are narrow and unsigned, bounds are known when compiled, and `codegen`
has the loops of this file unrolled, as it has no others: so what is on its way lies in registers.
"""

from numba import cuda
from numpy import uint32

WORD32 = None
WARP = 32
AT_ONCE = 8  # words of one thread on their way
STATE_WORDS = LANE_WORDS = 0  # of a record, and of those the most that fall to one lane
RECORDS_AT_ONCE = HELD_WORDS = 0  # what a warp has on its way, and of that the most that one lane holds


def carry(target, to, source, at, words, stride):
    """Copy `words` words that lie `stride` apart."""
    held = cuda.local.array(AT_ONCE, WORD32)
    for start in range(0, words, AT_ONCE):
        for i in range(AT_ONCE):
            if start + i < words:
                held[i] = source[uint32(at + (start + i) * stride)]
        for i in range(AT_ONCE):
            if start + i < words:
                target[uint32(to + (start + i) * stride)] = held[i]


def spread(target, to, source, at, words):
    """Copy a stretch of words, the lanes of a warp side by side; from shared memory, which answers soon."""
    lane = cuda.threadIdx.x & (WARP - 1)
    for start in range(0, words, WARP):
        if start + lane < words:
            target[uint32(to + start + lane)] = source[uint32(at + start + lane)]


def wipe(target, to, words, stride):
    """Zero `words` words that lie `stride` apart."""
    for word in range(words):
        target[uint32(to + word * stride)] = 0


def collect(tile, to, words, order, first, last):
    """Bring the records `order[first]` to `order[last]` into a warp's shared memory, several at a time.

    Past the last, that one is brought again: a warp always fills its room.
    """
    lane = cuda.threadIdx.x & (WARP - 1)
    held = cuda.local.array(HELD_WORDS, WORD32)
    whose = 0
    while whose < WARP:
        for record in range(RECORDS_AT_ONCE):
            at = order[uint32(min(first + whose + record, last))] * STATE_WORDS + lane
            for part in range(LANE_WORDS):
                if part * WARP + lane < STATE_WORDS:
                    held[record * LANE_WORDS + part] = words[uint32(at + part * WARP)]
        for record in range(RECORDS_AT_ONCE):
            there = to + (whose + record) * STATE_WORDS + lane
            for part in range(LANE_WORDS):
                if part * WARP + lane < STATE_WORDS:
                    tile[uint32(there + part * WARP)] = held[record * LANE_WORDS + part]
        whose += RECORDS_AT_ONCE
