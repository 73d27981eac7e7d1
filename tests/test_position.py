"""Positions as text: from a record's moment and back, and written by hand."""

import random
from copy import deepcopy
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.cases import every_game
from tests.conservation import CONSERVED
from tests.written_positions import BY_HAND
from tripot import GAMES
from tripot.core.game import Game, waiting_seats
from tripot.core.notation import always, worded, words_of
from tripot.core.position import LONGEST, BadPosition, read_position, write_position
from tripot.games.trieste.cards import MERCHANT, OWN_TITLES, THIEF, WATCH
from tripot.games.trieste.notation import TREASURE, by_faction, titles
from tripot.games.trieste.state import HOUSE_DECK
from tripot.games.verrater.cards import Role


def moments(game: Game, seats: int, options: Any, seed: int, every: int) -> Any:
    """Some states of a random game, the first and the last among them."""
    luck, s, count = random.Random(seed), game.new_state(options, seats, seed), 0
    while not s.over:
        if count % every == 0:
            yield s
        seat = luck.choice(waiting_seats(s))
        game.apply(s, seat, luck.choice(game.legal_actions(s, seat)))
        count += 1
    yield s


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_game_is_written_and_read_back_byte_for_byte(name: str) -> None:
    game = GAMES[name]
    for seed, seats in enumerate(game.seats, start=4):
        for s in moments(game, seats, game.options(), seed, 29):
            text = write_position(game, game.options(), s)
            assert read_position(text, GAMES).s.pack() == s.pack(), text


def test_house_rules_travel_with_a_position() -> None:
    rows = [list(row) for row in HOUSE_DECK]
    rows[0][1] += 1
    game = GAMES["trieste"]
    options = game.options(heroes=1, deck=tuple(map(tuple, rows)))
    for s in moments(game, 3, options, 2, 41):
        again = read_position(write_position(game, options, s), GAMES)
        assert again.s.pack() == s.pack() and again.options == options


@pytest.mark.parametrize("name", GAMES)
def test_a_position_written_by_hand_misses_no_card_and_can_be_imagined(name: str) -> None:
    game, s = GAMES[name], read_position(BY_HAND[name], GAMES).s
    for what, found, expected in CONSERVED[name](s):
        assert found == expected, what
    for seat in range(s.seats):
        view = game.layout.observe(state_array(game, s), seat)
        imagined = game.imagined(view, 5)
        assert game.layout.observe(state_array(game, imagined), seat).tobytes() == view.tobytes()


def state_array(game: Game, s: Any) -> Any:
    return np.frombuffer(s.pack(), game.layout.state.dtype)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("game: chess", "'game: chess': choose verrater, trok, trieste"),
        ("", "'game: ': choose verrater"),
        ("game: verrater\nseats: 7", "seats: verrater is for 3 or 4, not 7"),
        ("game: verrater\nrules: 9", "rules: this is version 1 of verrater, not 9"),
        ("game: verrater\noptions: wind=3", "options: "),
        ("game: verrater\nnonsense", "line 2: 'nonsense' does not say 'name: values'"),
        ("game: verrater\nweather: fine", "line 2: verrater has no 'weather'; its fields are seats, phase"),
        ("game: verrater\nrng_a: 3", "line 2: verrater has no 'rng_a'"),
        ("game: verrater\nround: many", "line 2, round: round: 'many' is not a whole number from 0"),
        ("game: verrater\nhand: 3", "line 2, hand: write 'hand (north | east | south | west): …'"),
        ("game: verrater\nround north: 3", "line 2, round: 'north' names no row"),
        ("game: verrater\nhand north: 9", "line 2, hand: '9' is none of 2, 3, 4, 5, 6, 8"),
        ("game: verrater\nhand north: 0×3", "line 2, hand: count: '0' is not a whole number from 1"),
        ("game: verrater\nhand up: 3", "line 2, hand: 'up' is none of north, east, south, west"),
        ("game: verrater\npoints: 1 2 3 4 5", "line 2, points: 5 values where there is room for 4"),
        ("game: verrater\nround: 3\nround: 4", "line 3: 'round' is said twice"),
        ("game: verrater\nhand north: 5×3 5×4\nhand east: 3", "after working out the rest, fresh[1] = -"),
        ("game: verrater\nphase: build\nwaiting: none", "waiting: nobody is to decide"),
        ("game: verrater\nphase: supply\nwaiting: nobody", "waiting: nobody is to decide"),
        ("game: verrater\nphase: draft", "has nothing to decide in this phase"),
        ("game: verrater\nluck: x y", "luck: a seed, or four words of eight hexadecimal digits"),
        ("game: verrater\nluck: -1", "luck: '-1' is not a whole number from 0"),
        ("game: verrater\ndeal: 99999999999999999999999", "deal: '99999999999999999999' is not a whole number"),
        (f"game: verrater\ndeal: {1 << 64}", f"deal: '{1 << 64}' is not a whole number from 0"),
        ("game: verrater\nseats: 0", "seats: '0' is not a whole number from 1"),
        ("game: verrater\nround: ²", "line 2, round: round: '²' is not a whole number from 0"),
        ("game: verrater\nluck: 1 2 3 g", "luck: a seed, or four words of eight hexadecimal digits"),
        ("game: verrater\nluck: 1 2 3", "luck: a seed, or four words of eight hexadecimal digits"),
        ("game: verrater\nrules: x", "rules: 'x' is not a whole number from 0"),
        ("game: trieste\noptions: factions=a=b", "options: option factions = a=b: must be one of "),
        ("#" * (LONGEST + 1), f"longer than {LONGEST} characters"),
    ],
)
def test_what_is_no_position_is_refused_with_the_line_and_what_is_allowed(text: str, complaint: str) -> None:
    with pytest.raises(BadPosition) as error:
        read_position(text, GAMES)
    assert complaint in str(error.value)


def test_luck_is_a_seed_or_the_state_of_the_generator() -> None:
    first, second = (read_position(f"game: trok\nluck: {luck}", GAMES).s for luck in (5, 6))
    assert first.rng_a != second.rng_a and first.hand == second.hand
    words = " ".join(f"{getattr(first, name):x}" for name in ("rng_a", "rng_b", "rng_c", "rng_d"))
    assert read_position(f"game: trok\nluck: {words}", GAMES).s.pack() == first.pack()


@every_game
def test_no_two_values_of_a_field_share_a_word(game: Game) -> None:
    for names in game.notation.words.values():
        assert len(set(names)) == len(names) and all(worded(name) == name for name in names)


def test_words_of_fields_are_those_of_their_names() -> None:
    """Made anew: those of the games were made when they were imported."""
    assert words_of(Role) == GAMES["verrater"].notation.words["role_kept"]
    assert words_of(Role)[:3] == ("none", "traitor", "diplomat-2")
    assert words_of(IntEnum("Gap", {"ONE_DAY": 1, "THREE": 3})) == ("0", "one-day", "2", "three")
    assert worded("Patrol Officer") == "patrol-officer"
    words = ("a", "b")
    assert always(words)(None, (1,)) is words


def test_bags_of_trieste_are_named_after_the_faction_of_their_row() -> None:
    s = SimpleNamespace(faction=[THIEF, WATCH, MERCHANT])
    watch, thief = titles(WATCH), titles(THIEF)
    assert len(watch) == OWN_TITLES[WATCH] and "patrol-officer" in watch and "street-urchin" in thief
    assert by_faction(with_treasures=False, axis=0, by_seat=True)(s, (1,)) == watch
    assert by_faction(with_treasures=False, axis=1, by_seat=False)(s, (2, THIEF)) == thief
    assert by_faction(with_treasures=True, axis=0, by_seat=True)(s, (0,)) == (*TREASURE, *thief)


def another(value: Any, highest: int) -> Any:
    """A value of the same shape with other numbers in it."""
    if isinstance(value, list):
        return [another(part, highest) for part in value]
    return value - 1 if value == highest else value + 1


@every_game
def test_what_is_said_is_not_worked_out(game: Game) -> None:
    """Every field that could follow from the rest stays as it is said to be."""
    for s in moments(game, game.seats[0], game.options(), 7, 45):
        for f in game.fields:
            if f.name in game.notation.derived:
                said = s.copy()
                value = another(getattr(s, f.name), f.highest) if f.name != "seat_of" else s.seat_of
                setattr(said, f.name, deepcopy(value))
                game.notation.complete(said, frozenset({f.name, "hand"}))
                assert getattr(said, f.name) == value, f.name


def test_a_position_may_be_as_long_as_it_may() -> None:
    text = "game: verrater\n#"
    read_position(text + "x" * (LONGEST - len(text)), GAMES)
