"""The quick lane: `pytest --quick` runs what needs no compiler, no server, no browser and no other process.

A test of another lane says so: `native`, `process`, `server`, `browser`, or `slow` where it only takes long. The quick
lane leaves those out, and a test that is not marked but imports Numba, opens a port or starts a process fails.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LANES = ("native", "process", "server", "browser", "slow")
WHOLE_FILE = re.compile(rf"^pytestmark = pytest\.mark\.({'|'.join(LANES)})$", re.MULTILINE)
STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"}  # audit events of Python
NUMBA = ("numba", "llvmlite")


class NotQuick(RuntimeError):
    """A test of the quick lane did what the lane is there to avoid."""


class Watch:
    """Forbids the quick lane's tests to compile, to listen and to start a process."""

    def __init__(self) -> None:
        self.testing = False
        self.seen: list[str] = []
        sys.addaudithook(self.hear)

    def hear(self, event: str, given: tuple[Any, ...]) -> None:
        what = ""
        if event == "import" and given[0] in NUMBA:
            what = "imports Numba: mark it native"
        elif self.testing and event == "socket.bind":
            what = "opens a port: mark it server"
        elif self.testing and event in STARTS:
            what = "starts a process: mark it process"
        if what:
            self.seen.append(what)
            raise NotQuick(f"a test of the quick lane {what}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        self.seen.clear()
        self.testing = True
        try:
            yield
        finally:
            self.testing = False
        if self.seen:  # and the test, or what it tests, swallowed the error
            pytest.fail(f"a test of the quick lane {self.seen[0]}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self.testing = True
        try:
            yield
        finally:
            self.testing = False

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Files that belong to another lane as a whole are not even imported."""
        if collection_path.suffix == ".py" and WHOLE_FILE.search(collection_path.read_text("utf-8")):
            return True
        return None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        others = [item for item in items if any(item.get_closest_marker(lane) for lane in LANES)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]
