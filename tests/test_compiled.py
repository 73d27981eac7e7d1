"""Interpreted and native rules agree byte for byte; native code in tests checks every index."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tripot
from tests import stepping
from tests.cases import Case, cases_of, compiled_tables, positions
from tests.hidden import scrambled
from tripot.bots.bot import MEMORY
from tripot.bots.sensible import COMMON_SENSE
from tripot.core import jit, observe
from tripot.core.game import Game
from tripot.core.options import as_record
from tripot.lab.simulate import simulate

pytestmark = pytest.mark.native

STEPPED = 1_000  # games stepped side by side at the fullest table of each game
STEPPED_ELSEWHERE = 150


def native(name: str, game: Game) -> Any:
    """A loop of `stepping` with the game's rules bound in, as native code."""
    return jit.native(getattr(stepping, name), f"{game.name}-tests", **game.functions, look=observe.look)


class Stepper:
    """Native games of one case, every step recorded."""

    def __init__(self, game: Game, longest: int = 4_000) -> None:
        self.game = game
        self.states = game.layout.states(1)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.memory = np.zeros(1, MEMORY.dtype)
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
    look = native("look_one", case.game)
    states = layout.states(1)
    watching = layout.eyes(states)
    views = watching[2]
    luck = random.Random(32)
    for s, _, _ in positions(case, 32):
        for seat in range(case.seats):
            seen = layout.observe(np.frombuffer(s.pack(), layout.state.dtype), seat).tobytes()
            for data in (s.pack(), scrambled(layout, s.pack(), seat, luck)):
                states.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
                look(states, seat, watching)
                assert views.tobytes() == seen


@compiled_tables
@pytest.mark.parametrize("bot", ["uniform", "sensible"])
def test_simulations_by_either_engine_have_the_same_checksum(case: Case, bot: str) -> None:
    if bot == "sensible" and case.game.name not in COMMON_SENSE:
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
    assert jit.bounds_checked()
    assert jit.cache_folder().name.endswith("-checked")
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
    shutil.copytree(jit.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "PACKAGE", package)
    monkeypatch.setattr(jit, "source_hash", jit.source_hash.__wrapped__)
    return package


def test_the_same_sources_share_a_cache_folder(copied: Path) -> None:
    before = jit.cache_folder()
    assert jit.cache_folder() == before
    (copied / "games" / "new.txt").write_text("not a source")
    assert jit.cache_folder() == before


@pytest.mark.parametrize("layer", jit.LAYERS)
def test_every_change_of_a_source_changes_the_cache_folder(copied: Path, layer: str) -> None:
    """A table in another file, a new file, a lost or a renamed one: old native code is never found again."""
    seen = {jit.cache_folder()}
    path = max((copied / layer).rglob("*.py"), key=lambda p: p.stat().st_size)
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    seen.add(jit.cache_folder())
    (copied / layer / "more.py").write_text("")
    seen.add(jit.cache_folder())
    path.rename(path.with_name("renamed.py"))
    seen.add(jit.cache_folder())
    path.with_name("renamed.py").unlink()
    seen.add(jit.cache_folder())
    assert len(seen) == 5


@pytest.mark.parametrize("loops", jit.LOOPS)
def test_a_change_of_the_loops_changes_the_cache_folder(copied: Path, loops: str) -> None:
    before = jit.cache_folder()
    with (copied / loops).open("a") as file:
        file.write("\n")
    assert jit.cache_folder() != before


def test_a_changed_table_reaches_native_code(tmp_path: Path) -> None:
    """The whole way: compile, change a table in another file than the rule, run again with the same cache."""
    package = tmp_path / "tripot"
    shutil.copytree(jit.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
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


def test_bound_names_need_a_label() -> None:
    with pytest.raises(ValueError, match="trace_game: a function with bound names needs a label"):
        jit.native(stepping.trace_game, deal=stepping.read_at)


def add_up(columns: Any, row: int) -> Any:
    total = 0
    for column in columns:
        if column[row] > 0:
            total += column[row]
    return total


def test_native_code_counts_no_references_to_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each count locks the memory bus, twice for every array touched."""
    monkeypatch.setenv(jit.CACHE_VARIABLE, str(tmp_path))  # what was kept has no listing
    compiled = jit.native(add_up, "counting", unused=None)
    assert compiled((np.array([1, 2]), np.array([3, 4])), 1) == 6
    (listing,) = compiled.inspect_llvm().values()
    assert "add_up" in listing
    assert "NRT_incref" not in listing
