"""Imagined states of Verräter are as frequent as real ones: small positions, many deals."""

import numpy as np
import pytest

from tests.scenarios.position import position, put
from tests.unbiased import compare
from tripot.core.game import DEALER
from tripot.core.news import EVERYONE
from tripot.core.rng import roll, seed_luck
from tripot.games.verrater import GAME
from tripot.games.verrater.actions import DONE, PLAY, News
from tripot.games.verrater.cards import ALL_ROLES
from tripot.games.verrater.effects import draw_cards, resolve_reveal
from tripot.games.verrater.phases import apply, ask, start_draft
from tripot.games.verrater.state import Phase

NORTH, EAST, SOUTH, WEST = range(4)
FAR = 6.0  # standard deviations, out of reach of chance alone


def drafted(seed, seats, after):
    """Plays a random draft with North first, until `after` seats have kept a role."""
    s = position(GAME, seats, {"first": 1})
    seed_luck(s, seed, DEALER)
    start_draft(s)
    for seat in range(after):
        legal = GAME.legal_actions(s, seat)
        apply(s, seat, legal[roll(s, len(legal))])
    return s


def roles(s):
    return (s.set_aside, s.middle, *s.role_kept[: s.seats])


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "seat"), [(4, NORTH), (4, EAST), (4, SOUTH), (3, EAST)])
def test_roles_nobody_has_shown_are_imagined_as_they_fall(seats, seat):
    assert compare(GAME, seat, lambda seed: drafted(seed, seats, seats), roles, games=15000) < FAR


def test_a_seat_that_the_draft_has_not_reached_knows_nothing_of_it():
    assert compare(GAME, WEST, lambda seed: drafted(seed, 4, 1), roles, games=2000) < FAR


def test_the_first_player_knows_the_role_set_aside():
    s = drafted(5, 4, 4)
    view = GAME.layout.observe_plain(s, NORTH)
    assert ALL_ROLES - view.my_handed == 1 << s.set_aside
    for seed in range(50):
        assert imagined(s, NORTH, seed).set_aside == s.set_aside


def test_what_a_seat_passed_on_lies_with_those_after_it():
    s = drafted(5, 4, 4)
    passed = [role for role in range(1, 7) if s.handed[EAST] >> role & 1 and role != s.role_kept[EAST]]
    for seed in range(50):
        t = imagined(s, EAST, seed)
        assert t.role_kept[SOUTH] in passed and t.role_kept[WEST] in passed
        assert t.role_kept[NORTH] not in passed and t.set_aside not in passed


def test_after_the_reveal_everyone_knows_the_role_set_aside():
    s = drafted(5, 4, 4)
    resolve_reveal(s)
    ask(s, Phase.BUILD, NORTH)
    for seat in range(4):
        assert imagined(s, seat, seat).set_aside == s.set_aside


def imagined(s, seat, seed):
    return GAME.imagined(GAME.layout.observe(np.frombuffer(s.pack(), GAME.layout.state.dtype), seat), seed)


def hands_and_pile(s):
    return (*map(tuple, s.hand), tuple(s.pile))


def small_table(seed):
    """Returns a table with four empty hands and a pile of 2, 5 and 8; all other cards are out of the game."""
    s = position(GAME, 4, {"first": 1})
    seed_luck(s, seed, DEALER)
    bare = [[0] * 6] * 4
    put(s, known=bare, hand=bare, hand_size=[0] * 4, pile=[1, 0, 0, 1, 0, 1], pile_size=3, fresh=[1, 0, 0, 1, 0, 1])
    return s


def drawn_from_one_pile(seed):
    """East draws two of the three cards."""
    s = small_table(seed)
    draw_cards(s, EAST, 2)
    return s


def drawn_over_a_reshuffle(seed):
    """East draws two, North one; then a 3 and a 5 become the new pile, and East draws one of them."""
    s = small_table(seed)
    draw_cards(s, EAST, 2)
    draw_cards(s, NORTH, 1)
    put(s, discard=[0, 1, 0, 1, 0, 0])
    draw_cards(s, EAST, 1)
    return s


def played_after_a_reshuffle(seed):
    """As before, and East then adds any one of three cards: a 5 may be an old one or a new one."""
    s = drawn_over_a_reshuffle(seed)
    ask(s, Phase.SUPPLY, EAST)
    cards = [kind for kind in range(6) for _ in range(s.hand[EAST][kind])]
    apply(s, EAST, PLAY + cards[roll(s, len(cards))])
    return s


@pytest.mark.slow
@pytest.mark.parametrize("real", [drawn_from_one_pile, drawn_over_a_reshuffle, played_after_a_reshuffle])
def test_hands_are_imagined_as_they_fall(real):
    assert compare(GAME, SOUTH, real, hands_and_pile, games=6000) < FAR


def test_a_card_that_was_in_no_discard_pile_is_not_imagined_in_the_new_one():
    s = drawn_over_a_reshuffle(3)
    for seed in range(200):
        pile = imagined(s, SOUTH, seed).pile
        assert pile in ([0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0])


def test_the_starting_cards_are_known_until_a_card_of_that_value_is_seen():
    s = position(GAME, 4, {"first": 1}, phase=Phase.SUPPLY)
    ask(s, Phase.SUPPLY, NORTH)
    for seed in range(20):
        assert imagined(s, SOUTH, seed).hand == s.hand
    draw_cards(s, NORTH, 1)
    apply(s, NORTH, PLAY + 2)
    apply(s, NORTH, DONE)
    kept = {tuple(imagined(s, SOUTH, seed).hand[NORTH]) for seed in range(200)}
    assert all(hand[1] >= 1 and hand[3] >= 1 for hand in kept)  # the 3 and the 5, not the 4
    assert len(kept) > 3


@pytest.mark.slow
def test_the_draft_test_can_fail():
    """Half the time a role kept before East is swapped with one kept after East: the comparison notices."""

    def crooked(seed):
        s = drafted(seed, 4, 4)
        if seed % 2:
            s.role_kept[NORTH], s.set_aside = max(s.role_kept[NORTH], s.set_aside), min(s.role_kept[NORTH], s.set_aside)
        return s

    assert compare(GAME, EAST, crooked, roles, games=15000) > FAR


# --- What a seat can deduce ---


def test_a_new_pile_makes_every_unknown_card_in_a_hand_an_older_one():
    s = drawn_over_a_reshuffle(3)
    assert s.older == [1, 0, 0, 1, 0, 1] and s.fresh == [0, 1, 0, 1, 0, 0]
    assert (s.held_over[EAST], s.drawn[EAST], s.held_over[NORTH], s.drawn[NORTH]) == (2, 1, 1, 0)
    assert sum(s.kept_over[EAST]) == 2 and sum(s.drew[EAST]) == 1
    assert [a + b for a, b in zip(s.kept_over[EAST], s.drew[EAST], strict=True)] == s.hand[EAST]


def after_playing(kind, **fields):
    """East holds an old 2 and 5 and a new 5 and 3, North an old 8; East plays one card."""
    s = small_table(1)
    put(s, hand=[[0, 0, 0, 0, 0, 1], [1, 1, 0, 2, 0, 0]], hand_size=[1, 4], pile=[0] * 6, pile_size=0)
    put(s, older=[1, 0, 0, 1, 0, 1], held_over=[1, 2], kept_over=[[0, 0, 0, 0, 0, 1], [1, 0, 0, 1, 0, 0]])
    put(s, fresh=[0, 1, 0, 1, 0, 0], drawn=[0, 2], drew=[[0] * 6, [0, 1, 0, 1, 0, 0]])
    put(s, **fields)
    ask(s, Phase.SUPPLY, EAST)
    apply(s, EAST, PLAY + kind)
    return s


def test_a_card_that_can_only_be_older_is_taken_off_the_older_ones():
    s = after_playing(0)
    assert (s.held_over[EAST], s.drawn[EAST], s.older[0]) == (1, 2, 0)
    assert s.kept_over[EAST] == [0, 0, 0, 1, 0, 0] and s.surfaced[EAST] == [0] * 6


def test_a_card_that_can_only_be_new_is_taken_off_the_new_ones():
    s = after_playing(1)
    assert (s.held_over[EAST], s.drawn[EAST], s.fresh[1]) == (2, 1, 0)
    assert s.drew[EAST] == [0, 0, 0, 1, 0, 0] and s.surfaced[EAST] == [0] * 6


def test_a_card_that_may_be_either_stays_open():
    s = after_playing(3)
    assert (s.held_over[EAST], s.drawn[EAST], s.older[3], s.fresh[3]) == (2, 2, 1, 1)
    assert s.surfaced[EAST] == [0, 0, 0, 1, 0, 0]


def test_a_known_card_is_the_first_to_be_seen_gone():
    s = after_playing(3, known=[[0] * 6, [0, 0, 0, 1, 0, 0]])
    assert s.known[EAST] == [0] * 6 and s.surfaced[EAST] == [0] * 6
    assert (s.held_over[EAST], s.drawn[EAST]) == (2, 2)


def test_a_draw_is_whispered_to_the_one_who_draws():
    s = small_table(1)
    s.news.clear()
    draw_cards(s, EAST, 1)
    kind = s.hand[EAST].index(1)
    assert [(item.to, *item[2:4]) for item in s.news if item.what == News.YOU_DREW] == [(EAST, EAST, kind)]
    assert [item.to for item in s.news if item.what == News.DREW] == [EVERYONE]
