"""The cases of the generic tests: every game, every table size and every option.

The toy game `pennies` is added where a test needs no rule book: it shows that the tests know no particular
game, and it has simultaneous secret choices. So does `leduc`, the benchmark game of the lab.
"""

import pytest

import tripot
from tests import pennies
from tripot.core.options import as_json
from tripot.lab import leduc
from tripot.testing.cases import LONGEST, Case, big, cases_of, play_on, positions

__all__ = ["LONGEST", "Case", "big", "cases_of", "play_on", "positions"]  # for the tests: from one place

GAMES = list(tripot.GAMES.values())
WITH_TOY = [*GAMES, pennies.GAME, leduc.GAME]
COMPILED = [*GAMES, leduc.GAME]

CASES = [case for game in WITH_TOY for seats in game.seats for case in cases_of(game, seats)]
DEFAULTS = [case for case in CASES if not as_json(case.options)]


LONG = {("trok", 3)}  # games twice as long as at two seats: a quarter of the quick lane


def over(cases: list[Case]) -> pytest.MarkDecorator:
    """A test for each case; those of big tables and long games take long."""
    long = [case for case in cases if big(case) or (case.game.name, case.seats) in LONG]
    slow = [pytest.param(case, marks=pytest.mark.slow) if case in long else case for case in cases]
    return pytest.mark.parametrize("case", slow, ids=str)


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_case = over(CASES)  # all games, sizes and options, and the toy game
every_table = over(DEFAULTS)  # the same with default rules
real_cases = over([c for c in CASES if c.game in GAMES])
real_tables = over([c for c in DEFAULTS if c.game in GAMES])
compiled_tables = over([c for c in DEFAULTS if c.game in COMPILED])
