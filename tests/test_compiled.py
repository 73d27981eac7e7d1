"""Interpreted and native rules agree byte for byte; native code in tests checks every index."""

import dataclasses
import os
import random
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
from tests import stepping
from tests.cases import Case, cases_of, compiled_tables, positions
from tests.hidden import scrambled
from tripot.bots.memory import BOT_MEMORY
from tripot.core import jit, native_cache, observe
from tripot.core.game import Game
from tripot.core.options import as_record
from tripot.core.rng import roll
from tripot.lab import leduc
from tripot.lab.leduc import actions as leduc_actions
from tripot.lab.simulate import simulate

pytestmark = pytest.mark.native

STEPPED = 1_000  # games stepped side by side at the fullest table of each game
STEPPED_ELSEWHERE = 150


def native(name: str, game: Game) -> Any:
    """A loop of `stepping` with the game's rules bound in, as native code."""
    return jit.native(getattr(stepping, name), **game.functions, observe_seat=observe.observe_seat)


class Stepper:
    """Native games of one case, every step recorded."""

    def __init__(self, game: Game, longest: int = 4_000) -> None:
        self.game = game
        self.states = game.layout.states(1)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.memory = np.zeros(1, BOT_MEMORY.dtype)
        self.trace = np.zeros((longest + 1, self.states.itemsize), np.uint8)
        self.masks = np.zeros((longest, game.num_actions), np.int8)
        self.moves = np.zeros((longest, 2), np.int64)

    def play(self, case: Case, seed: int) -> int:
        """The number of decisions of one uniform game, its steps left in trace, masks and moves."""
        raw, options = self.states.view(np.uint8), as_record(case.options)
        steps: int = native("trace_game", self.game)(
            self.states,
            raw,
            options,
            case.seats,
            seed,
            self.mask,
            self.memory,
            self.trace,
            self.masks,
            self.moves,
        )
        assert self.states["over"][0], f"{case}, seed {seed}: longer than {len(self.moves)} decisions"
        return steps


@compiled_tables
def test_native_and_interpreted_games_are_the_same_after_every_decision(case: Case) -> None:
    """States and masks of many random games, under a mix of house rules."""
    mix = cases_of(case.game, case.seats)
    stepper = Stepper(case.game)
    games = STEPPED if case.seats == max(case.game.seats) else STEPPED_ELSEWHERE
    total = 0
    for seed in range(games):
        total += compare_game(stepper, mix[seed % len(mix)], seed)
    assert total > 4 * games


def compare_game(stepper: Stepper, case: Case, seed: int) -> int:
    steps = stepper.play(case, seed)
    states = [row.tobytes() for row in stepper.trace[: steps + 1]]
    masks = stepper.masks[:steps].tolist()
    game, s = case.game, case.deal(seed)
    for step, (seat, action) in enumerate(stepper.moves[:steps].tolist()):
        mask = [0] * game.num_actions
        game.legal(s, seat, mask)
        if s.pack() != states[step] or mask != masks[step]:
            raise AssertionError(f"{case}, seed {seed}, decision {step}: {differences(game, s.pack(), states[step])}")
        game.apply(s, seat, action)
    assert s.over and s.pack() == states[steps], differences(game, s.pack(), states[steps])
    return steps


def differences(game: Game, interpreted: bytes, compiled: bytes) -> str:
    """Which values differ, and how."""
    form = game.layout.state
    values = zip(form.elements(), form.packing.unpack(interpreted), form.packing.unpack(compiled), strict=True)
    found = [f"{name} is {one} interpreted, {two} native" for name, one, two in values if one != two]
    return "; ".join(found) or "the masks differ"


@compiled_tables
def test_native_and_interpreted_imagination_fill_in_the_same(case: Case) -> None:
    layout = case.game.layout
    imagine = native("imagine_one", case.game)
    states = layout.states(1)
    for number, (s, _, _) in enumerate(positions(case, 31)):
        for seat in range(case.seats):
            view = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat)
            layout.unobserve(view, states)
            imagine(view, states, number)
            interpreted = case.game.imagined(view, number).pack()
            assert states.tobytes() == interpreted, differences(case.game, interpreted, states.tobytes())


@compiled_tables
def test_native_eyes_see_what_observe_copies(case: Case) -> None:
    """Whatever lies in what is hidden from the seat."""
    layout = case.game.layout
    observe_one = native("observe_one", case.game)
    states = layout.states(1)
    watching = layout.observer(states)
    views = watching[2]
    luck = random.Random(32)
    for s, _, _ in positions(case, 32):
        for seat in range(case.seats):
            seen = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat).tobytes()
            for data in (s.pack(), scrambled(layout, s.pack(), seat, luck)):
                states.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
                observe_one(states, seat, watching)
                assert views.tobytes() == seen


@compiled_tables
@pytest.mark.parametrize("bot", ["uniform", "sensible"])
def test_simulations_by_either_engine_have_the_same_checksum(case: Case, bot: str) -> None:
    if bot == "sensible" and case.game.heuristic is None:
        pytest.skip(f"nobody has taught {case.game.name} any sense yet")
    for seed in (1, 2**63 - 20):  # the second run crosses the sign of a 64-bit number
        slow = simulate(case.game, case.seats, 40, seed, "python", bot)
        fast = simulate(case.game, case.seats, 40, seed, "native", bot)
        assert slow.checksum == fast.checksum
        assert (slow.decisions, slow.wins, slow.games) == (fast.decisions, fast.wins, 40)


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


def worth(kind: int) -> int:
    return WORTH * kind


def test_a_changed_constant_is_not_found_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_COMPILED", {})
    assert jit.native(worth)(2) == 6
    monkeypatch.setattr(jit, "_COMPILED", {})
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
    monkeypatch.setattr(jit, "_COMPILED", {})
    inside, compiler = threading.Event(), jit._compiler

    def slow(folder: Any) -> Any:
        wrap = compiler(folder)

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
    monkeypatch.setattr(jit, "_COMPILED", {})
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
    monkeypatch.setattr(jit, "_COMPILED", {})
    assert jit.native(worth)(1) == WORTH


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
    monkeypatch.setattr(jit, "_COMPILED", {})
    compiled = jit.native(call_with_every_width)
    states = np.ones(1, np.dtype([("narrow", "i1"), ("wide", "u4")], align=True))
    assert compiled(states, 1) == 2 + 2 + 6 + 18 + 2
    assert [str(signature) for signature in jit._COMPILED[twice].signatures] == ["(int64,)"]


def test_every_rule_function_of_a_game_has_one_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(native_cache.CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(jit, "_COMPILED", {})
    monkeypatch.setattr(jit, "_BOUND", {})
    simulate(leduc.GAME, 2, 3, 1, "native")
    built = {f: d.signatures for f, d in jit._COMPILED.items() if f.__module__.startswith("tripot.lab.leduc")}
    counts = {function.__name__: len(signatures) for function, signatures in built.items()}
    assert counts.pop("imagine") == 0, "nobody imagines in a simulation"
    assert len(counts) > 8 and set(counts.values()) == {1}, counts


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
