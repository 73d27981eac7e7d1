"""The bell: hears what other processes have changed in a PostgreSQL database, through lost connections too."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from asyncpg import InterfaceError, PostgresError
from sqlalchemy.exc import SQLAlchemyError

from tripot.store.processes import CHANNEL, Processes
from tripot.store.store import Store

RETRY_SECONDS = 0.5
logger = logging.getLogger(__name__)


class Notification(NamedTuple):
    """A table has changed; `keeper` is the process whose bots are now to decide, if any are."""

    table_id: str
    version: int
    keeper: str | None


async def listen(
    store: Store, heard: Callable[[Notification], None], missed: Callable[[], None], seconds: float
) -> None:
    """Call `heard` for every change made elsewhere; `missed` whenever some may have gone unheard. Never ends.

    The connection is tried every few `seconds`; when it is lost, another one listens.
    """
    assert store.processes is not None
    while True:
        try:
            await _listen(store, store.processes, heard, missed, seconds)
        except (SQLAlchemyError, OSError, PostgresError, InterfaceError) as error:
            store.failures += 1
            logger.warning("changes made by other processes are not heard, trying again: %s", type(error).__name__)
        await asyncio.sleep(RETRY_SECONDS)


async def _listen(
    store: Store, peers: Processes, heard: Callable[[Notification], None], missed: Callable[[], None], seconds: float
) -> None:
    def rang(_connection: Any, _process: int, _channel: str, said: str) -> None:
        origin, table_id, version, keeper = said.split(" ")
        if origin != peers.name:
            heard(Notification(table_id, int(version), None if keeper == "-" else keeper))

    async with store.engine.connect() as db:
        driver: Any = (await db.get_raw_connection()).driver_connection
        try:
            lost = asyncio.Event()
            driver.add_termination_listener(lambda _: lost.set())
            await driver.add_listener(CHANNEL, rang)
            missed()  # whatever was said before we listened
            while not lost.is_set():
                try:
                    async with asyncio.timeout(seconds):
                        await lost.wait()
                except TimeoutError:
                    # to listen twice changes nothing, and whoever looks into the database sees who listens
                    await driver.execute(f"LISTEN {CHANNEL}", timeout=seconds + 5)
        finally:
            await db.invalidate()  # a connection that listens goes back to nobody
