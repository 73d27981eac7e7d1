"""The GPU of this machine: whether there is one, numba-cuda to drive it, and the limits kernels are planned for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

DEVICES = ("cpu", "cuda")
NEEDS = "the gpu engine needs an NVIDIA GPU with its driver and the extra 'gpu' (numba-cuda)"
WARP = 32  # threads that run in lockstep
SHARED_BYTES = 48 * 1024  # shared memory that a block gets without opting in to more
MULTIPROCESSOR_BYTES = 220 * 1024  # shared memory of an H200's multiprocessor that blocks can use


class EngineMissing(RuntimeError):
    """This machine cannot run the GPU engine; the message says what is missing."""


def check_device(device: str) -> str:
    """The device; raises ValueError unless environments can lie there."""
    if device not in DEVICES:
        raise ValueError(f"there is no device '{device}': choose {' or '.join(DEVICES)}")
    return device


def require_gpu() -> Any:
    """Returns the numba-cuda module; raises EngineMissing if there is none or it finds no GPU."""
    try:
        with row_stack_provided():
            cuda: Any = import_module("numba.cuda")
    except ImportError as error:
        raise EngineMissing(f"{NEEDS}: {error}") from None
    if not hasattr(cuda, "__version__") and not _is_numba_cuda(cuda):
        raise EngineMissing(f"{NEEDS}: numba-cuda is not installed")
    try:
        found = cuda.is_available()
    except Exception as error:  # the driver's own errors have no common base
        raise EngineMissing(f"{NEEDS}: {error}") from None
    if not found:
        raise EngineMissing(f"{NEEDS}: no usable GPU was found")
    return cuda


def _is_numba_cuda(cuda: Any) -> bool:
    return "numba_cuda" in (getattr(cuda, "__file__", "") or "") or "simulator" in (getattr(cuda, "__name__", "") or "")


@contextmanager
def row_stack_provided() -> Iterator[None]:
    """Provides `np.row_stack` while numba-cuda is imported.

    NumPy 2.5 removed this alias of `np.vstack`. numba-cuda 0.30 names it once, in a module that it imports with its
    first kernel, and never calls it: so that module is imported here too.
    """
    if np.lib.NumpyVersion(np.__version__) < "2.5.0" or hasattr(np, "row_stack"):
        yield
        return
    np.row_stack = np.vstack
    try:
        yield
        import_module("numba.cuda.np.arrayobj")
    finally:
        del np.row_stack
