"""The measurement of the web table runs, writes its own section and nobody else's, and says what is missing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.web import measure
from bench.web.page import BEGIN, END, replaced

ROOT = Path(__file__).parent.parent
RULES = "<!-- rules -->\n1\n<!-- /rules -->\n"
OTHERS = f"# Benchmarks\n\nwords\n\n{BEGIN}\nold\n{END}\n\n{RULES}"


def test_only_its_own_section_is_replaced() -> None:
    page = replaced(OTHERS, "new")
    assert page == OTHERS.replace("\nold\n", "\n## The web table\n\nnew\n")
    assert replaced(page, "new") == page


@pytest.mark.parametrize("text", ["", f"# Benchmarks\n\n{RULES}"])
def test_a_page_without_it_gets_it_at_the_end(text: str) -> None:
    page = replaced(text, "new")
    assert page.startswith(text or "# Benchmarks\n") and page.endswith(f"\n\n{BEGIN}\n## The web table\n\nnew\n{END}\n")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(measure.Missing, match=r"node is not installed: boardgame.io was not measured"):
        measure.install(lambda _: None)


@pytest.mark.server
def test_a_small_measurement_runs(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    sizes = ["--tables", "3", "--seconds", "2", "--saturate", "1", "--idle", "20"]
    words = [sys.executable, "-m", "bench.web", "--alone", *sizes, "--write", str(page)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = page.read_text("utf-8")
    assert "3 tables, 12 sockets, a decision a second each" in text
    assert re.search(r"% of [1-6]; median", text) and "boardgame.io was left out." in text
