"""Measures one program in this process, pinned to some cores: `python -m bench.rivals.worker PROGRAM CORES`.

Prints every measurement as one line of JSON as soon as it is taken.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module


def usable_cores() -> list[int]:
    """The cores this process may use, by number."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


def main(program: str, cores: int) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(usable_cores()[-cores:]))  # before libraries count the cores
    for speed in import_module(f"bench.rivals.{program}").speeds(cores):
        print(json.dumps(speed.as_json()), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
