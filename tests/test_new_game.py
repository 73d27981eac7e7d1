"""`tripot new-game`: what it writes installs and passes every check; what it cannot write it refuses in a sentence."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tripot.cli.main import run
from tripot.cli.new_game import FILES

ROOT = Path(__file__).parent.parent
GAME_FILES = {"RULES.md", "cards.py", "state.py", "actions.py", "phases.py", "effects.py", "text.py", "__init__.py"}


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_package_has_the_eight_files_its_tests_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new-game", "odd_tricks", "--into", str(tmp_path)]) == 0
    assert "tripot play odd_tricks" in capsys.readouterr().out
    folder = tmp_path / "odd_tricks"
    package = {f"odd_tricks/{name}" for name in GAME_FILES}
    assert files(folder) == {"README.md", "pyproject.toml", "tests/test_odd_tricks.py", *package}
    assert [path.name for path in tmp_path.iterdir()] == ["odd_tricks"]
    assert "Odd tricks" in (folder / "odd_tricks/text.py").read_text("utf-8")
    assert "## O-1 " in (folder / "odd_tricks/RULES.md").read_text("utf-8")
    for path in folder.rglob("*.*"):
        assert "$" not in path.read_text("utf-8"), f"{path.name} has a word that was not filled in"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Hearts", "'Hearts' is not a name"),
        ("../hearts", "'../hearts' is not a name"),
        ("9lives", "'9lives' is not a name"),
        ("x" * 33, "is not a name"),
        ("class", "'class' is a word of Python"),
        ("match", "'match' is a word of Python"),
        ("verrater", "there is a game 'verrater' already"),
        ("json", "there is a Python module 'json' already"),
        ("numpy", "there is a Python module 'numpy' already"),
        ("here", "here exists already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").write_text("not a folder")
    assert run(["new-game", name]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("tripot: ") and err.count("\n") == 1 and told in err
    assert files(tmp_path) == {"here"}


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new-game", "odd_tricks", "--into", str(tmp_path / "none")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_package_that_cannot_be_written_whole_is_not_written_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[Path] = []
    write_text = Path.write_text

    def fail_at_the_fifth(path: Path, text: str, encoding: str) -> int:
        written.append(path)
        if len(written) == 5:
            raise OSError(28, "No space left on device")
        return write_text(path, text, encoding)

    monkeypatch.setattr(Path, "write_text", fail_at_the_fifth)
    assert run(["new-game", "odd_tricks", "--into", str(tmp_path)]) == 2
    assert "odd_tricks cannot be written: No space left on device" in capsys.readouterr().err
    assert len(written) == 5 and not list(tmp_path.iterdir())


def test_every_template_is_filled_in() -> None:
    assert {path.suffix for path in FILES.rglob("*") if path.is_file()} == {".template"}


@pytest.mark.native
def test_a_new_game_installs_and_passes_its_tests_on_every_engine(tmp_path: Path) -> None:
    """Installed as anybody would, without a network; found by its entry point; all checks, none left out."""
    assert run(["new-game", "odd_tricks", "--into", str(tmp_path)]) == 0
    installed = tmp_path / "installed"
    offline = ["--quiet", "--offline", "--no-deps", "--no-build-isolation", "--no-cache"]
    uv = Path(sys.executable).parent / "uv"
    install = [uv, "pip", "install", *offline, "--python", sys.executable, "--target", installed]
    subprocess.run([*install, tmp_path / "odd_tricks"], check=True)
    path = os.pathsep.join([str(installed), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # it needs no plugin

    def python(*words: str) -> subprocess.CompletedProcess[str]:
        words = (sys.executable, "-m", *words)
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    listed = python("tripot", "games", "--json")
    assert listed.returncode == 0, listed.stdout
    assert [row["title"] for row in json.loads(listed.stdout)["games"] if not row["own"]] == ["Odd tricks"]
    tested = python("pytest", "-q", "-rs", "-p", "no:cacheprovider", "--strict-markers", "odd_tricks/tests")
    assert tested.returncode == 0, tested.stdout[-3000:]
    skipped = [line.partition(": ")[2] for line in tested.stdout.splitlines() if line.startswith("SKIPPED")]
    left_out = ["odd_tricks has no heuristic player"]
    if find_spec("numba_cuda") is None:
        left_out.append("numba-cuda is not installed: pip install numba-cuda")
    assert skipped == left_out
