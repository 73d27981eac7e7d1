"""Interpreted and native rules agree byte for byte; native code in tests checks every index."""

import dataclasses
import gc
import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest

import tripot
from tests.cases import Case, compiled_tables
from tripot.core import jit, native_cache
from tripot.core.rng import roll
from tripot.lab import leduc
from tripot.lab.leduc import actions as leduc_actions
from tripot.lab.simulate import simulate
from tripot.testing import engines, stepping

pytestmark = pytest.mark.native

STEPPED = 400  # games stepped side by side at the fullest table of each game
STEPPED_ELSEWHERE = 150


@compiled_tables
def test_native_and_interpreted_games_are_the_same_after_every_decision(case: Case) -> None:
    """States and masks of many random games, under a mix of house rules."""
    games = STEPPED if case.seats == max(case.game.seats) else STEPPED_ELSEWHERE
    assert engines.native_games_are_the_same(case, games) > 4 * games


@compiled_tables
def test_native_and_interpreted_imagination_fill_in_the_same(case: Case) -> None:
    engines.native_imagination_is_the_same(case)


@compiled_tables
def test_native_eyes_see_what_observe_copies(case: Case) -> None:
    """Whatever lies in what is hidden from the seat."""
    engines.native_views_are_the_same(case)


@compiled_tables
@pytest.mark.parametrize("bot", ["uniform", "sensible"])
def test_simulations_by_either_engine_have_the_same_checksum(case: Case, bot: str) -> None:
    if bot == "sensible" and case.game.heuristic is None:
        pytest.skip(f"nobody has taught {case.game.name} any sense yet")
    engines.simulations_are_the_same(case, bot)


def test_a_checksum_tells_other_games() -> None:
    """Equal checksums would mean nothing if all were equal."""
    game = next(iter(tripot.GAMES.values()))
    sums = {simulate(game, game.seats[0], 5, seed, "python").checksum for seed in range(10)}
    assert len(sums) == 10


# --- Bounds checks ---


def test_tests_run_native_code_with_bounds_checks() -> None:
    assert native_cache.bounds_checked()
    assert native_cache.cache_folder().name.endswith("-checked")
    read = jit.native(stepping.read_at)
    assert read(np.arange(3), 2) == 2
    with pytest.raises(IndexError):
        read(np.arange(3), 3)


@compiled_tables
def test_the_rules_themselves_are_compiled_with_bounds_checks(case: Case) -> None:
    for function in case.game.functions.values():
        assert jit.native(function).targetoptions["boundscheck"] is True


# --- The cache ---


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources that the compiler switch takes for the package."""
    package = tmp_path / "tripot"
    shutil.copytree(native_cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(native_cache, "PACKAGE", package)
    monkeypatch.setattr(native_cache, "source_hash", native_cache.source_hash.__wrapped__)
    return package


def test_the_same_sources_share_a_cache_folder(copied: Path) -> None:
    before = native_cache.cache_folder()
    assert native_cache.cache_folder() == before
    (copied / "games" / "new.txt").write_text("not a source")
    assert native_cache.cache_folder() == before


@pytest.mark.parametrize("layer", native_cache.LAYERS)
def test_every_change_of_a_source_changes_the_cache_folder(copied: Path, layer: str) -> None:
    """A table in another file, a new file, a lost or a renamed one: old native code is never found again."""
    seen = {native_cache.cache_folder()}
    path = max((copied / layer).rglob("*.py"), key=lambda p: p.stat().st_size)
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    seen.add(native_cache.cache_folder())
    (copied / layer / "more.py").write_text("")
    seen.add(native_cache.cache_folder())
    path.rename(path.with_name("renamed.py"))
    seen.add(native_cache.cache_folder())
    path.with_name("renamed.py").unlink()
    seen.add(native_cache.cache_folder())
    assert len(seen) == 5


@pytest.mark.parametrize("loops", native_cache.LOOPS)
def test_a_change_of_the_loops_changes_the_cache_folder(copied: Path, loops: str) -> None:
    before = native_cache.cache_folder()
    with (copied / loops).open("a") as file:
        file.write("\n")
    assert native_cache.cache_folder() != before


def test_a_changed_table_reaches_native_code(tmp_path: Path) -> None:
    """The whole way: compile, change a table in another file than the rule, run again with the same cache."""
    package = tmp_path / "tripot"
    shutil.copytree(native_cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    cards = package / "core" / "numbers.py"
    (package / "core" / "ruled.py").write_text(
        "from tripot.core.numbers import WORTH\n\n\ndef worth(kind):\n    return WORTH[kind]\n"
    )
    code = "from tripot.core import jit, ruled; print(jit.native(ruled.worth)(1))"
    environment = {**os.environ, "TRIPOT_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    said = []
    for table in ("(1, 2, 3)", "(1, 5, 3)"):
        cards.write_text(f"WORTH = {table}\n")
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        said.append(done.stdout.strip())
    assert said == ["2", "5"]
    assert len(list((tmp_path / "cache" / "tripot").iterdir())) == 2


ONE_OF_TWO = """
import pathlib, sys, time
import numpy as np
from tripot.core import jit, pile
function = jit.native(pile.bag_size)
mine, other = map(pathlib.Path, sys.argv[1:])
mine.touch()
while not other.exists():
    time.sleep(0.001)
assert function(np.array([2, 3], np.int8)) == 5
print(sum(function.stats.cache_misses.values()))
"""


def test_two_processes_that_need_the_same_code_compile_it_once(tmp_path: Path) -> None:
    environment = {**os.environ, "TRIPOT_CACHE": str(tmp_path)}
    ready = [tmp_path / "one", tmp_path / "other"]
    started = [
        subprocess.Popen([sys.executable, "-c", ONE_OF_TWO, *order], env=environment, stdout=subprocess.PIPE, text=True)
        for order in (ready, ready[::-1])
    ]
    assert sorted(process.communicate(timeout=120)[0].strip() for process in started) == ["0", "1"]


# --- What native code is known by ---


def only_calls(s, seat, mask):  # type: ignore[no-untyped-def]
    """Leduc without folding or raising."""
    if s.waiting >> seat & 1:
        mask[leduc_actions.CALL] = 1


def test_two_rule_books_of_one_name_have_native_code_of_their_own() -> None:
    changed = dataclasses.replace(leduc.GAME, rules_version=2, legal=only_calls)
    both = [simulate(game, 2, 50, 1, "native") for game in (leduc.GAME, changed)]
    assert both[1].decisions == 4 * 50, "two checks or calls in each round"
    assert both[0].decisions != both[1].decisions
    assert [simulate(game, 2, 50, 1, "python").checksum for game in (leduc.GAME, changed)] == [b.checksum for b in both]


WORTH = 3


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this process has compiled; the cache stays."""
    for known in ("_CALLED", "_UNITS", "_ENTRIES", "_BOUND"):
        monkeypatch.setattr(jit, known, {})


def worth(kind: int) -> int:
    return WORTH * kind


def test_a_changed_constant_is_not_found_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)
    assert jit.native(worth)(2) == 6
    forget(monkeypatch)
    monkeypatch.setattr(sys.modules[__name__], "WORTH", 5)
    assert jit.native(worth)(2) == 10


def test_a_closure_is_refused() -> None:
    price = 7

    def pay(count: int) -> int:
        return price * count

    with pytest.raises(ValueError, match="pay: a rule function cannot be a closure"):
        jit.native(pay)


def test_two_threads_that_compile_at_once_get_finished_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second thread asks while the first has wrapped a function but not yet what it calls."""
    forget(monkeypatch)
    inside, compiler = threading.Event(), jit._compiler

    def slow(*given: Any, **more: Any) -> Any:
        wrap = compiler(*given, **more)

        def wrap_slowly(function: Any) -> Any:
            if function.__name__ == "next_word":  # called by roll
                inside.set()
                time.sleep(0.3)
            return wrap(function)

        return wrap_slowly

    monkeypatch.setattr(jit, "_compiler", slow)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(jit.native, roll)
        inside.wait()
        second = pool.submit(jit.native, roll)
        found = second.result(timeout=60)
        assert not isinstance(found.py_func.__globals__["next_word"], FunctionType), "half-built"
        assert found is first.result(timeout=60)


def test_other_users_of_numba_keep_their_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path / "ours"))
    forget(monkeypatch)
    swapped: list[str] = []

    class Watched(type(numba.config)):  # type: ignore[misc]
        def __setattr__(self, name: str, value: Any) -> None:
            swapped.append(name)
            super().__setattr__(name, value)

    monkeypatch.setattr(numba.config, "__class__", Watched)
    assert jit.native(worth)(1) == WORTH
    assert "CACHE_DIR" not in swapped
    assert list((tmp_path / "ours").rglob("*.nbc"))


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path / "file"))
    forget(monkeypatch)
    assert jit.native(worth)(1) == WORTH


def entry_of(row: Any, index: int) -> int:
    return row[index] + 1


def sum_of_entries(row: Any, first: int, second: int) -> int:
    return entry_of(row, first) + entry_of(row, second)


def entries_and_more(row: Any, first: int, second: int) -> int:
    return 10 * sum_of_entries(row, first, second)


def test_what_only_native_code_calls_is_kept_with_its_caller_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled, and read from the cache: the right number, and the right error from the innermost function."""
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path))
    row = np.array([1, 2, 3])
    for _ in range(2):
        forget(monkeypatch)
        compiled = jit.native(entries_and_more)
        assert compiled(row, 0, 2) == 60
        with pytest.raises(IndexError):
            compiled(row, 0, 3)
        assert [path.name.split("-")[0] for path in tmp_path.rglob("*.nbc")] == [f"{__name__}.entries_and_more"]
    assert sum(compiled.stats.cache_hits.values()) == 1 and not jit._CALLED[entry_of].signatures


def test_the_garbage_collector_is_as_it_was_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    for switch, collecting in ((gc.disable, False), (gc.enable, True)):
        forget(monkeypatch)
        switch()
        assert jit.native(worth)(1) == WORTH
        assert gc.isenabled() == collecting


def steps_down(number: int) -> int:
    if number <= 0:
        return 0
    return 1 + steps_down(number - 1)


def twice_down(number: int) -> int:
    return 2 * steps_down(number)


def test_a_rule_that_calls_itself_is_compiled_and_read_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path))
    for _ in range(2):
        forget(monkeypatch)
        assert jit.native(twice_down)(5) == 10 and jit.native(steps_down)(4) == 4


# --- One signature for each rule function ---


class Width(IntEnum):
    WIDE = 9


def twice(number: int) -> int:
    return 2 * number


def call_with_every_width(states: Any, small: int) -> Any:
    """A field of 8 bits, a literal, a member of an enumeration and an argument."""
    s = states[0]
    return twice(s.narrow) + twice(s.wide) + twice(3) + twice(Width.WIDE) + twice(small)


def test_a_rule_function_is_compiled_once_for_numbers_of_every_width(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Numba that no longer widens arguments would compile it five times, and a game four times as long."""
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path))  # code that was read from a cache shows no signature
    forget(monkeypatch)
    compiled = jit.native(call_with_every_width)
    states = np.ones(1, np.dtype([("narrow", "i1"), ("wide", "u4")], align=True))
    assert compiled(states, 1) == 2 + 2 + 6 + 18 + 2
    assert [str(signature) for signature in jit._CALLED[twice].signatures] == ["(int64,)"]


def test_every_rule_function_of_a_game_has_one_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path))
    forget(monkeypatch)
    simulate(leduc.GAME, 2, 3, 1, "native")
    counts = {
        function: (len(called.signatures), len(jit._UNITS[function].signatures) if function in jit._UNITS else 0)
        for function, called in jit._CALLED.items()
        if function.__module__.startswith("tripot.lab.leduc")
    }
    assert counts.pop(leduc.GAME.imagine) == (0, 0), "nobody imagines in a simulation"
    assert len(counts) > 8 and all(max(count) == 1 for count in counts.values()), counts


def add_up(columns: Any, row: int) -> Any:
    total = 0
    for column in columns:
        if column[row] > 0:
            total += column[row]
    return total


def test_native_code_counts_no_references_to_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each count locks the memory bus, twice for every array touched."""
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path))  # what was kept has no listing
    compiled = jit.native(add_up, unused=None)
    assert compiled((np.array([1, 2]), np.array([3, 4])), 1) == 6
    (listing,) = compiled.inspect_llvm().values()
    assert "add_up" in listing
    assert "NRT_incref" not in listing
