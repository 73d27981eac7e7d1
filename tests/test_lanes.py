"""The test run itself: a test that hangs fails."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
WAITS = "import time\n\n\ndef test_that_waits():\n    time.sleep(60)\n"
DEAF = """
import signal, time

def test_that_hears_no_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(60)
"""


def run(folder: Path, source: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a test file under the project's own settings."""
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder)]
    command += ["-p", "no:cacheprovider", *words, str(folder / "test_it.py")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def test_a_test_that_hangs_fails(tmp_path: Path) -> None:
    done = run(tmp_path, WAITS, "-o", "timeout=1")
    assert done.returncode == 1 and "Timeout (>1.0s)" in done.stdout


def test_a_test_that_no_signal_reaches_ends_with_its_process(tmp_path: Path) -> None:
    done = run(tmp_path, DEAF, "-o", "timeout=1", "-o", "faulthandler_timeout=2")
    assert done.returncode == 1 and "test_that_hears_no_signal" in done.stderr
