"""A measured child process: its memory and CPU time, read from /proc."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
ROOT = Path(__file__).parent.parent.parent


class Measured:
    """A child process that reads and writes lines."""

    def __init__(self, words: Sequence[str], folder: Path = ROOT) -> None:
        self._process = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def line(self) -> str:
        """Returns the next line of its output. Raises RuntimeError if it has ended."""
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            raise RuntimeError(f"{self._process.args!r} ended with code {self._process.wait()}")
        return said.strip()

    def ask(self, word: str) -> dict[str, Any]:
        """Sends a line and returns the JSON that answers it."""
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        return self.answer()

    def answer(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.line())
        if found.get("problems"):
            raise RuntimeError(f"the load generator reported: {found['problems']}")
        return found

    @property
    def memory(self) -> int:
        """Resident bytes."""
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * PAGE

    @property
    def seconds(self) -> float:
        """CPU time of all threads."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def waited(self) -> float:
        """Seconds for which its first thread was ready to run and had no core."""
        return int(Path(f"/proc/{self._process.pid}/schedstat").read_text().split()[1]) / 1e9

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
