"""Compact code for the GPU. By default NVVM inlines every rule into its callers and unrolls every loop. The kernel then
exceeds the instruction cache, and four fifths of all stalls are instruction fetches (measured with ncu).

So this module rewrites the text of a kernel's intermediate code (LLVM IR) before NVVM compiles it: large rule functions
are not inlined, and loops stay rolled. A function that is not inlined cannot know that its record lies in shared
memory, where addresses are short, so it is told. And negative array indices do not count from the end.

numba-cuda has no public switch for any of this. The patches replace two of its internal functions, and two more so that
it works nothing out twice (`tripot/core/native_pipeline.py`), for the thread that compiles a kernel of ours and for as
long as that takes; all other kernels of the process compile as usual.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

WRITTEN_FOR = "0.30.4"  # the version of numba-cuda whose internals are patched
NOINLINE_BYTES = 350  # of bytecode: longer functions are not inlined
ROLLED_KERNELS = (
    "play_games",
    "play_pass",
    "decide_sorted",
    "settle_sorted",
    "play_seats",
)  # the others are faster unrolled
KERNEL_MODULES = tuple(f"tripot.lab.gpu.{name}" for name in ("kernels", "sorted_kernels", "seat_kernels", "copies"))
UNROLLED = "3gpu6copies"  # part of the mangled names of functions whose loops are unrolled in every kernel
FIRST_METADATA = 900_000  # number of our first metadata node, far from the compiler's
SHARED_MEMORY = '@"tripot_shared" = external addrspace(3) global [0 x i32], align 16'
_SHARED = re.compile(r'^@"_cudapy_smem_\d+" = external addrspace\(3\) global \[0 x .*$', re.MULTILINE)
_SHARED_USED = re.compile(r'\[0 x \S.*?\] addrspace\(3\)\* @"_cudapy_smem_\d+"')
_LABEL = re.compile(r'^"?([^\s":]+)"?:')
_RECORD = re.compile(r'\[(\d+) x i8\]\* %"(\w+)"')
_TARGET = re.compile(r'label %"?([^\s",]+)"?')
_LOCK = threading.RLock()  # held while the patches are applied


@dataclass(frozen=True)
class Rewrite:
    """How the intermediate code of one kernel is rewritten."""

    noinline: frozenset[str]  # parts of the mangled names of functions that are not inlined
    record_bytes: int  # records of this size lie in shared memory
    rolled: bool  # whether loops stay rolled

    @staticmethod
    def of(kernel: str, functions: Iterable[FunctionType], record_bytes: int) -> Rewrite:
        noinline = {
            f"{len(f.__name__)}{f.__name__}B"
            for f in functions
            if len(f.__code__.co_code) > NOINLINE_BYTES and f.__module__ not in KERNEL_MODULES
        }
        return Rewrite(frozenset(noinline), record_bytes, kernel in ROLLED_KERNELS)

    def __call__(self, code: str) -> str:
        lines = unify_shared_memory(code).split("\n")
        marked = [mark_noinline(line, self.noinline) if line.startswith("define ") else line for line in lines]
        annotated = annotate_shared_records("\n".join(marked), self.record_bytes)
        return keep_loops_rolled(annotated) if self.rolled else annotated


# --- The text of the intermediate code ---


def mark_noinline(line: str, names: frozenset[str]) -> str:
    """Marks the function that this line defines as `noinline` if it has one of these names."""
    head, quote, rest = line.partition("(")
    if not any(name in head for name in names) or "noinline" in line:
        return line
    return head + quote + re.sub(r"\)([^)]*)$", r") noinline\1", rest)


def keep_loops_rolled(code: str) -> str:
    """Marks every backward jump so that its loop is not unrolled."""
    lines, metadata, seen, unrolled = [], list[str](), set[str](), False
    for line in code.split("\n"):
        if line.startswith("define "):
            seen, unrolled = set(), UNROLLED in line
        elif unrolled:
            pass
        elif found := _LABEL.match(line):
            seen.add(found[1])
        elif line.lstrip().startswith("br ") and any(target in seen for target in _TARGET.findall(line)):
            number = FIRST_METADATA + 1 + len(metadata)
            line += f", !llvm.loop !{number}"
            metadata.append(f"!{number} = distinct !{{!{number}, !{FIRST_METADATA}}}")
        lines.append(line)
    if metadata:
        metadata.append(f'!{FIRST_METADATA} = !{{!"llvm.loop.unroll.disable"}}')
    return "\n".join([*lines, *metadata])


def unify_shared_memory(code: str) -> str:
    """Gives a block's dynamic shared memory one name; numba-cuda declares a new one for each use.

    The compiler takes different names for different memory, and would forget that words and bytes are the same.
    """
    if not _SHARED.search(code):
        return code
    used = _SHARED_USED.sub('[0 x i32] addrspace(3)* @"tripot_shared"', code)
    return _SHARED.sub("", used) + f"\n{SHARED_MEMORY}\n"


def annotate_shared_records(code: str, record_bytes: int) -> str:
    """Tells each `noinline` function that its records of this size lie in shared memory.

    This takes inline assembly: the compiler drops a cast to shared memory and back as one without effect.
    """
    lines, records = list[str](), list[str]()
    kind = f"[{record_bytes} x i8]"
    for line in code.split("\n"):
        if line.startswith("define ") and "noinline" in line:
            records = [name for size, name in _RECORD.findall(line) if int(size) == record_bytes]
            for name in records:
                line = line.replace(f'{kind}* %"{name}"', f'{kind}* %"{name}.anywhere"')
        lines.append(line)
        if line.startswith("entry:"):
            for name in records:
                convert = f'asm "cvta.to.shared.u64 $0, $1;", "=l,l"({kind}* %"{name}.anywhere")'
                lines.append(f'  %"{name}.shared" = call {kind} addrspace(3)* {convert}')
                lines.append(f'  %"{name}" = addrspacecast {kind} addrspace(3)* %"{name}.shared" to {kind}*')
            records = []
    return "\n".join(lines)


# --- Inside numba-cuda ---


def widen_integers(dispatcher: Any) -> Any:
    """Makes a device function compile once for integers of every width: callers widen narrow arguments to int64."""
    types: Any = import_module("numba.core.types")
    compile_device: Callable[..., Any] = dispatcher.compile_device

    def compile_widened(arguments: tuple[Any, ...], return_type: Any = None) -> Any:
        return compile_device(
            tuple(
                types.int64 if isinstance(kind, types.Integer | types.Boolean | types.IntEnumMember) else kind
                for kind in arguments
            ),
            return_type,
        )

    dispatcher.compile_device = compile_widened
    return dispatcher


def keep_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Widens an array index, and does no more.

    Python counts a negative index from the end, which takes a comparison, a selection and an addition for every index.
    No rule uses one; if one did, the checksum would differ from that of the other engines.
    """
    types: Any = import_module("numba.core.types")
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def compile_rewritten(dispatcher: Any, rewrite: Rewrite) -> Any:
    """Makes a kernel compile with the patches, for whatever arguments it is launched with first."""
    compile_plain: Callable[..., Any] = dispatcher.compile

    def compile_patched(signature: Any) -> Any:
        with patched(rewrite):
            return compile_plain(signature)

    dispatcher.compile = compile_patched
    return dispatcher


@contextmanager
def patched(rewrite: Rewrite) -> Iterator[None]:
    """Patches numba-cuda for this thread until the block ends. Other threads compile without the patches."""
    if not patches_fit(numba_cuda_version()):
        yield
        return
    from tripot.core.native_pipeline import no_garbage

    with _LOCK, no_garbage(), ExitStack() as undone:
        for place, name, ours in (*rewriting(rewrite), *remembering()):
            plain = getattr(place, name)
            undone.callback(setattr, place, name, plain)
            setattr(place, name, in_this_thread(ours(plain), plain))
        yield


def in_this_thread(ours: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    thread = threading.get_ident()

    def choose(*arguments: Any, **named: Any) -> Any:
        return (ours if threading.get_ident() == thread else plain)(*arguments, **named)

    return choose


Patch = tuple[Any, str, Callable[[Callable[..., Any]], Callable[..., Any]]]  # where, what, and ours from theirs


def rewriting(rewrite: Rewrite) -> Iterable[Patch]:
    """The patches that change the code of a kernel."""

    def rewritten(compile_ir: Callable[..., Any]) -> Callable[..., Any]:
        def compile_here(codes: Any, **settings: Any) -> Any:
            return compile_ir([rewrite(code) for code in ([codes] if isinstance(codes, str) else codes)], **settings)

        return compile_here

    yield import_module("numba.cuda.cudadrv.nvvm"), "compile_ir", rewritten
    yield import_module("numba.cuda.np.arrayobj"), "fix_integer_index", lambda _: keep_index


def remembering() -> Iterable[Patch]:
    """The patches that change no code: a kernel compiles in four fifths of the time."""
    from tripot.core.native_pipeline import Functions, remember_refusals, remember_types

    def remembered(resolve: Callable[..., Any]) -> Callable[..., Any]:
        types_of = remember_types(lambda function, *asked: function.get_call_type(*asked))

        def resolve_here(context: Any, function: Any, args: Any, kws: Any, literals: Any = None) -> Any:
            known = context._lookup_global(function) or function
            if isinstance(known, Functions):
                return types_of(known, context, args, kws)
            return resolve(context, function, args, kws, literals)

        return resolve_here

    yield import_module("numba.cuda.typing.context").BaseContext, "_resolve_user_function_type", remembered
    yield import_module("numba.cuda.core.base").BaseContext, "get_function", remember_refusals


def numba_cuda_version() -> str:
    try:
        return str(import_module("numba_cuda").__version__)
    except (ImportError, AttributeError):
        return "of an unknown version"


@cache
def patches_fit(version: str) -> bool:
    """Whether the patches were written for this version of numba-cuda; warns once if not."""
    if version == WRITTEN_FOR:
        return True
    warnings.warn(
        f"numba-cuda {version} is not {WRITTEN_FOR}: Tripot's kernels compile without their optimisations and are slow",
        RuntimeWarning,
        stacklevel=2,
    )
    return False
