"""`bench.gains` judges decisions at the real table, and says how sure it is."""

from pathlib import Path

import pytest

from bench.gains import FIRST_SEED, Contest, interval, main, mean_and_error, measure

pytestmark = pytest.mark.native


def test_decisions_like_the_networks_gain_nothing_and_others_are_played_on() -> None:
    found = measure(Contest("verrater", "network", ("guided:20", "guided:300,temperature=1e6")), FIRST_SEED)
    assert found.free >= len(found.gained["guided:20"]) > 0
    for bot, gained in found.gained.items():
        assert all(-1 <= gain <= 1 for gain in gained) and sum(map(bool, gained)) <= found.other[bot]
    assert found.other["guided:300,temperature=1e6"] <= found.other["guided:20"]
    assert found.tries["guided:300,temperature=1e6"] > found.tries["guided:20"] > 0


def test_decisions_of_one_game_count_as_one_cluster() -> None:
    mean, error = mean_and_error([[0.1, 0.1], [-0.1, -0.1], [0.3, 0.3]])
    assert mean == pytest.approx(10) and error == pytest.approx(100 * (2 * 0.2**2 * 4) ** 0.5 / 6)
    assert mean_and_error([[0.1, -0.1], [0.1, -0.1]]) == (0, 0)
    assert interval([[0.02], [0.02]]) == "2.00 ± 0.00"


def test_a_run_goes_on_where_its_file_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["verrater", "--bot", "guided:20", "--processes", "1", "--keep", str(tmp_path / "gains")]
    main([*words, "--games", "1"])
    main([*words, "--games", "2"])
    assert len((tmp_path / "gains").read_text("utf-8").splitlines()) == 2
    assert "\n2 games, " in "\n" + capsys.readouterr().out
    with pytest.raises(SystemExit, match="is about guided:20: name another file"):
        main([*words[:2], "guided:60", *words[3:]])


@pytest.mark.parametrize(
    ("bot", "told"), [("search:20", "search:20 is no guided bot"), ("guided:20,dept=3", "a plan has no number dept")]
)
def test_bots_that_cannot_be_asked_are_refused(
    bot: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["verrater", "--bot", bot, "--keep", str(tmp_path / "gains")])
    assert told in capsys.readouterr().err
