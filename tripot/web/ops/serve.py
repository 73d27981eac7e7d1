"""Start the server: one process, one file, the page opened in the browser."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import socket
import threading
import time
import webbrowser
from dataclasses import replace

import uvicorn

from tripot import __version__
from tripot.store.store import StoreFailed, open_store
from tripot.web.api.app import build
from tripot.web.ops import logs
from tripot.web.ops.settings import Settings

USUAL_PORT = 8000
PORTS_TRIED = 20
EVERYWHERE = ("0.0.0.0", "::", "")
logger = logging.getLogger(__name__)
YOUNG = 5_000  # objects that came to stay before Python looks for rings among them: more would be a pause to notice


class CannotServe(Exception):
    """The server cannot start; the message says why."""


def serve(
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    settings: Settings | None = None,
) -> None:
    """Serve tables until stopped. Port 0 takes any free one; None the usual one, or the next that is free."""
    settings = settings or Settings()
    if settings.log not in logs.FORMATS:
        raise CannotServe(f"there is no log '{settings.log}': choose {' or '.join(logs.FORMATS)}")
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
    server = uvicorn.Server(configuration(settings))
    logger.info("serving", extra={"address": address, "version": __version__})
    gc.freeze()  # what was imported stays: nobody need look through it again and again
    gc.set_threshold(YOUNG, 5, 50)
    if browser:
        threading.Thread(target=open_browser, args=(server, address), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):  # the usual way to stop
        server.run(sockets=[listening])
    logger.info("stopped")


async def try_store(settings: Settings) -> None:
    """Open the database once before anything starts, so that what is wrong with it is said in one sentence."""
    await (await open_store(settings.database_address)).close()


def configuration(settings: Settings) -> uvicorn.Config:
    """How uvicorn runs us. No access log: addresses may hold invite codes."""
    return uvicorn.Config(
        build(settings),
        log_config=None,
        access_log=False,
        ws_max_size=settings.message_bytes,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=5,
        server_header=False,
        forwarded_allow_ips=settings.proxies,
    )


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on `port`; if none is named, on the first free one from the usual port on."""
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
    raise CannotServe(f"nothing can listen on {host}, port {candidate}: {problem}")


def own_address() -> str:
    """This machine's address for others: that of the interface that leads out. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def shown_host(host: str) -> str:
    """The host as a browser on this machine should call it."""
    if host in EVERYWHERE:
        return "localhost"
    return f"[{host}]" if ":" in host else host


def open_browser(server: uvicorn.Server, address: str) -> None:
    while not server.started:
        time.sleep(0.05)
    webbrowser.open(address)
