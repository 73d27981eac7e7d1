"""Who notices a mutant: the tests of the quick lane that reach its lines, the most promising first, then the quickest.

The tests are collected once. Everything else happens in copies of that process (fork): one runs all the tests and
notes which lines each reaches and how long it takes; then each mutant gets a copy in which it takes its place.
"""

import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import coverage
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from tests.mutation.mutants import ROOT, Mutant

KILLED, SURVIVED, TIMEOUT, UNREACHED = "killed", "survived", "timeout", "unreached"
GIVEN_UP = "given up"  # survived for as long as it was given, not all the tests
NOT_PYTHON = "not Python"  # the changed file does not compile: no mutant
FLAGS = ["--quick", "--assert=plain", "--tb=no", "-p", "no:xdist", "-p", "no:cacheprovider"]
FLAGS += ["-o", "timeout=0", "-o", "faulthandler_timeout=0"]  # a mutant's process has a limit of its own
MEMORY = 6 << 30  # bytes: a mutant may ask for any amount
PATIENCE, AT_LEAST = 8, 4  # times as long as a test takes, and seconds more: of the processor, so that a busy machine …
ASLEEP = 600  # … kills nothing; seconds by the clock, for a mutant that waits for ever


@dataclass(frozen=True)
class Verdict:
    outcome: str
    test: str  # that noticed
    tests: int  # that reach it
    seconds: float


class Reach:
    """Which tests reach which lines, and how long each test takes. Kept in a file while the sources stay the same."""

    def __init__(self, file: Path, sources: str) -> None:
        self.file = file
        kept = json.loads(file.read_text("utf-8")) if file.exists() else {}
        if kept.get("sources") != sources:
            kept = {"sources": sources, "seconds": {}, "lines": {}}
        self.kept = kept
        self.seconds: dict[str, float] = kept["seconds"]

    def add(self, measured: list[dict[str, Any]]) -> None:
        for part in measured:
            self.seconds.update(part["seconds"])
            for path, by_test in part["lines"].items():
                self.kept["lines"].setdefault(path, {}).update(by_test)
        self.file.write_text(json.dumps(self.kept), "utf-8")

    @cached_property
    def tests(self) -> dict[str, dict[int, set[str]]]:
        """The tests that reach each line of each file."""
        found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for path, by_test in self.kept["lines"].items():
            for test, reached in by_test.items():
                for line in reached:
                    found[path][line].add(test)
        return found

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that reach the changed lines, the quickest first."""
        lines = self.tests[mutant.source.path]
        for first, last in (mutant.lines, mutant.body):
            found = set().union(*(lines.get(line, set()) for line in range(first, last + 1)))
            if found:
                return sorted(found, key=lambda test: (self.seconds[test], test))
        return []


class Judge:
    """A pytest plugin: collects the tests, then hands over to `work`."""

    def __init__(self, work: Callable[["Judge"], None]) -> None:
        self.work = work
        self.items: dict[str, pytest.Item] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """A failure is enough: nobody needs the smallest one."""
        settings.register_profile("mutants", settings.default, phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.work(self)
        return True

    def passes(self, test: str) -> bool:
        item = self.items[test]
        return all(report.passed or report.skipped for report in runtestprotocol(item, log=False, nextitem=None))

    def dismiss(self, tests: list[str]) -> None:
        """A test that fails before anything is changed judges nothing."""
        for test in tests:
            print(f"{test} fails before anything is changed, and judges nothing", file=sys.__stderr__, flush=True)
            del self.items[test]

    def measure(self, tests: list[str], folder: Path, jobs: int) -> list[dict[str, Any]]:
        """Runs tests once, in copies of this process; what each reaches and how long it takes."""
        measured = self._in_copies(self._measure, tests, folder, jobs)
        self.dismiss([test for part in measured for test in part["failing"]])
        return measured

    def failing(self, tests: list[str], folder: Path, jobs: int) -> list[str]:
        """The tests that fail as things are."""
        parts = self._in_copies(lambda share: [test for test in share if not self.passes(test)], tests, folder, jobs)
        return [test for part in parts for test in part]

    def _in_copies(self, work: Callable[[list[str]], Any], tests: list[str], folder: Path, jobs: int) -> list[Any]:
        """What `work` returns for each share of the tests, as a copy of this process finds it."""
        files = [folder / f"measured-{number}.json" for number in range(jobs)]

        def write(share: list[str], file: Path) -> bool:
            file.write_text(json.dumps(work(share)), "utf-8")
            return True

        copies = []
        for number, file in enumerate(files):
            copies.append(os.fork())
            if copies[-1] == 0:
                _in_silence(lambda share=tests[number::jobs], file=file: write(share, file))  # type: ignore[misc]
        if any([os.waitpid(pid, 0)[1] for pid in copies]):
            raise RuntimeError("the tests could not be run")
        return [json.loads(file.read_text("utf-8")) for file in files]

    def _measure(self, tests: list[str]) -> dict[str, Any]:
        cover = coverage.Coverage(data_file=None, source=[str(ROOT / "tripot")], config_file=False)
        seconds, failing = {}, []
        cover.start()
        for test in tests:
            cover.switch_context(test)
            before = time.process_time()
            if self.passes(test):
                seconds[test] = round(time.process_time() - before, 4)
            else:
                failing.append(test)
        cover.stop()
        data, lines = cover.get_data(), {}
        for path in data.measured_files():
            by_test: dict[str, list[int]] = defaultdict(list)
            for line, found in data.contexts_by_lineno(path).items():
                for test in found:
                    by_test[test].append(line)
            lines[Path(path).relative_to(ROOT).as_posix()] = {t: found for t, found in by_test.items() if t in seconds}
        return {"seconds": seconds, "lines": lines, "failing": failing}


class Trial:
    """One mutant in a copy of this process."""

    def __init__(
        self, judge: Judge, mutant: Mutant, reach: Reach, first: list[str], seconds: float, unchanged: bool
    ) -> None:
        """`first` are tried before others, if they reach it at all; after `seconds` of the processor it is given up."""
        self.mutant, self.seconds, self.unchanged = mutant, seconds, unchanged
        self.tests = [test for test in reach.tests_of(mutant) if test in judge.items]
        self.tests.sort(key=lambda test: test not in first)
        self.began = time.monotonic()
        self.patience = {test: AT_LEAST + PATIENCE * reach.seconds[test] for test in self.tests}
        reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(reader)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            _in_silence(lambda: self._survives(judge, writer))
        os.close(writer)
        self.reader = reader

    def _survives(self, judge: Judge, writer: int) -> bool:
        if not self.unchanged:
            try:
                self.mutant.put_in_place()
            except SyntaxError:
                os.write(writer, NOT_PYTHON.encode())
                return True
        for test in self.tests:
            signal.setitimer(signal.ITIMER_PROF, self.patience[test])  # SIGPROF ends this process
            if not judge.passes(test):
                os.write(writer, test.encode())
                return False
            if time.process_time() > self.seconds:  # of this copy: its clock began at the fork
                os.write(writer, GIVEN_UP.encode())
                return True
        return True

    def verdict(self) -> Verdict | None:
        """None while it is still running."""
        seconds = round(time.monotonic() - self.began, 2)
        late = seconds > ASLEEP + 2 * sum(self.patience.values())
        if late:
            os.kill(self.pid, signal.SIGKILL)
        pid, status = os.waitpid(self.pid, 0 if late else os.WNOHANG)
        if pid == 0:
            return None
        test = os.read(self.reader, 1000).decode(errors="replace")
        os.close(self.reader)
        late = late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF)
        outcome = TIMEOUT if late else KILLED if status else SURVIVED if self.tests else UNREACHED
        if test in (GIVEN_UP, NOT_PYTHON):
            outcome, test = test, ""
        return Verdict(outcome, test, len(self.tests), seconds)


def _in_silence(work: Callable[[], Any]) -> None:
    """Ends this process: 0 if `work` returns something true, else 1."""
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1):
            os.dup2(nothing, number)
        code = 0 if work() else 1
    finally:
        os._exit(code)
