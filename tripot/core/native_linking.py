"""How compiled functions are put together: those that only native code calls are optimised with their callers.

Numba optimises every function together with all that it calls, makes machine code of it, and does so again one level
further up: with rules of a hundred small functions that is most of the compiler's time. Here such a function stays as
it was lowered, and what calls it links it and all that it calls in turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

JITCodeLibrary: Any = import_module("numba.core.codegen").JITCodeLibrary  # as good as untyped


class CalledLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A function that only native code calls: no machine code of its own."""

    environment: tuple[str, Any]  # where Numba keeps the objects that its code names, by the name of a global

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # as Numba says where there is no wrapper for Python

    @property
    def codegen(self) -> CalledLibrary:
        """What Numba asks to set the environment of a function that is ready to be called: this one never is."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        self.environment = name, environment


class WholeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A function with all that it calls, directly or not."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        self._linking_libraries = list(_with_all_called(self._linking_libraries))
        super().finalize()
        for library in self._linking_libraries:
            if isinstance(library, CalledLibrary):
                self._codegen.set_env(*library.environment)


def _with_all_called(libraries: Iterable[Any]) -> Iterable[Any]:
    seen: set[Any] = set()
    waiting = list(libraries)[::-1]
    while waiting:
        library = waiting.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, CalledLibrary):  # any other has linked what it calls
                waiting += library._linking_libraries[::-1]
