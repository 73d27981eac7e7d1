"""One greedy visitor and one stranger: `python -m bench.web.greedy`.

The greedy visitor plays at many tables with three `hard` bots each, without a pause and within the default limits. The
stranger, at another address, plays at a table of easy bots. The time from the stranger's decision to their next turn
is measured before and during the attack.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from bench.web.process import Measured

GREEDY, STRANGER = "127.0.0.1", "127.0.0.2"  # two visitors of one machine
COMPILING_SECONDS = 600
RISING_SECONDS = 5  # until the attack is in full swing


class Player:
    """A person with bots at a table. Plays random legal decisions at once, and a new game after every end."""

    def __init__(self, host: str, visitor: str, game: str, level: str, seed: int) -> None:
        self._host, self._visitor, self._game, self._level = host, visitor, game, level
        self._rng = random.Random(seed)
        self.waits: list[float] = []  # seconds from each decision to the next turn

    def request(self, path: str, content: Any = None) -> Any:
        line = http.client.HTTPConnection(self._host, timeout=60, source_address=(self._visitor, 0))
        body = None if content is None else json.dumps(content)
        line.request("GET" if body is None else "POST", path, body, {"content-type": "application/json"})
        answer = line.getresponse()
        found = json.loads(answer.read())
        line.close()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {found}")
        return found

    async def play(self, most: int = 10**9) -> None:
        """Plays at most this many turns."""
        while len(self.waits) < most:
            seats = [{"kind": "here"}, *[{"kind": "bot", "level": self._level}] * 3]
            opening = {"game": self._game, "seats": seats, "pace": "instant"}
            opened = await asyncio.to_thread(self.request, "/api/tables", opening)
            address = f"ws://{self._host}/api/tables/{opened['table']['id']}/socket"
            async with connect(address, local_addr=(self._visitor, 0), ping_interval=None) as line:
                await line.send(json.dumps({"type": "hello", "token": opened["tokens"][0]["token"]}))
                await self._play_table(line, most)

    async def _play_table(self, line: ClientConnection, most: int) -> None:
        since = 0.0
        async for text in line:
            message = json.loads(text)
            if message["type"] == "error":
                raise RuntimeError(str(message))
            if message["type"] != "letter" or not (message["legal"] or message["view"]["over"]):
                continue
            if since:
                self.waits.append(time.perf_counter() - since)
            if message["view"]["over"] or len(self.waits) >= most:
                return
            action = self._rng.choice(message["legal"])["action"]
            since = time.perf_counter()
            await line.send(json.dumps({"type": "decide", "sequence": message["sequence"], "actions": [action]}))


async def attack(host: str, game: str, tables: int, turns: int, report: Callable[[str], None]) -> dict[str, Any]:
    """Returns the stranger's waits before and during the attack, in milliseconds."""
    stranger = Player(host, STRANGER, game, "easy", 1)
    end = time.monotonic() + COMPILING_SECONDS
    while any(known["engine"] != "native" for known in stranger.request("/api/games")["games"]):
        if time.monotonic() > end:
            raise RuntimeError("the bots are not compiled")
        await asyncio.sleep(0.2)
    await stranger.play(turns)
    found = {"before": percentiles(stranger.waits)}
    report(f"before the attack: {found['before']}")
    crowd = [Player(host, GREEDY, game, "hard", seed) for seed in range(tables)]
    attackers = [asyncio.create_task(player.play()) for player in crowd]
    await asyncio.sleep(RISING_SECONDS)
    stranger.waits.clear()
    await stranger.play(turns)
    found["during"] = percentiles(stranger.waits)
    report(f"during the attack: {found['during']}")
    found["attackers"] = percentiles([wait for player in crowd for wait in player.waits])
    report(f"the greedy visitor: {found['attackers']}")
    for task in attackers:
        task.cancel()
    ended = await asyncio.gather(*attackers, return_exceptions=True)
    failed = [end for end in ended if not isinstance(end, asyncio.CancelledError | ConnectionClosed)]
    if failed:
        raise RuntimeError(f"{len(failed)} attackers failed: {failed[0]!r}")
    return found


def percentiles(waits: list[float]) -> dict[str, float]:
    ordered = sorted(waits)
    if not ordered:
        return {"turns": 0}  # the greedy visitor may wait for their first turn all the while
    at = {"median": 0.5, "99%": 0.99, "longest": 1.0}
    ranked = {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in at.items()}
    return {"turns": len(ordered), **{name: round(seconds * 1000, 1) for name, seconds in ranked.items()}}


def main() -> int:
    given = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    given.add_argument("--tables", type=int, default=60, help="tables of the greedy visitor, with three hard bots each")
    given.add_argument("--turns", type=int, default=300, help="turns of the stranger before and during the attack")
    given.add_argument("--game", default="verrater")
    given.add_argument("--most", type=float, default=500, help="the stranger's 99%% may be this many milliseconds")
    wanted = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = json.dumps({"database": f"sqlite:///{Path(folder) / 'tables.sqlite'}"})
        server = Measured([sys.executable, "-m", "bench.web.server", settings])
        try:
            host = server.line().split()[1].removeprefix("http://").rstrip("/")
            found = asyncio.run(attack(host, wanted.game, wanted.tables, wanted.turns, report))
        finally:
            server.stop()
    print(json.dumps(found))
    return 0 if found["during"]["99%"] <= wanted.most else 1


def report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
