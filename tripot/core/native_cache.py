"""Where native code is kept on disk, and what makes two pieces of it the same.

Numba's own cache watches one source file and goes stale silently when a table in another file changes. So ours is a
folder named after all that the code was built from: rule sources, Python, Numba, and everything bound to open names.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import EnumMeta
from functools import cache
from importlib import import_module
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

BOUNDS_CHECK_VARIABLE = "TRIPOT_BOUNDS_CHECK"
CACHE_VARIABLE = "TRIPOT_CACHE"
PACKAGE = Path(__file__).parent.parent
LAYERS = ("core", "games", "bots", "lab/leduc")  # whose functions may be compiled …
LOOPS = ("lab/playout.py", "lab/batch/loops.py")  # … by the loops in these files


def bounds_checked() -> bool:
    """Whether native code checks every index: slower, and what the tests run."""
    return os.environ.get(BOUNDS_CHECK_VARIABLE, "") not in ("", "0")


@cache
def source_hash() -> str:
    """A hash of all rule sources and of the versions that compile them."""
    import numba

    digest = hashlib.sha256(f"{sys.version} {numba.__version__}".encode())
    layers = [path for layer in LAYERS for path in (PACKAGE / layer).rglob("*.py")]
    for path in sorted([*(PACKAGE / loops for loops in LOOPS), *layers]):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """The project's folder in the user's cache."""
    home = os.environ.get(CACHE_VARIABLE) or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "tripot"


def cache_folder() -> Path:
    """The folder of native code in the user's cache, one for every state of the sources."""
    return cache_home() / (source_hash() + ("-checked" if bounds_checked() else ""))


def is_rule_source(function: FunctionType) -> bool:
    """Whether `source_hash` covers the file of a function."""
    path = Path(function.__code__.co_filename)
    return any(path.is_relative_to(PACKAGE / part) for part in (*LAYERS, *LOOPS))


# --- Fingerprints ---


def fingerprint(function: FunctionType, bound: dict[str, Any]) -> str:
    """A hash of a function, of what is bound to its open names, and of every global that either of them reaches."""
    whole = _Fingerprint(bound)
    whole.add_function(function)
    for name, value in sorted(bound.items()):
        part = _Fingerprint({})  # what is bound is compiled by itself: nothing is bound in it
        part.add(value)
        whole.add_text(f"{name} {part.digest.hexdigest()}")
    return whole.digest.hexdigest()[:16]


class _Fingerprint:
    """Feeds code and constants into one digest, each function once."""

    def __init__(self, bound: dict[str, Any]) -> None:
        self.digest = hashlib.sha256()
        self._bound = bound
        self._seen: set[FunctionType] = set()

    def add_text(self, text: object) -> None:
        self.digest.update(f"{text}\0".encode())

    def add(self, value: Any) -> None:
        """A global: a function, a number, a table of numbers, an enumeration; of anything else the type's name."""
        if isinstance(value, FunctionType):
            self.add_function(value)
        elif isinstance(value, EnumMeta):
            members: Any = value.__members__
            self.add_text([(name, member.value) for name, member in members.items()])
        elif isinstance(value, np.ndarray):
            self.add_text(f"{value.dtype} {value.shape}")
            self.digest.update(value.tobytes())
        elif isinstance(value, tuple | list):
            self.add_text(f"{type(value).__name__} {len(value)}")
            for item in value:
                self.add(item)
        elif isinstance(value, ModuleType | BuiltinFunctionType | type):
            self.add_text(getattr(value, "__qualname__", value.__name__))
        elif isinstance(value, int | float | complex | str | bytes | np.generic | np.dtype | None):
            self.add_text(repr(value))
        else:
            self.add_text(type(value).__qualname__)

    def add_function(self, function: FunctionType) -> None:
        """The code of a function and every global it names, unless a bound name takes its place."""
        self.add_text(f"{function.__module__}.{function.__qualname__}{function.__defaults__}")
        if function in self._seen:
            return
        self._seen.add(function)
        self.add_code(function.__code__)
        for name in sorted(code_names(function.__code__)):
            if name in function.__globals__ and name not in self._bound:
                self.add_text(name)
                self.add(function.__globals__[name])

    def add_code(self, code: CodeType) -> None:
        self.digest.update(code.co_code)
        self.add_text((code.co_names, code.co_varnames))
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.add_code(constant)
            else:
                self.add_text(repr(constant))


def code_names(code: CodeType) -> set[str]:
    """The names that a function and the functions inside it look up."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(code_names, inner))


# --- Numba's cache of one function, in a folder of our choice ---


def use_folder(dispatcher: Any, folder: Path) -> Any:
    """Let a dispatcher keep its code in `folder`. A folder that cannot be written means no cache, not an error.

    Numba offers one folder for the whole process (`NUMBA_CACHE_DIR`); swapping that would reach the code of others.
    """
    caching: Any = import_module("numba.core.caching")

    class Locator(caching._CacheLocator):  # type: ignore[misc]
        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return folder.name  # the name of the folder says what the code was built from

        def get_disambiguator(self) -> str:
            return str(dispatcher.py_func.__code__.co_firstlineno)

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
        def __init__(self, function: FunctionType) -> None:
            self._locator = Locator()
            self._lineno = function.__code__.co_firstlineno
            name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
            self._filename_base = f"{name}-{self._lineno}.py{sys.version_info[0]}{sys.version_info[1]}"

    class FolderCache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Implementation

    try:
        Locator().ensure_cache_path()
    except OSError:
        return dispatcher
    dispatcher._cache = FolderCache(dispatcher.py_func)
    return dispatcher


@contextmanager
def one_process(folder: Path) -> Iterator[None]:
    """Lets one process at a time compile into a folder: whoever waited finds the code there, and reads it."""
    try:
        lock = (folder / "lock").open("a")
    except OSError:  # nothing is kept here
        yield
        return
    with lock:  # closing the file gives it back, and so does the end of the process
        with suppress(ImportError):  # Windows: each process compiles for itself
            fcntl = import_module("fcntl")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def folder_of(function: FunctionType, bound: dict[str, Any]) -> Path:
    """The cache folder of a function: one for all rule sources; what they do not cover goes by its fingerprint."""
    if not bound and is_rule_source(function):
        return cache_folder() / "rules"
    return cache_folder() / f"{function.__name__}-{fingerprint(function, bound)}"
