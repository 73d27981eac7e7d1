"""Copies of 32-bit words between global and shared memory, made by a whole block or warp.

Global memory answers after about 500 cycles, and a loop compiled by Numba loads one word and waits for it. So a thread
first loads several words and then stores them. Indices are narrow and unsigned, bounds are compile-time constants, and
`codegen` lets NVVM unroll the loops of this file alone, so that the words on their way stay in registers.
"""

from numba import cuda
from numpy import uint32

WORD32 = None
WARP = 32
WORDS_IN_FLIGHT = 8  # loads that one thread has outstanding
STATE_WORDS = LANE_WORDS = 0  # words of a record, and how many of them one lane of a warp copies at most
RECORDS_IN_FLIGHT = HELD_WORDS = 0  # records that a warp loads before it stores, and the words one lane holds of them


def copy_strided(target, to, source, at, words, stride):
    """Copies `words` words that lie `stride` apart."""
    held = cuda.local.array(WORDS_IN_FLIGHT, WORD32)
    for start in range(0, words, WORDS_IN_FLIGHT):
        for i in range(WORDS_IN_FLIGHT):
            if start + i < words:
                held[i] = source[uint32(at + (start + i) * stride)]
        for i in range(WORDS_IN_FLIGHT):
            if start + i < words:
                target[uint32(to + (start + i) * stride)] = held[i]


def copy_by_warp(target, to, source, at, words):
    """Copies consecutive words, one per lane; meant for a source in shared memory, which answers quickly."""
    lane = cuda.threadIdx.x & (WARP - 1)
    for start in range(0, words, WARP):
        if start + lane < words:
            target[uint32(to + start + lane)] = source[uint32(at + start + lane)]


def zero_strided(target, to, words, stride):
    """Zeroes `words` words that lie `stride` apart."""
    for word in range(words):
        target[uint32(to + word * stride)] = 0


def load_records(tile, to, words, order, first, last):
    """Loads the records `order[first]` to `order[last]` into a warp's shared memory, several at a time.

    A warp always loads 32 records: past `last` it loads that one again.
    """
    lane = cuda.threadIdx.x & (WARP - 1)
    held = cuda.local.array(HELD_WORDS, WORD32)
    whose = 0
    while whose < WARP:
        for record in range(RECORDS_IN_FLIGHT):
            at = order[uint32(min(first + whose + record, last))] * STATE_WORDS + lane
            for part in range(LANE_WORDS):
                if part * WARP + lane < STATE_WORDS:
                    held[record * LANE_WORDS + part] = words[uint32(at + part * WARP)]
        for record in range(RECORDS_IN_FLIGHT):
            there = to + (whose + record) * STATE_WORDS + lane
            for part in range(LANE_WORDS):
                if part * WARP + lane < STATE_WORDS:
                    tile[uint32(there + part * WARP)] = held[record * LANE_WORDS + part]
        whose += RECORDS_IN_FLIGHT
