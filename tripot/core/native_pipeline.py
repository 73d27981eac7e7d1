"""How Numba compiles a rule function: the passes that rules can need, and nothing worked out twice.

Rules are a small language. They have no closures, contexts, generators or array arithmetic, so the passes for these are
left out. Numba also tries every overload of an operator wherever it stands, and looks for new libraries whenever a
first guess fails. Both give the same answer every time while one function compiles, so both are asked once: with a
hundred small functions that is a third of the compiler's time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from tripot.core.native_linking import CalledLibrary, WholeLibrary

Compiler: Any = import_module("numba.core.compiler").Compiler
machinery: Any = import_module("numba.core.compiler_machinery")
untyped: Any = import_module("numba.core.untyped_passes")
typed: Any = import_module("numba.core.typed_passes")
Functions: Any = import_module("numba.core.types.functions").BaseFunction
Contexts: Any = import_module("numba.core.base").BaseContext
compiler_lock: Any = import_module("numba.core.compiler_lock").global_compiler_lock

PASSES = (
    untyped.TranslateByteCode,
    untyped.FixupArgs,
    untyped.IRProcessing,
    untyped.RewriteSemanticConstants,
    untyped.DeadBranchPrune,
    untyped.GenericRewrites,
    untyped.RewriteDynamicRaises,
    untyped.ReconstructSSA,
    typed.NopythonTypeInference,
    typed.PreLowerStripPhis,
    typed.InlineOverloads,
    typed.IRLegalization,
    typed.NativeLowering,
    typed.NoPythonBackend,
)


class Passes(machinery.PassManager):  # type: ignore[misc]
    """Numba's pass manager, without its protocol: that spells out the type of a state, field by field, at each pass."""

    def __init__(self) -> None:
        super().__init__("rules")
        for part in PASSES:
            self.add_pass(part, part._name)
        self.finalize()

    def _runPass(self, index: int, part: Any, state: Any) -> None:  # noqa: N802 (Numba's name)
        part.analysis = self._analysis
        part.run_initialization(state)
        part.run_pass(state)
        part.run_finalizer(state)


class CalledCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function that only native code calls."""

    library_class: type[Any] = CalledLibrary

    def define_pipelines(self) -> list[Any]:
        self.state.library = self.library_class(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()  # as Numba's own lowering does
        return [Passes()]


class WholeCompiler(CalledCompiler):
    """Compiles a function that is kept in the cache."""

    library_class = WholeLibrary


# --- Nothing twice ---


@contextmanager
def nothing_twice() -> Iterator[None]:
    """Lets Numba remember, until the block ends, what it would work out again; holds the lock of its compiler."""
    functions, contexts = Functions.get_call_type, Contexts.get_function
    with compiler_lock, no_garbage():
        Functions.get_call_type = remember_types(functions)
        Contexts.get_function = remember_refusals(contexts)
        try:
            yield
        finally:
            Functions.get_call_type, Contexts.get_function = functions, contexts


@contextmanager
def no_garbage() -> Iterator[None]:
    """Collects no garbage: the collector would walk through all that the compiler holds, and find nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def remember_types(ask: Callable[..., Any]) -> Callable[..., Any]:
    """The type of an operator with these arguments, unless it is an overload that Numba compiles."""
    answers: dict[int, dict[Any, Any]] = {}
    kept: list[Any] = []  # a function type that is gone could leave its id to another

    def get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return ask(function, context, args, kws)
        known = answers.get(id(function))
        if known is None:
            kept.append(function)
            known = answers[id(function)] = {}
        found = known.get(args)
        if found is None:
            found = ask(function, context, args, kws)
            if function.get_impl_key(found) is function.typing_key:
                known[args] = found
        return found

    return get_call_type


def remember_refusals(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Which of Numba's own short cuts (`static_getitem`, `__array__`) there are not for these arguments."""
    refused: set[Any] = set()

    def get_function(context: Any, function: Any, signature: Any, _firstcall: bool = True) -> Any:
        if not isinstance(function, str):
            return ask(context, function, signature, _firstcall)
        key = function, signature.args
        if key in refused:
            raise NotImplementedError(function)
        try:
            return ask(context, function, signature, _firstcall)
        except NotImplementedError:
            refused.add(key)
            raise

    return get_function
