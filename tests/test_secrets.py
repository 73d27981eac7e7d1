"""Secret unless declared: what a seat may not know changes not one byte of what it receives."""

import random

import numpy as np
import pytest

from tests.cases import WITH_TOY, Case, every_case, every_table
from tripot.core.game import Game
from tripot.core.layout import HIDDEN, I16, OWNER, PUBLIC, SPECTATOR, Field, Layout
from tripot.testing import hidden, secrets

# --- Views, offers and refusals ---


@every_case
def test_views_and_legal_decisions_do_not_depend_on_what_is_hidden(case: Case) -> None:
    secrets.views_show_nothing_hidden(case)


@every_table
def test_letters_and_refusals_do_not_depend_on_what_is_hidden(case: Case) -> None:
    secrets.letters_tell_nothing_hidden(case)


@every_table
def test_a_refused_choice_reveals_nothing_about_coming_random_numbers(case: Case) -> None:
    assert secrets.refusals_tell_nothing_of_luck(case), "nothing was refused"


# --- News ---


@every_case
def test_a_letter_brings_the_news_told_to_all_and_to_its_reader_and_no_other(case: Case) -> None:
    assert secrets.letters_bring_their_news(case), "no whisper was put to the test"


@every_table
def test_the_moment_of_a_piece_of_news_shows_nothing_that_is_hidden(case: Case) -> None:
    assert secrets.moments_show_nothing_hidden(case), "nothing was different at any moment"


@every_table
def test_the_moment_of_a_piece_of_news_tells_no_more_than_the_letter(case: Case) -> None:
    assert secrets.moments_tell_no_more_than_letters(case) > 20


@every_table
def test_news_tells_a_seat_nothing_that_its_view_keeps_from_it(case: Case) -> None:
    assert secrets.news_tell_nothing_hidden(case), "no two positions that look alike came up"


# --- What the checks change ---


@pytest.mark.parametrize("game", WITH_TOY, ids=lambda game: game.name)
def test_the_checks_change_all_that_a_reader_may_not_see_and_nothing_else(game: Game) -> None:
    layout, luck = game.layout, random.Random(game.name)
    for who in (*range(layout.seats), SPECTATOR):
        data = luck.randbytes(layout.state.dtype.itemsize)  # what is seen may be anything
        drawn = [np.frombuffer(hidden.scrambled(layout, data, who, luck), layout.state.dtype)[0] for _ in range(60)]
        smeared = [hidden.smeared(layout, data, who, luck)[0] for _ in range(60)]
        for f in layout.state.fields:
            for number in range(f.size):
                secret = f.sight is HIDDEN or (f.sight is OWNER and number // (f.size // layout.seats) != who)
                real = np.frombuffer(data, layout.state.dtype)[0][f.name].flat[number]
                values = {int(state[f.name].flat[number]) for state in drawn}
                assert (len(values) > 1) == secret and (secret or values == {real}), f"{f.name} {number} of {who}"
                assert not secret or (min(values) >= 0 and f.highest // 2 < max(values) <= f.highest)
                assert (len({state[f.name].flat[number] for state in smeared} | {real}) > 1) == secret


# --- Spectators and new fields ---


@every_table
def test_a_spectator_gets_nobodys_own_values_and_no_decisions(case: Case) -> None:
    secrets.spectators_see_nobodys_own(case)
    layout = case.game.layout
    assert {f.name for f in layout.view.fields} == {"seat", *shown_names(layout.state.fields)}


def shown_names(fields: list[Field]) -> set[str]:
    public = {f.name for f in fields if f.sight is PUBLIC}
    return public | {"my_" + f.name for f in fields if f.sight is OWNER}


@pytest.mark.parametrize("game", WITH_TOY, ids=lambda game: game.name)
def test_a_new_hidden_field_shows_in_no_view(game: Game) -> None:
    """A new HIDDEN field leaves every view byte for byte the same."""
    old = game.layout
    for at in range(len(game.fields) + 1):
        mole = Field("mole", I16, (3, 5), HIDDEN, 999, "what nobody may know")
        new = Layout([*game.fields[:at], mole, *game.fields[at:]], max(game.seats))
        assert new.view.dtype == old.view.dtype and new.encoding == old.encoding
        s = game.new_state(game.options(), max(game.seats), 1)
        states = np.zeros(1, new.state.dtype)
        for f in game.fields:
            states[f.name] = np.array(getattr(s, f.name))
        states["mole"] = 777
        for who in (*range(max(game.seats)), SPECTATOR):
            expected = old.observe(np.frombuffer(s.pack(), old.state.dtype), who)
            assert new.observe(states, who).tobytes() == expected.tobytes()


def test_a_field_cannot_be_declared_without_saying_who_sees_it() -> None:
    with pytest.raises(TypeError, match="sight"):
        Field("mole", I16, (), highest=9, meaning="whose?")  # type: ignore[call-arg]
