"""What the package says about itself: one version, the tested Pythons, types for other people's checkers."""

import re
import subprocess
import sys
import tomllib
from email.parser import Parser
from pathlib import Path

import pytest

import tripot
from tests.distribution import WEB, BadDistribution, check_metadata, check_sdist, check_wheel
from tripot.cli.main import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VERSION = re.compile(r"^\s*(?:__)?version(?:__)?\s*[:=]\s*\S", re.MULTILINE)


def test_the_version_stands_in_one_place() -> None:
    """A checkout that is not installed knows it too, so it is in the source, and the build reads it there."""
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    source = ROOT / PROJECT["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{tripot.__version__}"' in source.read_text("utf-8")
    for place in (*ROOT.glob("tripot/**/__init__.py"), ROOT / "CITATION.cff"):
        assert place == source or not VERSION.search(place.read_text("utf-8")), place


def test_every_python_that_is_claimed_is_tested() -> None:
    workflow = (ROOT / ".github/workflows/check.yml").read_text("utf-8")
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert claimed == re.findall(r'"(3\.\d+)"', workflow.partition("python:")[2].partition("]")[0])
    assert PROJECT["project"]["requires-python"] == f">={claimed[0]}"


def test_the_workflow_tests_the_oldest_and_the_newest_numpy_and_numba() -> None:
    workflow = (ROOT / ".github/workflows/check.yml").read_text("utf-8")
    oldest, newest = re.findall(r'packages: "(.+)"', workflow)
    ranges = [one for one in PROJECT["project"]["dependencies"] if one.startswith(("numpy", "numba"))]
    assert newest.split()[1:] == ranges
    assert oldest.split() == [re.sub(r">=([\d.]+).*", r"==\1.0", one) for one in ranges]  # `.*` keeps what the lock has
    for path in set(re.findall(r"tests/\w+\.py", workflow)):
        assert (ROOT / path).exists()


def test_the_package_ships_its_types_and_its_readme() -> None:
    assert (ROOT / "tripot/py.typed").exists()
    assert (ROOT / PROJECT["project"]["readme"]).exists()


def test_all_addresses_of_the_project_have_one_root() -> None:
    urls = PROJECT["project"]["urls"]
    assert all(url.startswith(urls["Homepage"]) for url in urls.values())


# --- The light package ---


def packages_of(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in requirements}


def test_a_light_install_brings_nothing_of_the_web() -> None:
    light = packages_of(PROJECT["project"]["dependencies"])
    assert {"numpy", "numba", "typer", "rich"} <= light and not light & set(WEB)
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"web", "scale", "env", "gpu", "farm", "all", "train", "data"} <= set(extras)
    assert extras["all"] == ["tripot[data,env,farm,gpu,scale,web]"]


def test_make_play_installs_the_web() -> None:
    makefile, lock = ((ROOT / name).read_text("utf-8") for name in ("Makefile", "requirements.play.lock"))
    assert "--extra install --extra web" in makefile
    for package in packages_of(PROJECT["project"]["optional-dependencies"]["web"]):
        assert re.search(rf"^{package}(\[[a-z]+\])?==", lock, re.MULTILINE), package


def test_the_commands_know_the_extras_of_the_package() -> None:
    for extra, modules in EXTRAS.items():
        wanted = packages_of(PROJECT["project"]["optional-dependencies"][extra])
        known = {"numba_cuda": "numba-cuda", "pyspiel": "open_spiel", "starlette": "fastapi"}
        assert {known.get(module, module) for module in modules} <= wanted, extra


LIGHT = """
import sys
sys.modules.update(dict.fromkeys(["uvicorn", "sqlalchemy"]))  # as if they were not installed
from tripot.cli.main import run
for words in (["serve"], [], ["store", "audit"]):
    assert run(words) == 2
sys.modules["tripot.terminal.rules"] = None
run(["rules", "verrater"])
"""


@pytest.mark.process
def test_a_command_says_in_one_line_which_extra_it_needs() -> None:
    """And what is missing for another reason is not hidden."""
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False, cwd=ROOT)
    told = [f"tripot: {name} is not installed: pip install 'tripot[web]' brings it" for name in NOT_INSTALLED]
    assert done.stderr.splitlines()[:3] == told and done.stdout == ""
    assert "ModuleNotFoundError: " in done.stderr.splitlines()[-1] and done.returncode == 1


NOT_INSTALLED = ("uvicorn", "uvicorn", "sqlalchemy")


# --- What is built ---

METADATA = """Name: tripot
Version: 1
Summary: games
Requires-Python: >=3.11
License-Expression: MIT
Description-Content-Type: text/markdown
Requires-Dist: numpy>=2.0
Requires-Dist: fastapi>=0.162; extra == 'web'

About it.
"""
LICENCE = "tripot-1.dist-info/licenses/LICENSE"


def test_a_good_distribution_passes() -> None:
    check_metadata(Parser().parsestr(METADATA))
    check_wheel({"tripot/a.py", LICENCE}, {"tripot/a.py"})
    about = {f"t/{name}" for name in ("pyproject.toml", "README.md", "LICENSE", "Makefile", "requirements.lock")}
    check_sdist({"t/tripot/a.py", *about}, {"tripot/a.py"})


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({LICENCE}, "the wheel lacks tripot/a.py"),
        ({"tripot/a.py", "tests/b.py", LICENCE}, "the wheel has tests/b.py, which git does not know"),
        ({"tripot/a.py"}, "the wheel has no licence"),
    ],
)
def test_a_wheel_with_too_little_or_too_much_is_refused(names: set[str], told: str) -> None:
    with pytest.raises(BadDistribution, match=re.escape(told)):
        check_wheel(names, {"tripot/a.py"})


def test_an_sdist_that_cannot_build_itself_is_refused() -> None:
    with pytest.raises(BadDistribution, match="the sdist lacks LICENSE, Makefile"):
        check_sdist({"t/tripot/a.py"}, {"tripot/a.py"})


@pytest.mark.parametrize(
    ("good", "bad", "told"),
    [
        ("Summary: games\n", "", "the metadata has no Summary"),
        ("text/markdown", "text/x-rst", "the long description is no Markdown"),
        ("About it.", "", "the long description is empty"),
        ("; extra == 'web'", "", "a light install brings fastapi"),
    ],
)
def test_bad_metadata_is_refused(good: str, bad: str, told: str) -> None:
    with pytest.raises(BadDistribution, match=told):
        check_metadata(Parser().parsestr(METADATA.replace(good, bad)))


def test_the_workflow_builds_the_wheel_on_every_python() -> None:
    workflow = (ROOT / ".github/workflows/check.yml").read_text("utf-8")
    assert "run: make dist" in workflow.partition("  check:")[2].partition("  versions:")[0]
    assert re.search(r"^dist: setup", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
