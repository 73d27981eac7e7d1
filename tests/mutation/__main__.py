"""`python -m tests.mutation --sample 10 tripot/table`: changes the sources, judges the tests, reports; resumes."""

import argparse
import gc
import hashlib
import json
import os
import random
import time
import tomllib
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

import pytest

from tests.mutation.judge import FLAGS, GIVEN_UP, KILLED, NOT_PYTHON, TIMEOUT, Judge, Reach, Trial
from tests.mutation.mutants import ROOT, Mutant, Source

FOLDER = ROOT / ".mutants"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
PACKAGES = [f"tripot/{name}" for name in ["table", "store", "games/verrater", "games/trok", "games/trieste", "core"]]
LEFT_OUT = {
    "tripot/core/jit.py": "compiles: the quick lane never does",
    "tripot/core/native_cache.py": "keeps what was compiled",
    "tripot/core/native_linking.py": "a part of the compiler",
    "tripot/core/native_pipeline.py": "a part of the compiler",
    "tripot/store/listener.py": "needs PostgreSQL",
    "tripot/store/processes.py": "needs PostgreSQL",
}
SEED = "tripot"
FROM_EACH = 6  # tests that killed others nearby and are tried first
UNCHANGED = "unchanged"  # marks the trials in which nothing is changed: who notices them notices everything


def sources(packages: list[str]) -> list[str]:
    """The files of packages, except those that the quick lane cannot reach."""
    found = (path.relative_to(ROOT).as_posix() for name in packages for path in sorted((ROOT / name).glob("*.py")))
    return [path for path in found if path not in LEFT_OUT]


def digest(paths: list[Path]) -> str:
    """Changes with any of these files."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:12]


def sampled(mutants: list[Mutant], percent: float, after: float = 0) -> list[Mutant]:
    """The same mutants every time: each is drawn by its own name. What comes `after` a sample has none of it."""

    def draw(mutant: Mutant) -> float:
        return int.from_bytes(hashlib.sha256(f"{SEED} {mutant.name}".encode()).digest()[:4]) / 2**32 * 100

    return [mutant for mutant in mutants if after <= draw(mutant) < after + percent]


def interval(killed: int, others: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share, in percent."""
    share, z = killed / others, 1.96
    middle = share + z * z / (2 * others)
    width = z * (share * (1 - share) / others + (z / (2 * others)) ** 2) ** 0.5
    return 100 * (middle - width) / (1 + z * z / others), 100 * (middle + width) / (1 + z * z / others)


def equivalent() -> set[tuple[str, str, str]]:
    """Changes that change nothing, each with its reason in the file."""
    listed: list[dict[str, str]] = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", [])
    return {(one["file"], one["function"], one["change"].strip("\n")) for one in listed}


class Run:
    """The mutants of some packages, judged one after another; what is known already is not asked again."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.packages, self.percent, self.after, self.jobs = given.packages, given.sample, given.after, given.jobs
        self.seconds, self.minutes, self.controls = given.seconds, given.minutes, given.controls
        FOLDER.mkdir(exist_ok=True)
        self.results = FOLDER / "results.jsonl"
        self.suite = digest([path for path in (ROOT / "tests").rglob("*.py") if "mutation" not in path.parts])
        self.known: dict[str, Any] = {}
        self.killers = defaultdict[str, Counter[str]](Counter)  # by file, and by file and function
        if self.results.exists() and not given.anew:
            for line in self.results.read_text("utf-8").splitlines():
                self.learn(json.loads(line))

    def work(self, judge: Judge) -> None:
        began = time.monotonic()
        reach = Reach(FOLDER / "reach.json", digest([ROOT / path for path in sources(PACKAGES)]))
        new = [test for test in judge.items if test not in reach.seconds]
        if len(new) < len(judge.items):
            failing = judge.failing([test for test in judge.items if test in reach.seconds], FOLDER, self.jobs)
            judge.dismiss(failing)
        if new:
            print(f"running {len(new)} tests once, to see which lines each reaches", flush=True)
            reach.add(judge.measure(new, FOLDER, self.jobs))
        mutants = [mutant for path in sources(self.packages) for mutant in Source(path).mutants]
        print(f"{len(mutants)} mutants in all", flush=True)
        mutants = sampled(mutants, self.percent, self.after)
        open_ones = [mutant for mutant in mutants if not self.is_known(mutant)]
        random.Random(SEED).shuffle(open_ones)
        print(f"{len(mutants)} in the sample, {len(mutants) - len(open_ones)} judged before", flush=True)
        gc.freeze()  # a collection in a copy of this process would copy all that
        self.judge(judge, reach, open_ones, began + 60 * self.minutes)
        self.report(mutants)

    def is_known(self, mutant: Mutant) -> bool:
        """Killed before, or judged by the very same tests: a new test, or more time, gives survivors another trial."""
        found = self.known.get(mutant.name)
        if found is None or found["outcome"] in (KILLED, TIMEOUT, NOT_PYTHON):
            return found is not None
        return bool(found["suite"] == self.suite and (found["outcome"] != GIVEN_UP or self.seconds <= found["allowed"]))

    def learn(self, found: dict[str, Any]) -> None:
        self.known[found["name"]] = found
        path, function, _ = found["name"].split(" ")
        if found["test"] and path != UNCHANGED:
            self.killers[path][found["test"]] += 1
            self.killers[f"{path} {function}"][found["test"]] += 1

    def hunters(self, mutant: Mutant) -> list[str]:
        """The tests that killed mutants of the same function and of the same file, the most successful first."""
        path = mutant.source.path
        best = self.killers[f"{path} {mutant.function}"].most_common(FROM_EACH)
        return [test for test, _ in best + self.killers[path].most_common(FROM_EACH)]

    def judge(self, judge: Judge, reach: Reach, mutants: list[Mutant], until: float) -> None:
        """Begins with no mutant after `until`, and ends those that it began: stopped at once, survivors would lack."""
        running: list[Trial] = []
        every = len(mutants) // self.controls if self.controls else 0
        waiting = [(mutant, False) for mutant in reversed(mutants)]
        for number in range(self.controls if every else 0):  # the first ones come early
            waiting.insert(len(waiting) - number * (min(every, 50) + 1), (mutants[number], True))
        done, began = 0, time.monotonic()
        with self.results.open("a", encoding="utf-8") as file:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    mutant, unchanged = waiting.pop()
                    running.append(Trial(judge, mutant, reach, self.hunters(mutant), self.seconds, unchanged))
                time.sleep(0.01)
                for trial in list(running):
                    if self.is_over(trial, file):
                        running.remove(trial)
                        done += 1
                        if done % 25 == 0:
                            pace = (time.monotonic() - began) / done
                            print(f"{done} of {len(mutants)}, {pace:.1f} s each", flush=True)
                if time.monotonic() > until:
                    waiting.clear()

    def is_over(self, trial: Trial, file: TextIO) -> bool:
        verdict = trial.verdict()
        if verdict is None:
            return False
        mutant = trial.mutant
        survived = verdict.outcome not in (KILLED, TIMEOUT, NOT_PYTHON)
        told = {"name": mutant.name, "line": mutant.lines[0], "change": mutant.change if survived else ""}
        if trial.unchanged:
            told["name"] = f"{UNCHANGED} {mutant.function} {mutant.name.split()[-1]}"
        self.learn(told | {"suite": self.suite, "allowed": self.seconds} | asdict(verdict))
        file.write(json.dumps(self.known[told["name"]], ensure_ascii=False) + "\n")
        file.flush()
        return True

    def report(self, mutants: list[Mutant]) -> None:
        """A row a package, and every survivor that is not known to be equivalent."""
        same, rows, alive = equivalent(), defaultdict[str, Counter[str]](Counter), []
        for name, found in self.known.items():
            if name.startswith(UNCHANGED) and found["outcome"] in (KILLED, TIMEOUT):
                print(f"{found['test']} notices a change where there is none")
        for mutant in mutants:
            package = next(name for name in self.packages if mutant.source.path.startswith(name))
            found = self.known.get(mutant.name)
            if found is None or found["outcome"] == NOT_PYTHON:
                continue
            if found["outcome"] in (KILLED, TIMEOUT):
                rows[package]["killed"] += 1
            elif (mutant.source.path, mutant.function, mutant.change) in same:
                rows[package]["equivalent"] += 1
            else:
                rows[package]["survived"] += 1
                alive.append((mutant, found))
        for mutant, found in alive:
            place = f"{mutant.source.path}:{mutant.lines[0]} {mutant.function}"
            print(f"\n{place}: {found['outcome']}, {found['tests']} tests\n{mutant.change}")
        print("\n| package | mutants | killed | survived | equivalent | killed of the others | 95% interval |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for package, row in [*rows.items(), ("all", sum(rows.values(), Counter()))]:
            others = row["killed"] + row["survived"]
            low, high = interval(row["killed"], others) if others else (0, 100)
            share = f"{100 * row['killed'] / others:.1f}% | {low:.0f}% to {high:.0f}%" if others else " | "
            numbers = [sum(row.values()), row["killed"], row["survived"], row["equivalent"]]
            print(f"| {package} | {' | '.join(map(str, numbers))} | {share} |")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", default=PACKAGES)
    parser.add_argument("--sample", type=float, default=100, help="percent of the mutants, always the same ones")
    parser.add_argument("--after", type=float, default=0, help="leave out this percentage first: another sample")
    parser.add_argument("--seconds", type=float, default=1e6, help="of the processor for one mutant, then it survives")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin with no mutant after that")
    parser.add_argument("--controls", type=int, default=0, help="trials in which nothing is changed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--anew", action="store_true", help="forget what was judged before")
    given = parser.parse_args()
    run = Run(given)
    os.chdir(ROOT)
    raise SystemExit(pytest.main([*FLAGS, "tests"], plugins=[Judge(run.work)]))


if __name__ == "__main__":
    main()
