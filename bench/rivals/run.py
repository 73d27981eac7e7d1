"""All peers, one after the other: who is there, who is missing, and what each can do on the same cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.rivals.ratio import ratios
from bench.rivals.speed import Speed
from bench.rivals.worker import usable_cores

NEEDS = {  # by file: the name of the program and the modules that the extra `peers` brings
    "ours": ("Tripot", ()),
    "openspiel": ("OpenSpiel", ("pyspiel",)),
    "pgx": ("pgx", ("pgx", "jax")),
    "rlcard": ("RLCard", ("rlcard",)),
    "pettingzoo": ("PettingZoo", ("pettingzoo", "rlcard", "pygame")),
}
QUIET = {"JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}

Report = Callable[[str], None]


@dataclass
class Comparison:
    """Everything measured in one run."""

    speeds: list[Speed] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # peers that are not installed
    failed: dict[str, str] = field(default_factory=dict)  # peers that broke, and their last words


def compare(report: Report) -> Comparison:
    """Measure whoever is there, on one core and then on all of them; `report` hears what is going on."""
    found = Comparison()
    present = []
    for program, (name, modules) in NEEDS.items():
        if all(find_spec(module) for module in modules):
            present.append(program)
        else:
            found.missing.append(name)
    for cores in sorted({1, len(usable_cores())}):
        for program in present:
            if NEEDS[program][0] not in found.failed:
                try:
                    found.speeds += listen(program, cores, report)
                except BrokenRival as broken:
                    found.failed[NEEDS[program][0]] = str(broken)
    return found


def circumstances() -> dict[str, Any]:
    """What lies under the peers, and how busy the machine is with other things: to be asked before a run."""
    found: dict[str, Any] = {"load": round(os.getloadavg()[0], 1)} if hasattr(os, "getloadavg") else {}
    with suppress(PackageNotFoundError):
        found["jax"] = version("jax")
    return found


def as_json(found: Comparison, machine: dict[str, Any]) -> dict[str, Any]:
    return {
        "machine": machine,
        "speeds": [speed.as_json() for speed in found.speeds],
        "ratios": [{**asdict(ratio), "met": ratio.met} for ratio in ratios(found.speeds)],
        "missing": found.missing,
        "failed": found.failed,
    }


class BrokenRival(RuntimeError):
    """A program's process ended badly; its last words."""


def listen(program: str, cores: int, report: Report) -> Iterator[Speed]:
    """What a program's process measures, as it comes."""
    on = f"on {cores} {'core' if cores == 1 else 'cores'}"
    report(f"{NEEDS[program][0]} {on}")
    source = str(Path(__file__).parent.parent.parent)
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "bench.rivals.worker", program, str(cores)]
    with tempfile.TemporaryFile("w+") as words:
        environment = {**os.environ, **QUIET, "PYTHONPATH": path}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=words, text=True, env=environment) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("{"):
                    speed = Speed.from_json(json.loads(line))
                    report(f"{speed.program} {on}, after {speed.game} at {speed.decisions:,.0f} decisions/s")
                    yield speed
        if process.returncode:
            words.seek(0)
            said = words.read().strip().splitlines()
            raise BrokenRival(said[-1] if said else f"ended with code {process.returncode}")
