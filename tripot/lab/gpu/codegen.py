"""Small code for the GPU. Left alone, the compiler copies every rule into its callers and unrolls every loop: the
kernel grows past the instruction cache, and four fifths of all waiting is for instructions (seen with ncu).

Here the text of the intermediate code is changed before NVVM compiles it: large rule functions stay apart, and loops
stay loops. A function that stays apart is told that the record it works on lies in shared memory, where addresses are
short; it could not know. And an index is taken as it is, not first asked whether it counts from the end. numba-cuda has
no public switch for any of this, so this reaches inside it; the extra `gpu` pins its version.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from types import FunctionType
from typing import Any

LARGE = 350  # bytes of bytecode
ROLLED = (  # in the name of a kernel whose loops stay loops; the others are faster with them unrolled
    "play_games",
    "advance",
    "take_ordered",
    "proceed_ordered",
)
OUR_OWN = (
    "tripot.lab.gpu.kernels",
    "tripot.lab.gpu.sorted_kernels",
    "tripot.lab.gpu.copies",
)  # called once a kernel: no need to stay apart
UNROLLED = "3gpu6copies"  # in the mangled name of what is unrolled nevertheless
FIRST_NOTE = 900_000  # metadata numbers of ours, far from the compiler's
ONE_SHARED = '@"tripot_shared" = external addrspace(3) global [0 x i32], align 16'
_SHARED = re.compile(r'^@"_cudapy_smem_\d+" = external addrspace\(3\) global \[0 x .*$', re.MULTILINE)
_SHARED_USED = re.compile(r'\[0 x \S.*?\] addrspace\(3\)\* @"_cudapy_smem_\d+"')
_LABEL = re.compile(r'^"?([^\s":]+)"?:')
_RECORD = re.compile(r'\[(\d+) x i8\]\* %"(\w+)"')
_TARGET = re.compile(r'label %"?([^\s",]+)"?')


def large(functions: Iterable[FunctionType]) -> set[str]:
    """The names of functions worth keeping apart, as they stand in mangled names."""
    return {
        f"{len(f.__name__)}{f.__name__}B"
        for f in functions
        if len(f.__code__.co_code) > LARGE and f.__module__ not in OUR_OWN
    }


def keep_apart(line: str, names: set[str]) -> str:
    """Forbid copying the function that this line defines into its callers, if it is a large one."""
    head, quote, rest = line.partition("(")
    if not any(name in head for name in names) or "noinline" in line:
        return line
    return head + quote + re.sub(r"\)([^)]*)$", r") noinline\1", rest)


def keep_loops(code: str) -> str:
    """Mark every jump backwards so that its loop is not unrolled."""
    lines, notes, seen, unrolled = [], list[str](), set[str](), False
    for line in code.split("\n"):
        if line.startswith("define "):
            seen, unrolled = set(), UNROLLED in line
        elif unrolled:
            pass
        elif found := _LABEL.match(line):
            seen.add(found[1])
        elif line.lstrip().startswith("br ") and any(target in seen for target in _TARGET.findall(line)):
            number = FIRST_NOTE + 1 + len(notes)
            line += f", !llvm.loop !{number}"
            notes.append(f"!{number} = distinct !{{!{number}, !{FIRST_NOTE}}}")
        lines.append(line)
    if notes:
        notes.append(f'!{FIRST_NOTE} = !{{!"llvm.loop.unroll.disable"}}')
    return "\n".join([*lines, *notes])


def share_once(code: str) -> str:
    """One name for a block's shared memory, where numba-cuda gives it another each time it is asked for.

    The compiler takes different names for different places, and would forget that words and bytes are the same.
    """
    if not _SHARED.search(code):
        return code
    used = _SHARED_USED.sub('[0 x i32] addrspace(3)* @"tripot_shared"', code)
    return _SHARED.sub("", used) + f"\n{ONE_SHARED}\n"


def say_shared(code: str, record_bytes: set[int]) -> str:
    """Tell each function kept apart that the records handed to it, known by their size, lie in shared memory.

    It is said in assembly: the compiler would drop a cast to shared memory and back as one that does nothing.
    """
    lines, told = list[str](), list[tuple[str, str]]()
    for line in code.split("\n"):
        if line.startswith("define ") and "noinline" in line:
            told = [(size, name) for size, name in _RECORD.findall(line) if int(size) in record_bytes]
            for size, name in told:
                line = line.replace(f'[{size} x i8]* %"{name}"', f'[{size} x i8]* %"{name}.anywhere"')
        lines.append(line)
        if line.startswith("entry:"):
            for size, name in told:
                kind = f"[{size} x i8]"
                said = f'asm "cvta.to.shared.u64 $0, $1;", "=l,l"({kind}* %"{name}.anywhere")'
                lines.append(f'  %"{name}.shared" = call {kind} addrspace(3)* {said}')
                lines.append(f'  %"{name}" = addrspacecast {kind} addrspace(3)* %"{name}.shared" to {kind}*')
            told = []
    return "\n".join(lines)


def make_small(code: str, names: set[str], record_bytes: set[int], rolled: bool) -> str:
    """Intermediate code with its large functions kept apart, and its loops kept loops if they are to be rolled."""
    lines = [keep_apart(line, names) if line.startswith("define ") else line for line in share_once(code).split("\n")]
    apart = say_shared("\n".join(lines), record_bytes)
    return keep_loops(apart) if rolled else apart


def one_width(dispatcher: Any) -> Any:
    """A device function built once for all widths of number: narrow arguments are widened where it is called."""
    types: Any = import_module("numba.core.types")
    compile_exactly: Callable[..., Any] = dispatcher.compile_device

    def compile_wide(arguments: tuple[Any, ...], return_type: Any = None) -> Any:
        return compile_exactly(
            tuple(
                types.int64 if isinstance(kind, types.Integer | types.Boolean | types.IntEnumMember) else kind
                for kind in arguments
            ),
            return_type,
        )

    dispatcher.compile_device = compile_wide
    return dispatcher


def index_as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index for numba-cuda's arrays, widened and no more.

    Python counts a negative one from the end: a comparison, a selection and an addition for every index. No rule uses
    one, and what would show it if one did is the checksum, which must be that of the other engines.
    """
    types: Any = import_module("numba.core.types")
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def install(names: set[str], record_bytes: int) -> None:
    """From now on numba-cuda compiles with thrift; further names, and sizes of games' records, may be added."""
    nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
    if hasattr(nvvm, "thrifty_names"):
        nvvm.thrifty_names |= names
        nvvm.thrifty_records |= {record_bytes}
        return
    nvvm.thrifty_names, nvvm.thrifty_records = set(names), {record_bytes}
    arrays: Any = import_module("numba.cuda.np.arrayobj")
    arrays.fix_integer_index = index_as_it_is
    compile_plain: Callable[..., Any] = nvvm.compile_ir

    def compile_small(codes: Any, **settings: Any) -> Any:
        several = [codes] if isinstance(codes, str) else codes
        rolled = any(name in code for code in several for name in ROLLED)
        known = (nvvm.thrifty_names, nvvm.thrifty_records)
        return compile_plain([make_small(code, *known, rolled) for code in several], **settings)

    nvvm.compile_ir = compile_small
