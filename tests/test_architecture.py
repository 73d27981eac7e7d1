"""The shape of the program: layers, the eight files of a game, and the language of the rules."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import tripot
from tests.cases import COMPILED, every_game
from tests.rule_modules import PACKAGE, lint_module, rule_modules
from tripot.core.game import Game
from tripot.core.layout import HIDDEN, I8, OWNER, PUBLIC, Field
from tripot.games.verrater.cards import Role
from tripot.testing.subset import complaints, dimensions

ROOT = PACKAGE.parent
GAME_FILES = {"RULES.md", "cards.py", "state.py", "actions.py", "phases.py", "effects.py", "text.py", "__init__.py"}
LONGEST_FUNCTION = 45  # lines: a screen
PURE_LAYERS = ("core", "games", "bots", "lab")
ALLOWED_IMPORTS = {"numpy", "numba", "tripot", *sys.stdlib_module_names}
EXCEPTIONS = {
    ("lab/arena/ratings.py", "openskill"),
    ("lab/arena/cluster.py", "distributed"),
    ("lab/export.py", "pyarrow"),
    ("lab/env/aec.py", "gymnasium"),
    ("lab/env/aec.py", "pettingzoo"),
    ("lab/env/gymnasium.py", "gymnasium"),
    ("lab/vector/seat_env.py", "gymnasium"),
    ("lab/env/openspiel.py", "pyspiel"),
    ("lab/training/group.py", "torch"),
    ("lab/training/imitation.py", "pyarrow"),
    ("lab/training/imitation.py", "torch"),
    ("lab/training/kinds.py", "torch"),
    ("lab/training/networks.py", "torch"),
    ("lab/training/opponents.py", "torch"),
    ("lab/training/ppo.py", "torch"),
    ("lab/training/run.py", "torch"),
    ("lab/training/tables.py", "torch"),
    ("lab/training/varied_rules.py", "torch"),
}
NAMELESS_LAYERS = ("core", "table", "store", "web")


def sources(*layers: str) -> list[Path]:
    """The Python files of the package, or of some of its layers."""
    return sorted(path for layer in layers or (".",) for path in (PACKAGE / layer).rglob("*.py"))


def short(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.process
def test_imports_point_only_down_the_layers() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@every_game
def test_a_game_has_the_same_eight_files_and_what_it_brings_besides(game: Game) -> None:
    folder = PACKAGE / "games" / game.name
    found = {path.name for path in folder.iterdir() if path.name != "__pycache__"}
    assert found >= GAME_FILES
    brought = {"heuristic.py": game.heuristic, "evaluation.py": game.evaluation, "evaluation.npz": game.evaluation}
    brought |= {"guide.py": game.guide, "notation.py": game.notation.words or None}
    brought |= {"lessons.py": game.lessons or None, "quantities.py": game.quantities, "teaching.py": game.teaching}
    brought |= {"hidden.py": game.hidden, "small.py": game.small}
    assert found - GAME_FILES == {name for name, part in brought.items() if part is not None}


def test_every_game_folder_that_has_code_is_a_game() -> None:
    folders = {path.parent.name for path in (PACKAGE / "games").glob("*/__init__.py")}
    assert folders - {"older"} == set(tripot.GAMES)


@pytest.mark.parametrize("layer", PURE_LAYERS)
def test_rules_bots_and_laboratory_import_only_the_standard_library_numpy_and_numba(layer: str) -> None:
    files = sources(layer)
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{short(path)}: a relative import"
                names = [node.module or ""]
            for name in names:
                root = name.split(".")[0]
                assert root in ALLOWED_IMPORTS or (short(path), root) in EXCEPTIONS, f"{short(path)} imports {name}"


def test_functions_fit_a_screen() -> None:
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                assert lines <= LONGEST_FUNCTION, f"{short(path)}: {node.name} has {lines} lines"


def test_what_serves_every_game_names_none() -> None:
    names = {"verrater", "verräter", "trok", "trök", "trieste"} | set(tripot.GAMES)
    files = [
        p for layer in NAMELESS_LAYERS for p in (PACKAGE / layer).rglob("*") if p.suffix in (".py", ".js", ".html")
    ]
    assert files
    for path in files:
        if not {"vendor", "games"} & set(path.parts):  # page/games: how each game is drawn
            text = path.read_text("utf-8").casefold()
            found = [name for name in names if re.search(rf"(?<![a-z]){name}", text)]  # no part of a longer word
            assert not found, f"{short(path)} names {found}"


def test_drawings_count_no_cards_by_themselves() -> None:
    """How many cards lie in a row comes from the view, the news or the game's FACTS."""
    for path in (PACKAGE / "web/page/games").rglob("*.js"):
        listed = re.findall(r"\[0, 1, 2(?:, \d+)*\]\.map", path.read_text("utf-8"))
        assert not listed, f"{short(path)}: {listed}"


def test_nothing_is_left_to_do() -> None:
    word = "TO" + "DO"
    files = [*sources(), *Path(__file__).parent.rglob("*.py")]
    assert [path.name for path in files if word in path.read_text("utf-8")] == []


def test_everything_that_a_module_defines_is_used() -> None:
    """By name, anywhere: in the page too, which reads tables in lower case. What is decorated is registered."""
    texts = [path for folder in ("tripot", "bench", "tests", "examples") for path in (ROOT / folder).rglob("*")]
    texts = [path for path in texts if path.suffix in (".py", ".js", ".template", ".mako")]
    used = Counter(word for path in texts for word in re.findall(r"\w+", path.read_text("utf-8")))
    drawn = {word for path in texts if path.suffix == ".js" for word in re.findall(r"\w+", path.read_text("utf-8"))}
    for path in [*sources(), *(ROOT / "bench").rglob("*.py")]:
        for node in ast.parse(path.read_text("utf-8")).body:
            found = [one.id for one in getattr(node, "targets", []) if isinstance(one, ast.Name)]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.decorator_list:
                found.append(node.name)
            unused = [name for name in found if not name.startswith("__") and used[name] == 1]
            unused = [name for name in unused if name.lower() not in drawn]
            assert not unused, f"{path.relative_to(ROOT)}: nothing uses {unused}"


def test_names_and_sentences_about_the_code_are_neutral() -> None:
    """Tests tell of people with names, so of tests only their names count. Mother Dwerg pays for herself."""
    words = re.compile(r"(?<![^\W_])(?:he|him|his|himself|she|her)(?![^\W_])", re.IGNORECASE)
    for path in [*sources(), *(ROOT / "bench").rglob("*.py")]:
        assert not words.search(path.read_text("utf-8")), path
    for path in Path(__file__).parent.rglob("*.py"):
        named = re.findall(r"^ *(?:async )?def (\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert not [name for name in named if words.search(name)], path


# --- The language of the rules ---


@pytest.mark.parametrize("path", rule_modules(), ids=short)
def test_rules_keep_to_the_subset_that_all_engines_take(path: Path) -> None:
    assert lint_module(path) == []


def test_every_rule_function_is_linted() -> None:
    """The functions that the compiler takes stand in modules the lint reads."""
    linted = {short(path) for path in rule_modules()}
    for game in COMPILED:
        for function in game.functions.values():
            assert Path(function.__code__.co_filename).relative_to(PACKAGE).as_posix() in linted
    assert {"core/sfc32.py", "core/pile.py", "core/observe.py", "bots/uniform.py", "lab/playout.py"} <= linted


FIELDS = dimensions(
    [
        Field("number", I8, (), PUBLIC, 9, "a number"),
        Field("row", I8, (4,), PUBLIC, 9, "a row"),
        Field("grid", I8, (4, 6), OWNER, 9, "a grid"),
        Field("secret", I8, (), HIDDEN, 9, "a secret"),
    ]
)
SPACE = {"Role": Role, "TABLE": (1, 2, 3), "TRAITOR": Role.TRAITOR, "ast": ast, "roll": complaints, "bound": None}

FINE = '''
def fine(s, seat, mask):
    """A docstring."""
    total = 0
    for slot in range(len(s.row)):
        if s.row[slot] > 0 and not s.number:
            total += TABLE[slot] << TABLE[s.number]
        elif s.row[slot] == Role.TRAITOR or s.grid[seat][slot] != -1:
            continue
        else:
            break
    for a, b in zip(s.row, s.grid[seat]):
        total = max(total, a - b, TABLE[a])
    for number in (1, TABLE[2], abs(-3)):
        total ^= ~number % 7 // 2
    while True:
        match total:
            case Role.TRAITOR | 2:
                pass
            case _:
                helper(s, total)
        return total if seat else (seat, mask[0])


def helper(s, total):
    bag = s.row
    bag[0] -= 1
    s.number = total
    s.row[0], s.row[1] = s.row[1], s.row[0]
    s.grid[1][2] += Role.TRAITOR
    s.row[Role.TRAITOR] = s.row[s.row[0] - 1]
    assert total >= 0
    bound(s, total)
'''


def test_the_lint_lets_rules_be_rules() -> None:
    assert complaints(FINE, SPACE, FIELDS) == []


FORBIDDEN = {
    "x = [1, 2]": "List",
    "x = {1: 2}": "Dict",
    "x = {1, 2}": "Set",
    "x = s.row[1:2]": "Slice",
    "x = [a for a in s.row]": "ListComp",
    "x = {a for a in s.row}": "SetComp",
    "x = {a: a for a in s.row}": "DictComp",
    "x = sum(a for a in s.row)": "GeneratorExp",
    "x = (y := 2)": "NamedExpr",
    "x = f'{seat}'": "JoinedStr",
    "x = lambda: 1": "Lambda",
    "yield 1": "Yield",
    "yield from s.row": "YieldFrom",
    "global x": "Global",
    "del s.row[0]": "Delete",
    "raise seat": "Raise",
    "import math": "Import",
    "from math import pi": "ImportFrom",
    "try:\n        pass\n    finally:\n        pass": "Try",
    "with s:\n        pass": "With",
    "def inner():\n        pass": "FunctionDef",
    "class Inner:\n        pass": "ClassDef",
    "x: int = 1": "AnnAssign",
    "max(*s.row)": "Starred",
    "x = seat / 2": "Div",
    "x = seat ** 2": "Pow",
    "x = seat @ 2": "MatMult",
    "x = seat in (1, 2)": "In",
    "x = seat not in (1, 2)": "NotIn",
    "x = seat is None": "Is",
    "x = reversed(s.row)": "a call of reversed",
    "x = sorted(s.row)": "a call of sorted",
    "x = int(Role.TRAITOR)": "a call of int",
    "x = list(s.row)": "a call of list",
    "print(seat)": "a call of print",
    "x = ast.parse(seat)": "a call of ast.parse",
    "x = s.row.copy()": "a call of s.row.copy",
    "roll(s, sides=6)": "keyword arguments",
    "x = 'word'": "the constant 'word'",
    "x = 1.5": "the constant 1.5",
    "x = 2j": "the constant 2j",
    "x = None": "the constant None",
    "seat + 1": "goes nowhere",
    "seat": "goes nowhere",
    "'not a docstring'": "goes nowhere",
    "s.row = bag": "stores a whole row of row",
    "s.grid[0] = s.row": "stores a whole row of grid",
    "s.grid[0], x = s.row, 1": "stores a whole row of grid",
    "s.grid[0] += 1": "stores a whole row of grid",
    "for s.row in s.grid:\n        pass": "stores a whole row of row",
    "s.number[0] = 1": "stores a whole row of number",
    "view.number = 1": "a view is not written",
    "view.my_grid[0] = 1": "a view is not written",
    "x = s.grid[0, 1]": "write [a][b]",
    "x = s.row[-1]": "a negative index",
    "x = TABLE[Role.TRAITOR]": "a constant name as index of a tuple",
    "x = TABLE[TRAITOR]": "a constant name as index of a tuple",
    "x = s.nothing": "no such field",
    "x = view.my_number": "no such field",
    "x = s.grid.size.big": "a name of a name",
    "x = ast.Name": "only records and enums",
}


@pytest.mark.parametrize("line", FORBIDDEN)
def test_the_lint_catches_what_rules_may_not_do(line: str) -> None:
    source = f"def rule(s, view, seat, bag):\n    x = 0\n    {line}\n    return x\n"
    found = complaints(source, SPACE, FIELDS)
    assert any(FORBIDDEN[line] in complaint and "line 3" in complaint for complaint in found), found


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("import numba\n", "line 1: imports numba"),
        ("from numba import njit\n", "line 1: imports numba"),
        ("import numba.cuda as cuda\n", "line 1: imports numba"),
        ("@roll\ndef rule(s):\n    pass\n", "a decorator on rule"),
        ("async def rule(s):\n    pass\n", "an async function"),
        ("class Rules:\n    def rule(self):\n        pass\n", "a method, Rules.rule"),
        ("def rule(*seats):\n    pass\n", "more than plain arguments"),
        ("def rule(**seats):\n    pass\n", "more than plain arguments"),
        ("def rule(s, *, seat):\n    pass\n", "more than plain arguments"),
        ("def rule(s, word='x'):\n    pass\n", "the constant 'x'"),
    ],
)
def test_the_lint_catches_what_rule_modules_may_not_have(source: str, complaint: str) -> None:
    assert any(complaint in found for found in complaints(source, SPACE, FIELDS))
