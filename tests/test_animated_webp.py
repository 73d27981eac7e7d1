"""The pictures that move: every frame is in the file, with its size and its time."""

import struct

from tests.browser.animated_webp import animated, chunk, chunks


def still(content: bytes) -> bytes:
    body = b"WEBP" + chunk(b"ICCP", b"colours") + chunk(b"VP8 ", content)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def test_frames_are_put_one_after_the_other() -> None:
    made = animated([still(b"one"), still(b"two!")], 800, 538, 1200)
    assert struct.unpack_from("<I", made, 4)[0] == len(made) - 8
    found = list(chunks(made))
    assert [name for name, _ in found] == [b"VP8X", b"ANIM", b"ANMF", b"ANMF"]
    assert found[0][1][4:7] == (799).to_bytes(3, "little") and found[0][1][7:] == (537).to_bytes(3, "little")
    for (_, content), frame in zip(found[2:], (b"one", b"two!"), strict=True):
        assert content[12:15] == (1200).to_bytes(3, "little")
        assert content[16:] == chunk(b"VP8 ", frame)
