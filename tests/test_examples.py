"""The examples work: the code in README.md, docs/lab.md and docs/learning.md runs, and the learner learns."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.native

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("page", "count", "prints"), [("docs/lab.md", 5, "games ended"), ("docs/learning.md", 6, "2/4")]
)
def test_the_code_of_a_page_runs(page: str, count: int, prints: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = CODE.findall((ROOT / page).read_text("utf-8"))
    assert len(blocks) == count
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), space)
    assert prints in capsys.readouterr().out


def test_the_five_lines_of_the_readme_play_games() -> None:
    (code,) = CODE.findall((ROOT / "README.md").read_text("utf-8"))
    assert len([line for line in code.splitlines() if line]) == 5 and "1_000_000" in code
    space: dict[str, int] = {}
    exec(compile(code.replace("1_000_000", "2_000"), "README.md", "exec"), space)
    assert 2_000 <= space["games"] < 20_000


LEARN = """
import sys
sys.path.insert(0, "examples")
import reinforce
weights = reinforce.train(rounds=8, tables=384)
for tried in (weights * 0, weights):
    print(*reinforce.measure(tried, 1500))
"""


def test_a_linear_policy_learns_to_beat_chance() -> None:
    """Runs in a separate process: many threads for small matrices slow each other down on a busy machine."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", LEARN], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    (untrained, doubt), (learnt, error) = (map(float, line.split()) for line in done.stdout.splitlines())
    assert abs(untrained - 1 / 3) < 2 * doubt
    assert learnt - error > 0.45
