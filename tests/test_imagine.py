"""An imagined state never contradicts its view, and it can be played."""

import pytest

from tests.cases import Case, every_case, every_table
from tests.conservation import CONSERVED
from tripot.testing import imagination


@every_case
def test_an_imagined_state_looks_the_same_from_the_seat_and_lets_it_do_the_same(case: Case) -> None:
    imagination.fits_the_view(case, CONSERVED[case.game.name])


@every_table
def test_the_same_seed_imagines_the_same_and_the_view_stays_as_it_is(case: Case) -> None:
    imagination.follows_its_seed(case)


@every_table
def test_other_seeds_imagine_other_secrets(case: Case) -> None:
    """Not only the generator differs: for every seat, somewhere in the game, unseen cards lie elsewhere."""
    imagination.varies_secrets(case)


@every_table
def test_the_imagined_generator_is_fresh(case: Case) -> None:
    """No seat learns coming random numbers: the imagined generator is neither the real one nor always the same."""
    imagination.draws_its_own_luck(case)


@every_table
@pytest.mark.parametrize("seed", range(45, 48))
def test_an_imagined_game_can_be_played_to_its_end(case: Case, seed: int) -> None:
    """From a few positions of each game: as many again as a game has decisions are played from every one."""
    imagination.can_be_played_to_the_end(case, seed)
