"""Leduc poker, the benchmark game: its whole tree is compared with OpenSpiel's."""

import itertools
from importlib.util import find_spec
from typing import Any

import pytest

from tripot import GAMES
from tripot.core.game import WHOLE_WIN, waiting_seats
from tripot.lab.leduc import GAME
from tripot.lab.leduc.actions import CALL, FOLD, RAISE
from tripot.lab.leduc.state import CARDS, SEATS, Phase

needs_open_spiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="LOUD: OpenSpiel is not installed")


def returns(s: Any) -> list[float]:
    """Returns what each seat has won or lost, in chips."""
    pot = sum(s.chips)
    return [pot * s.result[seat] / WHOLE_WIN - s.chips[seat] for seat in range(SEATS)]


@needs_open_spiel
def test_the_tree_is_that_of_openspiel() -> None:
    """Every deal and every sequence of decisions has the same seat to move, legal actions and returns."""
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    ends = sum(
        walk(dealt(*cards), dealt_there(game, *cards), cards[2]) for cards in itertools.permutations(range(CARDS), 3)
    )
    assert ends == 120 * 45 + 120 * 4  # … of which the sequences that fold in the first round see no third card


def dealt(first: int, second: int, _: int) -> Any:
    s = GAME.new_state(GAME.options(), SEATS, 0)
    s.card[0], s.card[1] = 1 + first, 1 + second
    return s


def dealt_there(game: Any, first: int, second: int, _: int) -> Any:
    state = game.new_initial_state()
    state.apply_action(first)
    state.apply_action(second)
    return state


def walk(s: Any, there: Any, third: int) -> int:
    """Walks both trees from here, with `third` as the open card; returns the number of terminal states."""
    if there.is_chance_node():
        assert s.phase == Phase.SECOND_ROUND
        assert s.open_card - 1 in [card for card, _ in there.chance_outcomes()]
        s.open_card = 1 + third
        there.apply_action(third)
    if there.is_terminal():
        assert s.over and returns(s) == there.returns()
        return 1
    assert waiting_seats(s) == [there.current_player()]
    legal = GAME.legal_actions(s, there.current_player())
    assert legal == there.legal_actions()
    found = 0
    for action in legal:
        after = s.copy()
        GAME.apply(after, there.current_player(), action)
        found += walk(after, there.child(action), third)
    return found


def test_there_is_nothing_to_fold_to_before_a_raise_and_no_third_raise() -> None:
    s = GAME.new_state(GAME.options(), SEATS, 1)
    assert GAME.legal_actions(s, 0) == [CALL, RAISE] and GAME.legal_actions(s, 1) == []
    GAME.apply(s, 0, RAISE)
    assert GAME.legal_actions(s, 1) == [FOLD, CALL, RAISE]
    GAME.apply(s, 1, RAISE)
    assert GAME.legal_actions(s, 0) == [FOLD, CALL] and s.chips == [3, 5]


@pytest.mark.parametrize(
    ("cards", "open_card", "shares"),
    [
        ((1, 5), 2, [60, 0]),  # a pair of jacks beats a king
        ((3, 5), 1, [0, 60]),  # a king beats a queen
        ((3, 4), 1, [30, 30]),  # queens split
    ],
)
def test_a_pair_beats_a_rank_and_equals_split(cards: tuple[int, int], open_card: int, shares: list[int]) -> None:
    s = GAME.new_state(GAME.options(), SEATS, 1)
    s.card[0], s.card[1] = cards
    for seat in (0, 1):
        GAME.apply(s, seat, CALL)
    s.open_card = open_card
    for seat in (0, 1):
        GAME.apply(s, seat, CALL)
    assert s.over and s.result == shares


def test_every_deal_is_equally_likely() -> None:
    """All thirty deals of two cards, and all four cards that can be opened after one of them."""
    seen: dict[tuple[int, ...], int] = {}
    for seed in range(6_000):
        s = GAME.new_state(GAME.options(), SEATS, seed)
        for seat in (0, 1):
            GAME.apply(s, seat, CALL)
        for cards in (tuple(s.card), (*s.card, s.open_card)):
            seen[cards] = seen.get(cards, 0) + 1
    assert all(len(set(cards)) == len(cards) for cards in seen), "a card was dealt twice"
    pairs = [count for cards, count in seen.items() if len(cards) == 2]
    triples = [count for cards, count in seen.items() if len(cards) == 3]
    assert len(pairs) == 30 and min(pairs) > 140 and max(pairs) < 260
    assert len(triples) == 120 and min(triples) > 20 and max(triples) < 90


def test_it_is_small_and_not_listed() -> None:
    assert GAME.layout.state.dtype.itemsize == 28 and GAME.layout.view.dtype.itemsize == 12
    assert GAME.name not in GAMES
