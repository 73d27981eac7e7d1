"""Processes that start at once: one process imports a module, and forks whenever a test wants it to run.

Importing the web table takes a second of processor time, and the tests start and restart it some two hundred times.
`python -m tests.fork_server MODULE FD` is the process that forks; it ends when the other end of its socket is closed.
"""

import atexit
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
READ_AT_IMPORT = ("PYTHON", "TRIPOT", "NUMBA")  # variables that decide what is imported, by how their names begin
POLL = 0.002  # seconds


class Forked:
    """A process that was forked for this one, with what it writes."""

    def __init__(self, pid: int, output: int, errors: int) -> None:
        self.pid = pid
        self._pipes = {output: b"", errors: b""}

    def first_line(self) -> str:
        """Waits for a line of output. Returns what there is if the process ends before."""
        (output, *_), line = self._pipes, b""
        while not line.endswith(b"\n") and (part := os.read(output, 1)):
            line += part
        return line.decode()

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it has ended already
            os.kill(self.pid, number)

    def ended(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def communicate(self, timeout: float) -> str:
        """Waits for the end of the process. Returns its output and its errors."""
        end = time.monotonic() + timeout
        with selectors.DefaultSelector() as open_pipes:
            for pipe in self._pipes:
                open_pipes.register(pipe, selectors.EVENT_READ)
            while open_pipes.get_map():
                ready = open_pipes.select(end - time.monotonic())
                if not ready:
                    raise TimeoutError(f"the process {self.pid} does not end")
                for key, _ in ready:
                    part = os.read(key.fd, 1 << 16)
                    self._pipes[key.fd] += part
                    if not part:
                        open_pipes.unregister(key.fd)
                        os.close(key.fd)
        while not self.ended():  # its port is free only then
            if time.monotonic() > end:
                raise TimeoutError(f"the process {self.pid} does not end")
            time.sleep(POLL)
        said = b"".join(self._pipes.values()).decode()
        self._pipes = {}
        return said


class ForkServer:
    """The other end of a process that forks."""

    def __init__(self, module: str) -> None:
        self.made_for = module, _imported_with()
        self._line, other = socket.socketpair()
        words = [sys.executable, "-m", "tests.fork_server", module, str(other.fileno())]
        self._process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()])
        other.close()

    def fork(self, given: dict[str, Any], environment: dict[str, str]) -> Forked:
        (output, out), (errors, err) = os.pipe(), os.pipe()
        message = json.dumps([given, environment]).encode() + b"\n"
        socket.send_fds(self._line, [message], [out, err])
        os.close(out)
        os.close(err)
        pid = self._line.recv(64)
        if not pid:
            raise RuntimeError(f"{self.made_for[0]} cannot be imported")
        return Forked(int(pid), output, errors)

    def close(self) -> None:
        self._line.close()
        self._process.wait()


def _imported_with() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(READ_AT_IMPORT)}


current: ForkServer | None = None


def fork(module: str, given: dict[str, Any], environment: dict[str, str]) -> Forked:
    """Runs `module.run(given)` in a process of its own, with these variables besides those of this process."""
    global current
    if current is None or current.made_for != (module, _imported_with()):
        end()
        current = ForkServer(module)
    return current.fork(given, {**os.environ, **environment})


@atexit.register
def end() -> None:
    global current
    if current is not None:
        current.close()
        current = None


def wait_and_fork(line: socket.socket) -> dict[str, Any] | None:
    """Forks for every message. Returns in each child what it was given, and in the parent None in the end."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are forgotten at once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the tests
    while True:
        message, pipes, _, _ = socket.recv_fds(line, 1 << 16, 2)
        while message and not message.endswith(b"\n"):
            message += line.recv(1 << 16)
        if not message:
            return None
        pid = os.fork()
        if not pid:
            line.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for number, pipe in enumerate(pipes, start=1):
                os.dup2(pipe, number)
        for pipe in pipes:
            os.close(pipe)
        if not pid:
            given, environment = json.loads(message)
            os.environ.clear()
            os.environ.update(environment)
            return dict(given)
        line.send(str(pid).encode())


if __name__ == "__main__":
    wanted = importlib.import_module(sys.argv[1])
    with socket.socket(fileno=int(sys.argv[2])) as line:
        given = wait_and_fork(line)
    if given is not None:
        wanted.run(given)
