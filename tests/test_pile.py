"""Bags and small sets: every card is equally likely, and none is lost or added."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripot.bots.memory import BOT_MEMORY
from tripot.core import jit
from tripot.core.pile import bag_size, bit_count, random_bit, take_random
from tripot.core.rng import seed_luck

bags = st.lists(st.integers(0, 6), min_size=1, max_size=8).filter(any)
sets = st.integers(1, 2**20 - 1)


def luck_of(seed: int) -> Any:
    s = BOT_MEMORY.plain()
    seed_luck(s, seed, 0)
    return s


@given(st.lists(st.integers(0, 100), max_size=10))
def test_the_size_of_a_bag_is_its_sum(bag: list[int]) -> None:
    assert bag_size(bag) == sum(bag)


@given(bags, st.integers(0, 2**32))
def test_a_bag_is_emptied_card_by_card(bag: list[int], seed: int) -> None:
    s, full, drawn = luck_of(seed), list(bag), Counter[int]()
    for left in range(bag_size(bag), 0, -1):
        kind = take_random(s, bag, left)
        drawn[kind] += 1
        assert bag_size(bag) == left - 1
    assert [drawn[kind] for kind in range(len(full))] == full
    assert not any(bag)


def test_every_card_of_a_bag_is_as_likely_as_every_other() -> None:
    s, counted = luck_of(1), Counter[int]()
    for _ in range(6_000):
        counted[take_random(s, [3, 0, 1, 2], 6)] += 1
    assert counted[1] == 0
    chi = sum((counted[kind] - 1_000 * copies) ** 2 / (1_000 * copies) for kind, copies in ((0, 3), (2, 1), (3, 2)))
    assert chi < 13.8  # two degrees of freedom, 99.9 %


@given(st.integers(0, 2**62))
def test_bits_are_counted(bits: int) -> None:
    assert bit_count(bits) == bits.bit_count()


@given(sets, st.integers(0, 2**32))
def test_a_random_bit_is_one_that_is_set(bits: int, seed: int) -> None:
    assert bits >> random_bit(luck_of(seed), bits) & 1


def test_every_bit_is_as_likely_as_every_other() -> None:
    s = luck_of(2)
    counted = Counter(random_bit(s, 0b1101010) for _ in range(4_000))
    assert set(counted) == {1, 3, 5, 6}
    assert sum((count - 1_000) ** 2 / 1_000 for count in counted.values()) < 16.3  # three degrees, 99.9 %


@pytest.mark.native
@pytest.mark.parametrize("seed", range(5))
def test_native_piles_are_the_same(seed: int) -> None:
    take, pick = jit.native(take_random), jit.native(random_bit)
    size, count = jit.native(bag_size), jit.native(bit_count)
    s, memory = luck_of(seed), np.zeros(1, BOT_MEMORY.dtype)
    jit.native(seed_luck)(memory[0], seed, 0)
    bag, native_bag = [2, 0, 5, 1], np.array([2, 0, 5, 1], np.int8)
    for left in range(8, 0, -1):
        assert size(native_bag) == bag_size(bag)
        assert take(memory[0], native_bag, left) == take_random(s, bag, left)
        assert native_bag.tolist() == bag
        assert pick(memory[0], 0b1011001) == random_bit(s, 0b1011001)
        assert count(left) == bit_count(left)
    assert memory.tobytes() == s.pack()
