"""Games on a Dask cluster (extra `farm`). If a worker is lost, its games are played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tripot.core.native_cache import source_hash
from tripot.lab.arena.workers import Runner, Task, WorkUnit

TIMEOUT = 30  # seconds to find the scheduler, and then a first worker


class BadCluster(RuntimeError):
    """The cluster cannot be used; the message says what is missing."""


def run_on_cluster(address: str) -> Runner:
    """A runner on all workers of a cluster; `address` is its scheduler's, such as tcp://host:8786."""
    try:
        from distributed import Client
    except ImportError:
        raise BadCluster("a cluster needs the extra 'farm': pip install 'tripot[farm]'") from None

    def run(task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
        try:
            client = Client(address, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError):
            raise BadCluster(f"there is no scheduler at {address}: start one with dask scheduler") from None
        with client:
            yield from _on_workers(client, address, partial(same_source, task, source_hash()), work)

    return run


def _on_workers(client: Any, address: str, task: Task, work: Sequence[WorkUnit]) -> Iterator[Any]:
    from distributed import as_completed

    try:
        client.wait_for_workers(1, timeout=TIMEOUT)
    except TimeoutError:
        raise BadCluster(f"the scheduler at {address} has no workers: start some with dask worker {address}") from None
    futures = as_completed(client.map(task, work, pure=False), loop=client.loop)
    for future in futures:
        yield future.result()
        future.release()


def same_source(task: Task, source: str, unit: WorkUnit) -> Any:
    """Runs a task on a worker. Raises BadCluster unless it has the same source: other rules play other games."""
    if source_hash() != source:
        raise BadCluster("a worker of the cluster runs another version of tripot, Python or Numba: install the same")
    return task(unit)
