"""The checks that any game must pass, for the tests of the package that brings it.

    from hearts import GAME
    from tripot.testing import checks_of

    TestHearts = checks_of(GAME, conserved=cards)

pytest collects a test for every table size and house rule. `pytest -m "not native"` leaves out what compiles.
"""

from tripot.testing.checks import GameChecks, checks_of

__all__ = ["GameChecks", "checks_of"]
