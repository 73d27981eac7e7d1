"""The mutants of a source file, by mutmut's operators, and how one takes the place of the original.

mutmut itself writes every mutant into the file, behind a function that picks one. Rules are told apart by their code
objects and compiled from them, so here a mutant is put into the function that is already loaded, by its code alone.
"""

import difflib
import hashlib
import importlib
import inspect
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor, OuterFunctionProvider
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

ROOT = Path(__file__).parent.parent.parent


class Visitor(MutationVisitor):
    """mutmut leaves decorated functions alone, since it has to define them twice. We need not."""

    METADATA_DEPENDENCIES = (PositionProvider, OuterFunctionProvider)

    def __init__(self) -> None:
        super().__init__(mutation_operators, IgnoredCode(set(), set(), set()))

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            return False
        if isinstance(node, cst.Parameters | cst.Assert):  # defaults belong to the definition; asserts are checks
            return True
        if isinstance(node, cst.Arg) and _is_check(node):
            return True
        return bool(super()._skip_node_and_children(node))


@dataclass(frozen=True)
class Mutant:
    """One change in one function."""

    source: "Source"
    function: str  # as Class.method
    lines: tuple[int, int]  # of the changed code …
    body: tuple[int, int]  # … and of the function
    original: cst.CSTNode
    mutated: cst.CSTNode

    @cached_property
    def code(self) -> str:
        """The whole file with the change."""
        return self.source.module.deep_replace(self.original, self.mutated).code  # type: ignore[arg-type, union-attr]

    @cached_property
    def change(self) -> str:
        """The changed lines, as in a patch."""
        before, after = self.source.text.splitlines(), self.code.splitlines()
        patch = difflib.unified_diff(before, after, lineterm="", n=0)
        return "\n".join(line for line in patch if line[:3] not in ("---", "+++") and line[:2] != "@@")

    @cached_property
    def name(self) -> str:
        """Stays the same while the function does, wherever in the file it stands."""
        first, last = self.body
        text = "\n".join(self.source.text.splitlines()[first - 1 : last])
        nodes = f"{self.source.module.code_for_node(self.original)}>{self.source.module.code_for_node(self.mutated)}"
        digest = hashlib.sha256(f"{text} {self.lines[0] - first} {nodes}".encode()).hexdigest()[:12]
        return f"{self.source.path} {self.function} {digest}"

    def put_in_place(self) -> None:
        """Changes the loaded function. For a process that ends afterwards."""
        target = self.source.function(self.function)
        target.__code__ = _code_of(compile(self.code, str(ROOT / self.source.path), "exec"), self.function)


class Source:
    """A source file and all its mutants."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = (ROOT / path).read_text("utf-8")
        wrapper = MetadataWrapper(cst.parse_module(self.text))
        visitor = Visitor()
        self.module = wrapper.visit(visitor)
        positions = wrapper.resolve(PositionProvider)
        names = _names(self.module)
        self.mutants: list[Mutant] = []
        for mutation in visitor.mutations:
            outer = mutation.contained_by_top_level_function
            if _changes_a_check(mutation.original_node, mutation.mutated_node):
                continue
            if outer in names and self.is_loaded(names[outer]):
                spans = (positions.get(node) for node in (mutation.original_node, outer))
                lines, body = ((span.start.line, span.end.line) if span else (0, 0) for span in spans)
                body = (body[0], body[1])
                if not lines[0]:
                    lines = body
                self.mutants.append(
                    Mutant(self, names[outer], lines, body, mutation.original_node, mutation.mutated_node)
                )

    def function(self, name: str) -> FunctionType:
        """The function that runs under this name, without what decorates it."""
        parts = Path(self.path).with_suffix("").parts
        found: Any = importlib.import_module(".".join(part for part in parts if part != "__init__"))
        for part in name.split("."):
            found = inspect.getattr_static(found, part)
        found = getattr(found, "fget", None) or getattr(found, "func", None) or getattr(found, "__func__", found)
        found = inspect.unwrap(found)
        if not isinstance(found, FunctionType):
            raise TypeError(f"{self.path}: {name} is {type(found).__name__}, not a function")
        return found

    def is_loaded(self, name: str) -> bool:
        try:
            return self.function(name).__code__.co_filename == str(ROOT / self.path)
        except (AttributeError, TypeError):
            return False


def _is_check(argument: cst.Arg) -> bool:
    """`zip(…, strict=True)` asserts that lengths are equal: where they are, nobody can notice that it is gone."""
    return argument.keyword is not None and argument.keyword.value == "strict"


def _changes_a_check(original: cst.CSTNode, mutated: cst.CSTNode) -> bool:
    if not isinstance(original, cst.Call) or not isinstance(mutated, cst.Call):
        return False
    before, after = ([one for one in call.args if not _is_check(one)] for call in (original, mutated))
    values = [[one.value for one in arguments] for arguments in (before, after)]
    return len(before) < len(original.args) and original.func is mutated.func and values[0] == values[1]


def _names(module: cst.Module) -> dict[cst.CSTNode | None, str]:
    """Functions and methods of a file by their nodes."""
    found: dict[cst.CSTNode | None, str] = {}
    for statement in module.body:
        if isinstance(statement, cst.FunctionDef):
            found[statement] = statement.name.value
        elif isinstance(statement, cst.ClassDef):
            for inner in statement.body.body:
                if isinstance(inner, cst.FunctionDef):
                    found[inner] = f"{statement.name.value}.{inner.name.value}"
    return found


def _code_of(code: CodeType, name: str) -> CodeType:
    for part in name.split("."):
        inner = [constant for constant in code.co_consts if isinstance(constant, CodeType) and constant.co_name == part]
        code = inner[-1]
    return code
