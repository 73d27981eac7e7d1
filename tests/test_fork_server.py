"""Processes that start at once: they have the test's variables, and what they write is heard."""

import os
import signal
from pathlib import Path

import pytest

from tests.fork_server import fork

pytestmark = pytest.mark.process

MODULE = """
import os, signal, sys
SEEN = os.environ["TRIPOT_SEEN"]

def run(given):
    if given["breaks"]:
        raise SystemExit(f"it broke {os.environ['HERE']}")
    print("a word of warning", file=sys.stderr)
    print("hello", SEEN, os.environ["HERE"], flush=True)
    signal.pause()
"""


def test_a_process_has_the_variables_of_now_and_is_heard_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "talker.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path.cwd()}")
    for seen in ("one", "other"):  # what is read at import is read anew
        monkeypatch.setenv("TRIPOT_SEEN", seen)
        for here in ("a", "b"):
            talker = fork("talker", {"breaks": False}, {"HERE": here})
            assert talker.first_line() == f"hello {seen} {here}\n" and not talker.ended()
            talker.send_signal(signal.SIGINT)
            said = talker.communicate(60)
            assert "a word of warning" in said and said.endswith("KeyboardInterrupt\n")
            assert talker.ended()


def test_a_process_that_breaks_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "talker.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path.cwd()}")
    monkeypatch.setenv("TRIPOT_SEEN", "yes")
    talker = fork("talker", {"breaks": True}, {"HERE": "here"})
    assert talker.first_line() == ""
    talker.send_signal(signal.SIGKILL)  # too late, and no error
    assert talker.communicate(60) == "it broke here\n"
