"""The measurement of the web table runs, writes its own section and nobody else's, and says what is missing."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.web import measure
from bench.web.cold import Pieces
from bench.web.page import rates_table

ROOT = Path(__file__).parent.parent


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(measure.Missing, match=r"node is not installed: boardgame.io was not measured"):
        measure.install(lambda _: None)


@pytest.mark.server
def test_a_small_measurement_runs(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    sizes = ["--tables", "3", "--seconds", "2", "--saturate", "600", "--idle", "20"]
    sizes += ["--rates", "2", "4", "--rate-seconds", "1"]
    words = [sys.executable, "-m", "bench.web", "--alone", *sizes, "--write", str(page)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = page.read_text("utf-8")
    assert text.startswith("# Benchmarks\n") and "\n<!-- web -->\n## The web table\n\n" in text
    assert "3 tables, 12 sockets, a decision a second each" in text
    assert re.search(r"The disk alone, without a server: 50 times 32 KB written and synchronised", text)
    assert re.search(r"our event loop was ready and had no core for \d+ ms of every second", text)
    rates = (
        r"\| decisions a second \| the server's CPU time .*\n.*\n\| 2 \| [\d.]+ \| .*% \|\n\| 4 \| [\d.]+ \| .*% \|\n"
    )
    assert re.search(rates, text)
    assert re.search(r"\| times a second .*\n.*\n\| 2 \| [\d.]+ \| [\d.]+ \| [\d.]+ \|\n\| 4 \| [\d.]+ \| ", text)
    assert re.search(r"Full load lasted [\d.]+ s, until the first games were over\.", text)  # not for ten minutes
    assert re.search(r"99% of [1-6] within .* ms, median", text) and "boardgame.io was left out." in text


def test_a_rate_stands_beside_that_of_boardgame_io() -> None:
    ours, theirs = (measure.Played({"per_second": 50.0, "p50": 2, "p99": 9}, cpu, 0.1, 0, 0.0) for cpu in (0.05, 0.03))
    assert rates_table({50: ours}).splitlines()[2] == "| 50 | 1.00 | 2.00 | 9.00 | 5% |"
    assert rates_table({50: ours}, {50: theirs}).splitlines()[2] == "| 50 | 1.00 | 2.00 | 9.00 | 5% | 0.60 |"


def test_the_work_of_a_decision_alone_is_repeated() -> None:
    pieces = Pieces(2)
    told = [[json.loads(line) for line in pieces.do().split(b"\n")] for _ in range(3)]
    assert [len(letters) for letters in told] == [4, 4, 4]
    assert [letters[0]["sequence"] for letters in told] == [1, 1, 2]
    assert all(letter["type"] == "changes" for letters in told for letter in letters)
