"""Starts the server and opens the page in the browser."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
import time
import webbrowser
from dataclasses import replace
from functools import partial
from typing import Any

import uvicorn

from tripot import __version__
from tripot.store.store import StoreFailed, open_store
from tripot.web.api.app import build
from tripot.web.ops import logs
from tripot.web.ops.garbage import GarbageCollector
from tripot.web.ops.http_protocol import ConnectionLimits, LimitedHttp, Outbox, TableSocket
from tripot.web.ops.metrics import Metrics
from tripot.web.ops.rate_limits import RateLimits
from tripot.web.ops.settings import Settings

USUAL_PORT = 8000
PORTS_TRIED = 20
STOP_SECONDS = 5  # that requests have to end when the server stops
CLIENT_SECONDS = 4.0  # that clients have to take their answers then
EVERYWHERE = ("0.0.0.0", "::", "")
logger = logging.getLogger(__name__)


class CannotServe(Exception):
    """The server cannot start. The message says why."""


class Server(uvicorn.Server):
    """A server that collects its garbage itself, and stops whether its clients read or not."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._garbage = GarbageCollector()

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second."""
        self._garbage.tick()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Lets requests end. A client that does not take its answer is cut off, before that counts as an error."""
        cutting = asyncio.get_running_loop().call_later(CLIENT_SECONDS, self._cut_off)
        try:
            await super().shutdown(sockets)
        finally:
            cutting.cancel()

    def _cut_off(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    settings: Settings | None = None,
) -> None:
    """Serves tables until stopped. Port 0 takes any free port; None takes the usual one, or the next free one."""
    settings = settings or Settings()
    if settings.log not in logs.FORMATS:
        raise CannotServe(f"there is no log format '{settings.log}': choose {' or '.join(logs.FORMATS)}")
    logs.configure(settings.log)
    try:
        asyncio.run(try_store(settings))
    except StoreFailed as error:
        raise CannotServe(str(error)) from None
    listening = listen(host, port)
    chosen = listening.getsockname()[1]
    if host in EVERYWHERE:
        settings = replace(settings, share=settings.share or f"http://{own_address()}:{chosen}")
    address = f"http://{shown_host(host)}:{chosen}/"
    print(f"Tripot: {address}  (stop with Ctrl+C)", flush=True)
    server = Server(configuration(settings))
    logger.info("serving", extra={"address": address, "version": __version__})
    if browser:
        threading.Thread(target=open_browser, args=(server, address), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl+C is the usual way to stop
        server.run(sockets=[listening])
    logger.info("stopped")


async def try_store(settings: Settings) -> None:
    """Opens the database once before the server starts, so that an error is reported in one sentence."""
    store = await open_store(settings.database_address)
    damage = await store.quick_check()
    await store.close()
    if damage is not None:
        logger.error(
            "the database is damaged: `tripot store check` names the tables, the others can be played (%s)", damage
        )


def configuration(settings: Settings) -> uvicorn.Config:
    """Returns uvicorn's configuration. There is no access log: paths may hold invite codes."""
    metrics, rate_limits = Metrics(), RateLimits(settings)
    limits = ConnectionLimits(settings, rate_limits, metrics.refused)
    http: Any = partial(LimitedHttp, limits)
    sockets: Any = partial(TableSocket, limits, Outbox())
    return uvicorn.Config(
        build(settings, metrics, rate_limits),
        http=http,
        ws=sockets,
        log_config=None,
        access_log=False,
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,  # 60 KB a connection and half the time of a decision, for letters that are short
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=STOP_SECONDS,
        server_header=False,
        forwarded_allow_ips=settings.proxies,
    )


def listen(host: str, port: int | None) -> socket.socket:
    """Returns a listening socket on `port`; None takes the first free port from the usual one up."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(USUAL_PORT, USUAL_PORT + PORTS_TRIED) if port is None else [port]:
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
        except OSError as error:
            listening.close()
            problem = error.strerror or str(error)
            continue
        listening.listen(1024)
        return listening
    raise CannotServe(f"cannot listen on {host}, port {candidate}: {problem}")


def own_address() -> str:
    """Returns this machine's address on its outgoing network interface. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def shown_host(host: str) -> str:
    """Returns the host name for a browser on this machine."""
    if host in EVERYWHERE:
        return "localhost"
    return f"[{host}]" if ":" in host else host


def open_browser(server: uvicorn.Server, address: str) -> None:
    while not server.started:
        time.sleep(0.05)
    webbrowser.open(address)
