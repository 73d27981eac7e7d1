"""Compiled kernels kept on disk: compiling those of one game takes a minute, and a training run is often shorter.

A file is named after all that its kernel was built from: the sources of rules and kernels, the versions of the
compilers, the game, the arguments and the GPU's compute capability.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tripot.core.game import Game
from tripot.core.native_cache import LAYERS, PACKAGE, cache_home

KERNEL_SOURCES = ("kernels", "sorted_kernels", "seat_kernels", "copies", "bindings", "codegen", "build")
SOURCES = (*LAYERS, "lab/playout.py", "lab/one_seat.py", *(f"lab/gpu/{name}.py" for name in KERNEL_SOURCES))


@cache
def kernel_sources() -> str:
    """A hash of the sources of rules and kernels, and of what compiles them."""
    numba, cuda = import_module("numba"), import_module("numba_cuda")
    digest = hashlib.sha256(f"{sys.version_info[:2]} {numba.__version__} {cuda.__version__}".encode())
    for part in SOURCES:
        found = PACKAGE / part
        for path in [found] if found.is_file() else sorted(found.rglob("*.py")):
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def kernel_file(game: Game, kernel: str, arguments: Any, capability: tuple[int, int]) -> Path:
    """Where the code of a kernel for these arguments lies, once it has been compiled."""
    told = f"{game.rules_version} {arguments} {capability}"
    name = f"{game.name}-{kernel}-{hashlib.sha256(told.encode()).hexdigest()[:16]}"
    return cache_home() / f"gpu-{kernel_sources()}" / f"{name}.kernel"


def load_kernel(path: Path) -> Any:
    """The kernel in a file; None if there is none, or it cannot be read."""
    try:
        return pickle.loads(path.read_bytes())
    except Exception:  # written by another version, cut off, …: it is compiled again
        return None


def save_kernel(path: Path, kernel: Any) -> None:
    """Keeps a compiled kernel, without the intermediate code it came from: tens of megabytes.

    A folder that cannot be written means no cache, not an error.
    """
    code = kernel.library
    code._llvm_strs, code._ptx_cache = [], {}
    written = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written.write_bytes(import_module("numba.cuda.serialize").dumps(kernel))
        written.replace(path)
    except OSError:
        return
