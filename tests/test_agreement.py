"""`bench.agreement` counts what it says."""

import pytest

from bench.agreement import agreement, main

pytestmark = pytest.mark.native


def test_the_network_always_agrees_with_itself_and_the_heuristic_nearly_always() -> None:
    found = agreement("verrater", "network", 1, 5)
    assert found.network == found.decisions > 50 > 0 < found.heuristic < found.decisions
    assert found.nats < found.uniform
    found = agreement("verrater", "sensible", 1, 5)  # it draws where it finds two decisions equal
    assert found.heuristic > 0.9 * found.decisions > found.network


def test_agreement_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["verrater", "uniform", "--games", "1"])
    assert "decisions of uniform between several actions" in capsys.readouterr().out
