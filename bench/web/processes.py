"""Several servers on one PostgreSQL at full load: `python -m bench.web.processes postgresql://… --most 2`.

Every server has tables and a load generator of its own. The database should have `fsync` on; the page says what it has.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bench.page import write_section
from bench.web.measure import Played, our_load, our_server, under
from bench.web.page import machine, number
from bench.web.process import Measured
from tripot.store.store import StoreFailed, open_store


def measure(database: str, servers: int, tables: int, seconds: float) -> list[Played]:
    """Plays at full load on this many servers at once."""
    with ExitStack() as stack:
        running = [stack.enter_context(our_server(database)) for _ in range(servers)]
        pairs = [(server, our_load(address, tables // servers)) for server, address in running]
        for _, generator in pairs:
            stack.callback(generator.stop)
            generator.answer()
        found: list[Played] = []

        def play(server: Measured, generator: Measured) -> None:
            found.append(under(server, generator, f"saturate {seconds}"))

        threads = [threading.Thread(target=play, args=pair) for pair in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found


async def setting(database: str, name: str) -> str:
    """Returns a setting of the database server."""
    store = await open_store(database)
    async with store.engine.connect() as db:
        found = await db.scalar(text(f"SHOW {name}"))
    await store.close()
    return str(found)


def section(rows: dict[int, list[Played]], tables: int, given: dict[str, str], load: float) -> str:
    lines = [
        f"`python -m bench.web.processes`, on {machine()}; load average before the start {load:.1f}. PostgreSQL with "
        f"{', '.join(f'`{name} = {value}`' for name, value in given.items())}, on the same cores, as are the load "
        f"generators. {tables} tables in all, every seat connected.",
        "",
        "| servers | decisions a second | CPU time of the servers per decision, ms | 99% within, ms |",
        "|---:|---:|---:|---:|",
    ]
    for servers, played in rows.items():
        rate = sum(float(one.answer["per_second"]) for one in played)
        cpu = sum(one.cpu for one in played) * 1000 / rate
        slowest = max(float(one.answer["p99"]) for one in played)
        lines.append(f"| {servers} | {number(rate)} | {cpu:.2f} | {number(slowest)} |")
    return "\n".join(lines)


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    given.add_argument("database", help="the address of an empty database")
    given.add_argument("--most", type=int, default=os.cpu_count() or 2, help="servers at once")
    given.add_argument("--tables", type=int, default=400)
    given.add_argument("--seconds", type=float, default=20)
    given.add_argument("--write", type=Path, metavar="FILE", help="write the section into this page")
    wanted: Any = given.parse_args()
    load = os.getloadavg()[0]
    try:
        settings = {name: asyncio.run(setting(wanted.database, name)) for name in ("fsync", "synchronous_commit")}
    except StoreFailed as error:
        print(error, file=sys.stderr)
        return 1
    rows = {
        count: measure(wanted.database, count, wanted.tables, wanted.seconds) for count in range(1, wanted.most + 1)
    }
    content = section(rows, wanted.tables, settings, load)
    print(content)
    if wanted.write is not None:
        write_section(wanted.write, "processes", f"## Several servers on one PostgreSQL\n\n{content}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
