"""What is thought and said of games stays as it was: weights, hints, words, encodings, compared with hashes on file."""

import pytest

from tests.aspects import ARRAYS, answers, arrays, aspects, cases, kept, left_out, small_deals
from tests.cases import GAMES, Case, every_game
from tripot.core.game import Game

every_case = pytest.mark.parametrize("case", cases(), ids=str)


def compare(case: Case, now: dict[str, str], arrays: bool) -> None:
    """If a change is meant to be one: python -m tests.regen."""
    old = {aspect: digest for aspect, digest in kept()[str(case)].items() if aspect.startswith(ARRAYS) == arrays}
    changed = [aspect for aspect in now if old.get(aspect) != now[aspect]]
    assert not changed and list(old) == list(now), f"{case}: {', '.join(changed)} changed"


@every_case
def test_what_is_thought_and_said_of_games_is_on_file(case: Case) -> None:
    """A changed heuristic, guide, notation or rule changes it."""
    compare(case, aspects(case), arrays=False)


@every_case
def test_how_states_lie_in_memory_and_are_encoded_is_on_file(case: Case) -> None:
    """A changed layout needs new compiled code, and a changed encoding new networks."""
    compare(case, arrays(case), arrays=True)


@every_game
def test_what_is_found_in_the_rule_book_is_on_file(game: Game) -> None:
    assert answers(game)["answers"] == kept()[game.name]["answers"]


@every_game
def test_small_deals_are_on_file(game: Game) -> None:
    assert small_deals(game)["small deals"] == kept()[game.name]["small deals"]


@every_game
def test_what_a_position_leaves_out_follows_as_it_did(game: Game) -> None:
    assert left_out(game)["left out"] == kept()[game.name]["left out"]


def test_every_case_has_aspects() -> None:
    assert list(kept()) == [*map(str, cases()), *(game.name for game in GAMES)]
