"""Piles of cards. A rule module.

A shuffled pile is a *bag*: how many cards of each kind it holds. Its order is decided as cards are
drawn, which nobody at the table can tell from an order fixed beforehand, and nothing can peek at.
"""

from tripot.core.rng import roll


def bag_size(bag):
    """How many cards a bag holds."""
    size = 0
    for count in bag:
        size += count
    return size


def take_random(s, bag, size):
    """Take a random card out of a bag of `size` cards, by the luck of `s`; its kind."""
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
