"""The examples work: the code in docs/lab.md runs, and the learner learns."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.native

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = CODE.findall((ROOT / "docs/lab.md").read_text("utf-8"))
    assert len(blocks) == 5
    space: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/lab.md", "exec"), space)
    assert "games ended" in capsys.readouterr().out


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
