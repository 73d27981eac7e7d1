"""Every code block of the documentation is run: here in the order of the page, in a folder of its own, or elsewhere."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tripot import GAMES
from tripot.core.position import read_position

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("docs/tutorials/*.md"), *ROOT.glob("docs/how-to/*.md"), ROOT / "docs/games-from-elsewhere.md"]
)
BLOCK = re.compile(r'^```(\w*)(?: title="([\w./]+)")?\n(.*?)^```', re.MULTILINE | re.DOTALL)
OTHER_TESTS = {  # pages with code that these tests run
    "README.md": "tests/test_examples.py",
    "docs/fairness.md": "tests/test_web_fairness.py",
    "docs/lab.md": "tests/test_examples.py",
    "docs/learning.md": "tests/test_examples.py",
    "docs/operating.md": "tests/test_store_maintenance.py",
    "docs/protocol.md": "tests/test_web_protocol.py",
    "docs/positions.md": "tests/test_docs_code.py",
    "docs/ratings.md": "tests/test_ladder.py",
    "CONTRIBUTING.md": "tests/test_guides.py",  # its example is a change that nobody has made: its names are checked
}
ELSEWHERE = {  # what other tests run: why
    "pip": "test_packaging and test_new_game install packages",
    "pytest": "test_new_game runs the tests of a new game on every engine",
    "tripot serve": "the tests of the server",
    "tripot play": "the tests of the terminal",
}
NATIVE = "--engine native"  # compared with the other engines by tripot.testing


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), str(ROOT)])
    there = {**os.environ, "PYTHONPATH": path, "TRIPOT_GAMES": ""}
    return subprocess.run(words, cwd=folder, env=there, capture_output=True, text=True, check=False)


def run_line(line: str, folder: Path) -> Path:
    """Runs a line of a shell; returns the folder in which the next one runs."""
    words = shlex.split(line, comments=True)
    if words[0] == "cd":
        return folder / words[1]
    if any(line.startswith(start) for start in ELSEWHERE) or NATIVE in line:
        return folder
    assert words[0] in ("tripot", "python"), f"this is not run: {line}"
    start = [sys.executable, "-m", "tripot"] if words[0] == "tripot" else [sys.executable]
    done = run([*start, *words[1:]], folder)
    assert done.returncode == 0, f"{line}\n{done.stdout[-500:]}\n{done.stderr[-1500:]}"
    return folder


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.stem)
def test_the_code_of_a_page_runs(document: Path, tmp_path: Path) -> None:
    folder, blocks, program = tmp_path, BLOCK.findall(document.read_text("utf-8")), ""
    assert blocks
    for language, title, code in blocks:
        if title:
            (folder / title).parent.mkdir(exist_ok=True)
            (folder / title).write_text(code, "utf-8")
        elif language == "python":
            program += code
        elif language == "sh":
            for line in code.splitlines():
                folder = run_line(line, folder)
        else:
            assert language == "toml", f"nobody runs {language}"
            written = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
            assert tomllib.loads(code)["project"].items() <= written["project"].items()
    if program:
        done = run([sys.executable, "-W", "error::SyntaxWarning", "-c", program], folder)
        assert done.returncode == 0, done.stderr[-1500:]
        assert done.stdout or "print" not in program


def test_the_position_of_its_page_can_be_read() -> None:
    ((_, _, text),) = BLOCK.findall((ROOT / "docs/positions.md").read_text("utf-8"))
    assert read_position(text, GAMES).game is GAMES["verrater"]


def test_every_page_with_code_has_a_test_that_runs_it() -> None:
    with_code = [
        path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if BLOCK.search(path.read_text("utf-8"))
    ]
    assert {path.relative_to(ROOT).as_posix() for path in with_code if path not in PAGES} == set(OTHER_TESTS)
    for page, test in OTHER_TESTS.items():
        assert Path(page).name in (ROOT / test).read_text("utf-8"), f"{test} does not read {page}"


def test_what_is_run_elsewhere_is() -> None:
    assert all((ROOT / "tests" / f"{name}.py").exists() for name in ("test_packaging", "test_new_game"))
