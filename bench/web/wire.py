"""A minimal WebSocket client for the load generator, so that two thousand fit into one process.

It offers compression as browsers do; our server declines it.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A


class Wire(asyncio.Protocol):
    """One connection. Calls `on_message` with every message and `on_close` at the end."""

    def __init__(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        self._on_message, self._on_close = on_message, on_close
        self._buffer = bytearray()
        self._closing = False
        self.open = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport

    def connect(self, host: str, path: str) -> None:
        """Sends the upgrade request."""
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        lines.append("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits")
        self.transport.write("\r\n".join([*lines, "", ""]).encode())

    def send(self, text: bytes, kind: int = TEXT) -> None:
        """Sends a message, masked with zeros."""
        size = len(text)
        assert size < 65536
        head = bytes([kind, 0x80 | size]) if size < 126 else bytes([kind, 0x80 | 126]) + size.to_bytes(2, "big")
        self.transport.write(head + bytes(4) + text)

    def close(self) -> None:
        self._closing = True
        self.transport.close()

    # --- Called by asyncio ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport) or hasattr(transport, "write")
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError(f"no upgrade: {error}"))
        if not self._closing:
            self._on_close(f"lost: {error}")

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.open.done() and not self._upgraded():
            return
        at, buffer = 0, self._buffer
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1] & 0x7F, at + 2
            if size >= 126:
                start += 2 if size == 126 else 8
                if len(buffer) < start:
                    break
                size = int.from_bytes(buffer[at + 2 : start], "big")
            if len(buffer) < start + size:
                break
            self._frame(buffer[at], bytes(buffer[start : start + size]))
            at = start + size
        del buffer[:at]

    def _upgraded(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self._buffer[:end]).decode("latin-1")
        del self._buffer[: end + 4]
        if " 101 " not in head.splitlines()[0]:
            self.open.set_exception(ConnectionError(head.splitlines()[0]))
            return False
        self.open.set_result(None)
        return True

    def _frame(self, first: int, content: bytes) -> None:
        assert not first & 0x40, "compressed, though the server agreed to no compression"
        kind = first & 0x8F
        if kind == TEXT:
            self._on_message(content)
        elif kind == PING:
            self.send(content, PONG)
        elif kind == CLOSE:
            self._on_close(f"closed: {content[2:].decode('utf-8', 'replace')} ({int.from_bytes(content[:2], 'big')})")
            self.close()
