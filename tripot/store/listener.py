"""The PostgreSQL listener: receives what other processes changed, and reconnects when its connection is lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from tripot.store.processes import CHANNEL, DATABASE_ERRORS, NO_PROCESS, SAID, Processes
from tripot.store.store import Store

RETRY_SECONDS = 0.5
logger = logging.getLogger(__name__)


class Notification(NamedTuple):
    """A table has changed. `bot_process` is the process that must run a bot now, or None."""

    table_id: str
    version: int
    bot_process: str | None


async def listen(
    store: Store,
    on_change: Callable[[Notification], None],
    on_said: Callable[[str, int, str], None],
    on_gap: Callable[[], None],
    seconds: float,
) -> None:
    """Calls `on_change` for every change made by another process, `on_said` for every phrase. Never returns.

    Calls `on_gap` whenever notifications may have been missed. Tests the connection every `seconds`, and replaces it
    when it is lost.
    """
    assert store.processes is not None
    while True:
        try:
            await _listen(store, store.processes, on_change, on_said, on_gap, seconds)
        except DATABASE_ERRORS as error:
            store.failures += 1
            logger.warning("cannot listen for changes by other processes, trying again: %s", type(error).__name__)
        await asyncio.sleep(RETRY_SECONDS)


async def _listen(
    store: Store,
    processes: Processes,
    on_change: Callable[[Notification], None],
    on_said: Callable[[str, int, str], None],
    on_gap: Callable[[], None],
    seconds: float,
) -> None:
    def said(_connection: Any, _process: int, _channel: str, payload: str) -> None:
        origin, table_id, seat, phrase = payload.split(" ")
        if origin != processes.name:
            on_said(table_id, int(seat), phrase)

    def notified(_connection: Any, _process: int, _channel: str, payload: str) -> None:
        origin, table_id, version, bot_process = payload.split(" ")
        if origin != processes.name:
            on_change(Notification(table_id, int(version), None if bot_process == NO_PROCESS else bot_process))

    async with store.engine.connect() as db:
        driver: Any = (await db.get_raw_connection()).driver_connection
        try:
            lost = asyncio.Event()
            driver.add_termination_listener(lambda _: lost.set())
            await driver.add_listener(CHANNEL, notified)
            await driver.add_listener(SAID, said)
            on_gap()  # notifications sent before this connection listened are lost
            while not lost.is_set():
                try:
                    async with asyncio.timeout(seconds):
                        await lost.wait()
                except TimeoutError:
                    # A second LISTEN changes nothing, tests the connection and shows up in pg_stat_activity.
                    await driver.execute(f"LISTEN {CHANNEL}", timeout=seconds + 5)
        finally:
            await db.invalidate()  # a connection that listens must not return to the pool
