"""Pictures one after the other as one WebP that moves: the frames are WebP files as a browser writes them."""

import struct
from collections.abc import Iterator, Sequence

ANIMATED, WITH_ALPHA = 0b0000_0010, 0b0001_0000
KEPT = (b"VP8 ", b"VP8L", b"ALPH")  # the chunks of a frame


def chunks(webp: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a WebP file: name and content."""
    assert webp[:4] == b"RIFF" and webp[8:12] == b"WEBP"
    at = 12
    while at < len(webp):
        name, size = webp[at : at + 4], struct.unpack_from("<I", webp, at + 4)[0]
        yield name, webp[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def three_bytes(number: int) -> bytes:
    return number.to_bytes(3, "little")


def animated(frames: Sequence[bytes], width: int, height: int, milliseconds: int) -> bytes:
    """One file that shows the frames over and over; all have the same size."""
    size = three_bytes(width - 1) + three_bytes(height - 1)
    head = chunk(b"VP8X", bytes([ANIMATED | WITH_ALPHA, 0, 0, 0]) + size) + chunk(b"ANIM", b"\xff" * 4 + b"\0\0")
    body = b""
    for frame in frames:
        inner = b"".join(chunk(name, content) for name, content in chunks(frame) if name in KEPT)
        body += chunk(b"ANMF", b"\0" * 6 + size + three_bytes(milliseconds) + b"\x02" + inner)  # replaces, not blends
    content = b"WEBP" + head + body
    return b"RIFF" + struct.pack("<I", len(content)) + content
