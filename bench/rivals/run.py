"""Measures all installed programs, one after the other, on the same cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.rivals.ratio import ratios
from bench.rivals.speed import Speed
from bench.rivals.worker import usable_cores

NEEDS = {  # by file: the name of the program and the modules that the extra `peers` installs
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
    missing: list[str] = field(default_factory=list)  # programs that are not installed
    failed: dict[str, str] = field(
        default_factory=dict
    )  # programs that failed, with the last line of their error output


def compare(report: Report) -> Comparison:
    """Measures every installed program on one core, then on all cores; calls `report` with what it is measuring."""
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
    """The load of the machine before a run, and JAX's version."""
    found: dict[str, Any] = {"load": round(os.getloadavg()[0], 1)} if hasattr(os, "getloadavg") else {}
    with suppress(PackageNotFoundError):
        found["jax"] = version("jax")
    return found


def as_json(found: Comparison, machine: dict[str, Any]) -> dict[str, Any]:
    return {
        "machine": machine,
        "speeds": [speed.as_json() for speed in found.speeds],
        "ratios": [ratio.as_json() for ratio in ratios(found.speeds)],
        "missing": found.missing,
        "failed": found.failed,
    }


class BrokenRival(RuntimeError):
    """A program's process failed; the message is the last line of its error output."""


def listen(program: str, cores: int, report: Report) -> Iterator[Speed]:
    """Yields the measurements of a program's process as they arrive. Raises BrokenRival if it fails."""
    on = f"on {cores} {'core' if cores == 1 else 'cores'}"
    report(f"{NEEDS[program][0]} {on}")
    source = str(Path(__file__).parent.parent.parent)
    hearts = str(Path(source) / "examples" / "hearts" / "src")
    path = os.pathsep.join(filter(None, (source, hearts, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "bench.rivals.worker", program, str(cores)]
    with tempfile.TemporaryFile("w+") as errors:
        environment = {**os.environ, **QUIET, "PYTHONPATH": path}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("{"):
                    speed = Speed.from_json(json.loads(line))
                    report(f"{speed.program} {on}, after {speed.game} at {speed.decisions:,.0f} decisions/s")
                    yield speed
        if process.returncode:
            errors.seek(0)
            lines = errors.read().strip().splitlines()
            raise BrokenRival(lines[-1] if lines else f"exit code {process.returncode}")
