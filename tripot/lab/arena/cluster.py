"""Games on a Dask cluster (extra `farm`). A worker that is lost loses nothing: its games are played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tripot.core.jit import source_hash
from tripot.lab.arena.workers import Runner, Task, WorkUnit

PATIENCE = 30  # seconds to find the scheduler and a first worker


class BadCluster(RuntimeError):
    """A cluster that cannot be used; the message says what is missing."""


def run_on_cluster(address: str) -> Runner:
    """On all workers of the cluster whose scheduler has this address, say tcp://host:8786."""
    try:
        from distributed import Client
    except ImportError:
        raise BadCluster("a cluster needs the extra 'farm': pip install 'tripot[farm]'") from None

    def run(task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
        try:
            client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError):
            raise BadCluster(f"there is no scheduler at {address}: start one with dask scheduler") from None
        with client:
            yield from _on_workers(client, address, partial(same_source, task, source_hash()), work)

    return run


def _on_workers(client: Any, address: str, task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
    from distributed import as_completed

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise BadCluster(f"the scheduler at {address} has no workers: start some with dask worker {address}") from None
    waiting = as_completed(client.map(task, work, pure=False), loop=client.loop)
    for future in waiting:
        yield future.result()
        future.release()


def same_source(task: Task, source: str, unit: WorkUnit) -> Any:
    """Do a task on a worker, if it runs the very same program: games of other rules are not to be counted."""
    if source_hash() != source:
        raise BadCluster("a worker of the cluster runs another version of tripot, Python or Numba: install the same")
    return task(unit)
