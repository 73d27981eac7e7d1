"""Kernels of a game: the rules put into a kernel's open names, compiled by numba-cuda at the first launch."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import FunctionType
from typing import Any

from tripot.core import jit
from tripot.core.game import Game
from tripot.lab.gpu import codegen
from tripot.lab.gpu.bindings import Sizes, bindings
from tripot.lab.gpu.device import require_gpu
from tripot.lab.gpu.kernel_cache import kernel_file, load_kernel, save_kernel

_KERNELS: dict[tuple[int, str], tuple[Game, Any]] = {}  # by identity: two rule books may have one name
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Kernel:
    """A kernel whose calls lead to device functions, and how its intermediate code is rewritten."""

    function: FunctionType
    rewrite: codegen.Rewrite


def build(game: Game, kernel: Callable[..., Any], simulated: bool = False, **bound: Any) -> Kernel:
    """Builds a kernel for a game. `bound` gives open names, or functions, another meaning."""
    done: dict[Any, Any] = {}
    device_function = import_module("numba.cuda").jit(device=True)

    def wrap(function: FunctionType) -> Any:
        if function.__name__ == kernel.__name__:
            return function
        if simulated and "cuda" not in function.__code__.co_names:
            return function  # a device function of the simulator looks for `cuda` at every call
        return device_function(function) if simulated else codegen.widen_integers(device_function(function))

    built: FunctionType = jit.rebuild(kernel, wrap, {**bindings(game, simulated), **bound}, done)
    called = [function for function in done if function is not kernel]
    return Kernel(built, codegen.Rewrite.of(kernel.__name__, called, 4 * Sizes.of(game).state_words))


def find_kernel(name: str) -> Callable[..., Any]:
    """Returns the source of the kernel with this name."""
    from tripot.lab.gpu import kernels, seat_kernels, sorted_kernels

    found: Callable[..., Any] = next(
        vars(module)[name] for module in (kernels, sorted_kernels, seat_kernels) if name in vars(module)
    )
    return found


def kernel_of(game: Game, name: str) -> Any:
    """Returns the kernel as a dispatcher of numba-cuda, the same one for every caller."""
    cuda = require_gpu()
    with _LOCK:
        if (id(game), name) not in _KERNELS:
            kernel = build(game, find_kernel(name))
            dispatcher = codegen.compile_rewritten(cuda.jit(kernel.function), kernel.rewrite)
            _KERNELS[id(game), name] = game, keep_compiled(dispatcher, game, name, capability_of(cuda))
        return _KERNELS[id(game), name][1]


def capability_of(cuda: Any) -> tuple[int, int]:
    major, minor = cuda.get_current_device().compute_capability
    return major, minor


def keep_compiled(dispatcher: Any, game: Game, name: str, capability: tuple[int, int]) -> Any:
    """Lets a kernel be read from the cache on disk instead of compiled, and be kept there."""
    compile_now: Callable[..., Any] = dispatcher.compile

    def compile_or_load(signature: Any) -> Any:
        path = kernel_file(game, name, signature, capability)
        kernel = load_kernel(path)
        if kernel is not None:
            dispatcher.add_overload(kernel, tuple(signature))
            return kernel
        kernel = compile_now(signature)
        save_kernel(path, kernel)
        return kernel

    dispatcher.compile = compile_or_load
    return dispatcher


def launcher(game: Game, name: str, blocks: int, block: int, shared: int = 0, stream: Any = 0) -> Any:
    """Returns the kernel with its launch configuration. Suppresses numba-cuda's low-occupancy warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kernel_of(game, name)[blocks, block, stream, shared]
