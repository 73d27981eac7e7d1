"""Piles of cards. A rule module.

A shuffled pile is a *bag*: how many cards of each kind it holds. Its order is decided as cards are drawn. Nobody at the
table can tell that from an order fixed beforehand, and there is nothing to peek at.
"""

from tripot.core.rng import roll


def bag_size(bag):
    """How many cards a bag holds."""
    size = 0
    for count in bag:
        size += count
    return size


def take_random(s, bag, size):
    """Draws a random card from a bag of `size` cards with the generator of `s`; returns its kind."""
    left = roll(s, size)
    kind = 0
    while left >= bag[kind]:
        left -= bag[kind]
        kind += 1
    bag[kind] -= 1
    return kind


def bit_count(bits):
    """How many bits are set: the size of a small set kept as a number."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def random_bit(s, bits):
    """The number of a random set bit: a random member of a small set."""
    skip = roll(s, bit_count(bits))
    bit = 0
    while True:
        if bits >> bit & 1:
            if skip == 0:
                return bit
            skip -= 1
        bit += 1
