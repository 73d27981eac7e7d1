"""Rate limits that all processes of one PostgreSQL database share: token buckets, and open sockets of a visitor.

Each token is taken by one statement, so that no two processes can take the same one. The database's clock counts: a
process whose clock jumps gives nobody more.
"""

from __future__ import annotations

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from tripot.store.schema import processes, sockets

LEFT = """LEAST(CAST(:most AS float8), buckets.tokens
    + CAST(:rate AS float8) * GREATEST(0, EXTRACT(EPOCH FROM clock_timestamp() - buckets.filled)))"""
TAKE = text(f"""
    INSERT INTO buckets (id, tokens, filled)
    VALUES (:id, CAST(:most AS float8) - CAST(:count AS float8), clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET tokens = {LEFT} - CAST(:count AS float8), filled = clock_timestamp()
    WHERE {LEFT} >= CAST(:count AS float8)
    RETURNING tokens""")
FORGET = text("DELETE FROM buckets WHERE filled < clock_timestamp() - interval '1 day'")
ADD_SOCKET = text("""
    INSERT INTO sockets (process, visitor, count)
    SELECT id, CAST(:visitor AS varchar), 1 FROM processes WHERE id = :process
    ON CONFLICT (process, visitor) DO UPDATE SET count = sockets.count + 1""")
DROP_SOCKET = text("UPDATE sockets SET count = count - 1 WHERE process = :process AND visitor = :visitor")
CLEAR_SOCKETS = text("DELETE FROM sockets WHERE process = :process AND visitor = :visitor AND count <= 0")


async def take(db: AsyncConnection, bucket: str, most: float, rate: float, count: float) -> bool:
    """Takes tokens from a bucket that holds `most` and gains `rate` a second. Returns False if they are not there."""
    found = await db.execute(TAKE, {"id": bucket[:80], "most": float(most), "rate": float(rate), "count": float(count)})
    return found.one_or_none() is not None


async def forget(db: AsyncConnection) -> None:
    """Deletes the buckets of visitors who have not come for a day: they are full again."""
    await db.execute(FORGET)


async def add_socket(db: AsyncConnection, process: str, visitor: str, most: int) -> bool:
    """Counts a new socket of a visitor. Returns False if they have `most` at all live processes together."""
    open_now = select(func.sum(sockets.c.count)).join(processes).where(sockets.c.visitor == visitor[:64])
    if (await db.scalar(open_now) or 0) >= most:
        return False
    await db.execute(ADD_SOCKET, {"process": process, "visitor": visitor[:64]})
    return True


async def drop_socket(db: AsyncConnection, process: str, visitor: str) -> None:
    """Counts a socket that is closed."""
    whose = {"process": process, "visitor": visitor[:64]}
    await db.execute(DROP_SOCKET, whose)
    await db.execute(CLEAR_SOCKETS, whose)
