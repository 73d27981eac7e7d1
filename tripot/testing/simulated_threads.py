"""The threads of a block in numba-cuda's simulator, one at a time.

The simulator starts all threads of a block and looks at each of them again and again until all have ended. Python runs
one thread at a time, so looking takes more processor time than the kernels do, and the order of the threads is left to
chance. Here a thread runs until it ends or waits for its block; then it is the next one's turn.
"""

import threading
from importlib import import_module
from typing import Any

import numpy as np

simulator: Any = import_module("numba.cuda.simulator.kernel")


class TurnThread(simulator.BlockThread):  # type: ignore[misc]
    """A thread of the simulator that says when its turn is over."""

    syncthreads_blocked: bool
    abort: bool

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.turn_over = threading.Event()

    def run(self) -> None:
        super().run()
        self.turn_over.set()

    def syncthreads(self) -> None:
        self.syncthreads_blocked = True
        self.turn_over.set()
        self.syncthreads_event.wait()
        self.syncthreads_event.clear()
        if self.abort:
            raise RuntimeError("another thread of the block has failed")

    def take_turn(self) -> None:
        """Runs until the thread ends or waits for its block; raises what it raised."""
        self.turn_over.clear()
        if self.syncthreads_blocked:
            self.syncthreads_blocked = False
            self.syncthreads_event.set()
        else:
            self.start()
        self.turn_over.wait()
        if self.exception:
            error, trace = self.exception
            raise error.with_traceback(trace)


def run_in_turns(manager: Any, grid_point: tuple[int, ...], *arguments: Any) -> None:
    """Runs a block of the simulator: what `BlockManager.run` does."""

    def target() -> None:
        manager._f(*arguments)

    places = np.ndindex(*manager._block_dim)
    threads = [TurnThread(target, manager, grid_point, place, manager._debug) for place in places]
    try:
        while threads:
            for thread in threads:
                thread.take_turn()
            threads = [thread for thread in threads if thread.syncthreads_blocked]
    except BaseException:
        for thread in threads:
            thread.abort = True
            thread.syncthreads_event.set()
        raise


def threads_take_turns() -> None:
    """Lets the simulator run every block in turns, from now on."""
    simulator.BlockManager.run = run_in_turns
