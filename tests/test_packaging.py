"""What the package says about itself: one version, the tested Pythons, types for other people's checkers."""

import re
import tomllib
from pathlib import Path

import tripot

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
    assert oldest.split() == [re.sub(r">=([\d.]+).*", r"==\1.*", one) for one in ranges]
    for path in set(re.findall(r"tests/\w+\.py", workflow)):
        assert (ROOT / path).exists()


def test_the_package_ships_its_types_and_its_readme() -> None:
    assert (ROOT / "tripot/py.typed").exists()
    assert (ROOT / PROJECT["project"]["readme"]).exists()


def test_all_addresses_of_the_project_have_one_root() -> None:
    urls = PROJECT["project"]["urls"]
    assert all(url.startswith(urls["Homepage"]) for url in urls.values())
