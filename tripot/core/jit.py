"""The compiler switch: rule modules are plain Python; here they become native code.

`native(function)` rebuilds a rule function, and every project function it calls, over copies of their
globals in which the calls lead to compiled code. The modules themselves stay as they are, so a
debugger steps through the very rules that the compiler takes.

Numba's own cache watches one file only and goes stale silently when a table in another file changes;
so ours lies in a folder named after a hash of all rule sources.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

BOUNDS_CHECK_VARIABLE = "TRIPOT_BOUNDS_CHECK"
CACHE_VARIABLE = "TRIPOT_CACHE"
PACKAGE = Path(__file__).parent.parent
LAYERS = ("core", "games", "bots", "lab/leduc")  # whose functions may be compiled …
LOOPS = ("lab/playout.py", "lab/batch/loops.py")  # … by the loops in these files

Rule = Callable[..., Any]  # a function of a rule module
Wrap = Callable[[FunctionType], Any]


def bounds_checked() -> bool:
    """Whether native code checks every index: slower, and what the tests run."""
    return os.environ.get(BOUNDS_CHECK_VARIABLE, "") not in ("", "0")


@cache
def source_hash() -> str:
    """One name for the present state of all rule sources and of what compiles them."""
    import numba

    digest = hashlib.sha256(f"{sys.version} {numba.__version__}".encode())
    for path in sorted(
        [*(PACKAGE / loops for loops in LOOPS), *(path for layer in LAYERS for path in (PACKAGE / layer).rglob("*.py"))]
    ):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where native code is kept: in the user's cache folder, apart for every state of the sources."""
    home = os.environ.get(CACHE_VARIABLE) or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "tripot" / (source_hash() + ("-checked" if bounds_checked() else ""))


def rebuild(function: Rule, wrap: Wrap, bound: dict[str, Any], done: dict[Rule, Any]) -> Any:
    """`function` and all project functions it calls, each put through `wrap`; `bound` names are filled in.

    A function may have a `native_twin`, which takes its place in native code.
    """
    if function in done:
        return done[function]
    actual = getattr(function, "native_twin", function)
    space = dict(actual.__globals__)
    fresh = FunctionType(actual.__code__, space, actual.__name__, actual.__defaults__)
    fresh.__module__ = actual.__module__
    fresh.__qualname__ = actual.__qualname__
    done[function] = wrap(fresh)  # before its callees: rules may call each other in circles
    for name in _names(actual.__code__):
        value = bound[name] if name in bound else space.get(name)
        if isinstance(value, FunctionType) and value.__module__.startswith("tripot."):
            space[name] = rebuild(value, wrap, bound, done)
        elif name in bound:
            space[name] = value
    return done[function]


def _names(code: CodeType) -> set[str]:
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


_RULES: dict[Rule, Any] = {}  # compiled once a process: rule functions with nothing bound …
_BOUND: dict[tuple[Rule, str], Any] = {}  # … and those with names bound, by label


def native(function: Rule, label: str = "", **bound: Any) -> Any:
    """`function` as native code, built at its first call or read from the cache.

    `bound` gives the module's open names (say `legal` and `apply` of a particular game) their meaning;
    then `label` must tell this binding from every other.
    """
    if not bound:
        return rebuild(function, _compiler(""), {}, _RULES)
    if not label:
        raise ValueError(f"{function.__name__}: a function with bound names needs a label")
    if (function, label) not in _BOUND:
        compiled = {name: native(f) if isinstance(f, FunctionType) else f for name, f in bound.items()}
        _BOUND[function, label] = rebuild(function, _compiler(label), compiled, {})
    return _BOUND[function, label]


def interpreted(function: Rule, **bound: Any) -> Any:
    """The same function with the same names bound, run by the interpreter."""
    space = {**function.__globals__, **bound}
    for name in _names(function.__code__):
        value = space.get(name)
        if isinstance(value, FunctionType) and value.__module__ == function.__module__ and name not in bound:
            space[name] = interpreted(value, **bound)
    return FunctionType(function.__code__, space, function.__name__, function.__defaults__)


def _compiler(label: str) -> Wrap:
    """Numba's njit with our cache folder; set for the moment of decoration only, so that other users of
    Numba in the same process keep their own.

    Rules make no arrays, so nothing counts who still needs one (`_nrt`): that took a quarter of a search.
    """
    import numba

    folder = cache_folder() / label if label else cache_folder() / "rules"
    njit: Any = numba.njit  # its type does not know `_nrt`
    checked = bounds_checked()

    def wrap(function: FunctionType) -> Any:
        config: Any = numba.config
        previous, config.CACHE_DIR = config.CACHE_DIR, str(folder)
        try:
            return _widened(njit(cache=True, nogil=True, _nrt=False, boundscheck=checked)(function))
        finally:
            config.CACHE_DIR = previous

    return wrap


def _widened(dispatcher: Any) -> Any:
    """Compile a rule function once for numbers of every width: fields, constants and enums reach it as int64.

    Numba would build it anew for each mixture of them; that made a game with many cards take four times as long.
    """
    from numba.core import types

    template = dispatcher.get_call_template

    def widen(kind: Any) -> Any:
        return types.int64 if isinstance(kind, types.Integer | types.IntEnumMember) else kind

    def get_call_template(args: Any, kws: Any) -> Any:
        return template([widen(kind) for kind in args], {name: widen(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher
