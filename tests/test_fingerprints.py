"""Games play as they did: every table size and every house rule, compared with the fingerprints on file."""

from tests.cases import Case, over
from tests.fingerprint import PRINTED, fingerprints, kept


@over(PRINTED)
def test_games_have_the_fingerprints_on_file(case: Case) -> None:
    """A changed rule, heuristic or evaluation changes them. If it is meant to: python -m tests.regen."""
    now = fingerprints(case)
    changed = [seed for seed, (old, new) in enumerate(zip(kept()[str(case)], now, strict=True)) if old != new]
    assert not changed, f"{case}: games of the seeds {changed} play differently"


def test_every_case_has_fingerprints() -> None:
    assert list(kept()) == [str(case) for case in PRINTED]


def test_fingerprints_tell_games_apart() -> None:
    every = [found for prints in kept().values() for found in prints]
    assert len(set(every)) == len(every)
