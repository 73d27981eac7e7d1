"""Many short games one after the other, and the server's memory: `python -m bench.web.soak`.

Each game: a table is opened, its person connects, plays some turns against easy bots and leaves. The memory at the end
is compared with that after the first tenth of the games: a server that forgets nothing grows without end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from bench.web.greedy import Player
from bench.web.measure import LIMITS
from bench.web.process import Measured

AT_ONCE = 64  # games: a decision waits for others to share its commit, so few games take long


async def play(host: str, server: Measured, games: int, turns: int, compiled: bool) -> list[int]:
    """Plays all games. Returns the resident bytes after every tenth of them."""
    left, found, done = iter(range(games)), [], 0
    player = Player(host, "127.0.0.1", "verrater", "easy", 0)
    while compiled and any(known["engine"] != "native" for known in player.request("/api/games")["games"]):
        await asyncio.sleep(0.2)  # compiled code takes memory of its own

    async def one_after_the_other() -> None:
        nonlocal done
        for number in left:
            await Player(host, "127.0.0.1", "verrater", "easy", number).play(turns)
            done += 1
            if done % max(1, games // 10) == 0:
                found.append(server.memory)
                print(f"{done:>7,} games  {server.memory / 2**20:6.1f} MB", file=sys.stderr, flush=True)

    await asyncio.gather(*[one_after_the_other() for _ in range(AT_ONCE)])
    return found


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    given.add_argument("--games", type=int, default=10_000)
    given.add_argument("--turns", type=int, default=4, help="turns of the person before they leave")
    given.add_argument("--growth", type=float, default=0.1, help="how much the memory may grow after the first tenth")
    given.add_argument("--interpreted", action="store_true", help="do not compile the bots")
    wanted = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = {"database": f"sqlite:///{Path(folder) / 'tables.sqlite'}", "native": not wanted.interpreted}
        settings |= {"idle_seconds": 2.0, "grace_seconds": 0.1, **dict.fromkeys(LIMITS, 10**9)}
        server = Measured([sys.executable, "-m", "bench.web.server", json.dumps(settings)])
        try:
            host = server.line().split()[1].removeprefix("http://").rstrip("/")
            since = time.monotonic()
            found = asyncio.run(play(host, server, wanted.games, wanted.turns, not wanted.interpreted))
            seconds = time.monotonic() - since
        finally:
            server.stop()
    growth = found[-1] / found[0] - 1
    print(json.dumps({"games": wanted.games, "seconds": round(seconds), "memory": found, "growth": round(growth, 3)}))
    return 0 if growth <= wanted.growth else 1


if __name__ == "__main__":
    sys.exit(main())
