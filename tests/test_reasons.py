"""Reasons: only clear differences are told, in the words of the game, in both languages."""

import numpy as np
import pytest

from tests.cases import every_game
from tripot import GAMES
from tripot.coach.reasons import CLEAR, MOST, changes, in_words, reasons
from tripot.core.game import Game
from tripot.core.quantities import When
from tripot.games.trok.quantities import AARE, MASTER
from tripot.games.verrater.quantities import CARDS, POINTS

TROK, VERRATER = GAMES["trok"], GAMES["verrater"]
COUNT = 100


def marks(game: Game, **amounts: float) -> np.ndarray:
    """Imagined games in which every quantity is 0 but some, by `round_N` or `game_N`, and these vary a little."""
    assert game.quantities
    found = np.zeros((COUNT, 2, len(game.quantities.items)))
    for name, amount in amounts.items():
        when, quantity = name.split("_")
        found[:, ("round", "game").index(when), int(quantity)] = amount + np.tile([-1, 1], COUNT // 2)
    return found


@every_game
def test_every_quantity_of_a_game_is_said_in_both_languages(game: Game) -> None:
    assert game.quantities
    for item in game.quantities.items:
        for lang in ("en", "fr"):
            said = {item.say(3.25, 1.0, lang), item.say(0.0, 1.0, lang)}
            assert len(said) == 2 and not any("{" in one or "}" in one for one in said)
        assert item.say(3.25, 1.0, "en") != item.say(3.25, 1.0, "fr")


@every_game
def test_quantities_are_measured_for_every_seat_from_the_deal_on(game: Game) -> None:
    assert game.quantities
    s = game.new_state(game.options(), game.seats[0], 7)
    for seat in range(s.seats):
        out = [-1] * len(game.quantities.items)
        game.quantities.measure(s, seat, out)
        assert all(amount >= 0 for amount in out)
        assert all(amount in (0, 1) for amount, item in zip(out, game.quantities.items, strict=True) if item.event)
    assert game.quantities.clock(s) in (0, 1)


def test_a_difference_is_said_in_the_games_own_words() -> None:
    mine, other = (
        marks(VERRATER, **{f"round_{POINTS}": 6.1, f"game_{POINTS}": 40.0}),
        marks(VERRATER, **{f"round_{POINTS}": 4.0}),
    )
    told = reasons(VERRATER, mine, other)
    assert in_words(VERRATER, told, "en") == [
        "By the end of the round: 2.1 more points.",
        "By the end of the game: 40 more points.",
    ]
    assert in_words(VERRATER, told, "fr")[0] == "À la fin du tour : 2,1 points de plus."
    assert in_words(VERRATER, reasons(VERRATER, other, mine), "en")[0] == "By the end of the round: 2.1 fewer points."


def test_an_event_is_said_by_how_often_it_happens() -> None:
    mine, other = np.zeros((COUNT, 2, 7)), np.zeros((COUNT, 2, 7))
    mine[:70, 0, MASTER], other[:20, 0, MASTER] = 1, 1
    told = in_words(TROK, reasons(TROK, mine, other), "en")
    assert told == ["By the end of the turn: you are trade master in 7 games of 10 instead of 2."]


def test_what_chance_could_have_made_is_not_told() -> None:
    luck = np.random.default_rng(3)
    mine, other = marks(TROK), marks(TROK)
    mine[:, 0, AARE] = luck.normal(10, 5, COUNT)
    other[:, 0, AARE] = luck.normal(10, 5, COUNT)
    assert reasons(TROK, mine, other) == []
    other[:, 0, AARE] -= 2 * CLEAR
    assert [one.quantity for one in reasons(TROK, mine, other)] == [AARE]


def test_a_quantity_is_told_only_when_it_is_worth_a_word_and_the_clearest_are_told() -> None:
    assert VERRATER.quantities
    assert VERRATER.quantities.items[CARDS].when is When.ROUND
    assert reasons(VERRATER, marks(VERRATER, **{f"game_{CARDS}": 9.0}), marks(VERRATER)) == []
    many = marks(VERRATER, **{f"{when}_{n}": 3.0 + n for when in ("round", "game") for n in (0, 1, 3, 4)})
    assert len(reasons(VERRATER, many, marks(VERRATER))) == MOST


def test_two_moments_are_compared_by_their_sums() -> None:
    before, after = np.zeros((2, 7, 2), int), np.zeros((2, 7, 2), int)
    before[0, AARE], after[0, AARE] = (10 * COUNT, 101 * COUNT), (14 * COUNT, 197 * COUNT)  # variance 1
    (reason,) = changes(TROK, before, after, COUNT)
    assert (reason.when, reason.quantity, reason.mine, reason.other) == (0, AARE, 14.0, 10.0)
    assert changes(TROK, before, before, COUNT) == []


@pytest.mark.native
@every_game
def test_the_reasons_of_a_review_are_at_the_moments_that_mattered(game: Game) -> None:
    from tests.test_review import finished
    from tripot.coach.review import moments_of, review
    from tripot.coach.words import Teller

    record, table = finished(game.name)
    one_of_each_kind = [0, 1]
    found = review(record, table, one_of_each_kind, playouts=40, threads=2)  # a twelfth of what a review takes
    teller = Teller(found, moments_of(table), [f"P{seat}" for seat in range(table.seats)], "en")
    told = [teller.moment(step, seat) for seat in one_of_each_kind for step in found.turning_points(seat)]
    assert sum("By the end of the" in one for one in told) >= len(told) // 2 > 0
