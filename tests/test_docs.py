"""The documentation is true: commands run, links resolve, generated pages are up to date."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import tripot
from bench.rivals.run import NEEDS
from tests.game_page import page_path, render_page
from tripot import GAMES
from tripot.core.game import Game

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tripot/**/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
COMMAND = re.compile(r"^\.venv/bin/(tripot .+)$", re.MULTILINE)
KERNELS = tuple(f"tripot.lab.gpu.{name}" for name in ("kernels", "sorted_kernels", "seat_kernels", "copies"))
COMPILER = ("tripot.core.native_linking", "tripot.core.native_pipeline")  # import Numba
SIMULATOR = ("tripot.testing.gpu_simulator", "tripot.testing.simulated_threads")  # and its simulator of a GPU
PYTORCH = ("group", "imitation", "kinds", "networks", "opponents", "ppo", "run", "tables", "varied_rules")
TRAINING = [f"tripot.lab.training.{name}" for name in PYTORCH]
PEERS = [f"bench.rivals.{peer}" for peer, (_, modules) in NEEDS.items() if modules]
LONG = ("play", "bench", "serve", "arena", "balance", "ratings")  # measured or tested elsewhere


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def readme_commands() -> list[str]:
    found = COMMAND.findall((ROOT / "README.md").read_text("utf-8"))
    return [command for command in found if shlex.split(command)[1] not in LONG]


@pytest.mark.process
@pytest.mark.parametrize("command", readme_commands())
def test_the_commands_of_the_readme_run(command: str) -> None:
    words = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-1000:]
    assert done.stdout.strip()


def test_the_readme_names_the_two_commands_that_the_makefile_has() -> None:
    readme, makefile = ((ROOT / name).read_text("utf-8") for name in ("README.md", "Makefile"))
    for target in ("play", "test"):
        assert f"\nmake {target}\n" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert "\nmake check\n" in (ROOT / ".ci/run").read_text("utf-8")
    assert "$(MAKE) --no-print-directory test" in makefile.split("\ncheck:")[1].split("\n\n")[0]


def test_the_readme_says_what_was_measured_and_fits_two_screens() -> None:
    readme, measured = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/benchmarks.md"))
    speed, times = re.findall(r"\*\*([\d.]+) million decisions.*?, ([\d.]+) times", readme)[0]
    rows = [line.split("|") for line in measured.splitlines() if re.search(r"\| leduc\w* \| .* \| 1 \|", line)]
    (ours,) = [row for row in rows if row[1].startswith(" Tripot")]
    assert float(ours[5].replace(",", "")) == float(speed) * 1e6
    assert min(float(row[8]) for row in rows if row[8].strip()) == float(times), "the best of the others"
    assert len(readme.splitlines()) <= 60
    loops = re.findall(r"docs/pictures/\w+-table\.webp", readme)
    assert len(loops) == len(GAMES) and all((ROOT / loop).stat().st_size < 1_000_000 for loop in loops)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_has_its_page_and_it_is_up_to_date(game: Game) -> None:
    assert page_path(game).read_text("utf-8") == render_page(game), "run make regen"


NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_promise_of_safety_names_a_test_that_exists() -> None:
    text = (ROOT / "docs/security.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "shown by" not in line]
    assert len(rows) > 25
    for row in rows:
        assert NAMED_TEST.search(row), f"no test shows: {row}"
    for path, name in NAMED_TEST.findall(text):
        assert f"\ndef {name}(" in (ROOT / path).read_text("utf-8"), f"{path} has no {name}"


def modules() -> list[str]:
    return [found.name for found in pkgutil.walk_packages(tripot.__path__, "tripot.") if "__main__" not in found.name]


def test_examples_in_docstrings_are_true() -> None:
    tried = 0
    for name in modules():
        if name in (*KERNELS, *COMPILER, *SIMULATOR, *PEERS, *TRAINING) or ".migrations" in name:
            continue  # needs a compiler or an optional library, or runs inside another program
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name
        tried += result.attempted
    assert tried > 0
