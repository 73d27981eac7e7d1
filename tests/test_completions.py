"""Parts of a choice in any order: put in order where their set identifies the choice, otherwise left alone."""

from typing import Any

import pytest

from tripot import GAMES
from tripot.table import completions
from tripot.table.completions import Completions
from tripot.table.table import Table

DONE = 0


class Groups:
    """A stand-in for Choice: groups of exactly or at most `size` cards from a list, accepted in one order only."""

    def __init__(self, cards: list[int], size: int, optional: bool = False, free: bool = False) -> None:
        self.cards, self.size, self.optional, self.free = cards, size, optional, free
        self.decisions: list[int] = []

    @property
    def finished(self) -> bool:
        return DONE in self.decisions or (not self.optional and len(self.decisions) == self.size)

    @property
    def legal(self) -> list[int]:
        rest = list(self.cards)
        for card in self.decisions:
            rest.remove(card)
        later = [card for card in rest if self.free or not self.decisions or card >= self.decisions[-1]]
        room = len(self.decisions) < self.size
        return sorted(set(later if room else [])) + ([DONE] if self.optional else [])

    def add(self, action: int) -> None:
        self.decisions.append(action)

    def undo(self) -> None:
        self.decisions.pop()


def found(*args: Any, **more: Any) -> Completions:
    choice: Any = Groups(*args, **more)
    return Completions(choice)


def test_a_group_is_put_in_order_whatever_its_order_was() -> None:
    all_ways = found([1, 2, 2, 5], 3)
    assert all_ways.any_order
    assert all_ways.order([5, 2, 1]) == [1, 2, 5]
    assert all_ways.order([2, 1, 2]) == [1, 2, 2]
    assert all_ways.order([5, 2]) is None  # not complete
    assert all_ways.joining([5]) == [1, 2]
    assert all_ways.joining([5, 2]) == [1, 2]
    assert all_ways.joining([5, 2, 1]) == []
    assert all_ways.joining([5, 5]) is None


def test_a_group_that_may_stay_small_is_complete_only_when_it_is_said_to_be() -> None:
    all_ways = found([1, 2], 2, optional=True)
    assert all_ways.joining([2]) == [DONE, 1]
    assert all_ways.order([2]) is None
    assert all_ways.order([2, DONE, 1]) == [1, 2, DONE]


def test_the_shortest_choice_with_these_parts_is_found() -> None:
    all_ways = found([1, 2, 5], 2, optional=True)
    assert all_ways.shortest([]) == [DONE]
    assert all_ways.shortest([5]) == [5, DONE]
    assert all_ways.shortest([5, 1]) == [1, 5, DONE]
    assert all_ways.shortest([1, 2, 5]) == []


def test_order_is_kept_where_two_orders_of_the_same_parts_are_allowed() -> None:
    assert not found([1, 2], 2, free=True).any_order


def test_single_decisions_need_no_order() -> None:
    assert not found([1, 2, 3], 1).any_order


def test_the_search_gives_up_if_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completions, "MAX_STEPS", 5)
    assert not found([1, 2, 3, 4], 3).any_order


def test_the_search_goes_on_for_as_many_steps_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completions, "MAX_STEPS", 7)  # three cards, and four groups of two
    assert found([1, 2, 3, 3], 2).any_order
    monkeypatch.setattr(completions, "MAX_STEPS", 6)
    assert not found([1, 2, 3, 3], 2).any_order


def test_at_a_real_table_supply_cards_may_be_played_in_any_order_as_they_are() -> None:
    table = Table(GAMES["verrater"], 4, 1)
    while int(table.view(table.waiting[0])["phase"][0]) != 4:
        seat = table.waiting[0]
        offer = table.offer(seat)
        table.decide(seat, offer.legal[-1], offer.sequence)
    seat = table.waiting[0]
    choice = table.choice(seat, [], table.offer(seat).sequence)
    assert not Completions(choice).any_order
    assert choice.decisions == []  # looking changes nothing
