"""The test run itself: a test that hangs fails, and the quick lane stays quick."""

import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lanes import LANES

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
PLUGINS = ("-p", "xdist", "-p", "pytest_timeout")  # all that are installed take a second to import, in each process
WAITS = "import time\n\n\ndef test_that_waits():\n    time.sleep(60)\n"
DEAF = """
import signal, time

def test_that_hears_no_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(60)
"""


def run(folder: Path, source: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a test file under the project's own settings, with the plugins that these need and no others."""
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder)]
    command += ["-p", "no:cacheprovider", *PLUGINS, *words, str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    heard = {"capture_output": True, "text": True, "check": False, "timeout": 200}
    return subprocess.run(command, cwd=folder, env=environment, **heard)


def test_a_test_that_hangs_fails(tmp_path: Path) -> None:
    done = run(tmp_path, WAITS, "-o", "timeout=1")
    assert done.returncode == 1 and "Timeout (>1.0s)" in done.stdout


def test_a_test_that_no_signal_reaches_ends_with_its_process(tmp_path: Path) -> None:
    done = run(tmp_path, DEAF, "-o", "timeout=1", "-o", "faulthandler_timeout=2")
    assert done.returncode == 1 and "test_that_hears_no_signal" in done.stderr


def test_the_garbage_collector_leaves_alone_what_stays_to_the_end() -> None:
    assert gc.get_freeze_count() > 10_000
    assert gc.get_threshold()[0] > 700  # Python's own


SAYS_WHO_IMPORTS = """
import os, pathlib

with open(pathlib.Path(__file__).with_name(os.environ["PYTEST_XDIST_WORKER"]), "a") as told:
    told.write(__name__[-1])

def test_nothing(): pass
"""


def test_each_worker_imports_files_of_its_own_first_and_then_the_others(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"test_{name}.py").write_text(SAYS_WHO_IMPORTS)
    done = run(tmp_path, "no test of pytest\n", "-p", "tests.conftest", "-n", "2")
    assert [(tmp_path / worker).read_text() for worker in ("gw0", "gw1")] == ["acbd", "bdac"]
    assert done.stdout.count("ERROR collecting test_it.py") == 1 and "SyntaxError" in done.stdout
    (tmp_path / "test_it.py").unlink()
    assert (
        "4 passed"
        in run(
            tmp_path, "import pytest\n\npytest.skip(allow_module_level=True)", "-p", "tests.conftest", "-n", "2"
        ).stdout
    )


NOT_QUICK = {
    "numba": ("import numba", "imports Numba: mark it native"),
    "port": ("import socket\n    with socket.socket() as s: s.bind(('127.0.0.1', 0))", "opens a port: mark it server"),
    "fork": ("import os\n    os.spawnlp(os.P_WAIT, 'true', 'true')", "starts a process: mark it process"),
    "process": ("import subprocess\n    subprocess.run(['true'])", "starts a process: mark it process"),
    "swallowed": ("try: import numba\n    except Exception: pass", "imports Numba: mark it native"),
}


def test_what_is_not_quick_fails_in_the_quick_lane(tmp_path: Path) -> None:
    """Even where the test, or what it tests, swallows the error."""
    source = "".join(f"def test_{name}():\n    {body}\n\n" for name, (body, _) in NOT_QUICK.items())
    done = run(tmp_path, source, "-p", "tests.conftest", "--quick", "-rf")
    failed = dict(re.findall(r"^FAILED test_it\.py::test_(\w+) - .*a test of the quick lane (.*)$", done.stdout, re.M))
    assert failed == {name: complaint for name, (_, complaint) in NOT_QUICK.items()}, done.stdout
    assert run(tmp_path, source, "-p", "tests.conftest").returncode == 0


def test_the_quick_lane_leaves_out_what_is_marked(tmp_path: Path) -> None:
    """A marked test, and a whole file, which is not even imported."""
    marked = "".join(f"@pytest.mark.{lane}\ndef test_{lane}(): assert False\n\n" for lane in LANES)
    (tmp_path / "test_whole.py").write_text(f"import pytest\n\npytestmark = pytest.mark.{LANES[0]}\nassert False\n")
    done = run(tmp_path, f"import pytest\n\n{marked}def test_other(): pass\n", "-p", "tests.conftest", "--quick")
    assert done.returncode == 0 and f"1 passed, {len(LANES)} deselected" in done.stdout
