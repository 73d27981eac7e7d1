"""ARCHITECTURE.md and CONTRIBUTING.md name files, functions and make targets that exist."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GUIDES = ("ARCHITECTURE.md", "CONTRIBUTING.md")
QUOTED = re.compile(r"`([^`\n]+)`")
PLACE = re.compile(r"^(\.?[\w-]+(?:/[\w.-]*)+|[\w-]+\.(?:md|toml|py|js|lock|cff))(?::([\w.]+))?$")
TARGET = re.compile(r"\bmake ([a-z][a-z-]*)")
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def places(text: str) -> list[tuple[str, str]]:
    """The (path, name) pairs that a guide quotes: `tripot/table/table.py:Table.decide` names both."""
    quoted = [PLACE.match(one) for one in QUOTED.findall(FENCE.sub("", text))]
    return [(found[1], found[2] or "") for found in quoted if found]


def defined(path: Path) -> set[str]:
    """The functions, classes, methods and constants of a source file."""
    source = path.read_text("utf-8")
    if path.suffix != ".py":
        methods = re.findall(r"^  (?:async )?(\w+)\(.*\{$", source, re.MULTILINE)
        return {*methods, *re.findall(r"\b(?:function|class|const) (\w+)", source)}
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            found.update(f"{node.name}.{method.name}" for method in methods)
        if isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


@pytest.mark.parametrize("guide", GUIDES)
def test_every_file_and_function_that_a_guide_names_exists(guide: str) -> None:
    named = places((ROOT / guide).read_text("utf-8"))
    assert len(named) > 15
    missing = [path for path, _ in named if not (ROOT / path).exists()]
    assert not missing, f"{guide} names {', '.join(missing)}"
    unknown = [f"{path}:{name}" for path, name in named if name and name not in defined(ROOT / path)]
    assert not unknown, f"{guide} names {', '.join(unknown)}"


@pytest.mark.parametrize("guide", GUIDES)
def test_every_make_target_that_a_guide_names_exists(guide: str) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in TARGET.findall("\n".join(QUOTED.findall((ROOT / guide).read_text("utf-8")))):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{guide} names make {target}"


def test_the_drawing_of_the_layers_has_the_layers_that_are_checked() -> None:
    """Row by row, as `lint-imports` reads them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawing, drawn = (ROOT / "docs/pictures/layers.svg").read_text("utf-8"), dict[str, list[str]]()
    for height, name in re.findall(r'class="name" x="\d+" y="(\d+)">(\w+)<', drawing):
        drawn.setdefault(height, []).append(name)
    assert list(drawn.values()) == [re.findall(r"tripot\.(\w+)", layer) for layer in layers]


def test_the_search_that_contributing_shows_finds_what_it_shows() -> None:
    """Who follows the worked example edits what the search finds: a place that is missing there stays as it was."""
    example = re.search(
        r"\$ grep -rn (\w+) tripot .*?\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.DOTALL
    )
    assert example
    name, shown = example.groups()
    found = [
        f"{path.relative_to(ROOT)}:{number}:{line}"
        for path in sorted((ROOT / "tripot").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if name in line
    ]
    assert shown.splitlines() == found


def test_the_reading_of_guides_finds_what_is_wrong() -> None:
    """The checks above are only as good as what they read."""
    text = "See `tripot/table/table.py:Table.decide`, `tripot/nowhere.py`, `tests/`, not `a.b` or `make test`."
    assert places(text) == [("tripot/table/table.py", "Table.decide"), ("tripot/nowhere.py", ""), ("tests/", "")]
    names = defined(ROOT / "tripot/table/table.py")
    assert {"Table", "Table.decide", "SEEDS"} <= names and "decide" not in names
