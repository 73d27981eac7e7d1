"""Games dealt small, for exact solution: the rules go on from there, and every card is somewhere."""

import random
from typing import Any

from tests.cases import every_game
from tests.conservation import CONSERVED
from tripot.core.game import Game, waiting_seats

LONGEST = 400  # decisions


def dealt(game: Game, seed: int) -> Any:
    assert game.small is not None
    s = game.layout.state.plain()
    s.news = []
    game.small.deal(s, game.small.options(), game.seats[0], seed)
    return s


def missing(game: Game, s: Any) -> dict[str, list[int]]:
    """The cards that a whole game has and this one has not."""
    counted = CONSERVED[game.name](s)
    return {what: [e - c for c, e in zip(count, expected, strict=True)] for what, count, expected in counted}


@every_game
def test_a_small_game_keeps_its_cards_and_ends_soon(game: Game) -> None:
    for seed in range(10):
        s, luck = dealt(game, seed), random.Random(seed)
        left_out = missing(game, s)
        assert game.name != "trieste" or not any(map(any, left_out.values())), "they lie in the discard"
        for _ in range(LONGEST):
            assert all(left_out.get(what, cards) == cards for what, cards in missing(game, s).items())
            if s.over:
                break
            seat = luck.choice(waiting_seats(s))
            game.apply(s, seat, luck.choice(game.legal_actions(s, seat)))
        assert s.over


@every_game
def test_a_small_game_is_dealt_by_its_seed(game: Game) -> None:
    deals = [dealt(game, seed).pack() for seed in (1, 1, 2, 3, 4)]
    assert deals[0] == deals[1] and len(set(deals)) > 1
