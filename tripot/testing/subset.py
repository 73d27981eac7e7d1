"""A lint for rules: the subset of Python that interpreter, Numba and numba-cuda share, as an allow-list.

A rule function may use only what is listed here. `complaints` returns one line for everything else.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from types import FunctionType
from typing import Any

from tripot.core.game import Game
from tripot.core.jit import is_rule
from tripot.core.layout import Field
from tripot.core.native_cache import code_names

STATEMENTS = "FunctionDef Expr Assign AugAssign For While If Return Pass Break Continue Assert"
EXPRESSIONS = "Name Constant Attribute Subscript Tuple Call Compare BoolOp BinOp UnaryOp IfExp"
MATCHING = "Match match_case MatchValue MatchOr MatchAs"
OPERATORS = "Add Sub Mult FloorDiv Mod LShift RShift BitAnd BitOr BitXor Invert USub UAdd Not And Or"
COMPARISONS = "Eq NotEq Lt LtE Gt GtE"
PLUMBING = "arguments arg Load Store"
ALLOWED = set(f"{STATEMENTS} {EXPRESSIONS} {MATCHING} {OPERATORS} {COMPARISONS} {PLUMBING}".split())
BUILT_INS = {"range", "len", "min", "max", "abs", "sum", "enumerate", "zip"}

Dimensions = dict[str, int]  # dimensions of every field of a record, by name


def dimensions(fields: list[Field]) -> Dimensions:
    """Dimensions of the fields of states and views: a view has the public fields and the seat's own rows as `my_…`."""
    found = {"seat": 0} | {f.name: len(f.shape) for f in fields}
    return found | {"my_" + f.name: len(f.shape) - 1 for f in fields if f.shape}


def complaints_about(game: Game) -> list[str]:
    """What the rules of a game do that rules may not, in all functions that they reach outside `tripot.core`."""
    fields, found = dimensions(game.fields), list[str]()
    rules = list(game.functions.values()) + ([game.heuristic] if game.heuristic is not None else [])
    for module, names in sorted(_reached(rules).items()):
        space = vars(sys.modules[module])
        tree = ast.parse(inspect.getsource(sys.modules[module]))
        known = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in names:
                found += [f"{module}, {told}" for told in _check_function(node, space, fields, known)]
    return found


def _reached(rules: list[Any]) -> dict[str, set[str]]:
    """The names of all functions that rules call, by module."""
    found: dict[str, set[str]] = {}
    waiting = [rule for rule in rules if isinstance(rule, FunctionType)]
    while waiting:
        rule = waiting.pop()
        names = found.setdefault(rule.__module__, set())
        if not rule.__module__.startswith("tripot.core.") and rule.__name__ not in names:
            names.add(rule.__name__)
            called = [rule.__globals__.get(name) for name in code_names(rule.__code__)]
            waiting += [value for value in called if isinstance(value, FunctionType) and is_rule(value)]
    return {module: names for module, names in found.items() if names}


def complaints(source: str, space: dict[str, Any], fields: Dimensions) -> list[str]:
    """Returns what a source does that rules may not; `space` maps its global names to values."""
    tree = ast.parse(source)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = list(_check_module(tree))
    known = {f.name for f in functions}
    for function in functions:
        found += _check_function(function, space, fields, known)
    return found


def _check_module(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.stmt) and any(name.split(".")[0] == "numba" for name in names):
            yield f"line {node.lineno}: imports numba"
        if isinstance(node, ast.AsyncFunctionDef):
            yield f"line {node.lineno}: an async function"
    for outer in tree.body:
        if isinstance(outer, ast.ClassDef):
            for node in outer.body:
                if isinstance(node, ast.FunctionDef):
                    yield f"line {node.lineno}: a method, {outer.name}.{node.name}: rules are functions"


def _check_function(
    function: ast.FunctionDef, space: dict[str, Any], fields: Dimensions, known: set[str]
) -> Iterator[str]:
    if function.decorator_list:
        yield f"line {function.lineno}: a decorator on {function.name}"
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        yield f"line {function.lineno}: {function.name} takes more than plain arguments"
    doc = function.body[0] if ast.get_docstring(function) is not None else None
    for node, line in _walk(function, function.lineno):
        if node is not doc and node is not function:
            complaint = _check_node(node, space, fields, known)
            if complaint:
                yield f"line {line}: {complaint}"


def _walk(node: ast.AST, line: int) -> Iterator[tuple[ast.AST, int]]:
    """Yields every node with its line; operators have no line of their own. Skips the content of docstrings."""
    line = getattr(node, "lineno", line)
    yield node, line
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        for child in ast.iter_child_nodes(node):
            yield from _walk(child, line)


def _check_node(node: ast.AST, space: dict[str, Any], fields: Dimensions, known: set[str]) -> str:
    kind = type(node).__name__
    if kind not in ALLOWED or isinstance(node, ast.FunctionDef):
        return f"{kind} is not in the shared subset"
    if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call):
        return "a value that goes nowhere"
    if isinstance(node, ast.Constant) and type(node.value) not in (int, bool):
        return f"the constant {node.value!r}: only whole numbers are"
    if isinstance(node, ast.Call):
        return _check_call(node, space, known)
    if isinstance(node, ast.Attribute):
        return _check_attribute(node, space, fields)
    if isinstance(node, ast.Subscript):
        return _check_index(node, space)
    if isinstance(node, ast.Assign | ast.AugAssign | ast.For):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return next(filter(None, (_check_target(t, fields) for t in targets)), "")
    return ""


def _check_call(node: ast.Call, space: dict[str, Any], known: set[str]) -> str:
    if node.keywords:
        return "a call with keyword arguments"
    if not isinstance(node.func, ast.Name):
        return f"a call of {ast.unparse(node.func)}: only plain names can be compiled"
    name = node.func.id
    meaning = space.get(name, "nothing")
    project = isinstance(meaning, FunctionType) and is_rule(meaning)
    if name in known or project or meaning is None or (name in BUILT_INS and name not in space):
        return ""
    return f"a call of {name}: neither a rule nor one of {', '.join(sorted(BUILT_INS))}"


def _check_attribute(node: ast.Attribute, space: dict[str, Any], fields: Dimensions) -> str:
    if not isinstance(node.value, ast.Name):
        return f"{ast.unparse(node)}: a name of a name of something"
    base, meaning = node.value.id, space.get(node.value.id)
    if base in space and not (isinstance(meaning, type) and issubclass(meaning, Enum)):
        return f"{ast.unparse(node)}: only records and enums have names within"
    if base in ("s", "view") and node.attr not in fields:
        return f"{ast.unparse(node)}: there is no such field"
    return ""


def _check_index(node: ast.Subscript, space: dict[str, Any]) -> str:
    index = node.slice
    if isinstance(index, ast.Tuple):
        return f"{ast.unparse(node)}: write [a][b]"
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        return f"{ast.unparse(node)}: a negative index"
    if isinstance(node.value, ast.Name) and isinstance(space.get(node.value.id), tuple):
        base = index.value if isinstance(index, ast.Attribute) else index
        meaning = space.get(base.id) if isinstance(base, ast.Name) else None
        if isinstance(meaning, Enum) or (isinstance(meaning, type) and issubclass(meaning, Enum)):
            return f"{ast.unparse(node)}: a constant name as index of a tuple"
    return ""


def _check_target(target: ast.expr, fields: Dimensions) -> str:
    """A field is written one number at a time, with one index per dimension; a view is never written."""
    if isinstance(target, ast.Tuple):
        return next(filter(None, (_check_target(t, fields) for t in target.elts)), "")
    base, depth = target, 0
    while isinstance(base, ast.Subscript):
        base, depth = base.value, depth + 1
    if isinstance(base, ast.Attribute):
        if ast.unparse(base.value) == "view":
            return f"{ast.unparse(target)}: a view is not written"
        if fields.get(base.attr, depth) != depth:
            return f"{ast.unparse(target)}: stores a whole row of {base.attr}"
    return ""
