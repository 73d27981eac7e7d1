"""Before anything compiles: native code in tests checks every index. How hypothesis searches; what luck a test has."""

import gc
import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import suppress

os.environ["TRIPOT_BOUNDS_CHECK"] = "1"  # read by core.jit when it first compiles

import pytest
from hypothesis import HealthCheck, settings

from tests import luck
from tests.lanes import Watch
from tests.postgres import Postgres

GC_YOUNG = 10_000  # new objects between two collections, where Python's own number is 700

# The same examples every time, here and in CI; `pytest --hypothesis-profile=fuzz` looks for new ones.
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.register_profile("fuzz", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="what needs no compiler, server, browser or other process")


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="tripot-luck-")
    config.add_cleanup(folder.cleanup)
    os.environ[luck.VARIABLE] = folder.name
    if config.getoption("--quick"):
        config.pluginmanager.register(Watch(), "quick")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Each worker first imports files of its own: rewriting the asserts of all files takes longer than reading them."""
    report = yield
    given = getattr(collector.config, "workerinput", None)
    if given and report.passed:
        files = [one for one in report.result if isinstance(one, pytest.Module)]
        for file in files[int(given["workerid"].removeprefix("gw")) :: given["workercount"]]:
            with suppress(Exception, pytest.skip.Exception):  # told when the file's turn comes
                file.obj  # noqa: B018 (imports it)
    return report


def pytest_collection_finish() -> None:
    """Modules and collected tests stay to the end: the garbage collector would scan them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_YOUNG)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before the fixtures of a test: its deals are the same in every run, whatever ran before it."""
    luck.begin(item.nodeid)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A database server of our own."""
    server = Postgres()
    yield server
    server.end()
