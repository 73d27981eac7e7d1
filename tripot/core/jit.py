"""The compiler switch: rule modules are plain Python; here they become native code.

`native(function)` rebuilds a rule function, and every project function it calls, over copies of their globals in which
the calls lead to compiled code. The modules themselves stay as they are, so a debugger steps through the very rules
that the compiler takes.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from tripot.core.native_cache import bounds_checked, code_names, fingerprint, folder_of, one_process, use_folder

LIBRARIES = ("numpy", "numba", "llvmlite")
Rule = Callable[..., Any]  # a function of a rule module
Wrap = Callable[[FunctionType], Any]


def rebuild(function: Rule, wrap: Wrap, bound: dict[str, Any], done: dict[Rule, Any]) -> Any:
    """`function` and all project functions it calls, each put through `wrap`; `bound` names are filled in.

    A function may have a `native_twin`, which takes its place in native code. `done` holds half-built functions until
    the outermost call returns: rules may call each other in circles.
    """
    if function in done:
        return done[function]
    actual = getattr(function, "native_twin", function)
    if actual.__closure__:
        raise ValueError(f"{actual.__qualname__}: a rule function cannot be a closure; put it at the top of a module")
    space = dict(actual.__globals__)
    fresh = FunctionType(actual.__code__, space, actual.__name__, actual.__defaults__)
    fresh.__module__ = actual.__module__
    fresh.__qualname__ = actual.__qualname__
    done[function] = wrap(fresh)
    for name in code_names(actual.__code__):
        value = bound[name] if name in bound else space.get(name)
        if isinstance(value, FunctionType) and is_rule(value):
            space[name] = rebuild(value, wrap, bound, done)
        elif name in bound:
            space[name] = value
    return done[function]


def is_rule(function: FunctionType) -> bool:
    """Whether the compiler follows a call to this function: not into libraries that Numba knows, nor into closures."""
    package = function.__module__.partition(".")[0]
    return not function.__closure__ and package not in LIBRARIES and package not in sys.stdlib_module_names


_CALLED: dict[Rule, Any] = {}  # rule functions with nothing bound, as other rules call them
_UNITS: dict[Rule, Any] = {}  # … as loops call them, from the cache
_ENTRIES: dict[Rule, Any] = {}  # … and as Python calls them, from the cache
_BOUND: dict[str, Any] = {}  # entries with names bound, by fingerprint
_BUILDING = threading.RLock()  # only finished functions leave these dictionaries


def native(function: Rule, **bound: Any) -> Any:
    """`function` as native code, compiled at its first call or read from the cache. Safe to call from any thread.

    `bound` gives the module's open names (say `legal` and `apply` of a particular game) their meaning. The same
    function with the same things bound is compiled once, whatever the game is called.
    """
    assert isinstance(function, FunctionType)
    with _BUILDING:
        if not bound:
            if function not in _ENTRIES:
                _ENTRIES[function] = _entry(_called(function), folder_of(function, {}))
            return _ENTRIES[function]
        key = fingerprint(function, bound)
        if key not in _BOUND:
            units = {name: _unit(f) if isinstance(f, FunctionType) else f for name, f in bound.items()}
            _BOUND[key] = _entry(rebuild(function, _compiler(), units, {}), folder_of(function, bound))
        return _BOUND[key]


def _called(function: FunctionType) -> Any:
    """A rule function with nothing bound, for other rules: compiled anew with them, since they take it in whole."""
    return rebuild(function, _compiler(), {}, _CALLED)


def _unit(function: FunctionType) -> Any:
    """A rule function with nothing bound and all that it calls, kept for every loop that calls it."""
    if function not in _UNITS:
        _UNITS[function] = _compiler(folder_of(function, {}))(_called(function).py_func)
    return _UNITS[function]


def _entry(called: Any, folder: Path) -> Any:
    """The same function for Python."""
    folder /= "entries"
    return _unhindered(_compiler(folder, for_python=True)(called.py_func), folder)


def _unhindered(dispatcher: Any, folder: Path) -> Any:
    """Compiles without the work that `native_pipeline` saves; waits if another process is compiling the same code."""
    from tripot.core.native_pipeline import nothing_twice

    compile_all = dispatcher.compile

    def compile_one(signature: Any) -> Any:
        with one_process(folder), nothing_twice():
            return compile_all(signature)

    dispatcher.compile = compile_one
    return dispatcher


def interpreted(function: Rule, **bound: Any) -> Any:
    """The same function with the same names bound, run by the interpreter."""
    space = {**function.__globals__, **bound}
    for name in code_names(function.__code__):
        value = space.get(name)
        if isinstance(value, FunctionType) and value.__module__ == function.__module__ and name not in bound:
            space[name] = interpreted(value, **bound)
    return FunctionType(function.__code__, space, function.__name__, function.__defaults__)


def _compiler(folder: Path | None = None, for_python: bool = False) -> Wrap:
    """Numba's njit, with cache folders of our own; without a folder a function becomes a part of what calls it.

    Rules make no arrays, so nothing needs to count references to them (`_nrt`): that took a quarter of a search. What
    only native code calls gets no wrappers for Python and C.
    """
    import numba

    from tripot.core.native_pipeline import CalledCompiler, WholeCompiler

    njit: Any = numba.njit  # its type does not know `_nrt`
    options: dict[str, Any] = {"nogil": True, "_nrt": False, "boundscheck": bounds_checked()}
    options |= {"no_cpython_wrapper": not for_python, "no_cfunc_wrapper": True}
    options["pipeline_class"] = CalledCompiler if folder is None else WholeCompiler

    def wrap(function: FunctionType) -> Any:
        dispatcher = _widened(njit(**options)(function))
        return dispatcher if folder is None else use_folder(dispatcher, folder)

    return wrap


def _widened(dispatcher: Any) -> Any:
    """Compile a rule function once for numbers of every width: fields, constants and enums reach it as int64.

    Numba would compile it again for each mixture of them; that made a game with many cards take four times as long.
    """
    from numba.core import types

    template = dispatcher.get_call_template

    def widen(kind: Any) -> Any:
        return types.int64 if isinstance(kind, types.Integer | types.IntEnumMember) else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return template([widen(kind) for kind in args], {name: widen(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher
